"""A Montgomery product from C to hardware as a picture: instructions, and cycles on a soft CPU."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from totient.reproduce.figure import points, two_plots
from totient.reproduce.model import Table, Value


def _name(row: Sequence[Value]) -> str:
    return f"report: {row[1]}" if "report" in str(row[2]) else str(row[1])


def draw(tables: Mapping[str, Table], path: Path) -> None:
    """Draw the figure.

    Args:
        tables: of the reproduction, by name.
        path: where to; see `two_plots` for formats and errors.
    """
    with two_plots(path) as (left, right):
        rows = [row for row in tables["products"].rows if row[6] is not None]
        names = list(dict.fromkeys(_name(row) for row in rows))
        counts = {(_name(row), "Cortex" in str(row[2])): row[6] for row in rows}
        points(
            left,
            names,
            (
                ("tab:blue", "ARM, A32", [counts.get((name, False)) for name in names]),
                ("tab:red", "Cortex-M3", [counts.get((name, True)) for name in names]),
            ),
        )
        left.set(
            title="Executed instructions of a product", xlabel="instructions, modulus of 64 bits"
        )
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
