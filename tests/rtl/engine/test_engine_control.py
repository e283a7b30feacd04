"""What runs the engine's program: a program of random instructions, with all units made up.

Everything that leaves the unit, in order and with its numbers, is what a few lines of Python say
that the program does; and nothing leaves it before what it has to wait for.
"""

import random
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, Timer
from tests.rtl.clocked import Started, elapse
from tests.rtl.engine.structs import (
    DATAPATH_STATUS,
    OPERATION,
    PACKET_REQUEST,
    PACKET_STATUS,
    WINDOW_REQUEST,
    WINDOW_STATUS,
    packed,
)
from tests.rtl.packed import Packed

from totient.common.contract import ErrorCode
from totient.engine.assembler import Program
from totient.engine.instruction_set import BuildParameter, Cond, Sum, UnitOp, WordOp
from totient.engine.instructions import Instruction, Product, Scalar, Unit, Words
from totient.engine.rom import package

SEED = 1  # of the program
SLOTS = 2
SHARED = tuple(f"s{i}" for i in range(12))
OF_SLOT = tuple(f"k{i}" for i in range(6))
FLAGS = {
    "is_even": Cond.EVEN,
    "is_small": Cond.SMALL,
    "length_exceeded": Cond.LENGTH_EXCEEDED,
    "msb_clear": Cond.MSB_CLEAR,
    "is_open": Cond.OPEN,
    "is_short": Cond.SHORT,
}

_HALF = 1 << 15
_SIGNS = (Cond.SIGN_0, Cond.SIGN_1, Cond.EQUAL)
_WINDOW_UNIT = (UnitOp.SCAN_LOAD, UnitOp.SCAN, UnitOp.TABLE_GATHER)


def drawn_program(seed: int, length: int = 220) -> Program:
    """Random instructions with jumps ahead, and one back to the first of them at the end.

    Before them all scalars get values. No random one changes `zero`, `one`, `given`, or reads
    `none`.
    """
    draw = random.Random(seed)
    p = Program(OF_SLOT)
    p.let("zero", "zero", "zero", how=Sum.MINUS)
    p.let("one", "zero", add=1)
    p.do(Unit(UnitOp.READ_RESTART_CAUSE, d="reason"))
    p.do(Unit(UnitOp.PUT, first="reason"))
    p.do(Unit(UnitOp.READ_RESTART_CAUSE, d="given", pair=True))
    p.do(Unit(UnitOp.PUT, first="given"))
    for slot in ("one", "zero"):
        p.do(Unit(UnitOp.SLOT, first=slot))
        for name in OF_SLOT:
            p.let(name, "zero", add=draw.randrange(-_HALF, _HALF))
    for name in SHARED:
        p.let(name, "zero", add=draw.randrange(-_HALF, _HALF))
    names = (*SHARED, *OF_SLOT, "zero", "one", "reason", "given")

    def scalar() -> str:
        return draw.choice(names)

    def block() -> int:
        return draw.randrange(64)

    def flag() -> bool:
        return draw.random() < 0.5

    conditions = cycle(draw.sample(list(Cond), len(Cond)))
    others = cycle(draw.sample(list(UnitOp), len(UnitOp)))
    p.label("again")
    p.do(Unit(UnitOp.GET, d="given"))
    for place in range(length):
        p.label(f"at.{place}")
        match draw.randrange(8):
            case 0 | 1:
                p.do(
                    Product(
                        *(block(), block(), block()),
                        *(scalar(), scalar(), scalar(), scalar(), scalar()),
                        x=draw.choice((None, block())),
                        t=draw.choice((None, block())),
                        t_words=scalar(),
                        lead=scalar(),
                        pair=flag(),
                        ring=scalar(),
                        common=flag(),
                        sync=flag(),
                        window=flag(),
                        table_write=draw.choice(("", scalar())),
                    )
                )
            case 2:
                blocks, counts = (block(), block(), block()), (scalar(), scalar(), scalar())
                p.do(Words(draw.choice(list(WordOp)), *blocks, *counts, flag(), flag()))
            case 3 | 4 | 5:
                ahead = min(length - 1, place + draw.randint(1, 4))
                when = next(conditions) if ahead > place else Cond.NEVER
                target = f"at.{ahead}" if when else ""
                d = draw.choice((*SHARED, *OF_SLOT, "none"))
                add = draw.choice((0, 0, 1, -1, draw.randrange(-_HALF, _HALF)))
                a, b, how = scalar(), scalar(), draw.choice(list(Sum))
                if Cond.ZERO <= when <= Cond.NOT_NEGATIVE:
                    # Another number each time, so that the condition holds now and then.
                    even = when <= Cond.NOT_ZERO
                    a, b, add, how = "given", "one", 0, Sum.COMMON if even else Sum.PLUS
                p.let(d, a, b, add, how, when, target)
            case _:
                does = next(others)
                first, second = draw.choice((("zero", "one"), (scalar(), scalar())))
                if does == UnitOp.SLOT:
                    first = draw.choice(("zero", "one"))
                gives = does in (
                    UnitOp.VALUE,
                    UnitOp.RING,
                    UnitOp.GET,
                    UnitOp.BYTE,
                    UnitOp.NUMBER,
                )
                d = draw.choice((*SHARED, *OF_SLOT)) if gives else "none"
                p.do(
                    Unit(does, block(), first, second, flag(), d, draw.choice(list(BuildParameter)))
                )
    p.jump(Cond.ALWAYS, "again")
    return p


class Reference:
    """The program, run by Python; it stops at each thing that leaves the unit.

    Attributes:
        sees: conditions of jumps that come from outside.
        value: what the unit that was asked last has given.
        jumped: conditions that have held, and those that have not.
        idle, window: since it stopped last, something had to wait for the datapath or the windows.
    """

    def __init__(self, program: Program, dut: Any) -> None:
        self.program = program
        self.built = {
            BuildParameter.DIGIT_BITS: int(dut.Bits.value),
            BuildParameter.MAX_BITS: int(dut.MaxBits.value),
            BuildParameter.SLOTS: SLOTS,
            BuildParameter.ROUND: 8,
            BuildParameter.ROUND_DOUBLINGS: 9,
            BuildParameter.VERSION: 0x0100,
            BuildParameter.VERSION_HIGH: 0,
            BuildParameter.BLOCK_WORDS: 1 << int(dut.PlaceBits.value),
            BuildParameter.HALF_BITS: int(dut.HalfBits.value),
        }
        shorter = int(dut.Taps.value).to_bytes(16, "little")
        self.rings = [each or int(dut.Elements.value) for each in (0, *shorter[:15])]
        self.places = int(dut.PlaceBits.value)
        self.numbers = program.scalars()
        self.scalars: dict[tuple[int, int], int] = {}
        self.page = 0
        self.sees: dict[Cond, bool] = {}
        self.value = self.reason = self.unanswered = 0
        self.public_only = False
        self.idle = self.window = False
        self.buffer = 0
        self.jumped: set[tuple[Cond, bool]] = set()

    def _key(self, name: str) -> tuple[int, int]:
        number = self.numbers[name]
        return (self.page if number >= 64 else 0), number

    def __getitem__(self, name: str) -> int:
        return self.scalars.get(self._key(name), 0)

    def __setitem__(self, name: str, value: int) -> None:
        self.scalars[self._key(name)] = value % (1 << 16)

    def block(self, paged: int) -> int:
        """A block's number, those of the key slot in its page."""
        return (self.page if paged >> 5 else 0) << 5 | paged & 31

    def operation(self, op: Product | Words) -> int:
        """Its bits, as the datapath gets them; `window_buffer` is what is gathered."""

        def at(name: str) -> int:
            return self[name] & 0x3FF if name else 0

        if isinstance(op, Words):
            return packed(
                OPERATION,
                word=1,
                action=op.action,
                pair=op.pair,
                d=self.block(op.d),
                a=self.block(op.v),
                b=self.block(op.u),
                exponent=op.exponent,
                words=at(op.words),
                a_words=at(op.v_words),
                b_words=at(op.u_words),
                d_words=at(op.words),
            )
        return packed(
            OPERATION,
            pair=op.pair,
            common=op.common,
            sync=op.sync,
            d=self.block(op.d),
            a=self.buffer << 1 if op.window else self.block(op.a),
            b=self.block(op.b),
            t=self.block(op.t or 0),
            x=self.block(op.x or 0),
            add=op.t is not None,
            reduce=op.x is not None,
            window=op.window,
            table_write=bool(op.table_write),
            entry=at(op.table_write) & 31,
            ring=at(op.ring) & 15,
            passes=at(op.passes),
            words=at(op.words),
            lead=at(op.lead),
            a_words=at(op.a_words),
            b_words=at(op.b_words),
            t_words=at(op.t_words),
            d_words=at(op.d_words),
        )

    def run(self) -> Iterator[Instruction]:
        """From the first instruction on; each time with what leaves the unit next."""
        place = 0
        while True:
            op = self.program.instructions[place]
            place += 1
            match op:
                case Product() | Words():
                    self.window |= isinstance(op, Product) and op.window
                    yield op
                    self.idle = self.window = False
                case Scalar():
                    a, b = self[op.a], self[op.b]
                    value = (a - b if op.how == Sum.MINUS else a + b) + op.add
                    value %= 1 << 16
                    zero = not a & b & 15 if op.how == Sum.COMMON else not value
                    self[op.d] = value
                    self.idle |= op.when in _SIGNS
                    self.window |= op.when == Cond.BIT
                    jumps = self._jumps(op.when, value, zero)
                    self.jumped.add((op.when, jumps))
                    if jumps:
                        place = self.program.labels[op.target]
                case Unit():
                    value = 0
                    self.idle |= (
                        op.does in (UnitOp.WAIT_IDLE, UnitOp.CLEAR_SIGNS) or op.does >= UnitOp.GET
                    )
                    self.window |= op.does in _WINDOW_UNIT
                    if op.does == UnitOp.SLOT:
                        self.page, self.public_only = self[op.first] + 1, op.pair
                    elif op.does == UnitOp.VALUE:
                        value = self.built[op.built]
                    elif op.does == UnitOp.RING:
                        value = self.rings[self[op.first] & 15]
                    elif op.does == UnitOp.READ_RESTART_CAUSE:
                        value = self.unanswered if op.pair else self.reason << 8
                    elif op.does != UnitOp.WAIT_IDLE:
                        yield op
                        self.idle = self.window = False
                        value = self.value
                    self[op.d] = value

    def _jumps(self, when: Cond, value: int, zero: bool) -> bool:
        own = {
            Cond.NEVER: False,
            Cond.ALWAYS: True,
            Cond.ZERO: zero,
            Cond.NOT_ZERO: not zero,
            Cond.NEGATIVE: value >= _HALF,
            Cond.NOT_NEGATIVE: value < _HALF,
        }
        return own[when] if when in own else self.sees[when]


class Bench(Started):
    """The unit with all that is around it.

    Attributes:
        busy: cycles that datapath, window unit and packet unit have something to do yet.
        seen: kinds of what has left the unit.
    """

    def __init__(self, dut: Any, program: Program, seed: int) -> None:
        self.dut = dut
        self.draw = random.Random(seed)
        self.reference = Reference(program, dut)
        self.busy = {"datapath": 0, "windows": 0, "unit": 0}
        self.shown: dict[str, dict[str, int]] = {}
        self.packets = Packed(dut.packet_status_i, PACKET_STATUS)
        self.statuses = {
            "datapath": Packed(dut.datapath_status_i, DATAPATH_STATUS),
            "windows": Packed(dut.window_status_i, WINDOW_STATUS),
            "unit": self.packets,
        }
        self.asked = Packed(dut.packet_request_o, PACKET_REQUEST)
        self.window_request = Packed(dut.window_request_o, WINDOW_REQUEST)
        self.seen: set[object] = set()
        self.steps: Iterator[Instruction]
        self.next: Instruction

    async def start(self) -> None:
        """Clock and reset."""
        dut = self.dut
        Clock(dut.clk_i, 10, "ns").start()
        dut.rst_ni.value = 0
        for unit in self.busy:
            self.settle(unit)
        self.outside()
        await elapse(dut, 2)
        dut.rst_ni.value = 1
        self.begin(0)

    def begin(self, reason: int) -> None:
        """The program begins."""
        at = self.reference
        at.reason, at.idle, at.window = reason, False, False
        at.unanswered = self.draw.getrandbits(1)
        self.packets.drive(unanswered=at.unanswered)
        self.busy = dict.fromkeys(self.busy, 0)
        self.steps = at.run()
        self.next = next(self.steps)

    def _anything(self, unit: str) -> dict[str, int]:
        widths = {
            "datapath": {"negative": 2, "zero": 2},
            "windows": {"window_0": 5, "window_1": 5, "buffer": 1},
            "unit": {**dict.fromkeys(FLAGS, 1), "value": 16},
        }
        return {name: self.draw.getrandbits(bits) for name, bits in widths[unit].items()}

    def settle(self, unit: str) -> None:
        """What a unit will show when it is no longer busy."""
        at, shown = self.reference, self._anything(unit)
        self.shown[unit] = shown
        if unit == "datapath":
            at.sees[Cond.SIGN_0] = bool(shown["negative"] & 1)
            at.sees[Cond.SIGN_1] = bool(shown["negative"] & 2)
            at.sees[Cond.EQUAL] = bool(shown["zero"] & 1)
        elif unit == "windows":
            at.sees[Cond.BIT] = bool(shown["window_0"] & 1)
            at.buffer = shown["buffer"]
        else:
            for name in FLAGS:
                at.sees[FLAGS[name]] = bool(shown[name])
            at.value = shown["value"]

    def outside(self) -> None:
        """A cycle of the other units: they show anything while they are busy."""
        busy = self.busy
        self.dut.ready_i.value = int(self.draw.random() < 0.4)
        self.idle, self.window_busy = not busy["datapath"], busy["windows"] > 0
        self.statuses["datapath"].drive(idle=int(self.idle))
        self.statuses["windows"].drive(busy=int(self.window_busy))
        self.packets.drive(busy=int(busy["unit"] > 0))
        for unit, left in busy.items():
            self.statuses[unit].drive(**(self._anything(unit) if left else self.shown[unit]))
            busy[unit] = max(0, left - 1)

    def asks(self) -> bool:
        """The packet unit is asked for something of its own."""
        return bool(self.asked["start"]) and self.asked["unit_op"] >= UnitOp.GET

    async def tick(self) -> bool:
        """A clock cycle; whether something has left the unit, which has then been right."""
        dut = self.dut
        self.outside()
        await ReadOnly()
        left = [
            name
            for name, gone in (
                ("operation", dut.valid_o.value and dut.ready_i.value),
                ("forget", dut.clear_signs_o.value),
                ("scan_load", self.window_request["scan_load"]),
                ("scan", self.window_request["scan"]),
                ("gather", self.window_request["gather"]),
                ("do", self.asks()),
            )
            if gone
        ]
        if self.asked["start"] and not self.asks():
            self.shown["unit"]["value"] = 0  # as the packet unit has it for what is not its own
        if left:
            assert len(left) == 1, left
            self._check(left[0])
        await FallingEdge(dut.clk_i)
        if left:
            self._go_on(left[0])
        return bool(left)

    def _check(self, name: str) -> None:
        dut, op, at = self.dut, self.next, self.reference
        scan, asked = self.window_request, self.asked
        assert not (at.idle and not self.idle), op
        assert not (at.window and self.window_busy), op
        if isinstance(op, Product | Words):
            assert name == "operation", op
            assert int(dut.operation_o.value) == at.operation(op), op
            assert bool(dut.public_only_o.value) == at.public_only, op
            self.seen.add(type(op))
            return
        assert isinstance(op, Unit)
        first, second = at[op.first], at[op.second]
        found: tuple[object, ...] = (name,)
        expected: tuple[object, ...]
        match op.does:
            case UnitOp.CLEAR_SIGNS:
                expected = ("forget",)
            case UnitOp.SCAN_LOAD:
                found = name, scan["scan_place"], scan["scan_bits"]
                expected = "scan_load", first % 1024, second % 32
            case UnitOp.SCAN:
                found = name, scan["scan_bits"]
                expected = "scan", first % 32
            case UnitOp.TABLE_GATHER:
                found = name, scan["words"], scan["pair"]
                expected = "gather", first % 1024, int(op.pair)
            case _:
                arguments = ("unit_op", "pair", "first", "second", "block")
                found = name, *(asked[argument] for argument in arguments)
                expected = "do", int(op.does), int(op.pair), first, second, at.block(op.block)
        assert found == expected, op
        self.seen.add(op.does)

    def _go_on(self, name: str) -> None:
        """A unit has something to do now; with what comes of it the program goes on."""
        units = {"operation": "datapath", "do": "unit"}
        if name != "forget":
            unit = units.get(name, "windows")
            self.busy[unit] = self.draw.choice((0, 1, 2, 40))
            self.settle(unit)
        self.next = next(self.steps)

    async def step(self) -> None:
        """Up to the next thing that leaves the unit."""
        for _ in range(2000):
            if await self.tick():
                return
        raise AssertionError(f"nothing leaves the unit: {self.next}")

    async def stopped(self, reason: int) -> None:
        """The program has been given up: the datapath is reset while its work runs out."""
        dut = self.dut
        await FallingEdge(dut.clk_i)
        self.packets.drive(clear_waits=0, fault=0, busy=0)
        for _ in range(3):
            if not self.asked["stop"]:
                await FallingEdge(dut.clk_i)
        cycles = 0
        while self.asked["stop"]:
            assert not dut.datapath_rst_no.value
            assert not dut.valid_o.value
            assert not self.asked["start"]
            cycles += 1
            await FallingEdge(dut.clk_i)
        assert cycles >= 4 * int(dut.Elements.value) + 64
        assert dut.datapath_rst_no.value
        self.begin(reason)


@cocotb.test()
async def instructions(dut: Any) -> None:
    """Every kind of them, thousands, with units that take their time."""
    bench = await Bench.started(dut, drawn_program(SEED), 1)
    for _ in range(2000):
        await bench.step()
    within = {
        UnitOp.WAIT_IDLE,
        UnitOp.VALUE,
        UnitOp.RING,
        UnitOp.SLOT,
        UnitOp.READ_RESTART_CAUSE,
    }
    assert {Product, Words, *UnitOp} - within <= bench.seen
    assert len(bench.reference.jumped) == 2 * len(Cond) - 2  # NEVER and ALWAYS


@cocotb.test()
async def given_up(dut: Any) -> None:
    """At any time, for a clear or a fault, or where a unit is busy that has not been asked."""
    bench = await Bench.started(dut, drawn_program(SEED), 2)
    for _ in range(40):
        for _ in range(bench.draw.randint(1, 60)):
            await bench.step()
        for _ in range(bench.draw.randint(0, 30)):
            await bench.tick()
        bench.outside()
        kind = bench.draw.choice(("abort", "fault", "both", "busy"))
        if kind == "busy":
            # Where it has asked for nothing: while it offers an operation.
            while not isinstance(bench.next, Product | Words):
                await bench.step()
            while not dut.valid_o.value:
                bench.outside()
                dut.ready_i.value = 0
                await FallingEdge(dut.clk_i)
            bench.packets.drive(busy=1)
        else:
            aborts, fails = kind in ("abort", "both"), kind in ("fault", "both")
            bench.packets.drive(clear_waits=int(aborts), fault=int(fails))
        await bench.stopped(ErrorCode.ABORTED if kind in ("abort", "both") else ErrorCode.FAULT)
    await bench.step()


@cocotb.test()
async def too_late(dut: Any) -> None:
    """2^20 cycles of an instruction, not counted while somebody outside is waited for."""
    bench = await Bench.started(dut, drawn_program(SEED), 3)
    for waits, is_random in ((False, True), (True, False), (False, False)):
        while not bench.asks():
            await bench.tick()
        bench.packets.drive(busy=0, outside=int(waits), random=int(is_random))
        await FallingEdge(dut.clk_i)
        bench.packets.drive(busy=1)
        if waits:
            await Timer(10 << 20, "ns")
            await FallingEdge(dut.clk_i)
            assert not bench.asked["stop"]
            bench.packets.drive(outside=0)
        await Timer((10 << 20) - 1000, "ns")
        assert not bench.asked["stop"]
        await Timer(2000, "ns")
        await FallingEdge(dut.clk_i)
        assert bench.asked["stop"]
        bench.packets.drive(busy=0, outside=0, random=0)
        while bench.asked["stop"]:
            await FallingEdge(dut.clk_i)
        bench.begin(ErrorCode.RANDOM if is_random else ErrorCode.FAULT)
        for _ in range(5):
            await bench.step()


def test_engine_control(run_cocotb: Any, tmp_path: Path) -> None:
    program = tmp_path / "engine_program_pkg.sv"
    program.write_text(package(drawn_program(SEED)))
    parameters = {"Elements": 5, "Taps": "120'h040301", "PlaceBits": 6, "Slots": SLOTS}
    run_cocotb("totient:engine:engine_control", parameters, top="engine_control", extra=[program])
