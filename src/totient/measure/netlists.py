"""Runs of routed netlists in committed Records."""

from collections.abc import Collection, Iterator

from totient.measure.board_record import BoardRecord
from totient.measure.record import Record
from totient.measure.store import committed
from totient.report.values import NOT_RUN, WRONG


def netlist_verdict(record: Record | BoardRecord) -> str:
    """Verdict on the netlists of a Record's routes, in words."""
    if record.netlist is None:
        return NOT_RUN
    runs = record.netlist.by_seed
    if wrong := [seed for seed, run in runs.items() if run.faults]:
        return f"{WRONG}, by {_seeds(wrong)}"
    operations = sum(run.operations for run in runs.values())
    right = f"right in all of {operations:,} operations, by {_seeds(runs)}"
    missing = [seed for seed in record.provenance.seeds if seed not in runs]
    return f"{NOT_RUN} by {_seeds(missing)}, {right}" if missing else right


def _seeds(seeds: Collection[int]) -> str:
    return f"seed{'s' if len(seeds) > 1 else ''} {', '.join(map(str, seeds))}"


def routed_records() -> Iterator[Record]:
    """Every committed Record with a routed clock.

    Raises:
        InputError: a file is damaged or of another schema.
    """
    return (record for _, record in committed() if record.fmax_mhz is not None)
