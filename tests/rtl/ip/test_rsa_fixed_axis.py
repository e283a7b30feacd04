"""RSA with a fixed key on streams: the published words, any length, refusals, reset."""

import itertools
import random
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, with_timeout
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

from totient.catalog import Operation, select

CIPHER = [2374081, 634949, 683399, 683399, 4222941, 5390756, 6054897, 2047352, 4222941]
CIPHER += [4107156, 683399, 3812635, 469162]


class Bench:
    """The stream between a source and a sink."""

    def __init__(self, dut: Any, pauses: int | None = None) -> None:
        self.dut = dut
        self.modulus, self.exponent = int(dut.Modulus.value), int(dut.Exponent.value)
        self.words = -(-int(dut.Width.value) // 32)
        Clock(dut.aclk, 10, "ns").start()
        dut.aresetn.value = 0
        side = {"reset_active_level": False, "byte_size": 32}
        ends = (AxiStreamSource, "s_axis"), (AxiStreamSink, "m_axis")
        self.source, self.sink = (
            end(AxiStreamBus.from_prefix(dut, prefix), dut.aclk, dut.aresetn, **side)
            for end, prefix in ends
        )
        if pauses is not None:
            for salt, end in enumerate((self.source, self.sink)):
                chance = random.Random(pauses + salt)
                end.set_pause_generator(
                    (lambda chance: (chance.random() < 0.6 for _ in itertools.count()))(chance)
                )

    async def start(self) -> None:
        """Leave reset."""
        await ClockCycles(self.dut.aclk, 3)
        self.dut.aresetn.value = 1

    async def ask(self, words: list[int]) -> list[int]:
        """Send words as one packet; the answer."""
        await self.source.send(AxiStreamFrame(words))
        return list((await with_timeout(self.sink.recv(), 50, "ms")).tdata)

    async def raises(self, messages: list[int]) -> list[int]:
        """Messages and results as numbers, all in one packet."""
        given = [m >> 32 * i & 0xFFFFFFFF for m in messages for i in range(self.words)]
        got = await self.ask(given)
        assert len(got) == len(given)
        return [
            sum(word << 32 * i for i, word in enumerate(got[place : place + self.words]))
            for place in range(0, len(got), self.words)
        ]

    def power(self, message: int) -> int:
        """What a message gives."""
        return pow(message, self.exponent, self.modulus) if message < self.modulus else 0


LONG = (1 << 102) - 33  # 103 bits are the width


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"Modulus": "32'd6103297", "Exponent": "32'd2416153"},
        {"Width": 8, "Modulus": "8'd143", "Exponent": "8'd1", "WordBits": 8},
        {"Width": 103, "Modulus": f"103'd{LONG}", "Exponent": "103'd65537", "WordBits": 32},
    ],
    ids=["public", "private", "smallest", "long"],
)
def test_rsa_fixed_axis(run_cocotb: Any, parameters: dict[str, Any]) -> None:
    run_cocotb("totient:ip:rsa_fixed_axis", parameters)


@cocotb.test(timeout_time=100, timeout_unit="ms")
@cocotb.parametrize(pauses=[None, 1])
async def published_words(dut: Any, pauses: int | None) -> None:
    """The paper's greeting and its cipher, whichever way the key goes; then anything."""
    bench = Bench(dut, pauses)
    await bench.start()
    text = [ord(character) for character in "Hello, World!"]
    if bench.modulus == 6103297:
        given, expected = (text, CIPHER) if bench.exponent == 65537 else (CIPHER, text)
        assert await bench.ask(given) == expected
    draw = random.Random(bench.modulus)
    messages = [0, 1, bench.modulus - 1, *(draw.randrange(bench.modulus) for _ in range(10))]
    assert await bench.raises(messages) == [bench.power(m) for m in messages]


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def refusals(dut: Any) -> None:
    """Zeros for what cannot be raised; the next message is right."""
    bench = Bench(dut)
    await bench.start()
    top = (1 << 32 * bench.words) - 1
    messages = [bench.modulus, 2, top, bench.modulus - 2, bench.modulus + 1]
    assert await bench.raises(messages) == [bench.power(m) for m in messages]
    if bench.words > 1:
        assert await bench.ask([7]) == [0] * bench.words  # not a whole message
        assert await bench.raises([7, 9]) == [bench.power(7), bench.power(9)]


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def reset_at_any_time(dut: Any) -> None:
    bench = Bench(dut)
    await bench.start()
    draw = random.Random(5)
    for _ in range(8):
        await bench.source.send(AxiStreamFrame([3] * bench.words))
        await ClockCycles(dut.aclk, draw.randint(1, 800))
        dut.aresetn.value = 0
        bench.source.clear()
        await ClockCycles(dut.aclk, 2)
        bench.sink.clear()
        await bench.start()
        assert await bench.raises([5]) == [bench.power(5)]


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def the_time_is_that_of_the_exponentiator(dut: Any) -> None:
    """The same for every message: cycles from its last word to the result's first one."""
    bench = Bench(dut)
    await bench.start()
    await bench.raises([1])
    times = set()
    for message in (0, 1, 2, bench.modulus - 1):
        answer = cocotb.start_soon(bench.raises([message]))
        passed = None  # cycles since the last word was taken
        while passed is None or not dut.m_axis_tvalid.value:
            await FallingEdge(dut.aclk)
            if dut.s_axis_tvalid.value and dut.s_axis_tready.value:
                passed = 0
            elif passed is not None:
                passed += 1
        times.add(passed)
        assert await answer == [bench.power(message)]
    parameters = {"width": int(dut.Width.value), "word_bits": int(dut.WordBits.value)}
    operation = Operation(bench.modulus, bench.exponent, bench.exponent.bit_length(), 0)
    exponentiator = select("montgomery", **parameters).operation_cycles(operation)
    assert times == {exponentiator + 4}
