"""Parts of the engine's program that raise numbers: plain, pairs, private and public."""

from totient.common.contract import Command, ErrorCode, PrivateOption
from totient.engine.assembler import Program
from totient.engine.exponentiation import (
    PROOF,
    check,
    if_option,
    power_public,
    power_secret,
    private_primes,
    private_whole,
    scan_public,
)
from totient.engine.instruction_set import Cond, Sum, UnitOp, WordOp
from totient.engine.instructions import Unit, Words
from totient.engine.layout import (
    ACC,
    AFTER,
    BASE,
    LOADED_PAIR,
    LOADED_PLAIN,
    LOADED_PUBLIC,
    LOADED_WHOLE,
    LONGER,
    ONE,
    PRIMES,
    RANDOM_BASE,
    RESULT,
    TWO,
    WHOLE,
    C,
    G,
    ModulusSet,
    U,
    V,
)
from totient.engine.moduli import enter, leave, multiply
from totient.engine.packets import (
    FAILED,
    at_most,
    packet_end,
    read_number,
    refuse,
    refused,
    restart,
)

# Start value of `proof` without a check. From it no private operation reaches PROOF.
_ASKED = 100


def _below(p: Program, kind: ModulusSet, words: str, modulus_words: str) -> None:
    """C must be below the modulus."""
    below, above = p.place("below"), refused(ErrorCode.BASE_NOT_BELOW)
    p.do(Words(WordOp.SUBTRACT, G, C, kind.m, words, words, modulus_words, pair=kind.pair))
    if kind.pair:
        first = p.place("first")
        p.jump(Cond.SIGN_0, first)
        p.jump(Cond.ALWAYS, above)
        p.label(first)
        p.jump(Cond.SIGN_1, below)
    else:
        p.jump(Cond.SIGN_0, below)
    p.jump(Cond.ALWAYS, above)
    p.label(below)


def _cleared(p: Program, words: str, *, pair: bool = False) -> None:
    """The result's block is 0, and so are the exponents that were scanned."""
    p.do(Words(WordOp.ADD, RESULT, words=words, pair=pair, exponent=True))


def _begin_answer(p: Program) -> None:
    p.do(Unit(UnitOp.STOP_TIMER))
    p.let("answered", "one")
    p.do(Unit(UnitOp.PUT, first="command", second="words"))
    p.do(Unit(UnitOp.PUT_CYCLES))
    p.do(Unit(UnitOp.PUT))


def _proven(p: Program, words: str) -> None:
    """Answer only a complete operation. If this is skipped, the answer is too long."""
    p.let("none", "proof", add=-PROOF, when=Cond.NOT_ZERO, target="fault")
    p.let("words", words, "proof", add=-PROOF)


def exponentiate(p: Program) -> None:
    """Raise bases with a plain key, or with a pair."""
    p.label("exponentiate")
    refuse(p, Cond.NOT_NEGATIVE, ErrorCode.COMMAND, "option", add=-2)
    p.let("proof", "zero", add=_ASKED)
    p.do(Unit(UnitOp.GET, d="bits"))  # 0 of a packet that is too short, which its end refuses
    p.let("none", "option", when=Cond.NOT_ZERO, target="exponentiate.pair")
    at_most(p, "bits", "max_bits")
    read_number(p, C, "bits", "whole_block_words")
    packet_end(p)
    refuse(p, Cond.NOT_ZERO, ErrorCode.NO_KEY, "key", add=-LOADED_PLAIN)
    _below(p, WHOLE, "whole_block_words", "whole_block_words")
    _cleared(p, "whole_block_words")
    enter(p, WHOLE, BASE, C, WHOLE.digits, table_write="one")
    power_secret(p, WHOLE)
    # Once more: a private exponent gives its results by a private operation only.
    p.let("none", "key", add=-LOADED_PLAIN, when=Cond.NOT_ZERO, target="fault")
    p.label("exponentiate.leave")
    leave(p, WHOLE, RESULT, ACC)
    p.do(Unit(UnitOp.DIGEST, RESULT, first="whole_bits"))
    p.let("proof", "proof", add=PROOF - _ASKED)
    p.label("answer")
    _proven(p, WHOLE.answer_words)
    _begin_answer(p)
    p.do(Unit(UnitOp.SEND, RESULT, first="whole_bits", pair=True))
    # After an answer no result is left that another request could get.
    _cleared(p, WHOLE.words)
    p.let("none", "command", add=-Command.PRIVATE, when=Cond.ZERO, target="private.end")
    p.jump(Cond.ALWAYS, "ready")

    p.label("exponentiate.pair")
    at_most(p, "bits", "half_bits")
    for stream in range(2):
        read_number(p, C + stream, "bits", "block_words")
    packet_end(p)
    refuse(p, Cond.NOT_ZERO, ErrorCode.NO_KEY, "key", add=-LOADED_PAIR)
    _below(p, PRIMES, "block_words", "block_words")
    _cleared(p, "block_words", pair=True)
    p.label("exponentiate.pair.loaded")
    enter(p, PRIMES, BASE, C, PRIMES.digits, common=False, table_write="one")
    power_secret(p, PRIMES)
    leave(p, PRIMES, RESULT, ACC)
    p.let("none", "key", when=Cond.ZERO, target="self_test.done")
    p.let("none", "key", add=-LOADED_PAIR, when=Cond.NOT_ZERO, target="fault")
    for stream in range(2):
        p.do(Unit(UnitOp.DIGEST, RESULT + stream, first="prime_bits"))
    p.let("proof", "proof", add=PROOF - _ASKED)
    _proven(p, PRIMES.answer_words)
    _begin_answer(p)
    p.do(Unit(UnitOp.SEND, RESULT, first="prime_bits"))
    p.do(Unit(UnitOp.SEND, RESULT + 1, first="prime_bits", pair=True))
    _cleared(p, PRIMES.words, pair=True)
    p.jump(Cond.ALWAYS, "ready")


def _nothing_is_zero(p: Program) -> None:
    """C of a stated length of 0 is 0: the packet unit has no digest of no words. Uses G."""
    given = p.place("given")
    p.let("none", "bits", when=Cond.NOT_ZERO, target=given)
    p.do(Words(WordOp.SUBTRACT, G, C, words="read", u_words="read"))
    p.jump(Cond.EQUAL, given)
    p.jump(Cond.ALWAYS, "fault")
    p.label(given)


def _input(p: Program, least: int) -> None:
    """C of a packet for an RSA key of a kind, or of a kind with more numbers."""
    fits, wide = p.place("fits"), p.place("wide")
    p.do(Unit(UnitOp.GET, d="bits"))  # 0 of a packet that is too short, which its end refuses
    at_most(p, "bits", "max_bits")
    # With four more digits than n there is room for the last word of 32 bits more. Longer stated
    # lengths take longer. So does a request without such a key.
    p.let("read", WHOLE.digits, add=4)
    p.let("none", "key", add=-LOADED_PUBLIC, when=Cond.NEGATIVE, target=wide)
    p.let("none", "whole_bits", "bits", 32, Sum.MINUS, Cond.NOT_NEGATIVE, fits)
    p.label(wide)
    p.let("read", "whole_block_words")
    p.label(fits)
    read_number(p, C, "bits", "read")
    packet_end(p)
    refuse(p, Cond.NEGATIVE, ErrorCode.NO_KEY, "key", add=-least)
    if least > LOADED_PUBLIC:
        _nothing_is_zero(p)
    _below(p, WHOLE, "read", WHOLE.digits)


def private(p: Program) -> None:
    """A private operation: blinded, checked, then answered."""
    p.label("private")
    refuse(p, Cond.NOT_NEGATIVE, ErrorCode.COMMAND, "option", add=-1 - sum(PrivateOption))
    _input(p, LOADED_WHOLE)
    p.let("none", "key", add=-LOADED_WHOLE, when=Cond.ZERO, target="private.whole")
    private_primes(p)
    p.label("private.check")
    check(p, "answer")
    p.label("fault")
    p.let("error", "zero", add=ErrorCode.FAULT << 8)
    restart(p, FAILED)
    p.label("private.whole")
    # Without the primes an exponent cannot be blinded.
    command = refused(ErrorCode.COMMAND)
    if_option(p, PrivateOption.EXPONENT_BLINDING, Cond.NOT_ZERO, command)
    private_whole(p)
    p.jump(Cond.ALWAYS, "private.check")
    p.label("private.end")
    whole = p.place("whole")
    p.let("none", "key", add=-LOADED_WHOLE, when=Cond.ZERO, target=whole)
    p.do(Words(WordOp.ADD, RANDOM_BASE, words=PRIMES.words, pair=True, exponent=True))
    # A public operation could read them with a flipped bit of an address. The check by e has
    # overwritten the even blocks of ACC, BASE, U and V.
    for block in (AFTER, LONGER):
        p.do(Words(WordOp.ADD, block, words=PRIMES.words, pair=True))
    for block in (ACC, BASE, U, V):
        p.do(Words(WordOp.ADD, block + 1, words=PRIMES.words))
    p.jump(Cond.ALWAYS, "ready")
    p.label(whole)
    p.do(Words(WordOp.ADD, RANDOM_BASE, words=WHOLE.words))
    p.jump(Cond.ALWAYS, "ready")


def public(p: Program) -> None:
    """A public operation."""
    p.label("public")
    refuse(p, Cond.NOT_ZERO, ErrorCode.COMMAND, "option")
    p.do(Unit(UnitOp.SLOT, first="slot", pair=True))  # of its key, no secret number is read
    p.let("proof", "zero", add=_ASKED)
    _input(p, LOADED_PUBLIC)
    scan_public(p)
    enter(p, WHOLE, BASE, C, WHOLE.digits)
    power_public(p, WHOLE, ACC, BASE)
    multiply(p, WHOLE, ACC, BASE, ACC)
    p.jump(Cond.ALWAYS, "exponentiate.leave")


def tested(p: Program) -> None:
    """The self-test, after its key has been set up."""
    p.label("test")
    p.do(Words(WordOp.ADD, C, ONE, TWO, "block_words", "one", "one", pair=True))
    p.jump(Cond.ALWAYS, "exponentiate.pair.loaded")
    p.label("self_test.done")
    longer = PRIMES.digits_and_one
    p.let("error", "zero")
    for stream in range(2):
        right = p.place("right")
        p.do(Words(WordOp.SUBTRACT, G, RESULT + stream, C + stream, longer, longer, longer))
        p.jump(Cond.EQUAL, right)
        p.jump(Cond.ALWAYS, "fault")
        p.label(right)
    _cleared(p, "block_words", pair=True)
    p.jump(Cond.ALWAYS, "respond")
