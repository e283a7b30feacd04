"""Common parts of all requests to a core: calls of libtotient, and its results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from totient.common.contract import ErrorCode, TimingClass
from totient.common.errors import DeviceError, InputError, ToolError
from totient.common.exclusive import Exclusive, exclusive
from totient.device.library import library, text
from totient.device.transports import Progress, Transport


@dataclass(frozen=True)
class Info:
    """A core's description of itself.

    Attributes:
        design: its name in the catalog.
        version: of the hardware, `major.minor.patch`.
        max_bits: longest modulus and longest exponent, in bits.
        timing: its timing class.
        lanes: maximum number of bases in a request.
        slots: key slots of an engine; 0: the core is no engine.
    """

    design: str
    version: str
    max_bits: int
    timing: TimingClass
    lanes: int
    slots: int


class Exponentiation(NamedTuple):
    """Result of an exponentiation.

    Attributes:
        result: base ^ exponent mod modulus.
        cycles: clock cycles that the core spent on it, without the set-up of the key.
    """

    result: int
    cycles: int


class Exponentiations(NamedTuple):
    """Results of several exponentiations at once.

    Attributes:
        results: base ^ exponent mod modulus of each base.
        cycles: clock cycles that the core spent on all of them.
    """

    results: tuple[int, ...]
    cycles: int


class Core(Exclusive):
    """A core behind a transport. Threads may share it: it does one operation at a time.

    A forked child process gets a `ToolError` for each operation: it opens the device again.

    Attributes:
        info: the core's description of itself.
    """

    noun: ClassVar[str] = "device"

    def __init__(self, transport: Transport) -> None:
        """Read the description of the core behind `transport`.

        Raises:
            ToolError: the transport failed, or there is no Totient core.
        """
        super().__init__()
        self._transport: Transport | None = transport
        ffi, lib = library()
        self._core = core = ffi.new("struct totient *")
        with transport.watched(None):
            code = lib.totient_open(core, transport.table, transport.context)
        self._check(code)
        self.info = Info(
            design=ffi.string(core.name).decode("ascii", errors="replace"),
            version=".".join(str(core.version >> shift & 0xFF) for shift in (16, 8, 0)),
            max_bits=core.maximum_bits,
            timing=TimingClass(core.timing),
            lanes=core.lanes,
            slots=core.slots,
        )

    @exclusive
    def clear(self) -> None:
        """Wipe the core: overwrite every register and memory word that held a key."""
        self._check(self._call("totient_clear", None))

    def _close(self) -> None:
        if self._transport is not None:
            self._transport.close()
            self._transport = None

    def _close_copy(self) -> None:
        self._close()

    def _raise(
        self,
        name: str,
        first: tuple[int, ...],
        bases: Sequence[int],
        modulus_bits: int,
        progress: Progress | None,
        refusals: Mapping[ErrorCode, str] | None = None,
    ) -> Exponentiations:
        """An operation of libtotient on bases. `first` are its first arguments."""
        longest = max(bits_of("base", base) for base in bases)
        # All bases of a key have the same length, so that the time reveals nothing about them.
        size = -(-max(longest, modulus_bits, 1) // 8)
        ffi, _ = library()
        messages = b"".join(base.to_bytes(size) for base in bases)
        results = ffi.new("uint8_t[]", len(bases) * size)
        code = self._call(name, progress, *first, messages, size, results, size)
        self._check(code, 0, "base", longest, modulus_bits, refusals)
        data = bytes(results)
        return Exponentiations(
            tuple(int.from_bytes(data[at : at + size]) for at in range(0, len(data), size)),
            int(self._core.cycles),
        )

    def _call(self, name: str, progress: Progress | None, *arguments: Any) -> int:
        if self._transport is None:
            raise ToolError("the device is closed")
        _, lib = library()
        with self._transport.watched(progress):
            return int(getattr(lib, name)(self._core, *arguments))

    def _check(
        self,
        code: int,
        exponent_bits: int = 0,
        name: str = "",
        bits: int = 0,
        below: int = 0,
        refusals: Mapping[ErrorCode, str] | None = None,
    ) -> None:
        """Raise the error for a result of libtotient.

        Args:
            code: the result.
            exponent_bits: stated length of an exponent.
            name: of the number in the request.
            bits: its length.
            below: length of the modulus.
            refusals: messages for this request that replace the common ones.
        """
        if code == ErrorCode.OK:
            return
        if code not in list(ErrorCode):
            raise ToolError(self._transport.failure(code) if self._transport else text(code))
        most = self.info.max_bits
        if code == ErrorCode.LENGTH and bits <= most:
            name, bits = "exponent", exponent_bits
        refusal = {
            ErrorCode.LENGTH: f"the {name} has {bits} bits, the core takes at most {most}",
            ErrorCode.EXPONENT_EMPTY: f"the exponent has length 0, allowed is 1 to {most} bits",
            ErrorCode.MODULUS_EVEN: f"the modulus ({bits} bits) is even, allowed is an odd one",
            ErrorCode.MODULUS_SMALL: "the modulus is 0 or 1, allowed is 3 or more",
            ErrorCode.BASE_NOT_BELOW: (
                f"the base ({bits} bits) is not below the modulus ({below} bits)"
            ),
            **(refusals or {}),
        }.get(ErrorCode(code), ErrorCode(code).words)
        raise DeviceError(refusal, code)


def bits_of(name: str, value: int) -> int:
    """Length of a number; raises `InputError` for a negative one."""
    if value < 0:
        raise InputError(f"the {name} is negative, allowed is 0 or more")
    return value.bit_length()


def bytes_of(value: int) -> bytes:
    """A number as big-endian bytes."""
    return value.to_bytes(max(1, -(-value.bit_length() // 8)))
