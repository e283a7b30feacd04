"""Checks of whole IPs pass, count what they did, and would find a fault."""

from dataclasses import replace

import pytest

from totient.catalog import cycle_formulas, find_ip, ip_cycles, ips
from totient.check import check_ip, openssl
from totient.check import ips as checks
from totient.common.errors import InputError

# Parts that only whole packets show, and what computes them.
IN_PACKETS = {
    ("rsa_fixed", "start"): "_fixed_start",
    ("rsa_fixed", "message"): "_fixed_message",
    ("rsa_stream", "load"): "_stream_load",
}


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        *((ip.name, {}) for ip in ips()),
        # The exponent 65537 is longer than the modulus.
        ("rsa_stream", {"prime_bits": 4}),
        ("rsa_stream", {"prime_bits": 33, "word_bits": 8}),
        # Keys that `cryptography` takes.
        ("rsa_stream", {"prime_bits": 256}),
        ("rsa_fixed", {"width": 9, "modulus": 257, "exponent": 1, "word_bits": 8}),
        ("rsa_fixed", {"width": 405, "modulus": 2**405 - 1, "word_bits": 32}),
    ],
    ids=str,
)
def test_the_ips_pass(name: str, parameters: dict[str, int]) -> None:
    ip = find_ip(name)
    assert ip is not None
    outcome = check_ip(ip, count=12, seed=3, parameters=parameters)
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
    ("name", "part"), [(ip.name, part) for ip in ips() for part in cycle_formulas(ip)]
)
def test_a_wrong_number_of_cycles_is_found(
    name: str, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ip = find_ip(name)
    assert ip is not None
    wrong = IN_PACKETS.get((name, part))
    if wrong is None:
        formula = cycle_formulas(ip)[part]
        other = replace(formula, cycles=lambda values, work: formula.cycles(values, work) + 1)
        monkeypatch.setattr(
            checks, "cycle_formulas", lambda ip: {**cycle_formulas(ip), part: other}
        )
    else:
        right = getattr(ip_cycles, wrong)
        monkeypatch.setattr(ip_cycles, wrong, lambda values, work: right(values, work) + 1)
    faults = check_ip(ip, count=4, seed=1).faults
    assert faults
    assert all(f"cycles ({part if wrong is None else 'packet'})" in fault for fault in faults)


def test_a_key_that_is_none_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Had the IP made another d, `cryptography` would refuse the key."""
    ip = find_ip("E3")
    assert ip is not None
    right = openssl.private_key
    monkeypatch.setattr(checks, "private_key", lambda n, e, d: right(n, e, d + 2))
    faults = check_ip(ip, count=2, seed=1, parameters={"prime_bits": 256}).faults
    assert any("cryptography refuses the key" in fault for fault in faults)


@pytest.mark.parametrize(
    ("count", "seed", "parameters", "text"),
    [
        (0, 1, {}, "count is 0, allowed is 1"),
        (1, -1, {}, "seed is -1, allowed"),
        (1, 1, {"prime_bits": 3}, "prime_bits is 3, allowed is 4 to 1024"),
        (1, 1, {"width": 64}, "IP rsa_stream has no parameter 'width', it has prime_bits, word_"),
    ],
)
def test_refused(count: int, seed: int, parameters: dict[str, int], text: str) -> None:
    ip = find_ip("E3")
    assert ip is not None
    with pytest.raises(InputError, match=text):
        check_ip(ip, count, seed, parameters)
