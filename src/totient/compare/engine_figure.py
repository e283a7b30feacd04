"""Figure of the engine and other cores: time against area, and cycles against length."""

from pathlib import Path
from typing import Any

from totient.measure import clock_limit
from totient.measure.engine import LENGTHS
from totient.report import Report, Table
from totient.report.figure import (
    left_out,
    line,
    logarithmic_ticks,
    side_by_side,
    widths_axis,
)
from totient.report.labels import name_point

_SHOWN = ("engine-1", "engine-8", "engine-64")
_LABELS = {"ours": "ours", "measured": "others, measured", "changed": "others, changed"}
_COLOURS = {"ours": "tab:red", "measured": "tab:blue", "changed": "tab:cyan"}


def draw(done: Report, path: Path) -> None:
    """Draw the figure.

    Args:
        done: the comparison.
        path: destination; see `side_by_side` for formats and errors.
    """
    with side_by_side(path) as (left, right):
        _times(left, done.tables["private"])
        _cycles(right, done.tables["growth"])


def _times(left: Any, private: Table) -> None:
    """Time against area."""
    limit = f"at most {clock_limit():g} MHz"
    places = {column.heading: place for place, column in enumerate(private.columns)}
    drawn = [
        (str(row[0]), str(row[1]), float(lut), 1e3 * float(seconds))
        for row in private.rows
        if (lut := row[places["LUT"]])
        and isinstance(seconds := row[places[f"time, {limit}"]], float)
    ]
    hidden = [row for row in private.rows if isinstance(row[places[f"time, {limit}"]], str)]
    labelled: set[str] = set()
    for name, whose, lut, ms in drawn:
        mark, label = (
            "s" if whose == "ours" else "o",
            None if whose in labelled else _LABELS[whose],
        )
        left.plot(lut, ms, mark, color=_COLOURS[whose], label=label)
        labelled.add(whose)
        name_point(left, name, (lut, ms))
    for number, row in enumerate(each for each in private.rows if "OpenSSL" in str(each[0])):
        seconds = row[places[f"time, {limit}"]]
        assert isinstance(seconds, float)
        left.axhline(
            1e3 * seconds,
            color="tab:gray",
            linestyle=":",
            label=None if number else str(row[0]),
        )
    left.set(
        title=left_out(private.title, len(hidden)),
        xlabel="LUT of an ECP5-85F",
        ylabel=f"ms at the maximum clock, {limit}",
    )
    left.set_xscale("log")
    left.set_yscale("log")
    left.margins(0.15)  # room for the names of the outermost points
    logarithmic_ticks(left.xaxis, (1_000, 2_000, 5_000, 10_000, 20_000, 50_000))


def _cycles(right: Any, growth: Table) -> None:
    """Cycles against length."""
    curves = [
        row
        for row in growth.rows
        if (row[0] in _SHOWN and row[1] == "private")
        or (row[1] != "public" and not str(row[0]).startswith("engine-"))
    ]
    for number, row in enumerate(curves):
        points = [(bits, each) for bits, each in zip(LENGTHS, row[2:], strict=False) if each]
        ours = str(row[0]).startswith("engine-")
        style = "s-" if ours else "o--"
        words = "CRT" if row[1] == "private" else "no CRT"
        x, y = zip(*points, strict=True)
        line(right, x, y, style, f"C{number}", f"{row[0]}, {words}")
    right.set(title="Cycles of a private operation", ylabel="clock cycles")
    right.set_yscale("log")
    widths_axis(right, list(LENGTHS))
