"""The AXI4-Lite face: every register, packets in both directions, misuse, events, clear."""

import itertools
import random
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, ReadOnly, RisingEdge
from cocotbext.axi import AxiResp, AxiStreamFrame
from tests.rtl import axi

from totient.catalog.ips import registers

MAP = registers("stream_registers")
NAMES = ("IDENTIFICATION", "VERSION", "CAPABILITY", "STATUS", "CONTROL", "EVENTS")
IDENTIFICATION, VERSION, CAPABILITY, STATUS, CONTROL, EVENTS = (MAP[each].offset for each in NAMES)
INTERRUPT_ENABLE, WORDS = MAP["INTERRUPT_ENABLE"].offset, MAP["WORDS"].offset
CYCLES_LOW, CYCLES_HIGH = MAP["CYCLES_LOW"].offset, MAP["CYCLES_HIGH"].offset
REQUEST, REQUEST_LAST, RESPONSE = (
    MAP[each].offset for each in ("REQUEST", "REQUEST_LAST", "RESPONSE")
)
READABLE = {IDENTIFICATION, VERSION, CAPABILITY, STATUS, EVENTS, INTERRUPT_ENABLE, WORDS}
READABLE |= {CYCLES_LOW, CYCLES_HIGH, RESPONSE}
WRITABLE = {CONTROL, EVENTS, INTERRUPT_ENABLE, REQUEST, REQUEST_LAST}
BITS = ("response_valid", "response_last", "request_ready", "busy", "clearing")
RESPONSE_VALID, RESPONSE_LAST, REQUEST_READY, BUSY, CLEARING = (
    MAP["STATUS"].value(**{each: 1}) for each in BITS
)
ENDED, LOST, MISSING = (
    MAP["EVENTS"].value(**{each: 1}) for each in ("response", "request_lost", "response_missing")
)


class Bench(axi.Registers):
    """The face between an AXI4-Lite master and the two ends of a stream that stand for a core."""

    def __init__(self, dut: Any, pauses: int | None = None) -> None:
        self.dut = dut
        self.draw = random.Random(pauses)
        self.depth = int(dut.RequestDepth.value), int(dut.ResponseDepth.value)
        Clock(dut.clk_i, 10, "ns").start()
        dut.rst_ni.value = 0
        super().__init__(dut, dut.clk_i, dut.rst_ni)
        self.core_in = axi.sink(dut, "m_axis", dut.clk_i, dut.core_rst_no)
        self.core_out = axi.source(dut, "s_axis", dut.clk_i, dut.core_rst_no)
        if pauses is not None:
            ends = (*axi.channels(self.master), self.core_in, self.core_out)
            axi.pause_at_random(ends, pauses)

    async def start(self) -> None:
        """Leave reset."""
        await ClockCycles(self.dut.clk_i, 3)
        self.dut.rst_ni.value = 1
        while await self.read(STATUS) & CLEARING:
            pass

    async def put(self, packet: list[int]) -> None:
        """Write a request as a driver does: no more words than there is room for."""
        room = 0
        for place, word in enumerate(packet):
            while room == 0:
                room = await self.read(WORDS) & 0xFFFF
            room -= 1
            await self.write(REQUEST if place < len(packet) - 1 else REQUEST_LAST, word)

    async def get(self) -> list[int]:
        """Read a whole response."""
        packet = []
        while True:
            status = await self.read(STATUS)
            if status & RESPONSE_VALID:
                packet.append(await self.read(RESPONSE))
                if status & RESPONSE_LAST:
                    return packet

    def packet(self) -> list[int]:
        """A request drawn at random."""
        return [self.draw.getrandbits(32) for _ in range(self.draw.randint(1, 3 * self.depth[0]))]

    def memory(self) -> list[int]:
        """Content of the memories and registers on the path of words."""
        fifos = self.dut.u_request, self.dut.u_response
        words = [int(word.value) for fifo in fifos for word in fifo.u_words.memory]
        return words + [int(fifo.data_o.value) for fifo in fifos]


@pytest.mark.parametrize(("request_depth", "response_depth"), [(2, 2), (16, 4), (4, 32)])
def test_axil_stream(run_cocotb: Any, request_depth: int, response_depth: int) -> None:
    run_cocotb(
        "totient:bus:axil_stream",
        {"RequestDepth": request_depth, "ResponseDepth": response_depth},
    )


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def identifies_itself(dut: Any) -> None:
    bench = await Bench.started(dut)
    assert await bench.read(IDENTIFICATION) == int.from_bytes(b"TOTI", "big")
    assert await bench.read(VERSION) == 0x000100
    assert await bench.read(CAPABILITY) == bench.depth[0] | bench.depth[1] << 16
    assert await bench.read(STATUS) == REQUEST_READY
    assert await bench.read(WORDS) == bench.depth[0]


@cocotb.test(timeout_time=50, timeout_unit="ms")
@cocotb.parametrize(pauses=[None, 1, 2])
async def packets_pass(dut: Any, pauses: int | None) -> None:
    """Requests reach the core and responses the bus, whole, in order, several at a time."""
    bench = await Bench.started(dut, pauses)
    requests = [bench.packet() for _ in range(12)]
    responses = [bench.packet() for _ in requests]

    async def core() -> None:
        for request, response in zip(requests, responses, strict=True):
            frame = await bench.core_in.recv()
            assert list(frame.tdata) == request
            await bench.core_out.send(AxiStreamFrame(response))

    async def reader() -> None:
        for response in responses:
            assert await bench.get() == response

    core_task, reader_task = cocotb.start_soon(core()), cocotb.start_soon(reader())
    for request in requests:
        await bench.put(request)
    await core_task
    await reader_task
    assert await bench.read(STATUS) == REQUEST_READY
    assert await bench.read(EVENTS) == ENDED
    # Passed words are overwritten.
    assert set(bench.memory()) == {0}


@cocotb.test(timeout_time=50, timeout_unit="ms")
@cocotb.parametrize(pauses=[None, 3])
async def misuse_is_answered(dut: Any, pauses: int | None) -> None:
    """A wrong address or direction gets SLVERR, and changes nothing."""
    bench = await Bench.started(dut, pauses)
    for address in range(0, 64, 4):
        if address not in READABLE:
            answer = await bench.master.read(address, 4)
            assert answer.resp == AxiResp.SLVERR, hex(address)
        if address not in WRITABLE:
            answer = await bench.master.write(address, b"\xff\xff\xff\xff")
            assert answer.resp == AxiResp.SLVERR, hex(address)
    assert await bench.read(EVENTS) == 0
    assert await bench.read(STATUS) == REQUEST_READY


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def lost_words_are_told(dut: Any) -> None:
    """Words written to a full FIFO or in parts, and reads from an empty one."""
    bench = await Bench.started(dut)
    assert await bench.read(RESPONSE) == 0
    assert await bench.read(EVENTS) == MISSING
    # A part of a word does not count.
    for register in (REQUEST, REQUEST_LAST):
        for first, end in itertools.combinations(range(5), 2):
            if end - first == 4:
                continue
            answer = await bench.master.write(register + first, b"\x55" * (end - first))
            assert answer.resp == AxiResp.OKAY
            assert await bench.read(EVENTS) == MISSING | LOST
            assert await bench.read(WORDS) == bench.depth[0]
            await bench.write(EVENTS, LOST)
    assert await bench.read(EVENTS) == MISSING
    await bench.write(EVENTS, MISSING)
    assert await bench.read(EVENTS) == 0
    bench.core_in.pause = True
    written = []
    while await bench.read(STATUS) & REQUEST_READY:
        written.append(bench.draw.getrandbits(32))
        await bench.write(REQUEST, written[-1])
    # One more than the depth: a word waits outside of the memory.
    assert len(written) == bench.depth[0] + 1
    assert await bench.read(WORDS) == 0
    assert await bench.read(EVENTS) == 0
    await bench.write(REQUEST, 0x12345678)
    assert await bench.read(EVENTS) == LOST
    bench.core_in.pause = False
    await bench.put([1])
    assert list((await bench.core_in.recv()).tdata) == [*written, 1]


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def interrupts(dut: Any) -> None:
    """High as long as an enabled event is set; an event in the cycle of a write is kept."""
    bench = await Bench.started(dut)
    await bench.write(INTERRUPT_ENABLE, ENDED)
    assert await bench.read(INTERRUPT_ENABLE) == ENDED
    await bench.read(RESPONSE)
    assert dut.interrupt_o.value == 0  # MISSING is not enabled
    for delay in range(8):
        await bench.core_out.send(AxiStreamFrame([delay]))
        await ClockCycles(dut.clk_i, delay + 1)
        await bench.write(EVENTS, MISSING | LOST)
        await ClockCycles(dut.clk_i, 8)
        assert dut.interrupt_o.value == 1, delay
        assert await bench.read(EVENTS) == ENDED
        await bench.write(EVENTS, ENDED)
        assert dut.interrupt_o.value == 0
        assert await bench.get() == [delay]


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def each_event_has_its_own_enable(dut: Any) -> None:
    bench = await Bench.started(dut)
    await bench.core_out.send(AxiStreamFrame([1]))
    await ClockCycles(dut.clk_i, 8)
    assert await bench.get() == [1]
    await bench.read(RESPONSE)
    await bench.master.write(REQUEST, b"\x55")
    every = ENDED | LOST | MISSING
    assert await bench.read(EVENTS) == every
    for event in (ENDED, LOST, MISSING):
        await bench.write(EVENTS, every - event)
        for enabled in range(every + 1):
            await bench.write(INTERRUPT_ENABLE, enabled)
            assert bool(dut.interrupt_o.value) == bool(enabled & event), (event, enabled)
        await bench.write(EVENTS, event)
        await bench.write(INTERRUPT_ENABLE, 0)
        if event == ENDED:
            await bench.master.write(REQUEST, b"\x55")
        else:
            await bench.read(RESPONSE)


@cocotb.test(timeout_time=50, timeout_unit="ms")
@cocotb.parametrize(length=[1, 7])
async def cycles_are_counted(dut: Any, length: int) -> None:
    """From a request's first word at the core to its response's first word, both included."""
    bench = await Bench.started(dut)

    async def handshake(prefix: str) -> int:
        while True:
            await ReadOnly()
            names = (f"{prefix}_tvalid", f"{prefix}_tready")
            if all(getattr(dut, name).value for name in names):
                return int(cocotb.utils.get_sim_time("ns")) // 10
            await FallingEdge(dut.clk_i)

    for wait in (0, 5, 100):
        begin = cocotb.start_soon(handshake("m_axis"))
        await bench.put(bench.packet()[:length])
        await ClockCycles(dut.clk_i, wait)
        end = cocotb.start_soon(handshake("s_axis"))
        await bench.core_out.send(AxiStreamFrame([1, 2]))
        expected = await end - await begin + 1
        await bench.get()
        assert await bench.read(CYCLES_LOW) == expected
        assert await bench.read(CYCLES_HIGH) == 0


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def clear_wipes(dut: Any) -> None:
    """In the middle of anything: the core is reset, nothing left, and the next request right."""
    bench = await Bench.started(dut)
    for round_ in range(20):
        bench.core_in.pause = round_ % 2 == 0
        for _ in range(bench.draw.randint(0, bench.depth[0])):
            await bench.write(REQUEST, 0xFFFFFFFF)
        await bench.core_out.send(AxiStreamFrame([0xFFFFFFFF] * bench.draw.randint(1, 6)))
        await ClockCycles(dut.clk_i, bench.draw.randint(0, 12))
        bench.core_out.clear()
        await bench.write(CONTROL, 1)
        await RisingEdge(dut.clk_i)
        assert dut.core_rst_no.value == 0
        while await bench.read(STATUS) & CLEARING:
            await bench.write(REQUEST, 0xEEEEEEEE) if round_ % 3 == 0 else None
        assert set(bench.memory()) == {0}
        await ClockCycles(dut.clk_i, 3)
        assert dut.core_rst_no.value == 1
        bench.core_in.pause = False
        assert await bench.read(STATUS) == REQUEST_READY
        while not bench.core_in.empty():
            bench.core_in.recv_nowait()
        request, response = bench.packet(), [round_]
        await bench.put(request)
        assert list((await bench.core_in.recv()).tdata) == request
        assert await bench.read(STATUS) & BUSY
        await bench.core_out.send(AxiStreamFrame(response))
        assert await bench.get() == response
        assert not await bench.read(STATUS) & BUSY
