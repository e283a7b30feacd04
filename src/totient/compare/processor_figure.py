"""RSA on processors and in hardware as a picture: time, and energy against time."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from totient.power import ERROR
from totient.processor import processors
from totient.report import Report, Table, Value, number
from totient.report.figure import left_out, name_point, two_plots

_UNNAMED = ("N", "engine-4", "engine-16", "engine-32", "AVR, ATmega1284P")
"""What is not named beside its energy, or the beginning of its name: others are too near."""

_LONGEST = 1e6
"""Seconds that are drawn at most: an operation may take longer than anybody waits."""


def _quickest(table: Table) -> list[tuple[str, float, float, float | None]]:
    """Each processor with least and most seconds, and joules, of the quickest of our programs."""
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
        path: where to; see `two_plots` for formats and errors.
    """
    tables = done.tables
    title = done.title.partition(":")[0]
    software = _quickest(tables["processors"])
    designs = [
        (str(row[0]), float(row[4]), row[6] if isinstance(row[6], float) else None)
        for row in tables["designs"].rows
        if isinstance(row[4], float) and row[4] < _LONGEST
    ]
    papers = [
        (
            f"{row[0]}, {row[1]:g} MHz" if row[1] else str(row[0]),
            seconds,
            row[4] if isinstance(row[4], float) else None,
        )
        for row in tables["published"].rows
        if isinstance(seconds := row[2], float)
    ]
    with two_plots(path) as (left, right):
        places: list[tuple[float, str]] = sorted(
            [
                *((seconds, name) for name, seconds, *_ in software),
                *((seconds, name) for name, seconds, _ in designs),
                *((seconds, name) for name, seconds, _ in papers),
            ],
            reverse=True,
        )
        order = {name: place for place, (_, name) in enumerate(places)}
        for number, (name, least, most, _) in enumerate(software):
            label = None if number else "software, ours (a line: range of an estimate)"
            left.plot([least, most], [order[name]] * 2, "-", color="tab:blue")
            left.plot(least, order[name], "o", color="tab:blue", markersize=4, label=label)
        for number, (name, seconds, _) in enumerate(designs):
            label = None if number else "designs on an ECP5, as fast as it goes"
            left.plot(seconds, order[name], "s", color="tab:red", markersize=4, label=label)
        for number, (name, seconds, _) in enumerate(papers):
            label = None if number else "others, published or measured"
            left.plot(
                seconds, order[name], "D", color="tab:gray", markersize=4, mfc="white", label=label
            )
        left.set_xscale("log")
        left.set_yticks(range(len(places)), [name for _, name in places], fontsize=6)
        hidden = sum(isinstance(row[4], str) for row in tables["designs"].rows)
        left.set(title=left_out(title, hidden), xlabel="seconds")
        middle = math.sqrt(min(each[1] for each in software) * max(each[1] for each in software))

        def name_here(name: str, seconds: float, joules: float, before: bool) -> None:
            if not name.startswith(_UNNAMED):
                name_point(right, name, (seconds, joules), (-5, 4) if before else (4, -9))

        def estimated(seconds: float, joules: float, **style: Any) -> None:
            off = [[joules - joules / ERROR], [joules * ERROR - joules]]
            right.errorbar(seconds, joules, off, markersize=4, elinewidth=0.5, **style)

        soft = {each.title for each in processors() if each.power is None}
        for name, least, most, joules in software:
            if joules is None:
                continue
            if name in soft:
                estimated(least, joules, color="tab:blue", fmt="o")
            else:
                ends = [joules, joules * most / least]
                right.plot([least, most], ends, "-", color="tab:blue")
                right.plot(least, joules, "o", color="tab:blue", markersize=4)
            # On the side where there is room.
            name_here(name, least, joules, before=least > middle)
        for name, seconds, spent in designs:
            if spent is None:
                continue
            estimated(seconds, spent, color="tab:red", fmt="s")
            name_here(name, seconds, spent, before=True)
        for name, seconds, spent in papers:
            if spent is not None:
                right.plot(seconds, spent, "D", color="tab:gray", markersize=4, mfc="white")
                name_here(name, seconds, spent, before=False)
        right.plot([], [], "o", color="tab:blue", label="software, ours")
        right.plot([], [], "s", color="tab:red", label="designs on an ECP5")
        right.set_xscale("log")
        right.set_yscale("log")
        right.margins(0.2)
        range_of_bars = f"bars: 1/{ERROR:g} to {ERROR:g} times an estimate"
        right.set(title=f"Energy ({range_of_bars})", xlabel="seconds", ylabel="joules")
