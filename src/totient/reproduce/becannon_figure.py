"""The RSA IP with key generation as a picture: cycles of its steps, and area."""

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
        rows = tables["cycles"].rows
        places = range(len(rows))
        for shift, column, colour, label in (
            (-0.2, 3, "tab:blue", "paper"),
            (0.2, 4, "tab:red", "ours"),
        ):
            left.bar(
                [p + shift for p in places],
                [r[column] for r in rows],
                0.4,
                color=colour,
                label=label,
            )
        left.set_xticks(places, [f"{r[1]}\n{r[0]}" for r in rows], fontsize=6)
        left.set_yscale("log")
        left.set(title="Clock cycles of the steps", ylabel="clock cycles")
        area = tables["area"].rows
        for shift, column, colour, label in (
            (-0.2, 2, "tab:green", "LUT"),
            (0.2, 3, "tab:purple", "FF"),
        ):
            right.bar(
                [p + shift for p in range(len(area))],
                [r[column] for r in area],
                0.4,
                color=colour,
                label=label,
            )
        right.set_xticks(range(len(area)), [f"{r[0]}\n{r[1]}" for r in area], fontsize=5)
        right.set(title="Area", ylabel="cells")
