"""Committed Records: where they are looked up, when they are stale."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from totient.catalog import Configuration, select
from totient.common.errors import InputError, ToolError
from totient.flow import SEEDS, Routing, Rtl, Target, Utilisation, find_target
from totient.flow.utilisation import count
from totient.measure import (
    NetlistRun,
    NetlistRuns,
    OperationFigures,
    Record,
    committed,
    lookup,
    measure,
    measurement,
    netlist_verdict,
    recompute,
    renewal,
    renewals,
    save,
    stale,
    store,
)
from totient.measure.record import Spread
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
        rtl: Rtl,
        target: Target,
        seeds: Sequence[int],
        dsp: bool,
        say: object = None,
        replace: bool = False,
    ) -> Routing:
        # A seed that somebody asked for is not replaced by another.
        assert replace == (tuple(seeds) == SEEDS)
        ran.append("routing")
        return Routing(dict.fromkeys(seeds, 100.0))

    def count_cycles(configuration: Configuration, kind: str, ip: Rtl) -> OperationFigures:
        ran.append(kind)
        return record.operations["public"]

    for step in (synthesise, place_and_route, count_cycles):
        monkeypatch.setattr(measurement, step.__name__, step)
    for again in (synthesise, count_cycles):
        monkeypatch.setattr(renewal, again.__name__, again)
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


RUN = NetlistRuns("totient check", {seed: NetlistRun(60, 5000, 2, 0) for seed in (1, 2, 3)})


def _of_other_words(fresh: Record) -> Record:
    """A Record whose RTL has been written anew since, its routes' netlists right."""
    old = replace(fresh.provenance, sources="0" * 24, commit="2" * 40)
    return replace(fresh, provenance=old, netlist=RUN)


def test_a_record_of_the_same_hardware_in_other_words_is_kept(steps: list[str]) -> None:
    fresh = measure(BINARY, ECP5, ["public"])
    path = save(_of_other_words(fresh))
    steps.clear()
    assert [kept for _, kept in renewals(lambda record: False)] == []
    assert [kept for _, kept in renewals(lambda record: True)] == [path]
    assert (steps, stale()) == (["synthesis"], [])  # its result depends on names, too
    ((_, kept),) = committed()
    assert kept == fresh
    assert kept.netlist == RUN
    assert kept.provenance.commit == "2" * 40  # what was measured
    assert [*renewals(lambda record: True)] == []


def test_a_record_of_other_hardware_is_not_kept(steps: list[str]) -> None:
    old = _of_other_words(measure(BINARY, ECP5, []))
    for changed in (
        replace(old, provenance=replace(old.provenance, structure="0" * 24)),
        replace(old, provenance=replace(old.provenance, flow="0" * 24)),
        replace(old, provenance=replace(old.provenance, tools={"pyosys": "0.1"})),
    ):
        path = save(changed)
        text = path.read_text()
        assert [kept for _, kept in renewals(lambda record: True)] == [None]
        assert path.read_text() == text
        assert stale() == [path]


def test_with_other_contents_cycles_are_counted_and_runs_of_netlists_tell_theirs(
    steps: list[str],
) -> None:
    """Area and clock do not depend on a program, all else does."""
    fresh = measure(BINARY, ECP5, ["public"])
    old = _of_other_words(fresh)
    wrong = replace(fresh.operations["public"], cycles=Spread(1, 1, 1))
    save(
        replace(
            old,
            operations={"public": wrong},
            provenance=replace(old.provenance, contents="0" * 24),
        )
    )
    steps.clear()
    ((before, path),) = renewals(lambda record: True)
    assert before.netlist == RUN
    assert steps == ["public", "synthesis"]
    ((kept_path, kept),) = committed()
    assert (kept_path, kept) == (path, fresh)
    assert kept.netlist
    assert [each.contents for each in kept.netlist.by_seed.values()] == ["0" * 24] * 3
    assert kept.computes
    assert netlist_verdict(kept) == (
        "right in all of 180 operations, by seeds 1, 2, 3, with an earlier program by seeds 1, 2, 3"
    )
    assert [*renewals(lambda record: True)] == []


def test_netlists_are_run_of_todays_routes(
    steps: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renewal, "place_and_route", vars(measurement)["place_and_route"])
    fresh = measure(BINARY, ECP5, ["public"])
    steps.clear()
    assert renewal.routed_today(fresh, 2) is fresh
    assert steps == ["routing"]
    other = replace(fresh, routing=Routing({1: 100.0, 2: 90.0, 3: 100.0}), netlist=RUN)
    assert renewal.routed_today(other, 1) is other  # by this seed it is the same
    again = renewal.routed_today(other, 2)
    assert again == fresh
    assert again.netlist is None


def test_the_structure_is_that_of_the_core_and_of_what_is_around_it() -> None:
    core, ip = core_rtl(BINARY), ip_rtl(BINARY)
    digests = {
        store.elaborated_digests(ECP5, *each) for each in ((core, ip), (core, core), (ip, ip))
    }
    assert len(digests) == 3


def test_a_record_of_a_design_that_is_gone_is_stale(record: Record, results: Path) -> None:
    results.mkdir()
    (results / "gone.json").write_text(replace(record, design="gone").to_text())
    assert stale() == [results / "gone.json"]
    assert [kept for _, kept in renewals(lambda record: True)] == [None]


def test_parameters_and_multipliers_are_in_the_file_name(steps: list[str]) -> None:
    configuration = select("binary", width=64, early_end=1)
    record = measure(configuration, find_target("artix7-100t"), [], dsp=False)
    path = save(record)
    assert path.name == "binary-width64-early_end1-artix7-100t-nodsp.json"
    for chosen in ((), ("binary",), ("", "artix7-100t"), ("binary", "artix7-100t")):
        assert list(committed(*chosen)) == [(path, record)]
    for other in (("bin",), ("", "artix7"), ("binary", "ecp5-85f"), ("repeated",)):
        assert list(committed(*other)) == []
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
