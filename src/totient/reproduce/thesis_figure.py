"""The thesis' comparison as a picture: cycles and LUTs against the length of the modulus."""

from collections.abc import Mapping
from pathlib import Path

from totient.reproduce.figure import line, two_plots, widths_axis
from totient.reproduce.model import Table

_COLOURS = {"T1": "tab:green", "T2": "tab:blue", "T3": "tab:red"}


def draw(tables: Mapping[str, Table], path: Path) -> None:
    """Draw the figure.

    Args:
        tables: of the reproduction, by name.
        path: where to; see `two_plots` for formats and errors.
    """
    widths = [int(column.heading) for column in tables["lut"].columns[2:]]
    with two_plots(path) as (left, right):
        for row in ("T2", "T3"):
            columns = list(zip(*tables[f"latency-{row}"].rows, strict=True))
            for index, style, name in (
                (1, "o--", f"{row} thesis (short exponent)"),
                (4, "o-", f"{row} ours, 65537"),
                (7, "s-", f"{row} ours, full length"),
            ):
                line(left, columns[0], columns[index], style, _COLOURS[row], name)
        left.set(title="Cycles of an exponentiation", ylabel="clock cycles")
        for variant, whose, *counts in tables["lut"].rows:
            row = str(variant)[:2]
            style = "o--" if whose == "thesis" else "s-" if variant == row else "^:"
            dsp = ", with DSP blocks" if (variant, whose) == ("T3", "ours") else ""
            label = f"{variant}, {whose}{dsp}"
            line(right, widths, counts, style, _COLOURS[row], label)
        right.set(title="LUTs on Artix-7", ylabel="LUT")
        for axes in (left, right):
            widths_axis(axes, widths)
            axes.set_yscale("log")
