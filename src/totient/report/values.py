"""Values in tables, and how people read them."""

from collections.abc import Callable, Mapping
from decimal import Decimal

Value = str | int | float | None
"""A cell of a table; `None` where there is nothing."""

Format = Callable[[Value], str]

NOT_RUN, WRONG = "not run", "wrong"
"""What stands in place of a clock, and of what follows from it, if its netlist does not compute."""

HIDDEN: Mapping[str, str] = {
    NOT_RUN: "no clock is shown of a netlist that has not been run (totient netlists)",
    WRONG: "no clock is shown of a netlist that does not compute (totient netlists)",
}
"""These words, with their meanings."""

_MISSING = "-"


def text(value: Value) -> str:
    """A value as it is."""
    return _MISSING if value is None else str(value)


def grouped(value: Value) -> str:
    """A whole number with thousands apart; one beyond twenty digits as a power of ten."""
    if not isinstance(value, int):
        return text(value)
    return f"{value:,}" if abs(value) < 10**20 else f"{Decimal(value):.3e}"


def significant(value: Value) -> str:
    """A number with four significant digits."""
    if not isinstance(value, int | float):
        return text(value)
    return f"{value:,.0f}" if abs(value) >= 1e3 else f"{value:.4g}"


def percent(value: Value) -> str:
    """A part of one, in whole percent."""
    return f"{100 * value:.0f} %" if isinstance(value, int | float) else text(value)


def _in_unit(value: Value, *units: tuple[str, float]) -> str:
    """A number in the largest of the units that it reaches, or else in the last one."""
    if not isinstance(value, int | float):
        return text(value)
    unit, size = next((each for each in units if value >= each[1]), units[-1])
    return f"{value / size:.4g} {unit}"


def duration(value: Value) -> str:
    """A time in seconds, in the unit that suits it."""
    return _in_unit(value, ("s", 1), ("ms", 1e-3), ("µs", 1e-6))


def energy(value: Value) -> str:
    """An energy in joules, in the unit that suits it."""
    return _in_unit(value, ("J", 1), ("mJ", 1e-3), ("µJ", 1e-6))


def power(value: Value) -> str:
    """A power in watts, in the unit that suits it, with the three digits of an estimate."""
    if not isinstance(value, int | float):
        return text(value)
    return f"{value:.3g} W" if value >= 0.9995 else f"{value * 1e3:.3g} mW"


def number(value: Value) -> float | None:
    """A figure that is one; `None` for a word."""
    return float(value) if isinstance(value, int | float) else None


def rounded(value: Value) -> Value:
    """A number that changes from run to run, with the two digits that do not."""
    return float(f"{value:.2g}") if isinstance(value, int | float) else value


def rough_duration(value: Value) -> str:
    """A time in seconds that changes from run to run."""
    return duration(rounded(value))


def rough_energy(value: Value) -> str:
    """An energy in joules that changes from run to run."""
    return energy(rounded(value))


def part(value: Value) -> str:
    """Name of a row; a part of the row above is indented by a dash."""
    return f"- {value}" if str(value).startswith("of which ") else text(value)


UNITS: Mapping[Format, str] = {
    energy: "J",
    rough_energy: "J",
    power: "W",
    duration: "s",
    rough_duration: "s",
}
"""Units of raw values whose heading does not name one."""


def ratio(over: Value, under: Value) -> Value:
    """One figure over another; the word that stands in place of one of them; `None` without one."""
    words = [value for value in (over, under) if isinstance(value, str)]
    if words:
        return words[0]
    upper, lower = number(over), number(under)
    return None if upper is None or not lower else upper / lower
