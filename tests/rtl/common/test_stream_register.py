"""The stream register: order, nothing lost or doubled, a word a cycle, no path through it."""

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
    seen = {"full": 0, "empty": 0, "through": 0}
    for step in range(3000):
        ready = draw.random() < (0.8, 0.2, 1.0)[step // 100 % 3]
        if not offered:
            offered = draw.random() < (0.5, 0.9, 1.0)[step // 100 % 3]
            dut.data_i.value = draw.getrandbits(bits)
        dut.valid_i.value, dut.ready_i.value = offered, ready
        await ReadOnly()
        # Both are what the registers say, whatever the inputs are in this cycle.
        assert bool(dut.ready_o.value) == (len(model) < 2)
        assert bool(dut.valid_o.value) == bool(model)
        if model:
            assert int(dut.data_o.value) == model[0]
        seen["full"] += len(model) == 2
        seen["empty"] += not model
        seen["through"] += offered and ready and len(model) == 1
        taken, given = offered and len(model) < 2, ready and bool(model)
        if given:
            model.popleft()
        if taken:
            model.append(int(dut.data_i.value))
            offered = False
        await FallingEdge(dut.clk_i)
    assert all(seen.values()), seen
    # In the last hundred steps of each three, nothing ever paused.
    assert seen["through"] > 900


@pytest.mark.parametrize("bits", [1, 33])
def test_stream_register(run_cocotb: Any, bits: int) -> None:
    run_cocotb("totient:common:stream_register", {"Bits": bits})
