"""Parts of the engine's program: exponentiation, blinding, private operations and their check.

The algorithms are in docs/engine.md.
"""

from totient.common.contract import PrivateOption
from totient.engine.assembler import Program
from totient.engine.instruction_set import WINDOW_BITS, Cond, Sum, UnitOp, WordOp
from totient.engine.instructions import Product, Unit, Words
from totient.engine.layout import (
    ACC,
    AFTER,
    BASE,
    EXPONENT,
    FIRST,
    ONE,
    PRIMES,
    PUBLIC,
    RANDOM_BASE,
    RESULT,
    SECOND,
    WHOLE,
    C,
    G,
    ModulusSet,
    U,
    V,
)
from totient.engine.moduli import enter, leave, multiply, reduce


def power_public(p: Program, kind: ModulusSet, d: int, a: int) -> None:
    """`d = a^(e - 1)` for an odd e, bit by bit below the highest. The time reveals e. Uses V."""
    bit, one, end = (p.place(name) for name in ("bit", "one", "end"))
    scan(p, PUBLIC, "public_words", "public_place", "public_top")
    p.do(Words(WordOp.ADD, d, a, words=kind.words, u_words=kind.words, pair=kind.pair))
    p.let("count", "public_bits", add=-1)
    p.label(bit)
    multiply(p, kind, d, d, d)
    p.do(Unit(UnitOp.SCAN, first="one"))
    p.let("count", "count", add=-1, when=Cond.ZERO, target=end)
    p.jump(Cond.BIT, one)
    p.jump(Cond.ALWAYS, bit)
    p.label(one)
    multiply(p, kind, d, a, d)
    p.jump(Cond.ALWAYS, bit)
    p.label(end)


def power_windows(p: Program, kind: ModulusSet) -> None:
    """`ACC = BASE^exponent` in Montgomery form, by windows from the current scan position.

    `first` is the number of bits of the first window, `many` the number of windows. Uses U.
    """
    table, window, end = (p.place(name) for name in ("table", "window", "end"))
    enter(p, kind, U, ONE, "one", table_write="zero")
    p.let("entry", "one")
    multiply(p, kind, ACC, U, BASE, table_write="entry")
    p.label(table)
    p.let("entry", "entry", add=1)
    multiply(p, kind, ACC, BASE, ACC, table_write="entry")
    p.let("none", "entry", add=1 - (1 << WINDOW_BITS), when=Cond.NEGATIVE, target=table)
    p.do(Unit(UnitOp.WAIT_IDLE))
    p.do(Unit(UnitOp.SCAN, first="first"))
    p.do(Unit(UnitOp.TABLE_GATHER, first=kind.words, pair=kind.pair))
    multiply(p, kind, ACC, 0, U, window=True)
    p.let("many", "many", add=-1, when=Cond.ZERO, target=end)
    p.label(window)
    p.do(Unit(UnitOp.SCAN, first="window_bits"))
    p.do(Unit(UnitOp.TABLE_GATHER, first=kind.words, pair=kind.pair))
    for _ in range(WINDOW_BITS):
        multiply(p, kind, ACC, ACC, ACC)
    multiply(p, kind, ACC, 0, ACC, window=True)
    p.down("many", window)
    p.label(end)


def scan(p: Program, block: int, words: str, place: str, bits: str, pair: bool = False) -> None:
    """Set the scan position of the exponents in a block. Uses V."""
    p.do(Words(WordOp.ADD, V, block, words=words, u_words=words, pair=pair, exponent=True))
    p.do(Unit(UnitOp.WAIT_IDLE))
    p.do(Unit(UnitOp.SCAN_LOAD, first=place, second=bits))


def power_secret(p: Program, kind: ModulusSet) -> None:
    """`ACC = BASE^exponent` for the key's exponents at the positions `scan_...`."""
    scan(p, EXPONENT, "scan_words", "scan_place", "scan_top", kind.pair)
    power_windows(p, kind)


def if_option(p: Program, option: PrivateOption, when: Cond, target: str) -> None:
    """Jump if the request has an option, or has it not."""
    bit = {1: "one", 2: "two"}[option]
    p.let("none", "option", bit, how=Sum.COMMON, when=when, target=target)


def blinded(p: Program, kind: ModulusSet) -> None:
    """BASE = c r^e and AFTER = c r^(e - 1) for c in BASE and a random r. An option sets r = 1."""
    plain, end = p.place("plain"), p.place("end")
    if_option(p, PrivateOption.NO_BASE_BLINDING, Cond.NOT_ZERO, plain)
    p.do(Words(WordOp.ADD, RANDOM_BASE, words=kind.words, pair=kind.pair))
    for stream in range(1 + kind.pair):
        p.do(Unit(UnitOp.RANDOM, RANDOM_BASE + stream, second=kind.random_words))
    power_public(p, kind, G, RANDOM_BASE)
    multiply(p, kind, AFTER, G, BASE)
    multiply(p, kind, U, G, RANDOM_BASE)
    multiply(p, kind, BASE, U, BASE)
    p.jump(Cond.ALWAYS, end)
    p.label(plain)
    p.do(Words(WordOp.ADD, AFTER, BASE, words=kind.words, u_words=kind.words, pair=kind.pair))
    p.label(end)


def longer_exponents(p: Program) -> None:
    """U = exponents + k (primes - 1) for random k of two digits; sets the positions `scan_...`."""
    fit, fits = p.place("fit"), p.place("fits")
    kind, longer = PRIMES, PRIMES.digits_and_one
    p.do(Words(WordOp.SUBTRACT, V, kind.m, ONE, longer, kind.digits, "one", pair=True))
    for stream in range(2):
        p.do(Unit(UnitOp.RANDOM, G + stream, second="two"))
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
    p.let("none", "first", "window_bits", add=-1, how=Sum.MINUS, when=Cond.NEGATIVE, target=fits)
    p.let("first", "first", "window_bits", how=Sum.MINUS)
    p.let("many", "many", add=1)
    p.jump(Cond.ALWAYS, fit)
    p.label(fits)


def private_primes(p: Program) -> None:
    """RESULT = C^d mod n with the primes."""
    short = p.place("exponents")
    enter(p, PRIMES, BASE, C, WHOLE.digits)
    blinded(p, PRIMES)
    p.let("proof", "proof", add=3)
    if_option(p, PrivateOption.EXPONENT_BLINDING, Cond.ZERO, short)
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
    """Jump to `right` if RESULT^e mod n is C, read from another copy than the one used before.

    The decision is taken twice, from two differences and by different conditions: C - RESULT^e
    is 0 and not negative; later, RESULT^e - C is not negative and 0. Each difference has a part of
    `proof`. The digest of RESULT is taken before, and sending compares it.
    """
    first = p.place("first")
    p.do(Unit(UnitOp.DIGEST, RESULT, first="whole_bits"))
    enter(p, WHOLE, BASE, RESULT, WHOLE.digits)
    power_public(p, WHOLE, ACC, BASE)
    p.let("proof", "proof", add=7)
    multiply(p, WHOLE, ACC, BASE, ACC)
    leave(p, WHOLE, G, ACC)
    longer = WHOLE.digits_and_one
    p.do(Words(WordOp.SUBTRACT, V, C, G, longer, longer, longer))
    p.jump(Cond.EQUAL, first)
    p.jump(Cond.ALWAYS, "fault")
    p.label(first)
    p.let("proof", "proof", add=11)
    p.jump(Cond.SIGN_0, "fault")
    p.do(Words(WordOp.SUBTRACT, V, G, C, WHOLE.words, WHOLE.words, longer))
    p.jump(Cond.SIGN_0, "fault")
    p.let("proof", "proof", add=13)
    p.jump(Cond.EQUAL, right)


PROOF = 3 + 5 + 7 + 11 + 13
"""Value of `proof` after a complete private operation with its check."""
