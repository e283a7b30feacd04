"""The first cycles of a small module's test bench."""

from typing import Any

from cocotb.clock import Clock
from cocotb.triggers import FallingEdge


async def start(dut: Any, *inputs: str) -> None:
    """Start the clock, set inputs to 0, and hold the reset for two cycles.

    Args:
        dut: a module with `clk_i` and `rst_ni`.
        inputs: names of its other inputs, `_i` left out.
    """
    Clock(dut.clk_i, 10, "ns").start()
    dut.rst_ni.value = 0
    for name in inputs:
        getattr(dut, f"{name}_i").value = 0
    await FallingEdge(dut.clk_i)
    await FallingEdge(dut.clk_i)
    dut.rst_ni.value = 1
