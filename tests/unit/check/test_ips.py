"""Checks of whole IPs pass, count what they did, and would find a fault."""

from dataclasses import replace

import pytest

from totient.catalog import cycle_formulas, ips, select_ip
from totient.check import check_ip, openssl
from totient.check import ips as checks
from totient.common.errors import InputError
from totient.device.rsa_keygen import Mode, RsaKeygen
from totient.sim import Model, build_model

# Parts that only whole packets show.
IN_PACKETS = (("rsa_fixed", "start"), ("rsa_fixed", "message"), ("rsa_stream", "load"))


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
    outcome = check_ip(select_ip(name, **parameters), count=12, seed=3)
    assert outcome.faults == []
    assert outcome.cases == 12
    assert outcome.exponentiations >= 12
    assert outcome.refusals >= 3
    assert outcome.cycles > 1000


@pytest.mark.parametrize("name", [ip.name for ip in ips()])
def test_a_fault_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against wrong expectations: what a wrong result would look like."""
    monkeypatch.setattr(checks, "pow", lambda b, e, n: pow(b, e, n) + (e > 2), raising=False)
    assert check_ip(select_ip(name), count=3, seed=1).faults


@pytest.mark.parametrize(
    ("name", "part"), [(ip.name, part) for ip in ips() for part in cycle_formulas(ip)]
)
def test_a_wrong_number_of_cycles_is_found(
    name: str, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = select_ip(name)
    shown = "packet" if (name, part) in IN_PACKETS else part
    formulas = dict(cycle_formulas(chosen.ip))
    right = formulas[shown].formula
    if shown == part:
        wrong = replace(right, expression=f"{right.expression} + 1")
    else:
        wrong = replace(right, terms={**right.terms, part: f"{right.terms[part]} + 1"})
    formulas[shown] = replace(formulas[shown], formula=wrong)
    monkeypatch.setattr(checks, "cycle_formulas", lambda ip: formulas)
    faults = check_ip(chosen, count=4, seed=1).faults
    assert faults
    assert all(f"cycles ({shown})" in fault for fault in faults)


def test_a_key_that_is_none_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Had the IP made another d, `cryptography` would refuse the key."""
    right = openssl.private_key
    monkeypatch.setattr(checks, "private_key", lambda n, e, d: right(n, e, d + 2))
    faults = check_ip(select_ip("E3", prime_bits=256), count=2, seed=1).faults
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
    with pytest.raises(InputError, match=text):
        check_ip(select_ip("E3", **parameters), count, seed)


def test_a_refused_key_says_why() -> None:
    with Model(build_model(select_ip("rsa_keygen").top())) as model:
        device = RsaKeygen(model)
        refused = device.run(Mode.ENCRYPT, p=4, q=227, i_msg=5)
        assert (refused.error, refused.reason) == (
            11,
            "a prime is even or below 3, both are the same, or they are not of the modulus",
        )
        assert device.run(Mode.ENCRYPT, p=17).reason == ""
