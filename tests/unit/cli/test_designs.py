"""list and show."""

import pytest

from tests.unit.conftest import Run
from totient.catalog import designs, registers, select
from totient.check import Check, On, Outcome
from totient.measure import committed


def test_list_names_every_design_and_row(run: Run) -> None:
    shown = run("list").text
    for design in designs():
        assert design.name in shown
        assert all(row in shown for row in design.rows)


def test_list_for_programs(run: Run) -> None:
    entries = run("list", "--json").good.json["designs"]
    assert [entry["name"] for entry in entries] == [design.name for design in designs()]


@pytest.mark.parametrize("name", ["montgomery", "T3", "t3", "montgomery-2048"])
def test_show_takes_designs_rows_and_configurations(name: str, run: Run) -> None:
    entry = run("show", name, "--json").good.json
    assert entry["name"] == "montgomery"
    assert entry["timing"] == "exponent-length"
    width = next(p for p in entry["parameters"] if p["name"] == "width")
    assert width["value"] == (2048 if name.endswith("2048") else 1024)
    assert width["allowed"] == "8 to 4096"


def test_show_gives_formulas_and_ranges(run: Run) -> None:
    shown = run("show", "T2").text
    assert "ceil(width/32) + 8" in shown
    assert "8 to 4096" in shown
    assert "totient:ip:rsa_binary" in shown


def test_show_tells_what_an_engine_takes_for_rsa(run: Run) -> None:
    """Cycles of whole operations as a device counts them, and no row: the engine has none."""
    shown = run("show", "engine-8", "--width", "2048").text
    assert "RSA-2048     91,286 to load the key, 1,328,833 for a private operation" in shown
    assert " for a public one, e = 65537" in shown
    assert "depends on lengths, on options and on the value of the public exponent" in shown
    assert "length only" not in shown
    assert "RSA-3072" not in shown
    assert shown.startswith("engine: ")
    assert "rows" not in shown
    known = run("show", "engine-8", "--width", "1024", "--json").good.json["rsa"]
    assert list(known) == ["RSA-512", "RSA-1024"]
    assert "RSA-8192" in run("show", "engine?width=8192&elements=62").text
    assert run("show", "T3", "--json").good.json["rsa"] == {}


def test_a_check_of_a_netlist_is_on_the_device_of_the_tables(
    run: Run,
) -> None:
    words = ["check", "T2", "--width", "8", "--netlist", "synthesised", "--count", "2"]
    first = run(*words).text.splitlines()[0]
    assert first.startswith("binary?width=8, synthesised for ecp5-85f, unknowns by seed 1, 2: ")
    (ran,) = run(*words, "--json").good.json["runs"]
    assert (ran["netlist"], ran["target"], ran["unknowns"]) == ("synthesised", "ecp5-85f", [1, 2])
    assert ran["exponentiations"] > 2 * 2
    assert ran["faults"] == []


@pytest.mark.parametrize(
    ("words", "ran"),
    [
        (["T2"], [Check(select("T2"), 100)]),
        (["T2", "--netlist", "routed"], 3 * [Check(select("T2", width=1024), 3, exponent_bits=17)]),
        (["T2", "--netlist", "synthesised", "--count", "7"], [Check(select("T2"), 7)]),
        (["T2", "--netlist", "synthesised", "--private"], [Check(select("T2"), 100, private=True)]),
        (
            ["engine-62", "--netlist", "routed", "--route-seed", "2", "--seed", "5"],
            [
                Check(select("engine-62", form=1), 2, 5, private=True, bits=1024),
                Check(select("engine-62", form=1), 1, 5, private=True, bits=2048),
            ],
        ),
    ],
)
def test_what_a_check_runs(
    words: list[str], ran: list[Check], monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    """As much as is asked for, and of a netlist without a number what its Record states."""
    found: list[Check] = []

    def note(self: Check, on: On) -> Outcome:
        found.append(self)
        faults = ["wrong"] if len(found) == len(ran) else []
        return Outcome(1, 1, 0, 1, faults, "all is right")

    monkeypatch.setattr(Check, "run", note)
    assert run("check", *words).status == 1
    assert found == ran


def test_show_tells_the_registers_of_a_face(run: Run) -> None:
    shown = run("show", "rsa_axil").text
    for name, register in registers("stream_registers").items():
        assert f"0x{register.offset:03x}" in shown
        assert name in shown
    assert "FifoWords" in shown
    entry = run("show", "rsa_axil", "--json").good.json
    assert entry["registers"]["RESPONSE"]["offset"] == 56
    assert "BitCycles" in run("show", "rsa_uart").text


def test_show_tells_what_a_record_says(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """LUT, clock and time of a Record; nothing of one that is of other RTL; nothing without."""
    words = ["show", "binary", "--width", "32"]
    shown = run(*words).text
    (found,) = [
        record
        for _, record in committed()
        if record.design == "binary"
        and dict(record.parameters) == select("binary", width=32).parameters
        and record.target == "ecp5-85f"
    ]
    assert f"{found.utilisation.lut:,} LUT, {found.utilisation.ff:,} FF" in shown
    assert (
        f"{found.fmax_mhz:.1f} MHz: nextpnr's figure with the AXI4-Stream face, the median of "
        in shown
    )
    assert "0 block RAM: the core without a face, synthesis with Yosys" in shown
    assert f"public: {found.operations['public'].cycles.mean:,} cycles, " in shown
    monkeypatch.setattr("totient.measure.store.is_stale", lambda record: True)
    shown = run(*words).text
    assert "its Record is of other RTL, targets or tools" in shown
    assert " LUT, " not in shown
    assert "no Record is kept of this configuration" in run("show", "binary", "--width", "37").text
