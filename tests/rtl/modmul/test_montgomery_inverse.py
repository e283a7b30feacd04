"""The unit for n' against Python's inverse."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge
from tests.rtl.clocked import pulse, start

from totient.golden.montgomery import negative_inverse


@cocotb.test()
async def inverses(dut: Any) -> None:
    """Corner and random words; the time is the word's length."""
    bits = int(dut.WordBits.value)
    radix = 1 << bits
    await start(dut, "clear", "start", "n")
    draw = random.Random(bits)
    words = [1, 3, radix - 1, radix // 2 + 1] + [draw.getrandbits(bits) | 1 for _ in range(50)]
    for n in words:
        dut.n_i.value = n
        await pulse(dut, "start")
        cycles = 0
        while not dut.done_o.value:
            await FallingEdge(dut.clk_i)
            cycles += 1
        assert cycles == bits
        inverse = int(dut.inverse_o.value)
        assert inverse == negative_inverse(n, bits) == -pow(n, -1, radix) % radix, n


@pytest.mark.parametrize("word_bits", [2, 8, 16, 32])
def test_montgomery_inverse(run_cocotb: Any, word_bits: int) -> None:
    run_cocotb("totient:modmul:montgomery_inverse", {"WordBits": word_bits})
