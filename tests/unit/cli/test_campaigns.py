"""flips, endurance and exhaustive: kept campaigns as tables, and refused options."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.conftest import Run
from totient.campaigns import endurance, exhaustive, flips, sums
from totient.campaigns.sums import Part
from totient.check import Outcome
from totient.common.errors import ToolError


@pytest.mark.parametrize(
    "command", [["flips"], ["flips", "--pairs"], ["endurance"], ["exhaustive"]]
)
def test_nothing_kept_says_how_to_run(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    for module in (flips, sums):
        monkeypatch.setattr(module, "results_folder", lambda: tmp_path)
    assert f"totient {' '.join(command)} --run" in run(*command).refused


@pytest.mark.parametrize("command", ["flips", "endurance"])
def test_wrong_options_are_refused(command: str, run: Run) -> None:
    assert "--run is 0, allowed is 1 to " in run(command, "--run", "0").refused


@pytest.mark.parametrize("command", ["flips", "endurance", "exhaustive"])
def test_processes_are_of_a_run_and_at_least_one(command: str, run: Run) -> None:
    assert "--jobs is 2, allowed with --run only" in run(command, "--jobs", "2").refused
    run_it = ["--run"] if command == "exhaustive" else ["--run", "1"]
    assert "--jobs is 0, allowed is 1 or more" in run(command, *run_it, "--jobs", "0").refused


@pytest.mark.parametrize("command", ["flips", "endurance", "exhaustive"])
def test_a_run_has_the_processes_that_are_asked_for(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    def in_order(_work: object, _items: object, jobs: int, *_begin: object) -> None:
        raise ToolError(f"{jobs} processes")

    for module in (flips, sums):
        monkeypatch.setattr(module, "results_folder", lambda: tmp_path)
        monkeypatch.setattr(module, "in_order", in_order)
    run_it = ["--run"] if command == "exhaustive" else ["--run", "1"]
    assert "3 processes" in run(command, *run_it, "--jobs", "3").err
    assert "1 processes" in run(command, *run_it).err


@pytest.mark.parametrize("command", ["flips", "endurance", "exhaustive"])
def test_two_formats_are_refused(command: str, run: Run) -> None:
    assert "allowed is one of them" in run(command, "--json", "--markdown").refused


def test_help_says_how_long_a_part_is(run: Run) -> None:
    assert f"in parts of {flips.PART:,}" in " ".join(run("flips", "--help").good.text.split())


def test_committed_campaigns_are_shown(run: Run) -> None:
    assert "| private | send |" in run("flips", "--markdown").good.text
    assert "two flipped bits each" in run("flips", "--pairs").good.text
    found = run("endurance", "--json").good.json
    assert found["faults"] == []
    assert found["rows"][-1][0] == "all"


def test_what_was_not_run_has_no_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    """Least of all 0 faults."""
    monkeypatch.setattr(sums, "results_folder", lambda: tmp_path)
    parts = [
        Part(f"{name}?width=8, operations", "x", lambda seed: Outcome(1, 2, 3, 50))
        for name in ("first", "second", "third")
    ]
    monkeypatch.setattr(endurance, "parts", lambda: iter(parts))
    run("endurance", "--run", "60")
    found = run("endurance", "--markdown").good.text
    assert "| second, operations | 1 | 1 | 2 | 3 | 50 | 0 |" in found
    assert "| third, operations | 1 | - | - | - | - | - |" in found
    assert "| all | 3 | 2 | 4 | 6 | 100 | 0 |" in found
    note = "1 of 3 subjects, without figures here, have not been run."
    assert note in found
    assert run("endurance", "--json").good.json["rows"][2][2:] == [None] * 5
    run("endurance", "--run", "250")
    assert "have not been run" not in run("endurance", "--markdown").good.text
    # A part that is new, and one whose RTL has changed.
    parts.append(Part("fourth, malformed packets", "x", lambda seed: Outcome(1, 2, 3, 50)))
    parts[0] = replace(parts[0], sources="y")
    shown = run("endurance", "--markdown").good
    assert "| fourth, malformed packets | 1 | - | - | - | - | - |" in shown.text
    assert "1 of 4 parts were run with earlier RTL: --run begins these again" in shown.err


def test_a_fault_is_told_and_is_status_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setattr(sums, "results_folder", lambda: tmp_path)
    part = Part("core, operations", "x", lambda seed: Outcome(1, 1, 0, 50, ["result 1"]))
    monkeypatch.setattr(endurance, "parts", lambda: iter([part]))
    shown = run("endurance", "--run", "10")
    assert shown.status == 1
    assert "50 cycles, core, operations: 1 parts, 1 faults" in shown.err
    assert "core, operations, run 1: result 1" in shown.err


def test_a_fault_of_small_operands_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setattr(sums, "results_folder", lambda: tmp_path)
    faults = {7: ["result 1"]}
    part = Part("core, operations", "x", lambda seed: Outcome(1, 9, 0, 50, faults.get(seed, [])))
    monkeypatch.setattr(exhaustive, "parts", lambda: [part])
    shown = run("exhaustive", "--run")
    assert shown.status == 1
    assert "core, operations: 7 moduli, 63 operations, 1 faults" in shown.err
    assert "core, operations, run 7: result 1" in shown.err
    assert shown.err.count("\n") == 257
