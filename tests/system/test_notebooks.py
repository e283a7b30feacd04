"""The notebooks run from their first cell to their last, and print what they are kept with."""

from pathlib import Path

import nbformat
import pytest
from docs.execute import NOTEBOOKS, execute, texts


def test_there_are_some() -> None:
    assert {path.stem for path in NOTEBOOKS} == {"architectures", "software", "stream"}


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook(path: Path, tmp_path: Path) -> None:
    """Its cells hold assertions. Without the tag `varies`, they print what is in the file."""
    kept = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    done = execute(path, tmp_path)
    for notebook in (kept, done):
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        assert all(cell.execution_count for cell in code), "make documents writes the outputs"
    assert any("assert" in cell.source for cell in code)
    assert any(texts(kept))
    assert texts(done) == texts(kept), "make documents writes the outputs"
