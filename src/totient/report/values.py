"""Values in tables, and their formats for people."""

import math
from collections.abc import Callable, Mapping
from decimal import Decimal

Value = str | int | float | None
"""A cell of a table; `None` if empty."""

Format = Callable[[Value], str]

NOT_RUN, WRONG = "not run", "wrong"
"""Words in place of a clock, and of figures based on it, if its netlist has not been run, or does
not compute correctly."""

HIDDEN: Mapping[str, str] = {
    NOT_RUN: "no clock is shown because the netlist has not been run (totient netlists)",
    WRONG: "no clock is shown because the netlist computes wrong results (totient netlists)",
}
"""The meanings of these words."""

_MISSING = "-"


def text(value: Value) -> str:
    """A value as it is."""
    return _MISSING if value is None else str(value)


def grouped(value: Value) -> str:
    """A whole number with grouped thousands; beyond twenty digits, a power of ten."""
    if not isinstance(value, int):
        return text(value)
    return f"{value:,}" if abs(value) < 10**20 else f"{Decimal(value):.3e}"


def significant(value: Value) -> str:
    """A number with four significant digits."""
    if not isinstance(value, int | float):
        return text(value)
    return f"{value:,.0f}" if abs(value) >= 1e3 else f"{value:.4g}"


def percent(value: Value) -> str:
    """A fraction of one, in whole percent."""
    return f"{100 * value:.0f} %" if isinstance(value, int | float) else text(value)


def _in_unit(value: Value, *units: tuple[str, float]) -> str:
    """A number in the largest unit that it reaches, or else in the last one."""
    if not isinstance(value, int | float):
        return text(value)
    unit, size = next((each for each in units if value >= each[1]), units[-1])
    return f"{value / size:.4g} {unit}"


def duration(value: Value) -> str:
    """A time in seconds, in a suitable unit."""
    return _in_unit(value, ("s", 1), ("ms", 1e-3), ("µs", 1e-6))


def energy(value: Value) -> str:
    """An energy in joules, in a suitable unit."""
    return _in_unit(value, ("J", 1), ("mJ", 1e-3), ("µJ", 1e-6))


def power(value: Value) -> str:
    """A power in watts, in a suitable unit, with the three digits of an estimate."""
    if not isinstance(value, int | float):
        return text(value)
    return f"{value:.3g} W" if value >= 0.9995 else f"{value * 1e3:.3g} mW"


def number(value: Value) -> float | None:
    """The value if it is a number; `None` for a word."""
    return float(value) if isinstance(value, int | float) else None


def rounded(value: Value) -> Value:
    """A number that varies between runs, with its two stable digits."""
    return float(f"{value:.2g}") if isinstance(value, int | float) else value


def rough_duration(value: Value) -> str:
    """A time in seconds that varies between runs."""
    return duration(rounded(value))


def rough_energy(value: Value) -> str:
    """An energy in joules that varies between runs."""
    return energy(rounded(value))


def part(value: Value) -> str:
    """Name of a row. A part of the row above is indented by a dash."""
    return f"- {value}" if str(value).startswith("of which ") else text(value)


UNITS: Mapping[Format, str] = {
    energy: "J",
    rough_energy: "J",
    power: "W",
    duration: "s",
    rough_duration: "s",
}
"""Units of raw values whose heading has none."""


def product(*factors: Value) -> Value:
    """A product; the first word in place of a factor; `None` without a factor."""
    words = [each for each in factors if isinstance(each, str)]
    numbers = [each for each in factors if isinstance(each, int | float)]
    return words[0] if words else None if None in factors else math.prod(map(float, numbers))


def ratio(over: Value, under: Value) -> Value:
    """One figure divided by another; the word in place of one of them; `None` without one."""
    if isinstance(over, str) or isinstance(under, str):
        return over if isinstance(over, str) else under
    return over / under if over is not None and under else None
