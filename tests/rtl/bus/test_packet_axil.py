"""Packets to registers and streams: every access, what is refused, back-pressure, a reset."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteRam, AxiStreamFrame
from tests.rtl import axi
from tests.rtl.clocked import Started

from totient.common.contract import Access, AccessStatus, BusResponse

WRITE, STREAM, LANES = Access.WRITE.put(1), Access.STREAM.put(1), Access.LANES.low
INTERRUPT = AccessStatus.INTERRUPT_LEVEL.put(1)
SLVERR, DECERR = BusResponse.SLAVE_ERROR, BusResponse.DECODE_ERROR


class Bench(Started):
    """Who sends packets, a memory in the place of registers, and a stream's two ends."""

    def __init__(self, dut: Any, pauses: int | None = None) -> None:
        self.dut = dut
        Clock(dut.clk_i, 10, "ns").start()
        dut.rst_ni.value = 0
        dut.interrupt_i.value = 0
        timing = dut.clk_i, dut.rst_ni
        self.asks, self.answers = (
            axi.source(dut, "s_axis", *timing),
            axi.sink(dut, "m_axis", *timing),
        )
        self.to = axi.sink(dut, "to_stream", *timing)
        self.back = axi.source(dut, "from_stream", *timing)
        bus = AxiLiteBus.from_prefix(dut, "m_axil")
        self.memory = AxiLiteRam(bus, *timing, size=64, reset_active_level=False)
        if pauses is not None:
            ends = (self.asks, self.answers, self.to, self.back)
            axi.pause_at_random((*axi.channels(self.memory), *ends), pauses)

    async def start(self) -> None:
        """Leave reset."""
        await ClockCycles(self.dut.clk_i, 3)
        self.dut.rst_ni.value = 1
        await RisingEdge(self.dut.clk_i)

    async def ask(self, *words: int) -> list[int]:
        """Send a packet and wait for its answer."""
        await self.asks.send(AxiStreamFrame(list(words)))
        answer = await with_timeout(self.answers.recv(), 100, "us")
        return list(answer.tdata)

    async def clean(self) -> None:
        """No written or read word is in a register of the bridge."""
        await ClockCycles(self.dut.clk_i, 2)
        assert int(self.dut.value_q.value) == 0
        assert int(self.dut.m_axil_wdata.value) == 0
        assert int(self.dut.to_stream_tdata.value) == 0
        assert int(self.dut.m_axis_tdata.value) == 0


@pytest.mark.parametrize(
    "parameters",
    [
        {"HasRegisters": 1, "HasStream": 1, "AddressBits": 6},
        {"HasRegisters": 1, "HasStream": 0, "AddressBits": 6},
        {"HasRegisters": 0, "HasStream": 1, "AddressBits": 6},
    ],
    ids=["both", "registers", "stream"],
)
def test_packet_axil(parameters: dict[str, int], run_cocotb: Any) -> None:
    run_cocotb("totient:bus:packet_axil", parameters)


def has(dut: Any) -> tuple[bool, bool]:
    """Whether there are registers and a stream."""
    return bool(int(dut.HasRegisters.value)), bool(int(dut.HasStream.value))


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(pauses=[None, 1, 2])
async def accesses(dut: Any, pauses: int | None) -> None:
    """Single ones, many in a packet, lanes, and the interrupt in every answer."""
    bench = await Bench.started(dut, pauses)
    if not has(dut)[0]:
        assert await bench.ask(8) == [DECERR]
        assert await bench.ask(WRITE | 15 << LANES | 8, 1, 4) == [DECERR]
        return
    draw = random.Random(pauses)
    held = [draw.getrandbits(32) for _ in range(16)]
    for place, word in enumerate(held):
        assert await bench.ask(WRITE | 15 << LANES | 4 * place, word) == [0]
        await bench.clean()
    for place, word in enumerate(held):
        assert await bench.ask(4 * place) == [0, word]
        await bench.clean()
    assert await bench.ask(*(4 * place for place in range(16))) == [
        word for each in held for word in (0, each)
    ]
    dut.interrupt_i.value = 1
    await ClockCycles(dut.clk_i, 2)
    assert await bench.ask(WRITE | 0b0101 << LANES | 4, 0x11223344, 4, WRITE | 4, 0) == [
        INTERRUPT,
        *(INTERRUPT, held[1] & 0xFF00FF00 | 0x00220044),
        INTERRUPT,
    ]
    await bench.clean()


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(pauses=[None, 1, 2])
async def streams(dut: Any, pauses: int | None) -> None:
    """Packets pass with their ends, also when the answer begins before the question is over."""
    bench = await Bench.started(dut, pauses)
    if not has(dut)[1]:
        assert await bench.ask(STREAM, 1, 2, 3) == [DECERR]
        return
    for there, back in (([7], [1, 2, 3]), ([1, 2, 3, 4], [9]), (list(range(40)), list(range(50)))):
        await bench.back.send(AxiStreamFrame(back))
        assert await bench.ask(STREAM, *there) == [0, *back]
        assert list((await bench.to.recv()).tdata) == there
        await bench.clean()


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(pauses=[None, 1])
async def refusals(dut: Any, pauses: int | None) -> None:
    """Each with its response, the rest of its packet dropped, and the next one served."""
    bench = await Bench.started(dut, pauses)
    registers, stream = has(dut)
    for refused in (
        (STREAM,),
        (STREAM | WRITE, 1, 2),
        (64,),
        (0x8000, 4, 8),
        (WRITE | 15 << LANES | 0x40, 5, 0, 4),
    ):
        assert await bench.ask(*refused) == [DECERR]
    if registers:
        assert await bench.ask(WRITE | 15 << LANES) == [SLVERR]
        assert await bench.ask(WRITE | 15 << LANES, 77, 0, 64, 0) == [0, 0, 77, DECERR]
        assert await bench.ask(0) == [0, 77]
    if stream:
        await bench.back.send(AxiStreamFrame([5]))
        assert await bench.ask(STREAM, 6) == [0, 5]
        assert list((await bench.to.recv()).tdata) == [6]
    assert bench.to.empty()


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def a_reset_in_the_middle(dut: Any) -> None:
    """At any moment of a packet: it is gone, and the next one is served."""
    registers, stream = has(dut)
    bench = await Bench.started(dut)
    for cycles in range(1, 16):
        packet = [WRITE | 15 << LANES, 1, 0] if registers else [STREAM, 1, 2]
        await bench.asks.send(AxiStreamFrame(packet))
        await ClockCycles(dut.clk_i, cycles)
        dut.rst_ni.value = 0
        await ClockCycles(dut.clk_i, 3)
        for end in (bench.asks, bench.answers, bench.to, bench.back):
            end.clear()
        dut.rst_ni.value = 1
        await ClockCycles(dut.clk_i, 2)
        if registers:
            assert await bench.ask(WRITE | 15 << LANES | 4, cycles, 4) == [0, 0, cycles]
        if stream:
            await bench.back.send(AxiStreamFrame([cycles]))
            assert await bench.ask(STREAM, 6, 7) == [0, cycles]
            assert list((await bench.to.recv()).tdata) == [6, 7]
