"""libtotient under sanitizers, as its tests call it.

The tests in `checks/` run in a process with the sanitizers' allocator, which `test_libtotient.py`
starts. `call` gives a result by its name without the prefix. A buffer's number is an integer. Each
byte of a buffer is `FILL` before a call: what is 0 afterwards was wiped.
"""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cffi

from totient.sim.library import interface

SETTINGS: dict[str, Any] = json.loads(os.environ.get("TOTIENT_BENCH", "{}"))
"""The library's path and what else the starter tells, such as models of RTL."""

_HEADERS = (
    *("contract", "totient", "engine", "registers", "serial", "simulation", "posix", "keygen"),
    *("modmul", "address", "der"),
)

ffi = interface(_HEADERS)
_c = cffi.FFI()
_c.cdef("void *malloc(size_t); void free(void *);")
process: Any = _c.dlopen(None)
lib: Any = ffi.dlopen(SETTINGS["library"])
NULL = ffi.NULL

_clean = ffi.new_allocator(process.malloc, process.free, should_clear_after_alloc=False)

FILL = 0xA5
LIMIT = 2_000_000
"""Clock cycles in which anything is answered."""


class WayError(Exception):
    """A function of a way gives this result."""

    def __init__(self, result: str) -> None:
        super().__init__(result)
        self.code = getattr(lib, f"TOTIENT_{result}")


_errors: list[BaseException] = []


def callback(kind: str, function: Callable[..., None]) -> Any:
    """A function for the library; what is raised in it, `call` raises."""

    def guarded(*arguments: Any) -> int:
        try:
            function(*arguments)
        except WayError as error:
            return int(error.code)
        except BaseException as error:
            _errors.append(error)
            return int(lib.TOTIENT_TRANSPORT)
        return int(lib.TOTIENT_OK)

    return ffi.callback(f"totient_result({kind})", guarded)


def call(function: Any, *arguments: Any) -> str:
    """Call a function; the name of its result."""
    code = function(*arguments)
    if _errors:
        raise _errors.pop()
    return str(ffi.string(ffi.cast("totient_result", code))).removeprefix("TOTIENT_")


def new(kind: str, fill: int = FILL) -> Any:
    """Memory with the sanitizers' guards around it, each byte of it `fill`."""
    made = _clean(kind)
    memory = ffi.buffer(made)
    memory[:] = bytes([fill]) * len(memory)
    return made


def octets(number: int, length: int) -> Any:
    """A buffer with a number."""
    made = _clean(f"uint8_t[{length}]")
    ffi.buffer(made)[:] = number.to_bytes(length)
    return made


def room(length: int) -> Any:
    """A buffer for a result."""
    return new(f"uint8_t[{length}]")


def number(buffer: Any) -> int:
    """The number in a buffer."""
    return int.from_bytes(ffi.buffer(buffer))


def untouched(length: int) -> int:
    """What a buffer holds that nothing was written to."""
    return int.from_bytes(bytes([FILL]) * length)


def contents(struct: Any) -> bytes:
    """The bytes of a structure."""
    return bytes(ffi.buffer(struct))


def without(kind: str, given: Any, name: str) -> Any:
    """A copy of a structure, without one of its pointers."""
    copy = new(f"{kind} *", 0)
    copy[0] = given[0]
    setattr(copy, name, NULL)
    return copy


def nulls(function: Any, *arguments: Any, allowed: Sequence[int] = ()) -> Iterator[tuple[int, str]]:
    """Call a function with each of its pointers null, one at a time: the place, and the result."""
    for place, kind in enumerate(ffi.typeof(function).args):
        if kind.kind == "pointer" and place not in allowed:
            given = [*arguments[:place], NULL, *arguments[place + 1 :]]
            yield place, call(function, *given)


def refuses_nulls(function: Any, *arguments: Any, allowed: Sequence[int] = ()) -> None:
    """Every pointer of a function must be there."""
    results = list(nulls(function, *arguments, allowed=allowed))
    assert results
    assert all(result == "ARGUMENT" for _, result in results), results


class Bus:
    """Registers at the end of Python functions, which can be made to fail.

    Attributes:
        way: `struct totient_registers *`.
        fail_after: accesses until one fails; 0: none does.
        stranger: what is there is no core.
    """

    def __init__(
        self, read: Callable[[int], int], write: Callable[[int, int], None], polls: int = 100
    ) -> None:
        self.fail_after, self.stranger = 0, False
        self._read, self._write = read, write
        self._callbacks = (
            callback("void *, uint32_t, uint32_t *", self._on_read),
            callback("void *, uint32_t, uint32_t", self._on_write),
        )
        self.way = new("struct totient_registers *", 0)
        self.way.read, self.way.write = self._callbacks
        self.way.bus, self.way.polls = self.way, polls

    @classmethod
    def over(cls, way: Any) -> "Bus":
        """Another bus, between the library and that one."""

        def read(offset: int) -> int:
            value = new("uint32_t *")
            _pass(way.read(way.bus, offset, value))
            return int(value[0])

        return cls(read, lambda *access: _pass(way.write(way.bus, *access)), way.polls)

    def _count(self) -> None:
        if self.fail_after:
            self.fail_after -= 1
            if not self.fail_after:
                raise WayError("TRANSPORT")

    def _on_read(self, _: Any, offset: int, value: Any) -> None:
        self._count()
        value[0] = self._read(offset)
        if self.stranger:
            value[0] = 0x12345678

    def _on_write(self, _: Any, offset: int, value: int) -> None:
        self._count()
        self._write(offset, value)


class Line:
    """A serial line at the end of Python functions, which can damage bytes.

    Attributes:
        way: `struct totient_serial *`.
        damage_in: byte to the core that is damaged, counted from now; negative: none.
        damage_out: the same of bytes to the library.
    """

    def __init__(self, read: Callable[[], int], write: Callable[[bytes], None]) -> None:
        self.damage_in = self.damage_out = -1
        self._read, self._write = read, write
        self._callbacks = (
            callback("void *, uint8_t *", self._on_read),
            callback("void *, const uint8_t *, size_t", self._on_write),
        )
        self.way = new("struct totient_serial *", 0)
        self.way.read, self.way.write = self._callbacks
        self.way.line = self.way

    @classmethod
    def over(cls, way: Any) -> "Line":
        """Another line, between the library and that one."""

        def read() -> int:
            byte = room(1)
            _pass(way.read(way.line, byte))
            return number(byte)

        def write(data: bytes) -> None:
            _pass(way.write(way.line, octets(int.from_bytes(data), len(data)), len(data)))

        return cls(read, write)

    def _on_read(self, _: Any, byte: Any) -> None:
        byte[0] = self._read() ^ (0x10 if self.damage_out == 0 else 0)
        self.damage_out -= 1

    def _on_write(self, _: Any, data: Any, count: int) -> None:
        given = bytearray(ffi.buffer(data, count))
        if 0 <= self.damage_in < count:
            given[self.damage_in] ^= 0x04
        self.damage_in -= count
        self._write(bytes(given))


def _pass(code: int) -> None:
    if code != lib.TOTIENT_OK:
        raise WayError(str(ffi.string(ffi.cast("totient_result", code))).removeprefix("TOTIENT_"))


def simulated(model: str) -> Any:
    """A model that was opened: `struct totient_simulation *`."""
    simulation = new("struct totient_simulation *", 0)
    simulation.limit = LIMIT
    assert call(lib.totient_simulation_open, simulation, model.encode()) == "OK"
    return simulation


def by_registers(simulation: Any, polls: int = LIMIT) -> Any:
    """Its registers: `struct totient_registers *`."""
    way = new("struct totient_registers *", 0)
    way.read, way.write = lib.totient_simulation_read, lib.totient_simulation_write
    way.bus, way.polls = simulation, polls
    return way


def by_line(simulation: Any) -> Any:
    """Its serial line: `struct totient_serial *`."""
    way = new("struct totient_serial *", 0)
    way.read, way.write = lib.totient_simulation_line_read, lib.totient_simulation_line_write
    way.line = simulation
    return way


@dataclass(frozen=True)
class RsaNumbers:
    """An RSA key with a message, and what the message becomes.

    Attributes:
        pair: the message modulo p and modulo q.
        pair_raised: each of them raised to its part of the private exponent.
    """

    n: int
    e: int
    d: int
    p: int
    q: int
    message: int

    @property
    def parts(self) -> tuple[int, int, int]:
        """`d` modulo p - 1 and modulo q - 1, and 1/q modulo p."""
        return self.d % (self.p - 1), self.d % (self.q - 1), pow(self.q, -1, self.p)

    @property
    def privately(self) -> int:
        """The message raised to d."""
        return pow(self.message, self.d, self.n)

    @property
    def publicly(self) -> int:
        """The message raised to e."""
        return pow(self.message, self.e, self.n)

    @property
    def pair(self) -> tuple[int, int]:
        """The message modulo p and modulo q."""
        return self.message % self.p, self.message % self.q

    @property
    def pair_raised(self) -> tuple[int, int]:
        """The same, each raised to its part of d."""
        return self.privately % self.p, self.privately % self.q
