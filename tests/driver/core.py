"""A core at the end of a way, answered by Python or by RTL, and libtotient's handle of it."""

import math
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partialmethod
from random import Random
from typing import Any

from Crypto.Util.number import getPrime
from tests.driver import answerers
from tests.driver.answerers import Answerer, Registers, SerialLine
from tests.driver.bench import (
    NULL,
    SETTINGS,
    Line,
    RsaNumbers,
    by_line,
    by_registers,
    call,
    ffi,
    lib,
    new,
    number,
    octets,
    room,
    simulated,
)
from tests.driver.models import CORE, WIDE

from totient.catalog import Face, Operation

KEY_BYTES, PRIME_BYTES = 64, 33
PAIR_BITS = 8 * PRIME_BYTES - 8
"""Stated length of a pair's exponents."""

N, E, D = 0xC0DBDCDD4F5AE36D, 65537, 0x923456789ABCDEF1
"""Of the plain key, with bytes that a serial line escapes."""


@dataclass(frozen=True)
class Bench:
    """A core and a way to it, with what it says of itself.

    Attributes:
        table: `struct totient_transport *`.
        context: what its functions are called with.
        owner: keeps the context.
        load_cycles: clock cycles of loading N with E.
        public_cycles: of raising a number to E.
        private_cycles: of raising a number to D.
        answerer: what answers, in place of RTL.
        line: bytes on a serial line.
        simulation: `struct totient_simulation *`.
    """

    table: Any
    context: Any
    name: str
    maximum_bits: int
    lanes: int
    slots: int
    load_cycles: int
    public_cycles: int
    private_cycles: int
    answerer: Answerer | None = None
    line: SerialLine | None = None
    simulation: Any = None
    owner: object = None

    @property
    def hardware(self) -> Answerer:
        """What answers in place of RTL."""
        assert self.answerer is not None
        return self.answerer


def answered(*, engine: bool, serial: bool) -> Bench:
    """A core in Python, behind registers or a serial line."""
    answerer = Answerer.of(engine=engine)
    line = SerialLine(answerer)
    owner = Line(line.read, line.write) if serial else Registers(answerer)
    return Bench(
        ffi.addressof(lib.totient_over_serial if serial else lib.totient_over_registers),
        owner.way,
        *("answerer", answerer.engine.max_bits, answerers.LANES, answerer.engine.slots),
        *(answerers.LOAD_CYCLES, answerers.CYCLES, answerers.CYCLES),
        answerer,
        line if serial else None,
        owner=owner,
    )


def of_rtl(name: str) -> Bench:
    """A core in RTL, behind a face; `wide` is another one behind a serial line."""
    simulation = simulated(SETTINGS["models"][name])
    core, face = (WIDE, Face.SERIAL) if name == "wide" else (CORE, Face(name))
    table, context = {
        Face.STREAM: (lib.totient_over_simulation, simulation),
        Face.REGISTERS: (lib.totient_over_registers, by_registers(simulation)),
        Face.SERIAL: (lib.totient_over_serial, by_line(simulation)),
    }[face]
    public, private = (
        core.operation_cycles(Operation(N, exponent, bits, 0))
        for exponent, bits in ((E, 17), (D, 64))
    )
    says = (core.design.name, core.width, core.lanes, core.key_slots)
    cycles = (core.setup_cycles(N, 0), public, private)
    return Bench(ffi.addressof(table), context, *says, *cycles, simulation=simulation)


class Core:
    """A handle that was opened; its functions give a result's name, operations the number, too.

    Attributes:
        handle: `struct totient *`.
    """

    def __init__(self, bench: Bench, table: Any = None, context: Any = None) -> None:
        """Open a core, or another table or context in place of its own."""
        self.handle = new("struct totient *")
        self._way = table or bench.table, context or bench.context
        assert self.open() == "OK"

    def open(self) -> str:
        """Open it again."""
        return self.call("open", *self._way)

    def call(self, name: str, *arguments: Any) -> str:
        """Call a function by its name without the prefix."""
        return call(getattr(lib, f"totient_{name}"), self.handle, *arguments)

    def load_public(self, n: int, e: int, length: int = 8) -> str:
        """Load a modulus of `length` bytes, and e."""
        return self.call("load_public", octets(n, length), length, e)

    def load_private(self, n: int, d: int, d_length: int = 8) -> str:
        """Load a modulus of 8 bytes, and d."""
        return self.call("load_private", octets(n, 8), 8, octets(d, d_length), d_length)

    def load_key(self, n: int, d: int, bits: int) -> str:
        """Load numbers of 8 bytes, and the stated length of d."""
        return self.call("load_key", octets(n, 8), 8, octets(d, 8), 8, bits)

    def operate(
        self, name: str, *arguments: Any, message: int, length: int, size: int, in_place: bool
    ) -> tuple[str, int]:
        """An operation on a message of `length` bytes; its result has `size` bytes."""
        given = octets(message, length)
        result = given if in_place else room(size)
        code = self.call(name, *arguments, given, length, result, size)
        return code, number(result)

    def power(
        self, message: int, length: int = 8, size: int = 8, in_place: bool = False
    ) -> tuple[str, int]:
        """Raise a message with the plain key."""
        return self.operate("raise", message=message, length=length, size=size, in_place=in_place)

    def powers(self, messages: Sequence[int], count: int | None = None) -> tuple[str, list[int]]:
        """Raise messages of 8 bytes at once, in place; `count` is how many are said to be there."""
        data = new(f"uint8_t[{8 * len(messages)}]")
        ffi.buffer(data)[:] = b"".join(message.to_bytes(8) for message in messages)
        count = len(messages) if count is None else count
        code = self.call("raise_all", count, data, 8, data, 8)
        raw = bytes(ffi.buffer(data))
        return code, [int.from_bytes(raw[at : at + 8]) for at in range(0, len(raw), 8)]

    def checked(
        self, n: int, d: int, e: int, message: int, size: int = 2, in_place: bool = False
    ) -> tuple[str, int]:
        """A private operation that is checked, on numbers of two bytes."""
        return self.operate(
            "private_checked",
            *(octets(n, 2), 2, octets(d, 2), 2, e),
            message=message,
            length=2,
            size=size,
            in_place=in_place,
        )

    def load_rsa(self, slot: int, key: RsaNumbers, form: str = "primes", **changes: Any) -> str:
        """Load an RSA key; `changes` are as for `rsa_key`."""
        return self.call("engine_load_key", slot, rsa_key(key, form, **changes))

    def load_pair(
        self,
        slot: int,
        moduli: Sequence[tuple[int, int] | None],
        exponents: Sequence[tuple[int, int] | None],
        bits: int = PAIR_BITS,
    ) -> str:
        """Load a pair: numbers with their lengths in bytes."""
        return self.call("engine_load_pair", slot, numbers(moduli), numbers(exponents), bits)

    def load_pair_of(self, slot: int, key: RsaNumbers) -> str:
        """Load a key's primes with their parts of the private exponent."""
        pair = [(value, PRIME_BYTES) for value in (key.p, key.q, *key.parts[:2])]
        return self.load_pair(slot, pair[:2], pair[2:], key.p.bit_length())

    def private(
        self,
        slot: int,
        message: int,
        options: int = 0,
        length: int = KEY_BYTES,
        size: int = KEY_BYTES,
        in_place: bool = False,
        function: str = "engine_private_unchecked",
    ) -> tuple[str, int]:
        """A private operation that only the engine checks."""
        given = (function, slot, options)
        return self.operate(*given, message=message, length=length, size=size, in_place=in_place)

    private_checked = partialmethod(private, function="engine_private")
    """One that the library checks, too."""

    def public(
        self,
        slot: int,
        message: int,
        length: int = KEY_BYTES,
        size: int = KEY_BYTES,
        in_place: bool = False,
    ) -> tuple[str, int]:
        """A public operation."""
        return self.operate(
            "engine_public", slot, message=message, length=length, size=size, in_place=in_place
        )

    def power_pair(
        self, slot: int, messages: Sequence[int], size: int = PRIME_BYTES, in_place: bool = False
    ) -> tuple[str, tuple[int, int]]:
        """Raise a pair of messages."""
        data = new(f"uint8_t[{2 * PRIME_BYTES}]")
        ffi.buffer(data)[:] = b"".join(message.to_bytes(PRIME_BYTES) for message in messages)
        result = data if in_place else room(2 * size)
        code = self.call("engine_raise_pair", slot, data, PRIME_BYTES, result, size)
        raw = bytes(ffi.buffer(result))
        return code, (int.from_bytes(raw[:size]), int.from_bytes(raw[size:]))

    def self_test(self, slot: int) -> str:
        """Let the core test itself."""
        return self.call("engine_self_test", slot)

    def clear(self) -> str:
        """Wipe everything."""
        return self.call("clear")


_alive: "weakref.WeakKeyDictionary[Any, list[Any]]" = weakref.WeakKeyDictionary()
_PARTS = ("p", "q", "d_p", "d_q", "q_inverse")


def rsa_key(key: RsaNumbers, form: str = "primes", **changes: tuple[int, int] | None) -> Any:
    """A key as the library takes it: `struct totient_rsa_key *`.

    Args:
        key: its numbers.
        form: `public`, `exponent` or `primes`.
        changes: other numbers with their lengths in bytes; None for a null pointer.
    """
    fields: dict[str, tuple[int, int] | None] = {
        "modulus": (key.n, KEY_BYTES),
        "public_exponent": (key.e, 4),
    }
    if form == "exponent":
        fields["private_exponent"] = (key.d, KEY_BYTES)
    if form == "primes":
        values = (key.p, key.q, *key.parts)
        fields |= {name: (value, PRIME_BYTES) for name, value in zip(_PARTS, values, strict=True)}
    struct = new("struct totient_rsa_key *", 0)
    _alive[struct] = [
        _set(getattr(struct, name), given) for name, given in (fields | changes).items()
    ]
    return struct


def numbers(given: Sequence[tuple[int, int] | None]) -> Any:
    """Numbers with their lengths: `struct totient_number[]`."""
    struct = new(f"struct totient_number[{len(given)}]", 0)
    _alive[struct] = [_set(struct[place], each) for place, each in enumerate(given)]
    return struct


def _set(to: Any, given: tuple[int, int] | None) -> Any:
    if given is None:
        to.bytes = NULL
        return None
    buffer = octets(*given)
    to.bytes, to.length = buffer, given[1]
    return buffer


@cache
def rsa_keys() -> tuple[RsaNumbers, RsaNumbers]:
    """Two keys of 512 bits: of primes of 256 bits each, and of 264 and 248."""
    draw = Random(12)
    return _rsa_key(draw, 256, 65537), _rsa_key(draw, 264, 3)


def _rsa_key(draw: Random, p_bits: int, e: int) -> RsaNumbers:
    bits = 8 * KEY_BYTES
    while True:
        p, q = getPrime(p_bits, draw.randbytes), getPrime(bits - p_bits, draw.randbytes)
        phi = (p - 1) * (q - 1)
        if (p * q).bit_length() == bits and math.gcd(e, phi) == 1:
            return RsaNumbers(p * q, e, pow(e, -1, phi), p, q, draw.randrange(p * q))
