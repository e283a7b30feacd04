"""The radix-2 Montgomery multiplier against its golden model: products, cycles, errors, clear."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly
from tests.rtl.clocked import start

from totient.golden.montgomery_radix2 import Radix2Multiplier, montgomery_product

NONE, EVEN, NOT_BELOW = 0, 6, 8


class Bench:
    """Drives the multiplier; `pause` is the chance of holding a handshake back in a cycle."""

    def __init__(self, dut: Any, pause: float = 0) -> None:
        self.dut = dut
        self.pause = pause
        self.width = int(dut.Width.value)
        self.model = Radix2Multiplier(self.width, int(dut.BitsPerCycle.value))
        self.random = random.Random(self.width)

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
        self.show(*(self.random.getrandbits(self.width) for _ in range(3)))

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
        error = EVEN if n % 2 == 0 else NOT_BELOW if max(a, b) >= n else NONE
        product = 0 if error else a * b * pow(2, -n.bit_length(), n) % n
        assert (int(self.dut.error_o.value), int(self.dut.product_o.value)) == (error, product), (
            a,
            b,
            n,
        )
        assert error or product == montgomery_product(a, b, n)
        assert cycles == self.model.cycles(a, b, n), (a, b, n)
        self.dut.ready_i.value = 1
        await FallingEdge(self.dut.clk_i)
        self.dut.ready_i.value = 0

    def moduli(self) -> list[int]:
        """Corner and random odd moduli of every length up to the width, the shortest being 1."""
        lengths = {1, 2, 3, self.width // 2, self.width - 1, self.width}
        drawn = [self.random.randint(1, self.width) for _ in range(4)]
        return [
            n
            for length in (*sorted(lengths), *drawn)
            for n in {
                (1 << length) - 1,
                1 << length - 1 | 1,
                1 << length - 1 | self.random.getrandbits(length) >> 1 | 1,
            }
        ]


@cocotb.test()
async def products(dut: Any) -> None:
    """Corner and random operands with pauses."""
    bench = Bench(dut, pause=0.3)
    await bench.start()
    for n in bench.moduli():
        operands = [0, 1 % n, n - 1, n // 2, *(bench.random.randrange(n) for _ in range(2))]
        for a in operands:
            await bench.multiply(a, bench.random.choice(operands), n)
        await bench.multiply(n - 1, n - 1, n)


@cocotb.test()
async def bad_operands(dut: Any) -> None:
    """Each has its error code; the product is 0, and the next one is right."""
    bench = Bench(dut, pause=0.2)
    await bench.start()
    top = (1 << bench.width) - 1
    for n in bench.moduli():
        below, above = bench.random.randrange(n), bench.random.randint(n, top)
        for a, b, modulus in (
            (below, above, n),
            (above, below, n),
            (n, 0, n),
            (0, n, n),
            (top, top, n),
            (below, below, n - 1),
            (0, 0, 0),
        ):
            await bench.multiply(a, b, modulus)
        await bench.multiply(below, n - 1, n)


@cocotb.test()
async def back_to_back(dut: Any) -> None:
    """The next operands are taken in the cycle in which the product is."""
    bench = Bench(dut)
    await bench.start()
    dut.valid_i.value = 1
    dut.ready_i.value = 1
    expected = None
    for n in bench.moduli():
        a, b = bench.random.randrange(n), bench.random.randrange(n)
        bench.show(a, b, n)
        await ReadOnly()
        assert dut.ready_o.value
        if expected is not None:
            assert int(dut.product_o.value) == expected
        expected = montgomery_product(a, b, n)
        for _ in range(bench.model.cycles(a, b, n)):
            await FallingEdge(dut.clk_i)
        assert dut.valid_o.value


@cocotb.test()
async def clear_and_reset(dut: Any) -> None:
    """Either in the middle drops the product and leaves nothing in the registers."""
    bench = Bench(dut)
    await bench.start()
    n = (1 << bench.width) - 1
    for signal, active in ((dut.clear_i, 1), (dut.rst_ni, 0)):
        for wait in range(bench.model.cycles(n - 1, n - 2, n) + 1):
            await bench.offer(n - 1, n - 2, n)
            for _ in range(wait):
                await FallingEdge(dut.clk_i)
            signal.value = active
            await FallingEdge(dut.clk_i)
            signal.value = 1 - active
            assert not dut.valid_o.value
            for register in (dut.a_q, dut.b_q, dut.n_q, dut.left_q, dut.p_q, dut.both_q):
                assert int(register.value) == 0
            await bench.multiply(n - 1, n - 2, n)


@pytest.mark.parametrize(
    ("width", "bits_per_cycle"),
    [(8, 1), (9, 2), (33, 1), (64, 1), (64, 2), (127, 2), (128, 1)],
)
def test_modmul_montgomery_radix2(run_cocotb: Any, width: int, bits_per_cycle: int) -> None:
    run_cocotb(
        "totient:modmul:modmul_montgomery_radix2",
        {"Width": width, "BitsPerCycle": bits_per_cycle},
    )
