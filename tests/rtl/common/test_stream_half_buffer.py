"""The half buffer: order, nothing lost or doubled, a word in two cycles, no path through it."""

import random
from collections import deque
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly
from tests.rtl.clocked import start


@cocotb.test()
async def traffic(dut: Any) -> None:
    """Random pauses at both ends against a deque; held words stay until they are taken."""
    bits = int(dut.Bits.value)
    await start(dut, "valid", "ready", "data")
    draw = random.Random(bits)
    model: deque[int] = deque()
    offered = False
    passed = 0
    for step in range(3000):
        ready = draw.random() < (0.8, 0.2, 1.0)[step // 100 % 3]
        if not offered:
            offered = draw.random() < (0.5, 0.9, 1.0)[step // 100 % 3]
            dut.data_i.value = draw.getrandbits(bits)
        dut.valid_i.value, dut.ready_i.value = offered, ready
        await ReadOnly()
        # Both are what the register says, whatever the inputs are in this cycle.
        assert bool(dut.ready_o.value) == (not model)
        assert bool(dut.valid_o.value) == bool(model)
        if model:
            assert int(dut.data_o.value) == model[0]
        taken, given = offered and not model, ready and bool(model)
        if given:
            model.popleft()
            passed += 1
        if taken:
            model.append(int(dut.data_i.value))
            offered = False
        await FallingEdge(dut.clk_i)
    # In the last hundred steps of each three, nothing ever paused.
    assert passed > 500
    # A reset drops what waits.
    dut.valid_i.value, dut.ready_i.value = 1, 0
    dut.data_i.value = (1 << bits) - 1
    await FallingEdge(dut.clk_i)
    await FallingEdge(dut.clk_i)
    assert dut.valid_o.value == 1
    dut.rst_ni.value = 0
    dut.valid_i.value = 0
    await FallingEdge(dut.clk_i)
    assert (dut.valid_o.value, int(dut.data_o.value)) == (0, 0)


@pytest.mark.parametrize("bits", [1, 33])
def test_stream_half_buffer(run_cocotb: Any, bits: int) -> None:
    run_cocotb("totient:common:stream_half_buffer", {"Bits": bits})
