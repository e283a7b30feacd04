"""One design on one target: a Record, with units and provenance."""

from totient.measure.kinds import KINDS, check_kind, requests
from totient.measure.measurement import STATED_CLOCK_MHZ, measure, recompute
from totient.measure.record import Figures, OperationFigures, Provenance, Record, Spread
from totient.measure.store import committed, lookup, save, stale

__all__ = [
    "KINDS",
    "STATED_CLOCK_MHZ",
    "Figures",
    "OperationFigures",
    "Provenance",
    "Record",
    "Spread",
    "check_kind",
    "committed",
    "lookup",
    "measure",
    "recompute",
    "requests",
    "save",
    "stale",
]
