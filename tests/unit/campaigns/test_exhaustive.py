"""Every operand of 8 bits: what is run, continuation, the sums of complete runs."""

from pathlib import Path

import pytest

from totient.campaigns import exhaustive, sums
from totient.campaigns.exhaustive import exhaust, kept_exhaustive, parts, table
from totient.campaigns.sums import Part
from totient.catalog import designs
from totient.check import Outcome

# Odd moduli from 3 on, with each base below them and each exponent.
OPERATIONS = 256 * sum(range(3, 256, 2))
# Even moduli, 1 and 0 with each exponent; bases from the modulus on, once for each other modulus.
REFUSALS = 256 * 129 + sum(256 - modulus for modulus in range(3, 256, 2))


def test_a_run_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def run(number: int) -> Outcome:
        asked.append(number)
        return Outcome(1, 2, 3, 100, [])

    monkeypatch.setattr(exhaustive, "parts", lambda: [Part("a?width=8, operations", "rtl", run)])
    monkeypatch.setattr(sums, "results_folder", lambda: tmp_path)
    runs = exhaust()
    for _ in range(5):
        next(runs)
    runs.close()
    assert [part.parts for _, part in exhaust()] == [*range(6, 257)]
    assert asked == [*range(1, 257)]
    assert [*exhaust()] == []
    all_moduli = [256, 256, 512, 768, 25600, 0]
    rows = table(kept_exhaustive()).rows
    assert rows == [["a?width=8, operations", *all_moduli], ["all", *all_moduli]]


def test_every_exponentiator_is_run() -> None:
    names = [each.name for each in parts()]
    assert len({*names}) == len(names)
    own = {each.name for each in designs()} - {"engine"}
    assert {name.partition("?")[0] for name in names} == own


def test_the_committed_run_is_complete_and_has_no_fault() -> None:
    done = kept_exhaustive()
    assert {*done} == {each.name for each in parts()}
    for name, each in done.items():
        assert (each.parts, each.faults) == (256, ()), name
        assert (each.operations, each.refusals) == (OPERATIONS, REFUSALS), name
