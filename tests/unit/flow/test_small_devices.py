"""iCE40 UP5K and Gowin GW1NR-9: counts, clocks, and netlists from their configurations."""

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from apycula import attrids, chipdb, gowin_pack

from totient.catalog import select
from totient.check import Netlist, On, Stage, check, subject
from totient.common.errors import InputError, ToolError
from totient.flow import TARGETS, Target, netlist_files, place_and_route, routed, synthesise
from totient.flow.boards import find_board
from totient.flow.clocks import GOWIN_LOOP, NO_LOOP, Dividers
from totient.flow.gowin.extraction import GowinExtraction
from totient.flow.ice40.configuration import Configuration, differences, parse
from totient.flow.ice40.database import database
from totient.flow.ice40.extraction import Ice40Extraction
from totient.flow.ice40.netlists import packed_again
from totient.flow.netlist import top_module
from totient.flow.processes import Children
from totient.flow.routing import CELLS, CONFIGURATION
from totient.flow.rtl import top_rtl

from .conftest import module

ICE40, GOWIN = TARGETS["ice40-up5k"], TARGETS["gowin-gw1nr9"]
SMALL = select("T2", width=8)


@pytest.fixture
def route(cache: Path) -> Path:
    """The small design, routed for the iCE40."""
    return routed(top_rtl(SMALL.top()), ICE40, 1)


def configuration(route: Path) -> Configuration:
    return parse(gzip.decompress((route / CONFIGURATION).read_bytes()).decode())


def bels(route: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads(gzip.decompress((route / CELLS).read_bytes()))
    return found


def toggle(changed: Configuration, x: int, y: int, row: int, column: int) -> None:
    rows = changed.tiles[x, y][1]
    bit = "10"[int(rows[row][column])]
    rows[row] = f"{rows[row][:column]}{bit}{rows[row][column + 1 :]}"


def test_counts(cache: Path) -> None:
    """An adder of 16 bits behind 16 registers: as many carries, and a LUT for each bit."""
    ice40, gowin = (synthesise(module("accumulator", Width=16), t) for t in (ICE40, GOWIN))
    assert (ice40.ff, ice40.dsp, ice40.block_ram) == (16, 0, 0)
    assert 15 <= ice40.carry <= 16
    assert 16 <= ice40.lut <= 18
    assert (gowin.ff, gowin.carry, gowin.dsp, gowin.block_ram) == (16, 16, 0, 0)
    assert 16 <= gowin.lut <= 17


def test_multiplier_blocks_are_used_unless_forbidden(cache: Path) -> None:
    rtl = module("products", Count=1)
    for target, command in ((ICE40, "synth_ice40 -device u"), (GOWIN, "-noiopads -nodsp")):
        assert synthesise(rtl, target).dsp >= 1
        assert target.synthesis_for(dsp=False).endswith(command)


@pytest.mark.parametrize(("target", "cell"), [(ICE40, "SB_MAC16"), (GOWIN, "MULT18X18")])
def test_no_clock_of_what_the_router_cannot_time(cache: Path, target: Target, cell: str) -> None:
    cannot = f"products has {cell} on {target.name}, which nextpnr cannot time"
    with pytest.raises(InputError, match=cannot):
        place_and_route(module("products", Count=1), target)


@pytest.mark.parametrize(
    "target", [ICE40, pytest.param(GOWIN, marks=pytest.mark.slow)], ids=lambda t: str(t.name)
)
def test_a_routed_netlist_passes(cache: Path, target: Target) -> None:
    outcome = check(SMALL, 3, 3, on=On(Netlist(Stage.ROUTED, target, unknowns=(1, 2))))
    assert outcome.faults == []
    assert outcome.cases == 6


def test_a_configuration_is_its_bitstream(route: Path, tmp_path: Path) -> None:
    with Children() as children:
        written = gzip.decompress((route / CONFIGURATION).read_bytes()).decode()
        packed_again(written, tmp_path, children)
    text = configuration(route).text()
    assert differences(parse(text), configuration(route)) == []
    other = parse(text)
    toggle(other, 1, 1, 0, 0)
    assert differences(parse(text), other) == ["the logic tile at 1, 1 is another one"]


def test_what_a_gowin_bitstream_holds(cache: Path, tmp_path: Path) -> None:
    """Of an accumulator: its registers and carries, and no pin of them that nothing drives."""
    route = routed(module("accumulator", Width=16), GOWIN, 1)
    (tmp_path / "device.fs").write_bytes(gzip.decompress((route / CONFIGURATION).read_bytes()))
    netlist = GowinExtraction(tmp_path / "device.fs", GOWIN.chip).cut_out(
        bels(route), "accumulator"
    )
    cells = top_module(netlist)["cells"].values()
    kinds = Counter(cell["type"] for cell in cells)
    assert sum(number for kind, number in kinds.items() if kind.startswith("DFF")) == 16
    assert kinds["MUX2"] >= 16
    for cell in cells:
        used = ("CLK", "CE", "D", "RESET", "S0") if cell["type"] != "LUT4" else ()
        assert not [pin for pin in used if cell["connections"].get(pin) == ["x"]]


@pytest.mark.parametrize(("pin", "name"), [("CE", "CEMUX_CE"), ("LSR", "LSR_MUX_LSR")])
def test_an_inverter_that_apicula_does_not_read(
    pin: str, name: str, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In front of enables or resets of all registers: each slice with one gets the bit for it."""
    route = routed(module("accumulator", Width=16), GOWIN, 1)
    (tmp_path / "device.fs").write_bytes(gzip.decompress((route / CONFIGURATION).read_bytes()))
    whole = chipdb.tile_bitmap

    def changed(chip: Any, bitmap: Any) -> Any:
        tiles = whole(chip, bitmap)
        gowin_pack.device = GOWIN.chip
        for (row, column), tile in tiles.items():
            kind = chip[row, column].ttyp
            for number in range(3) if "CLS0" in chip.shortval.get(kind, {}) else ():
                with_it, without = set[Any](), set[Any]()
                for setting, value in (("REGMODE", "FF"), (name, "INV"), (name, "SIG")):
                    for chosen in [with_it] * (value != "SIG") + [without] * (value != "INV"):
                        number_of = attrids.cls_attrids[setting], attrids.cls_attrvals[value]
                        gowin_pack.add_attr_val(chip, "SLICE", chosen, *number_of)
                fuses = (
                    gowin_pack.get_shortval_fuses(chip, kind, each, f"CLS{number}")
                    for each in (with_it, without)
                )
                for at in next(fuses) - next(fuses):
                    tile[at[0]][at[1]] = 1
        return tiles

    monkeypatch.setattr(chipdb, "tile_bitmap", changed)
    with pytest.raises(ToolError, match=rf"is of a register with an inverter at {pin}"):
        GowinExtraction(tmp_path / "device.fs", GOWIN.chip).cut_out(bels(route), "accumulator")


def test_a_global_network_that_does_not_get_everywhere_is_an_error(route: Path) -> None:
    changed = configuration(route)
    kind, _ = changed.tiles[3, 14]
    (place,) = database(changed.device).settings[kind]["ColBufCtrl.glb_netwk_2"]
    toggle(changed, 3, 14, *place)
    with pytest.raises(ToolError, match=r"does not get to 3, 14: ColBufCtrl.glb_netwk_2 is 0"):
        Ice40Extraction(changed).cut_out(bels(route), "rsa_binary")


def test_another_table_is_noticed(
    route: Path, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    """The look-up table of one output, inverted: the bits are what runs."""
    changed = configuration(route)
    column, row, cell = bels(route)["harness.m_axis_tvalid.0.either_LC"].split("/")
    x, y = int(column[1:]), int(row[1:])
    bits = database(changed.device).settings["logic"][f"LC_{cell[-1]}"]
    for place in (0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17):
        toggle(changed, x, y, *bits[place])
    netlist = Ice40Extraction(changed).cut_out(bels(route), "rsa_binary")
    files = netlist_files(json.dumps(netlist), ICE40)
    monkeypatch.setattr(subject, "routed_files", lambda *_: files)
    try:
        outcome = check(SMALL, 2, 3, on=On(Netlist(Stage.ROUTED, ICE40, unknowns=(1,))))
    except ToolError:
        return  # it answered what is no packet
    assert outcome.faults


def test_a_bit_without_a_meaning_is_an_error(route: Path) -> None:
    changed = configuration(route)
    at, rows = next((at, rows) for at, (kind, rows) in changed.tiles.items() if kind == "ramt")
    row, column = database(changed.device).settings["ramt"]["RamCascade.CBIT_4"][0]
    assert rows[row][column] == "0"
    toggle(changed, *at, row, column)
    with pytest.raises(ToolError, match=rf"ramt tile at {at[0]}, {at[1]} has a bit not known"):
        Ice40Extraction(changed).cut_out(bels(route), "rsa_binary")


@pytest.mark.parametrize("text", ["", ".device 5k\n", "nonsense", ".device 5k\n.logic_tile 1\n"])
def test_what_is_no_configuration_is_an_error(text: str) -> None:
    with pytest.raises(ToolError, match="the configuration cannot be read"):
        parse(text)


def test_a_device_without_a_database_is_an_error() -> None:
    with pytest.raises(ToolError, match="no database of iCE40 9k"):
        database("9k")


def test_constraints_of_boards() -> None:
    """Every port has its site, inputs at rest are pulled up, and a bank has its voltage."""
    pcf, cst = (find_board(name).constraints for name in ("icebreaker", "tang_nano_9k"))
    assert pcf.splitlines() == [
        *("set_frequency clk 12", "set_io clk 35", "set_io -pullup yes button 10"),
        *("set_io -pullup yes uart_rx 6", "set_io uart_tx 9", "set_io led[0] 11"),
        "set_io led[1] 37",
    ]
    assert cst.count("IO_LOC") == cst.count("IO_PORT") == 7
    assert 'IO_PORT "button" IO_TYPE=LVCMOS18 PULL_MODE=UP;' in cst
    assert 'IO_LOC "clk" 52;' in cst


def test_clocks_of_boards() -> None:
    assert NO_LOOP.fastest(12, 30) == Dividers(1, 1, 1)
    with pytest.raises(
        InputError, match="--clock is 24 MHz, of the board's 12 MHz; allowed is the board's own"
    ):
        NO_LOOP.dividers(12, 24)
    made = GOWIN_LOOP.fastest(27, 80)
    assert GOWIN_LOOP.made_mhz(27, made) == pytest.approx(78)
    assert made.output in GOWIN_LOOP.outputs
    assert 400 <= GOWIN_LOOP.made_mhz(27, made) * made.output <= 1200
