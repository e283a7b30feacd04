"""Digit-serial Montgomery exponentiation against Python's `pow` and the catalog's cycles."""

from typing import Any

import pytest
from tests.rtl.modexp.modexp_bench import TESTS

STRUCTURES = {
    "N1": {"Separated": 0},
    "N2": {},
    "N3": {"Slots": 2, "Links": 1, "Multipliers": 1},
    "N4": {"Links": 2},
    "N5": {"DigitBits": 2},
    "N6": {"DigitBits": 2, "Slots": 2, "Links": 2, "Multipliers": 1},
    "N7": {"DigitBits": 4},
    "N8": {"DigitBits": 4, "Slots": 2, "Multipliers": 1},
    "systolic": {"DigitBits": 3, "Slots": 6, "Links": 1, "Lanes": 6},
    "local": {"DigitBits": 4, "Slots": 11, "Links": 1, "Multipliers": 1, "Lanes": 5},
    "widest": {"DigitBits": 16, "Slots": 47, "Links": 1, "Multipliers": 1, "Lanes": 3},
    "large": {"DigitBits": 16},
    "uneven": {"DigitBits": 7, "Slots": 9, "Links": 3, "Multipliers": 1},
}
CASES = [
    *((structure, 33) for structure in STRUCTURES if structure != "widest"),
    pytest.param("widest", 33, marks=pytest.mark.slow),
    *((structure, 16) for structure in ("N4", "widest")),
    ("N3", 62),
    # Products of fewer steps than it takes to fetch an operand, or hardly more.
    ("N7", 16),
    ("N7", 18),
    *(("large", width) for width in (16, 46, 64)),
    *(pytest.param("large", width, marks=pytest.mark.slow) for width in (62, 78)),
    ("N7", 1031),
]


@pytest.mark.parametrize(("structure", "width"), CASES)
def test_modexp_digit_serial(run_cocotb: Any, structure: str, width: int) -> None:
    run_cocotb(
        "totient:modexp:modexp_digit_serial",
        {"Width": width, **STRUCTURES[structure]},
        tests=TESTS,
        # The corners take minutes where every signal is kept visible.
        testcase=["random_cases", "refusals"] if width > 1000 else None,
    )
