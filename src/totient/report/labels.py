"""Names of points in a figure, placed where they cover no mark, no line and no other name."""

import math
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

_ROLE = "_name of a point"  # with this beginning a legend leaves it out
_DISTANCES = (3, 8, 14, 22, 32, 44)  # between a point and its name, in points
_NEAR = 10  # up to this distance a name has no line to its point
_GAP = 12  # pixels between names in a row
_SIDES = ((1, 1), (-1, 1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1))
_SAMPLES = 24  # of a line between two of its points
_OUTSIDE, _OVER_NAME, _OVER_MARK, _OVER_LINE = 8.0, 4.0, 3.0, 0.3
"""Cost of a name beyond the plot, and of each name, mark and sample of a line that it covers."""

_NOTHING = ("None", "", " ", None)
"""A line's style, and its mark, if it has none."""

_Box = tuple[float, float, float, float]
"""Left, bottom, right, top, in pixels."""


def name_point(axes: Any, name: object, at: tuple[Any, Any], size: int = 6) -> None:
    """Name a point. `place_names` chooses the side when the plot is complete."""
    tie = {"arrowstyle": "-", "linewidth": 0.4, "color": "gray", "shrinkA": 0, "shrinkB": 2}
    label = axes.annotate(
        name,
        at,
        (0, 0),
        textcoords="offset points",
        fontsize=size,
        ha="center",
        va="center",
        arrowprops=tie,
    )
    label.set_label(_ROLE)


def place_names(figure: Any) -> None:
    """Move the names of points, one after the other, to where they cover least."""
    from matplotlib.text import Text

    named = {
        axes: [text for text in axes.texts if text.get_label() == _ROLE] for axes in figure.axes
    }
    if not any(named.values()):
        return
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    scale = figure.dpi / 72
    for axes, names in named.items():
        bounds = axes.get_window_extent(renderer).extents
        legend = axes.get_legend()
        marks = [*_marks(axes), *([legend.get_window_extent(renderer).extents] if legend else [])]
        lines = list(_lines(axes))
        placed: list[_Box] = []
        for name in names:
            size = Text.get_window_extent(name, renderer)  # without the line to the point
            x, y = axes.transData.transform(name.xy)
            tries = [
                (distance, (right, up), _box(x + right * scale, y + up * scale, size))
                for distance, right, up in _tries(size.width / scale, size.height / scale)
            ]
            costs = [
                distance / 20
                + _OUTSIDE * (not _inside(box, bounds))
                + _OVER_NAME * _covered(box, placed)
                + _OVER_MARK * _covered(box, marks)
                + _OVER_LINE * _covered(box, lines)
                for distance, _, box in tries
            ]
            distance, shift, box = tries[costs.index(min(costs))]
            name.set_position(shift)
            name.arrow_patch.set_visible(distance > _NEAR)
            placed.append((box[0] - _GAP, box[1], box[2] + _GAP, box[3]))


def _tries(width: float, height: float) -> Iterator[tuple[int, float, float]]:
    """Distances and places of a name's centre from its point, in points."""
    for distance in _DISTANCES:
        for right, up in _SIDES:
            yield distance, right * (width / 2 + distance), up * (height / 2 + distance)


def _box(x: float, y: float, size: Any) -> _Box:
    """A box of this size around its centre."""
    return x - size.width / 2, y - size.height / 2, x + size.width / 2, y + size.height / 2


def _covered(box: _Box, others: Iterable[_Box]) -> int:
    """How many of the others it covers, wholly or in part."""
    left, bottom, right, top = box
    return sum(
        left < each[2] and each[0] < right and bottom < each[3] and each[1] < top for each in others
    )


def _inside(box: _Box, bounds: _Box) -> bool:
    return bounds[0] < box[0] and bounds[1] < box[1] and box[2] < bounds[2] and box[3] < bounds[3]


def _marks(axes: Any) -> Iterator[_Box]:
    """The mark of each point."""
    for line in axes.lines:
        if line.get_marker() in _NOTHING:
            continue
        half = line.get_markersize() / 2 * axes.figure.dpi / 72
        for x, y in line.get_transform().transform(line.get_xydata()):
            if math.isfinite(x) and math.isfinite(y):
                yield x - half, y - half, x + half, y + half


def _lines(axes: Any) -> Iterator[_Box]:
    """Samples of the lines, bars of errors included."""
    paths = [
        line.get_transform().transform(line.get_xydata())
        for line in axes.lines
        if line.get_linestyle() not in _NOTHING
    ]
    for collection in axes.collections:
        paths += [axes.transData.transform(each) for each in collection.get_segments()]
    for path in paths:
        for (x0, y0), (x1, y1) in pairwise(path):
            for step in range(_SAMPLES):
                part = step / (_SAMPLES - 1)
                x, y = x0 + part * (x1 - x0), y0 + part * (y1 - y0)
                if math.isfinite(x) and math.isfinite(y):
                    yield x - 0.5, y - 0.5, x + 0.5, y + 0.5
