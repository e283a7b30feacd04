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
    LONGER,
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
from totient.engine.moduli import enter, leave_private, multiply, reduce


def scan(p: Program, block: int, words: str, d: int, pair: bool = False) -> None:
    """Hand the exponents of a block over to the window unit. Copies them to `d`."""
    p.do(Words(WordOp.ADD, d, block, words=words, u_words=words, pair=pair, exponent=True))


def scan_public(p: Program) -> None:
    """Hand e over to the window unit. Uses V."""
    scan(p, PUBLIC, "public_words", V)


def power_public(p: Program, kind: ModulusSet, d: int, a: int) -> None:
    """`d = a^(e - 1)` for an odd e, by its bits below the highest. The time reveals e.

    Follows `scan_public` and another product.
    """
    bit, square, one, end = (p.place(name) for name in ("bit", "square", "one", "end"))
    multiply(p, kind, d, a, a)
    # The datapath has taken this product, so the last job of the one before has begun: e, which
    # an operation on words has copied, is written.
    p.do(Unit(UnitOp.SCAN_LOAD, first="public_place", second="public_top"))
    p.let("count", "public_bits", add=-1)
    p.label(bit)
    p.do(Unit(UnitOp.SCAN, first="one"))
    p.let("count", "count", add=-1, when=Cond.ZERO, target=end)
    p.jump(Cond.BIT, one)
    p.label(square)
    multiply(p, kind, d, d, d)
    p.jump(Cond.ALWAYS, bit)
    p.label(one)
    multiply(p, kind, d, a, d)
    p.jump(Cond.ALWAYS, square)
    p.label(end)


def table(p: Program, kind: ModulusSet) -> None:
    """The powers of BASE, but for BASE itself, which its own product has written. Uses U, ACC."""
    again = p.place("table")
    enter(p, kind, U, ONE, "one", table_write="zero")
    p.let("entry", "two")
    multiply(p, kind, ACC, BASE, BASE, table_write="entry")
    p.label(again)
    p.let("entry", "entry", add=1)
    multiply(p, kind, ACC, BASE, ACC, table_write="entry")
    p.let("none", "entry", add=1 - (1 << WINDOW_BITS), when=Cond.NEGATIVE, target=again)


def power_windows(p: Program, kind: ModulusSet) -> None:
    """`ACC = BASE^exponent` in Montgomery form, by windows, after `table` and `scan`.

    The exponents' highest bit is at `scan_place` and `scan_top`, `first` is the number of bits of
    the first window, `many` the number of windows. U is 1 in Montgomery form.
    """
    window, end = (p.place(name) for name in ("window", "end"))
    p.do(Unit(UnitOp.WAIT_IDLE))
    p.do(Unit(UnitOp.SCAN_LOAD, first="scan_place", second="scan_top"))
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


def positions(p: Program) -> None:
    """Where the key's exponents are scanned, while the datapath is busy with the table."""
    for name, of_key in (
        ("scan_words", "exponent_words"),
        ("scan_place", "exponent_place"),
        ("scan_top", "exponent_top"),
        ("first", "first_bits"),
        ("many", "windows"),
    ):
        p.let(name, of_key)


def power_secret(p: Program, kind: ModulusSet) -> None:
    """`ACC = BASE^exponent` for the key's exponents. Uses U, V."""
    table(p, kind)
    positions(p)
    # The exponents go to the window unit beside the wait for the table.
    scan(p, EXPONENT, "scan_words", V, kind.pair)
    power_windows(p, kind)


def if_option(p: Program, option: PrivateOption, when: Cond, target: str) -> None:
    """Jump if the request has an option, or has it not."""
    bit = {1: "one", 2: "two"}[option]
    p.let("none", "option", bit, how=Sum.COMMON, when=when, target=target)


def random_base(p: Program, kind: ModulusSet) -> None:
    """A random RANDOM_BASE, while nothing is computed; then `scan_public`. Unless an option is set.

    RANDOM_BASE is 0 before. Uses V.
    """
    plain = p.place("plain")
    if_option(p, PrivateOption.NO_BASE_BLINDING, Cond.NOT_ZERO, plain)
    for stream in range(1 + kind.pair):
        p.do(Unit(UnitOp.RANDOM, RANDOM_BASE + stream, second=kind.random_words))
    scan_public(p)
    p.label(plain)


def blinded(p: Program, kind: ModulusSet) -> None:
    """BASE = c r^e and AFTER = c r^(e - 1) for c in BASE and a random r. An option sets r = 1.

    BASE is the table's entry 1.
    """
    plain, end = p.place("plain"), p.place("end")
    enter(p, kind, BASE, C, WHOLE.digits, table_write="one")
    if_option(p, PrivateOption.NO_BASE_BLINDING, Cond.NOT_ZERO, plain)
    power_public(p, kind, G, RANDOM_BASE)
    multiply(p, kind, AFTER, G, BASE)
    multiply(p, kind, BASE, AFTER, RANDOM_BASE, table_write="one")
    p.jump(Cond.ALWAYS, end)
    p.label(plain)
    p.do(Words(WordOp.ADD, AFTER, BASE, words=kind.words, u_words=kind.words, pair=kind.pair))
    p.label(end)


def longer_exponents(p: Program) -> None:
    """LONGER = exponents + k (primes - 1) for random k of two digits. Uses V, G."""
    kind, longer = PRIMES, PRIMES.digits_and_one
    for stream in range(2):
        p.do(Unit(UnitOp.RANDOM, G + stream, second="two"))
    p.do(Words(WordOp.SUBTRACT, V, kind.m, ONE, longer, kind.digits, "one", pair=True))
    p.let("left", kind.digits, add=2)
    p.let("positions", "small_steps", "left", add=2)
    # One stream after the other: with the words before the number, the results between passes
    # need more than a block.
    for stream in range(2):
        p.do(
            Product(
                *(LONGER + stream, G + stream, V + stream, "small_passes", "positions"),
                *("two", longer, "left"),
                t=EXPONENT + stream,
                t_words=kind.digits,
                lead="small_steps",
                ring="one",
            )
        )


def longer_positions(p: Program) -> None:
    """Change `positions` to those of LONGER."""
    fit, fits = p.place("fit"), p.place("fits")
    p.let("scan_words", PRIMES.digits, add=2)
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
    short, longer, scanned = (p.place(name) for name in ("short", "longer", "scanned"))
    if_option(p, PrivateOption.EXPONENT_BLINDING, Cond.ZERO, short)
    longer_exponents(p)
    p.label(short)
    random_base(p, PRIMES)
    blinded(p, PRIMES)
    p.let("proof", "proof", add=3)
    table(p, PRIMES)
    positions(p)
    if_option(p, PrivateOption.EXPONENT_BLINDING, Cond.NOT_ZERO, longer)
    scan(p, EXPONENT, "scan_words", V, pair=True)
    p.jump(Cond.ALWAYS, scanned)
    p.label(longer)
    longer_positions(p)
    scan(p, LONGER, "scan_words", V, pair=True)
    p.label(scanned)
    power_windows(p, PRIMES)
    p.let("proof", "proof", add=5)
    multiply(p, PRIMES, ACC, AFTER, ACC)
    half = {"passes": PRIMES.passes, "ring": PRIMES.ring, "a_words": PRIMES.words}
    multiply(p, WHOLE, G, ACC, FIRST, sync=True, **half)
    multiply(p, WHOLE, G, ACC + 1, SECOND, t=G, t_words=WHOLE.words, **half)
    reduce(p, WHOLE, RESULT, G)


def private_whole(p: Program) -> None:
    """RESULT = C^d mod n."""
    random_base(p, WHOLE)
    blinded(p, WHOLE)
    p.let("proof", "proof", add=3)
    power_secret(p, WHOLE)
    p.let("proof", "proof", add=5)
    multiply(p, WHOLE, ACC, AFTER, ACC)
    leave_private(p, RESULT, ACC)


def check(p: Program, right: str) -> None:
    """Jump to `right` if RESULT is below n, in all words that are sent, and RESULT^e mod n is C.

    C is read from another copy than the one used before. Whether they are equal is decided twice,
    from two differences and by different conditions: C - RESULT^e is 0 and not negative; later,
    RESULT^e - C is not negative and 0. Each difference has a part of `proof`. The digest of RESULT
    is taken before, and sending compares it.
    """
    below, first = p.place("below"), p.place("first")
    p.do(Words(WordOp.SUBTRACT, V, RESULT, WHOLE.m, WHOLE.words, WHOLE.words, WHOLE.digits))
    p.do(Unit(UnitOp.DIGEST, RESULT, first="whole_bits"))
    p.jump(Cond.SIGN_0, below)
    p.jump(Cond.ALWAYS, "fault")
    p.label(below)
    p.let("proof", "proof", add=17)
    scan_public(p)
    enter(p, WHOLE, BASE, RESULT, WHOLE.digits)
    power_public(p, WHOLE, ACC, BASE)
    p.let("proof", "proof", add=7)
    multiply(p, WHOLE, ACC, BASE, ACC)
    leave_private(p, G, ACC)
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


PROOF = 3 + 5 + 17 + 7 + 11 + 13
"""Value of `proof` after a complete private operation with its check."""
