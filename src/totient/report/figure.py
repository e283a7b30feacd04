"""Parts of all figures: plots side by side, formats, identical bytes from identical data."""

import io
import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import fill
from typing import Any

from totient.common.cache import write_file
from totient.common.errors import InputError
from totient.report.labels import place_names
from totient.report.table import Table
from totient.report.values import Value

FORMATS = (".svg", ".png", ".pdf")

_LABEL = 30  # characters per line of a row's name


def check_format(path: Path) -> None:
    """Raise `InputError` for a file name whose ending is not in `FORMATS`."""
    if path.suffix not in FORMATS:
        raise InputError(f"the figure is {str(path)!r}, allowed endings are {', '.join(FORMATS)}")


@contextmanager
def side_by_side(path: Path, count: int = 2) -> Iterator[list[Any]]:
    """Plots with a grid and a legend each, side by side, written when the block ends.

    Args:
        path: destination; its suffix selects the format.
        count: number of plots.

    Raises:
        InputError: an ending that is not in `FORMATS`, or the file cannot be written.
    """
    with plots(path, count, (5 * count, 4.2)) as every:
        yield every
        for axes in every:
            axes.grid(which="major", alpha=0.3)
            if axes.get_legend() is None:
                axes.legend(fontsize=7)


@contextmanager
def plots(path: Path, count: int, size: tuple[float, float]) -> Iterator[list[Any]]:
    """Plots side by side, written when the block ends.

    Args:
        path: destination; its suffix selects the format.
        count: number of plots.
        size: of the whole figure, width and height in inches.

    Raises:
        InputError: an ending that is not in `FORMATS`, or the file cannot be written.
    """
    check_format(path)
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "totient"
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, count, figsize=size, layout="constrained", squeeze=False)
    yield list(axes[0])
    # No date in the file: the same data give the same bytes.
    metadata = {"Date": None} if path.suffix == ".svg" else None
    drawn = io.BytesIO()
    with warnings.catch_warnings():
        # matplotlib warns when a busy machine takes long to place a legend.
        warnings.filterwarnings("ignore", "Creating legend with loc=")
        place_names(figure)
        figure.savefig(drawn, format=path.suffix[1:], dpi=150, metadata=metadata)
    plt.close(figure)
    try:
        write_file(path.resolve(), drawn.getvalue())
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error


def widths_axis(axes: Any, widths: list[int]) -> None:
    """Make the horizontal axis one of modulus lengths."""
    if not math.isfinite(axes.dataLim.x0):  # nothing is drawn; a logarithm requires a range
        axes.set_xlim(widths[0], widths[-1])
    axes.set_xscale("log", base=2)
    axes.set_xticks(widths, [str(width) for width in widths])
    axes.set_xlabel("modulus, bits")


def logarithmic_ticks(axis: Any, values: Sequence[int]) -> None:
    """Label only these values of a logarithmic axis, within its range."""
    low, high = axis.get_view_interval()
    shown = [value for value in values if low <= value <= high]
    axis.set_ticks(shown, [f"{value:,}" for value in shown])
    axis.set_minor_formatter("")


def line(axes: Any, x: Any, y: Any, style: str, colour: str, label: str, marks: float = 4) -> None:
    """Draw a line with marks of a size. A dashed one, of a paper's figures, has open marks.

    A word has no mark.
    """
    face = "white" if "--" in style else None
    known = [math.nan if isinstance(value, str) else value for value in y]
    axes.plot(x, known, style, color=colour, label=label, markersize=marks, markerfacecolor=face)


Series = tuple[str, str, Sequence[Value]]
"""Colour, name and values."""


def bars(
    axes: Any, labels: Sequence[str], series: Sequence[Series], ends: Sequence[str] = ()
) -> None:
    """Draw horizontal bars from 0, for each label one of each series.

    Args:
        axes: to draw on.
        labels: from top to bottom.
        series: bars; `None` draws no bar.
        ends: texts at the ends of each label's bars.
    """
    height = 0.8 / len(series)
    for number, (colour, name, values) in enumerate(series):
        shift = (number - (len(series) - 1) / 2) * height
        drawn = [(place + shift, value) for place, value in enumerate(values) if value is not None]
        places, lengths = zip(*drawn, strict=True)
        axes.barh(places, lengths, height, color=colour, label=name)
    if ends:
        axes.margins(x=0.18)  # room for the texts
    axes.set_xlim(left=0)
    for place, text in enumerate(ends):
        end = max(value for *_, values in series if (value := values[place]) is not None)
        style = {"textcoords": "offset points", "va": "center", "fontsize": 7}
        axes.annotate(text, (end, place), (4, 0), **style)
    _rows(axes, labels, len(series))


def left_out(title: str, points: int) -> str:
    """A title with the number of points not drawn because their netlists have not been run."""
    return f"{title}\n{points} not drawn: netlists not run" if points else title


# Where two series agree, one is visible inside the other.
_POINTS: Sequence[Mapping[str, Any]] = (
    {"marker": "o", "markersize": 9, "markerfacecolor": "none"},
    {"marker": "s", "markersize": 4},
)


def points(axes: Any, labels: Sequence[str], series: Sequence[Series]) -> None:
    """Draw points on a logarithmic axis, where the length of a bar has no meaning.

    Args:
        axes: to draw on.
        labels: from top to bottom.
        series: points; `None` draws no point.
    """
    for number, (colour, name, values) in enumerate(series):
        drawn = [(value, place) for place, value in enumerate(values) if value is not None]
        style = _POINTS[number]
        axes.plot(*zip(*drawn, strict=True), linestyle="", color=colour, label=name, **style)
    axes.set_xscale("log")
    axes.margins(y=0.1)
    _rows(axes, labels, len(series))


def _rows(axes: Any, labels: Sequence[str], series: int) -> None:
    """Name the rows, the first one on top, and the series, below the plot."""
    # A number stays with its unit.
    whole = [label.replace(" ns", "\N{NO-BREAK SPACE}ns") for label in labels]
    texts = [label if "\n" in label else fill(label, _LABEL) for label in whole]
    axes.set_yticks(range(len(labels)), texts, fontsize=7)
    axes.invert_yaxis()
    axes.legend(fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=series)


def area_bars(axes: Any, labels: Sequence[str], area: Table) -> None:
    """Draw areas. DSP counts stand at the bars' ends: LUTs alone would hide multipliers.

    Args:
        axes: where.
        labels: of the table's rows.
        area: with columns LUT, FF and DSP.
    """
    series = ("tab:green", "LUT", area.column("LUT")), ("tab:purple", "FF", area.column("FF"))
    bars(axes, labels, series, [f"{count} DSP" for count in area.column("DSP")])
    axes.set(title="Area; at the end of the bars: DSP blocks", xlabel="cells")
