"""The engine's instruction set, which `make contract` writes: do not edit."""

from collections.abc import Mapping

from totient.common.codes import Code

QUOTIENT_DELAY = 5
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
    "pair": 1,
    "common": 1,
    "sync": 1,
    "window": 1,
    "table_write": 1,
    "add": 1,
    "reduce": 1,
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


class Kind(Code):
    """Kinds of instruction_set.toml."""

    PRODUCT = 0, "an operation of the datapath"
    WORDS = 1, "an operation of the datapath on words"
    SCALAR = 2, "d = a + b + add or a - b + add; then perhaps a jump"
    UNIT = 3, "of another unit with scalars a and b and block t; its value goes to d"


class WordOp(Code):
    """Word operations of instruction_set.toml."""

    ADD = 0, "u + v"
    SUBTRACT = 1, "u - v"
    DOUBLE = 2, "2 u - v, or 2 u + v where the last result was negative"
    RESTORE = 3, "u + v where the last result was negative, else u"
    POWER = 4, "1 as the word that the length of A names, else 0"
    QUARTER = 5, "r/4 as the word that the length of A names, else 0"


class Sum(Code):
    """Sums of instruction_set.toml."""

    PLUS = 0, "a + b"
    MINUS = 1, "a - b"
    COMMON = 2, "a + b; 0 if the lowest 4 bits of a and b have no 1 in common"


class Cond(Code):
    """Conditions of instruction_set.toml."""

    NEVER = 0, "no jump"
    ALWAYS = 1, "in any case"
    ZERO = 2, "the scalar that was computed is 0"
    NOT_ZERO = 3, "the scalar is not 0"
    NEGATIVE = 4, "the scalar is negative"
    NOT_NEGATIVE = 5, "the scalar is not negative"
    BIT = 6, "the lowest bit of stream 0's window is 1"
    SIGN_0 = 7, "stream 0's last operation on words gave a negative number"
    SIGN_1 = 8, "the same of stream 1"
    EQUAL = 9, "stream 0's last operation on words gave 0"
    EVEN = 10, "the number that was read last is even"
    SMALL = 11, "the number that was read last is 0 or 1"
    LENGTH_EXCEEDED = 12, "a number of the packet has bits above its length"
    MSB_CLEAR = 13, "the highest bit of the number that was read last is 0"
    OPEN = 14, "the packet has not ended"
    SHORT = 15, "more was asked for than the packet has"


class UnitOp(Code):
    """Unit operations of instruction_set.toml."""

    WAIT_IDLE = 0, "wait until everything is written"
    SCAN_LOAD = 1, "the exponents from bit b of word a on, downwards"
    SCAN = 2, "their next a bits"
    TABLE_GATHER = 3, "what the windows choose, a words"
    CLEAR_SIGNS = 4, "the signs of operations on words"
    VALUE = 5, "number a of what the engine was built with"
    RING = 6, "elements of ring a: 1 is the shortest, 0 and what is not there the whole one"
    SLOT = 7, "a is the key slot from now on; with pair its secret numbers are read as 0"
    READ_RESTART_CAUSE = (
        8,
        "why the program began anew, an error; with pair whether a request lacks its answer",
    )
    GET = 9, "the next word of the packet; with pair of a new one"
    BYTE = 10, "the next byte of that word, from the lowest one on"
    NUMBER = 11, "a number of a bits to a block, as b digits; gives its digits"
    DRAIN = 12, "the rest of the packet"
    PUT = 13, "the word {b, a} is sent; with pair it is the packet's last one"
    PUT_CYCLES = 14, "the same of the clock cycles"
    STOP_TIMER = 15, "no more clock cycles are counted"
    SEND = 16, "a number of a bits, of the result; with pair it ends the packet, and has the digest"
    RANDOM = 17, "b random digits to a block"
    WIPE = 18, "the page that begins with the block; with pair the random words, too"
    DIGEST = 19, "a number of a bits is read for the digest; with pair it is compared, as b digits"


class BuildParameter(Code):
    """Build parameters of instruction_set.toml."""

    DIGIT_BITS = 0, "of a digit"
    MAX_BITS = 1, "of a modulus"
    SLOTS = 2, "for keys"
    ROUND = 3, "16 / gcd(16, digit bits)"
    ROUND_DOUBLINGS = 4, "digit bits round / 16"
    VERSION = 5, "of the hardware, the lowest 16 bits"
    VERSION_HIGH = 6, "the other ones"
    BLOCK_WORDS = 7, "of a block of the digit memory"
    HALF_BITS = 8, "of a modulus of a pair"
