"""Parts of the engine's program: products, reductions, and the constants of a key's moduli.

The algorithms are in docs/engine.md.
"""

from totient.engine.assembler import Program
from totient.engine.instruction_set import QUOTIENT_DELAY, Cond, Sum, UnitOp, WordOp
from totient.engine.instructions import Product, Unit, Words
from totient.engine.layout import (
    ACC,
    AFTER,
    FIRST,
    LOADED_PRIMES,
    LOADED_TEST,
    ONE,
    PRIMES,
    Q_INVERSE,
    SECOND,
    SHIFT,
    TWO,
    WHOLE,
    ModulusSet,
    U,
    V,
)

DIVIDED = QUOTIENT_DELAY + 1
"""Digits of the exact division that reduces from below 2 M~ to below 2 M."""


def multiply(p: Program, kind: ModulusSet, d: int, a: int, b: int, **more: object) -> None:
    """`d = a b / R mod M~`."""
    given = {
        "passes": kind.passes,
        "words": kind.positions,
        "a_words": kind.words,
        "b_words": kind.words,
        "d_words": kind.words,
        "x": kind.x,
        "pair": kind.pair,
        "ring": kind.ring,
    }
    p.do(Product(d, a, b, **{**given, **more}))  # type: ignore[arg-type]


def enter(p: Program, kind: ModulusSet, d: int, a: int, a_words: str, **more: object) -> None:
    """`d = a R mod M~` of a number at most as long as n, the same for both streams."""
    given = {"b": kind.k, "passes": kind.entering, "a_words": a_words, "common": True, **more}
    multiply(p, kind, d, a, **given)  # type: ignore[arg-type]


def low(p: Program, kind: ModulusSet, d: int, a: int, b: int) -> None:
    """`d = a b mod r^DIVIDED`."""
    p.do(
        Product(
            *(d, a, b, "small_passes", "low_positions"),
            *("divided", "divided", "divided"),
            lead="small_steps",
            pair=kind.pair,
            ring="one",
        )
    )


def reduce(p: Program, kind: ModulusSet, d: int, v: int) -> None:
    """`d = v / r^DIVIDED mod M`, below M, for v below 2 M~. Uses U."""
    low(p, kind, U, kind.q, v)
    p.do(
        Product(
            *(d, U, kind.m, "small_passes", kind.divide_positions),
            *("divided", kind.digits, kind.words),
            t=v,
            t_words=kind.words,
            lead="divide_lead",
            pair=kind.pair,
            ring="one",
        )
    )
    longer = kind.digits_and_one
    for action in (WordOp.SUBTRACT, WordOp.RESTORE):
        p.do(Words(action, d, d, kind.m, longer, longer, kind.digits, kind.pair))


def leave(p: Program, kind: ModulusSet, d: int, a: int) -> None:
    """`d = a / R mod M`, below M. Uses V, U."""
    p.do(Words(WordOp.POWER, V, words=kind.words, v_words="divided", pair=kind.pair))
    multiply(p, kind, V, a, V)
    reduce(p, kind, d, V)


def leave_private(p: Program, d: int, a: int) -> None:
    """The same modulo n, by the constant SHIFT, which no public operation may use."""
    multiply(p, WHOLE, V, a, SHIFT)
    reduce(p, WHOLE, d, V)


def lengths(p: Program, kind: ModulusSet) -> None:
    """All lengths of a kind, from its `digits` and from those of n, `whole_digits`."""
    p.let(kind.words, kind.digits, add=QUOTIENT_DELAY)
    p.let(kind.digits_and_one, kind.digits, add=1)
    p.let(kind.positions, kind.words, add=1)
    _fastest_ring(p, kind)
    # A pass has at least as many positions as steps, and at least words + 1.
    p.do(Unit(UnitOp.RING, d="left", first=kind.ring))
    target = p.place("positions")
    p.let("none", kind.positions, "left", how=Sum.MINUS, when=Cond.NOT_NEGATIVE, target=target)
    p.let(kind.positions, "left")
    p.label(target)
    # Steps: as many as words, in whole passes. Conversion takes as many as n has digits. Modulo n
    # they are the same.
    passes_of(p, kind.passes, kind.steps, kind.words, "left")
    if kind.pair:
        passes_of(p, kind.entering, kind.entering_steps, "whole_digits", "left")
    else:
        p.let(kind.entering, kind.passes)
        p.let(kind.entering_steps, kind.steps)
    p.let(kind.divide_positions, "divide_lead", kind.words, add=1)
    p.let(kind.inverse_positions, "inverse_lead", kind.words, add=1)
    p.let(kind.random_words, kind.digits, add=-2)


def _fastest_ring(p: Program, kind: ModulusSet) -> None:
    """The shortest ring that has enough elements for one pass; else for two; else the whole one.

    With one stream, a pass takes two cycles for each element at least: two passes of a shorter ring
    are faster than two of a longer one. The self-test uses all elements. The number of elements is
    read anew: with a damaged one the search would not end.
    """
    fits, following, chosen, whole = (p.place(name) for name in ("fits", "ring", "chosen", "whole"))
    if kind.pair:
        p.let("none", "loaded", add=-LOADED_TEST, when=Cond.ZERO, target=whole)
    p.do(Unit(UnitOp.RING, d="left", first="zero"))
    p.let("left", "left", "left")
    p.let("high", kind.words, kind.words)
    p.let("none", "left", "high", how=Sum.MINUS, when=Cond.NOT_NEGATIVE, target=fits)
    p.let("high", kind.words)
    p.let("none", "left", "high", how=Sum.MINUS, when=Cond.NOT_NEGATIVE, target=fits)
    p.label(whole)
    p.let(kind.ring, "zero", when=Cond.ALWAYS, target=chosen)
    p.label(fits)
    p.let(kind.ring, "zero")
    p.label(following)
    p.let(kind.ring, kind.ring, add=1)
    p.do(Unit(UnitOp.RING, d="left", first=kind.ring))
    p.let("left", "left", "left")
    p.let("none", "left", "high", how=Sum.MINUS, when=Cond.NEGATIVE, target=following)
    p.label(chosen)


def passes_of(p: Program, passes: str, steps: str, least: str, elements: str) -> None:
    """Passes minus one, and their steps, for at least `least` steps."""
    p.let(passes, "zero", add=-1)
    p.let(steps, "zero")
    target = p.place("passes")
    p.label(target)
    p.let(passes, passes, add=1)
    p.let(steps, steps, elements)
    p.let("none", steps, least, how=Sum.MINUS, when=Cond.NEGATIVE, target=target)


def constants(p: Program, kind: ModulusSet) -> None:
    """X, K and Q of a kind, from M. Uses V, U, ACC.

    `..._shortest` is the number of digits of the shorter modulus.
    """
    pair = kind.pair
    # Q = -1/M mod r^DIVIDED: -M has three correct bits, each step doubles them.
    p.do(Words(WordOp.SUBTRACT, kind.q, v=kind.m, words="divided", v_words="divided", pair=pair))
    p.let("count", "zero", add=6)
    newton = p.place("newton")
    p.label(newton)
    low(p, kind, V, kind.m, kind.q)
    p.do(Words(WordOp.ADD, V, V, TWO, "divided", "divided", "one", pair))
    low(p, kind, kind.q, kind.q, V)
    p.down("count", newton)
    # X = (Q M + 1) / r^QUOTIENT_DELAY.
    p.do(
        Product(
            *(kind.x, kind.q, kind.m, "small_passes", kind.inverse_positions),
            *("quotient_delay", kind.digits, kind.words),
            t=ONE,
            t_words="one",
            lead="inverse_lead",
            pair=pair,
            ring="one",
        )
    )
    # K = r^entering_steps R mod M. The reduction removes DIVIDED digits.
    if pair:
        doubled, entered = p.place("doubled"), p.place("entered")
        p.let("none", "loaded", add=-LOADED_PRIMES, when=Cond.NOT_ZERO, target=doubled)
        from_whole(p)
        p.jump(Cond.ALWAYS, entered)
        p.label(doubled)
        by_doubling(p, kind)
        p.label(entered)
    else:
        by_doubling(p, kind)
    reduce(p, kind, kind.k, ACC)


def by_doubling(p: Program, kind: ModulusSet) -> None:
    """`ACC = r^(entering_steps + DIVIDED) R mod M`. Uses V.

    From a power of two below M by doubling to 2^g S, and four squarings with `lead` words of 0
    before B. S = R / r^lead is as short as possible, r^words, or as short as the results between
    passes have room for. 16 g = Bits E for whole rounds E; a product with a power of the radix
    removes the excess of E. The first power is 2^(Bits (digits - 2) - 2), or 1 if a modulus is
    shorter.
    """
    pair = kind.pair
    grow, double, short, more = (p.place(name) for name in ("grow", "double", "short", "more"))
    _lead(p, kind)
    # Digits of S above the number's words.
    p.let("left", kind.steps, "lead", how=Sum.MINUS)
    p.let("count", "zero", add=2)
    p.let("none", kind.shortest, kind.digits, 1, Sum.MINUS, Cond.NEGATIVE, short)
    p.let("start", kind.digits, add=-3)
    p.let("left", "left", "start", add=-1, how=Sum.MINUS)
    p.do(Words(WordOp.QUARTER, ACC, words=kind.words, v_words="start", pair=pair))
    p.jump(Cond.ALWAYS, more)
    p.label(short)
    p.let("count", "zero")
    p.do(Words(WordOp.POWER, ACC, words=kind.words, pair=pair))
    p.label(more)
    p.let("count", "count", "digit_bits")
    p.down("left", more)
    # E exceeds these by at least one, so that the power of the radix has at most `words` words.
    p.let("left", kind.entering_steps, kind.steps, DIVIDED)
    p.let("left", "left", kind.words, how=Sum.MINUS)
    p.label(grow)
    p.let("count", "count", "round_doublings")
    p.let("left", "left", "round", how=Sum.MINUS, when=Cond.NOT_NEGATIVE, target=grow)
    p.do(Unit(UnitOp.CLEAR_SIGNS))
    longer = kind.digits_and_one
    p.label(double)
    p.do(Words(WordOp.DOUBLE, ACC, ACC, kind.m, longer, longer, kind.digits, pair))
    p.down("count", double)
    p.do(Words(WordOp.RESTORE, ACC, ACC, kind.m, longer, longer, kind.digits, pair))
    p.let("positions", kind.positions, "lead")
    for _ in range(4):
        multiply(p, kind, ACC, ACC, ACC, lead="lead", words="positions")
    p.let("count", kind.words, "left")
    p.do(Words(WordOp.POWER, V, words=kind.words, v_words="count", pair=pair))
    multiply(p, kind, ACC, V, ACC, lead="lead", words="positions")


def _lead(p: Program, kind: ModulusSet) -> None:
    """`lead` = steps - words, or less: the results between passes have room for that many more."""
    fits = p.place("lead")
    p.let("lead", kind.steps, kind.words, how=Sum.MINUS)
    p.let("none", kind.passes, when=Cond.ZERO, target=fits)
    room = "block_words" if kind.pair else "whole_block_words"
    p.let("left", room, kind.positions, add=1, how=Sum.MINUS)
    p.let("none", "left", "lead", how=Sum.MINUS, when=Cond.NOT_NEGATIVE, target=fits)
    p.let("lead", "left")
    p.label(fits)


def from_whole(p: Program) -> None:
    """The same modulo both primes, from K of n: reducing powers of the radix mod n gives them.

    With s steps modulo n, a product with K = r^(2 s) adds s digits. The target is
    r^(2 entering_steps + steps + DIVIDED). A product with 1 removes entering_steps.
    """
    again, end = p.place("again"), p.place("end")
    p.let("left", PRIMES.entering_steps, PRIMES.entering_steps, add=2 * DIVIDED)
    p.let("left", "left", PRIMES.steps)
    enter(p, WHOLE, ACC, ONE, "one")
    p.label(again)
    p.let("count", "left")
    p.let("left", "left", WHOLE.steps, how=Sum.MINUS, when=Cond.NEGATIVE, target=end)
    multiply(p, WHOLE, ACC, WHOLE.k, ACC)
    p.jump(Cond.ALWAYS, again)
    p.label(end)
    p.do(Words(WordOp.POWER, V, words=WHOLE.steps, v_words="count"))
    multiply(p, WHOLE, ACC, V, ACC, a_words=WHOLE.steps)
    reduce(p, WHOLE, AFTER, ACC)
    p.do(Words(WordOp.POWER, V, words=PRIMES.words, pair=True))
    enter(p, PRIMES, ACC, AFTER, WHOLE.digits, b=V)


def recombination(p: Program) -> None:
    """FIRST and SECOND: q qInv and 1 - q qInv mod n, with factors that undo Montgomery form.

    Uses AFTER: nothing that belongs to a key is in RESULT, which can be sent.
    """
    kind = WHOLE
    enter(p, kind, ACC, PRIMES.m + 1, PRIMES.digits)
    multiply(p, kind, ACC, Q_INVERSE, ACC, a_words=PRIMES.digits)  # C1
    p.do(Words(WordOp.POWER, V, words=kind.words, v_words="twice_divided"))
    enter(p, kind, V, V, kind.words)
    multiply(p, kind, ACC, ACC, V)
    reduce(p, kind, AFTER, ACC)  # C1 r^DIVIDED
    longer = kind.digits_and_one
    p.do(Words(WordOp.SUBTRACT, SECOND, SHIFT, AFTER, longer, longer, kind.digits))
    p.do(Words(WordOp.RESTORE, SECOND, SECOND, kind.m, longer, longer, kind.digits))
    p.do(Words(WordOp.ADD, SECOND, SECOND, words=kind.words, u_words=kind.digits))
    # r^(prime_steps) may be longer than n, and too long for one product: use two steps.
    p.let("count", PRIMES.steps, add=-DIVIDED)
    p.do(Words(WordOp.POWER, V, words=PRIMES.steps, v_words="count"))
    enter(p, kind, V, V, PRIMES.steps)
    multiply(p, kind, ACC, AFTER, V)
    enter(p, kind, V, SHIFT, kind.words)
    multiply(p, kind, FIRST, ACC, V)
