"""Common parts of the engine's program for packets: refusals, numbers, lengths, answers."""

from totient.common.contract import ErrorCode
from totient.engine.assembler import Program
from totient.engine.instruction_set import BuildParameter, Cond, Sum, UnitOp
from totient.engine.instructions import Scalar, Unit

CLEARED, FAILED = 1, 2
"""Reason of an automatic restart of the program."""


def refused(error: ErrorCode) -> str:
    """Label of the refusal with an error."""
    return f"refuse.{error.name.lower()}"


def refusals(p: Program) -> None:
    """A refusal with each error that a packet may have; `refuse` is that of the scalar `error`."""
    used = {op.target for op in p.instructions if isinstance(op, Scalar)}
    for error in ErrorCode:
        if refused(error) in used:
            p.label(refused(error))
            p.let("error", "zero", add=error << 8, when=Cond.ALWAYS, target="refuse")


def refuse(p: Program, when: Cond, error: ErrorCode, scalar: str = "zero", add: int = 0) -> None:
    """Refuse the packet if a condition holds, of a scalar or another one."""
    p.let("none", scalar, add=add, when=when, target=refused(error))


def build_parameter(p: Program, scalar: str, built: BuildParameter) -> None:
    """Copy a build parameter to a scalar."""
    p.do(Unit(UnitOp.VALUE, d=scalar, built=built))


def restart(p: Program, found: int) -> None:
    """Compute the constants again, in case one has been damaged, and continue as in `_begin`."""
    p.let("zero", "zero", "zero", how=Sum.MINUS)
    p.let("found", "zero", add=found, when=Cond.ALWAYS, target="begin")


def put_word(p: Program, low: int | str, high: int | str = 0, last: bool = False) -> None:
    """Send a word of an answer. Numbers have 16 bits."""
    for name, half in (("word", low), ("high", high)):
        if isinstance(half, int):
            p.let(name, "zero", add=half if half < 1 << 15 else half - (1 << 16))
        else:
            p.let(name, half)
    p.do(Unit(UnitOp.PUT, first="word", second="high", pair=last))


def packet_end(p: Program) -> None:
    """Refuse unless the packet ends here and no number exceeds its stated length."""
    refuse(p, Cond.SHORT, ErrorCode.PACKET_SHORT)
    refuse(p, Cond.OPEN, ErrorCode.PACKET_LONG)
    refuse(p, Cond.LENGTH_EXCEEDED, ErrorCode.LENGTH)


def note_wrong(p: Program, when: Cond, error: int) -> None:
    """Note a wrong number. The first one is reported, if the packet is otherwise right."""
    end = p.place("noted")
    p.let("none", "found", when=Cond.NOT_ZERO, target=end)
    p.let("found", "zero", add=error << 8)
    p.jump(when, end)
    p.let("found", "zero")
    p.label(end)


def refuse_noted(p: Program) -> None:
    """Refuse the packet if an error was noted."""
    p.let("error", "found", when=Cond.NOT_ZERO, target="refuse")


def at_most(p: Program, bits: str, most: str) -> None:
    """Refuse a length above another one."""
    p.let("none", most, bits, how=Sum.MINUS, when=Cond.NEGATIVE, target=refused(ErrorCode.LENGTH))


def read_number(p: Program, block: int, bits: str, words: str, digits: str = "none") -> None:
    """Read a number of this many bits into a block; check the block against what came in."""
    p.do(Unit(UnitOp.NUMBER, block, first=bits, second=words, d=digits))
    p.do(Unit(UnitOp.DIGEST, block, first=bits, second=words, pair=True))


def at_least(p: Program, scalar: str, least: int) -> None:
    """Raise a scalar to a minimum value."""
    end = p.place("least")
    p.let("none", scalar, add=-least, when=Cond.NOT_NEGATIVE, target=end)
    p.let(scalar, "zero", add=least)
    p.label(end)


def longer_of(p: Program, d: str, a: str, b: str, shorter: str = "none") -> None:
    """Set `d` to the larger one of `a` and `b`, and `shorter` to the other."""
    end = p.place("longer")
    p.let("left", a)
    p.let(shorter, b)
    p.let("none", a, b, how=Sum.MINUS, when=Cond.NOT_NEGATIVE, target=end)
    p.let("left", b)
    p.let(shorter, a)
    p.label(end)
    p.let(d, "left")


def divide(p: Program, bits: str, quotient: str, rest: str) -> None:
    """Divide by the bits of a digit."""
    again = p.place("divide")
    p.let(rest, bits)
    p.let(quotient, "zero", add=-1)
    p.label(again)
    p.let(quotient, quotient, add=1)
    p.let(rest, rest, "digit_bits", how=Sum.MINUS, when=Cond.NOT_NEGATIVE, target=again)
    p.let(rest, rest, "digit_bits")


def answer_words(p: Program, words: str, bits: str, count: int = 1) -> None:
    """Words of an answer with results of this length."""
    again = p.place("words")
    p.let(words, "two")
    p.let("left", bits)
    p.label(again)
    p.let(words, words, add=count)
    p.let("left", "left", add=-32)
    p.let("none", "left", add=-1, when=Cond.NOT_NEGATIVE, target=again)
