"""Figure of RSA on processors and in hardware: time, and energy against time."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from totient.power import ERROR
from totient.processor import processors
from totient.report import Report, Table, Value
from totient.report.figure import left_out, side_by_side
from totient.report.labels import name_point
from totient.report.values import number

_LONGEST = 1e6
"""Upper limit of the time axis, in seconds."""


_Processor = tuple[str, float, float, float | None]
"""Name, least and most seconds, joules."""

_Point = tuple[str, float, float | None]
"""Name, seconds, joules."""


def _quickest(table: Table) -> list[_Processor]:
    """Each processor with least and most seconds, and joules, of the fastest of our programs."""
    best: dict[str, Sequence[Value]] = {}
    for row in table.rows:
        name, seconds = str(row[0]), number(row[5])
        if seconds is not None and "BearSSL" not in str(row[2]):
            kept = number(best[name][5]) if name in best else None
            if kept is None or seconds < kept:
                best[name] = row
    return [
        (name, least, number(row[6]) or least, number(row[7]))
        for name, row in best.items()
        if (least := number(row[5])) is not None
    ]


def draw(done: Report, path: Path) -> None:
    """Draw the figure.

    Args:
        done: the comparison.
        path: destination; see `side_by_side` for formats and errors.
    """
    tables = done.tables
    software = _quickest(tables["processors"])
    designs = [
        (str(row[0]), row[4], number(row[6]))
        for row in tables["designs"].rows
        if isinstance(row[4], float) and row[4] < _LONGEST
    ]
    papers = [
        (f"{row[0]}, {row[1]:g} MHz" if row[1] else str(row[0]), seconds, number(row[4]))
        for row in tables["published"].rows
        if isinstance(seconds := row[2], float)
    ]
    hidden = sum(isinstance(row[4], str) for row in tables["designs"].rows)
    with side_by_side(path) as (left, right):
        _times(left, software, designs, papers)
        left.set(title=left_out(done.title.partition(":")[0], hidden), xlabel="seconds")
        _energies(right, software, designs, papers)


def _times(
    left: Any,
    software: Sequence[_Processor],
    designs: Sequence[_Point],
    papers: Sequence[_Point],
) -> None:
    """Each name in a line of its own, the slowest at the bottom."""
    named = [(seconds, name) for name, seconds, *_ in (*software, *designs, *papers)]
    names = [name for _, name in sorted(named, reverse=True)]
    order = {name: place for place, name in enumerate(names)}
    for place, (name, least, most, _) in enumerate(software):
        label = None if place else "software, ours (a line: range of an estimate)"
        left.plot([least, most], [order[name]] * 2, "-", color="tab:blue")
        left.plot(least, order[name], "o", color="tab:blue", markersize=4, label=label)
    for points, style, what in (
        (designs, {"marker": "s", "color": "tab:red"}, "designs on an ECP5, maximum clock"),
        (
            papers,
            {"marker": "D", "color": "tab:gray", "mfc": "white"},
            "others, published or measured",
        ),
    ):
        for place, (name, seconds, _) in enumerate(points):
            label = None if place else what
            left.plot(seconds, order[name], linestyle="", markersize=4, label=label, **style)
    left.set_xscale("log")
    left.set_yticks(range(len(names)), names, fontsize=6)


def _energies(
    right: Any,
    software: Sequence[_Processor],
    designs: Sequence[_Point],
    papers: Sequence[_Point],
) -> None:
    """Energy against time. Estimates have bars."""
    soft = {each.title for each in processors() if each.power is None}

    def estimated(seconds: float, joules: float, **style: Any) -> None:
        off = [[joules - joules / ERROR], [joules * ERROR - joules]]
        right.errorbar(seconds, joules, off, markersize=4, elinewidth=0.5, **style)

    for name, least, most, joules in software:
        if joules is None:
            continue
        if name in soft:
            estimated(least, joules, color="tab:blue", fmt="o")
        else:
            right.plot([least, most], [joules, joules * most / least], "-", color="tab:blue")
            right.plot(least, joules, "o", color="tab:blue", markersize=4)
        name_point(right, name, (least, joules))
    for name, seconds, spent in designs:
        if spent is not None:
            estimated(seconds, spent, color="tab:red", fmt="s")
            short = name.partition(",")[0]  # the other plot has the whole name
            name_point(right, short, (seconds, spent))
    for name, seconds, spent in papers:
        if spent is not None:
            right.plot(seconds, spent, "D", color="tab:gray", markersize=4, mfc="white")
            name_point(right, name, (seconds, spent))
    right.plot([], [], "o", color="tab:blue", label="software, ours")
    right.plot([], [], "s", color="tab:red", label="designs on an ECP5")
    right.set_xscale("log")
    right.set_yscale("log")
    right.margins(0.2)
    range_of_bars = f"bars: 1/{ERROR:g} to {ERROR:g} times an estimate"
    right.set(title=f"Energy ({range_of_bars})", xlabel="seconds", ylabel="joules")
