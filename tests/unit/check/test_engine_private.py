"""A check of an engine with few operations still has a private one among them."""

import pytest

from totient.catalog import select
from totient.check import check_rsa


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_one_operation_of_each_is_private(seed: int) -> None:
    outcome = check_rsa(select("engine", width=1024, elements=8), 1, seed)
    assert outcome.faults == []
    assert not outcome.checked.startswith("0 private")
