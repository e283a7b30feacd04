"""Measure a design, an IP or a system on a target: a Record, with units and provenance."""

from totient.measure.board_record import BoardRecord, RoutedRecord
from totient.measure.clocks import StatedClock, allowed_clock, clock_limit, stated_clock
from totient.measure.kinds import KINDS, check_kind, kinds_of, requests
from totient.measure.measurement import measure, measure_board, recompute
from totient.measure.netlists import NetlistRun, NetlistRuns, netlist_verdict
from totient.measure.provenance import Provenance
from totient.measure.record import OperationFigures, Record, Spread
from totient.measure.renewal import renewals, routed_today
from totient.measure.store import (
    board_records,
    committed,
    is_stale,
    lookup,
    results_folder,
    routed_records,
    save,
    stale,
)

__all__ = [
    "KINDS",
    "BoardRecord",
    "NetlistRun",
    "NetlistRuns",
    "OperationFigures",
    "Provenance",
    "Record",
    "RoutedRecord",
    "Spread",
    "StatedClock",
    "allowed_clock",
    "board_records",
    "check_kind",
    "clock_limit",
    "committed",
    "is_stale",
    "kinds_of",
    "lookup",
    "measure",
    "measure_board",
    "netlist_verdict",
    "recompute",
    "renewals",
    "requests",
    "results_folder",
    "routed_records",
    "routed_today",
    "save",
    "stale",
    "stated_clock",
]
