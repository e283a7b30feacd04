"""The engine's whole program: packets, keys, operations (`docs/contracts.md` has the packets).

It begins at its first instruction after reset, and anew whenever hardware gives up what is under
way: a check failed, no random word came in time, a clear packet waits.
"""

from totient.golden.engine_instructions import (
    KEY,
    QUOTIENT_DELAY,
    WINDOW_BITS,
    Action,
    Built,
    Does,
    Other,
    Product,
    Program,
    When,
)
from totient.golden.engine_instructions import Sum as How
from totient.golden.engine_program import (
    ACC,
    BASE,
    DIVIDED,
    EXPONENT,
    LOADED_PAIR,
    LOADED_PLAIN,
    LOADED_PRIMES,
    LOADED_PUBLIC,
    LOADED_TEST,
    LOADED_WHOLE,
    ONE,
    PRIMES,
    PROOF,
    PUBLIC,
    Q_INVERSE,
    RESULT,
    SLOT_SCALARS,
    TWO,
    WHOLE,
    C,
    G,
    Kind,
    V,
    check,
    constants,
    enter,
    leave,
    lengths,
    multiply,
    passes_of,
    power_public,
    power_secret,
    private_primes,
    private_whole,
    recombination,
    reduce,
)

NAME = "engine"
"""What the info packet says that the design is."""

INFO, LOAD_KEY, EXPONENTIATE, CLEAR, LOAD_RSA, PRIVATE, PUBLIC_, LOAD_PAIR, SELF_TEST = range(1, 10)

COMMAND, SHORT, LONG, LENGTH, EXPONENT_EMPTY, EVEN, SMALL, BASE_, NO_KEY, ABORTED = range(1, 11)
PRIME, PUBLIC_EXPONENT, RANDOM_, FAULT = range(11, 15)

# What `proof` begins with where there is no check: no private operation comes to PROOF from there.
_ASKED = 100

# Why the program has begun anew by itself.
_CLEARED, _FAILED = 1, 2

_LEAST = QUOTIENT_DELAY + 1  # words of an operation
_LEAST_DIGITS = 10  # of a modulus, in as many steps as there may be in a round (Built.ROUND)

# Of a prime: one random number in 2^64 has a shorter one as a factor, and blinds nothing then.
_LEAST_PRIME_BITS = 64

_TEST_BITS = 607  # 2^607 - 1 is prime, and long enough for the whole ring of 64 elements


def engine_program() -> Program:
    """All of it."""
    p = Program(SLOT_SCALARS)
    _begin(p)
    _ready(p)
    _info(p)
    _load_plain(p)
    _load_rsa(p)
    _load_pair(p)
    _self_test(p)
    _set_up(p)
    _exponentiate(p)
    _private(p)
    _public(p)
    _tested(p)
    return p


def _unless(p: Program, error: int) -> None:
    """If the condition of the next jump to `refuse` holds, this is why."""
    p.let("error", "zero", add=error << 8)


def _refuse(p: Program, when: When, error: int) -> None:
    _unless(p, error)
    p.jump(when, "refuse")


def _built(p: Program, scalar: str, built: Built) -> None:
    p.do(Other(Does.VALUE, d=scalar, built=built))


def _anew(p: Program, found: int) -> None:
    """Work the constants out, in case that one has been damaged, and go on where `_begin` says."""
    p.let("zero", "zero", "zero", how=How.MINUS)
    p.let("found", "zero", add=found)
    p.jump(When.ALWAYS, "begin")


def _begin(p: Program) -> None:
    """Constants; then what has to be done after what has happened."""
    p.let("zero", "zero", "zero", how=How.MINUS)
    p.let("found", "zero")
    p.label("begin")
    for name, value in (
        ("one", 1),
        ("two", 2),
        ("window_bits", WINDOW_BITS),
        ("quotient_delay", QUOTIENT_DELAY),
        ("divided", DIVIDED),
        ("twice_divided", 2 * DIVIDED),
    ):
        p.let(name, "zero", add=value)
    for name, built in (
        ("elements", Built.ELEMENTS),
        ("short_elements", Built.SHORT_ELEMENTS),
        ("digit_bits", Built.DIGIT_BITS),
        ("max_bits", Built.MAX_BITS),
        ("half_bits", Built.HALF_BITS),
        ("slots", Built.SLOTS),
        ("round", Built.ROUND),
        ("round_doublings", Built.ROUND_DOUBLINGS),
        ("block_words", Built.BLOCK_WORDS),
    ):
        _built(p, name, built)
    p.let("whole_block_words", "block_words", "block_words")
    p.let("ring", "elements")
    p.let("small_short", "zero")
    p.let("none", "short_elements", when=When.ZERO, target="begin.ring")
    p.let("ring", "short_elements")
    p.let("small_short", "one")
    p.label("begin.ring")
    passes_of(p, "small_passes", "small_steps", "divided", "ring")
    p.let("divide_lead", "small_steps", "divided", how=How.MINUS)
    p.let("inverse_lead", "small_steps", "quotient_delay", how=How.MINUS)
    p.let("low_positions", "small_steps", "twice_divided", add=1)
    p.let("none", "found", add=-_CLEARED, when=When.ZERO, target="clear")
    p.let("none", "found", when=When.NOT_ZERO, target="failed")
    p.do(Other(Does.REASON, d="error"))
    p.let("none", "error", when=When.NOT_ZERO, target="begin.given_up")
    p.let("command", "zero")
    p.jump(When.ALWAYS, "clear")

    p.label("begin.given_up")
    p.jump(When.OPEN, "begin.drain")
    p.jump(When.ALWAYS, "begin.drained")
    p.label("begin.drain")
    p.do(Other(Does.DRAIN))
    p.label("begin.drained")
    # The clear packet that follows an operation that was given up for it wipes more than this.
    p.let("none", "error", add=-(ABORTED << 8), when=When.ZERO, target="respond")
    p.label("failed")
    _wipe_working(p)
    p.let("none", "answered", when=When.ZERO, target="respond")
    # An answer has begun: it becomes longer than it says.
    p.let("count", "whole_block_words", "whole_block_words")
    p.label("begin.longer")
    p.do(Other(Does.PUT))
    p.down("count", "begin.longer")
    p.do(Other(Does.PUT, pair=True))
    p.jump(When.ALWAYS, "ready")


def _wipe_working(p: Program) -> None:
    """Zeros in the working page, and in all registers that numbers have gone through."""
    p.do(Other(Does.WIPE))
    words = {"words": "low_positions", "pair": True}
    p.let("positions", "elements", "twice_divided")
    everything = Product(
        *(ACC, ACC, ACC, "zero", "positions", "divided", "divided", "divided"),
        x=ACC,
        t=ACC,
        t_words="divided",
        pair=True,
        ring="zero",
        sync=True,
        tabulate="zero",
    )
    p.do(everything)
    p.words(Action.ADD, ACC, ACC, ACC, u_words="divided", v_words="divided", exponent=True, **words)  # type: ignore[arg-type]
    p.do(Other(Does.FORGET))
    p.do(Other(Does.SETTLE))
    p.do(Other(Does.SCAN_LOAD, first="zero", second="digit_bits"))
    p.do(Other(Does.SCAN, first="window_bits"))
    for _ in range(2):
        p.do(Other(Does.COLLECT, first="divided", pair=True))
        p.do(Product(**{**vars(everything), "window": True}))
    p.do(Other(Does.NUMBER, G, first="zero", second="twice_divided"))
    # What is wanted there whatever the key is.
    p.words(Action.POWER, ONE, words="divided", pair=True)
    p.words(Action.ADD, TWO, ONE, ONE, "divided", "one", "one", pair=True)


def _ready(p: Program) -> None:
    """Refusals, and the next packet."""
    p.label("clear")
    p.let("slot", "slots")
    p.label("clear.slot")
    p.let("slot", "slot", add=-1)
    p.do(Other(Does.SLOT, first="slot"))
    p.do(Other(Does.WIPE, KEY))
    for name in SLOT_SCALARS:
        p.let(name, "zero")
    p.let("none", "slot", when=When.NOT_ZERO, target="clear.slot")
    _wipe_working(p)
    p.let("error", "zero")
    p.let("none", "command", when=When.ZERO, target="ready")
    p.jump(When.ALWAYS, "respond")

    p.label("refuse")
    p.jump(When.OPEN, "refuse.drain")
    p.jump(When.ALWAYS, "respond")
    p.label("refuse.drain")
    p.do(Other(Does.DRAIN))
    p.label("respond")
    p.do(Other(Does.HOLD))
    p.let("word", "command", "error")
    p.do(Other(Does.PUT, first="word", pair=True))

    p.label("ready")
    # A clear packet is known as one even if these have been damaged; it works out all constants.
    p.let("zero", "zero", "zero", how=How.MINUS)
    _built(p, "slots", Built.SLOTS)
    p.let("answered", "zero")
    p.let("proof", "zero")
    p.let("words", "zero")
    p.do(Other(Does.GET, pair=True))
    for name in ("command", "option", "slot", "count"):
        p.do(Other(Does.BYTE, d=name))
    _unless(p, COMMAND)
    p.let("none", "count", when=When.NOT_ZERO, target="refuse")
    p.let("none", "slot", "slots", how=How.MINUS, when=When.NOT_NEGATIVE, target="refuse")
    p.do(Other(Does.SLOT, first="slot"))
    for command, target in (
        (PRIVATE, "private"),
        (PUBLIC_, "public"),
        (EXPONENTIATE, "exponentiate"),
        (LOAD_KEY, "load_plain"),
        (LOAD_RSA, "load_rsa"),
        (LOAD_PAIR, "load_pair"),
    ):
        p.let("none", "command", add=-command, when=When.ZERO, target=target)
    # The others are one word.
    p.let("none", "option", when=When.NOT_ZERO, target="refuse")
    for command, target in ((INFO, "info"), (CLEAR, "clear?"), (SELF_TEST, "self_test")):
        p.let("none", "command", add=-command, when=When.ZERO, target=target)
    p.jump(When.ALWAYS, "refuse")
    p.label("clear?")
    _refuse(p, When.OPEN, LONG)
    _anew(p, _CLEARED)


def _put(p: Program, low: int | str, high: int | str = 0, last: bool = False) -> None:
    """A word of an answer; numbers are of 16 bits."""
    for name, half in (("word", low), ("high", high)):
        if isinstance(half, int):
            p.let(name, "zero", add=half if half < 1 << 15 else half - (1 << 16))
        else:
            p.let(name, half)
    p.do(Other(Does.PUT, first="word", second="high", pair=last))


def _info(p: Program) -> None:
    p.label("info")
    _refuse(p, When.OPEN, LONG)
    p.do(Other(Does.HOLD))
    _put(p, "command", 9)
    name = NAME.encode().ljust(16, b"\0")
    for i in range(0, 16, 4):
        _put(
            p,
            int.from_bytes(name[i : i + 2], "little"),
            int.from_bytes(name[i + 2 : i + 4], "little"),
        )
    _built(p, "left", Built.VERSION)
    _built(p, "count", Built.VERSION_HIGH)
    _put(p, "left", "count")
    _put(p, "max_bits")
    _put(p, 1)  # the time depends on lengths
    _put(p, 1)  # one base
    _put(p, "slots", last=True)
    p.jump(When.ALWAYS, "ready")


def _ended(p: Program) -> None:
    """The packet has to have ended here, and no number is longer than it says."""
    _refuse(p, When.SHORT, SHORT)
    _refuse(p, When.OPEN, LONG)
    _refuse(p, When.OVER, LENGTH)


def _note(p: Program, when: When, error: int) -> None:
    """Something is wrong with a number; the first such thing is told, if the packet is right."""
    end = p.place("noted")
    p.let("none", "found", when=When.NOT_ZERO, target=end)
    p.let("found", "zero", add=error << 8)
    p.jump(when, end)
    p.let("found", "zero")
    p.label(end)


def _noted(p: Program) -> None:
    p.let("error", "found", when=When.NOT_ZERO, target="refuse")


def _at_most(p: Program, bits: str, most: str, error: int = LENGTH) -> None:
    _unless(p, error)
    p.let("none", most, bits, how=How.MINUS, when=When.NEGATIVE, target="refuse")


def _number(p: Program, block: int, bits: str, words: str, digits: str = "none") -> None:
    p.do(Other(Does.NUMBER, block, first=bits, second=words, d=digits))


def _at_least(p: Program, scalar: str, least: int) -> None:
    end = p.place("least")
    p.let("none", scalar, add=-least, when=When.NOT_NEGATIVE, target=end)
    p.let(scalar, "zero", add=least)
    p.label(end)


def _longer(p: Program, d: str, a: str, b: str, shorter: str = "none") -> None:
    """`d` is the larger one of `a` and `b`, and `shorter` the other."""
    end = p.place("longer")
    p.let("left", a)
    p.let(shorter, b)
    p.let("none", a, b, how=How.MINUS, when=When.NOT_NEGATIVE, target=end)
    p.let("left", b)
    p.let(shorter, a)
    p.label(end)
    p.let(d, "left")


def _divide(p: Program, bits: str, quotient: str, rest: str) -> None:
    """By the bits of a digit."""
    again = p.place("divide")
    p.let(rest, bits)
    p.let(quotient, "zero", add=-1)
    p.label(again)
    p.let(quotient, quotient, add=1)
    p.let(rest, rest, "digit_bits", how=How.MINUS, when=When.NOT_NEGATIVE, target=again)
    p.let(rest, rest, "digit_bits")


def _answer_words(p: Program, words: str, bits: str, count: int = 1) -> None:
    """Words of an answer with results of so many bits."""
    again = p.place("words")
    p.let(words, "two")
    p.let("left", bits)
    p.label(again)
    p.let(words, words, add=count)
    p.let("left", "left", add=-32)
    p.let("none", "left", add=-1, when=When.NOT_NEGATIVE, target=again)


def _load_plain(p: Program) -> None:
    p.label("load_plain")
    p.let("key", "zero")
    _unless(p, COMMAND)
    p.let("none", "option", when=When.NOT_ZERO, target="refuse")
    p.let("found", "zero")
    p.do(Other(Does.GET, d="bits"))
    p.do(Other(Does.GET, d="exponent_bits"))
    _refuse(p, When.SHORT, SHORT)
    _at_most(p, "bits", "max_bits")
    _at_most(p, "exponent_bits", "max_bits")
    p.let("whole_bits", "bits")
    _number(p, WHOLE.m, "whole_bits", "whole_block_words", WHOLE.digits)
    _note(p, When.SMALL, SMALL)
    _note(p, When.EVEN, EVEN)
    _number(p, EXPONENT, "exponent_bits", "whole_block_words")
    _ended(p)
    _unless(p, EXPONENT_EMPTY)
    p.let("none", "exponent_bits", when=When.ZERO, target="refuse")
    _noted(p)
    p.let(WHOLE.shortest, WHOLE.digits)
    _at_least(p, WHOLE.digits, _LEAST_DIGITS)
    p.let("loaded", "zero", add=LOADED_PLAIN)
    p.jump(When.ALWAYS, "set_up")


def _load_rsa(p: Program) -> None:
    p.label("load_rsa")
    p.let("key", "zero")
    _unless(p, COMMAND)
    p.let("none", "option", add=-3, when=When.NOT_NEGATIVE, target="refuse")
    p.let("found", "zero")
    p.do(Other(Does.GET, d="bits"))
    p.do(Other(Does.GET, d="e_bits"))
    p.let("loaded", "option", add=LOADED_PUBLIC)
    p.let("none", "option", add=-2, when=When.NEGATIVE, target="load_rsa.lengths")
    p.do(Other(Does.GET, d="p_bits"))
    p.do(Other(Does.GET, d="q_bits"))
    p.label("load_rsa.lengths")
    _refuse(p, When.SHORT, SHORT)
    _at_most(p, "bits", "max_bits")
    p.let("none", "bits", add=-512, when=When.NEGATIVE, target="refuse")
    _at_most(p, "e_bits", "bits")
    _unless(p, PUBLIC_EXPONENT)
    p.let("none", "e_bits", add=-2, when=When.NEGATIVE, target="refuse")
    p.let("whole_bits", "bits")
    p.let("exponent_bits", "bits")
    p.let("public_bits", "e_bits")
    p.let("none", "option", add=-2, when=When.NEGATIVE, target="load_rsa.numbers")
    for bits in ("p_bits", "q_bits"):
        _at_most(p, bits, "half_bits")
        p.let("none", bits, add=-_LEAST_PRIME_BITS, when=When.NEGATIVE, target="refuse")
    p.let("left", "p_bits", "q_bits")
    p.let("none", "bits", "left", how=How.MINUS, when=When.NOT_ZERO, target="refuse")
    _longer(p, "exponent_bits", "p_bits", "q_bits")
    p.label("load_rsa.numbers")
    _number(p, WHOLE.m, "whole_bits", "whole_block_words", WHOLE.digits)
    _note(p, When.LOOSE, LENGTH)
    _note(p, When.EVEN, EVEN)
    _number(p, PUBLIC, "public_bits", "whole_block_words")
    _note(p, When.LOOSE, LENGTH)
    _note(p, When.EVEN, PUBLIC_EXPONENT)
    p.let("none", "option", add=-1, when=When.NEGATIVE, target="load_rsa.end")
    p.let("none", "option", add=-1, when=When.NOT_ZERO, target="load_rsa.primes")
    _number(p, EXPONENT, "whole_bits", "whole_block_words")
    # What is scanned is d - 1, which blinding wants.
    whole = ("whole_block_words",) * 2
    p.words(Action.SUBTRACT, EXPONENT, EXPONENT, ONE, *whole, "one")
    p.jump(When.ALWAYS, "load_rsa.end")
    p.label("load_rsa.primes")
    _number(p, PRIMES.m, "p_bits", "block_words", PRIMES.digits)
    _note(p, When.LOOSE, LENGTH)
    _note(p, When.EVEN, PRIME)
    _number(p, PRIMES.m + 1, "q_bits", "block_words", "digits")
    _note(p, When.LOOSE, LENGTH)
    _note(p, When.EVEN, PRIME)
    _longer(p, PRIMES.digits, PRIMES.digits, "digits")
    _at_least(p, PRIMES.digits, _LEAST_DIGITS)
    _number(p, EXPONENT, "p_bits", "block_words")
    _number(p, EXPONENT + 1, "q_bits", "block_words")
    p.words(
        Action.SUBTRACT, EXPONENT, EXPONENT, ONE, "block_words", "block_words", "one", pair=True
    )
    _number(p, Q_INVERSE, "p_bits", "block_words")
    p.label("load_rsa.end")
    _ended(p)
    _noted(p)
    p.let("left", "public_bits", add=-1)
    p.let("rest", "left")
    _divide(p, "rest", "public_place", "public_top")
    p.let("public_words", "public_place", add=1)
    _at_least(p, "public_words", _LEAST)
    p.let(WHOLE.shortest, WHOLE.digits)
    p.jump(When.ALWAYS, "set_up")


def _load_pair(p: Program) -> None:
    p.label("load_pair")
    p.let("key", "zero")
    _unless(p, COMMAND)
    p.let("none", "option", when=When.NOT_ZERO, target="refuse")
    p.let("found", "zero")
    p.do(Other(Does.GET, d="bits"))
    p.do(Other(Does.GET, d="exponent_bits"))
    _refuse(p, When.SHORT, SHORT)
    _at_most(p, "bits", "half_bits")
    _at_most(p, "exponent_bits", "half_bits")
    p.let("prime_bits", "bits")
    for stream, digits in enumerate((PRIMES.digits, "digits")):
        _number(p, PRIMES.m + stream, "prime_bits", "block_words", digits)
        _note(p, When.SMALL, SMALL)
        _note(p, When.EVEN, EVEN)
    for stream in range(2):
        _number(p, EXPONENT + stream, "exponent_bits", "block_words")
    _ended(p)
    _unless(p, EXPONENT_EMPTY)
    p.let("none", "exponent_bits", when=When.ZERO, target="refuse")
    _noted(p)
    _longer(p, PRIMES.digits, PRIMES.digits, "digits", PRIMES.shortest)
    p.let("loaded", "zero", add=LOADED_PAIR)
    p.jump(When.ALWAYS, "set_up_pair")


def _self_test(p: Program) -> None:
    """3^(M - 1) = 1 mod a prime M = 2^607 - 1, in both streams."""
    p.label("self_test")
    _refuse(p, When.OPEN, LONG)
    p.let("key", "zero")
    p.let("prime_bits", "zero", add=_TEST_BITS)
    p.let("exponent_bits", "prime_bits")
    _divide(p, "prime_bits", "place", "count")
    words = ("block_words",) * 3
    p.words(Action.POWER, PRIMES.m, words="block_words", v_words="place", pair=True)
    p.label("self_test.bit")
    p.words(Action.ADD, PRIMES.m, PRIMES.m, PRIMES.m, *words, pair=True)
    p.down("count", "self_test.bit")
    p.words(Action.SUBTRACT, PRIMES.m, PRIMES.m, ONE, *words[:2], "one", pair=True)
    p.words(Action.SUBTRACT, EXPONENT, PRIMES.m, ONE, *words[:2], "one", pair=True)
    p.let(PRIMES.digits, "place", add=1)
    p.let(PRIMES.shortest, PRIMES.digits)
    p.let("loaded", "zero", add=LOADED_TEST)
    p.jump(When.ALWAYS, "set_up_pair")


def _set_up(p: Program) -> None:
    """What follows from the numbers of a key."""
    p.label("set_up")
    _set_up_exponents(p)
    lengths(p, WHOLE)
    constants(p, WHOLE)
    _answer_words(p, WHOLE.answer_words, "whole_bits")
    p.let("none", "loaded", add=-LOADED_PRIMES, when=When.ZERO, target="set_up_primes")
    p.label("loaded")
    p.let("key", "loaded")
    p.do(Other(Does.HOLD))
    p.let("answered", "one")
    _put(p, "command", 2)
    p.do(Other(Does.PUT_CYCLES))
    _put(p, 0, last=True)
    p.jump(When.ALWAYS, "ready")

    p.label("set_up_pair")
    _at_least(p, PRIMES.digits, _LEAST_DIGITS)
    p.let(WHOLE.digits, PRIMES.digits)
    _set_up_exponents(p)
    _answer_words(p, PRIMES.answer_words, "prime_bits", 2)
    p.label("set_up_primes")
    lengths(p, PRIMES)
    constants(p, PRIMES)
    p.let("none", "loaded", add=-LOADED_PAIR, when=When.ZERO, target="loaded")
    p.let("none", "loaded", add=-LOADED_TEST, when=When.ZERO, target="test")
    # p q / R mod n is 0: as they have as many bits as n together, p q is n.
    p.words(Action.ADD, V, PRIMES.m + 1, words=WHOLE.words, u_words=PRIMES.digits)
    multiply(p, WHOLE, V, PRIMES.m, V, a_words=PRIMES.digits)
    reduce(p, WHOLE, G, V)
    p.jump(When.EQUAL, "set_up.recombination")
    _unless(p, PRIME)
    p.jump(When.ALWAYS, "respond")
    p.label("set_up.recombination")
    recombination(p)
    p.jump(When.ALWAYS, "loaded")


def _set_up_exponents(p: Program) -> None:
    again = p.place("windows")
    _divide(p, "exponent_bits", "exponent_place", "exponent_top")
    p.let("exponent_words", "exponent_place", add=1)
    _at_least(p, "exponent_words", _LEAST)
    p.let("windows", "zero")
    p.let("left", "exponent_bits")
    p.label(again)
    p.let("windows", "windows", add=1)
    p.let("left", "left", "window_bits", how=How.MINUS)
    p.let("none", "left", add=-1, when=When.NOT_NEGATIVE, target=again)
    p.let("first_bits", "left", "window_bits")


def _scanned(p: Program) -> None:
    """The exponents' places, which an option may change."""
    for name, of_key in (
        ("scan_words", "exponent_words"),
        ("scan_place", "exponent_place"),
        ("scan_top", "exponent_top"),
        ("first", "first_bits"),
        ("many", "windows"),
    ):
        p.let(name, of_key)


def _below(p: Program, kind: Kind, words: str, modulus_words: str) -> None:
    """What is in C has to be below the modulus."""
    below = p.place("below")
    p.words(Action.SUBTRACT, G, C, kind.m, words, words, modulus_words, pair=kind.pair)
    _unless(p, BASE_)
    if kind.pair:
        first = p.place("first")
        p.jump(When.SIGN_0, first)
        p.jump(When.ALWAYS, "refuse")
        p.label(first)
        p.jump(When.SIGN_1, below)
    else:
        p.jump(When.SIGN_0, below)
    p.jump(When.ALWAYS, "refuse")
    p.label(below)


def _begin_answer(p: Program, words: str) -> None:
    p.do(Other(Does.HOLD))
    p.let("answered", "one")
    p.do(Other(Does.PUT, first="command", second=words))
    p.do(Other(Does.PUT_CYCLES))
    p.do(Other(Does.PUT))


def _proven(p: Program, words: str) -> None:
    """Only what has gone all its way is answered; if this is passed by, the answer is too long."""
    p.let("none", "proof", add=-PROOF, when=When.NOT_ZERO, target="fault")
    p.let("words", words, "proof", add=-PROOF)


def _exponentiate(p: Program) -> None:
    p.label("exponentiate")
    _unless(p, COMMAND)
    p.let("none", "option", add=-2, when=When.NOT_NEGATIVE, target="refuse")
    p.let("proof", "zero", add=_ASKED)
    p.do(Other(Does.GET, d="bits"))
    _refuse(p, When.SHORT, SHORT)
    p.let("none", "option", when=When.NOT_ZERO, target="exponentiate.pair")
    _at_most(p, "bits", "max_bits")
    _number(p, C, "bits", "whole_block_words")
    _ended(p)
    _unless(p, NO_KEY)
    p.let("none", "key", add=-LOADED_PLAIN, when=When.NOT_ZERO, target="refuse")
    _below(p, WHOLE, "whole_block_words", "whole_block_words")
    _scanned(p)
    enter(p, WHOLE, BASE, C, WHOLE.digits)
    power_secret(p, WHOLE)
    p.label("exponentiate.leave")
    leave(p, WHOLE, RESULT, ACC)
    p.let("proof", "proof", add=PROOF - _ASKED)
    p.label("answer")
    _proven(p, WHOLE.answer_words)
    _begin_answer(p, "words")
    p.do(Other(Does.SEND, RESULT, first="whole_bits", pair=True))
    p.jump(When.ALWAYS, "ready")

    p.label("exponentiate.pair")
    _at_most(p, "bits", "half_bits")
    for stream in range(2):
        _number(p, C + stream, "bits", "block_words")
    _ended(p)
    _unless(p, NO_KEY)
    p.let("none", "key", add=-LOADED_PAIR, when=When.NOT_ZERO, target="refuse")
    _below(p, PRIMES, "block_words", "block_words")
    p.label("exponentiate.pair.loaded")
    _scanned(p)
    enter(p, PRIMES, BASE, C, PRIMES.digits, common=False)
    power_secret(p, PRIMES)
    leave(p, PRIMES, RESULT, ACC)
    p.let("none", "key", when=When.ZERO, target="self_test.done")
    p.let("proof", "proof", add=PROOF - _ASKED)
    _proven(p, PRIMES.answer_words)
    _begin_answer(p, "words")
    p.do(Other(Does.SEND, RESULT, first="prime_bits"))
    p.do(Other(Does.SEND, RESULT + 1, first="prime_bits", pair=True))
    p.jump(When.ALWAYS, "ready")


def _input(p: Program, least: int) -> None:
    """C of a packet for an RSA key of a kind, or one that holds more."""
    fits = p.place("fits")
    p.do(Other(Does.GET, d="bits"))
    _refuse(p, When.SHORT, SHORT)
    _at_most(p, "bits", "max_bits")
    # Two more digits than n has hold 32 bits more than n; what is stated longer takes longer.
    p.let("read", WHOLE.digits, add=2)
    p.let("none", "whole_bits", "bits", 32, How.MINUS, When.NOT_NEGATIVE, fits)
    p.let("read", "whole_block_words")
    p.label(fits)
    _number(p, C, "bits", "read")
    _ended(p)
    _unless(p, NO_KEY)
    p.let("none", "key", add=-least, when=When.NEGATIVE, target="refuse")
    _below(p, WHOLE, "read", WHOLE.digits)


def _private(p: Program) -> None:
    p.label("private")
    _unless(p, COMMAND)
    p.let("none", "option", add=-4, when=When.NOT_NEGATIVE, target="refuse")
    _input(p, LOADED_WHOLE)
    _scanned(p)
    p.let("none", "key", add=-LOADED_WHOLE, when=When.ZERO, target="private.whole")
    private_primes(p)
    p.label("private.check")
    check(p, "answer")
    p.label("fault")
    _unless(p, FAULT)
    _anew(p, _FAILED)
    p.label("private.whole")
    # Without the primes there is nothing that an exponent could be blinded with.
    _unless(p, COMMAND)
    p.let("none", "option", "two", how=How.COMMON, when=When.NOT_ZERO, target="refuse")
    private_whole(p)
    p.jump(When.ALWAYS, "private.check")


def _public(p: Program) -> None:
    p.label("public")
    _unless(p, COMMAND)
    p.let("none", "option", when=When.NOT_ZERO, target="refuse")
    p.let("proof", "zero", add=_ASKED)
    _input(p, LOADED_PUBLIC)
    enter(p, WHOLE, BASE, C, WHOLE.digits)
    power_public(p, WHOLE, ACC, BASE)
    multiply(p, WHOLE, ACC, BASE, ACC)
    p.jump(When.ALWAYS, "exponentiate.leave")


def _tested(p: Program) -> None:
    p.label("test")
    p.words(Action.ADD, C, ONE, TWO, "block_words", "one", "one", pair=True)
    p.jump(When.ALWAYS, "exponentiate.pair.loaded")
    p.label("self_test.done")
    longer = PRIMES.digits_and_one
    p.let("error", "zero")
    for stream in range(2):
        right = p.place("right")
        p.words(Action.SUBTRACT, G, RESULT + stream, ONE, longer, longer, "one")
        p.jump(When.EQUAL, right)
        p.jump(When.ALWAYS, "fault")
        p.label(right)
    p.jump(When.ALWAYS, "respond")
