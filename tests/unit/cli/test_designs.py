"""list and show."""

import json

import pytest

from totient.catalog import designs, registers, select
from totient.check import Check, On, Outcome
from totient.cli import main
from totient.measure import committed


def test_list_names_every_design_and_row(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    shown = capsys.readouterr().out
    for design in designs():
        assert design.name in shown
        assert all(row in shown for row in design.rows)


def test_list_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)["designs"]
    assert [entry["name"] for entry in entries] == [design.name for design in designs()]


@pytest.mark.parametrize("name", ["montgomery", "T3", "t3", "montgomery-2048"])
def test_show_takes_designs_rows_and_configurations(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", name, "--json"]) == 0
    entry = json.loads(capsys.readouterr().out)
    assert entry["name"] == "montgomery"
    assert entry["timing"] == "exponent-length"
    width = next(p for p in entry["parameters"] if p["name"] == "width")
    assert width["value"] == (2048 if name.endswith("2048") else 1024)
    assert width["allowed"] == "8 to 4096"


def test_show_gives_formulas_and_ranges(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "T2"]) == 0
    shown = capsys.readouterr().out
    assert "ceil(width/32) + 8" in shown
    assert "8 to 4096" in shown
    assert "totient:ip:rsa_binary" in shown


def test_show_tells_what_an_engine_takes_for_rsa(capsys: pytest.CaptureFixture[str]) -> None:
    """Cycles of whole operations as a device counts them, and no row: the engine has none."""
    assert main(["show", "engine-8", "--width", "2048"]) == 0
    shown = capsys.readouterr().out
    assert "RSA-2048     93,825 to load the key, 1,352,239 for a private operation" in shown
    assert " for a public one, e = 65537" in shown
    assert "depends on lengths, on options and on the value of the public exponent" in shown
    assert "length only" not in shown
    assert "RSA-3072" not in shown
    assert shown.startswith("engine: ")
    assert "rows" not in shown
    assert main(["show", "engine-8", "--width", "1024", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["rsa"]) == ["RSA-512", "RSA-1024"]
    assert main(["show", "T3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rsa"] == {}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["show", "T9"], "unknown design 'T9'; `totient list` names them"),
        (["show", "montgomry"], "unknown design 'montgomry', 'montgomery' is close; `totient"),
        (["show", "rsa_keygn"], "unknown design 'rsa_keygn', 'rsa_keygen' is close; `totient"),
        (["serve", "rsa_keygn"], "unknown design 'rsa_keygn'; `totient list` names them"),
        (["model", "sim-serial:T3"], "design 'sim-serial:T3' begins with sim-serial:, allowed is"),
        (["serve", "T3", "--link", "/none/l"], "cannot write /none/l: No such file or directory"),
        (["serve", "T3", "--link", ""], "a file is '', allowed is its path"),
        (["sign", "--key", "k", "--out", ""], "a file is '', allowed is its path"),
        (["reproduce", "thesis", "--plot", "."], "the figure is '.', allowed endings are"),
        (["reproduce", "thesis", "--json", "--markdown"], "--json and --markdown are both given"),
        (["check", "T2", "--count", "1000001"], "count is 1000001, allowed is 1 to 1000000"),
        (["check", "T2", "--width", "5"], "width is 5, allowed is 8 to 4096"),
        (["check", "T2", "--width", "4097"], "width is 4097, allowed is 8 to 4096"),
        (["check", "T2", "--count", "0"], "count is 0, allowed is 1 to 1000000"),
        (["check", "T2", "--set", "depth=3"], "design binary has no parameter 'depth', it has "),
        (["check", "T2", "--set", "depth"], "--set is 'depth', allowed is NAME=VALUE with "),
        (["check", "T2", "--width", "8", "--set", "width=9"], "width is given twice"),
        (
            ["check", "T2", "--netlist", "placed", "--target", "ecp5-85f"],
            "netlist is 'placed', allowed is synthesised, routed",
        ),
        (
            ["check", "T2", "--route-seed", "4"],
            "route-seed is 4, allowed with --netlist only",
        ),
        (["check", "T2", "--no-dsp"], "--no-dsp is given, allowed with --netlist only"),
        (["check", "T2", "--target", "ecp5-85f"], "target is ecp5-85f, allowed with --netlist "),
        (
            ["check", "T2", "--netlist", "routed", "--target", "artix7-100t"],
            "no place and route for target artix7-100t",
        ),
        (
            ["check", "T2", "--netlist", "synthesised", "--target", "x"],
            "unknown target 'x', known are ecp5-85f, ecp5-85f-6, ",
        ),
        (
            ["check", "T2", "--netlist", "synthesised", "--target", "ecp5-85f", "--unknowns", "0"],
            "unknowns is 0, allowed is 1 to 100",
        ),
        (["check", "T2", "--unknowns", "3"], "unknowns is 3, allowed with --netlist only"),
        (
            ["check", "T2", "--netlist", "routed", "--route-seed", "0"],
            "route-seed is 0, allowed are different numbers from 1 to 2147483647",
        ),
        (
            ["check", "T2", "--netlist", "routed", "--route-seed", "9" * 26],
            "route-seed is 99999999999999999999999999, allowed are different numbers from 1 to",
        ),
        (
            ["check", "T2", "--board", "ulx3s", "--target", "ecp5-85f"],
            "--target ecp5-85f is given, allowed without --board only",
        ),
        (["check", "T2", "--board", "ulx3s", "--no-dsp"], "--no-dsp is given, allowed without"),
        (["measure", "T2", "--seed", "0"], "--seed is 0, allowed are different numbers from 1"),
        (
            ["serve", "T2", "--board", "ulx3s", "--route-seed", "-1"],
            "--route-seed is -1, allowed are different numbers from 1 to 2147483647",
        ),
        (["netlists", "--jobs", "2"], "--jobs is 2, allowed with --run only"),
        (["netlists", "--widest", "64"], "--widest is 64, allowed with --run only"),
        (["netlists", "--run", "--jobs", "0"], "--jobs is 0, allowed is 1 or more"),
        (["netlists", "--only", "x"], "--only is x, with Records there are binary, digit_serial, "),
        (["bitstream", "--board", "ulx3s", "--seed", "0"], "--seed is 0, allowed are different "),
        (["bitstream", "--board", "nexys_a7", "--seed", "3"], "--seed is 3, nexys_a7 is routed by"),
        (["bitstream", "--board", "icebreaker"], "--design is not given, icebreaker has no room "),
        (["check", "engine-4", "--bits", "1024"], "bits is 1024, allowed with --private of an "),
        (
            ["check", "engine-4", "--private", "--bits", "1023"],
            "bits is 1023, allowed are multiples of 8, 512 to 4096",
        ),
        (
            ["check", "engine-4", "--width", "1031"],
            "width is 1031, allowed is 1024 or 2048 or 3072 or 4096",
        ),
        (["check", "engine", "--set", "elements=0"], "elements is 0, allowed is 1 to 128"),
        (
            ["check", "engine", "--width", "1024", "--set", "elements=65"],
            "elements is 65, allowed are 65 up for a width of 4096 only",
        ),
        (["check", "engine-8", "--set", "key_slots=4"], "key_slots is 4, allowed is 1 to 3"),
        (["check", "engine-8", "--set", "digit_bits=16"], "digit_bits is 16, allowed is 17 or 18"),
        (["check", "engine-8", "--set", "form=2"], "form is 2, which needs digit_bits 17: its "),
        (
            ["check", "T2", "--set", "fixed_time=1", "--set", "early_end=1"],
            "fixed_time is 1 and early_end is 1, allowed is only one of them",
        ),
        (["measure", "T2", "--target", "abacus"], "unknown target 'abacus', known are ecp5-85f, "),
        (["measure", "T2", "--op", "secret"], "unknown operation kind 'secret', known are public"),
        (["measure", "T2", "--width", "16"], "width is 16, allowed for kind public"),
        (["reproduce", "novel"], "unknown paper 'novel', known are thesis, nibouche"),
        (["reproduce", "thesis", "--table", "x"], "unknown table 'x', known are summary, "),
        (["measure", "engine-1", "--op", "public"], "unknown operation kind 'public' of engine?"),
        (["compare-engine", "--bits", "8192"], "--bits is 8192, allowed is 512, 1024, 2048, 3072"),
        (["compare-engine", "--table", "x"], "unknown table 'x', known are headline, private, "),
        (["compare-engine", "--table", "here"], "table 'here' is OpenSSL's on this machine, which"),
        (["bench", "--only", "x"], "no Record is of 'x' up to 4096 bits"),
        (["reproduce", "thesis", "--plot", "x.doc"], "the figure is 'x.doc', allowed endings are"),
    ],
)
def test_bad_input_is_one_line_and_status_2(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(f"totient: {message}")
    assert shown.err.count("\n") == 1


def test_a_check_of_a_netlist_is_on_the_device_of_the_tables(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["check", "T2", "--width", "8", "--netlist", "synthesised", "--count", "2"]
    assert main(words) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith("binary?width=8, synthesised for ecp5-85f, unknowns by seed 1, 2: ")
    assert main([*words, "--json"]) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert (run["netlist"], run["target"], run["unknowns"]) == ("synthesised", "ecp5-85f", [1, 2])
    assert run["exponentiations"] > 2 * 2
    assert run["faults"] == []


@pytest.mark.parametrize(
    ("words", "ran"),
    [
        (["T2"], [Check(select("T2"), 100)]),
        (["T2", "--netlist", "routed"], 3 * [Check(select("T2", width=1024), 3, exponent_bits=17)]),
        (["T2", "--netlist", "synthesised", "--count", "7"], [Check(select("T2"), 7)]),
        (["T2", "--netlist", "synthesised", "--private"], [Check(select("T2"), 100, private=True)]),
        (
            ["engine-64", "--netlist", "routed", "--route-seed", "2", "--seed", "5"],
            [
                Check(select("engine-64", form=1), 2, 5, private=True, bits=1024),
                Check(select("engine-64", form=1), 1, 5, private=True, bits=2048),
            ],
        ),
    ],
)
def test_what_a_check_runs(
    words: list[str], ran: list[Check], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As much as is asked for, and of a netlist without a number what its Record states."""
    found: list[Check] = []

    def run(self: Check, on: On) -> Outcome:
        found.append(self)
        faults = ["wrong"] if len(found) == len(ran) else []
        return Outcome(1, 1, 0, 1, faults, "all is right")

    monkeypatch.setattr(Check, "run", run)
    assert main(["check", *words]) == 1
    assert found == ran


def test_show_tells_the_registers_of_a_face(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "rsa_axil"]) == 0
    shown = capsys.readouterr().out
    for name, register in registers("stream_registers").items():
        assert f"0x{register.offset:03x}" in shown
        assert name in shown
    assert "FifoWords" in shown
    assert main(["show", "rsa_axil", "--json"]) == 0
    entry = json.loads(capsys.readouterr().out)
    assert entry["registers"]["RESPONSE"]["offset"] == 56
    assert main(["show", "rsa_uart"]) == 0
    assert "BitCycles" in capsys.readouterr().out
    assert main(["show", "rsa_axil", "--width", "64"]) == 2
    assert "whose parameters are the design's" in capsys.readouterr().err


def test_show_tells_what_a_record_says(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """LUT, clock and time of a Record; nothing of one that is of other RTL; nothing without."""
    words = ["show", "binary", "--width", "32"]
    assert main(words) == 0
    shown = capsys.readouterr().out
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
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert "its Record is of other RTL, targets or tools" in shown
    assert " LUT, " not in shown
    assert main(["show", "binary", "--width", "37"]) == 0
    assert "no Record is kept of this configuration" in capsys.readouterr().out
