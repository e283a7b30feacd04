"""The stream contract's packets (`docs/contracts.md`), apart from what carries them.

A packet is a list of 32-bit words. Numbers travel least significant word first, with their length
in bits stated in front.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from totient.catalog import TimingClass
from totient.common.errors import InputError, ToolError

_WORD = 32
_MOST_BASES = 256
_INFO_WORDS = 8


class Command(IntEnum):
    """First byte of a request; the response repeats it."""

    INFO = 1
    LOAD_KEY = 2
    EXPONENTIATE = 3
    CLEAR = 4


class ErrorCode(IntEnum):
    """Why a core refused a request; the numbers are those of `error_e` in the RTL."""

    NONE = 0
    COMMAND = 1
    PACKET_SHORT = 2
    PACKET_LONG = 3
    LENGTH = 4
    EXPONENT_EMPTY = 5
    MODULUS_EVEN = 6
    MODULUS_SMALL = 7
    BASE_NOT_BELOW = 8
    NO_KEY = 9
    ABORTED = 10


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


@dataclass(frozen=True)
class Response:
    """A response packet taken apart.

    Attributes:
        command: the request's.
        error: `ErrorCode.NONE`, or why it was refused.
        body: the words after the first.
    """

    command: int
    error: ErrorCode
    body: tuple[int, ...]


def info_request() -> list[int]:
    """Request for the core's `Info`."""
    return [Command.INFO]


def load_key_request(modulus: int, exponent: int, exponent_bits: int) -> list[int]:
    """Request to load a key.

    Args:
        modulus: 0 or more.
        exponent: 0 or more.
        exponent_bits: stated length of the exponent, at least its own.

    Raises:
        InputError: a negative number, or an exponent longer than stated.
    """
    bits = _bits("modulus", modulus)
    needed = _bits("exponent", exponent)
    if exponent_bits < needed:
        raise InputError(f"exponent_bits is {exponent_bits}, the exponent needs {needed}")
    return [
        Command.LOAD_KEY,
        *(bits, exponent_bits),
        *_words(modulus, bits),
        *_words(exponent, exponent_bits),
    ]


def exponentiate_request(bases: Sequence[int], bits: int = 0) -> list[int]:
    """Request to raise bases to the key's exponent, all at once.

    Args:
        bases: 1 to 256, each 0 or more.
        bits: length to state when the bases are shorter.

    Raises:
        InputError: a base is negative, or there are too few or too many.
    """
    if not 1 <= len(bases) <= _MOST_BASES:
        raise InputError(f"{len(bases)} bases are given, allowed are 1 to {_MOST_BASES}")
    bits = max(bits, *(_bits("base", base) for base in bases))
    words = [word for base in bases for word in _words(base, bits)]
    return [Command.EXPONENTIATE | len(bases) - 1 << 8, bits, *words]


def clear_request() -> list[int]:
    """Request to wipe the core."""
    return [Command.CLEAR]


def parse(packet: Sequence[int], command: Command) -> Response:
    """Take a response packet apart.

    Args:
        packet: its words.
        command: the command it must answer.

    Raises:
        ToolError: it is no response to this command after the contract.
    """
    if not packet:
        raise ToolError("the core's response is empty")
    answered, code, count = packet[0] & 0xFF, packet[0] >> 8 & 0xFF, packet[0] >> 16
    if answered != command:
        raise ToolError(f"the core answered command {answered} when command {command:d} was given")
    if count != len(packet) - 1:
        raise ToolError(f"the core's response has {len(packet) - 1} words, but says {count}")
    if code not in list(ErrorCode):
        raise ToolError(f"the core's response has the unknown error code {code}")
    return Response(answered, ErrorCode(code), tuple(packet[1:]))


def parse_info(body: Sequence[int]) -> Info:
    """Read the body of a response to `Command.INFO`.

    Raises:
        ToolError: it is none.
    """
    if len(body) != _INFO_WORDS:
        raise ToolError(f"the core's info has {len(body)} words, expected are {_INFO_WORDS}")
    name = b"".join(word.to_bytes(4, "little") for word in body[:4]).rstrip(b"\0")
    version, max_bits, timing, lanes = body[4:]
    if not name.isascii() or timing not in list(TimingClass) or lanes == 0:
        raise ToolError("the core's info makes no sense: is it a Totient core?")
    return Info(
        design=name.decode(),
        version=".".join(str(version >> shift & 0xFF) for shift in (16, 8, 0)),
        max_bits=max_bits,
        timing=TimingClass(timing),
        lanes=lanes,
    )


def parse_number(words: Sequence[int]) -> int:
    """Number of words with the least significant first."""
    return int.from_bytes(b"".join(word.to_bytes(4, "little") for word in words), "little")


def _bits(name: str, value: int) -> int:
    if value < 0:
        raise InputError(f"the {name} is negative, allowed is 0 or more")
    return value.bit_length()


def _words(value: int, bits: int) -> list[int]:
    count = -(-bits // _WORD)
    data = value.to_bytes(4 * count, "little")
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]
