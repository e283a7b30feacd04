"""The committed models: of today's points, as wrong as stated, and as sure as stated."""

from dataclasses import replace
from statistics import median

import numpy as np
import pytest

from totient.catalog import select
from totient.common.errors import InputError
from totient.explore.fitting import Measured, behind, held_out, measured
from totient.explore.interval import COVERAGE
from totient.explore.models import Models, committed_models, figures_of
from totient.explore.points import kept_points, points_digest, training_points, wide_points
from totient.explore.shapes import SHAPES
from totient.measure.record import Record
from totient.measure.store import is_stale

MODELS = committed_models()
ECP5 = "Lattice ECP5"
KNOWN = [
    (family, design, figure)
    for family, designs in MODELS.models.items()
    for design, figures in designs.items()
    for figure in figures
]


@pytest.fixture(scope="module")
def points() -> list[Record]:
    return training_points()


def test_they_are_fitted_to_the_points_of_today(points: list[Record]) -> None:
    assert MODELS.points == points_digest(points), "python -m totient.explore.fitting"


def test_no_point_is_stale() -> None:
    found = kept_points()
    assert len(found) > 200
    assert not [each.subject.label for each in found if is_stale(each)]


def test_every_design_has_models_on_an_ecp5() -> None:
    assert MODELS.models[ECP5].keys() == SHAPES.keys()
    assert all({"lut", "ff"} <= figures.keys() for figures in MODELS.models[ECP5].values())
    assert MODELS.energies[ECP5].keys() == SHAPES.keys()


@pytest.mark.parametrize(("family", "design", "figure"), KNOWN)
def test_intervals_hold_nine_tenths_of_the_points_behind_them(
    family: str, design: str, figure: str, points: list[Record]
) -> None:
    found = measured(behind(points, family, design), figure)
    low, _, high = MODELS.models[family][design][figure].predict(found.parameters)
    held = (low <= found.figures) & (found.figures <= high)
    assert held.mean() >= COVERAGE


@pytest.mark.parametrize("design", sorted(SHAPES))
@pytest.mark.parametrize("left_out", ["width", "structure"])
def test_the_errors_of_area_are_as_promised(design: str, left_out: str) -> None:
    errors = MODELS.models[ECP5][design]["lut"].errors[left_out]
    assert median(errors) <= 0.05
    assert max(errors) <= 0.15


@pytest.mark.parametrize("figure", ["lut", "ns"])
def test_stated_errors_come_out_again(figure: str, points: list[Record]) -> None:
    found = measured(behind(points, ECP5, "binary"), figure)
    again = held_out(SHAPES["binary"][figure], found, lambda: None)
    kept = MODELS.models[ECP5]["binary"][figure]
    assert again is not None
    assert again.quantile == pytest.approx(kept.quantile, rel=2e-3)
    for name, errors in kept.errors.items():
        assert again.errors[name] == pytest.approx(errors, abs=2e-3)


def test_json_and_back() -> None:
    again = Models.from_text(MODELS.to_text())
    assert again.to_text() == MODELS.to_text()


@pytest.mark.parametrize("damage", ["{", "[]", "{}", '{"models": {"a/b": {}}}'])
def test_damage_is_told(damage: str) -> None:
    with pytest.raises(InputError, match="damaged models"):
        Models.from_text(damage)


def test_a_measurement_on_a_slower_device_tells_of_the_faster_one(points: list[Record]) -> None:
    slow = next(
        each for each in points if each.target == "ecp5-25f-6" and each.design == "digit_serial"
    )
    at = {name: np.array([value]) for name, value in slow.parameters.items()}
    before = MODELS.models[ECP5]["digit_serial"]["ns"].predict(at)
    after = MODELS.knowing([slow], ECP5).models[ECP5]["digit_serial"]["ns"].predict(at)
    period = figures_of(slow)["ns"] / MODELS.speeds["ecp5-25f-6"].factor
    assert abs(after.middle[0] - period) <= abs(before.middle[0] - period)
    assert after.factor[0] <= before.factor[0]


def test_a_guess_makes_its_neighbours_surer() -> None:
    core = select("digit_serial", width=320, digit_bits=5, slots=9, links=3)
    at = {name: np.array([value]) for name, value in core.parameters.items()}
    near = {**at, "width": np.array([330])}
    for figure in ("lut", "ns"):
        before = MODELS.models[ECP5]["digit_serial"][figure].predict(near)
        after = MODELS.guessing(core, ECP5).models[ECP5]["digit_serial"][figure].predict(near)
        assert after.factor[0] < before.factor[0]


def test_each_route_is_a_measurement_of_the_clock(points: list[Record]) -> None:
    routed = [each for each in behind(points, ECP5, "montgomery") if each.routes]
    found = measured(routed, "ns")
    assert len(found) == sum(len(each.routes) for each in routed) > len(routed)
    assert sorted(found.figures) == sorted(
        1000 / mhz for each in routed for mhz in each.routes.values()
    )
    model = MODELS.models[ECP5]["montgomery"]["ns"].regression
    assert model.repeats.sum() == len(found)
    assert len(measured(routed, "lut")) == len(routed)


def test_medians_are_those_of_each_point() -> None:
    found = Measured({"width": np.array([8, 9, 8, 8])}, np.array([1.0, 7.0, 5.0, 2.0]))
    assert found.medians.tolist() == [2, 7, 2, 2]


def test_wide_exponentiators_are_known_besides_the_fit(
    points: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    core = next(
        each
        for each in behind(points, ECP5, "binary")
        if each.subject.width == 1024 and each.routes
    )
    wide = replace(core, parameters={**core.parameters, "width": 2048})
    engine = next(each for each in points if each.design == "engine")
    monkeypatch.setattr("totient.explore.points.kept_points", lambda: [core, wide, engine])
    monkeypatch.setattr("totient.explore.points.committed", list)
    assert training_points() == [core, engine]
    assert wide_points([core, wide, engine]) == [wide]
    at = {name: np.array([value]) for name, value in wide.parameters.items()}
    before = MODELS.models[ECP5]["binary"]["lut"].predict(at)
    after = MODELS.knowing([wide], ECP5).models[ECP5]["binary"]["lut"].predict(at)
    assert abs(after.middle[0] - wide.utilisation.lut) < abs(
        before.middle[0] - wide.utilisation.lut
    )
