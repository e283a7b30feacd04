"""The engine's program: what its control reads from its memory, instruction by instruction.

`engine_machine.py` runs it on integers, which is the specification of the hardware.

An instruction is an operation of the datapath (a product, or an operation on words), arithmetic of
scalars with a jump, or something that another unit does. A scalar is a small number: a length, a
number of passes, a counter. Long numbers are in blocks of the digit memory; a pair of numbers
modulo p and q in two blocks, p's in the one that is named, which is even; a number modulo n takes
both. docs/engine.md has the algorithms.
"""

from dataclasses import dataclass
from enum import IntEnum

QUOTIENT_DELAY = 6
"""Words from a quotient digit to the first word of its product (engine_pkg::QuotientDelay)."""

DIVIDED = QUOTIENT_DELAY + 1
"""Digits of the exact division that comes from below 2 M~ to below 2 M."""

WINDOW_BITS = 5


class Action(IntEnum):
    """Operations on words (engine_pkg::word_e)."""

    ADD = 0
    SUBTRACT = 1
    DOUBLE = 2
    RESTORE = 3
    POWER = 4
    QUARTER = 5


class When(IntEnum):
    """Condition of a jump."""

    NEVER = 0
    ALWAYS = 1
    ZERO = 2  # the scalar that was computed
    NOT_ZERO = 3
    NEGATIVE = 4
    NOT_NEGATIVE = 5
    BIT = 6  # the lowest bit of stream 0's window is 1


class Does(IntEnum):
    """What other units do; `first` and `second` are scalars."""

    SETTLE = 0  # wait until everything is written
    SCAN_LOAD = 1  # the exponents from bit `second` of word `first` on, downwards
    SCAN = 2  # their next `first` bits
    COLLECT = 3  # what the windows choose, `first` words
    FORGET_SIGNS = 4
    RANDOM = 5  # `second` random words into a block, zeros up to `first`


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
    """Arithmetic of scalars."""

    PLUS = 0
    MINUS = 1
    AND = 2


@dataclass(frozen=True)
class Scalar:
    """`d = (a + b, a - b or a and b) + add`; then perhaps a jump."""

    d: str
    a: str
    b: str = "zero"
    add: int = 0
    how: Sum = Sum.PLUS
    when: When = When.NEVER
    target: str = ""


@dataclass(frozen=True)
class Other:
    """Something that another unit does, with up to two scalars."""

    does: Does
    block: int = 0
    first: str = "zero"
    second: str = "zero"
    pair: bool = False


Instruction = Product | Words | Scalar | Other


@dataclass(frozen=True)
class Kind:
    """Numbers modulo a pair of primes or modulo n: where their modulus' constants are, and lengths.

    Attributes:
        name: of the scalars.
        pair: two streams.
        m, x, k, q: blocks of the modulus, of X, of what enters Montgomery's form, of -1/M.
    """

    name: str
    pair: bool
    m: int
    x: int
    k: int
    q: int

    def __getattr__(self, scalar: str) -> str:
        """Name of a scalar of this kind."""
        if scalar.startswith("_"):
            raise AttributeError(scalar)
        return f"{self.name}_{scalar}"


# Blocks; those of the key lie in the key's own page.
KEY = 64
C, C_AGAIN, ACC, PARTIAL, V, U, BASE, RANDOM_BASE, G, AFTER, RESULT, ONE, TWO = range(0, 26, 2)
PRIMES = Kind("prime", True, KEY + 0, KEY + 2, KEY + 4, KEY + 6)
EXPONENT = KEY + 8
WHOLE = Kind("whole", False, KEY + 10, KEY + 12, KEY + 14, KEY + 16)
FIRST, SECOND, Q_INVERSE, PUBLIC = KEY + 18, KEY + 20, KEY + 22, KEY + 24


class Program:
    """Instructions in order, with labels."""

    def __init__(self) -> None:
        self.instructions: list[Instruction] = []
        self.labels: dict[str, int] = {}

    def label(self, name: str) -> None:
        """The next instruction has this name."""
        assert name not in self.labels, name
        self.labels[name] = len(self.instructions)

    def do(self, instruction: Instruction) -> None:
        """The next instruction."""
        self.instructions.append(instruction)

    # Scalars.

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

    # Products.

    def multiply(self, kind: Kind, d: int, a: int, b: int, **more: object) -> None:
        """`d = a b / R mod M~`."""
        given = {
            "passes": kind.passes,
            "words": kind.positions,
            "a_words": kind.words,
            "b_words": kind.words,
            "d_words": kind.words,
            "x": kind.x,
            "pair": kind.pair,
            "ring": kind.short,
        }
        self.do(Product(d, a, b, **{**given, **more}))  # type: ignore[arg-type]

    def enter(self, kind: Kind, d: int, a: int, a_words: str, **more: object) -> None:
        """`d = a R mod M~` of a number as long as n at most, the same for both streams."""
        given = {"passes": kind.entering, "a_words": a_words, "common": True, **more}
        self.multiply(kind, d, a, kind.k, **given)

    def low(self, kind: Kind, d: int, a: int, b: int) -> None:
        """`d = a b mod r^DIVIDED`."""
        self.do(
            Product(
                *(d, a, b, "small_passes", "low_positions"),
                *("divided", "divided", "divided"),
                lead="small_steps",
                pair=kind.pair,
                ring="small_short",
            )
        )

    def reduce(self, kind: Kind, d: int, v: int) -> None:
        """`d = v / r^DIVIDED mod M`, below M; v below 2 M~. Uses U."""
        self.low(kind, U, kind.q, v)
        self.do(
            Product(
                *(d, U, kind.m, "small_passes", kind.divide_positions),
                *("divided", kind.digits, kind.words),
                t=v,
                t_words=kind.words,
                lead="divide_lead",
                pair=kind.pair,
                ring="small_short",
            )
        )
        longer = kind.digits_and_one
        for action in (Action.SUBTRACT, Action.RESTORE):
            self.words(action, d, d, kind.m, longer, longer, kind.digits, kind.pair)

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


def lengths(p: Program, kind: Kind) -> None:
    """All lengths of a kind, from its `digits` and from those of n, `whole_digits`."""
    name = kind.name
    p.let(kind.words, kind.digits, add=QUOTIENT_DELAY)
    p.let(kind.digits_and_one, kind.digits, add=1)
    # The short part of the ring serves where a product is one pass of it.
    p.let(kind.ring, "elements")
    p.let(kind.short, "zero")
    target = f"{name}_has_ring"
    p.let("none", "short_elements", kind.words, how=Sum.MINUS, when=When.NEGATIVE, target=target)
    p.let(kind.ring, "short_elements")
    p.let(kind.short, "one")
    p.label(target)
    # A pass has at least as many positions as steps, and one more than words.
    p.let(kind.positions, kind.words, add=1)
    target = f"{name}_has_positions"
    p.let("none", kind.positions, kind.ring, how=Sum.MINUS, when=When.NOT_NEGATIVE, target=target)
    p.let(kind.positions, kind.ring)
    p.label(target)
    # Steps: as many as words, in whole passes. What enters takes as many as n has digits, and in
    # whole rounds, so that four squarings make the power of two that is wanted. Modulo n they are
    # the same.
    if kind.pair:
        passes_of(p, kind.passes, kind.steps, kind.words, kind.ring, rounds=False)
        passes_of(p, kind.entering, kind.entering_steps, "whole_digits", kind.ring, rounds=True)
    else:
        passes_of(p, kind.passes, kind.steps, kind.words, kind.ring, rounds=True)
        p.let(kind.entering, kind.passes)
        p.let(kind.entering_steps, kind.steps)
    p.let(kind.divide_positions, "divide_lead", kind.words, add=1)
    p.let(kind.inverse_positions, "inverse_lead", kind.words, add=1)


def passes_of(p: Program, passes: str, steps: str, least: str, ring: str, rounds: bool) -> None:
    """Passes, less one, and their steps, so that there are as many as `least`."""
    p.let(passes, "zero", add=-1)
    p.let(steps, "zero")
    p.label(f"{passes}_more")
    p.let(passes, passes, add=1)
    p.let(steps, steps, ring)
    target = f"{passes}_more"
    p.let("none", steps, least, how=Sum.MINUS, when=When.NEGATIVE, target=target)
    if rounds:
        p.let("none", steps, "round_mask", how=Sum.AND, when=When.NOT_ZERO, target=target)


def constants(p: Program, kind: Kind) -> None:
    """X, K and Q of a kind, from M. Uses V, U, ACC."""
    name, pair = kind.name, kind.pair
    # Q = -1/M mod r^DIVIDED: -M has three right bits, each step doubles them.
    p.words(Action.SUBTRACT, kind.q, v=kind.m, words="divided", v_words="divided", pair=pair)
    p.let("count", "zero", add=6)
    p.label(f"{name}_newton")
    p.low(kind, V, kind.m, kind.q)
    p.words(Action.ADD, V, V, TWO, "divided", "divided", "one", pair)
    p.low(kind, kind.q, kind.q, V)
    p.down("count", f"{name}_newton")
    # X = (Q M + 1) / r^QUOTIENT_DELAY.
    p.do(
        Product(
            *(kind.x, kind.q, kind.m, "small_passes", kind.inverse_positions),
            *("quotient_delay", kind.digits, kind.words),
            t=ONE,
            t_words="one",
            lead="inverse_lead",
            pair=pair,
            ring="small_short",
        )
    )
    # K = r^entering_steps R mod M. From 2^(Bits (digits - 2) - 2), which is below M, by doubling to
    # 2^g R with 16 g = Bits (entering_steps + 8), and squaring four times; a product with
    # r^(steps - 1) takes one digit away again, the reduction the other DIVIDED.
    p.let("count", kind.digits, add=-3)
    p.words(Action.QUARTER, ACC, words=kind.words, v_words="count", pair=pair)
    p.do(Other(Does.FORGET_SIGNS))
    p.let("count", "zero", add=2)
    p.let("left", kind.steps, kind.digits, add=2, how=Sum.MINUS)
    p.label(f"{name}_bits")
    p.let("count", "count", "digit_bits")
    p.down("left", f"{name}_bits")
    p.let("left", kind.entering_steps, add=8)
    p.label(f"{name}_grow")
    p.let("count", "count", "round_doublings")
    p.let("left", "left", "round", how=Sum.MINUS, when=When.NOT_ZERO, target=f"{name}_grow")
    longer = kind.digits_and_one
    p.label(f"{name}_double")
    p.words(Action.DOUBLE, ACC, ACC, kind.m, longer, longer, kind.digits, pair)
    p.down("count", f"{name}_double")
    p.words(Action.RESTORE, ACC, ACC, kind.m, longer, longer, kind.digits, pair)
    for _ in range(4):
        p.multiply(kind, ACC, ACC, ACC)
    p.let("count", kind.steps, add=-1)
    p.words(Action.POWER, V, words=kind.steps, v_words="count", pair=pair)
    p.multiply(kind, ACC, V, ACC, a_words=kind.steps)
    p.reduce(kind, kind.k, ACC)


def recombination(p: Program) -> None:
    """FIRST and SECOND: q qInv and 1 - q qInv mod n, with factors that leave Montgomery's form."""
    kind = WHOLE
    p.enter(kind, ACC, PRIMES.m + 1, PRIMES.digits)
    p.multiply(kind, ACC, Q_INVERSE, ACC, a_words=PRIMES.digits)  # C1
    p.words(Action.POWER, V, words=kind.words, v_words="twice_divided")
    p.enter(kind, V, V, kind.words)
    p.multiply(kind, ACC, ACC, V)
    p.reduce(kind, RESULT, ACC)  # C1 r^DIVIDED
    p.words(Action.POWER, V, words=kind.words, v_words="divided")
    longer = kind.digits_and_one
    p.words(Action.SUBTRACT, SECOND, V, RESULT, longer, longer, kind.digits)
    p.words(Action.RESTORE, SECOND, SECOND, kind.m, longer, longer, kind.digits)
    p.words(Action.ADD, SECOND, SECOND, words=kind.words, u_words=kind.digits)
    p.words(Action.POWER, V, words=kind.words, v_words=PRIMES.steps)
    p.enter(kind, V, V, kind.words)
    p.multiply(kind, FIRST, RESULT, V)


def power_public(p: Program, kind: Kind, d: int, a: int, label: str) -> None:
    """`d = a^(e - 1)` for an odd e, bit by bit from where it is scanned, below its highest one."""
    p.words(Action.ADD, d, a, words=kind.words, u_words=kind.words, pair=kind.pair)
    p.let("count", "public_bits", add=-1)
    p.label(f"{label}_bit")
    p.multiply(kind, d, d, d)
    p.do(Other(Does.SCAN, first="one"))
    p.let("count", "count", add=-1, when=When.ZERO, target=f"{label}_end")
    p.jump(When.BIT, f"{label}_one")
    p.jump(When.ALWAYS, f"{label}_bit")
    p.label(f"{label}_one")
    p.multiply(kind, d, a, d)
    p.jump(When.ALWAYS, f"{label}_bit")
    p.label(f"{label}_end")


def power_windows(p: Program, kind: Kind, label: str) -> None:
    """`ACC = BASE^exponent` in Montgomery's form, by windows from the place that is scanned.

    `first_bits` are in the first window, `windows` is how many there are. Uses U.
    """
    p.enter(kind, U, ONE, "one", tabulate="zero")
    p.let("entry", "one")
    p.multiply(kind, ACC, U, BASE, tabulate="entry")
    p.label(f"{label}_table")
    p.let("entry", "entry", add=1)
    p.multiply(kind, ACC, BASE, ACC, tabulate="entry")
    p.let("none", "entry", add=1 - (1 << WINDOW_BITS), when=When.NEGATIVE, target=f"{label}_table")
    p.do(Other(Does.SETTLE))
    p.do(Other(Does.SCAN, first="first_bits"))
    p.do(Other(Does.COLLECT, first=kind.words, pair=kind.pair))
    p.multiply(kind, ACC, 0, U, window=True)
    p.let("count", "windows", add=-1, when=When.ZERO, target=f"{label}_end")
    p.label(f"{label}_window")
    p.do(Other(Does.SCAN, first="window_bits"))
    p.do(Other(Does.COLLECT, first=kind.words, pair=kind.pair))
    for _ in range(WINDOW_BITS):
        p.multiply(kind, ACC, ACC, ACC)
    p.multiply(kind, ACC, 0, ACC, window=True)
    p.down("count", f"{label}_window")
    p.label(f"{label}_end")


def scan(p: Program, kind: Kind, block: int, words: str, place: str, bits: str) -> None:
    """The exponents in a block are scanned from a place on."""
    p.words(Action.ADD, V, block, words=words, u_words=words, pair=kind.pair, exponent=True)
    p.do(Other(Does.SETTLE))
    p.do(Other(Does.SCAN_LOAD, first=place, second=bits))


def blinded(p: Program, kind: Kind, label: str) -> None:
    """BASE = c r^e and AFTER = c r^(e - 1) for c in BASE and a random r."""
    p.do(Other(Does.RANDOM, RANDOM_BASE, kind.words, kind.random_words, pair=kind.pair))
    scan(p, kind, PUBLIC, "public_words", "public_place", "public_top")
    power_public(p, kind, G, RANDOM_BASE, label)
    p.multiply(kind, AFTER, G, BASE)
    p.multiply(kind, U, G, RANDOM_BASE)
    p.multiply(kind, BASE, U, BASE)


def leave(p: Program, d: int, a: int) -> None:
    """`d = a / R mod n`, below n. Uses V, U."""
    p.words(Action.POWER, V, words=WHOLE.words, v_words="divided")
    p.multiply(WHOLE, V, a, V)
    p.reduce(WHOLE, d, V)


def private_crt(p: Program) -> None:
    """RESULT = C^d mod n by the primes, checked."""
    p.enter(PRIMES, BASE, C, WHOLE.digits)
    blinded(p, PRIMES, "blind_primes")
    scan(p, PRIMES, EXPONENT, PRIMES.digits, "prime_place", "prime_top")
    power_windows(p, PRIMES, "primes")
    p.multiply(PRIMES, ACC, AFTER, ACC)
    half = {"passes": PRIMES.passes, "ring": PRIMES.short, "a_words": PRIMES.words}
    p.multiply(WHOLE, G, ACC, FIRST, sync=True, **half)
    p.multiply(WHOLE, G, ACC + 1, SECOND, t=G, t_words=WHOLE.words, **half)
    p.reduce(WHOLE, RESULT, G)
    checked(p)


def checked(p: Program) -> None:
    """RESULT^e mod n in G, and whether it is what was given."""
    p.enter(WHOLE, BASE, RESULT, WHOLE.digits)
    scan(p, WHOLE, PUBLIC, "public_words", "public_place", "public_top")
    power_public(p, WHOLE, ACC, BASE, "check")
    p.multiply(WHOLE, ACC, BASE, ACC)
    leave(p, G, ACC)
    longer = WHOLE.digits_and_one
    p.words(Action.SUBTRACT, G, G, C_AGAIN, longer, longer, WHOLE.digits)
