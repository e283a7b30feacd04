"""Repeated multiplication against Python's `pow` and the catalog's cycles."""

from typing import Any

import pytest
from tests.rtl.modexp.modexp_bench import TESTS
from tests.rtl.modexp.test_modexp_binary import CASES


@pytest.mark.parametrize("parameters", [case for case in CASES if "fixed" not in case.id])
def test_modexp_repeated(run_cocotb: Any, parameters: dict[str, int]) -> None:
    """The cases of the binary design but for those of its fixed time."""
    run_cocotb("totient:modexp:modexp_repeated", parameters, tests=TESTS)
