"""The radix-2 Montgomery multiplier against its golden model: products, cycles, errors, clear."""

from typing import Any

import cocotb
import pytest
from tests.rtl.modmul.product_bench import ProductBench

from totient.golden.montgomery_radix2 import Radix2Multiplier, montgomery_product

NONE, EVEN, NOT_BELOW = 0, 6, 8


class Bench(ProductBench):
    """The multiplier with its golden model."""

    registers = ("a_q", "b_q", "n_q", "left_q", "p_q", "both_q")
    latched = ("a", "b", "n")

    def __init__(self, dut: Any, pause: float = 0) -> None:
        super().__init__(dut, pause)
        self.model = Radix2Multiplier(self.width, int(dut.BitsPerCycle.value))

    def product(self, a: int, b: int, n: int) -> int:
        """By Python's inverse, and the same by the model."""
        product = a * b * pow(2, -n.bit_length(), n) % n
        assert product == montgomery_product(a, b, n)
        return product

    def cycles(self, a: int, b: int, n: int) -> int:
        """The model's."""
        return self.model.cycles(a, b, n)

    def error(self, a: int, b: int, n: int) -> int:
        """For an even modulus, or an operand that is not below it."""
        return EVEN if n % 2 == 0 else NOT_BELOW if max(a, b) >= n else NONE

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
    bench = await Bench.started(dut, pause=0.3)
    for n in bench.moduli():
        operands = [0, 1 % n, n - 1, n // 2, *(bench.random.randrange(n) for _ in range(2))]
        for a in operands:
            await bench.multiply(a, bench.random.choice(operands), n)
        await bench.multiply(n - 1, n - 1, n)


@cocotb.test()
async def bad_operands(dut: Any) -> None:
    """Each has its error code; the product is 0, and the next one is right."""
    bench = await Bench.started(dut, pause=0.2)
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
    """Each product with another modulus."""
    bench = await Bench.started(dut)
    draw = bench.random.randrange
    await bench.back_to_back([(draw(n), draw(n), n) for n in bench.moduli()])


@cocotb.test()
async def clear_and_reset(dut: Any) -> None:
    """Either in the middle of a product, or when it is there."""
    bench = await Bench.started(dut)
    n = (1 << bench.width) - 1
    most = bench.model.cycles(n - 1, n - 2, n) + 1
    await bench.dropped(dut.clear_i, 1, most)
    await bench.dropped(dut.rst_ni, 0, most)


@pytest.mark.parametrize(
    ("width", "bits_per_cycle"),
    [(8, 1), (9, 2), (33, 1), (64, 1), (64, 2), (127, 2), (128, 1)],
)
def test_modmul_montgomery_radix2(run_cocotb: Any, width: int, bits_per_cycle: int) -> None:
    run_cocotb(
        "totient:modmul:modmul_montgomery_radix2",
        {"Width": width, "BitsPerCycle": bits_per_cycle},
    )
