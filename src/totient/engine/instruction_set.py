"""The engine's instruction set, which `make contract` writes: do not edit."""

from collections.abc import Mapping
from enum import IntEnum

QUOTIENT_DELAY = 6
"""Words from a quotient digit to its product."""

COUNT_BITS = 10
"""Of a number of words or of passes."""

BLOCK_BITS = 7
"""Of a block's number."""

PAGE_BLOCK_BITS = 5
"""Of a block's number in its page."""

WINDOW_BITS = 5
"""Of an exponent's window."""

SCALAR_BITS = 16
"""Of a scalar: a length, a counter."""

INDEX_BITS = 7
"""Of a scalar's number; a key has the upper half."""

COUNTS = 9
"""Scalars of an operation."""

TARGET_BITS = 10
"""Of an instruction's place."""

INSTRUCTION: Mapping[str, int] = {
    "kind": 2,
    "word": 1,
    "pair": 1,
    "common": 1,
    "sync": 1,
    "window": 1,
    "table_write": 1,
    "add": 1,
    "reduce": 1,
    "exponent": 1,
    "action": 3,
    "d": 7,
    "a": 7,
    "b": 7,
    "t": 6,
    "x": 6,
}
"""Fields of an instruction from the highest on, with their bits; then scalars."""

IMMEDIATE: Mapping[str, int] = {"sum": 2, "condition": 4, "target": 10, "add": 16}
"""The same of what an instruction that is no operation has in place of the scalars."""


class Kind(IntEnum):
    """Kinds of engine.toml."""

    OPERATION = 0
    """Of the datapath."""
    SCALAR = 1
    """D = a + b + add or a - b + add; then perhaps a jump."""
    UNIT = 2
    """Of another unit with scalars a and b and block t; its value goes to d."""


class WordOp(IntEnum):
    """Word operations of engine.toml."""

    ADD = 0
    """U + v."""
    SUBTRACT = 1
    """U - v."""
    DOUBLE = 2
    """2 u - v, or 2 u + v where the last result was negative."""
    RESTORE = 3
    """U + v where the last result was negative, else u."""
    POWER = 4
    """1 as the word that the length of A names, else 0."""
    QUARTER = 5
    """R/4 as the word that the length of A names, else 0."""


class Sum(IntEnum):
    """Sums of engine.toml."""

    PLUS = 0
    """A + b."""
    MINUS = 1
    """A - b."""
    COMMON = 2
    """A + b; 0 if the lowest 4 bits of a and b have no 1 in common."""


class Cond(IntEnum):
    """Conditions of engine.toml."""

    NEVER = 0
    """No jump."""
    ALWAYS = 1
    """In any case."""
    ZERO = 2
    """The scalar that was computed is 0."""
    NOT_ZERO = 3
    """The scalar is not 0."""
    NEGATIVE = 4
    """The scalar is negative."""
    NOT_NEGATIVE = 5
    """The scalar is not negative."""
    BIT = 6
    """The lowest bit of stream 0's window is 1."""
    SIGN_0 = 7
    """Stream 0's last operation on words gave a negative number."""
    SIGN_1 = 8
    """The same of stream 1."""
    EQUAL = 9
    """Stream 0's last operation on words gave 0."""
    EVEN = 10
    """The number that was read last is even."""
    SMALL = 11
    """The number that was read last is 0 or 1."""
    LENGTH_EXCEEDED = 12
    """A number of the packet has bits above its length."""
    MSB_CLEAR = 13
    """The highest bit of the number that was read last is 0."""
    OPEN = 14
    """The packet has not ended."""
    SHORT = 15
    """More was asked for than the packet has."""


class UnitOp(IntEnum):
    """Unit operations of engine.toml."""

    WAIT_IDLE = 0
    """Wait until everything is written."""
    SCAN_LOAD = 1
    """The exponents from bit b of word a on, downwards."""
    SCAN = 2
    """Their next a bits."""
    TABLE_GATHER = 3
    """What the windows choose, a words."""
    CLEAR_SIGNS = 4
    """The signs of operations on words."""
    VALUE = 5
    """Number a of what the engine was built with."""
    SLOT = 6
    """A is the key slot from now on."""
    READ_RESTART_CAUSE = 7
    """Why the program was begun anew, an error; 0 after reset."""
    GET = 8
    """The next word of the packet; with pair of a new one."""
    BYTE = 9
    """The next byte of that word."""
    NUMBER = 10
    """A number of a bits to a block, as b digits; gives its digits."""
    DRAIN = 11
    """The rest of the packet."""
    PUT = 12
    """The word {b, a} is sent; with pair it is the packet's last one."""
    PUT_CYCLES = 13
    """The same of the clock cycles."""
    STOP_TIMER = 14
    """No more clock cycles are counted."""
    SEND = 15
    """A number of a bits; with pair it ends the packet."""
    RANDOM = 16
    """B random digits to a block."""
    WIPE = 17
    """The page that begins with the block."""


class BuildParameter(IntEnum):
    """Build parameters of engine.toml."""

    ELEMENTS = 0
    """Of the ring."""
    SHORT_ELEMENTS = 1
    """Of its short part."""
    DIGIT_BITS = 2
    """Of a digit."""
    MAX_BITS = 3
    """Of a modulus."""
    SLOTS = 4
    """For keys."""
    ROUND = 5
    """16 / gcd(16, digit bits)."""
    ROUND_DOUBLINGS = 6
    """Digit bits round / 16."""
    VERSION = 7
    """Of the hardware, the lowest 16 bits."""
    VERSION_HIGH = 8
    """The other ones."""
    BLOCK_WORDS = 9
    """Of a block of the digit memory."""
    HALF_BITS = 10
    """Of a modulus of a pair."""
