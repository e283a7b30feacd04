"""A check of an engine notices a formula that is wrong by one cycle, and one that is not asked."""

from collections.abc import Callable, Mapping, Sequence

import pytest

from totient.catalog import RsaLengths, pair_cycles, rsa_cycles, select
from totient.check import check_rsa
from totient.check import engine as checking

ENGINE = select("engine", width=1024, elements=8)
OPERATIONS = 30
"""With each kind of key, and each kind of operation on it."""
Parameters = Mapping[str, int]
WHAT = ("load", "private", "public")


def off_by_one(place: int) -> Callable[[Parameters, RsaLengths], tuple[int, ...]]:
    """The formulas, one of them off by a cycle."""

    def formulas(parameters: Parameters, lengths: RsaLengths) -> tuple[int, ...]:
        found = [*rsa_cycles(parameters, lengths)]
        found[place] += 1
        return tuple(found)

    return formulas


@pytest.mark.parametrize("place", range(3), ids=WHAT)
def test_a_wrong_formula_of_an_rsa_operation(monkeypatch: pytest.MonkeyPatch, place: int) -> None:
    monkeypatch.setattr(checking, "rsa_cycles", off_by_one(place))
    faults = check_rsa(ENGINE, OPERATIONS, 1).faults
    assert faults
    assert all(": cycles" in str(each) for each in faults)


@pytest.mark.parametrize("place", range(2), ids=("load", "raise"))
def test_a_wrong_formula_of_a_pair(monkeypatch: pytest.MonkeyPatch, place: int) -> None:
    def formulas(
        parameters: Parameters, moduli: Sequence[int], exponent_bits: int
    ) -> tuple[int, ...]:
        found = [*pair_cycles(parameters, moduli, exponent_bits)]
        found[place] -= 1
        return tuple(found)

    monkeypatch.setattr(checking, "pair_cycles", formulas)
    faults = check_rsa(ENGINE, OPERATIONS, 1).faults
    assert faults
    assert all(str(each).startswith("pair") or "pair" in str(each) for each in faults)


def test_right_formulas() -> None:
    """The tests above fail for no other reason."""
    assert check_rsa(ENGINE, OPERATIONS, 1).faults == []
