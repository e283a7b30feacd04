"""The long delay: exact at every length, and empty after zeros."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge


@cocotb.test()
async def delays(dut: Any) -> None:
    """Random samples come out `Cycles` later, also after a reset; zeros wipe all of them."""
    bits, cycles = int(dut.Bits.value), int(dut.Cycles.value)
    draw = random.Random(cycles)
    Clock(dut.clk_i, 10, "ns").start()
    dut.data_i.value = 0
    for _ in range(2):
        dut.rst_ni.value = 0
        await FallingEdge(dut.clk_i)
        dut.rst_ni.value = 1
        given: list[int] = []
        for i in range(5 * cycles + 70):
            given.append(draw.getrandbits(bits) if i < 3 * cycles + 50 else 0)
            dut.data_i.value = given[-1]
            if cycles <= i:
                assert int(dut.data_o.value) == given[i - cycles], i
            await FallingEdge(dut.clk_i)
        # Everything that was sent has come out, and zeros after it.
        assert not any(given[-cycles:])


@pytest.mark.parametrize(
    ("bits", "cycles"),
    [
        (1, 1),
        (1, 159),
        (1, 160),
        (1, 161),
        (1, 193),
        (1, 2050),
        (3, 51),
        (3, 77),
        (16, 13),
        (7, 90),
    ],
)
def test_delay_memory(run_cocotb: Any, bits: int, cycles: int) -> None:
    run_cocotb("totient:prim:delay_memory", {"Bits": bits, "Cycles": cycles})
