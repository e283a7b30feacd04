"""The FIFO: order, full and empty, nothing lost, nothing left after a clear."""

import random
from collections import deque
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly
from tests.rtl.clocked import start


@cocotb.test()
async def traffic(dut: Any) -> None:
    """Random pushes, pops and clears against a deque."""
    depth, bits = int(dut.Depth.value), int(dut.Bits.value)
    await start(dut, "clear", "valid", "ready", "data")
    draw = random.Random(depth)
    model: deque[int] = deque()
    seen = {"full": 0, "empty": 0, "both": 0, "clear": 0}
    for step in range(3000):
        busy = 0.8 if step // 100 % 2 else 0.2  # fills and drains in turn
        push, pop, clear = draw.random() < busy, draw.random() > busy, draw.random() < 0.01
        word = draw.getrandbits(bits)
        dut.valid_i.value, dut.ready_i.value, dut.clear_i.value = push, pop, clear
        dut.data_i.value = word
        await ReadOnly()
        assert bool(dut.ready_o.value) == (len(model) < depth)
        assert bool(dut.valid_o.value) == bool(model)
        if model:
            assert int(dut.data_o.value) == model[0]
        seen["full"] += len(model) == depth
        seen["empty"] += not model
        seen["both"] += push and pop and 0 < len(model) < depth
        seen["clear"] += clear
        took = pop and bool(model)
        if push and len(model) < depth:
            model.append(word)
        if took:
            model.popleft()
        if clear:
            model.clear()
        await FallingEdge(dut.clk_i)
        if clear:
            assert all(int(word.value) == 0 for word in dut.memory)
    assert all(seen.values()), seen


@pytest.mark.parametrize(("bits", "depth"), [(1, 2), (17, 4), (8, 16)])
def test_stream_fifo(run_cocotb: Any, bits: int, depth: int) -> None:
    run_cocotb("totient:common:stream_fifo", {"Bits": bits, "Depth": depth})
