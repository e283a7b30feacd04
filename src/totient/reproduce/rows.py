"""Rows of the papers: the systems that they describe, each with a check of ours.

A paper's module lists its rows (`Paper.rows`). `totient reproduce all` runs all checks.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from totient.report import Value
from totient.report.values import grouped


def _numbered(letter: str, count: int) -> tuple[str, ...]:
    return tuple(f"{letter}{number}" for number in range(1, count + 1))


ROWS: Mapping[str, tuple[str, ...]] = {
    "thesis": _numbered("T", 6),
    "becannon": _numbered("B", 4),
    "nibouche": _numbered("N", 8),
    "evantash": _numbered("E", 5),
    "diemert": _numbered("D", 6),
}
"""The rows of each paper. The scoreboard shows one without a check as missing."""


@dataclass
class Trial:
    """A row's check in progress.

    Attributes:
        checks: number of comparisons so far.
        faults: failed comparisons, a sentence each.
        differences: named differences from the document, a sentence each.
    """

    checks: int = 0
    faults: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)

    def expect(self, what: str, found: object, expected: object = True) -> None:
        """Compare; a value that is not the expected one is a fault of the row."""
        self.checks += 1
        if found != expected:
            self.faults.append(f"{what}: {found}, expected {expected}")

    def beside(
        self, what: str, ours: Value, paper: Value, form: Callable[[Value], str] = grouped
    ) -> None:
        """Put a figure beside the document's; another one is a named difference, no fault."""
        if ours != paper:
            self.differences.append(f"{what} {form(ours)}, in the document {form(paper)}")

    def differs(self, holds: bool, text: str) -> None:
        """Name a difference if it exists; `holds` is computed from the two things compared."""
        if holds:
            self.differences.append(text)


@dataclass(frozen=True)
class Row:
    """A system that a paper describes.

    Attributes:
        name: such as `T1`.
        system: in a few words.
        command: that runs it on real operands.
        check: compares ours with its specification, on real operands: in the golden model, a
            Record of the present RTL or a simulation of a second or two.
        shows: text that the command must print; empty: any.
    """

    name: str
    system: str
    command: str
    check: Callable[[Trial], object]
    shows: str = ""
