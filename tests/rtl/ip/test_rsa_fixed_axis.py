"""RSA with a fixed key on streams: the published words, any length, refusals, reset."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import ClockCycles, FallingEdge
from cocotbext.axi import AxiStreamFrame
from tests.rtl.message_stream import CIPHER, TEXT, MessageStream

from totient.catalog import Work, cycle_formulas, select_ip


class Bench(MessageStream):
    """The stream, and what the key makes of a message."""

    def __init__(self, dut: Any, pauses: int | None = None) -> None:
        super().__init__(dut, pauses)
        self.modulus, self.exponent = int(dut.Modulus.value), int(dut.Exponent.value)
        self.words = -(-int(dut.Width.value) // 32)

    async def raise_all(self, messages: list[int]) -> list[int]:
        """Messages and results as numbers, all in one packet."""
        return await self.raises(messages, self.words)

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
    bench = await Bench.started(dut, pauses)
    if bench.modulus == 6103297:
        given, expected = (TEXT, CIPHER) if bench.exponent == 65537 else (CIPHER, TEXT)
        assert await bench.ask(given) == expected
    draw = random.Random(bench.modulus)
    messages = [0, 1, bench.modulus - 1, *(draw.randrange(bench.modulus) for _ in range(10))]
    assert await bench.raise_all(messages) == [bench.power(m) for m in messages]


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def refusals(dut: Any) -> None:
    """Zeros for what cannot be raised; the next message is right."""
    bench = await Bench.started(dut)
    top = (1 << 32 * bench.words) - 1
    messages = [bench.modulus, 2, top, bench.modulus - 2, bench.modulus + 1]
    assert await bench.raise_all(messages) == [bench.power(m) for m in messages]
    if bench.words > 1:
        assert await bench.ask([7]) == [0] * bench.words  # not a whole message
        assert await bench.raise_all([7, 9]) == [bench.power(7), bench.power(9)]


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def reset_at_any_time(dut: Any) -> None:
    bench = await Bench.started(dut)
    draw = random.Random(5)
    for _ in range(8):
        await bench.source.send(AxiStreamFrame([3] * bench.words))
        await ClockCycles(dut.aclk, draw.randint(1, 800))
        dut.aresetn.value = 0
        bench.source.clear()
        await ClockCycles(dut.aclk, 2)
        bench.sink.clear()
        await bench.start()
        assert await bench.raise_all([5]) == [bench.power(5)]


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def the_time_is_that_of_the_exponentiator(dut: Any) -> None:
    """The same for every message: cycles from its last word to the result's first one."""
    bench = await Bench.started(dut)
    await bench.raise_all([1])
    times = set()
    for message in (0, 1, 2, bench.modulus - 1):
        answer = cocotb.start_soon(bench.raise_all([message]))
        passed = None  # cycles since the last word was taken
        while passed is None or not dut.m_axis_tvalid.value:
            await FallingEdge(dut.aclk)
            if dut.s_axis_tvalid.value and dut.s_axis_tready.value:
                passed = 0
            elif passed is not None:
                passed += 1
        times.add(passed)
        assert await answer == [bench.power(message)]
    chosen = select_ip(
        "rsa_fixed",
        width=int(dut.Width.value),
        modulus=bench.modulus,
        exponent=bench.exponent,
        word_bits=int(dut.WordBits.value),
    )
    work = Work(bench.modulus, bench.exponent.bit_length())
    assert times == {cycle_formulas(chosen.ip)["message"].cycles(chosen, work)}
