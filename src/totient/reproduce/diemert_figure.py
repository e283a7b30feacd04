"""A Montgomery product from C to hardware as a picture: instructions, and cycles on a soft CPU."""

from collections.abc import Mapping
from pathlib import Path

from totient.reproduce.figure import points, two_plots
from totient.reproduce.model import Table


def draw(tables: Mapping[str, Table], path: Path) -> None:
    """Draw the figure.

    Args:
        tables: of the reproduction, by name.
        path: where to; see `two_plots` for formats and errors.
    """
    with two_plots(path) as (left, right):
        rows = [row for row in tables["products"].rows if row[6] is not None]
        points(
            left,
            [f"{row[1]}\n{str(row[2]).split(',')[0]}" for row in rows],
            (("tab:blue", "executed, modulus of 64 bits", [row[6] for row in rows]),),
        )
        left.set(title="Instructions of a product", xlabel="instructions")
        rows = list(tables["coprocessor"].rows)
        points(
            right,
            [str(row[1]) for row in rows],
            (
                ("tab:blue", "product of 64 bits", [row[4] for row in rows]),
                ("tab:red", "power of 64 bits", [row[6] for row in rows]),
            ),
        )
        right.set(title="On one soft CPU, bus included", xlabel="clock cycles")
