"""Multipliers and memories with registers of their own: every form does the same."""

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


@cocotb.test()
async def look_up(dut: Any) -> None:
    """Every word of a read-only memory is its content's."""
    Clock(dut.clk_i, 10, "ns").start()
    bits, depth = int(dut.Bits.value), int(dut.Depth.value)
    content = int(dut.Content.value)
    for index in range(depth):
        dut.index_i.value = index
        await FallingEdge(dut.clk_i)
        await FallingEdge(dut.clk_i)
        assert int(dut.data_o.value) == content >> bits * index & (1 << bits) - 1


@pytest.mark.parametrize("form", [0, 1])
@pytest.mark.parametrize("bits", [2, 17, 18])
def test_multiply_registered(run_cocotb: Any, bits: int, form: int) -> None:
    parameters = {"Bits": bits, "Form": form}
    run_cocotb("totient:prim:multiply_registered", parameters, testcase="multiply")


@pytest.mark.parametrize("form", [0, 1])
@pytest.mark.parametrize(
    ("bits", "depth"), [(18, 32), (7, 1000), (18, 1025), (9, 2049), (3, 4097), (2, 8193)]
)
def test_ram_registered(run_cocotb: Any, bits: int, depth: int, form: int) -> None:
    parameters = {"Bits": bits, "Depth": depth, "Form": form}
    run_cocotb("totient:prim:ram_registered", parameters, testcase="remember")


@pytest.mark.parametrize("form", [0, 1])
def test_rom_registered(run_cocotb: Any, form: int) -> None:
    content = random.Random(5).getrandbits(20 * 40)
    parameters = {"Bits": 20, "Depth": 40, "Form": form, "Content": f"800'h{content:x}"}
    run_cocotb("totient:prim:rom_registered", parameters, testcase="look_up")
