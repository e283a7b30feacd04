"""Tests of the reproductions."""

from pathlib import Path

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from totient.report import Report, Value
from totient.reproduce import find_paper


def rows(done: Report, name: str) -> list[tuple[Value, ...]]:
    """Rows of a table."""
    return [tuple(row) for row in done.tables[name].rows]


def drawn(name: str, done: Report, patch: pytest.MonkeyPatch, folder: Path) -> list[Axes]:
    """The plots of a paper's figure, laid out."""
    figures: list[Figure] = []
    patch.setattr(Figure, "savefig", lambda figure, *_, **__: figures.append(figure))
    find_paper(name).draw(done, folder / "figure.png")
    (figure,) = figures
    figure.draw_without_rendering()
    return figure.axes
