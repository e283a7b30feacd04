"""Every operand of 8 bits: what is run, continuation, the sums of complete runs."""

from itertools import islice
from pathlib import Path

import pytest

from totient.campaigns import exhaustive, sums
from totient.campaigns.exhaustive import exhaust, kept_exhaustive, parts, table
from totient.campaigns.sums import Part
from totient.catalog import Configuration, designs
from totient.check import Outcome


def test_a_run_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def run(number: int) -> Outcome:
        asked.append(number)
        return Outcome(1, 2, 3, 100, [])

    monkeypatch.setattr(exhaustive, "parts", lambda: [Part("a?width=8, operations", "rtl", run)])
    monkeypatch.setattr(sums, "results_folder", lambda: tmp_path)
    assert len([*islice(exhaust(), 5)]) == 5
    assert [part.parts for _, part in exhaust()] == [*range(6, 257)]
    assert asked == [*range(1, 257)]
    assert [*exhaust()] == []
    all_moduli = [256, 256, 512, 768, 25600, 0]
    rows = table(kept_exhaustive()).rows
    assert rows == [["a?width=8, operations", *all_moduli], ["all", *all_moduli]]


def test_the_runs_of_a_part_are_all_moduli(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def check(_core: Configuration, modulus: int) -> Outcome:
        asked.append(modulus)
        return Outcome(faults=["wrong"])

    monkeypatch.setattr(exhaustive, "check_every", check)
    part = parts()[0]
    for number in range(1, 257):
        part.run(number)
    assert asked == [*range(256)]
    assert part.run(8).faults == ["modulus 7: wrong"]


def test_every_exponentiator_is_run() -> None:
    names = [each.name for each in parts()]
    assert len({*names}) == len(names)
    own = {each.name for each in designs()} - {"engine"}
    assert {name.partition("?")[0] for name in names} == own
