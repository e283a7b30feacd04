"""compare-engine: its forms."""

from pathlib import Path

import pytest

from tests.unit.conftest import Run
from totient.catalog import select
from totient.compare import engine_tables, engines


@pytest.fixture(autouse=True)
def one_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of our configurations, without a Record: the others take seconds to count."""
    monkeypatch.setattr(engines, "engines", lambda: {"engine-62": select("engine-62")})
    monkeypatch.setattr(engines, "lookup", lambda *_: None)


def test_for_programs(run: Run) -> None:
    printed = run("compare-engine", "--bits", "1024", "--table", "private", "--json").good.json
    assert printed["command"] == "totient compare-engine --bits 1024 --table private"
    (table,) = printed["tables"].values()
    assert len(table["columns"]) == len(table["units"]) == len(table["rows"][0])
    names = [row[0] for row in table["rows"]]
    assert names[0] == "engine-62"
    assert {"mod_sim_exp", "OpenTitan OTBN", "MSP430, 25 MHz"} < set(names)


def test_for_people_with_a_figure(tmp_path: Path, run: Run) -> None:
    figure = tmp_path / "field.svg"
    shown = run("compare-engine", "--plot", str(figure)).good
    assert f"figure written to {figure}" in shown.err
    assert figure.read_text().startswith("<?xml")
    for name in engine_tables.TABLES:
        assert (f"[{name}]" in shown.text) == (name != engine_tables.HERE)
    assert "How far ahead ours is" in shown.text
    lines = shown.text.splitlines()
    place = next(line for line in lines if line.startswith("core ")).index("operation")
    ours = next(line for line in lines if line.startswith("engine-62"))
    assert ours[place:].startswith("CRT, blinded"), "texts are not set to the left"


def test_in_markdown(run: Run) -> None:
    lines = run("compare-engine", "--table", "growth", "--markdown").text.splitlines()
    assert lines[0].startswith("| what | operation | 512 bits |")
    assert lines[2].startswith("| engine-62 | private |")
