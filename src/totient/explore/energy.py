"""Dynamic energy of a clock cycle as a function of a design's parameters.

    energy = sum of c_i f_i(parameters),   c_i >= 0

fitted to the activity Records of a device family (`energy_fitting.py`). Two things make an
interval: how far off the fit is at a Record left out, and the factor by which the energy of a
Record itself can be off (`totient power`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from types import MappingProxyType
from typing import Any

import numpy as np

from totient.explore.interval import NORMAL, Interval
from totient.explore.regression import Points, Shape
from totient.explore.shapes import SERIAL_COLUMNS

_SERIAL = {
    "columns": SERIAL_COLUMNS,
    # A digit passes all columns in one cycle.
    "direct": "(1 if links == 0 else 0) * (1 if slots == 1 else 0)",
}
COUNTS: Mapping[str, Shape] = MappingProxyType(
    {
        "repeated": Shape(("1", "width * bits_per_cycle"), {}, ()),
        "binary": Shape(("1", "width * bits_per_cycle"), {}, ()),
        "montgomery": Shape(("1", "width * word_bits"), {}, ()),
        "digit_serial": Shape(
            (
                # No constant: all Records of a family have the same width.
                *("columns", "columns * digit_bits"),
                "columns * digit_bits * digit_bits * direct",
            ),
            _SERIAL,
            (),
        ),
        "engine": Shape(("1", "elements"), {}, ()),
    }
)
"""What the energy of each design grows with."""


@dataclass(frozen=True)
class EnergyModel:
    """Energy of a cycle of a design on a device family.

    Attributes:
        factors: of the design's counts, in joules.
        deviation: standard deviation of the logarithm, at a Record left out.
        error: factor by which the energy of a Record itself can be off.
        records: number of activity Records.
    """

    factors: Sequence[float]
    deviation: float
    error: float
    records: int

    def predict(self, design: str, points: Points) -> Interval:
        """Joules a cycle."""
        middle = COUNTS[design].matrix(points) @ np.array(self.factors)
        factor = self.error * exp(NORMAL * self.deviation)
        return Interval.about(middle, np.full(len(middle), factor))

    def to_json(self) -> dict[str, Any]:
        """The model as JSON."""
        return {
            "factors": [float(f"{each:.6g}") for each in self.factors],
            "deviation": float(f"{self.deviation:.4g}"),
            "error": float(f"{self.error:.4g}"),
            "records": self.records,
        }
