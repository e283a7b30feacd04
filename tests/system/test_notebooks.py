"""The notebooks run from their first cell to their last; their cells hold assertions."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from totient.common.files import project_root

NOTEBOOKS = sorted((project_root() / "docs" / "notebooks").glob("*.ipynb"))


def test_there_are_some() -> None:
    assert {path.stem for path in NOTEBOOKS} == {"software", "stream"}


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook(path: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    assert all(not cell.get("outputs") for cell in notebook.cells), "kept without outputs"
    done = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}})
    done.execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in code)
    assert any("assert" in cell.source for cell in code)
