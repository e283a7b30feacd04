"""Points that were chosen at random and measured after the models were fixed.

`python -m totient.explore.sampling COUNT SEED --check` measures them. Each is kept with what the
models predicted: they show whether nine of ten measurements are inside the intervals.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from totient.explore.errors import NAMES
from totient.explore.interval import COVERAGE
from totient.explore.models import FIGURES, Models, figures_of
from totient.explore.points import read_rows, write_rows
from totient.flow import find_target
from totient.measure.record import Record
from totient.report.table import Column, Table, columns
from totient.report.values import text

Bounds = tuple[float, float, float]
"""Lower bound, prediction, higher bound."""


@dataclass(frozen=True)
class Checked:
    """A measured point beside the predictions.

    Attributes:
        record: the point.
        predicted: by figure.
        models: digest of the points that the models knew.
    """

    record: Record
    predicted: dict[str, Bounds]
    models: str

    @classmethod
    def of(cls, record: Record, models: Models) -> "Checked":
        """A point with what models predict for it."""
        at = {name: np.array([value]) for name, value in record.parameters.items()}
        own = models.of(find_target(record.target).family, record.design)
        predicted: dict[str, Bounds] = {}
        for figure in FIGURES:
            if figure in own:
                low, middle, high = (float(each[0]) for each in own[figure].predict(at))
                predicted[figure] = low, middle, high
        return cls(record, predicted, models.points)

    def held(self, figure: str) -> bool:
        """Whether the measured figure is inside its interval."""
        low, _, high = self.predicted[figure]
        return low <= figures_of(self.record)[figure] <= high

    def error(self, figure: str) -> float:
        """Relative error of the prediction."""
        return abs(self.predicted[figure][1] / figures_of(self.record)[figure] - 1)

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "predicted": {
                name: [float(f"{each:.5g}") for each in bounds]
                for name, bounds in self.predicted.items()
            },
            "models": self.models,
            "record": self.record.to_json(),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Checked":
        """Parse the JSON of `to_json`."""
        predicted: dict[str, Bounds] = {}
        for name, (low, middle, high) in data["predicted"].items():
            predicted[name] = low, middle, high
        return cls(Record.from_text(json.dumps(data["record"])), predicted, data["models"])


def checked_points() -> list[Checked]:
    """The committed ones. Errors as for `read_rows`."""
    return read_rows("checked.json", Checked.from_json)


def keep_checked(points: Iterable[Checked]) -> Path:
    """Write the committed ones, each once.

    Raises:
        ToolError: the file cannot be written.
    """
    found = {each.record.subject.label: each for each in points}
    return write_rows("checked.json", (found[name].to_json() for name in sorted(found)))


@dataclass(frozen=True)
class Held:
    """What the checked points say of a figure of a design; of all designs."""

    design: str
    figure: str
    points: int
    inside: int
    median: float
    worst: float


def held(points: Sequence[Checked]) -> list[Held]:
    """Of each design and figure, and of all designs together."""
    names = sorted({each.record.design for each in points})
    found = []
    for name in (*names, "all"):
        own = [each for each in points if name in ("all", each.record.design)]
        for figure in FIGURES:
            known = [
                each
                for each in own
                if figure in each.predicted and figure in figures_of(each.record)
            ]
            if known:
                errors = [each.error(figure) for each in known]
                inside = sum(each.held(figure) for each in known)
                found.append(
                    Held(name, NAMES[figure], len(known), inside, median(errors), max(errors))
                )
    return found


def table() -> Table:
    """How many of the checked points are inside their intervals."""
    return Table.of(
        "Predictions beside points chosen at random and measured afterwards",
        (
            Column("design", of="design"),
            Column("figure", text, "figure"),
            *columns(text, ("points", "points"), ("inside", "inside")),
            Column("share", lambda value: f"{value:.0%}", lambda each: each.inside / each.points),
            Column("median error", _percent, "median"),
            Column("worst", _percent, "worst"),
        ),
        held(checked_points()),
        f"inside: the measured figure is within the interval, which promises {COVERAGE:.0%}",
        "on ecp5-85f, with one seed of place and route, up to about 11,000 LUTs",
    )


def _percent(value: Any) -> str:
    return f"{100 * value:.1f} %"
