"""The papers' IPs: what their tables say is what was computed, and agrees with the papers."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.unit.reproduce import drawn, rows
from totient.catalog import Work, cycle_formulas, select_ip
from totient.common.papers import published
from totient.measure import Record, lookup
from totient.measure.examples import DECRYPTION, ENCRYPTION, KEY_GENERATION
from totient.report import Report
from totient.reproduce import (
    becannon,
    becannon_algorithm,
    becannon_text,
    evantash,
    evantash_exploration,
    evantash_runs,
    find_paper,
)


@pytest.fixture(scope="module")
def done() -> dict[str, Report]:
    """Both papers, reproduced once."""
    return {name: find_paper(name).reproduce() for name in ("becannon", "evantash")}


def test_becannon(done: dict[str, Report]) -> None:
    paper, ours, same, _, small, small_same = rows(done["becannon"], "values")
    assert paper[2:] == ours[2:] == same[2:] == (7, 800143763, 457173463, 9, 4782969, 9)
    assert small[2:] == small_same[2:] == (7, 143, 103, 9, pow(9, 7, 143), 9)
    cycles = [(row[3], row[5]) for row in rows(done["becannon"], "cycles")]
    assert [theirs for theirs, _ in cycles] == [501, 244, 2324, 341, 244, 564]
    assert all(int(str(ours)) <= int(str(theirs)) for theirs, ours in cycles)
    area = rows(done["becannon"], "area")
    parts = [str(row[0]).partition(",")[0] for row in area]
    own = ["the paper's algorithm"] * 2
    assert parts == ["core", *["core and registers"] * 4, *own, "system", "system"]
    assert area[0][2:6] == (1370, 3712, 0, 80)
    # Longer operands take more of each.
    assert all(int(str(area[6][place])) > int(str(area[5][place])) for place in (2, 3, 5))
    assert area[7][2:6] == (5904, 8895, 34, 83)
    # The system holds the IP; its 64 KB of ROM and 32 KB of RAM are block RAM.
    alone, system = area[1], area[8]
    for place in (2, 3, 5):
        assert int(str(system[place])) > int(str(alone[place]))
    assert 16 <= float(str(system[4])) <= 34
    routed = [row[6] for row in area if "ecp5" in str(row[1])]
    assert len(routed) == 2
    assert all(isinstance(mhz, float) and 20 < mhz < 400 for mhz in routed)
    assert done["becannon"].findings[0].startswith("Values: every key")


def test_the_records_have_the_cycles_that_the_tables_have(done: dict[str, Report]) -> None:
    ours = {row[1]: row[5] for row in rows(done["becannon"], "cycles")[:3]}
    kinds = {"key generation": KEY_GENERATION, "encryption": ENCRYPTION, "decryption": DECRYPTION}
    ip = select_ip("B1")
    for item in becannon.measurements():
        if item.subject == ip:
            record = lookup(ip, item.target, item.dsp)
            assert record
            kept = {step: record.operations[kind].cycles.mean for step, kind in kinds.items()}
            assert kept == ours


def test_the_documents_own_algorithm(done: dict[str, Report]) -> None:
    """Its counts by hand: 80 a repetition; ours by the RTL's header, 2 x 32 + 14 + 2 = 80 too."""
    table = rows(done["becannon"], "algorithm")
    assert [row[2] for row in table] == [6, 3, 29, 4, 3, 7]
    for _, step, many, theirs, fitted, ours, difference in table:
        assert isinstance(many, int)
        is_key = step == "key generation"
        assert theirs == fitted == 80 * many + (21 if is_key else 4)
        assert ours == 80 * many + (17 if is_key else 2)
        assert difference == (-4 if is_key else -2)
    assert [row[4] for row in rows(done["becannon"], "cycles")] == [row[5] for row in table]
    told = " ".join(done["becannon"].findings)
    assert "one reading explains every one of its 6 cycle counts" in told
    assert "equal the stated formula: 4 fewer" in told
    assert "The paper's times are its counts in single precision" in told


def test_message_only_mode_is_timed_as_the_papers_program_does(done: dict[str, Report]) -> None:
    """All cycles of the counter: the message's and 13 (`totient show B1`), 18.880 us by run B3."""
    given = [row[6] for row in rows(done["becannon"], "cycles")]
    assert given == [None, 172, 1888, None, 172, 436]


def test_the_algorithm_would_be_told_to_differ() -> None:
    examples = published("becannon")["examples"]
    assert becannon_algorithm.fit(examples).exact
    assert all(becannon_algorithm.is_printed(each, 100.0) for each in examples)
    for step, more in (("keys", 1), ("encrypt", 1), ("decrypt", 22)):
        first = {**examples[0], "cycles": {**examples[0]["cycles"]}}
        first["cycles"][step] += more
        assert not becannon_algorithm.fit([first, examples[1]]).exact, step
        assert not becannon_algorithm.is_printed(first, 100.0), step
    chosen = select_ip("rsa_restoring")
    (counts,) = becannon_algorithm.run_examples(chosen, examples[:1])
    assert becannon_algorithm.is_formula(examples[0], counts)
    assert counts.right(examples[0])
    later = replace(counts, given=replace(counts.given, cycles=243))
    assert not becannon_algorithm.is_formula(examples[0], later)
    other = replace(counts, given_back=replace(counts.given_back, result=8))
    assert not other.right(examples[0])


def test_what_the_document_says_of_its_figures(done: dict[str, Report]) -> None:
    shares = rows(done["becannon"], "shares")
    assert [row[2] for row in shares] == [16.0, 8.0, 76.0, 29.67, 21.24, 49.08]
    assert float(str(shares[0][3])) == pytest.approx(100 * 5.011 / 30.690)
    told = " ".join(done["becannon"].findings)
    assert "key generation 16.00 % printed, 16.33 % by its times" in told
    assert "The increase is 167 %" in told
    assert "29.67 % printed" not in told
    registers = rows(done["becannon"], "registers")
    alone = {str(row[3]): row[4] for row in registers if row[4]}
    assert alone == {
        "MOD_EXP_FINISH": "busy, error",
        "STEP_COUNTS": "key_generation, message",
        "IDENTIFICATION": "id, version",
    }
    assert (
        "ours 32: each register of 64 bits takes 2" in done["becannon"].tables["registers"].notes[0]
    )


def test_evantash(done: dict[str, Report]) -> None:
    for character, word, paper, *ours, decrypted in rows(done["evantash"], "words"):
        assert len(ours) == 4  # two IPs, and two overlays
        assert {paper, *ours} == {pow(int(str(word)), 65537, 6103297)}
        assert repr(chr(int(str(decrypted)))) == character
    assert len(rows(done["evantash"], "words")) == 13
    area = rows(done["evantash"], "area")[-4:]
    assert [str(row[0]).rpartition(", ")[2] for row in area] == ["artix7-100t", "ecp5-85f"] * 2
    assert all(isinstance(row[4], float) == ("ecp5" in str(row[0])) for row in area)
    first, second, figure, search, *others = done["evantash"].findings
    assert first.startswith("Words: all ciphers are the paper's")
    assert "our IP with the fixed key give the same" in figure
    assert "'w' (694407) for 'W' (2047352): the texts" in figure
    assert "3011 the first coprime one from 3 is 3, not the paper's 65537; for 17 and" in search
    assert "is 3, the paper's." in search
    assert second.endswith("whose cipher is the paper's 1351. Ours refuses it with an error code.")
    assert not any("WRONG" in finding for finding in others)


def test_the_papers_software(done: dict[str, Report]) -> None:
    """Figure 8's ciphers and the keys of figures 6 and 8, by Python's pow, and by ours."""
    n, e, d = (published("evantash")["key"][each] for each in "ned")
    table = rows(done["evantash"], "figure-8")
    assert "".join(str(row[0]).strip("'") for row in table) == "Hello, world!"
    for _, word, paper, software, fixed, other in table:
        assert paper == software == fixed == pow(int(str(word)), e, n)
        assert (paper == other) == (word != ord("w"))
    given, searched, small = rows(done["evantash"], "keys")
    assert given[2:6] == (e, d, e, d)
    assert searched[2:6] == (e, d, 3, pow(3, -1, 2026 * 3010))
    assert small[2:6] == (3, 2411, 3, 2411)
    for row, bits, tried in ((given, (11, 12), (e,)), (searched, (11, 12), (3,))):
        work = {"modulus": n, "tried": tried, "p_bits": bits[0], "q_bits": bits[1]}
        assert row[6] == cycles("key", 32, exponent_bits=17, **work)


def test_a_cipher_of_figure_8_that_differs_is_told() -> None:
    paper = published("evantash")
    theirs = list(paper["words"]["software"]["cipher"])
    for software, fixed in ((theirs, [*theirs[:-1], 1]), (theirs[1:], theirs)):
        runs = SimpleNamespace(software=software, software_fixed=fixed)
        found = evantash.of_figure(paper["words"], runs)  # type: ignore[arg-type]
        assert found["figure_software"] == "WRONG: ours differ"


def test_table_1_is_whole(done: dict[str, Report]) -> None:
    table = done["evantash"].tables["exploration"]
    assert len(table.rows) == 12
    assert table.column("area") == table.column("FF + 100 DSP")
    assert [*map(str, table.column("on the front"))].count("None") == 2
    front = {
        str(name)
        for name, mark in zip(table.column("variant"), table.column("on the front"), strict=True)
        if mark == "yes"
    }
    # By hand, from less area and more latency to the reverse.
    assert front == {
        "32 bits, no pipeline",
        "32 bits, no pipeline, 8 ns",
        "pipelined, 16 loops, II 61, 10 ns",
    }


def test_what_is_derived_is_marked(done: dict[str, Report]) -> None:
    """It follows from what is printed."""
    paper = published("becannon")
    assert paper["derived"] == ["examples.cycles"]
    for example in paper["examples"]:
        for step, microseconds in example["microseconds"].items():
            assert example["cycles"][step] == round(microseconds * paper["clock_mhz"])
    headings = [column.heading for column in done["becannon"].tables["cycles"].columns]
    assert "paper, cycles (derived)" in headings
    paper = published("evantash")
    assert paper["derived"] == ["software.one_integer.n"]
    case = paper["software"]["one_integer"]
    assert case["n"] == case["p"] * case["q"]


@pytest.mark.parametrize("name", ["becannon", "evantash"])
def test_every_conclusion_is_drawn(done: dict[str, Report], name: str) -> None:
    assert len(done[name].findings) == len(published(name)["conclusions"])


def test_parts_stand_below_what_they_are_parts_of(done: dict[str, Report]) -> None:
    whole, key, word = rows(done["evantash"], "times")[1:4]
    assert whole[0] == "generated keys"
    assert (key[0], word[0]) == ("of which key generation", "of which a word")
    assert int(str(key[3])) + int(str(word[3])) < int(str(whole[3]))
    table = done["evantash"].tables["times"]
    assert "\n| - of which a word | 1 |" in table.markdown
    assert not any("last bit" in note for note in table.notes)


def test_what_changes_from_run_to_run_has_two_digits(done: dict[str, Report]) -> None:
    table = done["evantash"].tables["software"]
    for _, _, here, span, _, _, ratio in table.texts:
        for text in (here, *span.split(" to "), ratio):
            number = text.partition(" ")[0]
            assert number == "-" or float(number) == float(f"{float(number):.2g}"), text
    assert table.columns[2].unit == "s"
    assert any(note.startswith("here / IP: time of the software") for note in table.notes)


def test_the_figure_of_the_structures(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every name of a point inside, and the ticks' names apart (pixels at 100 to an inch)."""
    monkeypatch.setattr(Record, "computes", property(lambda record: True))  # so all are drawn
    *both, _ = drawn("nibouche", find_paper("nibouche").reproduce(), monkeypatch, tmp_path)
    for axes in both:
        frame = axes.get_window_extent()
        assert len(axes.texts) == 8
        for text in axes.texts:
            assert text.get_window_extent().x1 < frame.x1 - 4
            assert text.get_window_extent().y1 < frame.y1 - 4
        for axis in (axes.xaxis, axes.yaxis):
            ticks = [*axis.get_majorticklabels(), *axis.get_minorticklabels()]
            boxes = [tick.get_window_extent() for tick in ticks if tick.get_text()]
            assert len(boxes) >= 3
            for place, box in enumerate(boxes):
                assert box.count_overlaps([other.padded(10) for other in boxes[place + 1 :]]) == 0


@pytest.mark.parametrize("name", ["becannon", "evantash"])
def test_the_figure(
    done: dict[str, Report], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    left, right, *explorations = drawn(name, done[name], monkeypatch, tmp_path)
    assert [axes.get_title() for axes in explorations] == (
        ["Exploration, the paper", "Exploration, ours, FF and DSP on Artix-7"]
        * (name == "evantash")
    )
    for axes in (left, right):
        frame, legend = axes.get_window_extent(), axes.get_legend()
        assert legend is not None
        assert not frame.overlaps(legend.get_window_extent())
        # The length of a bar is what it says only from 0 on.
        assert not axes.patches or (axes.get_xscale(), axes.get_xlim()[0]) == ("linear", 0)
        for label in axes.get_yticklabels():
            assert label.get_window_extent().x0 >= 0
    assert left.get_position().width == pytest.approx(right.get_position().width, rel=0.05)
    area = done[name].tables["area"]
    place = [column.heading for column in area.columns].index("DSP")
    texts = [text.get_text() for text in right.texts]
    assert texts == [f"{row[place]} DSP" for row in area.rows]
    assert all(text.get_window_extent().x1 < right.get_window_extent().x1 for text in right.texts)


FRONTS = {
    "Pareto front": "exploration",
    "Pareto front, 32 bits": "ours",
    "Pareto front, 64 bits": "ours",
}
"""Tables of the lines in the pictures of the explorations."""


def test_each_front_is_a_line_of_its_own(
    done: dict[str, Report], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Along it the area grows and the cost falls, and every variant is on its line or beyond."""
    *_, theirs, ours = drawn("evantash", done["evantash"], monkeypatch, tmp_path)
    lines = {str(line.get_label()): line for axes in (theirs, ours) for line in axes.lines}
    assert {label for label in lines if "front" in label} == {*FRONTS}
    for label, name in FRONTS.items():
        word = label.partition(", ")[2].removesuffix(" bits")
        table = done["evantash"].tables[name]
        cost = "cycles" if word else "latency as printed"
        words = map(str, table.column("word, bits")) if word else [""] * len(table.rows)
        columns = (table.column(each) for each in ("area", cost, "on the front"))
        variants = [
            (float(str(area)), float(str(spent)), best)
            for bits, area, spent, best in zip(words, *columns, strict=True)
            if bits == word and spent is not None
        ]
        steps = [tuple(each) for each in np.asarray(lines[label].get_xydata()).tolist()]
        best = sorted(variant[:2] for variant in variants if variant[2] == "yes")
        assert steps[::2] == best, label
        assert [spent for _, spent in best] == sorted((y for _, y in best), reverse=True)
        # A corner has the area of the next variant and the cost of the one before.
        corners = [(area, before) for (_, before), (area, _) in pairwise(best)]
        assert steps[1::2] == corners, label
        for area, spent, _ in variants:
            assert any(x <= area and y <= spent for x, y in best), label
    front = done["evantash"].tables["exploration"].column("on the front")
    assert len(theirs.texts) == front.count("yes")
    assert {text.get_text() for text in ours.texts} <= {
        str(name) for name in done["evantash"].tables["ours"].column("variant")
    }


def test_latencies_at_the_periods_are_said_to_be_cycles_times_period(
    done: dict[str, Report],
) -> None:
    table = done["evantash"].tables["ours"]
    for period in evantash_exploration.PERIODS:
        for spent, seconds in zip(*map(table.column, ("cycles", f"{period} ns")), strict=True):
            assert seconds == pytest.approx(int(str(spent)) * period * 1e-9)
    (note,) = (each for each in table.notes if each.startswith("10 ns, 9 ns, 8 ns: "))
    assert "cycles x the paper's clock period, without a new synthesis" in note


def cycles(part: str, prime_bits: int, **work: Any) -> int:
    """Of the stream IP, by formula."""
    chosen = select_ip("E3", prime_bits=prime_bits)
    return cycle_formulas(chosen.ip)[part].cycles(chosen, Work(**work))


def test_the_ips_cycles_beside_the_software(done: dict[str, Report]) -> None:
    """Of times of software only what holds anywhere; the cycles are the formula's."""
    table = rows(done["evantash"], "software")
    ours = [row[4] for row in table]
    # Place, bits of the register for a prime, of the modulus and of both primes; e, messages.
    for place, prime_bits, bits, lengths, e, messages in (
        (0, 32, (17 * 227).bit_length(), (5, 8), 3, 1),
        (2, 512, 1024, (512, 512), 65537, 1),
        (3, 32, (2027 * 3011).bit_length(), (11, 12), 65537, 13),
    ):
        work = {"modulus": 1 << bits - 1, "tried": (e,), "messages": messages}
        work |= {"p_bits": lengths[0], "q_bits": lengths[1]}
        there = {**work, "exponent_bits": e.bit_length()}
        back = {**work, "exponent_bits": sum(lengths), "new_exponent": True}
        encrypt = cycles("packet", prime_bits, **there, new_key=True)
        assert ours[place] == encrypt + cycles("packet", prime_bits, **back)
        if place == 3:
            assert ours[4] == cycles("packet", prime_bits, **there)
    assert [row[1] for row in table if row[1]] == [
        1.6703605651855469e-3,
        7.364403009414673,
        7.727622985839844e-3,
    ]
    for _, _, here, span, count, seconds, ratio in table:
        assert isinstance(here, float)
        assert here > 0
        assert " to " in str(span)
        if count is not None:
            assert seconds == int(str(count)) / 100e6
            assert ratio == here / seconds
    # The search for primes is the most of it, on any machine.
    assert float(str(table[1][2])) > float(str(table[2][2]))


def test_longer_keys(done: dict[str, Report]) -> None:
    table = rows(done["evantash"], "sizes")
    for size, row in zip((512, 1024, 2048), table, strict=True):
        work: dict[str, Any] = {"modulus": 1 << size - 1, "tried": (65537,)}
        work |= {"p_bits": size // 2, "q_bits": size // 2}
        steps = (("key", 17), ("load", 17), ("message", 17), ("message", size))
        key, load, encrypt, decrypt = counts = tuple(
            cycles(step, size // 2, **work, exponent_bits=length) for step, length in steps
        )
        seconds = (key + load + encrypt) / 100e6, (load + decrypt) / 100e6
        assert row == (size, *counts, *seconds, "accepted")


def test_a_signature_that_openssl_refuses_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evantash_runs, "SIZES", (512,))
    right = evantash_runs.sizes()
    assert not [text for text in evantash.of_sizes(right).values() if "WRONG" in str(text)]
    monkeypatch.setattr(evantash_runs, "verifies", lambda key, text, signed: False)
    wrong = evantash_runs.sizes()
    assert evantash.of_sizes(wrong)["accepted"] == (
        "WRONG, OpenSSL does not accept a key or a signature"
    )
    assert evantash.sizes_table(wrong).rows[0][-1] == "WRONG"
    inexact = [replace(size, exact=False) for size in right]
    assert str(evantash.of_sizes(inexact)["exact"]).startswith("WRONG: a number of cycles")


def test_the_times_by_the_lengths_of_exponents_are_judged() -> None:
    examples = published("becannon")["examples"]
    assert becannon_text.of_exponents(examples, [2, 1])["longer"] == "So it does"
    assert becannon_text.of_exponents(examples, [1, 2])["longer"] == "WRONG, it does not"
    other = {**examples[1], "e": 5, "cycles": {**examples[1]["cycles"], "encrypt": 245}}
    told = becannon_text.of_exponents([examples[0], other], [2, 1])
    assert (told["same_encryption"], told["es"]) == ("DIFFERENT times", "7 and 5")
