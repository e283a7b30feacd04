"""The engine's algorithms as parts of its program: set-up of a key, exponentiation, check.

`engine_packets.py` makes the whole program of them; docs/engine.md has the algorithms.
"""

from dataclasses import dataclass

from totient.golden.engine_instructions import (
    KEY,
    QUOTIENT_DELAY,
    WINDOW_BITS,
    Action,
    Does,
    Other,
    Product,
    Program,
    Sum,
    When,
)

DIVIDED = QUOTIENT_DELAY + 1
"""Digits of the exact division that comes from below 2 M~ to below 2 M."""


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


# Blocks. A number modulo n takes two, as a pair does.
C, ACC, PARTIAL, V, U, BASE, RANDOM_BASE, G, AFTER, RESULT, ONE, TWO, ZERO = range(0, 26, 2)
PRIMES = Kind("prime", True, KEY + 0, KEY + 2, KEY + 4, KEY + 6)
EXPONENT = KEY + 8
WHOLE = Kind("whole", False, KEY + 10, KEY + 12, KEY + 14, KEY + 16)
FIRST, SECOND, Q_INVERSE, PUBLIC = KEY + 18, KEY + 20, KEY + 22, KEY + 24

# What a slot holds: nothing, or the key of a command with its parts.
LOADED_PLAIN, LOADED_PAIR, LOADED_PUBLIC, LOADED_WHOLE, LOADED_PRIMES, LOADED_TEST = range(1, 7)

SLOT_SCALARS = (
    *(
        f"{kind}_{name}"
        for kind in ("prime", "whole")
        for name in (
            *("digits", "words", "digits_and_one", "short", "positions", "passes", "steps"),
            *("entering", "divide_positions", "random_words", "bits", "answer_words"),
        )
    ),
    *("key", "exponent_place", "exponent_top", "exponent_words", "first_bits", "windows"),
    *("public_bits", "public_place", "public_top", "public_words"),
)
"""Scalars that belong to a key."""


def multiply(p: Program, kind: Kind, d: int, a: int, b: int, **more: object) -> None:
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
    p.do(Product(d, a, b, **{**given, **more}))  # type: ignore[arg-type]


def enter(p: Program, kind: Kind, d: int, a: int, a_words: str, **more: object) -> None:
    """`d = a R mod M~` of a number as long as n at most, the same for both streams."""
    given = {"b": kind.k, "passes": kind.entering, "a_words": a_words, "common": True, **more}
    multiply(p, kind, d, a, **given)  # type: ignore[arg-type]


def low(p: Program, kind: Kind, d: int, a: int, b: int) -> None:
    """`d = a b mod r^DIVIDED`."""
    p.do(
        Product(
            *(d, a, b, "small_passes", "low_positions"),
            *("divided", "divided", "divided"),
            lead="small_steps",
            pair=kind.pair,
            ring="small_short",
        )
    )


def reduce(p: Program, kind: Kind, d: int, v: int) -> None:
    """`d = v / r^DIVIDED mod M`, below M; v below 2 M~. Uses U."""
    low(p, kind, U, kind.q, v)
    p.do(
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
        p.words(action, d, d, kind.m, longer, longer, kind.digits, kind.pair)


def lengths(p: Program, kind: Kind) -> None:
    """All lengths of a kind, from its `digits` and from those of n, `whole_digits`."""
    p.let(kind.words, kind.digits, add=QUOTIENT_DELAY)
    p.let(kind.digits_and_one, kind.digits, add=1)
    # The short part of the ring serves where a product is one pass of it.
    p.let(kind.ring, "elements")
    p.let(kind.short, "zero")
    target = p.place("ring")
    p.let("none", "short_elements", kind.words, how=Sum.MINUS, when=When.NEGATIVE, target=target)
    p.let(kind.ring, "short_elements")
    p.let(kind.short, "one")
    p.label(target)
    # A pass has at least as many positions as steps, and one more than words.
    p.let(kind.positions, kind.words, add=1)
    target = p.place("positions")
    p.let("none", kind.positions, kind.ring, how=Sum.MINUS, when=When.NOT_NEGATIVE, target=target)
    p.let(kind.positions, kind.ring)
    p.label(target)
    # Steps: as many as words, in whole passes. What enters takes as many as n has digits. Modulo n
    # they are the same.
    passes_of(p, kind.passes, kind.steps, kind.words, kind.ring)
    if kind.pair:
        passes_of(p, kind.entering, kind.entering_steps, "whole_digits", kind.ring)
    else:
        p.let(kind.entering, kind.passes)
        p.let(kind.entering_steps, kind.steps)
    p.let(kind.divide_positions, "divide_lead", kind.words, add=1)
    p.let(kind.inverse_positions, "inverse_lead", kind.words, add=1)
    p.let(kind.random_words, kind.digits, add=-2)


def passes_of(p: Program, passes: str, steps: str, least: str, ring: str) -> None:
    """Passes, less one, and their steps, so that there are as many as `least`."""
    p.let(passes, "zero", add=-1)
    p.let(steps, "zero")
    target = p.place("passes")
    p.label(target)
    p.let(passes, passes, add=1)
    p.let(steps, steps, ring)
    p.let("none", steps, least, how=Sum.MINUS, when=When.NEGATIVE, target=target)


def constants(p: Program, kind: Kind) -> None:
    """X, K and Q of a kind, from M. Uses V, U, ACC.

    `..._shortest` are the digits of the shorter one of two moduli.
    """
    pair = kind.pair
    # Q = -1/M mod r^DIVIDED: -M has three right bits, each step doubles them.
    p.words(Action.SUBTRACT, kind.q, v=kind.m, words="divided", v_words="divided", pair=pair)
    p.let("count", "zero", add=6)
    newton = p.place("newton")
    p.label(newton)
    low(p, kind, V, kind.m, kind.q)
    p.words(Action.ADD, V, V, TWO, "divided", "divided", "one", pair)
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
            ring="small_short",
        )
    )
    # K = r^entering_steps R mod M; the reduction takes DIVIDED digits away again.
    if pair:
        doubled, entered = p.place("doubled"), p.place("entered")
        p.let("none", "loaded", add=-LOADED_PRIMES, when=When.NOT_ZERO, target=doubled)
        from_whole(p)
        p.jump(When.ALWAYS, entered)
        p.label(doubled)
        by_doubling(p, kind)
        p.label(entered)
    else:
        by_doubling(p, kind)
    reduce(p, kind, kind.k, ACC)


def by_doubling(p: Program, kind: Kind) -> None:
    """`ACC = r^(entering_steps + DIVIDED) R mod M`. Uses V.

    From a power of two below M by doubling to 2^g S, and squaring four times with `lead` words of 0
    before B, where S = R / r^lead is r^words, which is as short as it may be.
    16 g = Bits E for whole rounds E; a product with a power of the radix takes off what E is too
    much. The first power is 2^(Bits (digits - 2) - 2), or 1 where a modulus is shorter than that.
    """
    pair = kind.pair
    grow, double, short, more = (p.place(name) for name in ("grow", "double", "short", "more"))
    p.let("lead", kind.steps, kind.words, how=Sum.MINUS)
    p.let("count", "zero", add=2)
    p.let("left", "zero", add=QUOTIENT_DELAY + 2)
    p.let("none", kind.shortest, kind.digits, 1, Sum.MINUS, When.NEGATIVE, short)
    p.let("start", kind.digits, add=-3)
    p.words(Action.QUARTER, ACC, words=kind.words, v_words="start", pair=pair)
    p.jump(When.ALWAYS, more)
    p.label(short)
    p.let("count", "zero")
    p.let("left", kind.words)
    p.words(Action.POWER, ACC, words=kind.words, pair=pair)
    p.label(more)
    p.let("count", "count", "digit_bits")
    p.down("left", more)
    # E is at least one more than these, so that the power of the radix is below R.
    p.let("left", kind.entering_steps, "lead", DIVIDED)
    p.label(grow)
    p.let("count", "count", "round_doublings")
    p.let("left", "left", "round", how=Sum.MINUS, when=When.NOT_NEGATIVE, target=grow)
    p.do(Other(Does.FORGET))
    longer = kind.digits_and_one
    p.label(double)
    p.words(Action.DOUBLE, ACC, ACC, kind.m, longer, longer, kind.digits, pair)
    p.down("count", double)
    p.words(Action.RESTORE, ACC, ACC, kind.m, longer, longer, kind.digits, pair)
    p.let("positions", kind.positions, "lead")
    for _ in range(4):
        multiply(p, kind, ACC, ACC, ACC, lead="lead", words="positions")
    p.let("count", kind.steps, "left")
    power_of_radix(p, kind)


def power_of_radix(p: Program, kind: Kind) -> None:
    """`ACC = ACC r^count / R mod M~` for a count below that of steps. Uses V."""
    p.words(Action.POWER, V, words=kind.steps, v_words="count", pair=kind.pair)
    multiply(p, kind, ACC, V, ACC, a_words=kind.steps)


def from_whole(p: Program) -> None:
    """The same modulo both primes, from K of n: powers of the radix modulo n are so modulo them.

    With s steps modulo n, a product with K = r^(2 s) gives s digits more. What is wanted is
    r^(2 entering_steps + steps + DIVIDED): a product with 1 takes entering_steps off.
    """
    again, end = p.place("again"), p.place("end")
    p.let("left", PRIMES.entering_steps, PRIMES.entering_steps, add=2 * DIVIDED)
    p.let("left", "left", PRIMES.steps)
    enter(p, WHOLE, ACC, ONE, "one")
    p.label(again)
    p.let("count", "left")
    p.let("left", "left", WHOLE.steps, how=Sum.MINUS, when=When.NEGATIVE, target=end)
    multiply(p, WHOLE, ACC, WHOLE.k, ACC)
    p.jump(When.ALWAYS, again)
    p.label(end)
    power_of_radix(p, WHOLE)
    reduce(p, WHOLE, RESULT, ACC)
    p.words(Action.POWER, V, words=PRIMES.words, pair=True)
    enter(p, PRIMES, ACC, RESULT, WHOLE.digits, b=V)


def recombination(p: Program) -> None:
    """FIRST and SECOND: q qInv and 1 - q qInv mod n, with factors that leave Montgomery's form."""
    kind = WHOLE
    enter(p, kind, ACC, PRIMES.m + 1, PRIMES.digits)
    multiply(p, kind, ACC, Q_INVERSE, ACC, a_words=PRIMES.digits)  # C1
    p.words(Action.POWER, V, words=kind.words, v_words="twice_divided")
    enter(p, kind, V, V, kind.words)
    multiply(p, kind, ACC, ACC, V)
    reduce(p, kind, RESULT, ACC)  # C1 r^DIVIDED
    p.words(Action.POWER, V, words=kind.words, v_words="divided")
    longer = kind.digits_and_one
    p.words(Action.SUBTRACT, SECOND, V, RESULT, longer, longer, kind.digits)
    p.words(Action.RESTORE, SECOND, SECOND, kind.m, longer, longer, kind.digits)
    p.words(Action.ADD, SECOND, SECOND, words=kind.words, u_words=kind.digits)
    # r^(prime_steps) may be longer than n, and longer than what a product takes: in two steps.
    p.let("count", PRIMES.steps, add=-DIVIDED)
    p.words(Action.POWER, V, words=PRIMES.steps, v_words="count")
    enter(p, kind, V, V, PRIMES.steps)
    multiply(p, kind, ACC, RESULT, V)
    p.words(Action.POWER, V, words=kind.words, v_words="divided")
    enter(p, kind, V, V, kind.words)
    multiply(p, kind, FIRST, ACC, V)


def power_public(p: Program, kind: Kind, d: int, a: int) -> None:
    """`d = a^(e - 1)` for an odd e, bit by bit below its highest one; the time tells e. Uses V."""
    bit, one, end = (p.place(name) for name in ("bit", "one", "end"))
    scan(p, PUBLIC, "public_words", "public_place", "public_top")
    p.words(Action.ADD, d, a, words=kind.words, u_words=kind.words, pair=kind.pair)
    p.let("count", "public_bits", add=-1)
    p.label(bit)
    multiply(p, kind, d, d, d)
    p.do(Other(Does.SCAN, first="one"))
    p.let("count", "count", add=-1, when=When.ZERO, target=end)
    p.jump(When.BIT, one)
    p.jump(When.ALWAYS, bit)
    p.label(one)
    multiply(p, kind, d, a, d)
    p.jump(When.ALWAYS, bit)
    p.label(end)


def power_windows(p: Program, kind: Kind) -> None:
    """`ACC = BASE^exponent` in Montgomery's form, by windows from the place that is scanned.

    `first` are the bits of the first window, `many` is how many there are. Uses U.
    """
    table, window, end = (p.place(name) for name in ("table", "window", "end"))
    enter(p, kind, U, ONE, "one", tabulate="zero")
    p.let("entry", "one")
    multiply(p, kind, ACC, U, BASE, tabulate="entry")
    p.label(table)
    p.let("entry", "entry", add=1)
    multiply(p, kind, ACC, BASE, ACC, tabulate="entry")
    p.let("none", "entry", add=1 - (1 << WINDOW_BITS), when=When.NEGATIVE, target=table)
    p.do(Other(Does.SETTLE))
    p.do(Other(Does.SCAN, first="first"))
    p.do(Other(Does.COLLECT, first=kind.words, pair=kind.pair))
    multiply(p, kind, ACC, 0, U, window=True)
    p.let("many", "many", add=-1, when=When.ZERO, target=end)
    p.label(window)
    p.do(Other(Does.SCAN, first="window_bits"))
    p.do(Other(Does.COLLECT, first=kind.words, pair=kind.pair))
    for _ in range(WINDOW_BITS):
        multiply(p, kind, ACC, ACC, ACC)
    multiply(p, kind, ACC, 0, ACC, window=True)
    p.down("many", window)
    p.label(end)


def scan(p: Program, block: int, words: str, place: str, bits: str, pair: bool = False) -> None:
    """The exponents in a block are scanned from a place on. Uses V."""
    p.words(Action.ADD, V, block, words=words, u_words=words, pair=pair, exponent=True)
    p.do(Other(Does.SETTLE))
    p.do(Other(Does.SCAN_LOAD, first=place, second=bits))


def power_secret(p: Program, kind: Kind, block: int = EXPONENT) -> None:
    """`ACC = BASE^exponent` for the exponents in a block, whose places are `scan_...`."""
    scan(p, block, "scan_words", "scan_place", "scan_top", kind.pair)
    power_windows(p, kind)


def blinded(p: Program, kind: Kind) -> None:
    """BASE = c r^e and AFTER = c r^(e - 1) for c in BASE and a random r; r = 1 by an option."""
    plain, end = p.place("plain"), p.place("end")
    p.let("none", "option", "one", how=Sum.COMMON, when=When.NOT_ZERO, target=plain)
    words = {"words": kind.words, "pair": kind.pair}
    p.words(Action.ADD, RANDOM_BASE, **words)  # type: ignore[arg-type]
    for stream in range(1 + kind.pair):
        p.do(Other(Does.RANDOM, RANDOM_BASE + stream, second=kind.random_words))
    power_public(p, kind, G, RANDOM_BASE)
    multiply(p, kind, AFTER, G, BASE)
    multiply(p, kind, U, G, RANDOM_BASE)
    multiply(p, kind, BASE, U, BASE)
    p.jump(When.ALWAYS, end)
    p.label(plain)
    p.words(Action.ADD, AFTER, BASE, u_words=kind.words, **words)  # type: ignore[arg-type]
    p.label(end)


def longer_exponents(p: Program) -> None:
    """U = exponents + k (primes - 1) for random k of two digits; places are `scan_...`."""
    fit, fits = p.place("fit"), p.place("fits")
    kind, longer = PRIMES, PRIMES.digits_and_one
    p.words(Action.SUBTRACT, V, kind.m, ONE, longer, kind.digits, "one", pair=True)
    for stream in range(2):
        p.do(Other(Does.RANDOM, G + stream, second="two"))
    p.let("left", kind.digits, add=2)
    p.let("positions", "small_steps", "left", add=2)
    p.do(
        Product(
            *(U, G, V, "small_passes", "positions", "two", longer, "left"),
            t=EXPONENT,
            t_words=kind.digits,
            lead="small_steps",
            pair=True,
            ring="small_short",
        )
    )
    p.let("scan_words", "left")
    p.let("scan_place", "scan_place", add=2)
    p.let("first", "first", "digit_bits")
    p.let("first", "first", "digit_bits")
    p.label(fit)
    p.let("none", "first", "window_bits", add=-1, how=Sum.MINUS, when=When.NEGATIVE, target=fits)
    p.let("first", "first", "window_bits", how=Sum.MINUS)
    p.let("many", "many", add=1)
    p.jump(When.ALWAYS, fit)
    p.label(fits)


def leave(p: Program, kind: Kind, d: int, a: int) -> None:
    """`d = a / R mod M`, below M. Uses V, U."""
    p.words(Action.POWER, V, words=kind.words, v_words="divided", pair=kind.pair)
    multiply(p, kind, V, a, V)
    reduce(p, kind, d, V)


def private_primes(p: Program) -> None:
    """RESULT = C^d mod n by the primes."""
    short = p.place("exponents")
    enter(p, PRIMES, BASE, C, WHOLE.digits)
    blinded(p, PRIMES)
    p.let("proof", "proof", add=3)
    p.let("none", "option", "two", how=Sum.COMMON, when=When.ZERO, target=short)
    longer_exponents(p)
    p.label(short)
    power_secret(p, PRIMES)
    p.let("proof", "proof", add=5)
    multiply(p, PRIMES, ACC, AFTER, ACC)
    half = {"passes": PRIMES.passes, "ring": PRIMES.short, "a_words": PRIMES.words}
    multiply(p, WHOLE, G, ACC, FIRST, sync=True, **half)
    multiply(p, WHOLE, G, ACC + 1, SECOND, t=G, t_words=WHOLE.words, **half)
    reduce(p, WHOLE, RESULT, G)


def private_whole(p: Program) -> None:
    """RESULT = C^d mod n."""
    enter(p, WHOLE, BASE, C, WHOLE.digits)
    blinded(p, WHOLE)
    p.let("proof", "proof", add=3)
    power_secret(p, WHOLE)
    p.let("proof", "proof", add=5)
    multiply(p, WHOLE, ACC, AFTER, ACC)
    leave(p, WHOLE, RESULT, ACC)


def check(p: Program, right: str) -> None:
    """Goes on at `right` if RESULT^e mod n is C, taken from another copy than it was used from."""
    enter(p, WHOLE, BASE, RESULT, WHOLE.digits)
    power_public(p, WHOLE, ACC, BASE)
    p.let("proof", "proof", add=7)
    multiply(p, WHOLE, ACC, BASE, ACC)
    leave(p, WHOLE, G, ACC)
    longer = WHOLE.digits_and_one
    p.words(Action.SUBTRACT, G, C, G, longer, longer, longer)
    p.let("proof", "proof", add=11)
    p.jump(When.EQUAL, right)


PROOF = 3 + 5 + 7 + 11
"""What `proof` is when a private operation and its check have gone all their way."""
