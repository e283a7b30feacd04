"""The stream IPs as a picture: times of the text, and area."""

from collections.abc import Mapping
from pathlib import Path

from totient.reproduce.figure import area_bars, points, two_plots
from totient.reproduce.model import Table


def draw(tables: Mapping[str, Table], path: Path) -> None:
    """Draw the figure.

    Args:
        tables: of the reproduction, by name.
        path: where to; see `two_plots` for formats and errors.
    """
    with two_plots(path) as (left, right):
        rows = tables["times"].rows
        points(
            left,
            [text[0] for text in tables["times"].texts],
            (
                ("tab:blue", "paper, with Python and DMA", [row[2] for row in rows]),
                ("tab:red", "ours, the IP at 100 MHz", [row[4] for row in rows]),
            ),
        )
        left.set(title="Encryption of a text", xlabel="seconds")
        rows = tables["area"].rows
        area_bars(
            right,
            [str(row[0]) for row in rows],
            lut=[row[1] for row in rows],
            ff=[row[2] for row in rows],
            dsp=[row[3] for row in rows],
        )
