"""The structures' paper: what limits a clock, and what the findings say of it."""

from dataclasses import replace
from typing import Any

import pytest

from tests.unit.conftest import Ran
from tests.unit.reproduce import rows
from totient.measure import NetlistRun
from totient.reproduce import find_paper, nibouche
from totient.reproduce.nibouche_formula import Loop, of_cycles
from totient.reproduce.results import ROUTED

pytestmark = pytest.mark.usefixtures("not_stale")

RIGHT = NetlistRun(10, 2000, 2, 0)


def findings(data: Any) -> dict[str, str]:
    """Values of the conclusions, as text."""
    return {name: str(value) for name, value in find_paper("nibouche").conclusions(data).items()}


def test_limits_are_those_of_the_records(ran: Ran) -> None:
    """Each structure is named once at each width, by the critical path of the median seed."""
    ran(RIGHT)
    data = find_paper("nibouche").load()
    told = findings(data)
    for end, width in (("", 1024), ("_first", 64)):
        arrays, others = told[f"arrays{end}"].split(", "), told[f"others{end}"].split(", ")
        assert sorted(arrays + others) == list(nibouche.ROWS)
        for row in nibouche.ROWS:
            routing = data.results.records[row, ROUTED, width].routing
            assert routing
            assert routing.typical
            ends = routing.typical.start + routing.typical.end
            assert (".u_modmul." in ends) == (row in arrays), (row, width)


def test_what_a_ratio_says_follows_from_the_limits(ran: Ran) -> None:
    ran(RIGHT)
    data = find_paper("nibouche").load()
    local = {"N3", "N4", "N6"}
    for inside, words in (
        (set(nibouche.ROWS), "a ratio of the arrays' clocks"),
        (set(nibouche.ROWS) - local, "a lower bound of the arrays' ratio"),
        (set(nibouche.ROWS) - {"N1"}, "no ratio of the arrays' clocks"),
    ):
        for row in nibouche.ROWS:
            place = "array" if row in inside else "control"
            data.results[row, ROUTED, 1024]["limit"] = place
        assert findings(data)["bound"].startswith(words)


def test_the_spread_is_of_the_seeds(ran: Ran) -> None:
    ran(RIGHT)
    data = find_paper("nibouche").load()
    key = "N5", ROUTED, 1024
    record = data.results.records[key]
    assert record.routing
    wide = replace(record.routing, fmax_mhz={1: 10.0, 2: 122.0, 3: 500.0})
    data.results.records[key] = replace(record, routing=wide)
    told = findings(data)
    assert told["widest"].startswith("N5 (10 to 500 MHz)")
    assert told["like"].endswith("within the spread of the seeds at 1024")


def test_printed_figures_and_those_of_the_times() -> None:
    done = find_paper("nibouche").reproduce()
    cost = rows(done, "cost")
    for row in cost:
        mhz, period = row[8], row[13]
        assert isinstance(mhz, int)
        assert isinstance(period, float)
        # The paper rounds its frequencies to whole MHz.
        assert abs(1e3 / period - mhz) < 0.6, row[0]
    earlier = {str(row[0]).partition(",")[0]: row for row in rows(done, "predecessors")[4:]}
    for name, structure, printed, exact in (
        ("radix 2", "N4", 0.82, 1 - 7.55 / 40.05),
        ("radix 16", "N7", 0.43, 1 - 6.78 / 11.95),
        ("carry-save", "N4", 0.73, 1 - 7.55 / 27.88),
    ):
        assert earlier[name][4:6] == (structure, printed)
        assert float(str(earlier[name][6])) == pytest.approx(exact)
    assert "N4 82 % and 81.1 %" in " ".join(done.findings)


def test_the_formula_is_judged_by_the_printed_times() -> None:
    """By hand: 100 cycles stated, l = 2, 400 measured: l is on the wrong side."""
    right = Loop("N1", 1, 100, 100.3, 100)
    other = Loop("N3", 2, 100, 400, 410)
    found = of_cycles([right, other])
    assert found["equal"] == "N1"
    assert found["formula"] == "does not hold for two interleaved operations (N3)"
    assert found["how"] == ": it divides by l where it should multiply"
    assert of_cycles([right])["formula"] == "holds for all structures"
    assert of_cycles([right])["how"] == ""
    assert of_cycles([replace(right, measured=300.0)])["formula"] == "does not hold (N1)"
    assert of_cycles([right, replace(other, measured=250.0)])["how"] == ""
