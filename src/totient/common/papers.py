"""The published figures, from `results/published/`."""

import tomllib
from collections.abc import Mapping
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


def marked(paper: Mapping[str, Any], path: str, label: str) -> str:
    """A label of a published figure, with `(derived)` after it if the paper does not print it.

    Args:
        paper: from `published`.
        path: of the figure in the file, such as `hardware.loops`.
        label: in a table.
    """
    return f"{label} (derived)" if path in paper.get("derived", ()) else label
