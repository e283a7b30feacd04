"""Instructions of the engine's program, an assembler for them, and their bits.

An instruction is an operation of the datapath (a product, or an operation on words), arithmetic of
scalars with a jump, or something that another unit does. A scalar is a small number: a length, a
number of passes, a counter. Long numbers are in blocks of the digit memory; a pair of numbers
modulo p and q in two blocks, p's in the one that is named, which is even; a number modulo n takes
both.
"""

from collections.abc import Sequence
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

SLOT_SCALARS = 64
"""Scalars from here on are those of the key slot."""


class Action(IntEnum):
    """Operations on words (engine_pkg::word_e)."""

    ADD = 0
    SUBTRACT = 1
    DOUBLE = 2
    RESTORE = 3
    POWER = 4
    QUARTER = 5


class When(IntEnum):
    """Condition of a jump (engine_pkg::when_e)."""

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
    OVER = 12  # a number of the packet has bits set above its length
    LOOSE = 13  # the last number's highest bit is 0
    OPEN = 14  # the packet has not ended
    SHORT = 15  # more was wanted than the packet had


class Does(IntEnum):
    """What other units do; `first` and `second` are scalars (engine_pkg::does_e)."""

    SETTLE = 0  # wait until everything is written
    SCAN_LOAD = 1  # the exponents from bit `second` of word `first` on, downwards
    SCAN = 2  # their next `first` bits
    COLLECT = 3  # what the windows choose, `first` words
    FORGET = 4  # the signs of operations on words
    VALUE = 5  # what the engine was built with (`Built`)
    SLOT = 6  # `first` is the key slot from now on
    REASON = 7  # why the program was begun anew
    GET = 8  # the next word of the packet; with `pair` of a new one
    BYTE = 9  # the next byte of that word
    NUMBER = 10  # a number of `first` bits to a block, as `second` digits; gives its digits
    DRAIN = 11  # the rest of the packet
    PUT = 12  # the word {second, first} is sent; with `pair` it is the packet's last one
    PUT_CYCLES = 13  # the same of the clock cycles
    HOLD = 14  # no more clock cycles are counted
    SEND = 15  # a number of `first` bits; with `pair` it ends the packet
    RANDOM = 16  # `second` random digits to a block
    WIPE = 17  # the page that begins with the block


class Built(IntEnum):
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
    tabulate: str = ""


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
    when: When = When.NEVER
    target: str = ""


@dataclass(frozen=True)
class Other:
    """Something that another unit does, with up to two scalars; its value goes to `d`."""

    does: Does
    block: int = 0
    first: str = "zero"
    second: str = "zero"
    pair: bool = False
    d: str = "none"
    built: Built = Built.ELEMENTS


Instruction = Product | Words | Scalar | Other


class Program:
    """Instructions in order, with labels.

    Attributes:
        slot_scalars: names of scalars that each key slot has for itself; all others are for all.
    """

    def __init__(self, slot_scalars: Sequence[str] = ()) -> None:
        self.instructions: list[Instruction] = []
        self.labels: dict[str, int] = {}
        self.slot_scalars = tuple(slot_scalars)
        self._places = 0

    def label(self, name: str) -> None:
        """The next instruction has this name."""
        assert name not in self.labels, name
        self.labels[name] = len(self.instructions)

    def place(self, name: str) -> str:
        """A label that nothing else has, for a part that is used several times."""
        self._places += 1
        return f"{name}.{self._places}"

    def do(self, instruction: Instruction) -> None:
        """The next instruction."""
        self.instructions.append(instruction)

    def let(
        self,
        d: str,
        a: str,
        b: str = "zero",
        add: int = 0,
        how: Sum = Sum.PLUS,
        when: When = When.NEVER,
        target: str = "",
    ) -> None:
        """`d = a + b + add`, or as `how` says; then perhaps a jump."""
        self.do(Scalar(d, a, b, add, how, when, target))

    def down(self, counter: str, target: str) -> None:
        """Count down, and go on at the target unless it is 0 then."""
        self.let(counter, counter, add=-1, when=When.NOT_ZERO, target=target)

    def jump(self, when: When, target: str) -> None:
        """Go on elsewhere."""
        self.let("none", "zero", when=when, target=target)

    def words(
        self,
        action: Action,
        d: int,
        u: int = 0,
        v: int = 0,
        words: str = "zero",
        u_words: str = "zero",
        v_words: str = "zero",
        pair: bool = False,
        exponent: bool = False,
    ) -> None:
        """An operation on words."""
        self.do(Words(action, d, u, v, words, u_words, v_words, pair, exponent))

    def scalars(self) -> dict[str, int]:
        """Numbers of the scalars, by name, in the order in which they are used."""
        shared: dict[str, int] = {}
        slot = {name: SLOT_SCALARS + i for i, name in enumerate(self.slot_scalars)}
        for instruction in self.instructions:
            for name in _scalars_of(instruction):
                if name and name not in slot:
                    shared.setdefault(name, len(shared))
        assert len(shared) <= SLOT_SCALARS, len(shared)
        assert len(slot) <= SLOT_SCALARS, len(slot)
        return shared | slot

    def encode(self) -> list[int]:
        """The bits of each instruction (engine_pkg::instruction_t)."""
        scalars = self.scalars()
        return [self._encoded(instruction, scalars) for instruction in self.instructions]

    def _encoded(self, instruction: Instruction, scalars: dict[str, int]) -> int:
        match instruction:
            case Product() as op:
                counts = (
                    *(op.tabulate or "zero", op.ring, op.passes, op.words, op.lead),
                    *(op.a_words, op.b_words, op.t_words, op.d_words),
                )
                return _packed(
                    kind=0,
                    pair=op.pair,
                    common=op.common,
                    sync=op.sync,
                    window=op.window,
                    tabulate=bool(op.tabulate),
                    add=op.t is not None,
                    reduce=op.x is not None,
                    d=op.d,
                    a=op.a,
                    b=op.b,
                    t=op.t or 0,
                    x=op.x or 0,
                    more=_joined([scalars[name] for name in counts]),
                )
            case Words() as op:
                none = ("zero",) * 2
                counts = (*none, "zero", op.words, "zero", op.v_words, op.u_words, "zero", op.words)
                return _packed(
                    kind=0,
                    word=1,
                    pair=op.pair,
                    exponent=op.exponent,
                    action=op.action,
                    d=op.d,
                    a=op.v,
                    b=op.u,
                    more=_joined([scalars[name] for name in counts]),
                )
            case Scalar() as op:
                target = self.labels[op.target] if op.target else 0
                return _packed(
                    kind=1,
                    d=scalars[op.d],
                    a=scalars[op.a],
                    b=scalars[op.b],
                    more=(op.how << 4 | op.when) << 26 | target << 16 | op.add % (1 << 16),
                )
            case Other() as op:
                return _packed(
                    kind=2,
                    pair=op.pair,
                    d=scalars[op.d],
                    a=op.built if op.does == Does.VALUE else scalars[op.first],
                    b=scalars[op.second],
                    t=op.block,
                    more=int(op.does),
                )


def _scalars_of(instruction: Instruction) -> tuple[str, ...]:
    match instruction:
        case Product() as op:
            return (
                *("zero", op.tabulate, op.ring, op.passes, op.words, op.lead),
                *(op.a_words, op.b_words, op.t_words, op.d_words),
            )
        case Words() as op:
            return "zero", op.words, op.u_words, op.v_words
        case Scalar() as op:
            return op.d, op.a, op.b
        case Other() as op:
            return op.d, op.first, op.second


_FIELDS = (
    *(("kind", 2), ("word", 1), ("pair", 1), ("common", 1), ("sync", 1), ("window", 1)),
    *(("tabulate", 1), ("add", 1), ("reduce", 1), ("exponent", 1), ("action", 3)),
    *(("d", 7), ("a", 7), ("b", 7), ("t", 6), ("x", 6), ("more", 63)),
)
INSTRUCTION_BITS = sum(bits for _, bits in _FIELDS)
"""Of an instruction."""


def _packed(**given: int) -> int:
    value = 0
    for name, bits in _FIELDS:
        field = int(given.pop(name, 0))
        assert 0 <= field < 1 << bits, (name, field)
        value = value << bits | field
    assert not given, given
    return value


def _joined(indices: Sequence[int]) -> int:
    value = 0
    for index in indices:
        value = value << 7 | index
    return value
