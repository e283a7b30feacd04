"""Predicted figures with bounds."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

COVERAGE = 0.9
"""Share of measurements that an interval holds."""

NORMAL = 1.645
"""Standard deviations on both sides that hold nine tenths of a normal distribution."""


class Interval(NamedTuple):
    """Figures with bounds between which nine of ten measurements are."""

    low: Floats
    middle: Floats
    high: Floats

    @classmethod
    def exactly(cls, figures: Floats) -> "Interval":
        """Without uncertainty."""
        return cls(figures, figures, figures)

    @classmethod
    def about(cls, middle: Floats, factor: Floats) -> "Interval":
        """Up to a factor larger or smaller."""
        return cls(middle / factor, middle, middle * factor)

    @property
    def factor(self) -> Floats:
        """From the middle to the higher bound."""
        return self.high / self.middle

    def at(self, places: Any) -> "Interval":
        """The figures at places."""
        return Interval(self.low[places], self.middle[places], self.high[places])

    def times(self, other: "Interval") -> "Interval":
        """The products."""
        return Interval(self.low * other.low, self.middle * other.middle, self.high * other.high)

    def but(self, exact: Mapping[int, float]) -> "Interval":
        """These figures, with exact ones at some places."""
        if not exact:
            return self
        changed = Interval(*(each.copy() for each in self))
        for each in changed:
            each[list(exact)] = list(exact.values())
        return changed
