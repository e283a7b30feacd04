"""Instructions of the engine's program, an assembler for them, and their bits.

An instruction is an operation of the datapath (a product, or an operation on words), arithmetic of
scalars with a jump, or something that another unit does. A scalar is a small number: a length, a
number of passes, a counter. Long numbers are in blocks of the digit memory; a pair of numbers
modulo p and q in two blocks, p's in the one that is named, which is even; a number modulo n takes
both.
"""

from dataclasses import dataclass
from enum import IntEnum

QUOTIENT_DELAY = 6
"""Words from a quotient digit to the first word of its product (engine_pkg::QuotientDelay)."""

WINDOW_BITS = 5
"""Bits of an exponent's window (engine_pkg::WindowBits)."""

SCALAR_BITS = 16
"""Of a scalar (engine_pkg::ScalarBits)."""

KEY = 32
"""Blocks from here on lie in the page of the key slot."""

FIRST_SLOT_SCALAR = 64
"""Scalars from here on are those of the key slot."""


class Action(IntEnum):
    """Operations on words (engine_pkg::word_e)."""

    ADD = 0
    SUBTRACT = 1
    DOUBLE = 2
    RESTORE = 3
    POWER = 4
    QUARTER = 5


class Cond(IntEnum):
    """Cond of a jump (engine_pkg::when_e)."""

    NEVER = 0
    ALWAYS = 1
    ZERO = 2  # the scalar that was computed
    NOT_ZERO = 3
    NEGATIVE = 4
    NOT_NEGATIVE = 5
    BIT = 6  # the lowest bit of stream 0's window is 1
    SIGN_0 = 7  # stream 0's last operation on words gave a negative number
    SIGN_1 = 8
    EQUAL = 9  # it gave 0, in stream 0
    EVEN = 10  # the last number that was read
    SMALL = 11  # it is 0 or 1
    LENGTH_EXCEEDED = 12  # a number of the packet has bits set above its length
    MSB_CLEAR = 13  # the last number's highest bit is 0
    OPEN = 14  # the packet has not ended
    SHORT = 15  # more was wanted than the packet had


class UnitOp(IntEnum):
    """What other units do; `first` and `second` are scalars (engine_pkg::does_e)."""

    WAIT_IDLE = 0  # wait until everything is written
    SCAN_LOAD = 1  # the exponents from bit `second` of word `first` on, downwards
    SCAN = 2  # their next `first` bits
    TABLE_GATHER = 3  # what the windows choose, `first` words
    CLEAR_SIGNS = 4  # the signs of operations on words
    VALUE = 5  # what the engine was built with (`BuildParameter`)
    SLOT = 6  # `first` is the key slot from now on
    READ_RESTART_CAUSE = 7  # why the program was begun anew
    GET = 8  # the next word of the packet; with `pair` of a new one
    BYTE = 9  # the next byte of that word
    NUMBER = 10  # a number of `first` bits to a block, as `second` digits; gives its digits
    DRAIN = 11  # the rest of the packet
    PUT = 12  # the word {second, first} is sent; with `pair` it is the packet's last one
    PUT_CYCLES = 13  # the same of the clock cycles
    STOP_TIMER = 14  # no more clock cycles are counted
    SEND = 15  # a number of `first` bits; with `pair` it ends the packet
    RANDOM = 16  # `second` random digits to a block
    WIPE = 17  # the page that begins with the block


class BuildParameter(IntEnum):
    """What an engine was built with."""

    ELEMENTS = 0
    SHORT_ELEMENTS = 1
    DIGIT_BITS = 2
    MAX_BITS = 3
    SLOTS = 4
    ROUND = 5  # 16 / gcd(16, DIGIT_BITS)
    ROUND_DOUBLINGS = 6  # DIGIT_BITS ROUND / 16
    VERSION = 7
    VERSION_HIGH = 8
    BLOCK_WORDS = 9
    HALF_BITS = 10  # longest modulus of a pair


@dataclass(frozen=True)
class Product:
    """`d = (t r^lead + a b r^lead + q M~) / r^steps`; lengths are names of scalars.

    `ring` says whether the ring is short. With `common`, both streams have the same `a`. With
    `window`, `a` is what the window unit has collected.
    """

    d: int
    a: int
    b: int
    passes: str
    words: str
    a_words: str
    b_words: str
    d_words: str
    x: int | None = None
    t: int | None = None
    t_words: str = "zero"
    lead: str = "zero"
    pair: bool = False
    ring: str = "prime_short"
    common: bool = False
    sync: bool = False
    window: bool = False
    table_write: str = ""


@dataclass(frozen=True)
class Words:
    """`d = u + v` and the like, word by word."""

    action: Action
    d: int
    u: int
    v: int
    words: str
    u_words: str
    v_words: str
    pair: bool = False
    exponent: bool = False


class Sum(IntEnum):
    """Arithmetic of scalars (engine_pkg::sum_e)."""

    PLUS = 0
    MINUS = 1
    COMMON = 2  # `a + b`; it counts as 0 when their lowest 4 bits have no 1 in common


@dataclass(frozen=True)
class Scalar:
    """`d = a + b + add`, or as `how` says; then perhaps a jump."""

    d: str
    a: str
    b: str = "zero"
    add: int = 0
    how: Sum = Sum.PLUS
    when: Cond = Cond.NEVER
    target: str = ""


@dataclass(frozen=True)
class Unit:
    """Something that another unit does, with up to two scalars; its value goes to `d`."""

    does: UnitOp
    block: int = 0
    first: str = "zero"
    second: str = "zero"
    pair: bool = False
    d: str = "none"
    built: BuildParameter = BuildParameter.ELEMENTS


Instruction = Product | Words | Scalar | Unit
