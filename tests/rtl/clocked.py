"""What test benches begin with, and what those with `clk_i` and `rst_ni` do in cycles."""

from abc import ABC, abstractmethod
from typing import Any, Self

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
    await elapse(dut, 2)
    dut.rst_ni.value = 1


async def elapse(dut: Any, count: int) -> None:
    """Let so many cycles pass; inputs are set at falling edges."""
    for _ in range(count):
        await FallingEdge(dut.clk_i)


async def pulse(dut: Any, name: str) -> None:
    """An input is 1 for a cycle; its name without `_i`."""
    signal = getattr(dut, f"{name}_i")
    signal.value = 1
    await FallingEdge(dut.clk_i)
    signal.value = 0


class Started(ABC):
    """A bench that is made and started in one step."""

    @classmethod
    async def started(cls, *given: Any, **named: Any) -> Self:
        """A new one, after its start."""
        bench = cls(*given, **named)
        await bench.start()
        return bench

    @abstractmethod
    async def start(self) -> None:
        """Start the clock, and leave the reset."""
