"""Left-to-right binary exponentiation against Python's `pow` and the catalog's cycles."""

from typing import Any

import pytest
from tests.rtl.modexp.modexp_bench import TESTS, cases

WIDTHS = (8, 33, 64, 127)
CASES = cases(
    {
        "one": ({}, WIDTHS),
        "two": ({"BitsPerCycle": 2}, WIDTHS),
        "early": ({"EarlyEnd": 1}, WIDTHS),
        "early-two": ({"EarlyEnd": 1, "BitsPerCycle": 2}, (*WIDTHS, 1031)),
        "fixed": ({"FixedTime": 1}, WIDTHS),
        "fixed-two": ({"FixedTime": 1, "BitsPerCycle": 2}, WIDTHS),
    }
)


@pytest.mark.parametrize("parameters", CASES)
def test_modexp_binary(run_cocotb: Any, parameters: dict[str, int]) -> None:
    run_cocotb("totient:modexp:modexp_binary", parameters, tests=TESTS)
