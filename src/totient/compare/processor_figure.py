"""Figure of RSA on processors and in hardware: time, and energy against time."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from totient.compare.processors import estimated_range
from totient.processor import processors
from totient.report import Report, Table, Value
from totient.report.figure import left_out, side_by_side
from totient.report.labels import name_point
from totient.report.values import number

_LONGEST = 1e6
"""Upper limit of the time axis, in seconds."""

_STYLES = (("o", "tab:blue", None), ("s", "tab:red", None), ("D", "tab:gray", "white"))
"""Mark, colour and face of software, of designs and of others."""


class _Point(NamedTuple):
    """Name, least and most seconds, joules; of an estimate, least and most joules."""

    name: str
    least: float
    most: float
    joules: float | None
    range: tuple[float, float] | None = None


_Groups = Sequence[Sequence[_Point]]
"""Software, designs, others."""


def _quickest(table: Table) -> list[_Point]:
    """Each processor with the fastest of our programs."""
    best: dict[str, Sequence[Value]] = {}
    for row in table.rows:
        name, seconds = str(row[0]), number(row[5])
        if seconds is not None and "BearSSL" not in str(row[2]):
            kept = number(best[name][5]) if name in best else None
            if kept is None or seconds < kept:
                best[name] = row
    estimated = {each.title for each in processors() if each.power is None}
    points = []
    for name, row in best.items():
        least, joules = number(row[5]), number(row[7])
        assert least is not None
        off = estimated_range(joules, least) if joules and name in estimated else None
        points.append(_Point(name, least, number(row[6]) or least, joules, off))
    return points


def _range(ends: Sequence[Value]) -> tuple[float, float] | None:
    least, most = map(number, ends)
    return None if least is None or most is None else (least, most)


def draw(done: Report, path: Path) -> None:
    """Draw the figure.

    Args:
        done: the comparison.
        path: destination; see `side_by_side` for formats and errors.
    """
    tables = done.tables
    designs = [
        _Point(str(row[0]), row[4], row[4], number(row[6]), _range(row[7:9]))
        for row in tables["designs"].rows
        if isinstance(row[4], float) and row[4] < _LONGEST
    ]
    papers = [
        _Point(f"{name}, {mhz:g} MHz" if mhz else str(name), seconds, seconds, number(joules))
        for name, mhz, seconds, _, joules, _ in tables["published"].rows
        if isinstance(seconds, float)
    ]
    groups = (_quickest(tables["processors"]), designs, papers)
    hidden = sum(isinstance(row[4], str) for row in tables["designs"].rows)
    with side_by_side(path) as (left, right):
        _times(left, groups)
        left.set(title=left_out(done.title.partition(":")[0], hidden), xlabel="seconds")
        _energies(right, groups)


def _times(left: Any, groups: _Groups) -> None:
    """Each name in a line of its own, the slowest at the bottom."""
    named = [(each.least, each.name) for points in groups for each in points]
    names = [name for _, name in sorted(named, reverse=True)]
    order = {name: place for place, name in enumerate(names)}
    labels = (
        "software, ours (a line: range of an estimate)",
        "designs on an ECP5, maximum clock",
        "others, published or measured",
    )
    for points, (mark, colour, face), label in zip(groups, _STYLES, labels, strict=True):
        for place, (name, least, most, *_) in enumerate(points):
            at, shown = order[name], None if place else label
            if points is groups[0]:
                left.plot([least, most], [at] * 2, "-", color=colour)
            left.plot(least, at, mark, color=colour, markersize=4, label=shown, mfc=face)
    left.set_xscale("log")
    left.set_yticks(range(len(names)), names, fontsize=6)


def _energies(right: Any, groups: _Groups) -> None:
    """Energy against time. Estimates have bars."""
    software, designs, _ = groups
    for points, (mark, colour, face) in zip(groups, _STYLES, strict=True):
        for name, least, most, joules, ends in points:
            if joules is None:
                continue
            style = {"color": colour, "markersize": 4, "mfc": face}
            if ends:
                off = [[joules - ends[0]], [ends[1] - joules]]
                right.errorbar(least, joules, off, fmt=mark, elinewidth=0.5, **style)
            else:
                if points is software:
                    right.plot([least, most], [joules, joules * most / least], "-", color=colour)
                right.plot(least, joules, mark, **style)
            # The other plot has the whole names of the designs.
            shown = name.partition(",")[0] if points is designs else name
            name_point(right, shown, (least, joules))
    right.plot([], [], "o", color="tab:blue", label="software, ours")
    right.plot([], [], "s", color="tab:red", label="designs on an ECP5")
    right.set_xscale("log")
    right.set_yscale("log")
    right.margins(0.2)
    right.set(title="Energy (bars: error of an estimate)", xlabel="seconds", ylabel="joules")
