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
        repeats: it has told of random words that repeat.
        stuck: each random word.
        read: addresses that were read from each copy of the memory.
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
        self.stuck: int | None = None
        self.repeats = False
        self.spoiled: dict[int, int] = {}
        self.cycle = self.took = 0
        self._reads: deque[list[int]] = deque([[0, 0]] * 4)
        self._reading = [False, False]
        self.read: list[set[int]] = [set(), set()]
        self._writes: deque[tuple[int, int] | None] = deque([None])

    async def start(self) -> None:
        """Clock and reset."""
        await start(
            self.dut,
            *("work", "request", "random_valid", "random", "data", "again"),
        )
        self.dut.watch_rst_ni.value = 7
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
            word = draw.getrandbits(32) if self.stuck is None else self.stuck
            dut.random_valid_i.value, dut.random_i.value = 1, word
        dut.data_i.value, dut.again_i.value = self._reads.popleft()
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
        self.repeats |= self.flag("random_repeats")
        where = int(dut.address_o.value)
        if dut.wipe_o.value:
            assert dut.write_o.value
            self.wiped.append(where)
        value = 0 if dut.wipe_o.value else int(dut.data_o.value)
        self._writes.append((where, value) if dut.write_o.value else None)
        written = self._writes.popleft()
        if written:
            self.memory[written[0]] = written[1]
        read, reads = [0, 0], int(dut.read_o.value)
        addresses = int(dut.read_address_o.value)
        for copy in range(2):
            if self._reading[copy]:
                address = addresses >> self.address_bits * copy & (1 << self.address_bits) - 1
                self.read[copy].add(address)
                read[copy] = self.memory.get(address, 0) ^ copy * self.spoiled.get(address, 0)
            self._reading[copy] = bool(reads >> copy & 1)  # of the next cycle
        self._reads.append(read)
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

    @property
    def result(self) -> int:
        """Address of the blocks that are sent."""
        return int(self.dut.Result.value) << self.places

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
    flags, digests = set(), 0
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
        over, whole = False, True
        read += 1
        for number, bits, count in zip(numbers, lengths, counts, strict=True):
            read += count
            address = bench.block()
            digits = -(-bits // bench.bits) + draw.randint(1, 3)
            if draw.random() < 0.5 and bits:
                digits = max(digits, -(-32 * count // bench.bits))
            bench.put(address, draw.getrandbits(bench.bits * (digits + 1)), digits + 1)
            behind = bench.memory[address + digits]
            size = await bench.do(UnitOp.NUMBER, first=bits, second=digits, address=address)
            assert bench.flag("is_short") == (read > len(packet))
            if read > len(packet):
                await bench.do(UnitOp.DIGEST, first=bits, address=address, pair=1)
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
                "msb_clear": not bits or not number >> bits - 1,
                "length_exceeded": over,
            }
            for name, value in told.items():
                assert bench.flag(name) == value, (name, hex(number), bits)
                flags.add((name, value))
            # Without the highest bits of what came in, the digest differs.
            whole &= bench.bits * digits >= 32 * count
            if whole:
                given = {"first": bits, "second": digits, "address": address}
                await bench.do(UnitOp.DIGEST, pair=1, **given)
                digests += 1
        assert bench.flag("is_open") == (extra > 0)
        if extra:
            await bench.do(UnitOp.DRAIN)
            assert not bench.flag("is_open")
        assert not bench.queue
    assert len(flags) == 8
    assert digests > 50
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
        count, half = -(-bits // 32), draw.randrange(2)
        address = bench.result + (half << bench.places)
        number = draw.getrandbits(32 * count)
        bench.put(address, number, -(-32 * count // bench.bits) + 1)
        await bench.do(UnitOp.DIGEST, first=bits, address=address)
        # While it is sent, only the lowest bit of the block counts.
        elsewhere = bench.block() + (half << bench.places)
        await bench.do(UnitOp.SEND, first=bits, address=elsewhere, pair=int(last))
        ends = [last and i == count - 1 for i in range(count)]
        assert bench.taken == list(zip(number_words(number, 32 * count), ends, strict=True)), bits
        if not last:
            # Digests of several numbers add up, until the packet ends.
            await restarted(bench)
            for _ in range(2):
                await bench.do(UnitOp.DIGEST, first=bits, address=address)
            for final in (0, 1):
                await bench.do(UnitOp.SEND, first=bits, address=address, pair=final)
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


def digits_of(bench: Bench, words: Sequence[int], place: int, count: int) -> list[int]:
    """Digits that are made of random words' halves from a place on."""
    halves = [word >> 16 * high & 0xFFFF for word in words for high in range(2)][place:]
    number = sum(half << 16 * i for i, half in enumerate(halves))
    return [number >> bench.bits * i & bench.digit for i in range(count)]


async def filled(bench: Bench) -> None:
    """A packet is read, and random words are fetched until there is no more room."""
    bench.send([5])
    await bench.do(UnitOp.GET, pair=1)
    before = -1
    while before != len(bench.drawn):
        before = len(bench.drawn)
        await bench.ticks(40)


@cocotb.test()
async def random_digits(dut: Any) -> None:
    """All bits of random words become digits, in order; words are fetched ahead."""
    bench = await Bench.started(dut, 4)
    draw = bench.draw
    bench.pause = 0
    await bench.do(UnitOp.WIPE, pair=1)
    await bench.ticks(100)
    assert not bench.drawn  # not before a packet has come
    await filled(bench)
    assert 240 <= len(bench.drawn) < 256
    place = 0
    # Then from a source so slow that none is left: a word comes while a half is drawn.
    few = [(digits, draw.choice((0, 0.9))) for digits in (1, 2, 7, 30, 3)]
    for digits, pause in few + [(30, 0.97)] * 30:
        bench.pause = pause
        address = bench.block()
        bench.put(address, draw.getrandbits(bench.bits * (digits + 1)), digits + 1)
        behind = bench.memory[address + digits]
        await bench.do(UnitOp.RANDOM, second=digits, address=address)
        written = [bench.memory[address + i] for i in range(digits)]
        assert written == digits_of(bench, bench.drawn, place, digits)
        place += -(-digits * bench.bits // 16)
        assert bench.memory[address + digits] == behind
    assert not bench.flag("random")
    assert not bench.repeats
    # None is used before three words behind it have come.
    bench.dry = True
    await bench.do(UnitOp.WIPE, pair=1)
    bench.drawn.clear()
    dut.random_valid_i.value = 0
    bench.send([5])
    await bench.do(UnitOp.GET, pair=1)
    await bench.begin(UnitOp.RANDOM, second=1, address=0)
    bench.put(0, bench.digit, 1)
    await bench.ticks(50)
    assert bench.flag("random")
    assert bench.flag("busy")
    assert not bench.flag("outside")
    for word in range(5):
        assert bench.memory[0] == bench.digit
        bench.dry = False
        while len(bench.drawn) == word:
            await bench.tick()
        bench.dry = True
        await bench.ticks(30)
        assert bench.flag("busy") == (word < 3)
        if word == 3:
            break
    assert [bench.memory[0]] == digits_of(bench, bench.drawn, 0, 1)
    bench.dry = False


@cocotb.test()
async def random_words_that_repeat(dut: Any) -> None:
    """Zeros, ones or any other word, from the beginning or later: it is refused."""
    bench = await Bench.started(dut, 8)
    draw = bench.draw
    bench.pause = 0
    for stuck in (0, 0xFFFF_FFFF, draw.getrandbits(32), draw.getrandbits(16) * 0x10001):
        for good in (0, 1, 9):
            await bench.do(UnitOp.WIPE, pair=1)
            dut.random_valid_i.value = 0
            bench.drawn.clear()
            bench.repeats, bench.stuck, bench.dry = False, None, not good
            bench.send([5])
            await bench.do(UnitOp.GET, pair=1)
            while len(bench.drawn) < good:
                await bench.tick()
            bench.stuck, bench.dry = stuck, False
            if draw.random() < 0.5:  # it has been fetched ahead
                await bench.ticks(60)
                assert not bench.repeats
            await bench.begin(UnitOp.RANDOM, second=600, address=0)
            while not bench.repeats:
                await bench.tick()
                assert bench.cycle < 10**6
            assert len(bench.drawn) <= good + 7
            bench.request.drive(stop=1)
            await bench.tick()
            bench.request.drive(stop=0)
            # It recovers with its source.
            bench.stuck, bench.dry = None, True
            await bench.do(UnitOp.WIPE, pair=1)
            dut.random_valid_i.value = 0
            bench.repeats, bench.dry = False, False
            bench.drawn.clear()
            await filled(bench)
            await bench.do(UnitOp.RANDOM, second=9, address=0)
            assert [bench.memory[i] for i in range(9)] == digits_of(bench, bench.drawn, 0, 9)
            assert not bench.repeats
    # Three equal words are no reason.
    bench.dry = True
    await bench.do(UnitOp.WIPE, pair=1)
    dut.random_valid_i.value = 0
    bench.drawn.clear()
    bench.send([5])
    await bench.do(UnitOp.GET, pair=1)
    for word in (7, 7, 7, 8, 8, 8, 9, 9, 9):
        bench.stuck, bench.dry = word, False
        before = len(bench.drawn)
        while len(bench.drawn) == before:
            await bench.tick()
        bench.dry = True
        dut.random_valid_i.value = 0
    await bench.do(UnitOp.RANDOM, second=8, address=0)
    assert not bench.repeats
    assert not bench.fault


@cocotb.test()
async def wiping(dut: Any) -> None:
    """Zeros in the whole page, and in no other; in the pool and in the queue, too."""
    bench = await Bench.started(dut, 10)
    draw = bench.draw
    page = 1 << bench.places + 5
    for base in range(0, 1 << bench.address_bits, page):
        for address in range(1 << bench.address_bits):
            bench.memory[address] = 1
        bench.wiped.clear()
        await bench.do(UnitOp.WIPE, address=base, pair=1)
        await bench.ticks(4)
        assert sorted(bench.wiped) == list(range(base, base + page))
        assert {a for a, digit in bench.memory.items() if not digit} == set(bench.wiped)
    for small in (dut.u_pool.u_halves.gen_inferred.memory, dut.u_queue.u_halves.memory):
        assert not any(int(word.value) for word in small)
        for word in small:
            word.value = draw.getrandbits(16)
        await bench.tick()
        before = [int(word.value) for word in small]
        await bench.do(UnitOp.WIPE)
        kept = small is not dut.u_queue.u_halves.memory  # random words are of no key
        assert [int(word.value) for word in small] == [word * kept for word in before]
        await bench.do(UnitOp.WIPE, pair=1)
        assert not any(int(word.value) for word in small)
    assert not bench.fault


async def works(bench: Bench) -> None:
    """A whole packet, number and answer are right."""
    number, address = bench.draw.getrandbits(70), bench.result
    bench.send([5, *number_words(number, 70)])
    assert await bench.do(UnitOp.GET, pair=1) == 5
    await bench.do(UnitOp.NUMBER, first=70, second=6, address=address)
    assert bench.number(address, 6) == number
    await bench.do(UnitOp.DIGEST, first=70, second=6, address=address, pair=1)
    await bench.do(UnitOp.DIGEST, first=70, address=address)
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
        UnitOp.DIGEST,
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
                    dut.watch_rst_ni.value = 0
                else:
                    bench.request.drive(stop=1)
                await bench.ticks(1)
                assert not bench.flag("busy")
                assert not dut.m_axis_tvalid.value
                dut.rst_ni.value = 1
                dut.watch_rst_ni.value = 7
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
    # Also where the datapath never works, 2^20 cycles after the packet.
    bench.send([6])
    bench.send([Command.CLEAR])
    await bench.do(UnitOp.GET, pair=1)
    await bench.ticks(8)
    dut.u_timer.cycles_q.value = (1 << 20) - 20
    await bench.ticks(10)
    assert not bench.flag("clear_waits")
    await bench.ticks(20)
    assert bench.flag("clear_waits")
    await bench.do(UnitOp.STOP_TIMER)
    await bench.do(UnitOp.PUT, first=6, pair=1)
    assert not bench.flag("clear_waits")
    await bench.do(UnitOp.GET, pair=1)
    await bench.ticks(8)
    assert not bench.flag("clear_waits")
    await bench.do(UnitOp.PUT, first=4, pair=1)
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
            await bench.do(UnitOp.WIPE, pair=1)
        await work()
        assert not bench.flag("clear_waits")
        await bench.do(UnitOp.GET, pair=1)


A, T = (
    "u_access.gen_copy[0].u_fetch.gen_plain.",
    "u_access.gen_copy[1].u_fetch.gen_inverted.",
)
FLIPS = {
    "copy": ("read_again",),
    "address": (A + "address_q", T + "address_q"),
    "index": (A + "index_q", T + "index_q"),
    "step": (A + "step_q", T + "step_q"),
    "gear": ("u_out.mid_q", "u_out.kept_q", "u_out.half_o", "u_out.k_q", "u_out.below_q"),
    "halves": ("u_offer.low_q", "u_offer.high_q", "u_offer.may_q", "u_queue.some_q"),
    "offer": ("u_offer.offer_q", "u_offer.valid_q", "u_offer.last_q", "left_q"),
    "digest": ("u_digest.read_q", "u_digest.digest_q", "u_digest.differs_q"),
    "request": tuple(
        f"u_decoder.{name}_q"
        for name in (
            *("do", "do_own", "get", "byte", "number", "put", "put_cycles", "hold", "send"),
            *("digest", "random", "wipe", "none", "own", "pair", "puts", "first", "second"),
            *("to_get", "to_drain", "to_out", "to_idle", "to_take"),
        )
    ),
    "state": ("state_q", "ready_q", "halt_q", "ticks_q", "ticked_q", "fails_q", "sent_q"),
}


def handle(dut: Any, name: str) -> Any:
    """A register by its name."""
    found = dut
    for part in name.split("."):
        stem, _, place = part.partition("[")
        found = getattr(found, stem)
        if place:
            found = found[int(place[:-1])]
    return found


def flip(register: Any, draw: random.Random) -> None:
    """Change one of its bits."""
    bits = len(register)
    register.value = int(register.value) ^ 1 << draw.randrange(bits)


@cocotb.test()
async def flipped_bits_while_sending(dut: Any) -> None:
    """The result, or another number of words, or a fault before the last one. No other block."""
    bench = await Bench.started(dut, 7)
    draw = bench.draw
    bits, address = 320, bench.result
    page = 1 << bench.places + 1
    outcomes: dict[str, set[str]] = {}
    for kind, names in FLIPS.items():
        for _ in range(max(60, 12 * len(names))):
            for place in range(1 << bench.address_bits):
                bench.memory[place] = draw.getrandbits(bench.bits)
            words = number_words(bench.number(address, -(-320 // bench.bits)) % (1 << 320), bits)
            bench.pause = draw.choice((0, 0, 0.5))
            await bench.do(UnitOp.DIGEST, first=bits, address=address)
            bench.taken.clear()
            bench.fault = False
            for read in bench.read:
                read.clear()
            name = draw.choice(names)
            if kind == "copy":
                bench.spoiled[address + draw.randrange(17)] = 1 << draw.randrange(bench.bits)
            await bench.begin(UnitOp.SEND, first=bits, address=address, pair=1)
            await bench.ticks(draw.randrange(30))
            if kind != "copy":
                flip(handle(dut, name), draw)
            for _ in range(200):
                if bench.fault or not bench.flag("busy"):
                    break
                await bench.tick()
            sent = [word for word, _ in bench.taken]
            ended = bool(bench.taken) and bench.taken[-1][1]
            if ended and len(sent) == len(words):
                assert sent == words, name
                outcomes.setdefault(kind, set()).add("right")
            else:
                outcomes.setdefault(kind, set()).add("fault" if bench.fault else "length")
            # A flip in one copy's address reaches no word that leaves.
            assert all(word in words for word in sent) or kind not in ("copy", "address")
            await restarted(bench)
            for copy, read in enumerate(bench.read):
                strays = [each for each in read if not address <= each < address + page]
                assert not strays or (kind == "address" and len(strays) == 1), (kind, copy)
            bench.spoiled.clear()
            await works(bench)
            assert not bench.fault
    assert outcomes["copy"] == {"fault"}
    assert "fault" in outcomes["address"]
    assert "fault" in outcomes["gear"]
    assert outcomes["offer"] >= {"right"}


async def restarted(bench: Bench) -> None:
    """Stop the unit, as the control unit does after a fault."""
    bench.request.drive(stop=1)
    await bench.tick()
    bench.request.drive(stop=0)
    if bench.flag("is_open"):
        await bench.do(UnitOp.DRAIN)
    await bench.ticks(4)
    bench.fault = False


@cocotb.test()
async def flipped_bits_while_receiving(dut: Any) -> None:
    """A number is there as it came, or it is a fault when it is read again."""
    bench = await Bench.started(dut, 11)
    draw = bench.draw
    names = (
        *("word_q", "half_q", "low_q", "high_q", "zeros_q", "turn_q", "left_q", "digits_q"),
        *("u_in.mid_q", "u_in.turned_q", "u_in.kept_q", "u_in.digit_o", "u_in.k_q", "u_in.below_q"),
        *("u_access.index_q", "u_access.address_o", "u_access.write_q", "u_digest.came_q"),
    )
    faults = 0
    for name in names * 12:
        bench.pause = draw.choice((0, 0.5))
        number, address = draw.getrandbits(160), bench.block()
        bench.put(address, draw.getrandbits(bench.bits * 12), 12)
        bench.send([5, *number_words(number, 160), 9])
        await bench.do(UnitOp.GET, pair=1)
        await bench.begin(UnitOp.NUMBER, first=160, second=11, address=address)
        await bench.ticks(draw.randrange(24))
        flip(handle(dut, name), draw)
        for _ in range(400):
            if bench.fault or not bench.flag("busy"):
                break
            await bench.tick()
        if not bench.fault and not bench.flag("busy"):
            await bench.begin(UnitOp.DIGEST, first=160, second=11, address=address, pair=1)
            for _ in range(100):
                await bench.tick()
            # The last digit's highest bits are not compared.
            kept = bench.number(address, 10) == number
            assert kept or bench.fault or bench.flag("is_short"), name
            if not kept:
                faults += 1
        await restarted(bench)
        while bench.queue:
            await bench.tick()
            if not bench.flag("is_open"):
                bench.queue.clear()
                dut.s_axis_tvalid.value = 0
        await restarted(bench)
        await works(bench)
        assert not bench.fault
    assert faults > 20


@cocotb.test()
async def flipped_bits_between_words(dut: Any) -> None:
    """Where a packet begins and ends is known still, and whether it lacks its answer."""
    bench = await Bench.started(dut, 12)
    draw = bench.draw
    for _ in range(120):
        bench.pause = draw.choice((0, 0.5))
        length = draw.randint(1, 4)
        bench.send([draw.getrandbits(32) for _ in range(length)])
        assert not bench.flag("unanswered")
        for place in range(length):
            assert bench.flag("is_open") == (place > 0)
            await bench.do(UnitOp.GET, pair=int(not place))
            await bench.ticks(draw.randrange(4))
            if draw.random() < 0.5:
                flip(handle(dut, "u_watch.open_q"), draw)
            else:
                dut.watch_rst_ni.value = 7 ^ 1 << draw.randrange(3)
            await bench.tick()
            dut.watch_rst_ni.value = 7
            await bench.ticks(draw.randrange(3))
        assert not bench.flag("is_open")
        assert not bench.queue
        await bench.do(UnitOp.DRAIN)  # nothing
        assert bench.flag("unanswered")
        await bench.do(UnitOp.PUT)
        assert bench.flag("unanswered")
        await bench.do(UnitOp.PUT, pair=1)
        assert not bench.flag("unanswered")
    assert not bench.fault


@cocotb.test()
async def a_packet_in_a_packet(dut: Any) -> None:
    """No request begins within one, and no byte of a number is read as one of a request."""
    bench = await Bench.started(dut, 13)
    for pause in (0, 0.5, 0.9):
        bench.pause = pause
        bench.send([7, *(bench.draw.getrandbits(32) | 1 for _ in range(4))])
        await bench.do(UnitOp.GET, pair=1)
        await bench.do(UnitOp.NUMBER, first=64, second=5, address=bench.block())
        assert await bench.do(UnitOp.BYTE) == 0
        assert not bench.fault
        await bench.begin(UnitOp.GET, pair=1)
        await bench.ticks(4)
        assert bench.fault
        await restarted(bench)
        assert not bench.queue
        await works(bench)
        assert not bench.fault


@pytest.mark.parametrize(("bits", "places", "address_bits"), [(18, 4, 11), (17, 5, 11)])
def test_engine_packet_io(run_cocotb: Any, bits: int, places: int, address_bits: int) -> None:
    parameters = {"Bits": bits, "PlaceBits": places, "AddressBits": address_bits}
    run_cocotb("totient:engine:engine_control", parameters, top="engine_packet_io")
