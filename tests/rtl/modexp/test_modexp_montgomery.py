"""Right-to-left Montgomery exponentiation against Python's `pow` and the catalog's cycles."""

from typing import Any

import pytest
from tests.rtl.modexp.modexp_bench import TESTS, cases

CASES = cases(
    {
        "fixed": ({}, (8, 14, 15, 33, 64, 127, 258, 1031)),
        "short": ({"FixedTime": 0}, (8, 33, 64, 127)),
        "words-of-8": ({"WordBits": 8}, (8, 33, 127)),
        "words-of-8-short": ({"WordBits": 8, "FixedTime": 0}, (16,)),
        "words-of-32": ({"WordBits": 32, "FixedTime": 0}, (8, 62, 63, 127)),
    }
)


@pytest.mark.parametrize("parameters", CASES)
def test_modexp_montgomery(run_cocotb: Any, parameters: dict[str, int]) -> None:
    run_cocotb("totient:modexp:modexp_montgomery", parameters, tests=TESTS)
