"""Repeated multiplication against Python's `pow` and the catalog's cycles."""

from typing import Any

import cocotb
import modexp_bench
import pytest

CASES = [
    pytest.param({"Width": width, **options}, id=f"{width}-{name}")
    for name, options in {
        "one": {},
        "two": {"BitsPerCycle": 2},
        "early": {"EarlyEnd": 1},
        "early-two": {"EarlyEnd": 1, "BitsPerCycle": 2},
    }.items()
    for width in (8, 33, 64, 127)
]


@cocotb.test()
async def corner_cases(dut: Any) -> None:
    await modexp_bench.corner_cases(dut, short=True)


@cocotb.test()
async def random_cases(dut: Any) -> None:
    await modexp_bench.random_cases(dut, short=True)


@cocotb.test()
async def refusals(dut: Any) -> None:
    await modexp_bench.refusals(dut)


@cocotb.test()
async def interruptions(dut: Any) -> None:
    await modexp_bench.interruptions(dut)


@pytest.mark.parametrize("parameters", CASES)
def test_modexp_repeated(run_cocotb: Any, parameters: dict[str, int]) -> None:
    run_cocotb("totient:modexp:modexp_repeated", parameters)
