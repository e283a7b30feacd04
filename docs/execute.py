"""Run the notebooks, and keep their outputs.

Cells with the tag `varies` print times of this machine or work on random numbers. Their outputs are
kept too, but not compared.
"""

import warnings
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parent / "notebooks").glob("*.ipynb"))
_SECONDS = 300  # for a cell


def execute(path: Path, folder: Path) -> Any:
    """The notebook with new outputs; the file is left as it is.

    Args:
        path: of the notebook.
        folder: in which its cells run.

    Raises:
        CellExecutionError: a cell fails. Cells hold assertions.
    """
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    place = {"metadata": {"path": str(folder)}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the kernel's own dependencies
        done = NotebookClient(notebook, timeout=_SECONDS, record_timing=False, resources=place)
        return done.execute()


def texts(notebook: Any) -> list[str]:
    """What each code cell that does not vary has printed or returned, as text. No pictures."""
    shown = []
    for cell in notebook.cells:
        if cell.cell_type != "code" or "varies" in cell.metadata.get("tags", ()):
            continue
        parts = [
            output.get("text") or output.get("data", {}).get("text/markdown", "")
            for output in cell.outputs
        ]
        shown.append("".join(parts))
    return shown


def rewrite(path: Path, folder: Path) -> bool:
    """Write a notebook with new outputs if one that does not vary has changed."""
    kept = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    new = execute(path, folder)
    if texts(kept) == texts(new) and all(cell.execution_count for cell in _code(kept)):
        return False
    new.metadata = kept.metadata  # without the version of this machine's Python
    nbformat.write(new, path)  # type: ignore[no-untyped-call]
    return True


def _code(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]
