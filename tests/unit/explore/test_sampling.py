"""Configurations at random: those that are kept are not measured again."""

import sys
from collections.abc import Iterator, Sequence

import pytest

from totient.catalog import Configuration
from totient.explore import sampling
from totient.explore.checked import checked_points
from totient.measure.record import Record


def test_a_check_goes_on_where_it_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def measured(chosen: Sequence[Configuration], *_: object) -> Iterator[Record]:
        asked.extend(each.label for each in chosen)
        return iter(())

    monkeypatch.setattr(sampling, "measured", measured)
    monkeypatch.setattr(sys, "argv", ["sampling", "8", "3", "--check"])
    monkeypatch.setattr(sampling, "checked_points", list)
    sampling.main()
    every, asked[:] = list(asked), []
    assert len(set(every)) == 8
    kept = [each for each in checked_points() if each.record.subject.label in every[:3]]
    monkeypatch.setattr(sampling, "checked_points", lambda: kept)
    sampling.main()
    assert len(kept) == 3
    assert asked == every[3:]
