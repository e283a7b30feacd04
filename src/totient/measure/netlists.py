"""Runs of routed netlists in committed Records."""

from collections.abc import Iterator

from totient.measure.board_record import BoardRecord
from totient.measure.record import Record
from totient.measure.store import committed
from totient.report import NOT_RUN, WRONG


def netlist_verdict(record: Record | BoardRecord) -> str:
    """Verdict on the netlists of a Record's routes, in words."""
    if record.netlist is None:
        return NOT_RUN
    runs = record.netlist.by_seed
    wrong = [str(seed) for seed, run in runs.items() if run.faults]
    if wrong:
        return f"{WRONG}, by seed {', '.join(wrong)}"
    operations = sum(run.operations for run in runs.values())
    seeds = ", ".join(map(str, runs))
    return f"right in all of {operations:,} operations, by seeds {seeds}"


def routed_records() -> Iterator[Record]:
    """Every committed Record with a routed clock.

    Raises:
        InputError: a file is damaged or of another schema.
    """
    return (record for _, record in committed() if record.fmax_mhz is not None)
