"""Measure a design, an IP or a system on a target: a Record, with units and provenance."""

from totient.measure.board_record import (
    BoardRecord,
    board_records,
    is_stale_board,
    measure_board,
    save_board,
)
from totient.measure.clocks import StatedClock, allowed_clock, clock_limit, stated_clock
from totient.measure.kinds import KINDS, check_kind, kinds_of, requests
from totient.measure.measurement import measure, recompute
from totient.measure.netlists import netlist_verdict, routed_records
from totient.measure.provenance import Provenance
from totient.measure.record import (
    Figures,
    NetlistRun,
    NetlistRuns,
    OperationFigures,
    Record,
    Spread,
)
from totient.measure.renewal import renewals, routed_today
from totient.measure.store import (
    committed,
    lookup,
    results_folder,
    save,
    stale,
    subject_of,
)

__all__ = [
    "KINDS",
    "BoardRecord",
    "Figures",
    "NetlistRun",
    "NetlistRuns",
    "OperationFigures",
    "Provenance",
    "Record",
    "Spread",
    "StatedClock",
    "allowed_clock",
    "board_records",
    "check_kind",
    "clock_limit",
    "committed",
    "is_stale_board",
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
    "save_board",
    "stale",
    "stated_clock",
    "subject_of",
]
