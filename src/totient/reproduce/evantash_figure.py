"""The stream IPs as a picture: times of the text, and area."""

from collections.abc import Mapping
from pathlib import Path

from totient.reproduce.figure import two_plots
from totient.reproduce.model import Table


def draw(tables: Mapping[str, Table], path: Path) -> None:
    """Draw the figure.

    Args:
        tables: of the reproduction, by name.
        path: where to; see `two_plots` for formats and errors.
    """
    with two_plots(path) as (left, right):
        rows = tables["times"].rows
        for column, colour, label, shift in (
            (1, "tab:blue", "paper, Python and DMA included", -0.2),
            (3, "tab:red", "ours, the IP at 100 MHz", 0.2),
        ):
            times = [(p + shift, row[column]) for p, row in enumerate(rows) if row[column]]
            left.barh([p for p, _ in times], [t for _, t in times], 0.4, color=colour, label=label)
        left.set_yticks(range(len(rows)), [str(row[0]).strip() for row in rows], fontsize=7)
        left.invert_yaxis()
        left.set_xscale("log")
        left.set(title="Encryption of thirteen words", xlabel="seconds")
        area = tables["area"].rows
        for shift, column, colour, label in (
            (-0.2, 1, "tab:green", "LUT"),
            (0.2, 2, "tab:purple", "FF"),
        ):
            places = [p + shift for p in range(len(area))]
            right.barh(places, [row[column] for row in area], 0.4, color=colour, label=label)
        right.set_yticks(range(len(area)), [row[0] for row in area], fontsize=6)
        right.invert_yaxis()
        right.set(title="Area on the 7-series", xlabel="cells")
