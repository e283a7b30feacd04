"""The interleaved multiplier against its golden model: products, cycles, handshakes."""

from typing import Any

import cocotb
import pytest
from tests.rtl.modmul.product_bench import ProductBench

from totient.golden.interleaved import InterleavedMultiplier


class Bench(ProductBench):
    """The multiplier with its golden model."""

    registers = ("a_q", "b_q", "p_q")
    latched = ("a", "b")

    def __init__(self, dut: Any, pause: float = 0) -> None:
        super().__init__(dut, pause)
        steps, early_end = int(dut.BitsPerCycle.value), bool(dut.EarlyEnd.value)
        self.model = InterleavedMultiplier(self.width, steps, early_end)

    def product(self, a: int, b: int, n: int) -> int:
        """The product that the model finds."""
        return self.model.product(a, b, n)

    def cycles(self, a: int, b: int, n: int) -> int:
        """The model's."""
        return self.model.cycles(a)

    def moduli(self) -> list[int]:
        """Corner and random moduli; even ones too, which this multiplier takes."""
        top = 1 << self.width
        return [1, 2, 3, top - 1, top - 2, top // 2, top // 2 + 1] + [
            self.random.randrange(1, top) for _ in range(5)
        ]


@cocotb.test()
async def products(dut: Any) -> None:
    """Corner and random operands with pauses."""
    bench = await Bench.started(dut, pause=0.3)
    for n in bench.moduli():
        operands = {0, 1 % n, n - 1, n // 2, bench.random.randrange(n), bench.random.randrange(n)}
        for a in operands:
            await bench.multiply(a, bench.random.choice(sorted(operands)), n)


@cocotb.test()
async def back_to_back(dut: Any) -> None:
    """The largest modulus stays on its bus."""
    bench = await Bench.started(dut)
    n = (1 << bench.width) - 1
    draw = bench.random.randrange
    await bench.back_to_back([(draw(n), draw(n), n) for _ in range(5)])


@cocotb.test()
async def clear(dut: Any) -> None:
    """In the middle of a product."""
    bench = await Bench.started(dut)
    await bench.dropped(dut.clear_i, 1, bench.model.cycles((1 << bench.width) - 2))


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
