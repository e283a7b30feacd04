"""Parts of the engine's program that load keys, and compute their constants."""

from totient.common.contract import MIN_PRIME_BITS, MIN_RSA_BITS, ErrorCode, KeyForm
from totient.engine.assembler import Program
from totient.engine.instruction_set import Cond, Sum, UnitOp, WordOp
from totient.engine.instructions import KEY, LEAST_WORDS, Unit, Words
from totient.engine.layout import (
    EXPONENT,
    LOADED_PAIR,
    LOADED_PLAIN,
    LOADED_PRIMES,
    LOADED_PUBLIC,
    LOADED_TEST,
    LOADED_WHOLE,
    ONE,
    PRIMES,
    PUBLIC,
    Q_INVERSE,
    SHIFT,
    TWO,
    WHOLE,
    G,
    V,
)
from totient.engine.moduli import constants, lengths, multiply, recombination, reduce
from totient.engine.packets import (
    answer_words,
    at_least,
    at_most,
    divide,
    longer_of,
    note_wrong,
    packet_end,
    read_number,
    refuse,
    refuse_noted,
    refused,
)

_LEAST_DIGITS = (
    11  # of a modulus, in as many steps as there may be in a round (BuildParameter.ROUND)
)
_TEST_BITS = 607  # 2^607 - 1 is prime, and in 39 words


def _forget(p: Program) -> None:
    """Zeros in the slot: no number of its last key stays beside a key with fewer numbers."""
    p.let("key", "zero")
    p.do(Unit(UnitOp.WIPE, KEY))


def _two_lengths(p: Program, label: str, most: str) -> None:
    """Begin a key of moduli and exponents: check their stated lengths against `most`."""
    p.label(label)
    _forget(p)
    refuse(p, Cond.NOT_ZERO, ErrorCode.COMMAND, "option")
    p.let("found", "zero")
    p.do(Unit(UnitOp.GET, d="bits"))
    p.do(Unit(UnitOp.GET, d="exponent_bits"))
    refuse(p, Cond.SHORT, ErrorCode.PACKET_SHORT)
    at_most(p, "bits", most)
    at_most(p, "exponent_bits", most)


def load_plain(p: Program) -> None:
    """A modulus and an exponent."""
    _two_lengths(p, "load_plain", "max_bits")
    p.let("whole_bits", "bits")
    read_number(p, WHOLE.m, "whole_bits", "whole_block_words", WHOLE.digits)
    note_wrong(p, Cond.SMALL, ErrorCode.MODULUS_SMALL)
    note_wrong(p, Cond.EVEN, ErrorCode.MODULUS_EVEN)
    read_number(p, EXPONENT, "exponent_bits", "whole_block_words")
    packet_end(p)
    refuse(p, Cond.ZERO, ErrorCode.EXPONENT_EMPTY, "exponent_bits")
    refuse_noted(p)
    p.let(WHOLE.shortest, WHOLE.digits)
    at_least(p, WHOLE.digits, _LEAST_DIGITS)
    p.let("loaded", "zero", add=LOADED_PLAIN)
    p.jump(Cond.ALWAYS, "set_up")


def load_rsa(p: Program) -> None:
    """An RSA key: public, with d, or with its primes."""
    p.label("load_rsa")
    _forget(p)
    refuse(p, Cond.NOT_NEGATIVE, ErrorCode.COMMAND, "option", add=-len(KeyForm))
    p.let("found", "zero")
    p.do(Unit(UnitOp.GET, d="bits"))
    p.do(Unit(UnitOp.GET, d="e_bits"))
    p.let("loaded", "zero", add=LOADED_PUBLIC)
    p.let("none", "option", add=-KeyForm.PRIMES, when=Cond.NEGATIVE, target="load_rsa.lengths")
    p.do(Unit(UnitOp.GET, d="p_bits"))
    p.do(Unit(UnitOp.GET, d="q_bits"))
    p.label("load_rsa.lengths")
    refuse(p, Cond.SHORT, ErrorCode.PACKET_SHORT)
    at_most(p, "bits", "max_bits")
    refuse(p, Cond.NEGATIVE, ErrorCode.LENGTH, "bits", add=-MIN_RSA_BITS)
    at_most(p, "e_bits", "bits")
    refuse(p, Cond.NEGATIVE, ErrorCode.PUBLIC_EXPONENT, "e_bits", add=-2)
    p.let("whole_bits", "bits")
    p.let("exponent_bits", "bits")
    p.let("public_bits", "e_bits")
    p.let("none", "option", add=-KeyForm.PRIMES, when=Cond.NEGATIVE, target="load_rsa.numbers")
    for bits in ("p_bits", "q_bits"):
        at_most(p, bits, "half_bits")
        refuse(p, Cond.NEGATIVE, ErrorCode.LENGTH, bits, add=-MIN_PRIME_BITS)
    p.let("left", "p_bits", "q_bits")
    length = refused(ErrorCode.LENGTH)
    p.let("none", "bits", "left", how=Sum.MINUS, when=Cond.NOT_ZERO, target=length)
    longer_of(p, "exponent_bits", "p_bits", "q_bits")
    _rsa_numbers(p)


def _rsa_numbers(p: Program) -> None:
    """Read the numbers of an RSA key of known lengths."""
    p.label("load_rsa.numbers")
    read_number(p, WHOLE.m, "whole_bits", "whole_block_words", WHOLE.digits)
    note_wrong(p, Cond.MSB_CLEAR, ErrorCode.LENGTH)
    note_wrong(p, Cond.EVEN, ErrorCode.MODULUS_EVEN)
    read_number(p, PUBLIC, "public_bits", "whole_block_words")
    note_wrong(p, Cond.MSB_CLEAR, ErrorCode.LENGTH)
    note_wrong(p, Cond.EVEN, ErrorCode.PUBLIC_EXPONENT)
    p.let("none", "option", add=-KeyForm.EXPONENT, when=Cond.NEGATIVE, target="load_rsa.end")
    p.let("none", "option", add=-KeyForm.EXPONENT, when=Cond.NOT_ZERO, target="load_rsa.primes")
    p.let("loaded", "zero", add=LOADED_WHOLE)
    read_number(p, EXPONENT, "whole_bits", "whole_block_words")
    # The scanned exponent is d - 1, for the blinding.
    whole = ("whole_block_words",) * 2
    p.do(Words(WordOp.SUBTRACT, EXPONENT, EXPONENT, ONE, *whole, "one"))
    p.jump(Cond.ALWAYS, "load_rsa.end")
    p.label("load_rsa.primes")
    p.let("loaded", "zero", add=LOADED_PRIMES)
    for stream, (bits, digits) in enumerate((("p_bits", PRIMES.digits), ("q_bits", "digits"))):
        read_number(p, PRIMES.m + stream, bits, "block_words", digits)
        note_wrong(p, Cond.MSB_CLEAR, ErrorCode.LENGTH)
        note_wrong(p, Cond.EVEN, ErrorCode.PRIME)
    longer_of(p, PRIMES.digits, PRIMES.digits, "digits")
    at_least(p, PRIMES.digits, _LEAST_DIGITS)
    read_number(p, EXPONENT, "p_bits", "block_words")
    read_number(p, EXPONENT + 1, "q_bits", "block_words")
    p.do(
        Words(
            WordOp.SUBTRACT, EXPONENT, EXPONENT, ONE, "block_words", "block_words", "one", pair=True
        )
    )
    read_number(p, Q_INVERSE, "p_bits", "block_words")
    p.label("load_rsa.end")
    packet_end(p)
    refuse_noted(p)
    p.let("left", "public_bits", add=-1)
    p.let("rest", "left")
    divide(p, "rest", "public_place", "public_top")
    p.let("public_words", "public_place", add=1)
    at_least(p, "public_words", LEAST_WORDS)
    p.let(WHOLE.shortest, WHOLE.digits)
    p.jump(Cond.ALWAYS, "set_up")


def load_pair(p: Program) -> None:
    """Two moduli with an exponent each."""
    _two_lengths(p, "load_pair", "half_bits")
    p.let("prime_bits", "bits")
    for stream, digits in enumerate((PRIMES.digits, "digits")):
        read_number(p, PRIMES.m + stream, "prime_bits", "block_words", digits)
        note_wrong(p, Cond.SMALL, ErrorCode.MODULUS_SMALL)
        note_wrong(p, Cond.EVEN, ErrorCode.MODULUS_EVEN)
    for stream in range(2):
        read_number(p, EXPONENT + stream, "exponent_bits", "block_words")
    packet_end(p)
    refuse(p, Cond.ZERO, ErrorCode.EXPONENT_EMPTY, "exponent_bits")
    refuse_noted(p)
    longer_of(p, PRIMES.digits, PRIMES.digits, "digits", PRIMES.shortest)
    p.let("loaded", "zero", add=LOADED_PAIR)
    p.jump(Cond.ALWAYS, "set_up_pair")


def self_test(p: Program) -> None:
    """3^M = 3 mod a prime M = 2^607 - 1, in both streams."""
    p.label("self_test")
    refuse(p, Cond.OPEN, ErrorCode.PACKET_LONG)
    p.let("key", "zero")
    p.let("prime_bits", "zero", add=_TEST_BITS)
    p.let("exponent_bits", "prime_bits")
    divide(p, "prime_bits", "place", "count")
    words = ("block_words",) * 3
    p.do(Words(WordOp.POWER, PRIMES.m, words="block_words", v_words="place", pair=True))
    p.label("self_test.bit")
    p.do(Words(WordOp.ADD, PRIMES.m, PRIMES.m, PRIMES.m, *words, pair=True))
    p.down("count", "self_test.bit")
    p.do(Words(WordOp.SUBTRACT, PRIMES.m, PRIMES.m, ONE, *words[:2], "one", pair=True))
    p.do(Words(WordOp.ADD, EXPONENT, PRIMES.m, words=words[0], u_words=words[1], pair=True))
    p.let(PRIMES.digits, "place", add=1)
    p.let(PRIMES.shortest, PRIMES.digits)
    p.let("loaded", "zero", add=LOADED_TEST)
    p.jump(Cond.ALWAYS, "set_up_pair")


def working_constants(p: Program) -> None:
    """Numbers of the working page that every key requires."""
    p.do(Words(WordOp.POWER, ONE, words="divided", pair=True))
    p.do(Words(WordOp.ADD, TWO, ONE, ONE, "divided", "one", "one", pair=True))
    p.do(Words(WordOp.POWER, SHIFT, words="twice_divided", v_words="divided"))


def set_up(p: Program) -> None:
    """Compute the constants of a key."""
    p.label("set_up")
    _set_up_exponents(p)
    lengths(p, WHOLE)
    constants(p, WHOLE)
    answer_words(p, WHOLE.answer_words, "whole_bits")
    p.let("none", "loaded", add=-LOADED_PRIMES, when=Cond.ZERO, target="set_up_primes")
    p.label("loaded")
    p.let("key", "loaded")
    p.do(Unit(UnitOp.STOP_TIMER))
    p.let("answered", "one")
    p.do(Unit(UnitOp.PUT, first="command", second="two"))
    p.do(Unit(UnitOp.PUT_CYCLES))
    p.do(Unit(UnitOp.PUT, first="zero", second="zero", pair=True))
    p.do(Unit(UnitOp.WIPE))  # no number that led to the constants stays in the working page
    working_constants(p)
    p.jump(Cond.ALWAYS, "ready")

    p.label("set_up_pair")
    at_least(p, PRIMES.digits, _LEAST_DIGITS)
    p.let(WHOLE.digits, PRIMES.digits)
    _set_up_exponents(p)
    answer_words(p, PRIMES.answer_words, "prime_bits", 2)
    p.label("set_up_primes")
    lengths(p, PRIMES)
    constants(p, PRIMES)
    p.let("none", "loaded", add=-LOADED_PAIR, when=Cond.ZERO, target="loaded")
    p.let("none", "loaded", add=-LOADED_TEST, when=Cond.ZERO, target="test")
    # p q / R mod n is 0. Together they have as many bits as n, so p q is n.
    p.do(Words(WordOp.ADD, V, PRIMES.m + 1, words=WHOLE.words, u_words=PRIMES.digits))
    multiply(p, WHOLE, V, PRIMES.m, V, a_words=PRIMES.digits)
    reduce(p, WHOLE, G, V)
    p.jump(Cond.EQUAL, "set_up.recombination")
    p.let("error", "zero", add=ErrorCode.PRIME << 8, when=Cond.ALWAYS, target="respond")
    p.label("set_up.recombination")
    recombination(p)
    p.jump(Cond.ALWAYS, "loaded")


def _set_up_exponents(p: Program) -> None:
    again = p.place("windows")
    divide(p, "exponent_bits", "exponent_place", "exponent_top")
    p.let("exponent_words", "exponent_place", add=1)
    at_least(p, "exponent_words", LEAST_WORDS)
    p.let("windows", "zero")
    p.let("left", "exponent_bits")
    p.label(again)
    p.let("windows", "windows", add=1)
    p.let("left", "left", "window_bits", how=Sum.MINUS)
    p.let("none", "left", add=-1, when=Cond.NOT_NEGATIVE, target=again)
    p.let("first_bits", "left", "window_bits")
