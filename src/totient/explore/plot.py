"""An answer as a picture: time against area, with intervals, and the limits."""

from pathlib import Path
from typing import Any

from totient.explore.answer import Answer, Choice
from totient.explore.report import question_words
from totient.report.figure import plots

_COLOURS = {
    "engine": "tab:blue",
    "digit_serial": "tab:orange",
    "montgomery": "tab:green",
    "binary": "tab:red",
    "repeated": "tab:purple",
}


def draw(answer: Answer, path: Path) -> None:
    """Draw the designs of an answer: full marks are measured, open ones predicted.

    Raises:
        InputError: the file's ending is of no known format, or it cannot be written.
    """
    with plots(path, 1, (8, 5)) as (axes,):
        for name, colour in _COLOURS.items():
            for known in (True, False):
                own = [
                    each
                    for each in answer.choices
                    if each.configuration.name == name and (each.known != "predicted") == known
                ]
                if own:
                    _series(axes, own, name, colour, known)
        limits = answer.question.limits
        style = {"color": "black", "linestyle": ":", "linewidth": 1}
        if limits.seconds is not None:
            axes.axhline(limits.seconds * 1e3, **style)
        if limits.lut is not None:
            axes.axvline(limits.lut, **style)
        axes.set(
            xscale="log",
            yscale="log",
            xlabel="LUT",
            ylabel="time of the operation, ms",
            title=f"{question_words(answer.question)}: {len(answer.choices)} designs than which "
            "no other is better"
            if answer.met
            else f"{question_words(answer.question)}: the nearest misses",
        )
        axes.grid(which="major", alpha=0.3)
        axes.legend(fontsize=8)


def _series(axes: Any, own: list[Choice], name: str, colour: str, known: bool) -> None:
    """Draw the designs of one kind with their intervals."""
    x, y = ([getattr(each, field)[1] for each in own] for field in ("lut", "seconds"))
    spread = [
        [
            [abs(getattr(each, field)[side] - getattr(each, field)[1]) * scale for each in own]
            for side in (0, 2)
        ]
        for field, scale in (("lut", 1), ("seconds", 1e3))
    ]
    axes.errorbar(
        x,
        [1e3 * each for each in y],
        xerr=spread[0],
        yerr=spread[1],
        fmt="o",
        color=colour,
        markersize=4,
        elinewidth=0.7,
        markerfacecolor=colour if known else "white",
        label=f"{name}, {'measured' if known else 'predicted'}",
    )
