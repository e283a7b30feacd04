from .board_record import BoardRecord, RoutedRecord
from .clocks import StatedClock, allowed_clock, clock_limit, stated_clock
from .kinds import KINDS, check_kind, kinds_of, requests
from .measurement import measure, measure_board, recompute
from .netlists import NetlistRun, NetlistRuns, netlist_verdict
from .provenance import Provenance
from .record import OperationFigures, Record, Spread
from .renewal import renewals, routed_today
from .store import (
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
