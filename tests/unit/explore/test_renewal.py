"""Points after an edit of the RTL: the same hardware is kept, other hardware measured again."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import pytest

from totient.common.errors import ToolError
from totient.explore import renewal
from totient.explore.points import kept_points
from totient.flow.structure import Elaborated
from totient.measure import renewal as measure_renewal
from totient.measure import store
from totient.measure.job import Job
from totient.measure.provenance import Today
from totient.measure.record import Record

POINTS = [each for each in kept_points() if each.design == "montgomery"][:4]


def _edited(monkeypatch: pytest.MonkeyPatch, other: Sequence[Record]) -> None:
    """Today's RTL has other text everywhere, and other hardware for some points."""

    def today_of(point: Record) -> Today:
        def elaborated() -> Elaborated:
            return Elaborated("other" if point in other else point.provenance.structure)

        return Today("edited", point.provenance.flow, point.provenance.tools, elaborated)

    monkeypatch.setattr(measure_renewal, "today_of", today_of)


def _renewed(
    monkeypatch: pytest.MonkeyPatch,
    outcomes: dict[str, Record | str],
    points: Sequence[Record] = POINTS,
) -> list[list[Record]]:
    """Every list of points that was kept. Measurements have these outcomes, by job."""
    kept: list[list[Record]] = []

    @contextmanager
    def cluster(*_: object) -> Iterator[None]:
        yield

    def sweep(_: None, jobs: Sequence[Job], __: object) -> Iterator[tuple[Job, Record | str]]:
        assert {each.to_text() for each in jobs} == outcomes.keys()
        yield from ((each, outcomes[each.to_text()]) for each in jobs)

    monkeypatch.setattr(renewal, "cluster", cluster)
    monkeypatch.setattr(renewal, "sweep", sweep)
    renewal.renew(points, kept.append, None, 1)
    return kept


def test_the_same_hardware_is_kept_and_the_others_are_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    same, changed, failed, last = POINTS
    _edited(monkeypatch, (changed, failed))
    fresh = replace(changed, provenance=replace(changed.provenance, sources="fresh"))
    (first, *_, end) = _renewed(
        monkeypatch,
        {
            renewal.job_of(changed).to_text(): fresh,
            renewal.job_of(failed).to_text(): "does not fit",
        },
    )
    assert first[1:3] == [changed, failed]  # nothing is lost if it is interrupted here
    assert [each.provenance.sources for each in end] == ["edited", "fresh", "edited"]
    assert [each.subject for each in end] == [same.subject, changed.subject, last.subject]
    assert f"{renewal.job_of(failed).label}: does not fit" in capsys.readouterr().err


def test_a_point_with_parameters_that_are_gone_is_told_and_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, *_ = POINTS
    _edited(monkeypatch, ())
    gone = replace(first, parameters={**first.parameters, "gone": 1})
    beyond = replace(first, parameters={**first.parameters, "width": 1 << 20})
    (end,) = _renewed(monkeypatch, {}, [gone, beyond, second])
    assert [each.subject for each in end] == [second.subject]
    of_gone, of_beyond = (
        line for line in capsys.readouterr().err.splitlines() if line.startswith("a point of")
    )
    assert of_gone.startswith(f"a point of montgomery on {first.target}: ")
    assert "gone" in of_gone
    assert "width is 1048576, allowed is 8 to 4096" in of_beyond


def test_a_point_is_measured_as_it_was() -> None:
    points = kept_points()
    routed = next(each for each in points if each.routes)
    cells = next(each for each in points if not each.routes)
    assert [renewal.job_of(each).seeds for each in (routed, cells)] == [(*routed.routes,), ()]
    assert renewal.job_of(routed).target == routed.target


def test_points_of_today_need_no_elaboration(monkeypatch: pytest.MonkeyPatch) -> None:
    def today_of(point: Record) -> Today:
        def elaborated() -> Elaborated:
            raise ToolError("nothing is to be elaborated")

        today = store.today_of(point)
        assert today is not None
        return replace(today, elaborated=elaborated)

    monkeypatch.setattr(measure_renewal, "today_of", today_of)
    assert _renewed(monkeypatch, {}) == [POINTS]
