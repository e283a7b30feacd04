"""Tables of a reproduction: raw values, with how people read them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

Value = str | int | float | None

_MISSING = "-"


def _text(value: Value) -> str:
    return _MISSING if value is None else str(value)


def grouped(value: Value) -> str:
    """A whole number with thousands apart; one beyond twenty digits as a power of ten."""
    if not isinstance(value, int):
        return _text(value)
    return f"{value:,}" if abs(value) < 10**20 else f"{Decimal(value):.3e}"


def significant(value: Value) -> str:
    """A number with four significant digits."""
    if not isinstance(value, int | float):
        return _text(value)
    return f"{value:,.0f}" if abs(value) >= 1e3 else f"{value:.4g}"


def duration(value: Value) -> str:
    """A time in seconds, in the unit that suits it."""
    if not isinstance(value, int | float):
        return _text(value)
    if value >= 1:
        return f"{value:.4g} s"
    return f"{value * 1e3:.4g} ms" if value >= 1e-3 else f"{value * 1e6:.4g} µs"


def energy(value: Value) -> str:
    """An energy in joules, in the unit that suits it."""
    if not isinstance(value, int | float):
        return _text(value)
    for unit, size in (("J", 1.0), ("mJ", 1e-3)):
        if value >= size:
            return f"{value / size:.4g} {unit}"
    return f"{value * 1e6:.4g} µJ"


def power(value: Value) -> str:
    """A power in watts, in the unit that suits it, as far as an estimate tells."""
    if not isinstance(value, int | float):
        return _text(value)
    return f"{value:.3g} W" if value >= 0.9995 else f"{value * 1e3:.3g} mW"


def rounded(value: Value) -> Value:
    """A number as far as it is the same from run to run: two significant digits."""
    return float(f"{value:.2g}") if isinstance(value, int | float) else value


def rough_duration(value: Value) -> str:
    """A time in seconds that changes from run to run."""
    return duration(rounded(value))


def rough_energy(value: Value) -> str:
    """An energy in joules that changes from run to run."""
    return energy(rounded(value))


_UNITS: Mapping[Callable[[Value], str], str] = {
    energy: "J",
    rough_energy: "J",
    power: "W",
    duration: "s",
    rough_duration: "s",
}


def _unshown() -> Mapping[str, str]:
    """Words that stand in place of a clock, or of what follows from one, with their meanings."""
    from totient.measure import NOT_RUN, WRONG  # slow to import

    return {
        NOT_RUN: "no clock is shown of a netlist that has not been run (totient netlists)",
        WRONG: "no clock is shown of a netlist that does not compute (totient netlists)",
    }


def part(value: Value) -> str:
    """Name of a row; one of a part of the row above is set off from it."""
    text = _text(value)
    return f"- {text}" if text.startswith("of which ") else text


@dataclass(frozen=True)
class Column:
    """A column: heading, with the unit of its values where they have one, and their format."""

    heading: str
    format: Callable[[Value], str] = _text

    @property
    def unit(self) -> str:
        """Unit of the raw values where the heading does not tell it: `s`, `J`, `W`, or nothing."""
        return _UNITS.get(self.format, "")


@dataclass(frozen=True)
class Table:
    """A table of a paper beside ours.

    Attributes:
        name: short, for programs.
        title: what it shows, with the paper's table number.
        columns: in order; rows hold as many raw values.
        rows: the values.
        notes: what a reader has to know to compare the figures.
    """

    name: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Value]]
    notes: Sequence[str] = ()

    def __post_init__(self) -> None:
        """Say what a clock that is not shown means."""
        cells = {value for row in self.rows for value in row}
        said = (f"{word}: {text}" for word, text in _unshown().items() if word in cells)
        object.__setattr__(self, "notes", (*self.notes, *said))

    @property
    def texts(self) -> list[list[str]]:
        """The rows as people read them."""
        return [
            [column.format(value) for column, value in zip(self.columns, row, strict=True)]
            for row in self.rows
        ]

    @property
    def of_text(self) -> list[bool]:
        """For each column, whether its values are texts; the first names the rows, and is one."""
        words = _unshown()
        return [
            not place
            or all(
                isinstance(row[place], str | None) and row[place] not in words for row in self.rows
            )
            for place in range(len(self.columns))
        ]


@dataclass(frozen=True)
class Reproduction:
    """What `totient reproduce` shows.

    Attributes:
        title: the paper.
        command: that computes it.
        tables: in the paper's order.
        findings: in words, where we agree with the paper and where not, and why.
        provenance: how our figures came about.
    """

    title: str
    command: str
    tables: Sequence[Table]
    findings: Sequence[str]
    provenance: Sequence[str] = field(default=())
