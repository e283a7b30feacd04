"""Words between packets and the digit memory: random work with everybody outside pausing."""

import random
from collections import deque
from collections.abc import Sequence
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly
from tests.rtl.clocked import Started, start
from tests.rtl.engine.structs import PACKET_REQUEST, PACKET_STATUS
from tests.rtl.packed import Packed

from totient.check.packets import number_words
from totient.common.contract import Command, Request
from totient.engine.instruction_set import UnitOp


class Bench(Started):
    """Asks the unit; is its memory, the sender and the taker of packets, and the random words.

    Attributes:
        memory: digits by address.
        queue: words of packets that wait, each with whether it is its packet's last.
        taken: words that were sent, likewise.
        drawn: random words that were taken.
        wiped: addresses of the cycles in which it wipes.
        fault: it has told of a fault.
        pause: chance that somebody outside pauses.
        took: cycle in which a word was taken last.
        spoiled: addresses of which the second copy of the memory reads other digits: by so much.
    """

    def __init__(self, dut: Any, seed: int) -> None:
        self.dut = dut
        self.bits, self.places = int(dut.Bits.value), int(dut.PlaceBits.value)
        self.address_bits = int(dut.AddressBits.value)
        self.request = Packed(dut.request_i, PACKET_REQUEST)
        self.status = Packed(dut.status_o, PACKET_STATUS)
        self.digit = (1 << self.bits) - 1
        self.draw = random.Random(seed)
        self.memory: dict[int, int] = {}
        self.queue: deque[tuple[int, bool]] = deque()
        self.taken: list[tuple[int, bool]] = []
        self.drawn: list[int] = []
        self.wiped: list[int] = []
        self.fault = False
        self.pause = 0.5
        self.dry = False
        self.spoiled: dict[int, int] = {}
        self.cycle = self.took = 0
        self._reads: deque[tuple[int, int]] = deque([(0, 0)] * 4)
        self._reading = False
        self._writes: deque[tuple[int, int] | None] = deque([None])

    async def start(self) -> None:
        """Clock and reset."""
        await start(
            self.dut,
            *("work", "request", "random_valid", "random", "data", "again"),
        )
        for name in ("s_axis_tvalid", "s_axis_tdata", "s_axis_tlast", "m_axis_tready"):
            getattr(self.dut, name).value = 0

    async def tick(self) -> None:
        """A clock cycle of everybody."""
        dut, draw = self.dut, self.draw
        # A sender or a taker holds on once it has begun.
        if not dut.s_axis_tvalid.value and self.queue and draw.random() >= self.pause:
            word, last = self.queue[0]
            dut.s_axis_tvalid.value, dut.s_axis_tdata.value = 1, word
            dut.s_axis_tlast.value = int(last)
        dut.m_axis_tready.value = int(draw.random() >= self.pause)
        if not dut.random_valid_i.value and not self.dry and draw.random() >= self.pause:
            dut.random_valid_i.value, dut.random_i.value = 1, draw.getrandbits(self.bits)
        address, digit = self._reads.popleft()
        dut.data_i.value, dut.again_i.value = digit, digit ^ self.spoiled.get(address, 0)
        # Combinational outputs of these inputs have settled where the next edge is awaited.
        await ReadOnly()
        took = dut.s_axis_tvalid.value and dut.s_axis_tready.value
        gave = dut.m_axis_tvalid.value and dut.m_axis_tready.value
        got = dut.random_valid_i.value and dut.random_ready_o.value
        if gave:
            self.taken.append((int(dut.m_axis_tdata.value), bool(dut.m_axis_tlast.value)))
        if got:
            self.drawn.append(int(dut.random_i.value))
        self.fault |= self.flag("fault")
        where = int(dut.address_o.value)
        if dut.wipe_o.value:
            assert dut.write_o.value
            self.wiped.append(where)
        value = 0 if dut.wipe_o.value else int(dut.data_o.value)
        self._writes.append((where, value) if dut.write_o.value else None)
        written = self._writes.popleft()
        if written:
            self.memory[written[0]] = written[1]
        read = self.memory.get(where, 0) if self._reading else 0
        self._reading = bool(dut.read_o.value)  # of the next cycle
        self._reads.append((where, read))
        await FallingEdge(dut.clk_i)
        self.cycle += 1
        if took:
            self.took = self.cycle
            self.queue.popleft()
            dut.s_axis_tvalid.value, dut.s_axis_tdata.value = 0, draw.getrandbits(32)
        if got:
            dut.random_valid_i.value = 0

    async def ticks(self, count: int) -> None:
        """Some cycles."""
        for _ in range(count):
            await self.tick()

    async def begin(self, unit_op: int, **given: int) -> None:
        """Ask for something, whose arguments have been there for a while."""
        arguments = {"pair": 0, "first": 0, "second": 0, **given}
        address = arguments.pop("address", 0)
        assert address % (1 << self.places) == 0
        self.request.drive(unit_op=unit_op, block=address >> self.places, **arguments)
        await self.ticks(4)
        self.request.drive(start=1)
        await self.tick()
        self.request.drive(start=0)

    async def do(self, unit_op: int, **given: int) -> int:
        """Ask for something, wait for its end; the value that came of it."""
        await self.begin(unit_op, **given)
        since = self.cycle
        while self.flag("busy"):
            assert self.cycle - since < 20_000
            await self.tick()
        await self.ticks(3)  # until everything that is told has its register
        return self.status["value"]

    def send(self, packet: Sequence[int]) -> None:
        """Queue a packet."""
        self.queue += [(word, place == len(packet) - 1) for place, word in enumerate(packet)]

    def number(self, address: int, digits: int) -> int:
        """A number of the memory."""
        return sum(self.memory.get(address + i, 0) << self.bits * i for i in range(digits))

    def put(self, address: int, number: int, digits: int) -> None:
        """Write one."""
        for i in range(digits):
            self.memory[address + i] = number >> self.bits * i & self.digit

    def block(self) -> int:
        """Address of a random block, an even one."""
        return 2 * self.draw.randrange(1 << self.address_bits - self.places - 1) << self.places

    def flag(self, name: str) -> bool:
        """Something of its status."""
        return bool(self.status[name])


def drawn(draw: random.Random, bits: int) -> int:
    """A number of a packet: long, short, with bits above its length, or an edge."""
    over = -(-bits // 32) * 32
    top = 1 << max(bits - 1, 0)
    return draw.choice(
        (
            *(draw.getrandbits(bits), draw.getrandbits(bits) | top if bits else 0),
            *(draw.getrandbits(draw.randint(0, bits)), draw.getrandbits(over)),
            *(0, 1, 2, 3, (1 << bits) - 1, top, 1 << bits),
        )
    ) & ((1 << over) - 1)


@cocotb.test()
async def packets(dut: Any) -> None:
    """Numbers of any length, as they are stated, with what is told of them; short and long ones."""
    bench = await Bench.started(dut, 1)
    draw = bench.draw
    flags = set()
    for _ in range(120):
        lengths = [draw.choice((0, 1, 2, 17, 18, 31, 32, 33, 36, 64, 80)) for _ in range(2)]
        lengths.append(draw.randint(0, 160))
        numbers = [drawn(draw, bits) for bits in lengths]
        counts = [-(-bits // 32) for bits in lengths]
        first = draw.getrandbits(32)
        packet = [first, lengths[0] | draw.choice((0, 1 << 15, 1 << 31))]
        for number, count in zip(numbers, counts, strict=True):
            packet += number_words(number, 32 * count)
        cut = draw.choice((0, 0, 0, draw.randint(1, len(packet) - 1)))
        extra = 0 if cut else draw.choice((0, 0, 3))
        packet = packet[: len(packet) - cut] + [draw.getrandbits(32)] * extra
        bench.send(packet)
        bench.pause = draw.choice((0, 0.5, 0.9))
        assert not bench.flag("is_open")
        read = min(1, len(packet))
        assert await bench.do(UnitOp.GET, pair=1) == min(first, 32767)
        assert not bench.flag("is_short")
        for place in range(4):
            assert await bench.do(UnitOp.BYTE) == first >> 8 * place & 0xFF
        assert bench.flag("is_open") == (len(packet) > 1)
        value = await bench.do(UnitOp.GET)
        if len(packet) > 1:
            assert value == min(packet[1], 32767)
        else:
            assert bench.flag("is_short")
        over = False
        read += 1
        for number, bits, count in zip(numbers, lengths, counts, strict=True):
            read += count
            address = bench.block()
            digits = -(-bits // bench.bits) + draw.randint(1, 3)
            bench.put(address, draw.getrandbits(bench.bits * (digits + 1)), digits + 1)
            behind = bench.memory[address + digits]
            size = await bench.do(UnitOp.NUMBER, first=bits, second=digits, address=address)
            assert bench.flag("is_short") == (read > len(packet))
            if read > len(packet):
                continue
            over |= bool(number >> bits)
            kept = number % (1 << bench.bits * digits)
            assert bench.number(address, digits) == kept
            assert bench.memory[address + digits] == behind
            needed = -(-(kept.bit_length() + 2) // bench.bits) if kept else 0
            assert size == min(needed, digits), (hex(kept), bits)
            told = {
                "is_even": not number & 1,
                "is_small": number <= 1,
                "msb_clear": not bits or not number >> bits - 1 & 1,
                "length_exceeded": over,
            }
            for name, value in told.items():
                assert bench.flag(name) == value, (name, hex(number), bits)
                flags.add((name, value))
        assert bench.flag("is_open") == (extra > 0)
        if extra:
            await bench.do(UnitOp.DRAIN)
            assert not bench.flag("is_open")
        assert not bench.queue
    assert len(flags) == 8
    assert not bench.fault


@cocotb.test()
async def answers(dut: Any) -> None:
    """Words and numbers come out as they are, the last word of a packet only where it is asked."""
    bench = await Bench.started(dut, 2)
    draw = bench.draw
    for _ in range(80):
        bench.pause = draw.choice((0, 0.5, 0.9))
        bench.taken.clear()
        last = draw.random() < 0.5
        low, high = draw.getrandbits(16), draw.getrandbits(16)
        await bench.do(UnitOp.PUT, first=low, second=high, pair=int(last))
        assert bench.taken == [(high << 16 | low, last)]
        bench.taken.clear()
        bits = draw.choice((1, 31, 32, 33, 64, 96, draw.randint(1, 200)))
        count, address = -(-bits // 32), bench.block()
        number = draw.getrandbits(32 * count)
        bench.put(address, number, -(-32 * count // bench.bits) + 1)
        await bench.do(UnitOp.SEND, first=bits, address=address, pair=int(last))
        ends = [last and i == count - 1 for i in range(count)]
        assert bench.taken == list(zip(number_words(number, 32 * count), ends, strict=True)), bits
    assert not bench.fault


@cocotb.test()
async def cycles(dut: Any) -> None:
    """From a packet's last word to the end of counting, whatever goes on."""
    bench = await Bench.started(dut, 3)
    bench.pause = 0
    for wait in (0, 1, 77):
        bench.send([1, 2])
        await bench.do(UnitOp.GET, pair=1)
        await bench.ticks(9)
        await bench.do(UnitOp.GET)
        await bench.ticks(wait)
        await bench.do(UnitOp.STOP_TIMER)
        elapsed = bench.cycle - 3 - bench.took
        await bench.ticks(5)
        bench.taken.clear()
        await bench.do(UnitOp.PUT_CYCLES)
        ((value, _),) = bench.taken
        assert abs(value - elapsed) <= 1
        if wait == 0:
            offset = value - elapsed
        assert value - elapsed == offset


@cocotb.test()
async def random_digits_and_wiping(dut: Any) -> None:
    """A digit for each random word; zeros in the whole page, and in no other."""
    bench = await Bench.started(dut, 4)
    draw = bench.draw
    for digits in (1, 2, 7):
        bench.pause = draw.choice((0, 0.9))
        address = bench.block()
        bench.put(address, draw.getrandbits(bench.bits * 9), 9)
        behind = bench.memory[address + digits]
        bench.drawn.clear()
        await bench.do(UnitOp.RANDOM, second=digits, address=address)
        assert [bench.memory[address + i] for i in range(digits)] == bench.drawn
        assert len(bench.drawn) == digits
        assert bench.memory[address + digits] == behind
    assert not bench.flag("random")
    bench.dry = True
    bench.dut.random_valid_i.value = 0
    await bench.begin(UnitOp.RANDOM, second=1)
    await bench.ticks(50)
    assert bench.flag("random")
    assert bench.flag("busy")
    assert not bench.flag("outside")
    bench.dry = False
    while bench.flag("busy"):
        await bench.tick()
    # It has not all of them before the last one has come, and is still waiting between two.
    await bench.begin(UnitOp.RANDOM, second=3)
    await bench.tick()
    while bench.flag("busy"):
        assert bench.flag("random")
        await bench.tick()
    page = 1 << bench.places + 5
    for base in range(0, 1 << bench.address_bits, page):
        for address in range(1 << bench.address_bits):
            bench.memory[address] = 1
        bench.wiped.clear()
        await bench.do(UnitOp.WIPE, address=base)
        await bench.ticks(4)
        assert sorted(bench.wiped) == list(range(base, base + page))
        assert {a for a, digit in bench.memory.items() if not digit} == set(bench.wiped)
    assert not bench.fault


async def works(bench: Bench) -> None:
    """A whole packet, number and answer are right."""
    number, address = bench.draw.getrandbits(70), bench.block()
    bench.send([5, *number_words(number, 70)])
    assert await bench.do(UnitOp.GET, pair=1) == 5
    await bench.do(UnitOp.NUMBER, first=70, second=6, address=address)
    assert bench.number(address, 6) == number
    bench.taken.clear()
    await bench.do(UnitOp.SEND, first=70, address=address, pair=1)
    assert [word for word, _ in bench.taken] == number_words(number, 70)


@cocotb.test()
async def not_for_it(dut: Any) -> None:
    """What others do: it stays as it is, and says nothing of a fault."""
    bench = await Bench.started(dut, 9)
    for unit_op in range(UnitOp.GET):
        await bench.do(unit_op, pair=1, first=40, second=3)
        await works(bench)
    assert not bench.fault


@cocotb.test()
async def given_up(dut: Any) -> None:
    """Stopped or reset at any time: nothing goes on, and what comes next is right."""
    bench = await Bench.started(dut, 5)
    draw = bench.draw
    for unit_op in (
        UnitOp.NUMBER,
        UnitOp.SEND,
        UnitOp.RANDOM,
        UnitOp.WIPE,
        UnitOp.PUT,
        UnitOp.DRAIN,
        UnitOp.GET,
    ):
        for reset in (False, True):
            for _ in range(6):
                bench.pause = 0.5
                packet = [7, *(draw.getrandbits(32) for _ in range(6))]
                bench.send(packet)
                await bench.do(UnitOp.GET, pair=1)
                digits = 9 if unit_op == UnitOp.NUMBER else 4
                given = {"first": 150, "second": digits, "address": bench.block()}
                if unit_op == UnitOp.RANDOM:
                    given["second"] = 20
                await bench.begin(unit_op, **given)
                await bench.ticks(draw.randint(0, 60))
                if reset:
                    dut.rst_ni.value = 0
                else:
                    bench.request.drive(stop=1)
                await bench.ticks(1)
                assert not bench.flag("busy")
                assert not dut.m_axis_tvalid.value
                dut.rst_ni.value = 1
                bench.request.drive(stop=0)
                if bench.flag("is_open"):
                    await bench.do(UnitOp.DRAIN)
                if reset:
                    # The sender has been reset, too.
                    bench.queue.clear()
                    dut.s_axis_tvalid.value = 0
                assert not bench.queue
                await works(bench)
                assert not bench.fault, (unit_op, reset)


@cocotb.test()
async def a_clear_that_waits(dut: Any) -> None:
    """Told from the first work on a whole packet to its answer, and only of a whole clear."""
    bench = await Bench.started(dut, 6)
    bench.pause = 0

    async def work() -> None:
        dut.work_i.value = 1
        await bench.tick()
        dut.work_i.value = 0
        await bench.ticks(2)

    for begun in (False, True):
        of_slot_1 = Command.CLEAR | Request.SLOT.put(1)
        for packet in ([Command.CLEAR], [Command.CLEAR, 0], [of_slot_1], [5]):
            bench.send([6, 1])
            bench.send(packet)
            await bench.do(UnitOp.GET, pair=1)
            await work()
            assert not bench.flag("clear_waits")  # the packet is open
            await bench.do(UnitOp.GET)
            await bench.ticks(3)
            assert not bench.flag("clear_waits")
            if begun:
                await work()
            for unit_op in set(range(32)) - {UnitOp.PUT, UnitOp.PUT_CYCLES}:
                bench.request.drive(unit_op=unit_op)
                await bench.tick()
            told = begun and packet == [Command.CLEAR]
            assert bench.flag("clear_waits") == told, (begun, packet)
            await bench.do(UnitOp.STOP_TIMER)
            await bench.do(UnitOp.PUT, first=6, pair=1)
            assert not bench.flag("clear_waits")
            await work()
            assert not bench.flag("clear_waits")
            await bench.do(UnitOp.GET, pair=1)
            await bench.do(UnitOp.DRAIN)
    for line in ("stop", "wipe"):
        bench.send([6])
        bench.send([Command.CLEAR])
        await bench.do(UnitOp.GET, pair=1)
        await work()
        assert bench.flag("clear_waits")
        if line == "stop":
            bench.request.drive(stop=1)
            await bench.tick()
            bench.request.drive(stop=0)
        else:
            await bench.do(UnitOp.WIPE)
        await work()
        assert not bench.flag("clear_waits")
        await bench.do(UnitOp.GET, pair=1)


@cocotb.test()
async def flipped_bits(dut: Any) -> None:
    """A word that differs from its copy is not offered; a digit that is not what was written."""
    bench = await Bench.started(dut, 7)
    draw = bench.draw
    for kind in ("again", "read back", "word", "moves_q", "rests_again_q", "received", "again"):
        address = bench.block()
        bench.fault = False
        bench.put(address, draw.getrandbits(64), 6)
        bench.taken.clear()
        if kind == "received":
            bench.send([1, draw.getrandbits(32) | 1, draw.getrandbits(32)])
            await bench.do(UnitOp.GET, pair=1)
            await bench.begin(UnitOp.NUMBER, first=64, second=5, address=address)
            while not dut.moves_q.value:
                await bench.tick()
            # The first bit of the digit's second copy stays where it is.
            dut.rests_again_q.value = 1
            await bench.ticks(60)
            assert bench.fault
        elif kind == "read back":
            bench.send([1, 2, 3])
            await bench.do(UnitOp.GET, pair=1)
            await bench.begin(UnitOp.NUMBER, first=64, second=5, address=address)
            # Between the write and its reading again.
            while not dut.write_o.value:
                await bench.tick()
            where = int(dut.address_o.value)
            await bench.ticks(2)
            bench.memory[where] ^= 1 << draw.randrange(bench.bits)
            await bench.ticks(12)
            assert bench.fault
        else:
            if kind == "again":
                bench.spoiled[address + draw.randrange(3)] = 1 << draw.randrange(bench.bits)
            await bench.begin(UnitOp.SEND, first=64, address=address, pair=1)
            if kind == "word":
                await bench.ticks(12)
                dut.u_ring.word_q.value = int(dut.u_ring.word_q.value) ^ 1 << 31
            elif kind != "again":
                # One of the digit's copies stays where it is.
                await bench.ticks(12)
                enable = getattr(dut, kind)
                enable.value = not int(enable.value)
            await bench.ticks(200)
            assert bench.fault
            assert bench.flag("busy")
            assert len(bench.taken) < 2
        bench.spoiled.clear()
        bench.request.drive(stop=1)
        await bench.tick()
        bench.request.drive(stop=0)
        if bench.flag("is_open"):
            await bench.do(UnitOp.DRAIN)
        await bench.ticks(4)
        bench.fault = False
        await works(bench)
        assert not bench.fault


@pytest.mark.parametrize(("bits", "places", "address_bits"), [(18, 4, 11), (17, 5, 11)])
def test_engine_packet_io(run_cocotb: Any, bits: int, places: int, address_bits: int) -> None:
    parameters = {"Bits": bits, "PlaceBits": places, "AddressBits": address_bits}
    run_cocotb("totient:engine:engine_control", parameters, top="engine_packet_io")
