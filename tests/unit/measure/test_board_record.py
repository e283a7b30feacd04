"""Records of boards: kept, read, stale when what they are of has changed."""

import dataclasses
from pathlib import Path

import pytest

from tests.unit.measure.conftest import RIGHT, VERDICTS, WRONG, runs_of
from totient.common.errors import InputError
from totient.compare import boards
from totient.flow.boards import find_board
from totient.measure import (
    BoardRecord,
    NetlistRun,
    board_records,
    is_stale,
    netlist_verdict,
    save,
    store,
)


def committed() -> BoardRecord:
    return next(board_records())


def test_no_committed_record_of_a_board_is_stale() -> None:
    assert [each.label for each in board_records() if is_stale(each)] == []


def test_each_is_of_what_the_table_shows() -> None:
    """A bitstream without a Record is shown as such."""
    kept = [(each.board, each.subject, each.registers) for each in board_records()]
    needed = [(board.name, subject, behind) for board, subject, behind in boards.needed(10**6)]
    assert kept
    assert all(each in needed for each in kept)
    rows = boards.compare().tables["bitstreams"].rows
    assert len(rows) == len(needed)
    assert sum(boards.NOT_MADE in row for row in rows) == len(needed) - len(kept)


def test_a_record_is_kept_and_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = runs_of({1: RIGHT, 2: WRONG, 3: RIGHT})
    first = dataclasses.replace(_plain(), netlist=run)
    monkeypatch.setattr(store, "results_folder", lambda: tmp_path)
    behind = dataclasses.replace(first, registers=True)
    names = [save(each).name for each in (first, behind)]
    assert names == ["rsa_keygen-ulx3s.json", "rsa_keygen-registers-ulx3s.json"]
    read = list(board_records())
    assert read in ([first, behind], [behind, first])
    assert [each.netlist for each in read] == [run, run]


def _plain() -> BoardRecord:
    return next(each for each in board_records() if each.design == "rsa_keygen")


@pytest.mark.parametrize(
    "change",
    [
        ('"schema": 1', '"schema": 9'),
        ('"clock_mhz"', '"clock"'),
        ('"1":', '"one":'),
        ("{", "[{"),
    ],
)
def test_a_damaged_one_is_refused_and_named(
    change: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = committed().to_text()
    monkeypatch.setattr(store, "results_folder", lambda: tmp_path)
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "x.json").write_text(text.replace(*change, 1))
    with pytest.raises(InputError, match=r"^x\.json: .*(damaged|schema 9)"):
        list(board_records())


def test_a_record_is_stale_when_what_it_is_of_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    record = _plain()
    provenance = record.provenance
    for changed in (
        dataclasses.replace(record, board="gone"),
        dataclasses.replace(record, design="gone"),
        dataclasses.replace(record, provenance=dataclasses.replace(provenance, sources="x")),
        dataclasses.replace(record, provenance=dataclasses.replace(provenance, tools={})),
    ):
        assert is_stale(changed)
    moved = dataclasses.replace(find_board("ulx3s"), pins={"clk": "A1"})
    monkeypatch.setattr(store, "find_board", lambda name: moved)
    assert is_stale(record)


@pytest.mark.parametrize(("runs", "computes", "verdict"), VERDICTS)
def test_a_clock_is_shown_of_netlists_that_compute(
    runs: dict[int, NetlistRun],
    computes: bool | None,
    verdict: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = dataclasses.replace(
        _plain(),
        clock_mhz=62.5,
        fmax_mhz={1: 61.0, 2: 62.54, 3: 60.0},
        netlist=runs_of(runs),
    )
    assert netlist_verdict(record) == verdict
    monkeypatch.setattr(boards, "board_records", lambda: iter([record]))
    table = boards.compare().tables["bitstreams"]
    (row,) = (row for row in table.texts if boards.NOT_MADE not in row)
    shown = "not run" if computes is None else "wrong"
    expected = ["62.5", "61.0, 62.5, 60.0"] if computes else [shown, shown]
    assert row[0] == "rsa_keygen on ulx3s"
    assert row[2:] == [*expected, verdict]
