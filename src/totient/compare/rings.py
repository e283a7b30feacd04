"""Whether a longer ring of the engine takes fewer cycles, for keys of many lengths."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from totient.measure.engine_table import CRT, DIGIT, ELEMENTS, kept_cycles
from totient.report import Column, Table, columns
from totient.report.values import grouped, significant


class Ring(NamedTuple):
    """A ring for keys of a length.

    Attributes:
        elements: in it.
        cycles: of a private operation with the primes.
        times: these cycles, by the fewest of this ring and all shorter ones.
    """

    elements: int
    cycles: int
    times: float


def rings(cycles: Sequence[int]) -> list[Ring]:
    """All rings, from the cycles of those of 1 element and more."""
    fewest = accumulate(cycles, min)
    return [
        Ring(place, count, count / least)
        for place, (count, least) in enumerate(zip(cycles, fewest, strict=True), 1)
    ]


def table(elements: int) -> Table:
    """For each length of a key: the fastest ring, one of so many elements, and the slowest to add.

    Args:
        elements: of the ring that is shown beside the fastest one.
    """
    return Table.of(
        "Private operations on rings of all lengths",
        (
            *columns(grouped, "bits", "elements of the fastest ring", "its cycles"),
            Column(f"cycles, {elements} elements", grouped),
            Column("times those of the fastest up to it", significant),
            Column("most times those of a shorter ring", significant),
            Column("elements with most", grouped),
        ),
        _rows(elements),
        f"rings of {ELEMENTS[0]} to {ELEMENTS[-1]} elements, digits of {DIGIT} bits, cycles by "
        "the program",
        "a ring ends early for primes of 256, 384, .. 2048 bits. Numbers of other lengths go "
        "through the next of these ends, or through all of it, and may take longer than in a "
        "shorter ring",
    )


def _rows(elements: int) -> Iterator[tuple[int | float, ...]]:
    for bits, by_digit in kept_cycles().items():
        every = rings(by_digit[str(DIGIT)][CRT])
        fastest = min(every, key=lambda ring: ring.cycles)
        slowest = max(every, key=lambda ring: ring.times)
        shown = every[elements - 1]
        yield (
            *(int(bits), fastest.elements, fastest.cycles),
            *(shown.cycles, shown.times, slowest.times, slowest.elements),
        )
