"""Checks of whole IPs pass, count what they did, and would find a fault."""

import pytest

from totient.catalog import find_ip, ips
from totient.check import check_ip
from totient.check import ips as checks
from totient.common.errors import InputError


@pytest.mark.parametrize("name", [ip.name for ip in ips()])
def test_the_ips_pass(name: str) -> None:
    ip = find_ip(name)
    assert ip is not None
    outcome = check_ip(ip, count=12, seed=3)
    assert outcome.faults == ()
    assert outcome.cases == 12
    assert outcome.exponentiations >= 12
    assert outcome.refusals >= 3
    assert outcome.cycles > 1000


@pytest.mark.parametrize("name", ["rsa_keygen", "rsa_fixed", "rsa_stream"])
def test_a_fault_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against wrong expectations: what a wrong result would look like."""
    ip = find_ip(name)
    assert ip is not None
    monkeypatch.setattr(checks, "pow", lambda b, e, n: pow(b, e, n) + (e > 2), raising=False)
    assert check_ip(ip, count=3, seed=1).faults


@pytest.mark.parametrize(
    ("count", "seed", "text"), [(0, 1, "count is 0, allowed is 1"), (1, -1, "seed is -1, allowed")]
)
def test_refused(count: int, seed: int, text: str) -> None:
    ip = find_ip("B1")
    assert ip is not None
    with pytest.raises(InputError, match=text):
        check_ip(ip, count, seed)
