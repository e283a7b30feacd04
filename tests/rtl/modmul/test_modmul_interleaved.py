"""The interleaved multiplier against its golden model: products, cycles, handshakes."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

from totient.golden.interleaved import InterleavedMultiplier


class Bench:
    """Drives the multiplier; `pause` is the chance of holding a handshake back in a cycle."""

    def __init__(self, dut: Any, pause: float) -> None:
        self.dut = dut
        self.pause = pause
        self.model = InterleavedMultiplier(
            int(dut.Width.value), int(dut.BitsPerCycle.value), bool(dut.EarlyEnd.value)
        )
        self.random = random.Random(self.model.width)

    async def start(self) -> None:
        """Start the clock and reset."""
        Clock(self.dut.clk_i, 10, "ns").start()
        for name in ("clear_i", "valid_i", "ready_i", "a_i", "b_i", "n_i", "rst_ni"):
            getattr(self.dut, name).value = 0
        await FallingEdge(self.dut.clk_i)
        await FallingEdge(self.dut.clk_i)
        self.dut.rst_ni.value = 1

    async def offer(self, a: int, b: int, n: int) -> None:
        """Have the operands taken in this cycle; the multiplier is idle."""
        self.dut.a_i.value, self.dut.b_i.value, self.dut.n_i.value = a, b, n
        self.dut.valid_i.value = 1
        await ReadOnly()
        assert self.dut.ready_o.value, "an idle multiplier is not ready"
        await FallingEdge(self.dut.clk_i)
        self.dut.valid_i.value = 0
        self.dut.a_i.value = self.random.getrandbits(self.model.width)
        self.dut.b_i.value = self.random.getrandbits(self.model.width)

    async def multiply(self, a: int, b: int, n: int) -> None:
        """Check one product and its cycles."""
        await self.offer(a, b, n)
        cycles = 1
        while not self.dut.valid_o.value:
            assert not self.dut.ready_o.value
            await FallingEdge(self.dut.clk_i)
            cycles += 1
        while self.random.random() < self.pause:
            await FallingEdge(self.dut.clk_i)
        assert int(self.dut.product_o.value) == self.model.product(a, b, n), (a, b, n)
        assert cycles == self.model.cycles(a), (a, b, n)
        self.dut.ready_i.value = 1
        await FallingEdge(self.dut.clk_i)
        self.dut.ready_i.value = 0

    def moduli(self) -> list[int]:
        """Corner and random moduli; even ones too, which this multiplier takes."""
        top = 1 << self.model.width
        return [1, 2, 3, top - 1, top - 2, top // 2, top // 2 + 1] + [
            self.random.randrange(1, top) for _ in range(5)
        ]


@cocotb.test()
async def products(dut: Any) -> None:
    """Corner and random operands with pauses."""
    bench = Bench(dut, pause=0.3)
    await bench.start()
    for n in bench.moduli():
        operands = {0, 1 % n, n - 1, n // 2, bench.random.randrange(n), bench.random.randrange(n)}
        for a in operands:
            await bench.multiply(a, bench.random.choice(sorted(operands)), n)


@cocotb.test()
async def back_to_back(dut: Any) -> None:
    """The next operands are taken in the cycle in which the product is."""
    bench = Bench(dut, pause=0)
    await bench.start()
    n = (1 << bench.model.width) - 1
    dut.n_i.value = n
    dut.valid_i.value = 1
    dut.ready_i.value = 1
    expected = None
    for _ in range(5):
        a, b = bench.random.randrange(n), bench.random.randrange(n)
        dut.a_i.value, dut.b_i.value = a, b
        await ReadOnly()
        assert dut.ready_o.value
        if expected is not None:
            assert int(dut.product_o.value) == expected
        expected = bench.model.product(a, b, n)
        for _ in range(bench.model.cycles(a)):
            await FallingEdge(dut.clk_i)
        assert dut.valid_o.value


@cocotb.test()
async def clear(dut: Any) -> None:
    """A clear in the middle drops the product and leaves nothing in the registers."""
    bench = Bench(dut, pause=0)
    await bench.start()
    n = (1 << bench.model.width) - 1
    for wait in range(bench.model.cycles(n - 1)):
        await bench.offer(n - 1, n - 2, n)
        for _ in range(wait):
            await FallingEdge(dut.clk_i)
        dut.clear_i.value = 1
        await FallingEdge(dut.clk_i)
        dut.clear_i.value = 0
        assert not dut.valid_o.value
        for register in (dut.a_q, dut.b_q, dut.p_q):
            assert int(register.value) == 0
        await bench.multiply(n - 1, n - 2, n)


@pytest.mark.parametrize("early_end", [0, 1])
@pytest.mark.parametrize("bits_per_cycle", [1, 2])
@pytest.mark.parametrize("width", [8, 17, 33, 128])
def test_modmul_interleaved(
    run_cocotb: Any, width: int, bits_per_cycle: int, early_end: int
) -> None:
    run_cocotb(
        "totient:modmul:modmul_interleaved",
        {"Width": width, "BitsPerCycle": bits_per_cycle, "EarlyEnd": early_end},
    )
