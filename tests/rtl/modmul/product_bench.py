"""Bench of multipliers that take operands and give a product by handshakes."""

import random
from abc import abstractmethod
from collections.abc import Iterable
from typing import Any

from cocotb.triggers import FallingEdge, ReadOnly
from tests.rtl.clocked import Started, elapse, start

Operands = tuple[int, int, int]


class ProductBench(Started):
    """Drives a multiplier; `pause` is the chance of holding a handshake back in a cycle.

    Attributes:
        registers: those that hold operands or what is computed from them.
        latched: buses that may change when the operands have been taken.
    """

    registers: tuple[str, ...]
    latched: tuple[str, ...]

    def __init__(self, dut: Any, pause: float = 0) -> None:
        self.dut, self.pause = dut, pause
        self.width = int(dut.Width.value)
        self.random = random.Random(self.width)

    @abstractmethod
    def product(self, a: int, b: int, n: int) -> int:
        """The product that has to be formed."""

    @abstractmethod
    def cycles(self, a: int, b: int, n: int) -> int:
        """Clock cycles that it takes."""

    def error(self, a: int, b: int, n: int) -> int | None:
        """The error code; None: the multiplier has none."""
        return None

    async def start(self) -> None:
        """Start the clock and reset."""
        await start(self.dut, "clear", "valid", "ready", "a", "b", "n")

    def show(self, a: int, b: int, n: int) -> None:
        """Put operands on the three buses."""
        self.dut.a_i.value, self.dut.b_i.value, self.dut.n_i.value = a, b, n

    async def offer(self, a: int, b: int, n: int) -> None:
        """Have the operands taken in this cycle; what is on the buses then changes."""
        self.show(a, b, n)
        self.dut.valid_i.value = 1
        await ReadOnly()
        assert self.dut.ready_o.value, "an idle multiplier is not ready"
        await FallingEdge(self.dut.clk_i)
        self.dut.valid_i.value = 0
        for name in self.latched:
            getattr(self.dut, f"{name}_i").value = self.random.getrandbits(self.width)

    async def multiply(self, a: int, b: int, n: int) -> None:
        """Check one product, or its refusal, and the cycles."""
        await self.offer(a, b, n)
        cycles = 1
        while not self.dut.valid_o.value:
            assert not self.dut.ready_o.value
            await FallingEdge(self.dut.clk_i)
            cycles += 1
        while self.random.random() < self.pause:
            await FallingEdge(self.dut.clk_i)
        error = self.error(a, b, n)
        assert error is None or int(self.dut.error_o.value) == error, (a, b, n)
        assert int(self.dut.product_o.value) == (0 if error else self.product(a, b, n)), (a, b, n)
        assert cycles == self.cycles(a, b, n), (a, b, n)
        self.dut.ready_i.value = 1
        await FallingEdge(self.dut.clk_i)
        self.dut.ready_i.value = 0

    async def back_to_back(self, operands: Iterable[Operands]) -> None:
        """The next operands are taken in the cycle in which the product is."""
        dut = self.dut
        dut.valid_i.value = dut.ready_i.value = 1
        expected = None
        for a, b, n in operands:
            self.show(a, b, n)
            await ReadOnly()
            assert dut.ready_o.value
            if expected is not None:
                assert int(dut.product_o.value) == expected
            expected = self.product(a, b, n)
            await elapse(dut, self.cycles(a, b, n))
            assert dut.valid_o.value

    async def dropped(self, signal: Any, active: int, most: int) -> None:
        """In any of so many cycles a product is dropped, and nothing is left in the registers."""
        n = (1 << self.width) - 1
        for wait in range(most):
            await self.offer(n - 1, n - 2, n)
            await elapse(self.dut, wait)
            signal.value = active
            await FallingEdge(self.dut.clk_i)
            signal.value = 1 - active
            assert not self.dut.valid_o.value
            for register in self.registers:
                assert int(getattr(self.dut, register).value) == 0
            await self.multiply(n - 1, n - 2, n)
