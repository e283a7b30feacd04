"""The engine's operations on its RTL: every configuration and option, judged by pow and OpenSSL."""

import pytest

from totient.catalog import select
from totient.check.engine import check_rsa

CONFIGURATIONS = {
    "1": {"elements": 1},
    "3, digits of 17 bits": {"elements": 3, "digit_bits": 17},
    "4": {"elements": 4},
    "8, digits of 17 bits": {"elements": 8, "digit_bits": 17},
    "16": {"elements": 16},
    "32, three slots": {"elements": 32, "key_slots": 3},
    "64": {"elements": 64},
}


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_operations(name: str) -> None:
    outcome = check_rsa(select("engine", width=1024, **CONFIGURATIONS[name]), count=18, seed=1)
    assert outcome.faults == ()
    assert outcome.exponentiations == 18
    assert outcome.refusals > 0
