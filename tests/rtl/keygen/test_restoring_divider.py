"""Division of long numbers by short ones, against Python's divmod, in the stated cycles."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly
from tests.rtl.clocked import start


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def divisions(dut: Any) -> None:
    most, short = int(dut.DividendBits.value), int(dut.DivisorBits.value)
    draw = random.Random(most)
    await start(dut, "clear", "start", "bits", "divisor", "word")
    for _ in range(200):
        bits = draw.choice((1, most, draw.randint(1, most), min(most, 32 * draw.randint(1, 4))))
        dividend = draw.choice((0, (1 << bits) - 1, 1 << bits - 1, draw.getrandbits(bits)))
        length = draw.randint(1, short)
        divisor = draw.choice((1, (1 << length) - 1, draw.getrandbits(length) | 1 << length - 1))
        dut.bits_i.value, dut.divisor_i.value = bits, divisor
        dut.start_i.value = 1
        quotient, written, cycles = 0, [], 0
        asked = 0
        while True:
            await ReadOnly()
            if cycles and dut.write_o.value:
                written.append(int(dut.write_index_o.value))
                quotient |= int(dut.word_o.value) << 32 * written[-1]
            if cycles and dut.valid_o.value:
                break
            asked = int(dut.index_o.value)
            await FallingEdge(dut.clk_i)
            dut.start_i.value = 0
            dut.word_i.value = dividend >> 32 * asked & 0xFFFFFFFF
            cycles += 1
        assert cycles == bits + 3
        assert written == list(reversed(range((bits + 31) // 32)))
        assert (quotient, int(dut.remainder_o.value)) == divmod(dividend, divisor)
        await FallingEdge(dut.clk_i)


@pytest.mark.parametrize(("dividend", "divisor"), [(8, 3), (33, 32), (150, 17), (1031, 40)])
def test_restoring_divider(run_cocotb: Any, dividend: int, divisor: int) -> None:
    run_cocotb(
        "totient:keygen:restoring_divider", {"DividendBits": dividend, "DivisorBits": divisor}
    )
