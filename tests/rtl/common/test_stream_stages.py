"""Stages of a stream, of one or two registers: order, nothing lost or doubled, no path through."""

import random
from collections import deque
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly
from tests.rtl.clocked import elapse, start

CAPACITY = {"stream_half_buffer": 1, "stream_register": 2}
PASSED = {"stream_half_buffer": 500, "stream_register": 1000}


@cocotb.test()
async def traffic(dut: Any) -> None:
    """Random pauses at both ends against a deque; held words stay until they are taken."""
    bits = int(dut.Bits.value)
    capacity, least = CAPACITY[dut._name], PASSED[dut._name]
    await start(dut, "valid", "ready", "data")
    draw = random.Random(bits)
    model: deque[int] = deque()
    offered = False
    seen = {"full": 0, "empty": 0, "given": 0}
    for step in range(3000):
        ready = draw.random() < (0.8, 0.2, 1.0)[step // 100 % 3]
        if not offered:
            offered = draw.random() < (0.5, 0.9, 1.0)[step // 100 % 3]
            dut.data_i.value = draw.getrandbits(bits)
        dut.valid_i.value, dut.ready_i.value = offered, ready
        await ReadOnly()
        # Both are what the registers say, whatever the inputs are in this cycle.
        assert bool(dut.ready_o.value) == (len(model) < capacity)
        assert bool(dut.valid_o.value) == bool(model)
        if model:
            assert int(dut.data_o.value) == model[0]
        seen["full"] += len(model) == capacity
        seen["empty"] += not model
        taken, given = offered and len(model) < capacity, ready and bool(model)
        if given:
            model.popleft()
            seen["given"] += 1
        if taken:
            model.append(int(dut.data_i.value))
            offered = False
        await FallingEdge(dut.clk_i)
    # In the last hundred steps of each three, nothing ever paused.
    assert all(seen.values()), seen
    assert seen["given"] > least
    # A reset drops what waits.
    dut.valid_i.value, dut.ready_i.value = 1, 0
    dut.data_i.value = (1 << bits) - 1
    await elapse(dut, 2)
    assert dut.valid_o.value == 1
    dut.rst_ni.value, dut.valid_i.value = 0, 0
    await FallingEdge(dut.clk_i)
    assert (dut.valid_o.value, int(dut.data_o.value)) == (0, 0)


@pytest.mark.parametrize("bits", [1, 33])
@pytest.mark.parametrize("module", CAPACITY)
def test_a_stage(run_cocotb: Any, module: str, bits: int) -> None:
    run_cocotb(f"totient:common:{module}", {"Bits": bits})
