"""Checks: what they draw, and that they find what is wrong."""

from dataclasses import replace

import pytest

from totient.catalog import select
from totient.check import cases, check, private_cases
from totient.common.errors import InputError
from totient.common.formula import Formula


@pytest.mark.parametrize("width", [8, 9, 64, 1031])
def test_operands_keep_to_the_contract(width: int) -> None:
    drawn = list(cases(width, 300, seed=5))
    assert len(drawn) == 300
    for case in drawn:
        assert case.modulus % 2 == 1
        assert 3 <= case.modulus < 1 << width
        assert 1 <= case.exponent_bits <= width
        assert 0 <= case.exponent < 1 << case.exponent_bits
        assert 0 <= case.base < case.modulus


def test_corners_are_among_the_operands() -> None:
    drawn = list(cases(64, 1000, seed=1))
    assert {0, 1, 65537} <= {case.exponent for case in drawn}
    assert {3, 2**64 - 1} <= {case.modulus for case in drawn}
    assert any(case.base == 0 for case in drawn)
    assert any(case.base == case.modulus - 1 for case in drawn)
    assert any(case.exponent == (1 << case.exponent_bits) - 1 for case in drawn)
    assert any(case.exponent.bit_length() < case.exponent_bits // 2 for case in drawn)
    assert sum(case.exponent_bits == 64 for case in drawn) > 200


def test_a_seed_gives_the_same_operands_and_another_one_others() -> None:
    assert list(cases(32, 20, seed=1)) == list(cases(32, 20, seed=1))
    assert list(cases(32, 20, seed=1)) != list(cases(32, 20, seed=2))


def test_private_cases_are_rsa_keys() -> None:
    drawn = list(private_cases(65, 10, seed=1))
    assert drawn == list(private_cases(65, 10, seed=1))
    assert len({case.modulus for case in drawn}) == 10
    for case in drawn:
        assert case.modulus.bit_length() == case.exponent_bits == 65
        assert pow(pow(case.base, 65537, case.modulus), case.exponent, case.modulus) == case.base


def test_private_operations_pass() -> None:
    outcome = check(select("T3", width=16), count=5, seed=1, private=True)
    assert outcome.faults == []
    assert (outcome.cases, outcome.exponentiations, outcome.refusals) == (5, 5, 0)


@pytest.mark.parametrize(
    ("name", "width", "words"),
    [("T1", 32, "a private operation never ends"), ("T3", 15, "width is 15, allowed for private")],
)
def test_private_operations_that_cannot_be(name: str, width: int, words: str) -> None:
    with pytest.raises(InputError, match=words):
        check(select(name, width=width), count=1, seed=1, private=True)


def test_exponents_can_be_bounded() -> None:
    """The same cases otherwise: bounds on the length of exponents leave the moduli alone."""
    drawn = list(cases(512, 100, seed=1, exponent_bits=64))
    assert max(case.exponent_bits for case in drawn) == 64
    assert all(case.exponent < 1 << case.exponent_bits for case in drawn)
    assert drawn[0].modulus == next(cases(512, 1, seed=1)).modulus
    for bits in (0, 65):
        with pytest.raises(InputError, match=f"exponent-bits is {bits}, allowed is 1 to 64"):
            check(select("binary", width=64), 1, 1, exponent_bits=bits)


def test_short_exponents_can_be_counted_to() -> None:
    drawn = list(cases(1024, 100, seed=1, short_exponents=True))
    assert max(case.exponent for case in drawn) <= 200_000 // 1024
    assert max(case.exponent_bits for case in drawn) == 1024


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("T1", {}),
        ("T2", {"early_end": 1, "bits_per_cycle": 2}),
        ("T3", {"fixed_time": 0}),
        ("T3", {"word_bits": 8, "multiplier": 1}),
    ],
)
def test_the_designs_pass(name: str, parameters: dict[str, int]) -> None:
    outcome = check(select(name, width=16, **parameters), count=30, seed=3)
    assert outcome.faults == []
    assert outcome.cases == 30
    assert outcome.exponentiations > 30
    assert outcome.refusals > 20
    assert outcome.cycles > 0


def test_a_wrong_formula_is_found() -> None:
    configuration = select("T2", width=16)
    wrong = replace(configuration.design, operation=Formula("1"), setup=Formula("2"))
    outcome = check(replace(configuration, design=wrong), count=1, seed=1)
    texts = " ".join(outcome.faults)
    assert "set-up cycles 9, expected 2" in texts
    assert "cycles" in texts
    assert "expected 1" in texts


@pytest.mark.parametrize(("count", "seed", "words"), [(0, 1, "count is 0"), (1, -1, "seed is -1")])
def test_bad_numbers_are_refused(count: int, seed: int, words: str) -> None:
    with pytest.raises(InputError, match=words):
        check(select("T2", width=16), count, seed)
