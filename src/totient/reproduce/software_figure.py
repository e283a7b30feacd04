"""RSA on processors and in hardware as a picture: time, and energy against time."""

import math
from collections.abc import Mapping
from pathlib import Path

from totient.reproduce.figure import name_point, two_plots
from totient.reproduce.model import Table
from totient.reproduce.software import software_rows

_LONGEST = 1e6
"""Seconds that are drawn at most: an operation may take longer than anybody waits."""


def draw(tables: Mapping[str, Table], title: str, path: Path) -> None:
    """Draw the figure.

    Args:
        tables: of the comparison, by name.
        title: what is done: the key's length and the operation.
        path: where to; see `two_plots` for formats and errors.
    """
    software = software_rows(tables)
    designs = [
        (str(row[0]), float(row[4]))
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
                *((seconds, name) for name, seconds in designs),
                *((seconds, name) for name, seconds, _ in papers),
            ],
            reverse=True,
        )
        order = {name: place for place, (_, name) in enumerate(places)}
        for number, (name, least, most, _) in enumerate(software):
            label = None if number else "software, ours (a line: range of an estimate)"
            left.plot([least, most], [order[name]] * 2, "-", color="tab:blue")
            left.plot(least, order[name], "o", color="tab:blue", markersize=4, label=label)
        for number, (name, seconds) in enumerate(designs):
            label = None if number else "designs on an ECP5, as fast as it goes"
            left.plot(seconds, order[name], "s", color="tab:red", markersize=4, label=label)
        for number, (name, seconds, _) in enumerate(papers):
            label = None if number else "others, published or measured"
            left.plot(
                seconds, order[name], "D", color="tab:gray", markersize=4, mfc="white", label=label
            )
        left.set_xscale("log")
        left.set_yticks(range(len(places)), [name for _, name in places], fontsize=6)
        left.set(title=title, xlabel="seconds")
        middle = math.sqrt(min(each[1] for each in software) * max(each[1] for each in software))

        def name_here(name: str, seconds: float, joules: float) -> None:
            # On the side where there is room.
            shift = (4, -9) if seconds < middle else (-5, 4)
            name_point(right, name, (seconds, joules), shift)

        for name, least, most, joules in software:
            if joules is None:
                continue
            ends = [joules, joules * most / least]
            right.plot([least, most], ends, "-", color="tab:blue")
            right.plot(least, joules, "o", color="tab:blue", markersize=4)
            name_here(name, least, joules)
        for name, seconds, spent in papers:
            if spent is not None:
                right.plot(seconds, spent, "D", color="tab:gray", markersize=4, mfc="white")
                name_here(name, seconds, spent)
        right.plot([], [], "o", color="tab:blue", label="datasheet's active power x time")
        right.set_xscale("log")
        right.set_yscale("log")
        right.margins(0.2)
        right.set(title="Energy of an operation", xlabel="seconds", ylabel="joules")
