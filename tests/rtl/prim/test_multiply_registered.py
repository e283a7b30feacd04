"""The multiplier with registers: every form does the same."""

import random
from collections import deque
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge


@cocotb.test()
async def multiply(dut: Any) -> None:
    """Products of any operands, three cycles later; a factor stays until another is taken."""
    Clock(dut.clk_i, 10, "ns").start()
    bits = int(dut.Bits.value)
    rng = random.Random(bits)
    expected: deque[int | None] = deque([None] * 3, maxlen=3)
    held = 0
    for cycle in range(2000):
        take = cycle == 0 or rng.random() < 0.5
        x, y = (rng.choice((0, 1, (1 << bits) - 1, rng.getrandbits(bits))) for _ in range(2))
        dut.x_enable_i.value, dut.x_i.value, dut.y_i.value = int(take), x, y
        held = x if take else held
        expected.append(held * y)
        await FallingEdge(dut.clk_i)
        if expected[0] is not None:
            assert int(dut.product_o.value) == expected[0]


@pytest.mark.parametrize("form", [0, 1])
@pytest.mark.parametrize("bits", [2, 17, 18])
def test_multiply_registered(run_cocotb: Any, bits: int, form: int) -> None:
    parameters = {"Bits": bits, "Form": form}
    run_cocotb("totient:prim:multiply_registered", parameters)
