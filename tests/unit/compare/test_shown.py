"""A routed clock is shown only where its netlists compute: tables, figures, what they say.

Records are the committed ones with other runs of their netlists, and with other clocks: what does
not show a clock must be the same with any.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.conftest import Ran
from totient.catalog import Face, select, select_ip
from totient.common.papers import published
from totient.compare import (
    engine_figure,
    engine_tables,
    processor_figure,
    processor_tables,
)
from totient.export import datasheet
from totient.measure import NetlistRun, NetlistRuns, store
from totient.report import Column, Report, Table
from totient.report.values import NOT_RUN, WRONG
from totient.reproduce import find_paper
from totient.reproduce.results import of_clock

RIGHT, FAULTY = NetlistRun(10, 2000, 2, 0), NetlistRun(10, 2000, 2, 3)
Figure = Callable[[Report, Path], None]


pytestmark = pytest.mark.usefixtures("not_stale")


def of_paper(name: str) -> tuple[Callable[[], Report], Figure]:
    paper = find_paper(name)
    return paper.reproduce, paper.draw


SHOWN: dict[str, tuple[Callable[[], Report], Figure]] = {
    **{name: of_paper(name) for name in ("thesis", "nibouche", "diemert", "becannon")},
    "compare-engine": (engine_tables.compare, engine_figure.draw),
    "compare": (lambda: processor_tables.compare(1024, "private"), processor_figure.draw),
}


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize(("run", "word"), [(None, NOT_RUN), (FAULTY, WRONG)])
def test_nothing_follows_from_a_clock_that_is_not_shown(
    name: str, run: NetlistRun | None, word: str, ran: Ran, tmp_path: Path
) -> None:
    make, draw = SHOWN[name]
    made, drawn = [], []
    for times in (1, 1.25):
        ran(run, times)
        made.append(make())
        draw(made[-1], tmp_path / "figure.svg")
        drawn.append((tmp_path / "figure.svg").read_bytes())
    assert made[0] == made[1]
    assert drawn[0] == drawn[1]
    cells = [(table, v) for table, each in made[0].tables.items() for row in each.rows for v in row]
    hidden = {table for table, value in cells if value == word}
    assert hidden
    for name, table in made[0].tables.items():
        assert any(note.startswith(f"{word}: ") for note in table.notes) == (name in hidden)


@pytest.mark.parametrize("name", SHOWN)
def test_a_clock_of_netlists_that_compute_is_shown(name: str, ran: Ran) -> None:
    made = []
    for times in (1, 1.25):
        ran(RIGHT, times)
        made.append(SHOWN[name][0]())
    assert made[0].tables != made[1].tables
    cells = {value for table in made[0].tables.values() for row in table.rows for value in row}
    assert not cells & {NOT_RUN, WRONG}


def test_the_comparisons_draw_every_conclusion(ran: Ran) -> None:
    """But for those of which one excludes another."""
    ran(RIGHT)
    software = processor_tables.compare(1024, "private").findings
    assert len(software) == len(published("processors")["conclusions"]) - 1
    found = engine_tables.compare().findings
    assert len([text for text in found if "times less DSP x time" in text]) == 9
    assert len([text for text in found if "the aim of" in text]) == 3


@pytest.mark.parametrize("name", ["compare-engine", "nibouche"])
def test_a_figure_says_how_many_points_it_lacks(name: str, ran: Ran, tmp_path: Path) -> None:
    make, draw = SHOWN[name]
    for run in (None, RIGHT):
        ran(run)
        draw(make(), tmp_path / "figure.svg")
        said = "not drawn: netlists not run -->" in (tmp_path / "figure.svg").read_text()
        assert said == (run is None)


def test_a_datasheet_states_the_verdict_in_place_of_the_clock(ran: Ran) -> None:
    for subject in (select("T3", width=1024), select_ip("rsa_fixed")):
        made = {}
        for run in (None, FAULTY, RIGHT):
            for times in (1, 1.25):
                ran(run, times)
                made[run, times] = datasheet(subject, Face.STREAM)
        assert made[None, 1] == made[None, 1.25]
        assert made[FAULTY, 1] == made[FAULTY, 1.25]
        assert made[RIGHT, 1] != made[RIGHT, 1.25]
        assert "MHz: nextpnr's figure" in made[RIGHT, 1].replace(" with the AXI4-Stream face", "")
        assert "nextpnr's figure" not in made[None, 1] + made[FAULTY, 1]
        assert "ecp5-85f: netlist not run, so no clock is stated." in made[None, 1]
        assert "; its routed netlist: right in all of 30 operations" in made[RIGHT, 1]
        assert "netlist: wrong, by seeds 1, 2, 3" in made[FAULTY, 1]


def test_one_seed_that_has_not_been_run_hides_the_clock() -> None:
    _, record = next((path, each) for path, each in store.committed() if each.fmax_mhz)
    some = replace(record, netlist=NetlistRuns("x", {1: RIGHT, 2: RIGHT}))
    whole = replace(record, netlist=NetlistRuns("x", {1: RIGHT, 2: RIGHT, 3: RIGHT}))
    assert (some.shown_mhz, some.unshown) == (None, NOT_RUN)
    assert (whole.shown_mhz, whole.unshown) == (record.fmax_mhz, None)
    assert of_clock(some, lambda mhz: 1 / mhz) == NOT_RUN
    assert of_clock(whole, lambda mhz: 1 / mhz) == 1 / (record.fmax_mhz or 0)
    without = replace(whole, routing=None)
    assert (without.shown_mhz, without.unshown, of_clock(without)) == (None, None, None)
    assert of_clock(None) is None


def test_a_column_of_numbers_stays_one() -> None:
    columns = (Column("what"), Column("MHz"), Column("whose"))
    table = Table("x", columns, [("a", NOT_RUN, "ours"), ("b", None, "theirs")])
    assert table.of_text == [True, False, True]
