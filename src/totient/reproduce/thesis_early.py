"""T2 with multipliers that end early, on short messages: the variant nearest to the thesis' cycles.

A product of such a multiplier is short if its scanned operand is. A message of few bits has short
first squarings, so that an exponentiation takes fewer cycles than its products times the width.
Cycles are by the catalog's exact formula.
"""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from totient.catalog import Operation, select
from totient.measure import requests

EXAMPLE_BITS = 65
"""Length of the message in the conclusions."""

EARLY_NOTE = (
    "early end: T2 with early_end=1, cycles by formula. Message, bits: derived, the length whose "
    "cycles are nearest to the thesis', which does not state its messages"
)
"""Below tables with such cycles."""

_MOST_SHARE = 8
"""The nearest length is looked for up to this part of the width."""


@dataclass(frozen=True)
class ShortMessage:
    """A message, and the cycles with it.

    Attributes:
        bits: its length.
        cycles: of the operation; of several ones the mean, rounded.
    """

    bits: int
    cycles: int


def early_cycles(width: int, kind: str, message_bits: int | None = None) -> int:
    """Cycles of T2 with `early_end`, by formula; of several operations the mean, rounded.

    Args:
        width: of the core, in bits.
        kind: operation kind of `totient.measure.KINDS` with one exponentiation.
        message_bits: length to which the messages of the kind are cut, 1 to the width; `None`:
            as they are.
    """
    configuration = select("T2", width=width, early_end=1)
    operations = (operation for (operation,) in requests(kind, width))
    cycles = (configuration.operation_cycles(_cut(each, message_bits)) for each in operations)
    return round(statistics.mean(cycles))


def _cut(operation: Operation, bits: int | None) -> Operation:
    """The operation with the top `bits` bits of its message's width, the first of them set."""
    if bits is None or bits > operation.base.bit_length():
        return operation
    base = operation.base >> operation.base.bit_length() - bits
    return replace(operation, base=base)


@cache
def nearest_message(width: int, cycles: int) -> ShortMessage:
    """The message length whose cycles for 65537 are nearest to a number, the shortest of equals.

    Args:
        width: of the core, in bits.
        cycles: to come near to.
    """
    found = (
        ShortMessage(bits, early_cycles(width, "public", bits))
        for bits in range(1, width // _MOST_SHARE + 1)
    )
    return min(found, key=lambda each: abs(each.cycles - cycles))


def early_findings(widths: Sequence[int], theirs: Sequence[int]) -> Mapping[str, object]:
    """Values of the conclusions' templates.

    Args:
        widths: in bits.
        theirs: the thesis' cycles of T2 at each.
    """
    last = widths[-1]
    example = early_cycles(last, "public", EXAMPLE_BITS)
    nearest = map(nearest_message, widths, theirs)
    shares = [width / each.bits for width, each in zip(widths, nearest, strict=True)]
    return {
        "bits": EXAMPLE_BITS,
        "cycles": example,
        "off": 100 * abs(example / theirs[-1] - 1),
        "whole": early_cycles(last, "public"),
        "share": f"1/{max(shares):.0f} to 1/{min(shares):.0f}",
    }
