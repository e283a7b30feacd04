"""The RSA IP with key generation as a picture: cycles of its steps, and area."""

from collections.abc import Mapping
from pathlib import Path

from totient.reproduce.figure import area_bars, bars, two_plots
from totient.reproduce.model import Table


def draw(tables: Mapping[str, Table], path: Path) -> None:
    """Draw the figure.

    Args:
        tables: of the reproduction, by name.
        path: where to; see `two_plots` for formats and errors.
    """
    with two_plots(path) as (left, right):
        rows = tables["cycles"].rows
        bars(
            left,
            [f"{row[1]}\n{row[0]}" for row in rows],
            (
                ("tab:blue", "paper", [row[3] for row in rows]),
                ("tab:red", "ours", [row[4] for row in rows]),
            ),
        )
        left.set(title="Clock cycles of the steps", xlabel="clock cycles")
        rows = tables["area"].rows
        area_bars(
            right,
            [f"{row[0]}\n{row[1]}" for row in rows],
            lut=[row[2] for row in rows],
            ff=[row[3] for row in rows],
            dsp=[row[5] for row in rows],
        )
