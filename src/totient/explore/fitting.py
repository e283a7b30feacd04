"""Fits the models to all measured points, and writes them: `python -m totient.explore.fitting`.

It needs scikit-learn (`pip install 'totient[explore]'`). For each figure, whole groups are left out
in turn: all points of a width, all points of a structure (the other parameters). The model that is
fitted to the rest predicts them. These errors are kept with the model. The intervals are widened
until they hold nine of ten such points, whichever kind of group was left out.
"""

import random
import sys
from collections.abc import Callable, Hashable, Mapping, Sequence
from statistics import median, pstdev
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from totient.common.progress import bar
from totient.explore.energy_fitting import fit_energies
from totient.explore.interval import COVERAGE, NORMAL, Floats
from totient.explore.models import (
    FIGURES,
    Model,
    Models,
    Speed,
    measurements_of,
    models_file,
)
from totient.explore.points import points_digest, training_points
from totient.explore.regression import Points, Shape, distinct, fit
from totient.explore.shapes import SHAPES
from totient.flow import TARGETS
from totient.measure.kept import write_kept
from totient.measure.record import Record

Mask = NDArray[np.bool_]

BASES: Mapping[str, str] = {"Lattice ECP5": "ecp5-85f", "AMD Artix-7": "artix7-100t"}
"""By device family the target whose points the models are fitted to."""

_FOLDS = 16
"""Fits, at most, with groups left out."""

_LEAST = 6
"""Points of a design below which a figure gets no model."""


class Measured(NamedTuple):
    """Measurements of one figure of a design. A point with several routes is there as often."""

    parameters: Points
    figures: Floats

    def __len__(self) -> int:
        return len(self.figures)

    @property
    def medians(self) -> Floats:
        """For each measurement the median of those of the same point."""
        _, of, counts = distinct(self.parameters)
        medians = [np.median(self.figures[of == number]) for number in range(len(counts))]
        return np.array(medians)[of]

    def where(self, chosen: Mask) -> "Measured":
        """Some of the points."""
        return Measured(
            {name: array[chosen] for name, array in self.parameters.items()}, self.figures[chosen]
        )


NARROWEST = 80
"""Width in bits of the narrowest core behind a model. In narrower ones the parts that do not grow
with the width hide those that do; keys have at least 512 bits."""


def measured(points: Sequence[Record], figure: str) -> Measured:
    """All measurements of a figure. Of one configuration a Record with more seeds comes first.

    Args:
        points: of one design.
        figure: one of `FIGURES`.
    """
    best: dict[Hashable, Record] = {}
    for point in sorted(points, key=lambda each: len(each.routes)):
        if measurements_of(point, figure):
            best[tuple(sorted(point.parameters.items()))] = point
    rows = [(each, value) for each in best.values() for value in measurements_of(each, figure)]
    names = rows[0][0].parameters if rows else ()
    return Measured(
        {name: np.array([row.parameters[name] for row, _ in rows], np.int64) for name in names},
        np.array([value for _, value in rows], np.float64),
    )


def _groups(parameters: Points, of_width: bool) -> list[Mask]:
    """Masks of the points of each width, or of each structure.

    A group with all points of one of two values is no group: nothing else tells what the value
    does. Of more than `_FOLDS` groups several are left out together, whole.
    """
    names = [name for name in parameters if (name == "width") == of_width]
    rows = list(zip(*(parameters[name].tolist() for name in names), strict=True))
    order = sorted(set(rows))
    random.Random(1).shuffle(order)
    folds = [set(order[i::_FOLDS]) for i in range(min(_FOLDS, len(order)))]
    masks = [np.array([row in fold for row in rows]) for fold in folds]
    values = {name: np.unique(array).size for name, array in parameters.items()}
    return [
        mask
        for mask in masks
        if not mask.all()
        and all(
            np.unique(array[~mask]).size == 2
            for name, array in parameters.items()
            if values[name] == 2
        )
    ]


def held_out(shape: Shape, found: Measured, say: Callable[[], None]) -> Model | None:
    """A model with its errors on held-out groups; `None` if there are no such groups of a kind."""
    errors: dict[str, list[float]] = {}
    distances = []
    for name, of_width in (("width", True), ("structure", False)):
        errors[name] = []
        for group in _groups(found.parameters, of_width):
            left, rest = found.where(group), found.where(~group)
            guess = fit(shape, rest.parameters, rest.figures).predict(left.parameters)
            errors[name] += np.abs(guess.median / left.medians - 1).tolist()
            away = np.abs(np.log(guess.median / left.figures)) / guess.deviation
            distances += away.tolist()
        say()
    if not all(errors.values()):
        return None
    whole = fit(shape, found.parameters, found.figures)
    return Model(whole, max(NORMAL, float(np.quantile(distances, COVERAGE))), errors)


def fitted(points: Sequence[Record], say: Callable[[], None] = lambda: None) -> Models:
    """All models.

    Args:
        points: measured.
        say: called twice for each model.
    """
    found: dict[str, dict[str, dict[str, Model]]] = {}
    for family in BASES:
        for design, shapes in SHAPES.items():
            own = behind(points, family, design)
            for figure in FIGURES:
                known = measured(own, figure)
                if len(known) < _LEAST:
                    continue
                model = held_out(shapes[figure], known, say)
                if model is not None:
                    found.setdefault(family, {}).setdefault(design, {})[figure] = model
    speeds = {target: speed for target in TARGETS if (speed := _speed(points, target))}
    return Models(found, speeds, fit_energies(), points_digest(points))


def behind(points: Sequence[Record], family: str, design: str) -> list[Record]:
    """The points behind the models of a design on a device family."""
    return [
        each
        for each in points
        if (each.design, each.target) == (design, BASES[family])
        and each.subject.width >= NARROWEST
        and suited(each)
    ]


def suited(point: Record) -> bool:
    """Whether its parameters are those for its device family."""
    configuration = point.subject
    family = TARGETS[point.target].family
    suiting = getattr(getattr(configuration, "design", None), "suiting", {}).get(family, {})
    return all(point.parameters[name] == value for name, value in suiting.items())


def _speed(points: Sequence[Record], target: str) -> Speed | None:
    """Clock of a target relative to its family's, from the designs measured on both."""
    base = BASES.get(TARGETS[target].family)
    if base == target:
        return Speed(1.0, 0.0, 0)
    periods: dict[str, dict[str, float]] = {}
    for point in points:
        if point.fmax_mhz and point.target in (target, base):
            periods.setdefault(point.subject.label, {})[point.target] = 1000 / point.fmax_mhz
    ratios = [
        np.log(each[target] / each[base])
        for each in periods.values()
        if base is not None and {target, base} <= each.keys()
    ]
    if len(ratios) < 2:
        return None
    return Speed(float(np.exp(median(ratios))), pstdev(ratios), len(ratios))


def main() -> None:
    """Fit the models and write them."""
    points = training_points()
    count = 2 * len(BASES) * len(SHAPES) * len(FIGURES)
    with bar("models of area and clock", count) as steps:
        models = fitted(points, steps.advance)
    print(write_kept(models_file(), models.to_text()).name, file=sys.stderr)


if __name__ == "__main__":
    main()
