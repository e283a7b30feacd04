"""Configurations at random: those that are kept are not measured again, and none is left out."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import pytest

from totient.catalog import Configuration
from totient.explore import sampling
from totient.explore.checked import Checked, checked_points
from totient.explore.models import committed_models
from totient.explore.points import training_points
from totient.measure.record import Record


def test_a_check_goes_on_where_it_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    written: list[str] = []

    def measured(chosen: Sequence[Configuration], *_: object) -> Iterator[Record]:
        asked.extend(each.label for each in chosen)
        return iter(())

    def keep(points: Iterable[Checked]) -> None:
        written[:] = [each.record.subject.label for each in points]

    monkeypatch.setattr(sampling, "measured", measured)
    monkeypatch.setattr(sampling, "keep_checked", keep)
    monkeypatch.setattr(sys, "argv", ["sampling", "8", "3", "--check"])
    monkeypatch.setattr(sampling, "checked_points", list)
    sampling.main()
    every, asked[:] = list(asked), []
    assert len(set(every)) == 8
    kept = [each for each in checked_points() if each.record.subject.label in every[:3]]
    other = next(each for each in checked_points() if each.record.subject.label not in every)
    monkeypatch.setattr(sampling, "checked_points", lambda: [*kept, other])
    sampling.main()
    assert len(kept) == 3
    assert asked == every[3:]
    assert written == [each.record.subject.label for each in kept]


def test_the_kept_points_are_all_that_were_drawn() -> None:
    """Those of the command in docs/explore.md, each with the seed that it routes with."""
    known = {each.subject.label for each in training_points() if each.routes}
    chosen = {each.label for each in islice(sampling.drawn(3, committed_models(), known), 36)}
    points = checked_points()
    assert {each.record.subject.label for each in points} == chosen
    assert {tuple(each.record.routes) for each in points} == {sampling.SEEDS}
