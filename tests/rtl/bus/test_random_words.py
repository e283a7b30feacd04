"""Random words in packets: kept, given once and overwritten; other packets pass as they are."""

import itertools
import random
from collections import deque
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, RisingEdge, with_timeout
from cocotbext.axi import AxiStreamFrame
from tests.rtl import axi
from tests.rtl.clocked import Started, elapse

CLEAR, OTHER, RANDOM = 4, 6, 10
# Difference of the first two kinds from others: one more bit, anywhere.
ALIKE = tuple(command ^ 1 << bit for command in (CLEAR, RANDOM) for bit in range(8))
COMMAND, LENGTH = 1, 4

Words = list[int]


class Core:
    """A core that answers a packet by the packet itself, and takes random words meanwhile.

    Attributes:
        got: packets that it has got.
        taken: random words that it has taken.
        takes: number that it takes for each packet but a clear one.
        pauses: whether it pauses at random on all handshakes.
        delay: cycles from a packet to its answer, at least, where it does not pause.
    """

    def __init__(self, dut: Any, draw: random.Random) -> None:
        self.dut, self.draw = dut, draw
        self.got: list[Words] = []
        self.taken: Words = []
        self.takes = 0
        self.pauses = False
        self.delay = 3
        self.stop()

    def stop(self) -> None:
        """As in its reset."""
        for name in ("request_tready", "random_tready", "response_tvalid"):
            getattr(self.dut, name).value = 0
        self.dut.response_tdata.value = self.dut.response_tlast.value = 0

    async def handshake(self, own: Any, others: Any, *given: Any) -> Words:
        """Offer, or be ready, until the other side is, too; what is given when both are high.

        Signals are set at falling edges.
        """
        while self.pauses and self.draw.random() < 0.5:
            await FallingEdge(self.dut.clk_i)
        own.value = 1
        await RisingEdge(self.dut.clk_i)
        while not others.value:
            await RisingEdge(self.dut.clk_i)
        sampled = [int(each.value) for each in given]
        await FallingEdge(self.dut.clk_i)
        own.value = 0
        return sampled

    async def run(self) -> None:
        """Work for ever."""
        dut = self.dut
        await FallingEdge(dut.clk_i)
        while True:
            packet: Words = []
            last = 0
            while not last:
                ready, valid = dut.request_tready, dut.request_tvalid
                word, last = await self.handshake(
                    ready, valid, dut.request_tdata, dut.request_tlast
                )
                packet.append(word)
            self.got.append(packet)
            await elapse(dut, self.draw.randrange(20) if self.pauses else self.delay)
            for _ in range(0 if packet[0] & 0xFF == CLEAR else self.takes):
                self.taken += await self.handshake(
                    dut.random_tready, dut.random_tvalid, dut.random_tdata
                )
            for place, word in enumerate(packet):
                dut.response_tdata.value = word
                dut.response_tlast.value = place == len(packet) - 1
                await self.handshake(dut.response_tvalid, dut.response_tready)


class Bench(Started):
    """The module between the ends of a face's streams and a core.

    Attributes:
        given: random words that are kept and have not been taken, as it should be.
    """

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.depth = int(dut.Depth.value)
        self.draw = random.Random(self.depth)
        self.given: deque[int] = deque()
        Clock(dut.clk_i, 10, "ns").start()
        dut.rst_ni.value = 0
        self.source = axi.source(dut, "s_axis", dut.clk_i, dut.rst_ni)
        self.sink = axi.sink(dut, "m_axis", dut.clk_i, dut.rst_ni)
        self.core = Core(dut, self.draw)
        self._task = cocotb.start_soon(self.core.run())

    async def start(self) -> None:
        """Reset, and begin."""
        await self.reset()

    async def reset(self) -> None:
        """Reset module and core, and drop what is under way."""
        self._task.cancel()
        self.core.stop()
        self.core.got.clear()
        self.dut.rst_ni.value = 0
        self.source.clear()
        await ClockCycles(self.dut.clk_i, 2)
        self.sink.clear()
        self.dut.rst_ni.value = 1
        self.given.clear()
        self._task = cocotb.start_soon(self.core.run())

    def pause(self) -> None:
        """Pause at random on all sides."""
        self.core.pauses = True
        axi.pause_at_random((self.source, self.sink), self.depth, chance=0.5)

    def words(self, count: int) -> Words:
        """So many words, none of them 0."""
        return [self.draw.randrange(1, 1 << 32) for _ in range(count)]

    async def send(self, packet: Words) -> None:
        """Queue a request."""
        await self.source.send(AxiStreamFrame(packet))

    async def receive(self) -> Words:
        """The next answer."""
        return list((await with_timeout(self.sink.recv(), 200, "us")).tdata)

    async def ask(self, packet: Words) -> Words:
        """The answer to a request."""
        await self.send(packet)
        return await self.receive()

    def check(self, packet: Words, answer: Words) -> None:
        """The answer to a packet of random words, for what is kept; and to any other one."""
        if packet[0] & 0xFF != RANDOM:
            assert answer == packet == self.core.got.pop(0)
            if packet[0] & 0xFF == CLEAR:
                self.given.clear()
            return
        room = self.depth - len(self.given)
        if packet[0] != RANDOM:
            assert answer == [RANDOM | COMMAND << 8]
        elif len(packet) - 1 > room + 1:
            assert answer == [RANDOM | LENGTH << 8]
        elif answer == [RANDOM | LENGTH << 8]:
            # One more fits where one waits at the output.
            assert len(packet) - 1 == room + 1
        else:
            self.given.extend(packet[1:])
            assert answer[:2] == [RANDOM | 2 << 16, len(self.given)]
            assert answer[2] - (self.depth - len(self.given)) in (0, 1)

    def check_taken(self) -> None:
        """The core has taken the words that were given first."""
        for word in self.core.taken:
            assert word == self.given.popleft()
        self.core.taken.clear()

    async def check_memory(self) -> None:
        """Words that are kept are there once, and nothing else."""
        await ClockCycles(self.dut.clk_i, 8)
        there = [int(word.value) for word in self.dut.u_words.gen_inferred.memory]
        there += [int(self.dut.random_tdata.value)]
        assert sorted(word for word in there if word) == sorted(self.given)
        # The memory's output shows a word that is kept, or none.
        assert int(self.dut.oldest.value) in (0, *self.given)

    async def works(self) -> None:
        """Words come in and go out, and a packet passes."""
        self.core.takes = 0
        packet = [RANDOM, *self.words(min(3, self.depth - len(self.given)))]
        self.check(packet, await self.ask(packet))
        self.core.takes = len(self.given)
        packet = [OTHER, *self.words(2)]
        self.check(packet, await self.ask(packet))
        self.check_taken()
        assert not self.given
        self.core.takes = 0
        await self.check_memory()


@pytest.mark.parametrize("depth", [2, 16])
def test_random_words(run_cocotb: Any, depth: int) -> None:
    run_cocotb("totient:bus:random_words", {"Depth": depth})


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(paused=[False, True])
async def packets_of_all_sorts(dut: Any, paused: bool) -> None:
    """Several wait at once; each is answered in its turn, whatever the others are."""
    bench = await Bench.started(dut)
    if paused:
        bench.pause()
    for _ in range(60):
        packets = []
        for _ in range(bench.draw.randint(1, 5)):
            packet = bench.words(bench.draw.choice((1, 1, 2, 3, bench.depth, bench.depth + 3)))
            if bench.draw.random() < 0.3:
                packet[0] = bench.draw.choice(ALIKE)
            else:
                packet[0] = bench.draw.choice(
                    (RANDOM, RANDOM, RANDOM | 1 << bench.draw.randrange(8, 32), CLEAR, OTHER)
                )
            packets.append(packet)
            await bench.send(packet)
        for packet in packets:
            bench.check(packet, await bench.receive())
        await bench.works()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def packets_wait_for_the_core(dut: Any) -> None:
    """While it works on a packet: the core may take words meanwhile that came before."""
    bench = await Bench.started(dut)
    first = bench.words(bench.depth)
    bench.check([RANDOM, *first], await bench.ask([RANDOM, *first]))
    bench.core.takes = bench.depth // 2
    packets = [[OTHER, 1, 2], [RANDOM, *bench.words(bench.depth // 2)], [RANDOM], [OTHER]]
    for packet in packets:
        await bench.send(packet)
    for place, packet in enumerate(packets):
        answer = await bench.receive()
        if place in (0, 3):
            bench.check_taken()
        bench.check(packet, answer)
    assert len(bench.given) == bench.depth // 2
    # One that requires more than are held continues when more arrive: here it never gets them.
    bench.core.takes = bench.depth
    await bench.send([OTHER])
    await bench.send([RANDOM, *first])
    await ClockCycles(dut.clk_i, 20 * bench.depth)
    assert bench.sink.empty()
    bench.check_taken()
    assert not bench.given
    assert dut.random_tvalid.value == 0
    await bench.reset()
    await bench.works()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def too_many_words(dut: Any) -> None:
    """None of such a packet is kept, and all that were there are."""
    bench = await Bench.started(dut)
    for kept in {0, 1, bench.depth // 2, bench.depth - 1, bench.depth, bench.depth + 1}:
        for _ in range(3):
            while len(bench.given) < kept:
                packet = [RANDOM, *bench.words(min(kept - len(bench.given), bench.depth))]
                bench.check(packet, await bench.ask(packet))
            await bench.check_memory()
            for more in (2, 3, 2 * bench.depth + 1):
                packet = [RANDOM, *bench.words(bench.depth - kept + more)]
                assert await bench.ask(packet) == [RANDOM | LENGTH << 8]
                await bench.check_memory()
            header, held, room = await bench.ask([RANDOM])
            assert (header, held) == (RANDOM | 2 << 16, kept)
            packet = [RANDOM, *bench.words(room)]
            bench.check(packet, await bench.ask(packet))
            assert len(bench.given) == kept + room
            assert (await bench.ask([RANDOM]))[2] <= 1
            await bench.works()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def a_clear_packet_wipes(dut: Any) -> None:
    """When it is answered nothing is left, and nothing was given meanwhile."""

    async def count_cycles() -> int:
        """From the core's taking a word to the word that it can answer by."""
        await RisingEdge(dut.clk_i)
        while not (dut.request_tvalid.value and dut.request_tready.value):
            await RisingEdge(dut.clk_i)
        cycles = 0
        while cycles == 0 or not dut.response_tready.value:
            await RisingEdge(dut.clk_i)
            cycles += 1
        return cycles

    bench = await Bench.started(dut)
    for delay, clear in itertools.product((3, 0), ([CLEAR], [CLEAR | 1 << 16], [CLEAR, 5])):
        bench.core.delay = delay
        packet = [RANDOM, *bench.words(bench.depth)]
        bench.check(packet, await bench.ask(packet))
        await ClockCycles(dut.clk_i, 10)
        assert dut.random_tvalid.value == 1
        cycles = cocotb.start_soon(count_cycles())
        bench.check(clear, await bench.ask(clear))
        assert await cycles == bench.depth + 4  # the last one to see that it has ended
        there = [int(word.value) for word in dut.u_words.gen_inferred.memory]
        assert set(there) == {0}
        assert int(dut.random_tdata.value) == int(dut.random_tvalid.value) == 0
        assert await bench.ask([RANDOM]) == [RANDOM | 2 << 16, 0, bench.depth]
        await bench.works()
    # One in the middle of another packet is a word of it.
    packet = [RANDOM, *bench.words(1)]
    bench.check(packet, await bench.ask(packet))
    bench.check([OTHER, CLEAR], await bench.ask([OTHER, CLEAR]))
    assert (await bench.ask([RANDOM]))[1] == 1


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def a_reset_at_any_moment(dut: Any) -> None:
    """In the middle of packets of both sorts, of their answers, of a wipe."""
    bench = await Bench.started(dut)
    for moment in range(6 * bench.depth + 20):
        if moment % 2:
            packet = [RANDOM, *bench.words(1)]
            bench.check(packet, await bench.ask(packet))
        kind = moment % 3
        words = bench.words(2 * bench.depth)
        await bench.send([(RANDOM, OTHER, CLEAR)[kind], *words[: len(words) if kind < 2 else 0]])
        await bench.send([RANDOM, *words[: bench.depth // 2]])
        await ClockCycles(dut.clk_i, moment)
        await bench.reset()
        await ClockCycles(dut.clk_i, bench.depth + 5)
        await bench.check_memory()
        assert await bench.ask([RANDOM]) == [RANDOM | 2 << 16, 0, bench.depth]
        await bench.works()
