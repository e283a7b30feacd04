"""Fits the energy of a cycle to the committed activity Records."""

from collections.abc import Sequence
from math import log, sqrt
from typing import NamedTuple

import numpy as np

from totient.explore.energy import COUNTS, EnergyModel
from totient.explore.interval import Floats
from totient.flow import find_target
from totient.measure.activity import committed_activity
from totient.power.by_activity import cycle_energy

_FEW = 0.5
"""Standard deviation of the logarithm for a design with too few Records to leave one out."""

_LEAST = 4
"""Records of a design that suffice to leave one out."""


class _Known(NamedTuple):
    counts: Floats
    energy: float
    error: float


def fit_energies() -> dict[str, dict[str, EnergyModel]]:
    """Energy models by device family and design, from the committed activity Records.

    Raises:
        InputError: a Record is damaged or of another schema.
    """
    known: dict[tuple[str, str], list[_Known]] = {}
    for _, record in committed_activity():
        if not record.dsp or record.design not in COUNTS:
            continue
        target = find_target(record.target)
        energy = cycle_energy(record.switching, target)
        at = {name: np.array([value]) for name, value in record.parameters.items()}
        row = COUNTS[record.design].matrix(at)[0]
        found = known.setdefault((target.family, record.design), [])
        found.append(_Known(row, energy.total, energy.error))
    models: dict[str, dict[str, EnergyModel]] = {}
    for (family, design), rows in known.items():
        models.setdefault(family, {})[design] = _fitted(rows)
    return models


def _fitted(rows: Sequence[_Known]) -> EnergyModel:
    away = [
        log((_factors([each for each in rows if each is not row]) @ row.counts) / row.energy)
        for row in rows
        if len(rows) >= _LEAST
    ]
    deviation = sqrt(sum(each**2 for each in away) / len(away)) if away else _FEW
    error = max(row.error for row in rows)
    return EnergyModel(_factors(rows).tolist(), deviation, error, len(rows))


def _factors(rows: Sequence[_Known]) -> Floats:
    """Factors with the least squares of relative errors. Few rows set the largest count only."""
    from scipy.optimize import nnls

    counts = np.stack([row.counts for row in rows])
    energies = np.array([row.energy for row in rows])
    used = counts if len(rows) >= _LEAST else counts * (counts == counts.max(1, keepdims=True))
    factors, _ = nnls(used / energies[:, None], np.ones(len(rows)))
    return np.asarray(factors, np.float64)
