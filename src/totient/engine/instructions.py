"""Instructions of the engine's program, an assembler for them, and their bits.

An instruction is an operation of the datapath (a product, or an operation on words), arithmetic of
scalars with a jump, or an operation of another unit. A scalar is a small number: a length, a
number of passes, a counter. Long numbers are in blocks of the digit memory. A pair of numbers
modulo p and q takes two blocks; p's is the named one, with an even number. A number modulo n takes
both.
"""

from dataclasses import dataclass

from totient.engine.instruction_set import (
    INDEX_BITS,
    PAGE_BLOCK_BITS,
    QUOTIENT_DELAY,
    WINDOW_BITS,
    BuildParameter,
    Cond,
    Sum,
    UnitOp,
    WordOp,
)

KEY = 1 << PAGE_BLOCK_BITS
"""First block in the page of the key slot."""

FIRST_SLOT_SCALAR = 1 << INDEX_BITS - 1
"""First scalar of the key slot."""

LEAST_WORDS = QUOTIENT_DELAY + 1
"""Of an operation on words, and least positions of a product (`engine_issue.sv`)."""

TABLE_ENTRIES = 1 << WINDOW_BITS
"""Of the table of powers. The window unit takes the number of an entry modulo it."""


@dataclass(frozen=True)
class Product:
    """`d = (t r^lead + a b r^lead + q M~) / r^steps`. Lengths are names of scalars.

    `ring` names the number of a ring. With `common`, both streams have the same `a`. With
    `window`, `a` is the power collected by the window unit.
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
    ring: str = "prime_ring"
    common: bool = False
    sync: bool = False
    window: bool = False
    table_write: str = ""

    @property
    def scalars(self) -> tuple[str, ...]:
        """Names of its scalars, as they are encoded."""
        return (
            *(self.table_write or "zero", self.ring, self.passes, self.words, self.lead),
            *(self.a_words, self.b_words, self.t_words, self.d_words),
        )


@dataclass(frozen=True)
class Words:
    """`d = u + v` and the like, word by word."""

    action: WordOp
    d: int
    u: int = 0
    v: int = 0
    words: str = "zero"
    u_words: str = "zero"
    v_words: str = "zero"
    pair: bool = False
    exponent: bool = False

    @property
    def scalars(self) -> tuple[str, ...]:
        """As of a product."""
        counts = (self.words, "zero", self.v_words, self.u_words, "zero", self.words)
        return ("zero", "zero", "zero", *counts)


@dataclass(frozen=True)
class Scalar:
    """`d = a + b + add`, or according to `how`; then an optional jump."""

    d: str
    a: str
    b: str = "zero"
    add: int = 0
    how: Sum = Sum.PLUS
    when: Cond = Cond.NEVER
    target: str = ""

    @property
    def scalars(self) -> tuple[str, ...]:
        """Names of its scalars."""
        return self.d, self.a, self.b


@dataclass(frozen=True)
class Unit:
    """An operation of another unit, with up to two scalars. Its value goes to `d`."""

    does: UnitOp
    block: int = 0
    first: str = "zero"
    second: str = "zero"
    pair: bool = False
    d: str = "none"
    built: BuildParameter = BuildParameter.DIGIT_BITS

    @property
    def scalars(self) -> tuple[str, ...]:
        """Names of its scalars."""
        return self.d, self.first, self.second


Instruction = Product | Words | Scalar | Unit
