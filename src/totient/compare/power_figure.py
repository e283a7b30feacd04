"""The figure of power and energy: the thesis' Figures 13 and 14, with ours."""

from pathlib import Path

from totient.common.papers import published
from totient.report import Report
from totient.report.figure import line, side_by_side, widths_axis

_COLOURS = {"T1": "tab:green", "T2": "tab:blue", "T3": "tab:red"}


def draw(done: Report, path: Path) -> None:
    """Draw total power and total energy against the size, at the thesis' clock.

    Args:
        done: from `totient.compare.power.compare`.
        path: of the figure; see `side_by_side` for formats and errors.
    """
    table, static = done.tables["thesis"], published("thesis")["power"]["static"]
    places = {column.heading: place for place, column in enumerate(table.columns)}
    with side_by_side(path) as (left, right):
        for row, colour in _COLOURS.items():
            rows = [each for each in table.rows if each[0] == row]
            sizes = [int(str(each[places["bits"]])) for each in rows]
            for heading, style, name in (
                ("dynamic, Vivado", "o--", f"{row}, thesis"),
                ("ours, its LUTs", "s-", f"{row}, ours with its LUTs"),
            ):
                watts = [1e3 * (float(str(each[places[heading]])) + static) for each in rows]
                line(left, sizes, watts, style, colour, name)
            for heading, style, name in (
                ("energy, thesis", "o--", f"{row}, thesis"),
                ("energy, ours", "s-", f"{row}, ours, 65537"),
            ):
                # T1 has no energy in the thesis, and ours is beyond the others' scale.
                if row != "T1":
                    joules = [1e6 * float(str(each[places[heading]])) for each in rows]
                    line(right, sizes, joules, style, colour, name)
            widths_axis(left, sizes)
            widths_axis(right, sizes)
        left.set(title="Total power at 10 MHz (estimates)", ylabel="mW", yscale="log")
        right.set(title="Energy of an operation (estimates)", ylabel="µJ", yscale="log")
