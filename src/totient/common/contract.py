"""Numbers of the contract, which `make contract` writes: do not edit."""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

VERSION = 0x000100
"""Of the hardware: major, minor, patch in a byte each."""


class _Named(IntEnum):
    @property
    def words(self) -> str:
        """What it means."""
        return _WORDS[type(self)][self - min(type(self))]


class ErrorCode(_Named):
    """What became of a request."""

    OK = 0
    """Done."""
    COMMAND = 1
    """The core does not know the command."""
    PACKET_SHORT = 2
    """The request ended before its last word."""
    PACKET_LONG = 3
    """The request went on after its last word."""
    LENGTH = 4
    """A number is longer than the core or the modulus allows, or has bits above its length."""
    EXPONENT_EMPTY = 5
    """The exponent has no bits."""
    MODULUS_EVEN = 6
    """The modulus is even."""
    MODULUS_SMALL = 7
    """The modulus is 0 or 1."""
    BASE_NOT_BELOW = 8
    """The message is not below the modulus."""
    NO_KEY = 9
    """No key is loaded."""
    ABORTED = 10
    """A clear ended the operation."""
    PRIME = 11
    """A prime is even or below 3, both are the same, or they are not of the modulus."""
    PUBLIC_EXPONENT = 12
    """The public exponent is 1, even or not coprime to the totient."""
    RANDOM = 13
    """No random numbers came to the core in time."""
    FAULT = 14
    """A check in the core failed, and it released nothing."""


class Command(_Named):
    """First byte of a request and of its response."""

    INFO = 1
    """What the core is."""
    LOAD_KEY = 2
    """A modulus and an exponent."""
    EXPONENTIATE = 3
    """Bases to raise with the key that is loaded."""
    CLEAR = 4
    """Wipe keys and everything that came of them."""
    LOAD_RSA_KEY = 5
    """An RSA key: public, with d, or with its primes."""
    PRIVATE = 6
    """A private operation: blinded, checked."""
    PUBLIC = 7
    """A public operation."""
    LOAD_PAIR = 8
    """Two moduli with an exponent each."""
    SELF_TEST = 9
    """An exponentiation whose result is known."""
    RANDOM_WORDS = 10
    """Random words for an engine behind a face."""


class TimingClass(_Named):
    """What a core's time depends on."""

    EXPONENT_VALUE = 0
    """Depends on the exponent's value."""
    EXPONENT_LENGTH = 1
    """Depends on the exponent's length only."""
    OPERANDS = 2
    """Depends on the exponent and on the operands."""


class KeyForm(IntEnum):
    """Option of `LOAD_RSA_KEY`: the key's numbers."""

    PUBLIC = 0
    """With n and e."""
    EXPONENT = 1
    """With n, e and d."""
    PRIMES = 2
    """With n, e, p, q, dP, dQ and qInv."""


class PrivateOption(IntEnum):
    """Option bits of `PRIVATE`."""

    NO_BASE_BLINDING = 1
    """The message goes into the operation as it is."""
    EXPONENT_BLINDING = 2
    """The exponents modulo the primes differ in each operation; for keys with primes."""


class BusResponse(IntEnum):
    """Responses of AXI."""

    OKAY = 0
    """The access was done."""
    SLAVE_ERROR = 2
    """The register refused the access."""
    DECODE_ERROR = 3
    """There is no register or no stream."""


class FrameByte(IntEnum):
    """Bytes of a serial line that mark frames."""

    END = 192
    """Before and after a frame."""
    ESCAPE = 219
    """The next byte stands for another one."""
    ESCAPED_END = 220
    """After an escape: the byte C0."""
    ESCAPED_ESCAPE = 221
    """After an escape: the byte DB."""


class FrameVerdict(IntEnum):
    """What became of a frame on a serial line."""

    GOOD = 0
    """Taken."""
    DAMAGED = 1
    """Checksum, stop bit, escape, or not whole words."""
    TOO_LONG = 2
    """Longer than the memory for frames."""
    BUSY = 3
    """The core has not taken the previous frame."""


class Part(NamedTuple):
    """Bits of a word: the highest and the lowest one."""

    high: int
    low: int

    def of(self, word: int) -> int:
        """Its value in a word."""
        return word >> self.low & (1 << self.high - self.low + 1) - 1

    def put(self, value: int) -> int:
        """A word that has the value there, and 0 elsewhere.

        Raises:
            ValueError: it has more bits.
        """
        if not 0 <= value < 1 << self.high - self.low + 1:
            raise ValueError(f"{value} has no room in bits {self.high} to {self.low}")
        return value << self.low


class Request:
    """Parts of the first word of a request."""

    COMMAND = Part(7, 0)
    OPTION = Part(15, 8)
    SLOT = Part(23, 16)


class Response:
    """Parts of the first word of a response."""

    COMMAND = Part(7, 0)
    ERROR = Part(15, 8)
    WORDS = Part(31, 16)


class Access:
    """Parts of the word that asks for an access to an IP at the end of a line."""

    ADDRESS = Part(15, 0)
    LANES = Part(19, 16)
    STREAM = Part(30, 30)
    WRITE = Part(31, 31)


class AccessStatus:
    """Parts of the word that answers an access."""

    RESPONSE = Part(1, 0)
    INTERRUPT_LEVEL = Part(8, 8)


MAX_BITS = 4096
"""Of a modulus."""

MIN_RSA_BITS = 512
"""Of the modulus of an RSA key of the engine."""

MIN_PRIME_BITS = 64
"""Of each of its primes."""

LONGER_HALF_BITS = 8
"""That a prime, or a modulus of a pair, may have above half the maximum."""

NAME_BYTES = 16
"""Of a design's name in the info packet."""

RANDOM_WORD_DIGIT_BITS = 17
"""Of a digit of the engine, at least: a random word each."""

_WORDS: Mapping[type[IntEnum], Sequence[str]] = {
    ErrorCode: (
        "done",
        "the core does not know the command",
        "the request ended before its last word",
        "the request went on after its last word",
        "a number is longer than the core or the modulus allows, or has bits above its length",
        "the exponent has no bits",
        "the modulus is even",
        "the modulus is 0 or 1",
        "the message is not below the modulus",
        "no key is loaded",
        "a clear ended the operation",
        "a prime is even or below 3, both are the same, or they are not of the modulus",
        "the public exponent is 1, even or not coprime to the totient",
        "no random numbers came to the core in time",
        "a check in the core failed, and it released nothing",
    ),
    Command: (
        "what the core is",
        "a modulus and an exponent",
        "bases to raise with the key that is loaded",
        "wipe keys and everything that came of them",
        "an RSA key: public, with d, or with its primes",
        "a private operation: blinded, checked",
        "a public operation",
        "two moduli with an exponent each",
        "an exponentiation whose result is known",
        "random words for an engine behind a face",
    ),
    TimingClass: (
        "depends on the exponent's value",
        "depends on the exponent's length only",
        "depends on the exponent and on the operands",
    ),
}
