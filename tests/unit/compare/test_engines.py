"""The engine beside the field: the others' data, and what follows from them and our Records."""

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from totient.catalog import Configuration, RsaLengths, rsa_cycles, select
from totient.catalog.engine import exponentiation
from totient.cli.bench import _ip_checks, _long_checks
from totient.common.errors import InputError, ToolError
from totient.common.papers import published
from totient.compare import devices, engine_figure, engine_tables, engines, needed, openssl_speed
from totient.compare.engine_tables import compare
from totient.compare.engines import growth_exponent, multiplier_use, word_products
from totient.compare.rings import Ring, rings
from totient.flow import CriticalPath, Routing, Target, Utilisation
from totient.measure import NetlistRun, NetlistRuns, Provenance, Record
from totient.measure.engine_table import CRT, DIGIT, kept_cycles
from totient.measure.store import committed
from totient.report import Report, Value

NAMES = ("engine-8", "engine-62")
LUT, FF, DSP, BLOCK_RAM = 16_000, 15_000, 120, 76
WITHOUT_NAMES = ("growth", "times-better", "fewer-cycles", "rings", "sizes")
PEER = "Cryptech ModExpA7, 4 elements, pipelined"


def record(configuration: Configuration, target: Target, mhz: float) -> Record:
    """A Record that is no measurement, of a netlist that computes."""
    return Record(
        design=configuration.name,
        parameters=dict(configuration.parameters),
        target=target.name,
        dsp=True,
        utilisation=Utilisation(LUT, FF, DSP, BLOCK_RAM, 0, {}),
        routing=Routing({1: mhz}, critical={1: CriticalPath("a", "b", 1, 1)}),
        operations={},
        provenance=Provenance("totient measure", {"pyosys": "1"}, (1,), "0", "0", "0"),
        netlist=NetlistRuns("totient check", {1: NetlistRun(10, 2000, 2, 0)}),
    )


@pytest.fixture(autouse=True)
def two_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of our configurations, without Records: the small ones take long to count."""
    monkeypatch.setattr(engines, "engines", lambda: {name: select(name) for name in NAMES})
    monkeypatch.setattr(engines, "lookup", lambda *_: None)


Clocked = Callable[..., None]


@pytest.fixture
def clocked(monkeypatch: pytest.MonkeyPatch) -> Clocked:
    """Gives them all a Record with this clock, and with further members changed."""

    def give(mhz: float, **changed: Any) -> None:
        def lookup(each: Configuration, target: Target, _: bool) -> Record:
            return replace(record(each, target, mhz), **changed)

        monkeypatch.setattr(engines, "lookup", lookup)

    return give


def cycles(bits: int) -> tuple[int, ...]:
    """Cycles of engine-62's operations, by the formula."""
    lengths = RsaLengths(bits, 65537, (bits // 2,) * 2)
    return tuple(rsa_cycles(select("engine-62").parameters, lengths))


def rows(done: Report, name: str) -> list[dict[str, Value]]:
    """Rows of a table by its headings; of equal ones, the second has a 2 behind it, and so on."""
    table = done.tables[name]
    headings: list[str] = []
    for place, column in enumerate(table.columns):
        before = [each.heading for each in table.columns[:place]].count(column.heading)
        headings.append(f"{column.heading} {before + 1}" if before else column.heading)
    return [dict(zip(headings, row, strict=True)) for row in table.rows]


def only(done: Report, name: str, **cells: Value) -> dict[str, Value]:
    """The only row of a table with these cells."""
    (row,) = (each for each in rows(done, name) if cells.items() <= each.items())
    return row


def test_the_others_data_agree_with_themselves() -> None:
    """Cycles over the clock are the times that were noted beside them."""
    data = published("field")
    pairs = 0
    for each in data["cores"]:
        assert each["whose"] in ("measured", "changed", "published"), each
        assert each["milliseconds"], each
        assert set(each["milliseconds"]) <= {"full", "public", "crt"}, each
        assert set(each.get("area", {})) <= set(engines.AREAS), each
        if each["whose"] == "published":
            assert "device" in each
            continue
        assert set(each["cycles"]) == set(each["milliseconds"]), each
        assert ("note" in each) >= (each["whose"] == "changed"), each
        for operation, cycles in each["cycles"].items():
            noted = each["milliseconds"][operation]
            assert cycles / each["mhz"] / 1e3 == pytest.approx(noted, rel=0.04), each
            pairs += 1
    assert pairs == 25
    assert {each["bits"] for each in data["software"]} == {1024, 2048, 4096}


def test_area_times_time_and_ratios(clocked: Clocked) -> None:
    """Above 225 MHz the multipliers' limit counts; ratios are to what was measured here."""
    clocked(250)
    done, count = compare(2048), cycles(2048)[1]
    ours = only(done, "private", what="engine-62")
    assert ours["cycles"] == count
    assert ours["time"] == pytest.approx(count / 250e6)
    assert ours["time, at most 225 MHz"] == pytest.approx(count / 225e6)
    waited = (count + 4 * 64 + 401) / 225e3
    assert ours["LUT x ms"] == pytest.approx(LUT * waited)
    assert ours["DSP x ms"] == pytest.approx(DSP * waited)
    crt = only(done, "operations", what="engine-62", operation="rsa-crt")
    assert crt["time"] == pytest.approx(count / 225e6)
    assert len(rows(done, "times-better")) == len(NAMES) * 3
    best = only(done, "times-better", what="engine-62", operation="private")
    assert best["FF x ms"] == pytest.approx(FF * waited)
    assert best["block RAM x ms"] == pytest.approx(BLOCK_RAM * waited)
    # The least of the others' costs in block RAMs is that of 16 elements.
    costs = (7858 * 50, 7663 * 50, 36 * 50, 44 * 3_240_000 / 105e3)
    places = ("times less", "times less 2", "times less 3", "times less 4")
    for place, area, cost in zip(places, (LUT, FF, DSP, BLOCK_RAM), costs, strict=True):
        assert best[place] == pytest.approx(cost / (area * waited))
    assert f"{PEER}, LUT 392,900, FF 383,150, DSP 1,800; " in done.tables["times-better"].notes[0]


def test_the_time_of_a_public_operation_is_the_users_too(clocked: Clocked) -> None:
    clocked(250)
    row = only(compare(2048), "times-better", what="engine-62", operation="public")
    assert row["DSP x ms"] == pytest.approx(DSP * (cycles(2048)[2] + 4 * 64 + 452) / 225e3)


@pytest.mark.parametrize(
    ("changed", "said"),
    [({}, "is met"), ({"FF": 26_000}, "is not met"), ({"DSP": 131}, "is not met")],
)
def test_the_aim_is_in_each_kind_of_area(
    clocked: Clocked, changed: dict[str, int], said: str
) -> None:
    """Engines of fewer than 16 elements have none."""
    area = {"LUT": LUT, "FF": FF, "DSP": DSP} | changed
    used = Utilisation(area["LUT"], area["FF"], area["DSP"], BLOCK_RAM, 0, {})
    clocked(250, utilisation=used)
    found = compare(2048).findings
    aim = "20 times less LUT x time, 20 times less FF x time, 18 times less DSP x time"
    assert [each for each in found if "the aim" in each] == [f"engine-62: the aim of {aim} {said}."]
    (small,) = (each for each in found if each.startswith("engine-8: "))
    assert "4.2 times less LUT x time" in small


def test_what_a_user_waits_for(clocked: Clocked) -> None:
    """The time at the clock that the multipliers allow, from the first word to the last."""
    clocked(250)
    done = compare(2048)
    row = only(done, "user", what="engine-62")
    assert (row["cycles"], row["first word in to last word out"]) == (174_966, 175_623)
    assert row["time"] == pytest.approx(174_966 / 250e6)
    assert row["at most 225 MHz"] == pytest.approx(174_966 / 225e6)
    assert row["first in to last out"] == pytest.approx(175_623 / 225e6)
    assert (row["LUT"], row["nextpnr's"]) == (LUT, None)
    first = only(done, "headline", core="engine-62")
    assert (first["FF"], first["DSP"], first["block RAM"]) == (FF, DSP, BLOCK_RAM)
    assert (first["max MHz"], first["time"]) == (250, row["first in to last out"])
    assert first["LUT x ms"] == pytest.approx(LUT * 175_623 / 225e3)
    peer = only(done, "headline", core="Cryptech ModExpA7, 4 elements")
    assert peer["max MHz"] == 76.5
    assert peer["time"] == pytest.approx(5_250_000 / 76.5e6, rel=0.001)
    other = only(done, "fewer-cycles", what="Cryptech ModExpA7, 16 elements, pipelined")
    assert other["times those of engine-62"] == pytest.approx(3_240_000 / 174_966)


def test_without_a_run_of_its_netlist_nothing_is_said_of_the_clock(clocked: Clocked) -> None:
    clocked(250, netlist=None)
    done = compare(2048)
    for row in rows(done, "private")[: len(NAMES)]:
        assert row["LUT"] == LUT
        hidden = ("max MHz", "time", "time, at most 225 MHz", "LUT x ms", "DSP x ms")
        assert {row[each] for each in hidden} == {"not run"}
    ratios = rows(done, "times-better")
    assert {row["times less"] for row in ratios} == {"not run"}
    assert "LUT 392,900" in done.tables["times-better"].notes[0]
    assert "No clock, time or area x time of engine-8, engine-62" in done.findings[0]
    assert not any("times less" in line for line in done.findings)


def test_below_the_limit_the_maximum_clock_counts(clocked: Clocked) -> None:
    clocked(200)
    for row in rows(compare(2048), "private")[:2]:
        assert row["max MHz"] == 200
        assert row["time, at most 225 MHz"] == row["time"]


def test_the_others_without_crt_are_judged_by_their_full_exponent(clocked: Clocked) -> None:
    clocked(250)
    done = compare(512)
    measured = [row for row in rows(done, "private") if row["figures"] == "measured"]
    assert {row["operation"] for row in measured} == {"no CRT"}
    # Its flip-flops are not known.
    ratio = only(done, "times-better", what="engine-62", operation="private")
    count = cycles(512)[1] + 4 * 16 + 401
    assert ratio["times less"] == pytest.approx(6881 * 195_317 / 68 / (LUT * count / 225))
    assert ratio["times less 2"] is None
    assert "OpenCores rsa_512, LUT 19,764, DSP 143.6" in done.tables["times-better"].notes[0]


def test_what_has_no_record_is_said() -> None:
    done = compare(1024)
    ours = [row for row in rows(done, "private") if row["figures"] == "ours"]
    assert [row["what"] for row in ours] == list(NAMES)
    for row in ours:
        assert isinstance(row["cycles"], int)
        assert row["LUT"] is row["max MHz"] is row["time"] is row["LUT x ms"] is None
    for name, table in done.tables.items():
        said = any("no Record of engine-8, engine-62 on" in note for note in table.notes)
        assert said == (name not in WITHOUT_NAMES), name
    assert "nothing to compare but cycles" in done.findings[0]
    assert all(row["times less"] is None for row in rows(done, "times-better"))


@pytest.mark.parametrize("power", [0.5, 2, 3.25])
def test_the_growth_of_a_power_is_its_exponent(power: float) -> None:
    lengths = (512, 1024, 2048, 3072)
    assert growth_exponent(lengths, [7 * n**power for n in lengths]) == pytest.approx(power)
    assert growth_exponent(lengths[:1], [1]) is None


def test_cycles_grow_as_the_formula_says() -> None:
    done = compare(512)
    row = only(done, "growth", what="engine-62", operation="public")
    for bits in (512, 4096):
        assert row[f"{bits} bits"] == cycles(bits)[2]
    assert row["8192 bits"] == "does not fit"
    otbn = only(done, "growth", what="OpenTitan OTBN", operation="full")
    assert otbn["2048 bits"] == 18_900_000
    assert otbn["512 bits"] is otbn["8192 bits"] is None
    assert 2.6 < float(str(otbn["exponent of growth"])) < 2.9
    names = [(row["what"], row["operation"]) for row in rows(done, "growth")]
    assert ("OpenCores rsa_512", "full") not in names


def test_all_measured_sizes_are_shown() -> None:
    """Each Record on an ECP5, with its area and clock."""
    shown = rows(compare(1024), "sizes")
    assert {row["keys to, bits"] for row in shown} >= {2048, 4096, 8192}
    assert {str(row["device"]).partition("-")[0] for row in shown} == {"ecp5"}
    for _, each in committed("engine"):
        if each.target.startswith("ecp5"):
            wanted = each.parameters["width"], each.parameters["elements"], each.target
            (row,) = (row for row in shown if (*row.values(),)[:3] == wanted)
            area = each.utilisation
            assert (row["LUT"], row["block RAM"]) == (area.lut, area.block_ram)
            assert row["max MHz"] == each.shown_mhz
            figures = each.operations.get("rsa-crt-1024")
            assert row["cycles"] == (figures and figures.cycles.mean)


def test_rings_are_compared_with_shorter_ones() -> None:
    assert rings([90, 50, 60, 40, 70]) == [
        *(Ring(1, 90, 1), Ring(2, 50, 1), Ring(3, 60, 1.2), Ring(4, 40, 1), Ring(5, 70, 1.75)),
    ]
    done = compare(2048)
    for bits in (512, 1536, 2048):
        row = only(done, "rings", bits=bits)
        assert row["cycles, 62 elements"] == cycles(bits)[1]
        elements, fewest = row["elements of the fastest ring"], row["its cycles"]
        assert isinstance(elements, int)
        lengths = RsaLengths(bits, prime_bits=(bits // 2, bits // 2))
        assert rsa_cycles(select("engine", elements=elements).parameters, lengths)[1] == fewest
        assert min(kept_cycles()[str(bits)][str(DIGIT)][CRT]) == fewest
    for bits, most in (
        (512, 1.07),  # 17 elements have no shorter ring
        (640, 1.2),  # no ring ends for primes of 320 bits
        # A ring ends for these primes; that costs two cycles a product.
        *((each, 1.031) for each in (768, 1024, 1792, 4096)),
    ):
        lost = only(done, "rings", bits=bits)["most times those of a shorter ring"]
        assert isinstance(lost, float)
        assert lost < most, bits
    # The most, between the lengths of the table, is at 544 bits (docs/engine.md).
    lengths = RsaLengths(544, prime_bits=(272, 272))
    longer, shorter = (
        rsa_cycles(select("engine", elements=elements).parameters, lengths)[1]
        for elements in (28, 21)
    )
    assert (longer, shorter) == (27_495, 22_800)


def test_the_use_of_multipliers() -> None:
    """Of 31 products for the table, one of the first window and 6 of each further one.

    The base itself is in the table before.
    """
    configuration, lengths = select("engine-62"), RsaLengths(2048, prime_bits=(1024, 1024))
    products, count = exponentiation(configuration.parameters, lengths)
    windows = math.ceil(1024 / 5)
    assert products == 31 + 1 + 6 * (windows - 1)
    # 2 E + 6 cycles a pair of products, and a few where a window begins.
    assert 2 * 62 + 6 <= count / products < 2 * 62 + 7
    assert word_products(1024, 18) == 2 * 57**2 + 57
    use = multiplier_use(configuration, "private", 2048, 124)
    assert use == pytest.approx(2 * products * (2 * 57**2 + 57) / (124 * count))
    alone = multiplier_use(configuration, "full", 2048, 124)
    assert use is not None
    assert alone is not None
    assert 0.8 < use < 0.82
    assert 0.8 < alone < 0.82, "one stream, two passes"
    assert multiplier_use(configuration, "public", 2048, 124) is None


def test_software_of_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clocked: Clocked
) -> None:
    program = tmp_path / "openssl"
    program.write_text(
        "#!/bin/sh\n"
        'case "$1" in\n'
        'version) echo "OpenSSL 3.9.1 1 Jan 2030 (Library: OpenSSL 3.9.1 1 Jan 2030)";;\n'
        '*) echo "+R1:1:$4:1"; echo "+F2:2:${5#rsa}:4000.0:80000.0";;\n'
        "esac\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    clocked(100)
    done = compare(2048, software=True)
    assert done.command == "totient compare-engine --bits 2048 --software"
    here = rows(done, engine_tables.HERE)
    assert [row["what"] for row in here] == 2 * ["OpenSSL 3.9.1", *NAMES]
    assert [row["time"] for row in here if row["what"] == "OpenSSL 3.9.1"] == [1 / 4000, 1 / 80_000]
    assert here[2]["times faster than OpenSSL"] == pytest.approx(100e6 / cycles(2048)[1] / 4000)
    for command, message in (
        ("echo nothing", "openssl speed printed no rate for rsa512"),
        ("exit 3", "openssl version failed: status 3"),
    ):
        program.write_text(f"#!/bin/sh\n{command}\n")
        with pytest.raises(ToolError, match=message):
            openssl_speed.measure_openssl(512)


def test_lengths_that_the_engine_does_not_take() -> None:
    message = "--bits is 8192, allowed is 512, 1024, 2048, 3072 or 4096"
    with pytest.raises(InputError, match=message):
        compare(8192)


def test_the_figure_shows_ours_where_there_are_records(tmp_path: Path, clocked: Clocked) -> None:
    texts = []
    for _ in range(2):  # without Records, and with
        engine_figure.draw(compare(2048), tmp_path / "figure.svg")
        texts.append((tmp_path / "figure.svg").read_text())
        clocked(250)
    assert all("<!-- mod_sim_exp, no CRT -->" in text for text in texts)
    assert ["<!-- ours -->" in text for text in texts] == [False, True]
    assert len(texts[0]) < len(texts[1])


def test_bench_knows_the_records_and_its_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    ours = [item for item in needed(4096) if item.subject.name == "engine"]
    assert {(item.variant, item.target.name) for item in ours} == {
        (f"engine-{elements}", target)
        for elements in (1, 4, 8, 16, 32, 62)
        for target in ("ecp5-85f", "artix7-100t")
    } | {
        (f"{name} on {device}", device)
        for name, device, *width in (*devices.GRADES, *devices.OTHER_WIDTHS)
        if width != [8192]
    }
    assert {item.subject.parameters["form"] for item in ours} == {1, 2}
    assert {item.subject.width for item in needed(2048) if item.subject.name == "engine"} == {2048}
    assert 8192 in {item.subject.width for item in needed(8192) if item.subject.name == "engine"}
    assert len(list(_long_checks(4096))) > len(list(_long_checks(64))) > 0
    assert len(list(_ip_checks(4096))) > 2
