"""Repeated multiplication against Python's `pow` and the catalog's cycles."""

from typing import Any

import pytest
from tests.rtl.modexp.modexp_bench import (  # noqa: F401  (cocotb runs them)
    corner_cases,
    interruptions,
    random_cases,
    refusals,
)

CASES = [
    pytest.param({"Width": width, **options}, id=f"{width}-{name}")
    for name, options in {
        "one": {},
        "two": {"BitsPerCycle": 2},
        "early": {"EarlyEnd": 1},
        "early-two": {"EarlyEnd": 1, "BitsPerCycle": 2},
    }.items()
    for width in ((8, 33, 64, 127, 1031) if name == "early-two" else (8, 33, 64, 127))
]


@pytest.mark.parametrize("parameters", CASES)
def test_modexp_repeated(run_cocotb: Any, parameters: dict[str, int]) -> None:
    run_cocotb("totient:modexp:modexp_repeated", parameters)
