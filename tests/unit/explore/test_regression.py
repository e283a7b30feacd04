"""The regression: known laws are found, and intervals hold what they promise."""

import json

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from totient.explore.regression import Points, Regression, Shape, fit

SHAPE = Shape(("1", "twice", "width * step"), {"twice": "2 * width"}, ("width", "step"))


def points(count: int, seed: int) -> Points:
    draw = np.random.default_rng(seed)
    return {"width": draw.integers(16, 2048, count), "step": draw.integers(1, 9, count)}


def law(at: Points) -> np.ndarray:
    return 100.0 + 6 * at["width"] + 2.5 * at["width"] * at["step"]


def noisy(at: Points, seed: int, deviation: float) -> np.ndarray:
    draw = np.random.default_rng(seed)
    return law(at) * np.exp(draw.normal(0, deviation, len(at["width"])))


def test_the_factors_of_a_sum() -> None:
    at = points(40, 1)
    found = fit(SHAPE, at, law(at))
    assert found.factors == pytest.approx([100, 3, 2.5], rel=1e-6, abs=0)
    elsewhere = points(500, 2)
    assert found.predict(elsewhere).median == pytest.approx(law(elsewhere), rel=2e-3, abs=0)


def test_intervals_hold_nine_of_ten() -> None:
    known, others = points(60, 3), points(400, 4)
    found = fit(SHAPE, known, noisy(known, 5, 0.05)).predict(others)
    away = np.abs(np.log(noisy(others, 6, 0.05) / found.median)) / found.deviation
    assert 0.84 <= np.mean(away < 1.645) <= 0.96


def test_the_deviation_grows_away_from_what_is_known() -> None:
    known = {"width": np.array([64, 65, 66, 70, 72, 80, 90, 96] * 2), "step": np.arange(16) % 4 + 1}
    bent = law(known) * (1 + 0.1 * np.sin(known["step"]))
    found = fit(SHAPE, known, bent)
    near, far = (
        found.predict({"width": np.array([width]), "step": np.array([step])}).deviation[0]
        for width, step in ((65, 2), (65, 256))
    )
    assert far > 2 * near


def test_as_scikit_learn_predicts() -> None:
    at, others = points(30, 7), points(50, 8)
    found = fit(SHAPE, at, noisy(at, 9, 0.03))
    kernel = ConstantKernel(found.amplitude**2) * RBF(found.lengths) + WhiteKernel(found.noise**2)
    process = GaussianProcessRegressor(kernel, optimizer=None)
    process.fit(found.known, found.remainders)
    mean, deviation = process.predict(SHAPE.coordinates(others), return_std=True)
    median = np.exp(mean) * (SHAPE.matrix(others) @ found.factors)
    mine = found.predict(others)
    assert mine.median == pytest.approx(median, rel=1e-4, abs=0)
    assert mine.deviation == pytest.approx(deviation, rel=1e-2, abs=0)


def test_many_points_at_once_as_each_alone() -> None:
    at = points(30, 10)
    found = fit(SHAPE, at, noisy(at, 11, 0.03))
    many = points(40_000, 12)
    together = found.predict(many)
    for place in (0, 16_383, 16_384, 39_999):
        alone = found.predict({name: array[[place]] for name, array in many.items()})
        assert together.median[place] == pytest.approx(alone.median[0], rel=1e-5, abs=0)
        assert together.deviation[place] == pytest.approx(alone.deviation[0], rel=1e-3, abs=0)


def test_a_further_measurement_is_known_from_then_on() -> None:
    at = points(30, 13)
    found = fit(SHAPE, at, noisy(at, 14, 0.005))
    there = {"width": np.array([512]), "step": np.array([40])}
    before = found.predict(there)
    after = found.with_points(there, law(there) * 1.02).predict(there)
    assert after.deviation[0] < before.deviation[0]
    wrong = [abs(np.log(each.median[0] / (law(there)[0] * 1.02))) for each in (before, after)]
    assert wrong[1] <= wrong[0]


def test_repeated_measurements_are_one_of_smaller_deviation() -> None:
    at, others = points(12, 18), points(50, 19)
    thrice = {name: np.repeat(array, 3) for name, array in at.items()}
    figures = noisy(thrice, 20, 0.05)
    found = fit(SHAPE, thrice, figures)
    assert found.repeats.tolist() == [3] * 12
    kernel = ConstantKernel(found.amplitude**2) * RBF(found.lengths) + WhiteKernel(found.noise**2)
    process = GaussianProcessRegressor(kernel, optimizer=None)
    process.fit(SHAPE.coordinates(thrice), np.log(figures / (SHAPE.matrix(thrice) @ found.factors)))
    mean, deviation = process.predict(SHAPE.coordinates(others), return_std=True)
    mine = found.predict(others)
    assert np.log(mine.median / (SHAPE.matrix(others) @ found.factors)) == pytest.approx(
        mean, abs=1e-4
    )
    assert mine.deviation == pytest.approx(deviation, rel=1e-2, abs=0)


def test_points_that_differ_elsewhere_only_are_two() -> None:
    shape = Shape(("1", "width * step"), {}, ("width",))
    at = points(12, 21)
    twice = {name: np.concatenate([array, array]) for name, array in at.items()}
    twice["step"] = twice["step"] + np.repeat([0, 9], 12)
    found = fit(shape, twice, law(twice))
    assert found.repeats.tolist() == [1] * 24
    assert len(found.known) == 24


def test_json_and_back() -> None:
    at, others = points(20, 15), points(20, 16)
    found = fit(SHAPE, at, noisy(at, 17, 0.02))
    again = Regression.from_json(SHAPE, json.loads(json.dumps(found.to_json())))
    for mine, theirs in zip(again.predict(others), found.predict(others), strict=True):
        assert mine == pytest.approx(theirs, rel=1e-3, abs=0)
