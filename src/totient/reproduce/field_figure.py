"""The engine beside the field as a picture: time against area, and cycles against length."""

import math
from collections.abc import Mapping
from pathlib import Path

from totient.measure.engine import LENGTHS
from totient.reproduce.figure import line, logarithmic_ticks, two_plots, widths_axis
from totient.reproduce.model import Table

_SHOWN = ("engine-1", "engine-8", "engine-64")
_LABELS = {"ours": "ours", "measured": "others, measured", "changed": "others, changed"}
_COLOURS = {"ours": "tab:red", "measured": "tab:blue", "changed": "tab:cyan"}


def draw(tables: Mapping[str, Table], path: Path) -> None:
    """Draw the figure.

    Args:
        tables: of the comparison, by name.
        path: where to; see `two_plots` for formats and errors.
    """
    with two_plots(path) as (left, right):
        private = tables["private"]
        places = {column.heading: place for place, column in enumerate(private.columns)}
        drawn = [
            (row[0], str(row[1]), float(lut), 1e3 * float(seconds))
            for row in private.rows
            if (lut := row[places["LUT"]]) and (seconds := row[places["time"]])
        ]
        middle = math.sqrt(math.prod(pick(each[2] for each in drawn) for pick in (min, max)))
        labelled: set[str] = set()
        for name, whose, lut, ms in drawn:
            mark, label = (
                "s" if whose == "ours" else "o",
                None if whose in labelled else _LABELS[whose],
            )
            left.plot(lut, ms, mark, color=_COLOURS[whose], label=label)
            labelled.add(whose)
            # Names on the side where there is room, on the left below the marks.
            shift, side = ((4, -9), "left") if lut <= middle else ((-4, 4), "right")
            left.annotate(name, (lut, ms), shift, textcoords="offset points", fontsize=6, ha=side)
        for number, row in enumerate(each for each in private.rows if "OpenSSL" in str(each[0])):
            seconds = row[places["time"]]
            assert isinstance(seconds, float)
            left.axhline(
                1e3 * seconds,
                color="tab:gray",
                linestyle=":",
                label=None if number else str(row[0]),
            )
        left.set(title=private.title, xlabel="LUT of an ECP5-85F", ylabel="ms at the maximum clock")
        left.set_xscale("log")
        left.set_yscale("log")
        left.margins(0.15)  # room for the names of the outermost points
        logarithmic_ticks(left.xaxis, (1_000, 2_000, 5_000, 10_000, 20_000, 50_000))
        curves = [
            row
            for row in tables["growth"].rows
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
