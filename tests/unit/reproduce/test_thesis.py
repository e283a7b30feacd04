"""The thesis' comparisons and contradictions, T2 with an early end, and claims about them."""

import copy
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.unit.reproduce import drawn, rows
from totient.catalog import select
from totient.common.files import project_root
from totient.common.papers import published
from totient.golden.exponentiation import binary_products
from totient.golden.interleaved import InterleavedMultiplier
from totient.measure import requests
from totient.report import Report
from totient.reproduce import find_paper, thesis_rows
from totient.reproduce.thesis_designs import (
    PRODUCTS,
    contradictions,
    designs,
    device,
    duration_ns,
    findings,
    line,
    power_contradiction,
    printed_twice,
)
from totient.reproduce.thesis_early import early_cycles, early_findings, nearest_message
from totient.reproduce.thesis_rows import numbers, ports

PAPER = published("thesis")
WIDTHS, LATENCY = PAPER["bits"], PAPER["latency"]


@pytest.fixture(scope="module")
def data() -> Any:
    return find_paper("thesis").load()


@pytest.fixture(scope="module")
def done() -> Report:
    return find_paper("thesis").reproduce()


def test_the_readme_has_the_number_of_tables(done: Report) -> None:
    shown = {each for table in done.tables.values() for each in numbers(table.title)}
    text = (project_root() / "README.md").read_text()
    claim = re.search(r"Tables 1 to (\d+) of the thesis' (\d+)", text)
    assert claim
    assert set(range(1, int(claim[1]) + 1)) == shown
    assert int(claim[2]) == PAPER["last_table"]


def test_numbers_of_tables() -> None:
    assert numbers("Table 3: clocks") == {3}
    assert numbers("Tables 11 to 13: power") == {11, 12, 13}
    assert numbers("Table 1 and section 6.2: RSA-1024") == {1}
    assert numbers("RSA-1024: cost") == set()


def test_printed_throughputs_follow_from_printed_times(done: Report) -> None:
    table = rows(done, "throughput")
    for _, whose, *four in table[:3]:
        assert whose == "thesis"
        stated, by_time = four[:2], four[2:]
        assert by_time == pytest.approx(stated, rel=1e-4)
    ours = {row[0]: row[4:] for row in table[3:] if row[1] == "ours"}
    assert ours["T3 at 10 MHz"][0] == pytest.approx(1024e7 / 2582)


def test_shares_of_the_device(data: Any) -> None:
    for row in device(data).rows:
        *_, lut, ff, fitting = values = [float(str(each or 0)) for each in row[2:]]
        if row[1] == "thesis":
            stated_lut, stated_ff = values[2:4]
            assert ff == pytest.approx(stated_ff, abs=0.01)
            assert lut > stated_lut + 0.5, "the thesis divides by another number"
            assert lut > 50
            assert fitting == 1
        else:
            assert fitting > 1


def test_the_published_designs(done: Report) -> None:
    table = rows(done, "designs")
    assert len({row[:2] for row in table}) == 10
    cycles = {row[:3]: row[5] for row in table if row[5] is not None}
    # A latency of one period: it is not that of an encryption.
    assert cycles["Sahu, Pradhan [7]", "Montgomery", 32] == pytest.approx(1, abs=1e-3)
    few = [name for (name, *_), each in cycles.items() if float(str(each)) < PRODUCTS]
    assert few == ["Sahu, Pradhan [7]", *["Leelavathi et al. [20]"] * 2, "Saini et al. [21]"]
    beside = {row[:3]: row[10:] for row in table}
    pair = beside["Xiao et al. [24]", "Montgomery", 1024]
    assert [float(str(each)) for each in pair] == pytest.approx([278e-6, 258.2e-6])
    assert beside["Saini et al. [21]", "binary", 1024][0] == pytest.approx(1384e-6)
    assert beside["Parihar, Nakhate [22]", "Montgomery", 2048] == (None, None)
    assert duration_ns(9.895e-9) == "9.895 ns"
    assert duration_ns(2.368e-6) == "2.368 µs"
    assert duration_ns(None) == "-"


def test_the_note_tells_what_the_cycles_of_published_designs_are_made_of(done: Report) -> None:
    """Latency x MHz; of the designs that it names, their bits at the stated throughput."""
    table = done.tables["designs"]
    (note,) = (each for each in table.notes if each.startswith("cycles in it: "))
    rule = note.partition(". An exponentiation")[0]
    assert rule.startswith("cycles in it: latency x MHz; of ")
    assert rule.endswith(", without a latency, bits x MHz / (bit/s)")
    for name, _, bits, mhz, seconds, cycles, rate, *_ in table.rows:
        assert (str(name) in rule) == (cycles is not None and seconds is None), name
        if cycles is None:
            assert None in (mhz, seconds or rate), name
            continue
        time = seconds or int(str(bits)) / float(str(rate))
        assert cycles == pytest.approx(float(str(mhz)) * 1e6 * float(str(time))), name


def test_a_design_without_latency_and_throughput_has_no_cycles(
    data: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    paper = copy.deepcopy(PAPER)
    own = {"name": "Another [21]", "method": "binary", "bits": 1024, "mhz": 10, "watts": 1}
    paper["designs"] = [own]
    monkeypatch.setattr(data, "paper", paper)
    table = designs(data)
    assert table.column("cycles in it") == [None]
    assert table.notes[0].startswith(
        "cycles in it: latency x MHz. An exponentiation by 65537 has 17"
    )


def test_latencies_are_the_printed_ones(done: Report) -> None:
    """They are the cycles at 10 MHz, rounded or with digits cut off, but for one contradiction."""
    differing = []
    for row, name in (("T1", "repeated"), ("T2", "latency-T2"), ("T3", "latency-T3")):
        table = done.tables[name]
        seconds = table.column("thesis latency")
        assert seconds == LATENCY[row]["seconds"]
        for bits, cycles, time in zip(WIDTHS, table.column("thesis"), seconds, strict=True):
            printed = Decimal(repr(time))
            last_digit = Decimal(1).scaleb(int(printed.as_tuple().exponent))
            if abs(int(str(cycles)) / Decimal(10**7) - printed) >= last_digit:
                differing.append((row, bits))
    assert differing == [("T1", 32)]  # `contradictions` states it
    shown = done.tables["latency-T2"].texts[2]
    assert shown[1:3] == ["1,777", "178 µs"]
    table = done.tables["summary"]
    columns = map(table.column, ("design", "whose", "65537"))
    times = {row: time for row, whose, time in zip(*columns, strict=True) if whose == "thesis"}
    assert times == {row: LATENCY[row]["seconds"][-1] for row in ("T2", "T3")} | {"T1": None}


def test_the_figure_has_cycles_luts_and_flip_flops(
    done: Report, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    cycles, *cells = drawn("thesis", done, monkeypatch, tmp_path)
    assert cycles.get_title() == "Cycles of an exponentiation"
    assert [axes.get_title() for axes in cells] == [
        "Figure 11: LUTs on Artix-7",
        "Figure 12: flip-flops on Artix-7",
    ]
    for axes, name in zip(cells, ("lut", "ff"), strict=True):
        lines = {
            str(line.get_label()): np.asarray(line.get_ydata()).tolist() for line in axes.lines
        }
        assert len(lines) == len(done.tables[name].rows) == 8
        for row in ("T1", "T2", "T3"):
            assert lines[f"{row}, thesis"] == PAPER[name][row]
        for variant, whose, *counts in done.tables[name].rows:
            dsp = ", with DSP blocks" * ((variant, whose) == ("T3", "ours"))
            assert lines[f"{variant}, {whose}{dsp}"] == counts


def test_contradictions(data: Any) -> None:
    found = [list(contradictions(PAPER, row)) for row in ("T1", "T2", "T3")]
    assert found == [
        [
            "Table 6 at 32 bits has 69,476 cycles, its latency means 69,580 and its throughput "
            "69,580"
        ],
        [],
        [],
    ]
    (power,) = power_contradiction(PAPER)
    assert power.startswith("Section 6.3 takes 0.192 W for T2 where Table 12 has 0.202")
    assert "(0.192 is the total of T1)" in power
    assert power.endswith("so that 6.197 times should be 5.89")
    stated = ". ".join([found[0][0], power, *printed_twice(PAPER)])
    assert findings(data)["contradictions"] == stated
    assert findings(data)["slack"] == "hold"


def test_without_contradictions_none_is_stated(data: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    repaired = copy.deepcopy(PAPER)
    repaired["latency"]["T1"]["cycles"][0] = 69580
    repaired["survey"]["T2_watts"] = 0.202
    repaired["twice"] = []
    repaired["order"]["design"] = "Laracy [8], worst case"  # 2.4 µs
    repaired["frequency_method"]["slack"] = "setup"
    assert not [each for row in ("T1", "T2", "T3") for each in contradictions(repaired, row)]
    assert not list(power_contradiction(repaired))
    monkeypatch.setattr(data, "paper", repaired)
    stated = findings(data)
    assert stated["contradictions"] is stated["slack"] is None
    broken = copy.deepcopy(PAPER)
    broken["latency"]["T3"]["cycles"][2] = 386
    assert len(list(contradictions(broken, "T3"))) == 1


def test_a_line_through_table_9() -> None:
    found = line(WIDTHS, LATENCY["T3"]["cycles"])
    assert found["slope"] == pytest.approx(2.70, abs=0.005)
    assert found["offset"] == pytest.approx(14.5, abs=0.05)
    assert 6 < found["off"] < 6.3
    assert line([1, 2, 4], [10, 20, 40]) == {"slope": 10, "offset": 0, "off": 0}
    assert line([1, 2, 3], [10, 25, 30])["off"] == pytest.approx(20)


@pytest.mark.parametrize("width", [32, 64, 256])
@pytest.mark.parametrize("bits", [2, 17, None])
def test_early_cycles_are_those_of_the_golden_multiplier(width: int, bits: int | None) -> None:
    ((operation,),) = requests("public", width)
    base = operation.base
    if bits is not None:
        base >>= base.bit_length() - bits
        assert base.bit_length() == bits
    multiplier = InterleavedMultiplier(width, early_end=True)
    products = binary_products(base, 65537, 17, operation.modulus, False)
    each = [multiplier.cycles(product.scanned) for product in products]
    assert len(each) == PRODUCTS
    assert early_cycles(width, "public", bits) == sum(each) + width // 32 + 9


def test_the_nearest_messages() -> None:
    theirs = LATENCY["T2"]["cycles"]
    near = [nearest_message(width, cycles) for width, cycles in zip(WIDTHS, theirs, strict=True)]
    assert near[1].cycles == theirs[1]
    assert all(abs(each.cycles / count - 1) < 0.1 for each, count in zip(near, theirs, strict=True))
    for each, width, count in zip(near, WIDTHS, theirs, strict=True):
        off = abs(each.cycles - count)
        for bits in (each.bits - 1, each.bits + 1):
            if bits:
                assert abs(early_cycles(width, "public", bits) - count) >= off
    found = early_findings(WIDTHS, theirs)
    assert found["cycles"] == 13701
    assert found["whole"] == select("T2", width=1024).operation_cycles(
        requests("public", 1024)[0][0]
    )


def test_tables_7_and_8_have_the_early_end(done: Report) -> None:
    latency, spread = done.tables["latency-T2"], done.tables["spread-T2"]
    near = latency.column("early end: 65537, that message")
    assert near[1] == 891
    assert all(
        int(str(each)) < int(str(most))
        for each, most in zip(near, latency.column("T2: 65537"), strict=True)
    )
    early = spread.column("early end, short messages, 17-bit keys")
    ours = spread.column("ours, 17-bit keys")
    assert all(float(str(a)) <= float(str(b)) for a, b in zip(early, ours, strict=True))
    assert not [c for c in done.tables["spread-T3"].columns if "early" in c.heading]


def test_findings(done: Report) -> None:
    text = "\n".join(done.findings)
    assert "1.73 to 1.85 times as long for all ones as for all zeros" in text
    assert "finds its maximum clocks from the hold slack" in text
    assert "33 mW active and 3.9 µW" in text
    assert "WRONG" not in text


def test_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    renamed = ports(PAPER["ports"])
    assert set(PAPER["ports"]) == {
        *("clk", "ds", "reset", "mpand", "mplier", "modulus", "product", "ready")
    }
    assert renamed["ds"] == "valid_i"
    assert renamed["ready"] == "valid_o ready_o"
    with pytest.raises(LookupError, match="no port start_i of the multiplier"):
        ports({"ds": "start_i"})
    assert ports({"clk_i": "clk_i"}) == {}
    assert thesis_rows.ROWS_OF_PAPER[0].name == "T1"


def test_figures_that_are_printed_twice() -> None:
    paper = copy.deepcopy(published("thesis"))
    clock, latency, rate, other, order = printed_twice(paper)
    assert clock == "T2's maximum clock, MHz: 28.387 in Table 3, 28.287 in section 6.3"
    assert "1.348 in section 6.1" in latency
    assert "739.844 in section 6.1" in rate
    assert other.startswith("The latency of the binary design of [20], ns: 33.67")
    assert order.startswith("Section 6.3 calls 9.895 ns against 7.2 µs ")
    assert order.endswith("it is 728 times")
    for each in paper["twice"]:
        each["places"] = dict.fromkeys(each["places"], 1)
    assert [*printed_twice(paper)] == [order]
    # The first places are those of the tables.
    paper = published("thesis")
    first = [next(iter(each["places"].values())) for each in paper["twice"]]
    latency = paper["latency"]["T2"]
    assert first[0] == paper["frequency"]["T2"]
    assert first[1] == pytest.approx(1e3 * latency["seconds"][-1])
    assert first[2] == pytest.approx(latency["bits_per_second"][-1] / 1e3)


def test_the_notes_name_the_seeds_of_the_routes(done: Report) -> None:
    """T1's Record with 1,024 bits has seed 5 in place of seed 2."""
    assert any("median of three seeds each (1, 2, 3, 5)" in note for note in done.provenance)
