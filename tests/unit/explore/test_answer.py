"""Answers: those of a search over every configuration, one by one."""

import csv
import json
import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest

from tests.unit.conftest import Run
from totient.catalog.engine import words_around
from totient.common.errors import InputError
from totient.explore import placed
from totient.explore import run as run_module
from totient.explore.answer import Answer, Choice, answer, pareto
from totient.explore.candidates import Candidates, candidates, ways
from totient.explore.files import write_csv, write_parquet
from totient.explore.models import committed_models
from totient.explore.placed import same
from totient.explore.points import keep_own
from totient.explore.question import (
    Limits,
    Question,
    joules_of,
    seconds_of,
    targets_of,
)
from totient.explore.report import data
from totient.explore.table import kept_table, table_name
from totient.flow import find_target
from totient.measure import allowed_clock
from totient.measure.store import committed

MODELS = committed_models()
RECORDS = [record for _, record in committed()]
ECP5 = "Lattice ECP5"


@pytest.fixture(scope="module")
def parts() -> list[Candidates]:
    """Some configurations of each design, for RSA-1024; those of all Records among them."""
    found = []
    draw = random.Random(1)
    for work in ways(1024, True, None):
        for part in candidates(work, ECP5, MODELS):
            places = set(draw.sample(range(len(part)), min(40, len(part))))
            places |= {
                int(place)
                for record in RECORDS
                if record.design == part.space.design.name
                for place in np.flatnonzero(
                    np.logical_and.reduce(
                        [
                            part.space.parameters[name] == value
                            for name, value in record.parameters.items()
                        ]
                    )
                )
            }
            found.append(part.at(np.array(sorted(places))))
    return found


def asked(target: str = "ecp5-85f", goal: str = "lut", **limits: Any) -> Question:
    return Question(
        1024,
        True,
        None,
        [find_target(target)],
        Limits(**limits),
        goal,
    )


def ask(question: Question, parts: list[Candidates]) -> Answer:
    return answer(question, parts, MODELS, RECORDS)


def test_pareto_is_what_a_search_of_all_pairs_finds() -> None:
    draw = np.random.default_rng(1)
    for columns in (1, 2, 3):
        points = draw.integers(0, 12, (300, columns)).astype(float)
        found = pareto(points)
        rows = points.tolist()
        for place, row in enumerate(rows):
            beaten = any(
                all(a <= b for a, b in zip(other, row, strict=True)) and other != row
                for other in rows
            )
            first = rows.index(row) == place
            assert (place in found) == (not beaten and first)


def test_cycles_are_the_catalogs_and_figures_are_consistent(parts: list[Candidates]) -> None:
    found = ask(asked(), parts)
    assert found.points == sum(map(len, parts))
    assert found.met == len(found.choices) or found.met > len(found.choices) > 3
    for choice in found.choices:
        for low, middle, high in (choice.seconds, choice.joules, choice.mhz, choice.lut, choice.ff):
            assert low <= middle <= high
        assert choice.seconds[1] == pytest.approx(choice.cycles / choice.mhz[1] * 1e-6)
        assert choice.lut[1] <= choice.target.available.lut
        assert choice.dsp <= choice.target.available.dsp


def test_records_are_shown_as_they_are(parts: list[Candidates]) -> None:
    found = ask(asked(goal="time"), parts)
    measured = [each for each in found.choices if each.known == "measured"]
    assert measured
    for choice in measured:
        (record,) = (
            each
            for each in RECORDS
            if (each.design, each.target, each.dsp)
            == (choice.configuration.name, choice.target.name, True)
            and each.parameters == choice.configuration.parameters
        )
        assert set(choice.lut) == {record.utilisation.lut}
        assert record.shown_mhz is not None
        clock = allowed_clock(record.shown_mhz, record.utilisation.dsp)
        assert choice.mhz == pytest.approx((clock,) * 3)
        if choice.kind in record.operations and choice.configuration.key_slots:
            # A Record's cycles are from the last word of a request to the first of its answer.
            around = words_around(1024, public=False)
            counted = record.operations[choice.kind].cycles.mean + around
            assert choice.cycles == counted if choice.work.crt else choice.cycles > counted


def test_a_record_on_another_device_tells_the_cells_but_no_clock(parts: list[Candidates]) -> None:
    for target in ("ecp5-45f", "ecp5-85f-6"):
        here = {each.subject.label for each in RECORDS if each.target == target}
        found = ask(asked(target, goal="time"), parts)
        elsewhere = [
            each
            for each in found.choices
            if len(set(each.lut)) == 1 and each.configuration.label not in here
        ]
        assert elsewhere
        assert {each.known for each in elsewhere} == {"predicted"}


def test_a_slower_grade_has_a_longer_period_by_its_factor(parts: list[Candidates]) -> None:
    factor = MODELS.speeds["ecp5-85f-6"].factor
    assert factor > 1.1
    for part in parts:
        if part.dsp.any():  # their clock has another limit
            continue
        fast, slow = (
            placed.place(part, asked(target), find_target(target), MODELS, ()).ns
            for target in ("ecp5-85f", "ecp5-85f-6")
        )
        assert slow.middle == pytest.approx(factor * fast.middle)
        assert (slow.factor > fast.factor).all()  # of two uncertainties


@pytest.fixture
def names(cache: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the tables that explorations ask for, which are empty."""
    found: list[str] = []

    def kept(name: str, _: Any) -> list[Candidates]:
        found.append(name)
        return []

    monkeypatch.setattr(run_module, "kept_table", kept)
    return found


def test_a_users_points_make_tables_anew(names: list[str]) -> None:
    for _ in range(2):
        run_module.Exploration(asked(), lambda _: None)
    assert len(names) == 4
    keep_own(next(each for each in RECORDS if each.design == "binary" and each.routes))
    run_module.Exploration(asked(), lambda _: None)
    assert names[:2] == names[2:4]
    assert not {*names[4:]} & {*names[:4]}


def test_wide_records_are_known_besides_the_fit(
    names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    core = next(each for each in RECORDS if each.design == "binary" and each.routes)
    wide = replace(core, parameters={**core.parameters, "width": 2048}, target="ecp5-85f")
    without = run_module.Exploration(asked(), lambda _: None)
    monkeypatch.setattr(run_module, "committed", lambda: [(Path(), wide)])
    beside = run_module.Exploration(asked(), lambda _: None)
    assert without.models.of(ECP5, "binary") == MODELS.of(ECP5, "binary")
    known = [
        len(each.models.of(ECP5, "binary")["lut"].regression.known) for each in (without, beside)
    ]
    assert known[1] == known[0] + 1
    assert not {*names[:2]} & {*names[2:]}


def test_a_record_is_of_one_configuration_among_all() -> None:
    for work in ways(1024, True, True):
        for part in candidates(work, ECP5, MODELS):
            own = [each for each in RECORDS if each.design == part.space.design.name]
            for record in own:
                labels = [part.space.at(place).label for place in same(part, record)]
                assert labels in ([], [record.subject.label])


def test_a_record_without_multiplier_blocks_is_of_something_else(parts: list[Candidates]) -> None:
    others = [replace(each, dsp=False) for each in RECORDS]
    found = answer(asked(goal="time"), parts, MODELS, others)
    assert {each.known for each in found.choices} == {"predicted"}


def test_every_limit_is_kept_and_none_that_keeps_them_is_forgotten(parts: list[Candidates]) -> None:
    free = ask(asked(), parts)
    some = sorted(free.choices, key=lambda each: each.seconds[1])[len(free.choices) // 2]
    limits: dict[str, Any] = {
        "seconds": some.seconds[1],
        "lut": math.ceil(some.lut[1]),
        "joules": some.joules[1],
    }
    for names in (("seconds",), ("lut",), ("joules",), tuple(limits)):
        found = ask(asked(**{name: limits[name] for name in names}), parts)
        kept = {each.configuration.label + str(each.work.crt) for each in found.choices}
        assert some.configuration.label + str(some.work.crt) in kept
        assert found.met < free.met
        for choice in found.choices:
            assert choice.seconds[1] <= limits["seconds"] or "seconds" not in names
            assert choice.lut[1] <= limits["lut"] or "lut" not in names
            assert choice.joules[1] <= limits["joules"] or "joules" not in names
            assert max(choice.shares.values()) <= 1
            assert choice.shares[choice.binding] == max(choice.shares.values())


def test_nothing_else_is_better_than_what_is_shown(parts: list[Candidates]) -> None:
    found = ask(asked(seconds=1.0), parts)
    rows = [(each.seconds[1], each.lut[1], each.joules[1]) for each in found.choices]
    for row in rows:
        assert not any(
            all(a <= b for a, b in zip(other, row, strict=True)) for other in rows if other != row
        )


@pytest.mark.parametrize("goal", ["lut", "time", "energy"])
def test_the_order_is_that_of_the_goal(goal: str, parts: list[Candidates]) -> None:
    # A limit just above a prediction: some meet it, but not with their worse bounds.
    free = [
        each for each in ask(asked(), parts).choices if each.seconds[2] > 1.01 * each.seconds[1]
    ]
    limit = 1.001 * sorted(each.seconds[1] for each in free)[len(free) // 2]
    found = ask(asked(goal=goal, seconds=limit), parts)
    names = {"lut": "lut", "time": "seconds", "energy": "joules"}
    rows = [(not each.sure, getattr(each, names[goal])[1]) for each in found.choices]
    assert rows == sorted(rows)
    assert {each.sure for each in found.choices} == {True, False}


def test_sure_means_that_the_worse_bounds_meet_the_limits(parts: list[Candidates]) -> None:
    found = ask(asked(seconds=0.01, joules=0.002), parts)
    for choice in found.choices:
        inside = choice.seconds[2] <= 0.01 and choice.joules[2] <= 0.002
        cells = choice.target.available
        assert choice.sure == (inside and choice.lut[2] <= cells.lut and choice.ff[2] <= cells.ff)


def test_the_nearest_misses_if_nothing_meets_the_limits(parts: list[Candidates]) -> None:
    found = ask(asked(seconds=1e-6), parts)
    assert found.met == 0
    cells = find_target("ecp5-85f").available
    fits = [each.lut[1] <= cells.lut and each.dsp <= cells.dsp for each in found.choices]
    assert fits == sorted(fits, reverse=True)  # what can be built comes first
    worst = [max(each.shares.values()) for each in found.choices[: sum(fits)]]
    assert len(worst) > 20
    assert worst == sorted(worst)
    assert all(each.missed and each.missed[0] == each.binding for each in found.choices)
    fastest = min(each.seconds[1] for each in ask(asked(goal="time"), parts).choices)
    assert found.choices[0].seconds[1] == pytest.approx(fastest)


def _name(choice: Choice) -> tuple[str, str]:
    return choice.configuration.label, choice.target.name


def test_a_stated_clock_is_that_of_the_designs_that_reach_it(parts: list[Candidates]) -> None:
    own = ask(asked(), parts)
    clocks = {_name(each): each.mhz[1] for each in own.choices}
    for mhz in (10.0, 100.0):
        found = ask(replace(asked(), clock_mhz=mhz), parts)
        assert {each.mhz for each in found.choices} == {(mhz, mhz, mhz)}
        shared = [each for each in found.choices if _name(each) in clocks]
        assert shared
        for each in shared:
            assert each.shares["clock"] == pytest.approx(mhz / clocks[_name(each)])
    assert 0 < found.met < own.met
    assert all(each.shares["clock"] <= 1 for each in found.choices)
    beyond = ask(replace(asked(), clock_mhz=600.0), parts)
    assert (beyond.met, beyond.choices[0].missed) == (0, ["clock"])


def test_a_device_without_speed_has_no_times(parts: list[Candidates]) -> None:
    slower = replace(MODELS, speeds={})
    found = answer(asked(seconds=1.0), parts, slower, ())
    assert found.met == 0


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOTIENT_CACHE", str(tmp_path))
    return tmp_path


def test_a_kept_table_gives_the_same_answer(cache: Path, parts: list[Candidates]) -> None:
    name = table_name(parts[0].work, ECP5, "points")
    question = asked(seconds=0.1)
    computed = ask(question, kept_table(name, lambda: parts))

    def never() -> list[Candidates]:
        raise AssertionError("computed twice")

    kept = ask(question, kept_table(name, never))
    mine, theirs = (data(each, 1000) for each in (kept, computed))
    assert len(mine["designs"]) == len(theirs["designs"])
    for one, other in zip(mine["designs"], theirs["designs"], strict=True):
        assert one["parameters"] == other["parameters"]
        assert one["cycles"] == other["cycles"]
        assert one["lut"] == pytest.approx(other["lut"], rel=1e-5)
        assert one["joules"] == pytest.approx(other["joules"], rel=1e-5)


def test_a_table_belongs_to_its_operation_and_points() -> None:
    works = ways(1024, True, None) + ways(1024, False, None) + ways(2048, True, True)
    names = {
        table_name(work, family, points) for work in works for family in "ab" for points in "cd"
    }
    assert len(names) == 4 * len(works)


def test_files_hold_every_design(tmp_path: Path, parts: list[Candidates]) -> None:
    found = ask(asked(seconds=0.1), parts)
    write_csv(tmp_path / "a.csv", found)
    write_parquet(tmp_path / "a.parquet", found)
    rows = list(csv.DictReader((tmp_path / "a.csv").read_text().splitlines()))
    columns = pyarrow.parquet.read_table(tmp_path / "a.parquet").to_pydict()
    assert len(rows) == len(columns["label"]) == len(found.choices)
    for place, choice in enumerate(found.choices):
        assert rows[place]["label"] == columns["label"][place] == choice.configuration.label
        assert (
            float(rows[place]["seconds_high"])
            == columns["seconds_high"][place]
            == choice.seconds[2]
        )
        assert float(rows[place]["lut"]) == choice.lut[1]
        assert rows[place]["measure"] == choice.measure


@pytest.mark.parametrize(
    ("text", "seconds"), [("5ms", 5e-3), ("2 s", 2.0), (".5us", 5e-7), ("1.5µs", 1.5e-6)]
)
def test_times(text: str, seconds: float) -> None:
    assert seconds_of(text) == pytest.approx(seconds, rel=1e-12)


@pytest.mark.parametrize("text", ["", "5", "5 m", "-5ms", "0ms", "5mJ", "ms", "1e3ms", "nan s"])
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(InputError, match=r"--deadline is .*, allowed is a number above 0"):
        seconds_of(text)


def test_energies() -> None:
    assert joules_of("2mJ") == pytest.approx(2e-3, rel=1e-12)
    with pytest.raises(InputError, match=r"--energy is '2ms'"):
        joules_of("2ms")


def test_a_target_stands_for_all_its_speed_grades_unless_it_names_one() -> None:
    def names(target: str) -> set[str]:
        return {each.name for each in targets_of(target, MODELS)}

    assert names("ecp5-25f") == {"ecp5-25f", "ecp5-25f-7", "ecp5-25f-6"}
    assert names("ecp5-25f-6") == {"ecp5-25f-6"}
    assert len(targets_of(None, MODELS)) == 9
    with pytest.raises(InputError, match=r"--target is ice40-up5k, of which too few designs"):
        targets_of("ice40-up5k", MODELS)


def test_the_command(run: Run, cache: Path, tmp_path: Path) -> None:
    words = ("explore", "--bits", "512", "--target", "ecp5-25f", "--json", "--count", "3")
    found = json.loads(run(*words, "--deadline", "1s", "--csv", str(tmp_path / "x.csv")).out)
    assert found["points"] > 1_000_000
    assert len(found["designs"]) == 3
    assert (tmp_path / "x.csv").exists()
    first = found["designs"][0]
    assert first["measure"].startswith("totient measure ")
    missed = run(*words, "--deadline", "1us")
    assert missed.status == 1
    rest = json.loads(missed.out)
    assert rest["met"] == 0
    assert all(each["missed"] for each in rest["designs"])
