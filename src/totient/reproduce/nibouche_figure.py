"""The eight structures as a picture: time against area, and the clock against the width."""

from collections.abc import Mapping
from pathlib import Path

from totient.reproduce.figure import (
    left_out,
    line,
    logarithmic_ticks,
    name_point,
    two_plots,
    widths_axis,
)
from totient.reproduce.model import Table
from totient.reproduce.nibouche import ROWS, WIDTHS, without_broadcast


def draw(tables: Mapping[str, Table], path: Path) -> None:
    """Draw the figure.

    Args:
        tables: of the reproduction, by name.
        path: where to; see `two_plots` for formats and errors.
    """
    with two_plots(path) as (left, right):
        columns = list(zip(*tables["cost"].rows, strict=True))
        for area, time, colour, marker, label in (
            (1, 6, "tab:red", "s", "ours: LUT of an ECP5-85F"),
            (10, 9, "tab:blue", "o", "paper: slices of an XC2V8000"),
        ):
            known = [
                (row, x, 1e3 * y)
                for row, x, y in zip(columns[0], columns[area], columns[time], strict=True)
                if isinstance(y, float)
            ]
            x, y = ([point[axis] for point in known] for axis in (1, 2))
            left.plot(x, y, marker, color=colour, label=label)
            for row, *at in known:
                name_point(left, row, (at[0], at[1]), (4, 4), size=7)
        hidden = sum(isinstance(value, str) for value in columns[6])
        title = left_out("A full-length exponentiation at 1024 bits", hidden)
        left.set(title=title, xlabel="area", ylabel="ms")
        left.set_xscale("log")
        left.set_yscale("log")
        left.margins(0.1)  # room for the names of the outermost points
        logarithmic_ticks(left.xaxis, (5_000, 10_000, 20_000, 50_000))
        logarithmic_ticks(left.yaxis, (5, 7, 10, 15, 20))
        local = without_broadcast()
        for number, row in enumerate(ROWS):
            style = "s-" if row in local else "o:"
            clocks = tables["clock"].rows[number][1 : 1 + len(WIDTHS)]
            line(right, WIDTHS, clocks, style, f"C{number}", row)
        rows = tables["clock"].rows
        hidden = sum(isinstance(mhz, str) for row in rows for mhz in row[1 : 1 + len(WIDTHS)])
        title = left_out("Maximum clock; solid: no broadcast lines", hidden)
        right.set(title=title, ylabel="MHz")
        right.set_ylim(bottom=0)
        widths_axis(right, list(WIDTHS))
