"""Every form of the word multiplier gives x y + u + v + w."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import Timer


@cocotb.test()
async def sums(dut: Any) -> None:
    """All corners of the five operands, and random ones."""
    bits = int(dut.Bits.value)
    top = (1 << bits) - 1
    draw = random.Random(bits)
    corners = [
        (x, y, u, v, w)
        for x in (0, 1, top)
        for y in (0, 1, top)
        for u in (0, top)
        for v in (0, 1, top)
        for w in (0, 1, top, top + 1)
    ]
    drawn = [tuple(draw.randint(0, top) for _ in range(5)) for _ in range(2000)]
    for x, y, u, v, w in corners + drawn:
        for port, value in zip("xyuvw", (x, y, u, v, w), strict=True):
            getattr(dut, f"{port}_i").value = value
        await Timer(1, "ns")
        assert int(dut.result_o.value) == x * y + u + v + w, (x, y, u, v, w)


@pytest.mark.parametrize(
    ("bits", "form"), [(4, 0), (16, 0), (18, 0), (32, 0), (4, 1), (8, 1), (16, 1)]
)
def test_multiply_add(run_cocotb: Any, bits: int, form: int) -> None:
    run_cocotb("totient:prim:multiply_add", {"Bits": bits, "Form": form})
