"""Registers by their names: `registers.prime1 = 2027`."""

from collections.abc import Mapping
from numbers import Integral
from typing import Protocol

from totient.catalog import Register
from totient.common.errors import InputError, ToolError

_WORD = 32


class Bus(Protocol):
    """What registers are read and written through."""

    def read(self, offset: int) -> int | None:
        """The word at an offset in bytes; `None` where the bus answers with an error."""

    def write(self, offset: int, value: int) -> bool:
        """Write a word; whether the bus answers without an error."""


class RegisterMap:
    """The registers of an IP, as attributes with the names of its map, in lower case.

    One of several words is a whole number, which is read and written word by word.
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
        """Give names to what is at a bus.

        Args:
            bus: the bus.
            registers: of the IP (`totient.catalog.Ip.registers`).
            bits: by name in lower case, of registers that take fewer bits than their words have.
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
        # What cannot be read back may be a secret, which no message shows.
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
        """Read a register: its value by the fields of the map."""
        return self._registers[name].parts(getattr(self, name))

    def set_parts(self, name: str, **parts: int) -> None:
        """Write a register: these fields, and 0 in the others."""
        setattr(self, name, self._registers[name].value(**parts))

    def _find(self, name: str, access: str) -> Register:
        register = self._registers.get(name)
        if register is None:
            raise AttributeError(f"no register {name!r}, there are {', '.join(self._registers)}")
        if access not in register.access:
            can = {"r": "written", "w": "read"}[access]
            raise AttributeError(f"register {name} can only be {can}")
        return register
