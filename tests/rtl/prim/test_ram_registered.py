"""The memory with a registered output: every form does the same."""

import random
from collections import deque
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge


@cocotb.test()
async def remember(dut: Any) -> None:
    """Any word can be written and read, two cycles after its index; the others stay."""
    Clock(dut.clk_i, 10, "ns").start()
    bits, depth = int(dut.Bits.value), int(dut.Depth.value)
    rng = random.Random(depth)
    memory: dict[int, int] = {}
    asked: deque[int | None] = deque([None] * 2, maxlen=2)
    for cycle in range(4 * depth):
        write = cycle < depth or rng.random() < 0.3
        index = cycle if cycle < depth else rng.randrange(depth)
        value = rng.getrandbits(bits)
        others = [place for place in memory if place != index] if depth < 100 else list(memory)[:9]
        read = rng.choice(others) if others else 0
        dut.write_i.value, dut.write_index_i.value = int(write), index
        dut.write_data_i.value, dut.read_index_i.value = value, read
        safe = read in memory and not (write and read == index)
        asked.append(memory[read] if safe else None)
        if write:
            memory[index] = value
        await FallingEdge(dut.clk_i)
        if asked[0] is not None:
            assert int(dut.read_data_o.value) == asked[0]


@pytest.mark.parametrize("form", [0, 1, 2])
@pytest.mark.parametrize(
    ("bits", "depth"), [(18, 32), (7, 1000), (18, 1025), (9, 2049), (3, 4097), (2, 8193)]
)
def test_ram_registered(run_cocotb: Any, bits: int, depth: int, form: int) -> None:
    parameters = {"Bits": bits, "Depth": depth, "Form": form}
    run_cocotb("totient:prim:ram_registered", parameters)
