"""The read-only memory with a registered output: every form does the same."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from tests.rtl.clocked import elapse


@cocotb.test()
async def look_up(dut: Any) -> None:
    """Every word of a read-only memory is its content's."""
    Clock(dut.clk_i, 10, "ns").start()
    bits, depth = int(dut.Bits.value), int(dut.Depth.value)
    content = int(dut.Content.value)
    for index in range(depth):
        dut.index_i.value = index
        await elapse(dut, 2)
        assert int(dut.data_o.value) == content >> bits * index & (1 << bits) - 1


@pytest.mark.parametrize("form", [0, 1, 2])
def test_rom_registered(run_cocotb: Any, form: int) -> None:
    content = random.Random(5).getrandbits(20 * 40)
    parameters = {"Bits": 20, "Depth": 40, "Form": form, "Content": f"800'h{content:x}"}
    run_cocotb("totient:prim:rom_registered", parameters)
