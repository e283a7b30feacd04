"""Verdicts on the routed netlists of Records."""

import dataclasses
import re

import pytest

from tests.unit.measure.conftest import RIGHT, VERDICTS, WRONG, runs_of
from totient.catalog import Configuration, Operation, System
from totient.check import Check, Netlist, cases, netlist_checks
from totient.cli.netlists import with_netlists
from totient.common.errors import InputError
from totient.flow import SEEDS, Routing
from totient.measure import (
    BoardRecord,
    NetlistRun,
    NetlistRuns,
    Record,
    board_records,
    netlist_verdict,
    routed_records,
)

EVERY: list[Record | BoardRecord] = [*routed_records(), *board_records()]
RUN = [each for each in EVERY if each.netlist]
ENGINE_OPERATIONS = 10
IP_OPERATIONS = {"rsa_keygen": 15, "rsa_fixed": 79, "rsa_stream": 44, "modmul_montgomery": 5}


def record(by_seed: dict[int, NetlistRun]) -> Record:
    """A committed Record with these runs by seed."""
    return dataclasses.replace(next(routed_records()), netlist=runs_of(by_seed))


@pytest.mark.parametrize(("runs", "computes", "verdict"), VERDICTS)
def test_netlists_of_all_seeds_have_to_be_right(
    runs: dict[int, NetlistRun], computes: bool | None, verdict: str
) -> None:
    found = record(runs)
    assert found.computes is computes
    assert netlist_verdict(found) == verdict
    assert ("netlist" in found.to_json()) == bool(runs)


def test_a_replaced_seed_is_no_missing_run() -> None:
    found = record({1: RIGHT, 3: RIGHT, 5: RIGHT})
    routing = Routing({1: 21.0, 3: 22.0, 5: 21.5}, critical={})
    found = dataclasses.replace(found, routing=routing)
    assert found.provenance.seeds == SEEDS
    assert found.computes is True
    assert netlist_verdict(found) == "right in all of 30 operations, by seeds 1, 3, 5"


def test_runs_are_kept_with_the_record() -> None:
    kept = record({1: RIGHT, 2: WRONG, 3: RIGHT})
    again = Record.from_text(kept.to_text())
    assert again.netlist == kept.netlist
    assert again == dataclasses.replace(kept, netlist=None)  # no part of its identity


def test_damaged_runs_are_refused() -> None:
    text = record({1: RIGHT}).to_text().replace('"cycles": 2000,\n', "", 1)
    with pytest.raises(InputError, match="damaged Record"):
        Record.from_text(text)


def test_runs_without_digests_are_kept_as_they_are() -> None:
    """Those made before digests were kept; others have both."""
    assert "checker" not in record({1: RIGHT}).to_text()
    with_digests = NetlistRuns("totient check x", {1: NetlistRun(1, 2, 2, 0, "ab", "cd")})
    kept = dataclasses.replace(record({}), netlist=with_digests)
    assert Record.from_text(kept.to_text()).netlist == with_digests


def planned(check: Check) -> tuple[int, int]:
    """Exponentiations and cycles of a design's check in one start, by the catalog's formulas."""
    subject = check.subject
    assert isinstance(subject, Configuration)
    operations = spent = 0
    for number, case in enumerate(
        cases(
            subject.width,
            check.count,
            check.seed,
            exponent_bits=check.exponent_bits,
            short_exponents=subject.design.name == "repeated",
        )
    ):
        # In every tenth case after two refusals, in every third with as many bases as there are
        # lanes, the first of them n - 1 - base.
        requests = [(case.base, 1)] * (1 if number % 10 else 3)
        requests += [] if number % 3 else [(case.modulus - 1 - case.base, subject.lanes)]
        spent += subject.setup_cycles(case.modulus, case.exponent_bits)
        for base, lanes in requests:
            operation = Operation(case.modulus, case.exponent, case.exponent_bits, base, lanes)
            spent += subject.operation_cycles(operation)
            operations += lanes
    return operations, spent


@pytest.mark.parametrize("each", RUN, ids=lambda each: each.provenance.command)
def test_a_verdict_is_of_the_planned_check(each: Record | BoardRecord) -> None:
    """Commands, starts and seeds are today's; so are the operations, and a design's cycles.

    Exponents may be longer than planned.
    """
    assert each.netlist
    subject = each.subject
    assert not isinstance(subject, System)
    checks = list(netlist_checks(subject))
    commands = [
        line.partition(" --netlist routed ")[0] for line in each.netlist.command.split(" && ")
    ]
    if found := re.search(r" --exponent-bits (\d+)$", commands[0]):
        (plan,) = checks
        assert int(found[1]) >= (plan.exponent_bits or subject.width)
        checks = [dataclasses.replace(plan, exponent_bits=int(found[1]))]
    assert commands == [f"totient check {check.arguments}" for check in checks]
    assert each.fmax_mhz
    seeds = each.fmax_mhz if isinstance(each, BoardRecord) else each.provenance.seeds
    assert list(seeds) == list(SEEDS)
    # A seed whose route was given up is replaced by a higher number.
    assert len(each.routes) == len(SEEDS)
    assert all(seed in SEEDS or seed > max(SEEDS) for seed in each.routes)
    assert list(each.netlist.by_seed) == [s for s in each.routes if s in each.netlist.by_seed]
    starts = len(Netlist.unknowns)
    for run in each.netlist.by_seed.values():
        assert run.starts == starts
        if not isinstance(subject, Configuration):
            assert run.operations == starts * IP_OPERATIONS[subject.name]
        elif subject.name == "engine":
            assert run.operations == starts * ENGINE_OPERATIONS
        else:
            operations, spent = planned(checks[0])
            assert (run.operations, run.cycles) == (starts * operations, starts * spent)


@pytest.mark.slow
def test_the_runs_of_small_records_come_out_the_same() -> None:
    """By two processes, and one."""
    small = [
        each
        for each in routed_records()
        if each.target == "ice40-up5k" and each.parameters.get("width") == 32
    ][:2]
    unknown = [dataclasses.replace(each, netlist=None) for each in small]

    def figures(record: Record | BoardRecord) -> dict[int, tuple[int, int, int]]:
        assert record.netlist
        runs = record.netlist.by_seed
        return {seed: (run.operations, run.cycles, run.faults) for seed, run in runs.items()}

    for jobs in (2, 1):
        made = {each.design: each for each, _ in with_netlists(unknown, jobs)}  # the last of each
        assert {name: figures(each) for name, each in made.items()} == {
            each.design: figures(each) for each in small
        }
