"""Committed Records: where they are looked up, when they are stale."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from totient.catalog import Configuration, select
from totient.common.errors import InputError, ToolError
from totient.flow import Routing, Rtl, Target, Utilisation, find_target
from totient.flow.utilisation import count
from totient.measure import (
    OperationFigures,
    Record,
    committed,
    lookup,
    measure,
    measurement,
    recompute,
    save,
    stale,
    store,
)
from totient.measure.rtl import core_rtl, ip_rtl

ECP5 = find_target("ecp5-85f")
BINARY = select("binary", width=32)


@pytest.fixture(autouse=True)
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(store, "results_folder", lambda: tmp_path / "results")
    return tmp_path / "results"


@pytest.fixture
def steps(record: Record, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replace the steps, which have tests of their own, by ones that only note that they ran."""
    ran: list[str] = []
    routing = record.routing
    assert routing is not None

    def synthesise(rtl: Rtl, target: Target, dsp: bool) -> Utilisation:
        ran.append("synthesis")
        return record.utilisation if target == ECP5 else count({"LUT6": 90, "FDRE": 70}, target)

    def place_and_route(
        rtl: Rtl, target: Target, seeds: Sequence[int], dsp: bool, say: object
    ) -> Routing:
        ran.append("routing")
        return Routing(dict.fromkeys(seeds, 100.0))

    def count_cycles(configuration: Configuration, kind: str, ip: Rtl) -> OperationFigures:
        ran.append(kind)
        return record.operations["public"]

    for step in (synthesise, place_and_route, count_cycles):
        monkeypatch.setattr(measurement, step.__name__, step)
    return ran


def test_a_committed_record_is_taken_before_anything_is_computed(steps: list[str]) -> None:
    first = measure(BINARY, ECP5, ["public", "ones"])
    assert steps == ["synthesis", "routing", "public", "ones"]
    save(first)
    steps.clear()
    assert measure(BINARY, ECP5, ["public", "ones"]) == first
    assert steps == []
    assert recompute(first) == first
    assert steps == ["synthesis", "routing", "public", "ones"]


def test_only_what_a_committed_record_lacks_is_computed(steps: list[str]) -> None:
    save(measure(BINARY, ECP5, ["public"]))
    steps.clear()
    record = measure(BINARY, ECP5, ["zeros", "public"])
    assert steps == ["zeros"]
    assert list(record.operations) == ["zeros", "public"]
    steps.clear()
    assert measure(BINARY, ECP5, [], seeds=(5,)).provenance.seeds == (5,)
    assert steps == ["routing"]


def test_a_record_of_other_rtl_tools_or_target_data_is_stale(steps: list[str]) -> None:
    fresh = measure(BINARY, ECP5, [])
    assert fresh.provenance.sources == store.source_digest(core_rtl(BINARY), ip_rtl(BINARY))
    path = save(fresh)
    assert stale() == []
    for change in (
        {"sources": "0" * 24},
        {"flow": "0" * 24},
        {"tools": {**fresh.provenance.tools, "pyosys": "0.1"}},
    ):
        old = replace(fresh, provenance=replace(fresh.provenance, **change))
        save(old)
        assert stale() == [path]
        assert lookup(BINARY, ECP5, True) is None
        steps.clear()
        assert measure(BINARY, ECP5, []) == fresh
        assert steps == ["synthesis", "routing"]


def test_a_record_of_a_design_that_is_gone_is_stale(record: Record, results: Path) -> None:
    results.mkdir()
    (results / "gone.json").write_text(replace(record, design="gone").to_text())
    assert stale() == [results / "gone.json"]


def test_parameters_and_multipliers_are_in_the_file_name(steps: list[str]) -> None:
    configuration = select("binary", width=64, early_end=1)
    record = measure(configuration, find_target("artix7-100t"), [], dsp=False)
    path = save(record)
    assert path.name == "binary-width64-early_end1-artix7-100t-nodsp.json"
    assert [(path, record)] == list(committed())
    assert lookup(configuration, find_target("artix7-100t"), False) == record
    assert lookup(configuration, find_target("artix7-100t"), True) is None


def test_a_damaged_file_is_named_but_does_not_stop_a_measurement(
    steps: list[str], results: Path
) -> None:
    results.mkdir()
    (results / "binary-width32-ecp5-85f.json").write_text("{")
    with pytest.raises(InputError, match=r"binary-width32-ecp5-85f\.json: damaged Record"):
        stale()
    measure(BINARY, ECP5, [])
    assert steps == ["synthesis", "routing"]


def test_results_that_cannot_be_written_are_one_line(
    steps: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(store, "results_folder", lambda: tmp_path / "file" / "results")
    with pytest.raises(ToolError, match="cannot write"):
        save(measure(BINARY, ECP5, []))


def test_the_command_measures_the_same(steps: list[str]) -> None:
    assert (
        measure(select("T2", width=64, early_end=1), ECP5, ["public", "ones"]).provenance.command
        == "totient measure binary --width 64 --set early_end=1 --target ecp5-85f "
        "--op public --op ones"
    )
    other = measure(BINARY, ECP5, [], dsp=False, seeds=(4, 5))
    assert other.provenance.command.endswith("--no-dsp --seed 4 --seed 5")
    unrouted = measure(BINARY, ECP5, [], route=False)
    assert unrouted.provenance.command.endswith("--no-route")
    assert (unrouted.routing, unrouted.provenance.seeds) == (None, ())
