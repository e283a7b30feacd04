"""What the papers' pictures have in common: two plots, formats, the same bytes each time."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from totient.common.errors import InputError
from totient.reproduce.model import Value

FORMATS = (".svg", ".png", ".pdf")


def check_format(path: Path) -> None:
    """Raise `InputError` for a file name whose ending is not in `FORMATS`."""
    if path.suffix not in FORMATS:
        raise InputError(f"the figure is {str(path)!r}, allowed endings are {', '.join(FORMATS)}")


@contextmanager
def two_plots(path: Path) -> Iterator[tuple[Any, Any]]:
    """Two plots side by side, which are written when the block ends.

    Args:
        path: where to; its ending chooses the format.

    Raises:
        InputError: an ending that is not in `FORMATS`, or the file cannot be written.
    """
    check_format(path)
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "totient"
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    yield left, right
    for axes in (left, right):
        axes.grid(which="major", alpha=0.3)
        axes.legend(fontsize=7)
    # No date in the file: the same figures give the same bytes.
    metadata = {"Date": None} if path.suffix == ".svg" else None
    try:
        figure.savefig(path, dpi=150, metadata=metadata)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error
    plt.close(figure)


def widths_axis(axes: Any, widths: list[int]) -> None:
    """Make the horizontal axis one of moduli's lengths."""
    axes.set_xscale("log", base=2)
    axes.set_xticks(widths, [str(width) for width in widths])
    axes.set_xlabel("modulus, bits")


def line(axes: Any, x: Any, y: Any, style: str, colour: str, label: str) -> None:
    """Draw a line; a dashed one, of a paper's figures, has open marks."""
    face = "white" if "--" in style else None
    axes.plot(x, y, style, color=colour, label=label, markersize=4, markerfacecolor=face)


def bars(
    axes: Any, labels: Sequence[str], series: Sequence[tuple[str, str, Sequence[Value]]]
) -> None:
    """Draw bars from left to right, for each label one of each series.

    Args:
        axes: where.
        labels: from top to bottom.
        series: colour, name and values of each; there is no bar for `None`.
    """
    height = 0.8 / len(series)
    for number, (colour, name, values) in enumerate(series):
        shift = (number - (len(series) - 1) / 2) * height
        drawn = [(place + shift, value) for place, value in enumerate(values) if value is not None]
        places, lengths = zip(*drawn, strict=True)
        axes.barh(places, lengths, height, color=colour, label=name)
    axes.set_yticks(range(len(labels)), labels, fontsize=7)
    axes.invert_yaxis()
