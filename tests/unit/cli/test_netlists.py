"""netlists: Records whose routed netlists were run or not."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.conftest import Run
from totient import measure
from totient.catalog import select
from totient.check import Check, On, Outcome, Subject
from totient.cli import netlists as command
from totient.common.cache import digest
from totient.common.errors import ToolError
from totient.flow import find_target, netlist_check_digest
from totient.measure import (
    BoardRecord,
    NetlistRun,
    NetlistRuns,
    Record,
    board_records,
    committed,
    lookup,
    save,
    store,
)


@pytest.fixture
def unrun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Record:
    """Two committed Records, alone in their folder: the netlists of the first were not run."""
    for_binary, for_serial = (
        lookup(select(name, width=64), find_target("ecp5-85f"), dsp=True)
        for name in ("binary", "digit_serial")
    )
    assert for_binary
    assert for_serial
    monkeypatch.setattr(store, "results_folder", lambda: tmp_path)
    unrun = replace(for_binary, netlist=None)
    save(unrun)
    save(for_serial)
    return unrun


def test_what_was_not_run_is_listed(unrun: Record, run: Run) -> None:
    shown = run("netlists").good
    assert shown.text.count("not run") == 1
    assert "2 Records with a routed clock, 1 of them with a netlist not run" in shown.err
    (listed,) = run("netlists", "--json", "--only", "binary").good.json["records"]
    assert (listed["design"], listed["computes"], listed["command"]) == ("binary", None, None)


@pytest.mark.parametrize("faults", [0, 1])
def test_a_run_is_saved_with_new_routes(
    unrun: Record, faults: int, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    """A stale Record is measured anew first: its clock differs, too."""
    asked: list[Record | BoardRecord] = []

    def run_one(record: Record | BoardRecord) -> tuple[Record | BoardRecord, int]:
        assert isinstance(record, Record)
        assert record.routing
        asked.append(record)
        fmax = {seed: mhz + 1 for seed, mhz in record.routing.fmax_mhz.items()}
        runs = {seed: NetlistRun(18, 1000, 2, faults) for seed in fmax}
        routing = replace(record.routing, fmax_mhz=fmax)
        whole = NetlistRuns("totient check binary", runs)
        return replace(record, routing=routing, netlist=whole), 3

    def all_run(
        records: Iterable[Record | BoardRecord], jobs: int, again: bool
    ) -> Iterator[object]:
        assert (jobs, again) == (1, False)
        yield from map(run_one, records)

    monkeypatch.setattr(command, "with_netlists", all_run)
    shown = run("netlists", "--run")
    assert shown.status == faults
    assert asked == [unrun]
    assert "0 of them with a netlist not run" in shown.err
    verdict = "wrong, by seeds 1, 2, 3" if faults else "right in all of 54 operations"
    assert shown.out.count(verdict.encode()) == shown.err.count(verdict) == 1
    found = lookup(select("binary", width=64), find_target("ecp5-85f"), dsp=True)
    assert found
    assert found.fmax_mhz
    assert unrun.fmax_mhz
    assert found.fmax_mhz == unrun.fmax_mhz + 1
    assert found.computes is (faults == 0)
    asked.clear()
    assert run("netlists", "--run").status == faults
    assert asked == []


def test_runs_of_an_earlier_check_are_told_and_made_again(
    unrun: Record, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    """A verdict is of the code that gave it."""
    target = find_target("ecp5-85f")
    today = netlist_check_digest(target.router)
    runs = {seed: NetlistRun(62, 1000, 2, 0, "abc", today) for seed in (1, 2, 3)}

    def checks(*options: str) -> dict[str, bool]:
        listed = run("netlists", "--json", *options).good.json["records"]
        return {each["design"]: each["earlier_check"] for each in listed}

    mixed = {**runs, 2: replace(runs[2], checker="of an earlier check")}
    save(replace(unrun, netlist=NetlistRuns("totient check binary", mixed)))
    assert checks() == {"binary": True, "digit_serial": True}
    save(replace(unrun, netlist=NetlistRuns("totient check binary", runs)))
    assert checks() == {"binary": False, "digit_serial": True}
    shown = run("netlists").good
    assert "0 of them with a netlist not run, 1 run by an earlier check" in shown.err
    assert "--run --again runs these again" in shown.err
    assert (shown.text.count("today's"), shown.text.count("earlier")) == (1, 1)
    asked: list[str] = []

    def all_run(records: Iterable[Record], jobs: int, again: bool) -> Iterator[object]:
        for record in records:
            assert again
            asked.append(record.design)
            yield replace(record, netlist=NetlistRuns("totient check x", runs)), 3

    monkeypatch.setattr(command, "with_netlists", all_run)
    assert checks("--run") == {"binary": False, "digit_serial": True}
    assert asked == []
    assert checks("--run", "--again") == {"binary": False, "digit_serial": False}
    assert asked == ["digit_serial"]


@pytest.mark.parametrize("hangs", [False, True])
def test_a_netlist_that_never_answers_is_wrong(
    unrun: Record, hangs: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is a verdict, and the other netlists run. A tool that fails is no verdict."""
    (tmp_path / "netlist.v").write_text("module x; endmodule")
    monkeypatch.setattr(Subject, "files", (tmp_path / "netlist.v",))
    monkeypatch.setattr(Subject, "library", tmp_path)
    monkeypatch.setattr(measure, "routed_today", lambda record, seed: record)
    asked: list[int] = []

    def run(check: Check, on: On) -> Outcome:
        assert on.netlist
        asked.append(on.netlist.seed)
        if hangs and on.netlist.seed == 2:
            raise ToolError("no answer within 100 cycles")
        return Outcome(20, 62, 24, 1000)

    monkeypatch.setattr(Check, "run", run)
    first, second, (done, last) = command.with_netlists([unrun])
    assert asked == [1, 2, 3] == [first[1], second[1], last]
    assert first[0].computes is None
    assert done.netlist
    assert done.computes is not hangs
    simulated = digest("module x; endmodule")
    checker = netlist_check_digest(find_target("ecp5-85f").router)
    right = NetlistRun(62, 1000, 2, 0, simulated, checker)
    wrong = NetlistRun(0, 0, 2, 1, simulated, checker)
    assert list(done.netlist.by_seed.values()) == [right, wrong if hangs else right, right]

    def fails(subject: Subject) -> Path:
        raise ToolError("verilator failed")

    monkeypatch.setattr(Subject, "library", property(fails))
    with pytest.raises(ToolError, match="verilator failed"):
        list(command.with_netlists([unrun]))


def test_runs_go_on_where_they_were(unrun: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    """By seed: of those that were not run, or that an earlier check has run."""
    today = netlist_check_digest(find_target("ecp5-85f").router)
    monkeypatch.setattr(measure, "routed_today", lambda record, seed: record)
    new = NetlistRun(62, 2000, 2, 0, "abc", today)
    monkeypatch.setattr(command, "_run", lambda record, seed: new)
    (made, _), *_ = command.with_netlists([unrun])
    assert made.netlist
    some = replace(
        unrun,
        netlist=replace(made.netlist, by_seed={1: new, 3: replace(new, checker="earlier")}),
    )

    def seeds(record: Record, again: bool) -> list[int]:
        runs = list(command.with_netlists([record], again=again))
        last, _ = runs[-1]
        assert last.computes
        assert last.netlist
        assert [*last.netlist.by_seed] == [1, 2, 3]
        return [seed for _, seed in runs]

    assert seeds(some, again=False) == [2]
    assert seeds(some, again=True) == [2, 3]
    others = replace(made.netlist, command="totient check binary", by_seed={1: new, 3: new})
    assert seeds(replace(unrun, netlist=others), again=False) == [2, 1, 3]  # of other operations


def test_a_record_that_is_measured_again_has_all_of_its_netlists_run(
    unrun: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs of its earlier routes do not count, whichever seed shows that they are others."""
    assert unrun.routing
    old = {1: 10.0, 2: unrun.routing.fmax_mhz[2], 3: 10.0}
    stale = replace(unrun, routing=replace(unrun.routing, fmax_mhz=old))
    monkeypatch.setattr(
        measure, "routed_today", lambda record, seed: record if seed == 2 else unrun
    )
    new = NetlistRun(62, 2000, 2, 0)
    monkeypatch.setattr(command, "_run", lambda record, seed: new)
    runs = list(command.with_netlists([stale]))
    last, _ = runs[-1]
    assert [seed for _, seed in runs] == [1, 2, 3]
    assert last == unrun
    assert last.computes
    kept = replace(stale, netlist=NetlistRuns("totient check x", {1: new}))
    runs = list(command.with_netlists([kept]))
    last, _ = runs[-1]
    assert last == unrun
    assert last.computes
    assert [seed for _, seed in runs] == [2, 3, 1, 2]


def test_every_record_is_saved_under_its_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Routed or not, of a design, an IP, a system or a board: the same file with the same text."""
    kept: list[Record | BoardRecord] = [record for _, record in committed()]
    kept += board_records()
    source = store.results_folder()
    monkeypatch.setattr(store, "results_folder", lambda: tmp_path)
    names = {save(record).name for record in kept}
    assert len(names) == len(kept)
    for folder in (".", "boards"):
        written = {path.name: path.read_text() for path in (tmp_path / folder).glob("*.json")}
        assert written == {path.name: path.read_text() for path in (source / folder).glob("*.json")}
    assert {record.fmax_mhz is None for record in kept} == {True, False}
