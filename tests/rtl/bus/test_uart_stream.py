"""The serial face: frames both ways, damage of every kind, resynchronisation, nothing left."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.queue import Queue
from cocotb.triggers import ClockCycles, FallingEdge, Timer, with_timeout
from cocotbext.axi import AxiStreamFrame
from tests.rtl import axi
from tests.rtl.clocked import Started
from tests.rtl.serial_frames import END, ESCAPE, ESCAPED_END, frame, opened, payload_of

DAMAGED, LONG, BUSY = 1, 2, 3
PERIOD = 10_000  # ps


class Bench(Started):
    """The face between a serial line and the two ends of a stream that stand for a core."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.draw = random.Random(int(dut.BitCycles.value))
        sixteenths = 16 * int(dut.BitCycles.value) + int(dut.BitSixteenths.value)
        self.bit = sixteenths * PERIOD // 16
        self.longest = int(dut.FrameWords.value)
        self.received: Queue[bytes] = Queue()  # payloads of frames, checked
        Clock(dut.clk_i, PERIOD, "ps").start()
        dut.rst_ni.value = 0
        dut.rx_i.value = 1
        self.core_in = axi.sink(dut, "m_axis", dut.clk_i, dut.rst_ni)
        self.core_out = axi.source(dut, "s_axis", dut.clk_i, dut.rst_ni)

    async def start(self) -> None:
        """Reset, and wait until the memory is wiped."""
        await ClockCycles(self.dut.clk_i, 3)
        self.dut.rst_ni.value = 1
        await ClockCycles(self.dut.clk_i, self.longest + 10)
        cocotb.start_soon(self.listen())

    async def send_byte(self, byte: int, stretch: float = 1, stop: int = 1) -> None:
        """Send one byte, its stop bit as given."""
        for bit in (0, *(byte >> place & 1 for place in range(8)), stop):
            self.dut.rx_i.value = bit
            await Timer(round(self.bit * stretch / 2) * 2, "ps")

    async def send(self, data: bytes, stretch: float = 1) -> None:
        """Send bytes one after another."""
        for byte in data:
            await self.send_byte(byte, stretch)

    async def listen(self) -> None:
        """Collect the frames that the face sends."""
        data = bytearray()
        while True:
            await FallingEdge(self.dut.tx_o)
            await Timer(self.bit * 3 // 2, "ps")
            byte = 0
            for place in range(8):
                byte |= int(self.dut.tx_o.value) << place
                await Timer(self.bit, "ps")
            assert self.dut.tx_o.value == 1, "no stop bit"
            if byte != END:
                data.append(byte)
            elif data:
                self.received.put_nowait(opened(bytes(data)))
                data.clear()

    async def answer(self) -> bytes:
        """The next frame's payload."""
        return await with_timeout(self.received.get(), 10, "ms")

    def packet(self, longest: int = 8) -> list[int]:
        """Words, half of their bytes such that need an escape."""
        return [
            int.from_bytes(
                self.draw.choice((END, ESCAPE, ESCAPED_END, self.draw.getrandbits(8)))
                for _ in range(4)
            )
            for _ in range(self.draw.randint(1, min(longest, self.longest)))
        ]

    async def works(self) -> None:
        """A request comes through, and a response goes back."""
        request, response = self.packet(), self.packet()
        await self.send(frame(payload_of(request)))
        got = await with_timeout(self.core_in.recv(), 10, "ms")
        assert list(got.tdata) == request
        await self.core_out.send(AxiStreamFrame(response))
        assert await self.answer() == payload_of(response)
        assert self.core_in.empty()
        assert self.received.empty()

    def memory(self) -> list[int]:
        """Every word of the memory."""
        decoder = self.dut.u_decoder
        words = [int(word.value) for word in decoder.u_words.memory]
        return [*words, int(decoder.word.value), int(decoder.bytes_q.value)]


@pytest.mark.parametrize(
    ("bit_cycles", "sixteenths", "frame_words"), [(4, 0, 2), (5, 0, 20), (8, 5, 3), (16, 0, 9)]
)
def test_uart_stream(run_cocotb: Any, bit_cycles: int, sixteenths: int, frame_words: int) -> None:
    """Also 25 MHz for 3 Mbaud."""
    bit = {"BitCycles": bit_cycles, "BitSixteenths": sixteenths}
    run_cocotb("totient:bus:uart_stream", {**bit, "FrameWords": frame_words})


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def packets_pass(dut: Any) -> None:
    bench = await Bench.started(dut)
    for _ in range(10):
        await bench.works()
    longest = [bench.draw.getrandbits(32) for _ in range(bench.longest)]
    await bench.send(frame(payload_of(longest)))
    assert list((await bench.core_in.recv()).tdata) == longest
    await ClockCycles(dut.clk_i, bench.longest + 10)
    assert set(bench.memory()) == {0}


@cocotb.test(timeout_time=50, timeout_unit="ms")
@cocotb.parametrize(percent=[-4, 4])
async def senders_clock_may_be_off(dut: Any, percent: int) -> None:
    bench = await Bench.started(dut)
    if int(dut.BitCycles.value) < 16:
        percent = percent // 4  # a cycle is a large part of a bit
    request = bench.packet()
    await bench.send(frame(payload_of(request)), 1 + percent / 100)
    assert list((await with_timeout(bench.core_in.recv(), 1, "ms")).tdata) == request


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def damage_is_told(dut: Any) -> None:
    """A wrong bit, a byte more or less, no stop bit, noise: no word goes on, the sender knows."""
    bench = await Bench.started(dut)
    for _ in range(10):
        whole = frame(payload_of(bench.packet()))
        place = bench.draw.randrange(1, len(whole) - 1)
        bit = 1 << bench.draw.randrange(8)
        if whole[place] ^ bit != END:
            await bench.send(whole[:place] + bytes([whole[place] ^ bit]) + whole[place + 1 :])
            # An escape that is none any more makes the frame longer.
            assert await bench.answer() in (bytes([DAMAGED]), bytes([LONG]))
            await bench.works()
    for payload in (b"", b"\x01", b"\x01\x02\x03", b"\x01\x02\x03\x04\x05"):
        await bench.send(frame(payload))
        assert await bench.answer() == bytes([DAMAGED]), payload
        await bench.works()
    for wrong in (b"\x12", bytes([ESCAPE]), bytes([ESCAPE, 0x12]), bench.draw.randbytes(3)):
        await bench.send(wrong.replace(bytes([END]), b"\x11") + bytes([END]))
        assert await bench.answer() == bytes([DAMAGED]), wrong
        await bench.works()
    # A stop bit of 0, and a line that is held low.
    await bench.send_byte(END)
    await bench.send_byte(0x55, stop=0)
    await Timer(bench.bit * 30, "ps")
    dut.rx_i.value = 1
    await Timer(bench.bit * 2, "ps")
    await bench.send_byte(END)
    assert await bench.answer() == bytes([DAMAGED])
    await bench.works()
    # A frame that ends in the middle, and the next one after it.
    await bench.send(frame(payload_of(bench.packet()))[:-2])
    await bench.send(bytes([END]))
    assert await bench.answer() == bytes([DAMAGED])
    await bench.works()
    # Empty frames are none.
    await bench.send(bytes([END] * 5))
    await bench.works()


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def too_long_is_told(dut: Any) -> None:
    bench = await Bench.started(dut)
    for more in (1, 2, bench.longest + 5):
        await bench.send(frame(bytes(range(1, 5)) * (bench.longest + more)))
        assert await bench.answer() == bytes([LONG])
        await bench.works()
    assert set(bench.memory()) == {0}


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def busy_is_told(dut: Any) -> None:
    """A frame comes while the core has not taken the one before: that one is not harmed."""
    bench = await Bench.started(dut)
    bench.core_in.pause = True
    first = bench.packet()
    await bench.send(frame(payload_of(first)))
    for _ in range(2):
        await bench.send(frame(payload_of(bench.packet())))
        assert await bench.answer() == bytes([BUSY])
    # The third one comes in while the first one goes on.
    third = frame(payload_of(bench.packet()))
    await bench.send(third[: len(third) // 2])
    bench.core_in.pause = False
    assert list((await bench.core_in.recv()).tdata) == first
    await bench.send(third[len(third) // 2 :])
    assert await bench.answer() == bytes([BUSY])
    await bench.works()


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def reset_wipes(dut: Any) -> None:
    bench = await Bench.started(dut)
    for place in (3, 7, None):
        bench.core_in.pause = place is None
        await bench.send(frame(b"\xff" * 4 * bench.longest)[:place])
        dut.rst_ni.value = 0
        await ClockCycles(dut.clk_i, 2)
        dut.rst_ni.value = 1
        await ClockCycles(dut.clk_i, bench.longest + 5)
        assert set(bench.memory()) == {0}
        bench.core_in.clear()
        bench.core_in.pause = False
        await bench.works()
