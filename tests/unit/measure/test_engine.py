"""An engine's operation kinds: what they compute, and that RTL and catalog have to agree."""

import math
from pathlib import Path
from typing import ClassVar

import pytest
from Crypto.Util.number import isPrime

from totient.catalog import RsaLengths, rsa_cycles, select
from totient.common.errors import InputError, ToolError
from totient.device import Exponentiation, RsaKey
from totient.flow import find_target
from totient.measure import engine, kinds_of, measure
from totient.measure.cycles import count_cycles
from totient.measure.engine import LENGTHS, engine_kinds, rsa_key
from totient.measure.rtl import ip_rtl
from totient.measure.store import file_name

NARROW = select("engine-62", width=1024)
ECP5, ARTIX7 = find_target("ecp5-85f"), find_target("artix7-100t")


class FormulaEngine:
    """An engine that computes with `pow` and counts as the catalog does, with faults to order."""

    opened: ClassVar[list[str]]
    extra_setup = 0
    extra_cycles = 0
    wrong = 0

    def __init__(self, address: str) -> None:
        self.opened.append(address)
        self.key = RsaKey(1, 1)

    def __enter__(self) -> "FormulaEngine":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def load_rsa_key(self, key: RsaKey) -> int:
        """Cycles of the set-up."""
        self.key = key
        return self._cycles()[0] + self.extra_setup

    def private(self, value: int) -> Exponentiation:
        """By the primes, or by the private exponent."""
        key, parts = self.key, self.key.primes
        if parts is None:
            assert key.private_exponent is not None
            result = pow(value, key.private_exponent, key.modulus)
        else:
            first, second = pow(value, parts.d_p, parts.p), pow(value, parts.d_q, parts.q)
            result = second + parts.q * ((first - second) * parts.q_inverse % parts.p)
        return Exponentiation(result ^ self.wrong, self._cycles()[1] + self.extra_cycles)

    def public(self, value: int) -> Exponentiation:
        """With the public exponent."""
        result = pow(value, self.key.exponent, self.key.modulus)
        return Exponentiation(result ^ self.wrong, self._cycles()[2] + self.extra_cycles)

    def _cycles(self) -> tuple[int, int, int]:
        bits = self.key.modulus.bit_length()
        primes = (bits // 2, bits // 2) if self.key.primes else None
        return rsa_cycles(NARROW.parameters, RsaLengths(bits, self.key.exponent, primes))


@pytest.fixture
def core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> type[FormulaEngine]:
    class Core(FormulaEngine):
        opened: ClassVar[list[str]] = []

    monkeypatch.setattr(engine, "open_device", Core)
    monkeypatch.setenv("TOTIENT_CACHE", str(tmp_path))
    return Core


def test_kinds_go_as_far_as_the_width() -> None:
    kinds = engine_kinds(select("engine", width=2048))
    assert kinds[:3] == ("rsa-crt-512", "rsa-crt-1024", "rsa-crt-2048")
    assert len(kinds) == 4 * 3
    assert len(engine_kinds(select("engine-1"))) == 4 * len(LENGTHS)
    assert kinds_of(NARROW) == engine_kinds(NARROW)
    for kind in ("public", "rsa-crt-2048", "rsa-crt", "pair-513"):
        with pytest.raises(
            InputError, match=rf"unknown operation kind '{kind}' of engine\?width=10"
        ):
            measure(NARROW, ECP5, [kind])


@pytest.mark.parametrize("bits", LENGTHS)
def test_the_keys_of_the_figures_are_keys(bits: int) -> None:
    key, d = rsa_key(bits)
    primes = key.primes
    assert primes is not None
    for prime in (primes.p, primes.q):
        # Full tests of the long ones would take longer than all others here.
        assert isPrime(prime) if bits <= 2048 else pow(3, prime - 1, prime) == 1
        assert prime.bit_length() == bits // 2
        assert math.gcd(prime - 1, 65537) == 1
    assert primes.p * primes.q == key.modulus
    assert key.modulus.bit_length() == bits
    assert pow(pow(5, d, key.modulus), 65537, key.modulus) == 5


def test_rtl_and_catalog_agree() -> None:
    """On the RTL itself: a private operation, and a pair, which takes less."""
    figures = {
        kind: count_cycles(NARROW, kind, ip_rtl(NARROW)) for kind in ("rsa-crt-512", "pair-512")
    }
    assert {each.simulated for each in figures.values()} == {1}
    crt, pair = figures["rsa-crt-512"], figures["pair-512"]
    assert crt.cycles.mean == rsa_cycles(NARROW.parameters, RsaLengths(512, 65537, (256, 256)))[1]
    assert (
        (crt.modulus_bits, crt.exponent_bits)
        == (pair.modulus_bits, pair.exponent_bits)
        == (512, 256)
    )
    assert pair.cycles.mean < crt.cycles.mean


def test_operations_are_simulated_on_the_form_that_is_no_familys(core: type[FormulaEngine]) -> None:
    for target in (ECP5, ARTIX7):
        suited = NARROW.suited(target.family)
        assert suited.suited(target.family) == suited
        core.opened.clear()
        if suited.parameters["digit_bits"] == 18:
            assert count_cycles(suited, "rsa-public-512", ip_rtl(suited)).simulated == 1
            assert core.opened == ["sim:engine?width=1024&elements=62"]
        else:
            with pytest.raises(ToolError, match="digit_bits=17, rsa-public-512: the RTL took"):
                count_cycles(suited, "rsa-public-512", ip_rtl(suited))


def test_a_public_and_a_private_operation_of_one_length(core: type[FormulaEngine]) -> None:
    found = {
        kind: count_cycles(NARROW, f"{kind}-1024", ip_rtl(NARROW))
        for kind in ("rsa-crt", "rsa-private", "rsa-public")
    }
    assert [each.exponent_bits for each in found.values()] == [512, 1024, 17]
    cycles = [each.cycles.mean for each in found.values()]
    assert cycles[2] < cycles[0] < cycles[1]
    assert found["rsa-private"].setup_cycles != found["rsa-crt"].setup_cycles


@pytest.mark.parametrize("fault", ["extra_setup", "extra_cycles"])
def test_other_cycles_than_the_catalogs_are_an_error(
    core: type[FormulaEngine], monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    monkeypatch.setattr(core, fault, 1)
    with pytest.raises(ToolError, match=r"rsa-crt-512: the RTL took \d+ \+ \d+ cycles"):
        count_cycles(NARROW, "rsa-crt-512", ip_rtl(NARROW))


@pytest.mark.parametrize("kind", ["rsa-crt-512", "rsa-private-512", "rsa-public-512"])
def test_a_wrong_result_is_an_error(
    core: type[FormulaEngine], monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(core, "wrong", 2)
    with pytest.raises(ToolError, match="wrong result"):
        count_cycles(NARROW, kind, ip_rtl(NARROW))


def test_what_is_too_long_is_the_formulas(
    core: type[FormulaEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated = count_cycles(NARROW, "rsa-crt-512", ip_rtl(NARROW))
    total = simulated.setup_cycles.mean + simulated.cycles.mean
    monkeypatch.setattr(engine, "SIMULATION_LIMIT", total * (62 + 8) - 1)
    core.opened.clear()
    figures = count_cycles(NARROW, "rsa-crt-512", ip_rtl(NARROW))
    assert (figures.simulated, figures.cycles, core.opened) == (0, simulated.cycles, [])


def test_a_target_gets_its_own_form() -> None:
    """But where another one is asked for: that is refused, where it is of another family."""
    named = {
        target.name: file_name(NARROW.suited(target.family), target, True)
        for target in (ECP5, ARTIX7)
    }
    assert named == {
        "ecp5-85f": "engine-width1024-elements62-form1-ecp5-85f.json",
        "artix7-100t": "engine-width1024-elements62-digit_bits17-form2-artix7-100t.json",
    }
    with pytest.raises(InputError, match="form is 1, which is for Lattice ECP5 only"):
        measure(select("engine-62", form=1), ARTIX7, [])
    binary = select("binary", width=64)
    assert binary.suited(ECP5.family) is binary
