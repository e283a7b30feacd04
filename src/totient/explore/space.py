"""The space of a design: every allowed combination of its parameters, as arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from totient.catalog import Configuration, Design
from totient.catalog.model import Rule
from totient.common.formula_arrays import values

Integers = NDArray[np.int64]
"""Of a table from the cache 16 bits; those that are taken from it have 64."""


@dataclass(frozen=True)
class Space:
    """Configurations of one design.

    Attributes:
        design: the design.
        parameters: for each of its parameters an array with the values of all configurations.
    """

    design: Design
    parameters: Mapping[str, Integers]

    def __len__(self) -> int:
        """Number of configurations."""
        return len(next(iter(self.parameters.values())))

    def at(self, place: int) -> Configuration:
        """One configuration."""
        return self.design.configure(
            {name: int(array[place]) for name, array in self.parameters.items()}
        )

    def where(self, chosen: NDArray[np.bool_] | Integers) -> "Space":
        """Some of the configurations, by a mask or by their places."""
        found = {name: array[chosen] for name, array in self.parameters.items()}
        return Space(self.design, {name: each.astype(np.int64) for name, each in found.items()})


def space_of(design: Design, fixed: Mapping[str, Sequence[int]]) -> Space:
    """Every allowed configuration of a design.

    Args:
        design: the design.
        fixed: for some parameters the only values; the others have all that they may have.

    Raises:
        InputError: a fixed value is out of its parameter's range.
    """
    found: dict[str, Integers] = {}
    rules = list(design.rules)
    count = 1
    for parameter in design.parameters:
        allowed: Sequence[int] = parameter.choices or range(parameter.low, parameter.high + 1)
        if parameter.name in fixed:
            allowed = [parameter.check(value) for value in fixed[parameter.name]]
        found = {name: np.repeat(array, len(allowed)) for name, array in found.items()}
        found[parameter.name] = np.tile(np.array(allowed, np.int64), count)
        decided = [rule for rule in rules if rule.broken.names <= found.keys()]
        rules = [rule for rule in rules if rule not in decided]
        found = _obeying(found, decided)
        count = len(found[parameter.name])
    return Space(design, found)


def _obeying(found: Mapping[str, Integers], rules: Sequence[Rule]) -> dict[str, Integers]:
    """The configurations that break no rule."""
    kept = dict(found)
    for rule in rules:
        used = {name: kept[name] for name in rule.broken.names}
        obeys = values(rule.broken, used) == 0
        kept = {name: array[obeys] for name, array in kept.items()}
    return kept
