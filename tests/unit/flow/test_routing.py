"""Place and route: real runs, saved reports, what does not fit."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from totient.common.errors import InputError, ToolError
from totient.flow import TARGETS, place_and_route, routing
from totient.flow.processes import GivenUpError
from totient.flow.target import Target
from totient.flow.timing_report import CriticalPath, Routing, parse_report

from .conftest import FOLDER, module

ECP5, ARTIX7 = TARGETS["ecp5-85f"], TARGETS["artix7-100t"]
REPORT = (FOLDER / "report.json").read_text()


def test_a_saved_report() -> None:
    mhz, path = parse_report(REPORT)
    assert mhz == 461.8937683105469
    assert path == CriticalPath("u_adder.sum_q", "carry_q", 0.694, 1.471)


def test_a_critical_path_has_names_of_the_rtl() -> None:
    report = json.loads(REPORT)
    steps = report["critical_paths"][0]["path"]
    for cell, name in (
        ("u_a.gen_x[3].b_q_TRELLIS_FF_Q_17", "u_a.gen_x[3].b_q"),
        ("u_a.memory.0.2$DPRAM_COMB1", "u_a.memory.0.2"),
        ("u_a.ready_o_LUT4_Z_1_C_LUT4_Z", "u_a.ready_o"),
        ("u_a.sum_CCU2C_S0_COUT$CCU2_COMB0", "u_a.sum"),
    ):
        steps[-1]["to"]["cell"] = cell
        assert parse_report(json.dumps(report))[1].end == name


def test_a_report_must_have_one_critical_path_of_the_clock() -> None:
    report = json.loads(REPORT)
    report["critical_paths"] = report["critical_paths"][1:]
    with pytest.raises(ToolError, match="reports 0 critical paths"):
        parse_report(json.dumps(report))


@pytest.mark.parametrize("field", ["fmax", "achieved", "critical_paths", "delay", "cell"])
def test_a_report_without_a_field_is_an_error(field: str) -> None:
    with pytest.raises(ToolError, match=rf"report cannot be read: KeyError\('{field}'\)"):
        parse_report(REPORT.replace(f'"{field}"', '"other"'))


def test_a_report_must_have_one_clock() -> None:
    report = json.loads(REPORT)
    report["fmax"] = {}
    with pytest.raises(ToolError, match="reports 0 clocks"):
        parse_report(json.dumps(report))
    report["fmax"] = {name: {"achieved": 1.0} for name in ("one", "two")}
    with pytest.raises(ToolError, match="reports 2 clocks"):
        parse_report(json.dumps(report))


def test_the_median_is_that_of_the_seeds() -> None:
    assert Routing({1: 90.0, 2: 120.0, 3: 100.0}).median_mhz == 100.0
    assert Routing({}, "does not fit: x").median_mhz is None


def test_the_typical_path_is_that_of_the_median() -> None:
    paths = {seed: CriticalPath(f"from{seed}", "to", 1.0, 2.0) for seed in (1, 2, 3, 4)}
    assert Routing({1: 90.0, 2: 120.0, 3: 100.0}, critical=paths).typical == paths[3]
    assert Routing({1: 90.0, 2: 120.0, 3: 100.0, 4: 95.0}, critical=paths).typical == paths[4]
    assert Routing({}, "does not fit: x").typical is None


def test_the_same_seed_gives_the_same_figure(cache: Path) -> None:
    rtl = module("products", Count=3)
    first = place_and_route(rtl, ECP5, seeds=(1, 2))
    shutil.rmtree(cache / "routing")
    shutil.rmtree(cache / "synthesis")
    assert place_and_route(rtl, ECP5, seeds=(1, 2)) == first
    assert first.misfit is None
    # Placement is really a matter of the seed, and the figures are those of such a path.
    assert first.fmax_mhz[1] != first.fmax_mhz[2]
    assert all(60 < mhz < 400 for mhz in first.fmax_mhz.values())


def test_a_seed_that_is_given_up_is_replaced(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the next number that was not asked for, on request only."""
    routed = routing._routed
    given_up: list[int] = []

    def stubborn(netlist: Path, target: Target, places: Any, seed: int, *further: Any) -> Path:
        if seed in given_up:
            raise GivenUpError(f"no route by seed {seed}")
        return routed(netlist, target, places, seed, *further)

    monkeypatch.setattr(routing, "_routed", stubborn)
    rtl = module("products", Count=3)
    given_up[:] = [1, 3]
    said: list[str] = []
    outcome = place_and_route(rtl, ECP5, (1, 2), say=said.append, replace=True)
    assert [*outcome.fmax_mhz] == [*outcome.critical] == [*outcome.folders] == [2, 4]
    assert {"no route by seed 1", "no route by seed 3"} < {*said}
    with pytest.raises(GivenUpError, match="no route by seed 1"):
        place_and_route(rtl, ECP5, (1, 2))
    given_up[:] = [1, 2, 3, 4]
    with pytest.raises(GivenUpError):
        place_and_route(rtl, ECP5, (1, 2), replace=True)


def test_too_many_multipliers_do_not_fit(cache: Path) -> None:
    small = replace(ECP5, available=replace(ECP5.available, dsp=2))
    outcome = place_and_route(module("products", Count=3), small)
    assert outcome == Routing({}, "does not fit: 3 of 2 MULT18X18D")


def test_what_nextpnr_cannot_place_does_not_fit(cache: Path) -> None:
    # The smallest device has 28 multipliers; Yosys' count is held against the larger one.
    small = replace(ECP5, nextpnr=("--25k", "--package", "CABGA381", "--speed", "8"))
    rtl = module("products", Count=29)
    outcome = place_and_route(rtl, small, seeds=(1,))
    assert outcome.misfit is not None
    assert outcome.misfit.startswith("does not fit: ")
    assert "no BELs remaining to implement cell type 'MULT18X18D' (seed 1)" in outcome.misfit
    assert place_and_route(rtl, small, seeds=(1,)) == outcome


def test_a_target_without_a_router_is_refused() -> None:
    with pytest.raises(InputError, match="no place and route for target artix7-100t"):
        place_and_route(module("accumulator"), ARTIX7)


@pytest.mark.parametrize("seeds", [(), (1, 1), (0, 1)])
def test_seeds_are_checked(seeds: tuple[int, ...]) -> None:
    with pytest.raises(
        InputError, match=r"^seed is .*, allowed are different numbers from 1 to 2147483647$"
    ):
        place_and_route(module("accumulator"), ECP5, seeds)
