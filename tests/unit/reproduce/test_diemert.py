"""A Montgomery product from C to hardware: the counts are right, kept, and made again alike."""

import shutil
from pathlib import Path

import pytest

from tests.unit.reproduce import rows
from totient.common.errors import InputError, ToolError
from totient.common.papers import marked, published
from totient.processor import Processor
from totient.report import Report
from totient.reproduce import (
    diemert,
    diemert_powers,
    diemert_programs,
    diemert_text,
    find_paper,
    stock_rsa,
)
from totient.reproduce.diemert_counts import DiemertCounts
from totient.reproduce.diemert_powers import break_even
from totient.reproduce.diemert_programs import (
    arm_processors,
    count,
    count_product,
    counting_program,
    counts_file,
    instructions,
    known_counts,
    moduli,
    soft_processor,
    source_digest,
)

WAYS = (diemert_text.FIGURE_3, diemert_text.HALF_ADDER, diemert_text.XOR)


@pytest.fixture(scope="module")
def kept() -> DiemertCounts:
    return DiemertCounts.from_text(counts_file().read_text())


@pytest.fixture(scope="module")
def done() -> Report:
    return diemert.PAPER.reproduce()


def test_the_counts_are_of_the_sources_as_they_are(kept: DiemertCounts) -> None:
    """Else `totient bench --only diemert` has to make them again."""
    assert kept.sources == source_digest()
    assert known_counts() == kept
    assert kept.to_text() == counts_file().read_text()


@pytest.mark.parametrize("processor", arm_processors(), ids=lambda each: each.name)
def test_assembly_counts_the_same_again(kept: DiemertCounts, processor: Processor) -> None:
    """It is the same with every compiler; C is where the compiler is the same."""
    program = counting_program(processor)
    same = diemert_programs.compiler_version() == kept.tools[processor.compiler]
    for form in ("assembly", *(("optimised", "words") if same else ())):
        assert count_product(program, "-O2", form) == kept.product(processor.name, "-O2", form)


def test_the_coprocessor_counts_the_same_again(kept: DiemertCounts) -> None:
    """A program on VexRiscv's RTL with the multiplier on its bus, caches warm."""
    program = counting_program(soft_processor())
    for form, name in (("assembly", "driver"), ("direct", "direct")):
        expected = kept.product("vexriscv", "-O2", name)
        a, b, n = (int(each, 16) for each in expected.operands)
        operands = [each for each in ((a, b, n), (0, 0, 1)) for _ in range(2)]
        counts = count(program, form, operands)
        assert (counts[1], counts[3]) == (expected.worst_64, expected.best)


def test_the_assembly_takes_what_its_text_says(kept: DiemertCounts) -> None:
    """26 instructions before, between and after the loops, and 9 to 14 for each bit."""
    program = counting_program(arm_processors()[0])
    assert instructions(program, "assembly") < published("diemert")["static"]["assembly"]
    top = (1 << 64) - 1
    for a, b, n in ((0, 0, top), (top - 1, top - 1, top), *moduli(64)[:9]):
        (taken,) = count(program, "assembly", [(a, b, n)])
        p = total = 0
        for place in range(64):
            bit, odd = a >> place & 1, (p ^ (a >> place & b)) & 1
            total += {(0, 0): 9, (0, 1): 13, (1, 0): 14, (1, 1): 13}[bit, odd]
            p = (p + bit * b + odd * n) >> 1
        assert taken == total + 26


def test_the_assembly_saves_more_than_the_reports(kept: DiemertCounts) -> None:
    for processor in arm_processors():
        assembly = kept.product(processor.name, "-O2", "assembly")
        optimised = kept.product(processor.name, "-O2", "optimised")
        assert assembly.worst_64 <= 0.76 * optimised.worst_64
        assert assembly.worst_64 < published("diemert")["executed"]["assembly"]


def test_a_wrong_result_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    program = counting_program(arm_processors()[0])
    assert count(program, "remainder-short", [(7, 5, 143)])[0] > 0
    monkeypatch.setattr(diemert_programs, "expected", lambda *_: 1)
    with pytest.raises(ToolError, match="assembly on ARM Cortex-M3 gave a wrong result"):
        count(program, "assembly", [(0, 0, 143)])


def test_damaged_counts_are_refused(kept: DiemertCounts) -> None:
    text = kept.to_text()
    for damaged in (text[:-9], text.replace('"schema": 1', '"schema": 9'), "{}", "[]"):
        with pytest.raises(InputError, match="counts"):
            DiemertCounts.from_text(damaged)


def test_tables(done: Report, kept: DiemertCounts) -> None:
    products = rows(done, "products")
    assert [row[3] for row in products[:4]] == [198, 123, 125, 92]
    assert [row[6] for row in products[2:4]] == [4785, 3619]
    assert {row[0] for row in products} == {"D4", "D5", "ours"}
    assert {row[0] for row in rows(done, "powers")} == {"D2", "D3", "D4", "D5", "D6", "ours"}
    hardware = {row[0]: row[1:] for row in rows(done, "hardware")}
    assert hardware["cycles, 64 bits: section 5.1"] == (43, 70, 38)
    assert hardware["cycles, 64 bits: section 5.4 (derived)"] == (64, 70, 38)
    assert hardware["64 bits, ns, at the report's period"] == (340, 70 * 5.306, 38 * 5.306)
    # Table 1 of the report, in full.
    parts = ["adders", "subtractors", "comparators", "multiplexers of 64 bits"]
    parts += ["multiplexers of a bit", "xor of a bit"]
    assert [hardware[each][0] for each in parts] == [2, 1, 1, 5, 66, 1]
    assert hardware["cycles, modulus 1"] == (None, 7, 7)
    assert hardware["cycles, 32 bits (derived)"] == (32, 38, 22)
    assert hardware["register bits (derived)"][0] == 385
    assert hardware["period, ns"][0] == 5.306
    chain = {row[0]: row[1:] for row in rows(done, "chain")}
    assert [row[0] for row in chain.values()] == [37, None, 26, 24, 31.75, 81.76, None]
    coprocessor = {str(row[1]): row for row in rows(done, "coprocessor")}
    direct = coprocessor["coprocessor, by its registers"]
    assert float(str(direct[5])) > 10, "ten times faster than C bit by bit"


def test_findings(done: Report) -> None:
    text = "\n".join(done.findings)
    assert "WRONG" not in text
    for figure in ("37 %", "24 %", "31.75 times", "81.76 times", "5.306 ns", "43 in one place"):
        assert figure in text, figure
    assert "does not follow from the report's parts, whose product is 66.3" in text
    assert "it is 9,321 executed instructions of the plain C" in text
    assert "At the report's period ours takes 371 ns" in text
    # The report's formula for C is right for some operands, and always where it never adds twice.
    assert diemert_text.product(4, 6, 7) == 4 * 6 * pow(8, -1, 7) % 7
    assert 50 < diemert_text.right_share(32) < 100
    assert diemert_text.right_share(64) < 50


def test_the_ways_to_n() -> None:
    """A half adder is figure 3's n, with its errors. The XOR alone adds n once at most."""
    for odd_sum, odd_addend in ((0, 0), (0, 1), (1, 0), (1, 1)):
        n = [diemert_text.multiple(way, odd_sum, odd_addend) for way in WAYS]
        assert n == [odd_sum + odd_addend, odd_sum + odd_addend, (odd_sum + odd_addend) % 2]
    for bits in (32, 62, 64):
        half, whole, low = (diemert_text.right_share(bits, way) for way in WAYS)
        assert half == whole <= low
        # Up to 62 bits no sum is longer than 64.
        assert (low == 100) == (bits <= 62)
        assert (half < 100) == (bits >= 32)


def test_what_is_derived_follows_from_what_is_printed() -> None:
    paper = published("diemert")
    executed, hardware, parts = paper["executed"], paper["hardware"], paper["components"]
    derived = {
        "executed.compiled": executed["assembly"] + executed["fewer"],
        "executed.plain": round(hardware["whole_speedup"] * hardware["arm_cycles_64"]),
        "hardware.loops": round(hardware["most_ns"] / hardware["period_ns"]),
        "hardware.loops_32": round(
            hardware["arm_cycles_32"] * hardware["arm_period_ns"] / hardware["period_ns"]
        ),
        "components.register_bits": 64 * parts["registers_64"] + parts["registers_1"],
    }
    assert set(paper["derived"]) == set(derived)
    for path, value in derived.items():
        table, _, name = path.partition(".")
        assert paper[table][name] == value, path
        assert marked(paper, path, "x") == "x (derived)"
    assert marked(paper, "static.plain", "x") == "x"
    assert marked({}, "static.plain", "x") == "x"


def test_a_table_pays_from_a_number_of_powers_on(done: Report, kept: DiemertCounts) -> None:
    """Row D2: made once, used again; and made for each power."""
    counts = {each.form: each for each in kept.powers if each.processor == "cortex-m3"}
    made, by_table = counts["table-make"], counts["table-raise"]
    each_time, without = counts["table"], counts["remainder"]
    assert made.public == made.full
    for quantity in ("public", "full"):
        one, other = getattr(by_table, quantity), getattr(without, quantity)
        assert 0 <= getattr(each_time, quantity) - made.public - one < 2000
        number = break_even(made.public, one, other)
        assert number is not None
        assert made.public + number * one < number * other
        if number > 1:
            assert made.public + (number - 1) * one >= (number - 1) * other
    assert break_even(100, 20, 10) is None
    assert [break_even(100, 10, 20), break_even(99, 10, 20)] == [11, 10]
    (finding,) = (each for each in done.findings if each.startswith("Look-up table (row D2)"))
    for number in (made.public, by_table.public, each_time.public, without.public):
        assert f"{number:,}" in finding


def test_the_table_counts_the_same_again(kept: DiemertCounts) -> None:
    processor = arm_processors()[0]
    program = counting_program(processor)
    if diemert_programs.compiler_version() == kept.tools[processor.compiler]:
        n = (1 << 64) - 1
        operands = [(n - 1, 65537, n), (n - 1, n, n)]
        for form in ("table-make", "table-raise"):
            (found,) = (each for each in kept.powers if each.form == form)
            assert count(program, form, operands) == (found.public, found.full)


def test_stock_rsa_at_more_sizes(done: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    table = rows(done, "stock")
    assert [row[0] for row in table] == [8, 12, 16, 32, 64]
    for *numbers, verdict in table:
        bits, n, e, d, cipher_bits, message_bits = (int(str(each)) for each in numbers)
        assert n.bit_length() == bits
        assert verdict == ("both directions" if bits <= 16 else "encryption only") + ", right"
        assert cipher_bits == int((n - 2) ** e).bit_length()
        if bits <= 16:
            assert message_bits == int(pow(n - 2, e, n) ** d).bit_length()
    monkeypatch.setattr(diemert_powers, "power_in_full", lambda message, key: 1)
    wrong = diemert_powers.stock(8)
    assert wrong.verdict.endswith("WRONG")


def test_the_figure(done: Report, tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.svg" for name in "ab"]
    for path in paths:
        find_paper("diemert").draw(done, path)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_stock_rsa() -> None:
    """Row D1: the whole power and its remainder are what `pow` gives."""
    public, private = stock_rsa.make_keys(11, 13)
    assert (public, private) == ((7, 143), (103, 143))
    for message in (0, 1, 9, 142):
        cipher = stock_rsa.power_in_full(message, public)
        assert cipher == stock_rsa.power(message, public) == pow(message, 7, 143)
        assert stock_rsa.power_in_full(cipher, private) == message
    for raises in (stock_rsa.power, stock_rsa.power_in_full):
        with pytest.raises(ValueError, match="the message 143 is not below the modulus 143"):
            raises(143, public)
    with pytest.raises(ValueError, match="e = 3 has a common factor with the totient 120"):
        stock_rsa.make_keys(11, 13, 3)


def test_without_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line that says what to install, where the counts have to be made anew."""
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(diemert_programs, "source_digest", lambda: "another")
    with pytest.raises(ToolError, match="apt-get install gcc-arm-none-eabi") as caught:
        known_counts()
    assert "\n" not in str(caught.value)
