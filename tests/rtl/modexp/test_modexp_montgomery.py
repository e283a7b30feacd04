"""Right-to-left Montgomery exponentiation against Python's `pow` and the catalog's cycles."""

from typing import Any

import cocotb
import modexp_bench
import pytest

CASES = [
    pytest.param({"Width": width, **options}, id=f"{width}-{name}")
    for name, options, widths in (
        ("fixed", {}, (8, 14, 15, 33, 64, 127, 258)),
        ("short", {"FixedTime": 0}, (8, 33, 64, 127)),
        ("words-of-8", {"WordBits": 8}, (8, 33, 127)),
        ("words-of-8-short", {"WordBits": 8, "FixedTime": 0}, (16,)),
        ("words-of-32", {"WordBits": 32, "FixedTime": 0}, (8, 62, 63, 127)),
    )
    for width in widths
]


@cocotb.test()
async def corner_cases(dut: Any) -> None:
    await modexp_bench.corner_cases(dut)


@cocotb.test()
async def random_cases(dut: Any) -> None:
    await modexp_bench.random_cases(dut)


@cocotb.test()
async def refusals(dut: Any) -> None:
    await modexp_bench.refusals(dut)


@cocotb.test()
async def interruptions(dut: Any) -> None:
    await modexp_bench.interruptions(dut)


@pytest.mark.parametrize("parameters", CASES)
def test_modexp_montgomery(run_cocotb: Any, parameters: dict[str, int]) -> None:
    run_cocotb("totient:modexp:modexp_montgomery", parameters)
