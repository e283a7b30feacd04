"""Parameters of designs and IPs: their values, and how addresses write them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

from totient.common.errors import InputError


@dataclass(frozen=True)
class Parameter:
    """A build-time parameter of a design.

    Attributes:
        name: as users write it (`width`).
        rtl: the SystemVerilog parameter it sets (`Width`).
        default: value when none is given.
        low, high: inclusive range.
        choices: the allowed values, if not the whole range.
        text: one line for `totient show`.
        families: by value, the only device family that it is for.
        face_rtl: its name in `rtl/ip/rsa_core.sv`, the core of all faces but the stream, if
            different from `rtl`.
    """

    name: str
    rtl: str
    default: int
    low: int
    high: int
    text: str
    choices: tuple[int, ...] = ()
    families: Mapping[int, str] = field(default_factory=dict)
    face_rtl: str = ""

    @property
    def allowed(self) -> str:
        """The allowed values in words; a bound of hundreds of digits as a power of two."""
        if self.choices:
            return " or ".join(str(choice) for choice in self.choices)
        if self.high.bit_length() > 64:
            return f"{self.low} to 2^{(self.high + 1).bit_length() - 1} - 1"
        return f"{self.low} to {self.high}"

    def check(self, value: int) -> int:
        """Return `value` if it is allowed, else raise `InputError` with the allowed values."""
        if not isinstance(value, Integral):
            raise InputError(f"{self.name} is {value!r}, allowed is {self.allowed}")
        inside = value in self.choices if self.choices else self.low <= value <= self.high
        if not inside:
            raise InputError(f"{self.name} is {_short(value)}, allowed is {self.allowed}")
        return value


def one_of(
    name: str, rtl: str, default: int, choices: tuple[int, ...], text: str, **more: Any
) -> Parameter:
    """A parameter with a few allowed values."""
    return Parameter(name, rtl, default, min(choices), max(choices), text, choices, **more)


Parameters = Mapping[str, int]


WHOLE_NUMBER = "-?[0-9]{1,1234}"
"""Regular expression of a parameter's value: up to 2^4096, for a key that is part of an IP.

It includes negative values: the range check refuses them with the allowed values."""

_NAME = "[A-Za-z0-9_]+"  # of a parameter: nothing that a message could not show as it is


def parse_parameters(query: str, what: str) -> dict[str, int]:
    """Parameters in the form of addresses: `width=64&fixed_time=1`.

    Args:
        query: the text.
        what: their owner, for messages.

    Raises:
        InputError: malformed, a name given twice, or a value that is not a whole number.
    """
    given: dict[str, int] = {}
    for part in query.split("&"):
        name, equals, value = part.partition("=")
        if not equals or not re.fullmatch(_NAME, name):
            raise InputError(f"{what} has {part!r} where parameter=value is expected")
        if name in given:
            raise InputError(f"{what} gives {name} twice")
        if not re.fullmatch(WHOLE_NUMBER, value):
            raise InputError(f"{name} is {value!r}, allowed is a whole number")
        given[name] = int(value)
    return given


def parse_named(text: str, what: str) -> tuple[str, dict[str, int]]:
    """A name with parameters in the form of addresses: `binary?width=64`.

    Args:
        text: the name, and the parameters if there are any.
        what: its owner, for messages.

    Raises:
        InputError: as for `parse_parameters`.
    """
    name, question, query = text.partition("?")
    return name, parse_parameters(query, what) if question else {}


def labelled(name: str, own: Parameters) -> str:
    """A name with parameters in the form of addresses; of a long number its first digits."""
    query = "&".join(f"{parameter}={_short(value)}" for parameter, value in own.items())
    return f"{name}?{query}" if query else name


def no_parameter(what: str, name: str, known: Iterable[str]) -> InputError:
    """The error for an unknown parameter.

    Args:
        what: its owner.
        name: the parameter.
        known: the existing parameters.
    """
    if names := ", ".join(known):
        return InputError(f"{what} has no parameter {name!r}, it has {names}")
    return InputError(f"{what} takes no parameters, given is {name!r}")


def complete(
    what: str, parameters: Iterable[Parameter], given: Parameters | None
) -> dict[str, int]:
    """Every parameter's value, given or default, each checked.

    Args:
        what: their owner, for messages.
        parameters: the owner's parameters.
        given: values by name.

    Raises:
        InputError: an unknown parameter or a value out of range.
    """
    known = {parameter.name: parameter for parameter in parameters}
    given = given or {}
    for name in given:
        if name not in known:
            raise no_parameter(what, name, known)
    return {name: p.check(given.get(name, p.default)) for name, p in known.items()}


def _short(value: int) -> str:
    text = str(value)
    return text if len(text) <= 12 else f"{text[:9]}..."
