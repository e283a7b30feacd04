"""Kept campaigns of flipped bits: parts, continuation, tables."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from totient.campaigns import flips
from totient.campaigns.flips import FlipCounts, kept_flips, run_flips, table
from totient.check.engine_faults import ERROR, RIGHT, WRONG
from totient.check.engine_flips import OPERATIONS, Flips
from totient.common.errors import InputError
from totient.measure import store
from totient.measure.rtl import ip_rtl

SENT, COMPUTED = ("private", "send"), ("public", "compute")


def part(seed: int) -> Flips:
    """What a part of 10 operations gives."""
    outcomes = {SENT: Counter({RIGHT: 4, ERROR: 1}), COMPUTED: Counter({RIGHT: 2, WRONG: 3})}
    return Flips(8, outcomes, {SENT: {0, seed}, COMPUTED: {7}}, ["a fault"] * (seed == 2))


@pytest.fixture(autouse=True)
def seeds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Parts are not simulated; the seeds of those that were asked for."""
    asked: list[int] = []

    def check_flips(engine: object, bits: int, count: int, seed: int, *, flips: int) -> Flips:
        assert (bits, count, flips) == (512, 1440, 1)
        asked.append(seed)
        return part(seed)

    monkeypatch.setattr(flips, "check_flips", check_flips)
    monkeypatch.setattr(flips, "results_folder", lambda: tmp_path)
    return asked


def test_a_campaign_is_kept_and_continued(seeds: list[int]) -> None:
    assert kept_flips(1) is None
    (first,) = run_flips(1, 10)
    assert [each.count for each, _ in run_flips(1, 25)] == [20, 30]
    assert [*run_flips(1, 30)] == []
    assert seeds == [1, 2, 3]
    found = kept_flips(1)
    assert found
    assert first[0].with_part(part(2)).with_part(part(3)) == found
    assert found.outcomes[SENT] == Counter({RIGHT: 12, ERROR: 3})
    assert found.reached == {SENT: 0b1111, COMPUTED: 0b10000000}
    assert found.faults == ("a fault",)
    assert kept_flips(2) is None


def test_other_rtl_begins_anew(seeds: list[int], tmp_path: Path) -> None:
    ((first, path),) = run_flips(1, 10)
    path.write_text(replace(first, sources="earlier", commit="2" * 40).to_text())
    old = kept_flips(1)
    assert old
    assert any("earlier RTL, revision 222222222222" in note for note in table(old).notes)
    ((again, _),) = run_flips(1, 10)
    assert (again.sources, again.count) == (ip_rtl(flips.flipped_engine()).digest, 10)
    assert not any("earlier" in note for note in table(again).notes)
    assert seeds == [1, 1]


def test_the_table_has_every_outcome() -> None:
    counts = FlipCounts(1, "x", None).with_part(part(1))
    shown = table(counts)
    assert shown.rows == [
        [*SENT, 5, 4, 1, 0, 0, 0, 0, 0, 0, 2 / 8],
        [*COMPUTED, 5, 2, 0, 0, 0, 0, 3, 0, 0, 1 / 8],
    ]
    assert "10 operations with one flipped bit each, 0 violations" in shown.notes[0]
    assert "two flipped bits" in table(replace(counts, flips=2)).title


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "campaigns").mkdir()
    (tmp_path / "campaigns" / "flips-1.json").write_text('{"schema": 1}')
    with pytest.raises(InputError, match=r"flips-1\.json: damaged campaign of flipped bits"):
        kept_flips(1)


@pytest.mark.parametrize("number", [1, 2])
def test_the_committed_campaign_is_whole(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no violation, and reaches every phase equally often."""
    monkeypatch.setattr(flips, "results_folder", store.results_folder)
    found = kept_flips(number)
    assert found
    assert not found.faults
    assert found.count == found.parts * flips.PART
    assert len({each.total() for each in found.outcomes.values()}) == 1
    assert {operation for operation, _ in found.outcomes} == {*OPERATIONS}
    for key, counted in found.outcomes.items():
        assert number == 2 or key[0] == "public" or not counted[WRONG]
