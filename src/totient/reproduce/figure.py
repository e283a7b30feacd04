"""The thesis' comparison as a picture: cycles and LUTs against the length of the modulus."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from totient.common.cache import readable_errors
from totient.common.errors import InputError
from totient.reproduce.model import Table

_COLOURS = {"T1": "tab:green", "T2": "tab:blue", "T3": "tab:red"}
FORMATS = (".svg", ".png", ".pdf")


def draw(tables: Mapping[str, Table], path: Path) -> None:
    """Draw the figure.

    Args:
        tables: of the reproduction, by name.
        path: where to; its ending chooses the format.

    Raises:
        InputError: an ending that is not in `FORMATS`.
        ToolError: the file cannot be written.
    """
    if path.suffix not in FORMATS:
        raise InputError(f"the figure is {path.name!r}, allowed endings are {', '.join(FORMATS)}")
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "totient"
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    for row in ("T2", "T3"):
        table = tables[f"latency-{row}"]
        columns = list(zip(*table.rows, strict=True))
        for index, style, name in (
            (1, "o--", f"{row} thesis (short exponent)"),
            (4, "o-", f"{row} ours, 65537"),
            (7, "s-", f"{row} ours, full length"),
        ):
            _line(left, columns[0], columns[index], style, row, name)
    left.set(title="Cycles of an exponentiation", xlabel="modulus, bits", ylabel="clock cycles")
    for values in tables["lut"].rows:
        variant, whose, *counts = values
        row = str(variant)[:2]
        style = "o--" if whose == "thesis" else "s-" if variant == row else "^:"
        widths = [int(column.heading) for column in tables["lut"].columns[2:]]
        _line(right, widths, counts, style, row, f"{variant} {whose}")
    right.set(title="LUTs on Artix-7", xlabel="modulus, bits", ylabel="LUT")
    for axes in (left, right):
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_xticks(widths, [str(width) for width in widths])
        axes.grid(which="major", alpha=0.3)
        axes.legend(fontsize=7)
    with readable_errors(path):
        # No date in the file: the same figures give the same bytes.
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)
    plt.close(figure)


def _line(axes: Any, x: Any, y: Any, style: str, row: str, label: str) -> None:
    dashed = "--" in style
    axes.plot(
        x,
        y,
        style,
        color=_COLOURS[row],
        label=label,
        markersize=4,
        markerfacecolor="white" if dashed else None,
    )
