"""How far off the models are: errors at whole groups of points left out of the fit."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from totient.explore.interval import COVERAGE
from totient.explore.models import FIGURES, Models
from totient.report.table import Column, Table, columns
from totient.report.values import Value, significant, text

NAMES = {"lut": "LUT", "ff": "FF", "ns": "clock period"}
"""Of figures."""


@dataclass(frozen=True)
class Errors:
    """Errors of one model: relative ones of the points left out."""

    family: str
    design: str
    figure: str
    points: int
    width: Sequence[float]
    structure: Sequence[float]
    factor: float


def errors(models: Models) -> Iterator[Errors]:
    """Errors of all models."""
    for family, designs in models.models.items():
        for design, figures in designs.items():
            for figure in FIGURES:
                if figure in figures:
                    model = figures[figure]
                    sure = np.exp(model.quantile * model.regression.noise)
                    yield Errors(
                        *(family, design, NAMES[figure]),
                        len(model.regression.known),
                        *(model.errors["width"], model.errors["structure"]),
                        float(sure),
                    )


def table(models: Models) -> Table:
    """The errors of all models."""
    return Table.of(
        "Errors of the predictions, with a whole group of points left out of the fit",
        (
            Column("device family", of="family"),
            Column("design", text, "design"),
            Column("figure", text, "figure"),
            *columns(text, ("points", "points")),
            *(
                column
                for group, name in (("width", "a width"), ("structure", "a structure"))
                for column in (
                    Column(f"{name}: median", _percents, _middle(group)),
                    Column("worst", _percents, _worst(group)),
                )
            ),
            Column("least interval", significant, "factor"),
        ),
        list(errors(models)),
        "a width: all points of a width are left out, and predicted from the others. A structure: "
        "all points with the same other parameters. Errors of the clock: at the median of a "
        "point's routes",
        "least interval: factor around a prediction near measured points. It grows away from "
        f"them, and is such that {COVERAGE:.0%} of the points left out are inside",
        "points: measured configurations behind the model. Multipliers and block RAMs are exact",
    )


def _middle(group: str) -> Callable[[Errors], float]:
    return lambda each: float(np.median(getattr(each, group)))


def _worst(group: str) -> Callable[[Errors], float]:
    return lambda each: max(getattr(each, group))


def _percents(value: Value) -> str:
    return f"{100 * value:.1f} %" if isinstance(value, int | float) else text(value)
