"""Verdicts on the routed netlists of Records."""

import dataclasses

import pytest

from totient.cli.netlists import with_netlists
from totient.common.errors import InputError
from totient.measure import NetlistRun, NetlistRuns, Record, netlist_verdict, routed_records

RIGHT, WRONG = NetlistRun(10, 2000, 2, 0), NetlistRun(10, 2000, 2, 3)


def record(**by_seed: NetlistRun) -> Record:
    """A committed Record with these runs by seed, `s1` and so on."""
    first = next(routed_records())
    runs = {int(name[1:]): run for name, run in by_seed.items()}
    return dataclasses.replace(first, netlist=NetlistRuns("totient check x", runs))


def test_a_netlist_that_nobody_has_run() -> None:
    not_run = dataclasses.replace(record(), netlist=None)
    assert not_run.computes is None
    assert netlist_verdict(not_run) == "not run"
    assert "netlist" not in not_run.to_json()


def test_netlists_of_all_seeds_have_to_be_run() -> None:
    assert record(s1=RIGHT, s2=RIGHT).computes is None
    whole = record(s1=RIGHT, s2=RIGHT, s3=RIGHT)
    assert whole.computes is True
    assert netlist_verdict(whole) == "right in all of 30 operations, by seeds 1, 2, 3"


def test_one_wrong_netlist_is_enough() -> None:
    wrong = record(s1=RIGHT, s2=WRONG, s3=RIGHT)
    assert wrong.computes is False
    assert netlist_verdict(wrong) == "wrong, by seed 2"


def test_runs_are_kept_with_the_record() -> None:
    kept = record(s1=RIGHT, s2=WRONG, s3=RIGHT)
    again = Record.from_text(kept.to_text())
    assert again.netlist == kept.netlist
    assert again == dataclasses.replace(kept, netlist=None)  # no part of its identity


def test_damaged_runs_are_refused() -> None:
    text = record(s1=RIGHT).to_text().replace('"cycles": 2000,\n', "", 1)
    with pytest.raises(InputError, match="damaged Record"):
        Record.from_text(text)


@pytest.mark.slow
def test_the_runs_of_small_records_come_out_the_same() -> None:
    """By two processes, and one."""
    small = [
        each
        for each in routed_records()
        if each.target == "ice40-up5k" and each.parameters.get("width") == 32
    ][:2]
    unknown = [dataclasses.replace(each, netlist=None) for each in small]
    for jobs in (2, 1):
        made = list(with_netlists(unknown, jobs))
        assert {each.design: each.netlist for each in made} == {
            each.design: each.netlist for each in small
        }
