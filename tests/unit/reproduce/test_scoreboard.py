"""`totient reproduce all`: every row is there, is checked, and fails if its check is broken."""

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.main import get_command

from tests.unit.conftest import Run
from totient.catalog import select_ip
from totient.catalog.block_design import Segment
from totient.cli import program
from totient.common.errors import ToolError
from totient.common.files import project_root
from totient.common.papers import published
from totient.flow import find_target
from totient.processor import processors
from totient.report import Value
from totient.reproduce import (
    PAPERS,
    Paper,
    becannon_rows,
    diemert_host,
    diemert_powers,
    evantash_exploration,
    evantash_rows,
    find_paper,
    results,
    row_checks,
    scoreboard,
    thesis_power,
    thesis_rows,
)
from totient.reproduce.rows import ROWS, Row, Trial

EVERY = [row for paper in ROWS for row in find_paper(paper).rows]
DOCUMENTS = {"T": 6, "B": 4, "N": 8, "E": 5, "D": 6}
"""Rows of each document, by letter."""


def papers(**changed: tuple[Row, ...]) -> dict[str, Paper[Any]]:
    """All papers without their rows, except for those given."""
    return {name: replace(find_paper(name), rows=changed.get(name, ())) for name in PAPERS}


def verdict(check: Callable[[Trial], object]) -> scoreboard.Verdict:
    """The verdict on a row T1 with this check."""
    row = Row("T1", "a system", "totient list", check)
    return scoreboard.judge(papers(thesis=(row,)))[0]


def test_the_rows_are_those_of_the_documents() -> None:
    names = [f"{letter}{n}" for letter, most in DOCUMENTS.items() for n in range(1, most + 1)]
    assert len(names) == 29
    assert [name for each in ROWS.values() for name in each] == names
    assert set(ROWS) == set(PAPERS)
    assert [row.name for row in EVERY] == names


def test_every_row_works(run: Run) -> None:
    """The command as it is in a fresh clone."""
    outcome = run("reproduce", "all", "--json")
    table = json.loads(outcome.out)["tables"]["rows"]
    faults = [row for row in table["rows"] if row[2] not in ("works", "works, differs")]
    assert faults == []
    assert outcome.status == 0
    assert len(table["rows"]) == 29
    assert all(row[3] > 0 for row in table["rows"])
    assert all((row[2] == "works, differs") == bool(row[4]) for row in table["rows"])


@pytest.mark.parametrize("row", EVERY, ids=lambda row: row.name)
def test_a_command_parses(row: Row) -> None:
    tool, name, *words = shlex.split(row.command.rpartition(" | ")[2])
    assert tool == "totient"
    group = get_command(program())
    assert isinstance(group, typer.core.TyperGroup)
    context = typer.Context(group, info_name="totient")
    command = group.get_command(context, name)
    assert command is not None
    command.make_context(name, words, parent=context)


def test_a_missing_row_fails(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    given = papers(diemert=tuple(row for row in EVERY if row.name in ("D1", "D2")))
    monkeypatch.setattr("totient.reproduce.find_paper", given.__getitem__)
    outcome = run("reproduce", "all", "--json")
    words = {row[0]: row[2] for row in json.loads(outcome.out)["tables"]["rows"]["rows"]}
    assert outcome.status == 1
    assert [name for name, word in words.items() if word == "works"] == ["D1", "D2"]
    assert list(words.values()).count("MISSING") == 27


def broken(trial: Trial) -> None:
    trial.differs(True, "a difference")
    trial.expect("one and one", 1 + 1, 3)


def failing(trial: Trial) -> None:
    trial.expect("nothing", 0, 0)
    raise ToolError("the compiler is missing")


def wrong(trial: Trial) -> None:
    trial.expect("nothing", 0, 0)
    found: dict[str, int] = {}
    trial.expect("a key", found["absent"])


@pytest.mark.parametrize(
    ("check", "word", "remarks"),
    [
        (broken, "FAILS", "one and one: 2, expected 3"),
        (failing, "FAILS", "ToolError: the compiler is missing"),
        (wrong, "FAILS", "KeyError: 'absent'"),
        (lambda trial: None, "MISSING", ""),
        (lambda trial: trial.differs(True, "another clock"), "MISSING", "another clock"),
        (lambda trial: trial.expect("one", 1, 1), "works", ""),
        (lambda trial: [trial.expect("1", 1, 1), trial.beside("LUT", 1, 1)], "works", ""),
        (
            lambda trial: [trial.expect("1", 1, 1), trial.beside("LUT", 1, 2000)],
            "works, differs",
            "LUT 1, in the document 2,000",
        ),
    ],
)
def test_a_verdict(check: Callable[[Trial], object], word: str, remarks: str) -> None:
    found = verdict(check)
    assert (found.word, found.remarks) == (word, remarks)
    assert found.passed == (word in ("works", "works, differs"))


def test_a_row_that_no_document_has_is_shown() -> None:
    row = Row("T9", "a system", "totient list", lambda trial: trial.expect("1", 1, 1))
    assert [each.name for each in scoreboard.judge(papers(thesis=(row,)))][5:7] == ["T6", "T9"]


BREAKS: dict[str, tuple[object, str, Callable[..., Any]]] = {
    "no Record": (row_checks, "lookup", lambda *_: None),
    "golden model": (row_checks, "golden_power", lambda *_: -1),
}


@pytest.mark.parametrize("name", BREAKS)
@pytest.mark.parametrize("row", ["T1", "T2", "T3", "N1", "N4", "N8"])
def test_a_broken_core_fails(row: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, what, instead = BREAKS[name]
    monkeypatch.setattr(module, what, instead)
    trial = Trial()
    next(each for each in EVERY if each.name == row).check(trial)
    assert trial.faults


def tried(name: str) -> Trial:
    """The check of a row, done."""
    trial = Trial()
    next(each for each in EVERY if each.name == name).check(trial)
    return trial


def test_a_register_at_another_offset_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not tried("B2").faults
    changed = deepcopy(published("becannon"))
    written = changed["registers"]["written"]
    written[0], written[1] = written[1], written[0]
    monkeypatch.setattr(becannon_rows, "published", lambda _: changed)
    assert [fault.partition(",")[0] for fault in tried("B2").faults] == ["q", "p"]


def test_further_registers_are_those_without_a_field_of_the_document() -> None:
    further = next(each for each in tried("B2").differences if each.startswith("further"))
    assert further == "further registers: STEP_COUNTS, IDENTIFICATION"


def test_power_that_was_not_estimated_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [each for each in thesis_power.points() if (each.row, each.bits) != ("T2", 64)]
    monkeypatch.setattr(thesis_rows, "points", lambda: iter(found))
    assert tried("T4").faults == ["power of T2, 64 bits: False, expected True"]


def test_clocks_and_power_of_another_tool_are_differences() -> None:
    clock, *_, power = tried("T4").differences
    assert clock == "clocks on ecp5-85f, in the document on XC7A100T-1"
    assert power.startswith("dynamic power estimated from activity, ")


def test_times_of_processors_are_beside_the_documents() -> None:
    names = ("Raspberry Pi 4", "Arduino Uno", "ESP8266")
    assert [
        each[: len(name)] for each, name in zip(tried("B4").differences, names, strict=True)
    ] == [*names]
    chip = next(each for each in processors() if each.name == "cortex-a72")
    least, most = becannon_rows.tiny_seconds(chip)
    assert 0 < least < most < 1e-4
    counted = next(each for each in processors() if each.name == "atmega328p")
    assert becannon_rows.tiny_seconds(counted) == ((7673 + 3880 + 43623) / 16e6,) * 2


def test_a_time_in_the_range_is_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = deepcopy(published("becannon"))
    for each in changed["processors"]["devices"]:
        each["ms"] = 0.01
    monkeypatch.setattr(becannon_rows, "published", lambda _: changed)
    assert [each.split()[0] for each in tried("B4").differences] == ["Arduino", "ESP8266"]


def test_a_power_that_python_does_not_have_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diemert_powers, "power_in_full", lambda message, key: 1)
    sizes = [f"whole powers, a modulus of {bits} bits" for bits in diemert_powers.SIZES]
    assert [fault.partition(":")[0] for fault in tried("D1").faults] == sizes


C_ERRORS = {
    "D2": ("power_table.c", "i < ENTRIES; i++)\n        if", "i < ENTRIES - 1; i++)\n        if"),
    "D3": ("power_remainder.c", "result * base % n", "result * base % (n - 1)"),
    "D4": ("montgomery_plain.c", "if (high != 0 || p >= n)", "if (high != 0)"),
}
"""An error in a row's C: its file, what stands there, what stands there then."""


@pytest.mark.parametrize("row", C_ERRORS)
def test_an_error_in_c_fails(row: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not tried(row).faults
    name, right, wrong = C_ERRORS[row]
    for folder in ("firmware/montgomery", "driver/include"):
        shutil.copytree(project_root() / folder, tmp_path / folder)
    file = tmp_path / "firmware" / "montgomery" / name
    assert file.read_text().count(right) == 1
    file.write_text(file.read_text().replace(right, wrong))
    monkeypatch.setattr(diemert_host, "project_root", lambda: tmp_path)
    diemert_host._library.cache_clear()
    faults = tried(row).faults
    diemert_host._library.cache_clear()
    assert any(" mod " in fault for fault in faults)


def test_that_no_board_ran_the_overlay_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "neither Vivado nor a PYNQ-Z2" in tried("E4").differences[0]
    monkeypatch.setattr(evantash_rows, "BOARDS", {"pynq_z2": None})
    assert tried("E4").differences == []
    monkeypatch.setattr(evantash_rows, "MEMORY", Segment(0x4000_0000, 0x0100_0000))
    assert tried("E4").faults


def test_other_cores_than_the_documents_are_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    (row,) = (each for each in EVERY if each.name == "E5")
    assert row.command == "totient reproduce evantash --table ours"
    (said,) = tried("E5").differences
    explored = {each.row for each in evantash_exploration.VARIANTS}
    assert {*re.findall(r"\b[TN]\d", said)} == explored
    assert "directives of its core with a fixed key" in said
    assert "cycles x period, without a new synthesis" in said
    fixed = results.Measurement("fixed", select_ip("E2"), find_target(results.UTILISED), ())
    monkeypatch.setattr(evantash_rows, "measurements", lambda: iter([fixed]))
    assert tried("E5").differences == []


@pytest.mark.parametrize(
    "row",
    [each for each in EVERY if each.name in ("T4", "T5", "B1", "B3", "E2", "E3", "E5", "D6")],
    ids=lambda row: row.name,
)
def test_without_a_record_nothing_is_measured(row: Row, monkeypatch: pytest.MonkeyPatch) -> None:
    def measured(*_: object, **__: object) -> None:
        raise AssertionError("a check measures")

    monkeypatch.setattr(row_checks, "lookup", lambda *_: None)
    monkeypatch.setattr(results, "measure", measured)
    trial = Trial()
    row.check(trial)
    assert any(re.match(r"a Record of .* of this RTL: False", fault) for fault in trial.faults)


def test_commands_run_once_and_their_failure_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    run = subprocess.run

    def counted(words: list[str], **given: Any) -> subprocess.CompletedProcess[str]:
        ran.append(words[-1])
        return run(words, **given)

    monkeypatch.setattr(subprocess, "run", counted)

    def passes(trial: Trial) -> None:
        trial.expect("nothing", 0, 0)

    commands = ("totient list", "totient list", "totient show nothing")
    rows = tuple(Row(f"T{n}", "", each, passes) for n, each in enumerate(commands, 1))
    verdicts = scoreboard.judge(papers(thesis=rows))[:3]
    scoreboard.run_commands(verdicts)
    assert [each.word for each in verdicts] == ["works", "works", "FAILS"]
    assert [each.checks for each in verdicts] == [2, 2, 2]
    assert ran == ["list", "nothing"]
    assert verdicts[2].remarks.startswith(
        "`totient show nothing` has exit status 2: totient: unknown design 'nothing'"
    )
    report = scoreboard.report(verdicts, ran=True)
    assert report.command == "totient reproduce all --run"
    assert list(report.findings) == ["3 rows: 2 works, 1 FAILS", "FAILS: T3"]


def test_the_session_of_the_system_is_the_papers() -> None:
    """Its figure 11: cipher, modulus and private exponent give the message."""
    (row,) = (each for each in EVERY if each.name == "B3")
    example = published("becannon")["examples"][0]
    typed = "! ".join(str(example[each]) for each in ("cipher", "n", "d"))
    assert row.command == f'echo "1 {typed}!" | totient run B3'
    assert row.shows == f"-> Output message: {example['message']}"


def test_a_command_that_does_not_print_what_it_must_is_a_fault() -> None:
    def passes(trial: Trial) -> None:
        trial.expect("nothing", 0, 0)

    shown = ("montgomery", "montgomery-8000")
    rows = tuple(
        Row(f"T{n}", "", "totient list", passes, shows=each) for n, each in enumerate(shown, 1)
    )
    verdicts = scoreboard.judge(papers(thesis=rows))[:2]
    scoreboard.run_commands(verdicts)
    assert [each.word for each in verdicts] == ["works", "FAILS"]
    assert verdicts[1].remarks == "`totient list` does not print `montgomery-8000`"


def test_figures_beside_each_other() -> None:
    trial = Trial()
    figures: tuple[tuple[Value, Value], ...] = ((1, 1), (None, 2), (2.5, 2.0))
    for ours, paper in figures:
        trial.beside("cycles", ours, paper)
    assert trial.differences == ["cycles -, in the document 2", "cycles 2.5, in the document 2.0"]
