"""Points that were chosen at random, and measured after the models were fixed."""

from dataclasses import replace

import pytest

from totient.explore.checked import Checked, checked_points, held, table
from totient.explore.models import committed_models
from totient.explore.points import training_points

MODELS = committed_models()
POINTS = checked_points()


def test_no_model_knows_the_points() -> None:
    assert len(POINTS) >= 30
    known = {each.subject.label for each in training_points() if each.routes}
    chosen = {each.record.subject.label for each in POINTS}
    assert not chosen & known
    assert {each.models for each in POINTS} == {MODELS.points}


@pytest.mark.parametrize("point", POINTS, ids=lambda each: each.record.subject.label)
def test_the_prediction_is_that_of_the_models(point: Checked) -> None:
    again = Checked.of(point.record, MODELS)
    assert again.predicted.keys() == point.predicted.keys()
    for figure, bounds in point.predicted.items():
        assert again.predicted[figure] == pytest.approx(bounds, rel=1e-3)


def test_points_are_counted_by_design_and_figure() -> None:
    (one, *_) = POINTS
    (lut, ff, ns, *_) = held([one])
    assert [each.figure for each in (lut, ff, ns)] == ["LUT", "FF", "clock period"]
    use = one.record.utilisation
    bounds = {"lut": (1.0, use.lut - 2.0, use.lut - 1.0), "ff": (use.ff, use.ff, use.ff)}
    (lut, ff, *_) = held([replace(one, predicted=bounds)])
    assert (lut.inside, ff.inside) == (0, 1)
    assert lut.worst == pytest.approx(2 / use.lut)
    assert ff.worst == 0
    counted = [int(str(row[2])) for row in table().rows if row[0] == "all"]
    assert sum(counted) == sum(len(each.predicted) for each in POINTS)
