"""Registers by their names: `registers.prime1 = 2027`.

Checks and measurements drive the papers' IPs by these and not by libtotient, which refuses operands
before an IP sees them, and passes one message at a time.
"""

from collections.abc import Mapping
from numbers import Integral
from typing import Protocol

from totient.catalog import Register
from totient.common.errors import InputError, ToolError

_WORD = 32


class Bus(Protocol):
    """A bus with registers."""

    def read(self, offset: int) -> int | None:
        """The word at an offset in bytes; `None` if the bus returns an error."""

    def write(self, offset: int, value: int) -> bool:
        """Write a word; return whether the bus returns no error."""


class RegisterMap:
    """The registers of an IP as attributes, with the lower-case names of its map.

    A register of several words is a whole number, accessed word by word.
    """

    _bus: Bus
    _registers: Mapping[str, Register]
    _bits: Mapping[str, int]

    def __init__(
        self,
        bus: Bus,
        registers: Mapping[str, Register],
        bits: Mapping[str, int] | None = None,
    ) -> None:
        """Name the registers on a bus.

        Args:
            bus: the bus.
            registers: of the IP (`totient.catalog.Ip.registers`).
            bits: by lower-case name, for registers with fewer bits than their words.
        """
        object.__setattr__(self, "_bus", bus)
        object.__setattr__(self, "_bits", bits or {})
        object.__setattr__(
            self, "_registers", {name.lower(): register for name, register in registers.items()}
        )

    def __dir__(self) -> list[str]:
        return sorted(self._registers)

    def __getattr__(self, name: str) -> int:
        register = self._find(name, "r")
        words = [self._bus.read(register.offset + 4 * place) for place in range(register.words)]
        if None in words:
            raise ToolError(f"the bus refused to read register {name}")
        return sum((word or 0) << _WORD * place for place, word in enumerate(words))

    def __setattr__(self, name: str, value: int) -> None:
        register = self._find(name, "w")
        # A write-only register may hold a secret: no message shows its value.
        secret = "r" not in register.access
        if not isinstance(value, Integral):
            shown = f"of type {type(value).__name__}" if secret else repr(value)
            raise InputError(f"register {name} is {shown}, allowed is a whole number")
        bits = self._bits.get(name, _WORD * register.words)
        if not 0 <= value < 1 << bits:
            allowed = "0 or 1" if bits == 1 else f"0 to 2^{bits} - 1"
            shown = f"is {value}"
            if secret:
                shown = "is negative" if value < 0 else f"has {int(value).bit_length()} bits"
            raise InputError(f"register {name} {shown}, allowed is {allowed}")
        for place in range(register.words):
            word = int(value) >> _WORD * place & (1 << _WORD) - 1
            if not self._bus.write(register.offset + 4 * place, word):
                raise ToolError(f"the bus refused to write register {name}")

    def parts(self, name: str) -> dict[str, int]:
        """Read a register as values of its fields."""
        return self._find(name, "r").parts(getattr(self, name))

    def wait(self, name: str, part: str, polls: int, failure: str) -> dict[str, int]:
        """The fields of a register, as soon as one of them is not 0.

        Args:
            name: of the register.
            part: the field.
            polls: most looks at it.
            failure: what the error says.

        Raises:
            ToolError: it is 0 in all of them.
        """
        for _ in range(polls):
            if (parts := self.parts(name))[part]:
                return parts
        raise ToolError(failure)

    def set_parts(self, name: str, **parts: int) -> None:
        """Write fields of a register; the others become 0."""
        setattr(self, name, self._find(name, "w").value(**parts))

    def _find(self, name: str, access: str) -> Register:
        register = self._registers.get(name)
        if register is None:
            known = ", ".join(self._registers) or "none"
            raise AttributeError(f"no register {name!r}, there are {known}")
        if access not in register.access:
            can = {"r": "written", "w": "read"}[access]
            raise AttributeError(f"register {name} can only be {can}")
        return register
