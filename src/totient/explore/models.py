"""The fitted models: LUTs, flip-flops and the clock's period of each design on a device family.

They are kept in `results/exploration/models.json`, which `python -m totient.explore.fitting`
writes. A prediction is an interval that holds nine figures of ten: its half width is the standard
deviation times a quantile, which the held-out groups set.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from totient.catalog import Configuration
from totient.common.cache import readable_errors
from totient.common.errors import InputError
from totient.explore.energy import EnergyModel
from totient.explore.interval import Floats, Interval
from totient.explore.points import exploration_folder
from totient.explore.regression import Points, Regression
from totient.explore.shapes import SHAPES
from totient.flow import find_target
from totient.measure.kept import read_kept
from totient.measure.record import Record

FIGURES = ("lut", "ff", "ns")
"""LUTs, flip-flops, and the period of the clock in nanoseconds."""


@dataclass(frozen=True)
class Model:
    """One figure of a design on a device family.

    Attributes:
        regression: the fit.
        quantile: half width of an interval, in standard deviations.
        errors: by what was left out (`width`, `structure`): relative errors of the points left out.
    """

    regression: Regression
    quantile: float
    errors: Mapping[str, Sequence[float]]

    def predict(self, points: Points) -> Interval:
        """The figure at points."""
        found = self.regression.predict(points)
        return Interval.about(found.median, np.exp(self.quantile * found.deviation))

    def with_points(self, points: Points, figures: Floats) -> "Model":
        """The model that also knows further measurements. Its parameters stay."""
        return Model(self.regression.with_points(points, figures), self.quantile, self.errors)

    def to_json(self) -> dict[str, Any]:
        """The model as JSON."""
        errors = {
            name: [float(f"{error:.4g}") for error in each] for name, each in self.errors.items()
        }
        return {
            "quantile": float(f"{self.quantile:.4g}"),
            "errors": errors,
            **self.regression.to_json(),
        }


@dataclass(frozen=True)
class Speed:
    """Clock of a target relative to that of the family's target with the models.

    Attributes:
        factor: of the period.
        deviation: standard deviation of its logarithm between designs.
        points: designs measured on both.
    """

    factor: float
    deviation: float
    points: int


@dataclass(frozen=True)
class Models:
    """All models.

    Attributes:
        models: by device family, design and figure.
        speeds: by target; the one with the models has the factor 1.
        energies: of a cycle, by device family and design.
        points: digest of the points that they were fitted to.
    """

    models: Mapping[str, Mapping[str, Mapping[str, Model]]]
    speeds: Mapping[str, Speed]
    energies: Mapping[str, Mapping[str, EnergyModel]]
    points: str

    def of(self, family: str, design: str) -> Mapping[str, Model]:
        """The models of a design, by figure; empty: none."""
        return self.models.get(family, {}).get(design, {})

    def knowing(self, points: Iterable[Record], family: str) -> "Models":
        """The models that also know further points, on any device of a family with a speed."""
        models = self
        for point in points:
            target = find_target(point.target)
            if target.family != family:
                continue
            figures = figures_of(point)
            speed = self.speeds.get(target.name)
            if "ns" in figures and speed:
                figures["ns"] /= speed.factor
            if not speed:
                figures.pop("ns", None)
            models = models._with(point.design, point.parameters, figures, family)
        return models

    def guessing(self, configuration: Configuration, family: str) -> "Models":
        """The models as if a configuration had been measured, with the predicted figures."""
        at = {name: np.array([value]) for name, value in configuration.parameters.items()}
        own = self.of(family, configuration.name)
        figures = {name: float(model.predict(at).middle[0]) for name, model in own.items()}
        return self._with(configuration.name, configuration.parameters, figures, family)

    def _with(
        self,
        design: str,
        parameters: Mapping[str, int],
        figures: Mapping[str, float],
        family: str,
    ) -> "Models":
        at = {name: np.array([value]) for name, value in parameters.items()}
        own = dict(self.of(family, design))
        for name, value in figures.items():
            if name in own:
                own[name] = own[name].with_points(at, np.array([value]))
        designs = {**self.models.get(family, {}), design: own}
        return replace(self, models={**self.models, family: designs})

    def to_text(self) -> str:
        """The JSON of the file: a line for each model."""
        facts = {
            "points": self.points,
            "speeds": {name: vars(speed) for name, speed in self.speeds.items()},
            "energies": {
                family: {design: model.to_json() for design, model in each.items()}
                for family, each in self.energies.items()
            },
        }
        rows = [
            f"{json.dumps(f'{family}/{design}/{figure}')}: {json.dumps(model.to_json())}"
            for family, designs in self.models.items()
            for design, figures in designs.items()
            for figure, model in figures.items()
        ]
        return json.dumps(facts)[:-1] + ',\n"models": {\n' + ",\n".join(rows) + "\n}}\n"

    @classmethod
    def from_text(cls, text: str) -> "Models":
        """Parse the text of `to_text`.

        Raises:
            InputError: it is damaged.
        """
        try:
            return cls._parsed(json.loads(text))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"damaged models: {error!r}") from error

    @classmethod
    def _parsed(cls, data: Mapping[str, Any]) -> "Models":
        found: dict[str, dict[str, dict[str, Model]]] = {}
        for name, each in data["models"].items():
            family, design, figure = name.split("/")
            regression = Regression.from_json(SHAPES[design][figure], each)
            model = Model(regression, each["quantile"], each["errors"])
            found.setdefault(family, {}).setdefault(design, {})[figure] = model
        return cls(
            found,
            {name: Speed(**speed) for name, speed in data["speeds"].items()},
            {
                family: {design: EnergyModel(**model) for design, model in each.items()}
                for family, each in data["energies"].items()
            },
            data["points"],
        )


def figures_of(point: Record) -> dict[str, float]:
    """The measured figures that models predict; of several routes the median."""
    found = {"lut": float(point.utilisation.lut), "ff": float(point.utilisation.ff)}
    return found | ({"ns": 1000 / point.fmax_mhz} if point.fmax_mhz else {})


def measurements_of(point: Record, figure: str) -> list[float]:
    """Every measurement of a figure: the cells once, the clock once for each route."""
    if figure == "ns":
        return [1000 / mhz for mhz in point.routes.values()]
    return [figures_of(point)[figure]]


def models_file() -> Path:
    """The committed models."""
    return exploration_folder() / "models.json"


@cache
def committed_models() -> Models:
    """The committed models.

    Raises:
        InputError: the file is damaged.
        ToolError: it cannot be read.
    """
    path = models_file()
    with readable_errors(path):
        return read_kept(path, Models.from_text)
