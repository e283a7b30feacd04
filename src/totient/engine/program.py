"""The engine's whole program: packets, keys, operations. docs/contracts.md specifies the packets.

It starts at its first instruction after reset, and restarts whenever hardware aborts an operation:
after a failed check, a random word that is late, or a waiting clear packet.
"""

from totient.common.contract import NAME_BYTES, Command, ErrorCode
from totient.engine.assembler import Program
from totient.engine.instruction_set import (
    QUOTIENT_DELAY,
    WINDOW_BITS,
    BuildParameter,
    Cond,
    Sum,
    UnitOp,
    WordOp,
)
from totient.engine.instructions import KEY, Product, Unit, Words
from totient.engine.keys import (
    load_pair,
    load_plain,
    load_rsa,
    self_test,
    set_up,
    working_constants,
)
from totient.engine.layout import ACC, CLEARED_SCALARS, KEY_SCALARS, G
from totient.engine.moduli import DIVIDED, passes_of
from totient.engine.operations import exponentiate, private, public, tested
from totient.engine.packets import (
    CLEARED,
    build_parameter,
    put_word,
    refusals,
    refuse,
    refused,
    restart,
)

NAME = "engine"
"""Design name in the info packet."""


def engine_program() -> Program:
    """The whole program."""
    p = Program(KEY_SCALARS)
    _begin(p)
    _ready(p)
    _info(p)
    load_plain(p)
    load_rsa(p)
    load_pair(p)
    self_test(p)
    set_up(p)
    exponentiate(p)
    private(p)
    public(p)
    tested(p)
    refusals(p)
    return p


def _begin(p: Program) -> None:
    """Constants; then actions according to the cause of the start."""
    p.let("zero", "zero", "zero", how=Sum.MINUS)
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
        ("digit_bits", BuildParameter.DIGIT_BITS),
        ("max_bits", BuildParameter.MAX_BITS),
        ("half_bits", BuildParameter.HALF_BITS),
        ("slots", BuildParameter.SLOTS),
        ("round", BuildParameter.ROUND),
        ("round_doublings", BuildParameter.ROUND_DOUBLINGS),
        ("block_words", BuildParameter.BLOCK_WORDS),
    ):
        build_parameter(p, name, built)
    p.let("whole_block_words", "block_words", "block_words")
    p.do(Unit(UnitOp.RING, d="elements"))
    p.do(Unit(UnitOp.RING, d="left", first="one"))
    passes_of(p, "small_passes", "small_steps", "divided", "left")
    p.let("divide_lead", "small_steps", "divided", how=Sum.MINUS)
    p.let("inverse_lead", "small_steps", "quotient_delay", how=Sum.MINUS)
    p.let("low_positions", "small_steps", "twice_divided", add=1)
    p.let("none", "found", add=-CLEARED, when=Cond.ZERO, target="clear")
    p.let("none", "found", when=Cond.NOT_ZERO, target="failed")
    p.do(Unit(UnitOp.READ_RESTART_CAUSE, d="error"))
    p.let("none", "error", when=Cond.NOT_ZERO, target="begin.given_up")
    p.let("error", "zero", add=ErrorCode.FAULT << 8)
    p.let("command", "zero", when=Cond.ALWAYS, target="clear")
    _give_up(p)


def _give_up(p: Program) -> None:
    """The answer of an aborted operation, and of a failed one."""
    p.label("begin.given_up")
    p.jump(Cond.OPEN, "begin.drain")
    p.jump(Cond.ALWAYS, "begin.drained")
    p.label("begin.drain")
    p.do(Unit(UnitOp.DRAIN))
    p.label("begin.drained")
    # The clear packet that follows an aborted operation wipes more than this.
    p.let("none", "error", add=-(ErrorCode.ABORTED << 8), when=Cond.ZERO, target="respond")
    p.label("failed")
    _wipe_working(p)
    p.let("zero", "zero", "zero", how=Sum.MINUS)  # it may be what is damaged
    # A fault between two requests has no answer.
    p.do(Unit(UnitOp.READ_RESTART_CAUSE, d="left", pair=True))
    p.let("none", "left", when=Cond.ZERO, target="ready")
    p.let("none", "answered", when=Cond.ZERO, target="respond")
    # An answer has begun: make it longer than stated.
    p.let("count", "whole_block_words", "whole_block_words")
    p.label("begin.longer")
    p.do(Unit(UnitOp.PUT))
    p.down("count", "begin.longer")
    p.do(Unit(UnitOp.PUT, pair=True))
    p.jump(Cond.ALWAYS, "ready")


def _wipe_working(p: Program) -> None:
    """Zeros in the working page, and in all registers that have held numbers.

    The page is wiped twice: no flipped bit of an address leaves a word.
    """
    p.do(Unit(UnitOp.WIPE, pair=True))
    p.do(Unit(UnitOp.WIPE, pair=True))
    p.let("positions", "elements", "twice_divided")
    everything = Product(
        *(ACC, ACC, ACC, "zero", "positions", "divided", "divided", "divided"),
        x=ACC,
        t=ACC,
        t_words="divided",
        pair=True,
        ring="zero",
        sync=True,
        table_write="zero",
    )
    p.do(everything)
    counts = ("low_positions", "divided", "divided")
    p.do(Words(WordOp.ADD, ACC, ACC, ACC, *counts, pair=True, exponent=True))
    p.do(Unit(UnitOp.CLEAR_SIGNS))
    p.do(Unit(UnitOp.WAIT_IDLE))
    p.do(Unit(UnitOp.SCAN_LOAD, first="zero", second="digit_bits"))
    p.do(Unit(UnitOp.SCAN, first="window_bits"))
    for _ in range(2):
        p.do(Unit(UnitOp.TABLE_GATHER, first="divided", pair=True))
        p.do(Product(**{**vars(everything), "window": True}))
    p.do(Unit(UnitOp.NUMBER, G, first="zero", second="twice_divided"))
    working_constants(p)


def _ready(p: Program) -> None:
    """Refusals, and the next packet."""
    # Twice, in case a bit flips. Only then, the error of a packet that has begun is 0.
    p.label("clear")
    p.let("slot", "slots")
    p.label("clear.slot")
    p.let("slot", "slot", add=-1)
    p.do(Unit(UnitOp.SLOT, first="slot"))
    p.do(Unit(UnitOp.WIPE, KEY))
    for name in KEY_SCALARS:
        p.let(name, "zero")
    p.let("none", "slot", when=Cond.NOT_ZERO, target="clear.slot")
    p.let("error", "error", add=-(ErrorCode.FAULT << 7))
    p.let("none", "error", add=-1, when=Cond.NOT_NEGATIVE, target="clear")
    for name in CLEARED_SCALARS:
        p.let(name, "zero")
    _wipe_working(p)
    p.let("none", "command", when=Cond.ZERO, target="ready")
    p.jump(Cond.ALWAYS, "respond")
    _respond(p)
    _next_packet(p)


def _respond(p: Program) -> None:
    """An answer of one word."""
    p.label("refuse")
    p.jump(Cond.OPEN, "refuse.drain")
    p.jump(Cond.ALWAYS, "respond")
    p.label("refuse.drain")
    p.do(Unit(UnitOp.DRAIN))
    p.label("respond")
    p.do(Unit(UnitOp.STOP_TIMER))
    p.let("word", "command", "error")
    p.do(Unit(UnitOp.PUT, first="word", pair=True))


def _next_packet(p: Program) -> None:
    """Read the first word of a packet, and branch to its command."""
    p.label("ready")
    # A clear packet is recognised even if these constants are damaged. It computes all of them
    # again.
    p.let("zero", "zero", "zero", how=Sum.MINUS)
    build_parameter(p, "slots", BuildParameter.SLOTS)
    p.let("error", "zero", add=ErrorCode.FAULT << 8)  # if it is answered before its end
    p.let("answered", "zero")
    p.let("proof", "zero")
    p.let("words", "zero")
    p.do(Unit(UnitOp.GET, pair=True))
    for name in ("command", "option", "slot", "count"):
        p.do(Unit(UnitOp.BYTE, d=name))
    refuse(p, Cond.NOT_ZERO, ErrorCode.COMMAND, "count")
    unknown = refused(ErrorCode.COMMAND)
    p.let("none", "slot", "slots", how=Sum.MINUS, when=Cond.NOT_NEGATIVE, target=unknown)
    p.do(Unit(UnitOp.SLOT, first="slot"))
    for command, target in (
        (Command.PRIVATE, "private"),
        (Command.PUBLIC, "public"),
        (Command.EXPONENTIATE, "exponentiate"),
        (Command.LOAD_KEY, "load_plain"),
        (Command.LOAD_RSA_KEY, "load_rsa"),
        (Command.LOAD_PAIR, "load_pair"),
    ):
        p.let("none", "command", add=-command, when=Cond.ZERO, target=target)
    # The other packets have one word.
    p.let("none", "option", when=Cond.NOT_ZERO, target=unknown)
    for command, target in (
        (Command.INFO, "info"),
        (Command.CLEAR, "clear?"),
        (Command.SELF_TEST, "self_test"),
    ):
        p.let("none", "command", add=-command, when=Cond.ZERO, target=target)
    p.jump(Cond.ALWAYS, unknown)
    p.label("clear?")
    refuse(p, Cond.OPEN, ErrorCode.PACKET_LONG)
    restart(p, CLEARED)


def _info(p: Program) -> None:
    p.label("info")
    refuse(p, Cond.OPEN, ErrorCode.PACKET_LONG)
    p.do(Unit(UnitOp.STOP_TIMER))
    p.let("answered", "one")
    p.let("high", "zero", add=9)
    p.do(Unit(UnitOp.PUT, first="command", second="high"))
    name = NAME.encode().ljust(NAME_BYTES, b"\0")
    for i in range(0, NAME_BYTES, 4):
        low, high = (int.from_bytes(name[j : j + 2], "little") for j in (i, i + 2))
        if low or high:
            put_word(p, low, high)
        else:
            p.do(Unit(UnitOp.PUT, first="zero", second="zero"))
    build_parameter(p, "left", BuildParameter.VERSION)
    build_parameter(p, "count", BuildParameter.VERSION_HIGH)
    for first, second in (
        ("left", "count"),
        ("max_bits", "zero"),
        ("one", "zero"),  # the time depends on lengths
        ("one", "zero"),  # one base
    ):
        p.do(Unit(UnitOp.PUT, first=first, second=second))
    p.do(Unit(UnitOp.PUT, first="slots", second="zero", pair=True))
    p.jump(Cond.ALWAYS, "ready")
