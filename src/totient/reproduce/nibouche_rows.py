"""Rows of the digit-serial structures: golden model, simulated cycles, the paper's cycles."""

from functools import partial

from totient.catalog import select
from totient.common.papers import published
from totient.reproduce.results import ROUTED
from totient.reproduce.row_checks import cycles_of, exponentiates, record_of
from totient.reproduce.rows import ROWS, Row, Trial

_WIDTH = 256  # of the golden model; its steps take long at 1024 bits
_SYSTEMS = {
    "N1": "conventional bit-serial Montgomery, two multipliers",
    "N2": "two plain serial multiplications a product, two multipliers",
    "N3": "systolic, two operations interleaved, one multiplier",
    "N4": "retimed, no broadcast, two multipliers",
    "N5": "digits of 2 bits by unfolding, two multipliers",
    "N6": "digits of 2 bits, two interleaved, retimed, one multiplier",
    "N7": "digits of 4 bits by unfolding, two multipliers",
    "N8": "digits of 4 bits, two interleaved, one multiplier",
}


def _check(row: str, trial: Trial) -> None:
    paper = published("nibouche")
    theirs, bits = paper["structures"][row], paper["bits"]
    exponentiates(trial, row, _WIDTH, "public", target=ROUTED)
    configuration = select(row, width=bits)
    record = record_of(trial, configuration, ROUTED)
    private = cycles_of(trial, record, "private")
    step = configuration.design.operation.term_values(configuration.parameters)["O"]
    loop, measured = step * bits, round(theirs["mhz"] * theirs["milliseconds"] * 1e3)
    if private is not None:
        trial.expect("a loop within the whole operation", loop < private)
    # Frequency and time are printed with three digits.
    trial.differs(
        abs(loop / measured - 1) > 0.005,
        f"{loop:,} cycles of the loop, in the document {measured:,} (MHz x ms)",
    )
    device = paper["device"].split(",")[0]
    trial.differs(ROUTED not in device, f"clock on {ROUTED}, in the document on {device}")


ROWS_OF_PAPER = tuple(
    Row(row, _SYSTEMS[row], f"totient check {row} --width 64 --count 20", partial(_check, row))
    for row in ROWS["nibouche"]
)
