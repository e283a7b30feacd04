"""Figure of the engine and other cores: time against area, and cycles against length."""

from pathlib import Path
from typing import Any

from totient.measure import clock_limit
from totient.measure.engine import LENGTHS
from totient.report import Report, Table
from totient.report.figure import left_out, line, logarithmic_ticks, side_by_side, widths_axis
from totient.report.labels import name_point

_SHOWN = ("engine-1", "engine-8", "engine-62")
_STYLES = {
    "ours": ("s", "tab:red", "ours"),
    "measured": ("o", "tab:blue", "others, measured"),
    "changed": ("o", "tab:cyan", "others, changed"),
}
"""Mark, colour and label, by whose the figures are."""


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
    drawn = (private.column(each) for each in ("what", "figures", "LUT", f"time, {limit}"))
    rows = list(zip(*drawn, strict=True))
    labels = {whose: label for whose, (_, _, label) in _STYLES.items()}  # once each
    for name, whose, lut, seconds in rows:
        if lut and isinstance(seconds, float):
            mark, colour, _ = _STYLES[str(whose)]
            at = float(lut), 1e3 * seconds
            left.plot(*at, mark, color=colour, label=labels.pop(str(whose), None))
            name_point(left, name, at)
    software = [row for row in rows if "OpenSSL" in str(row[0])]
    for number, (name, _, _, seconds) in enumerate(software):
        assert isinstance(seconds, float)
        style = {"color": "tab:gray", "linestyle": ":"}
        left.axhline(1e3 * seconds, label=None if number else str(name), **style)
    hidden = [row for row in rows if isinstance(row[-1], str)]
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
    right.set_ylim(bottom=1_000)  # room for the legend below the curves
    widths_axis(right, list(LENGTHS))
