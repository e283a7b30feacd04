"""The first designs of five questions, beside what their answers promised."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from totient.catalog import find_subject
from totient.explore import winners as module
from totient.explore.winners import FIGURES, QUESTIONS, Winner, first_designs, table, winners
from totient.measure.job import Job
from totient.measure.record import Record

WINNERS = winners()


def test_every_question_has_its_winner() -> None:
    assert len({each.question for each in WINNERS}) == len(QUESTIONS) >= 5
    assert len(table().rows) == len(QUESTIONS)
    for each in WINNERS:
        (counted,) = each.record.operations.values()
        assert counted.cycles.mean < each.cycles < 1.1 * counted.cycles.mean + 10_000


@pytest.mark.parametrize("figure", FIGURES)
def test_a_figure_outside_its_bounds_is_named(figure: str) -> None:
    winner = WINNERS[0]
    exact = {name: (value, value, value) for name, value in winner.measured.items()}
    assert replace(winner, predicted=exact).outside == []
    value = exact[figure][0]
    for bounds in ((1.01 * value, 2 * value, 3 * value), (0.0, 0.5 * value, 0.99 * value)):
        assert replace(winner, predicted={**exact, figure: bounds}).outside == [figure]


def test_the_promises_are_those_of_todays_answers() -> None:
    """Of other models they would say nothing: `python -m totient.explore.winners`."""
    kept = {each.question: each for each in WINNERS}
    for question, choice in first_designs(lambda _: None):
        winner = kept[question]
        measured = winner.record.subject.label, winner.record.target
        assert measured == (choice.configuration.label, choice.target.name)
        for figure, bounds in winner.predicted.items():
            assert getattr(choice, figure) == pytest.approx(bounds, rel=1e-3)


def test_every_winner_is_as_promised() -> None:
    assert not [name for each in WINNERS for name in each.outside]


def test_winners_are_kept_as_they_are() -> None:
    for each in WINNERS:
        assert Winner.from_json(each.to_json()).measured == each.measured


@pytest.mark.parametrize("stale", [False, True])
def test_a_winner_of_earlier_rtl_is_measured_again(
    monkeypatch: pytest.MonkeyPatch, stale: bool
) -> None:
    ran: list[str] = []
    written: list[str] = []
    known = {each.subject.label: each for each in (winner.record for winner in WINNERS)}

    def run(job: Job) -> Record:
        ran.append(job.label)
        return known[find_subject(job.subject, **job.parameters).label]

    def keep(found: Iterable[Winner]) -> None:
        written[:] = [each.question for each in found]

    monkeypatch.setattr(module, "renewed", lambda record: None if stale else record)
    monkeypatch.setattr(module, "keep", keep)
    monkeypatch.setattr(Job, "run", run)
    module.main()
    assert len(ran) == (len(QUESTIONS) if stale else 0)
    assert len(written) == len(QUESTIONS) + 1  # those that were there, and the last one
