"""The published figures, from `results/published/`."""

import tomllib
from typing import Any

from totient.common.errors import ToolError
from totient.common.files import project_root


def published(name: str) -> dict[str, Any]:
    """Figures of a paper.

    Args:
        name: of the file without its ending.

    Raises:
        ToolError: the file is missing or damaged.
    """
    path = project_root() / "results" / "published" / f"{name}.toml"
    try:
        return tomllib.loads(path.read_text())
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise ToolError(f"cannot read {path.name}: {error}") from error
