"""Locations of the project's files, in a clone and in an installed package."""

from functools import cache
from pathlib import Path

from totient.common.errors import ToolError


@cache
def project_root() -> Path:
    """Folder with `rtl/`, `driver/` and `results/`.

    Returns:
        The clone's root for an editable install, the package's data folder otherwise.

    Raises:
        ToolError: neither has an `rtl` folder, so the installation is damaged.
    """
    package = Path(__file__).resolve().parents[1]
    for root in (package.parents[1], package / "_data"):
        if (root / "rtl" / "common").is_dir():
            return root
    raise ToolError(
        f"no RTL beside {package}: the installation is incomplete, install totient again"
    )
