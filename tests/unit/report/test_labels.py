"""Names of points: they cover no mark and no other name, and stay in the plot."""

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from totient.report.figure import plots
from totient.report.labels import name_point

POINTS = {
    "engine-62": (1.0, 1.0),
    "a neighbour": (1.02, 1.0),
    "above both": (1.01, 1.05),
    "in a corner": (2.0, 2.0),
    "on the edge": (2.0, 1.0),
    "at the same place": (2.0, 1.0),
}


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_names_are_apart(tmp_path: Path, scale: str) -> None:
    drawn: list[Any] = []
    with plots(tmp_path / "figure.svg", 1, (5, 4)) as (axes,):
        for name, at in POINTS.items():
            axes.errorbar(*at, yerr=0.05, fmt="s")
            name_point(axes, name, at)
        axes.plot([], [], "s", label="ours")
        axes.legend(loc="upper left")
        axes.set(xscale=scale, yscale=scale)
        drawn.append(axes)
    (axes,) = drawn
    renderer = FigureCanvasAgg(axes.figure).get_renderer()  # type: ignore[no-untyped-call]
    axes.figure.draw_without_rendering()
    boxes = {text.get_text(): Text.get_window_extent(text, renderer) for text in axes.texts}
    assert boxes.keys() == POINTS.keys()
    for (one, first), (other, second) in combinations(boxes.items(), 2):
        assert not Bbox.intersection(first, second), (one, other)
    plot = axes.get_window_extent(renderer)
    for name, box in boxes.items():
        assert plot.contains(*box.min), name
        assert plot.contains(*box.max), name
        assert not Bbox.intersection(box, axes.get_legend().get_window_extent(renderer)), name
        for at in POINTS.values():
            assert not box.contains(*axes.transData.transform(at)), (name, at)


def test_a_distant_name_has_a_line_to_its_point(tmp_path: Path) -> None:
    ties = []
    with plots(tmp_path / "figure.svg", 1, (5, 4)) as (axes,):
        for number in range(12):
            axes.plot(1, 1, "s")
            name_point(axes, f"one of twelve, number {number}", (1, 1))
        ties = axes.texts
    seen = [text.arrow_patch.get_visible() for text in ties]
    assert not seen[0]
    assert seen[-1]
