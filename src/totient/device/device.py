"""A core, whatever it is reached by: libtotient (`driver/`) with Python's numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from totient.catalog import ErrorCode, TimingClass
from totient.common.closing import Closing
from totient.common.errors import DeviceError, InputError, ToolError
from totient.device.library import library, text
from totient.device.transports import Progress, Transport


@dataclass(frozen=True)
class Info:
    """What a core says about itself.

    Attributes:
        design: its name in the catalog.
        version: of the hardware, `major.minor.patch`.
        max_bits: longest modulus and longest exponent, in bits.
        timing: what its time depends on.
        lanes: bases that a request may have.
    """

    design: str
    version: str
    max_bits: int
    timing: TimingClass
    lanes: int


class Exponentiation(NamedTuple):
    """What an exponentiation gave.

    Attributes:
        result: base ^ exponent mod modulus.
        cycles: clock cycles that the core spent on it, the set-up of the key left out.
    """

    result: int
    cycles: int


class Exponentiations(NamedTuple):
    """What several exponentiations at once gave.

    Attributes:
        results: base ^ exponent mod modulus of each base.
        cycles: clock cycles that the core spent on all of them.
    """

    results: tuple[int, ...]
    cycles: int


class Device(Closing):
    """An RSA core.

    Attributes:
        info: what the core says about itself.
    """

    def __init__(self, transport: Transport) -> None:
        """Ask the core at the other end of `transport` what it is.

        Raises:
            ToolError: the way to it fails, or there is no Totient core.
        """
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
        )

    def load_key(self, modulus: int, exponent: int, exponent_bits: int | None = None) -> int:
        """Load a key; a refused one leaves none loaded.

        Args:
            modulus: odd, 3 or more, at most `info.max_bits` long.
            exponent: at most `info.max_bits` long.
            exponent_bits: stated length of the exponent, 1 to `info.max_bits`; leading zeros count
                for the time of cores whose time depends on the length. Without it the exponent's
                own length (1 for an exponent of 0).

        Returns:
            Clock cycles of setting the key up.

        Raises:
            DeviceError: the core refused the key.
            InputError: a negative number, or an exponent longer than stated.
        """
        bits, needed = _bits("modulus", modulus), _bits("exponent", exponent)
        if exponent_bits is None:
            exponent_bits = max(needed, 1)
        if exponent_bits < needed:
            raise InputError(f"exponent_bits is {exponent_bits}, the exponent needs {needed}")
        numbers = (_bytes(modulus), _bytes(exponent))
        arguments = (*(part for data in numbers for part in (data, len(data))), exponent_bits)
        code = self._call("totient_load_key", None, *arguments)
        self._check(code, exponent_bits, "modulus", bits)
        return int(self._core.cycles)

    def exponentiate(self, base: int, progress: Progress | None = None) -> Exponentiation:
        """Raise `base` to the key's exponent, modulo the key's modulus.

        Args:
            base: 0 to modulus - 1.
            progress: told how far the operation is, where the transport can tell.

        Raises:
            DeviceError: no key is loaded, or the base is not below the modulus.
            InputError: the base is negative.
        """
        (result,), cycles = self.exponentiate_all((base,), progress)
        return Exponentiation(result, cycles)

    def exponentiate_all(
        self, bases: Sequence[int], progress: Progress | None = None
    ) -> Exponentiations:
        """Raise several bases to the key's exponent at once, in the time of one.

        Args:
            bases: 1 to `info.lanes`, each 0 to modulus - 1.
            progress: as for `exponentiate`.

        Raises:
            DeviceError: no key is loaded, or a base is not below the modulus.
            InputError: a base is negative, or there are more bases than the core takes.
        """
        if not 1 <= len(bases) <= self.info.lanes:
            raise InputError(f"{len(bases)} bases are given, the core takes 1 to {self.info.lanes}")
        longest = max(_bits("base", base) for base in bases)
        modulus_bits = self._core.modulus_bits
        # All bases of a key have the same length, so that the time says nothing of them.
        size = -(-max(longest, modulus_bits, 1) // 8)
        ffi, _ = library()
        messages = b"".join(base.to_bytes(size) for base in bases)
        results = ffi.new("uint8_t[]", len(bases) * size)
        code = self._call("totient_raise_all", progress, len(bases), messages, size, results, size)
        self._check(code, 0, "base", longest, modulus_bits)
        data = bytes(results)
        return Exponentiations(
            tuple(int.from_bytes(data[at : at + size]) for at in range(0, len(data), size)),
            int(self._core.cycles),
        )

    def clear(self) -> None:
        """Wipe the core: every register and memory word that held a key is overwritten."""
        self._check(self._call("totient_clear", None))

    def close(self) -> None:
        """Give up the connection; closing twice does nothing."""
        if self._transport is not None:
            self._transport.close()
            self._transport = None

    def _call(self, name: str, progress: Progress | None, *arguments: Any) -> int:
        if self._transport is None:
            raise ToolError("the device is closed")
        _, lib = library()
        with self._transport.watched(progress):
            return int(getattr(lib, name)(self._core, *arguments))

    def _check(
        self, code: int, exponent_bits: int = 0, name: str = "", bits: int = 0, below: int = 0
    ) -> None:
        """Raise what a result of libtotient means.

        Args:
            code: the result.
            exponent_bits: stated length of an exponent.
            name: of the number that the request was about.
            bits: its length.
            below: length of the modulus.
        """
        if code == ErrorCode.NONE:
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
            ErrorCode.NO_KEY: "no key is loaded",
            ErrorCode.ABORTED: "the operation was ended by a request to clear the core",
        }.get(ErrorCode(code), f"the core refused the request (error {code})")
        raise DeviceError(refusal, code)


def _bits(name: str, value: int) -> int:
    if value < 0:
        raise InputError(f"the {name} is negative, allowed is 0 or more")
    return value.bit_length()


def _bytes(value: int) -> bytes:
    return value.to_bytes(max(1, -(-value.bit_length() // 8)))
