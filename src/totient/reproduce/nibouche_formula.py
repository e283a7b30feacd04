"""The document's formula of cycles, (2n+4)k/(d l), beside its frequencies times times, and ours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from totient.report.words import listed

WITHIN = 0.005
"""Cycles are the same up to this part: frequencies and times are printed with three digits."""

_ROUNDED = 0.01


@dataclass(frozen=True)
class Loop:
    """Cycles of a structure's loop.

    Attributes:
        row: the structure.
        interleaved: l of the formula, operations on one array.
        stated: by the formula.
        measured: the document's frequency times its time.
        ours: of our RTL.
    """

    row: str
    interleaved: int
    stated: float
    measured: float
    ours: float


def of_cycles(loops: Sequence[Loop]) -> Mapping[str, object]:
    """Values of the conclusion on cycles.

    Args:
        loops: of all structures.
    """
    wrong = [each for each in loops if not _same(each.measured, each.stated)]
    other_way = all(_same(each.measured, each.stated * each.interleaved**2) for each in wrong)
    if not wrong:
        formula = "holds for all structures"
    elif {each.row for each in wrong} == {each.row for each in loops if each.interleaved > 1}:
        formula = "does not hold for two interleaved operations"
    else:
        formula = "does not hold"
    return {
        "equal": listed(each.row for each in loops if abs(each.ours / each.measured - 1) < WITHIN),
        "within": 100 * WITHIN,
        "formula": formula + (f" ({listed(each.row for each in wrong)})" if wrong else ""),
        "how": ": it divides by l where it should multiply" if wrong and other_way else "",
    }


def _same(measured: float, cycles: float) -> bool:
    return abs(measured / cycles - 1) < _ROUNDED
