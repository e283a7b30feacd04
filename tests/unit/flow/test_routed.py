"""Routed configurations that run, and what goes wrong when one setting of them is another."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from totient.catalog import Face, Top
from totient.common.errors import ToolError
from totient.flow import routed, routed_files
from totient.flow.ecp5.blocks import block_faults
from totient.flow.ecp5.configuration import Configuration, Settings, parse
from totient.flow.ecp5.database import Database, Wire, place, tile_type
from totient.flow.ecp5.extraction import Extraction
from totient.flow.ecp5.fabric import Fabric, check_group
from totient.flow.ecp5.netlist import Lut, RamBit
from totient.flow.ecp5.netlists import configured_files
from totient.flow.ecp5.packing import packed_again
from totient.flow.ecp5.routed import routed_verilog
from totient.flow.netlist import top_module
from totient.flow.processes import Children
from totient.flow.routing import kept_configuration
from totient.sim import Model, build_netlist_model

from .conftest import module, netlist_of
from .test_netlist_verilog import ECP5, answers_right, rtl

Change = Callable[[Configuration, dict[str, str]], None]
Group = tuple[tuple[str, ...], Settings]


@pytest.fixture
def route(cache: Path) -> Path:
    """`blocks.sv`, routed."""
    return routed(rtl(1), ECP5, 1)


def read(route: Path) -> tuple[Configuration, dict[str, str]]:
    """Configuration of a route, and the BEL of each cell."""
    text, places = kept_configuration(route)
    return parse(text), places


def runs(configuration: Configuration, places: dict[str, str]) -> bool:
    """Whether a configured device answers as `blocks.sv` should."""
    return answers_right(configured_files(configuration.text(), places, "blocks", ECP5))


def test_a_routed_configuration_works(route: Path) -> None:
    """By its own text, and by the text that is read again from it."""
    assert answers_right(routed_files(route, "blocks", ECP5))
    configuration, _ = read(route)
    assert parse(configuration.text()) == configuration


def test_a_bitstream_unpacked_is_the_configuration(route: Path, tmp_path: Path) -> None:
    written = tmp_path / "device.config"
    written.write_text(kept_configuration(route)[0])
    with Children() as children:
        assert packed_again(written, tmp_path, children) == []


def multiplier(places: dict[str, str]) -> Wire:
    """A wire of the multiplier's tile."""
    (bel,) = (bel for bel in places.values() if "MULT18" in bel)
    column, row, _ = bel.split("/")
    return Wire(int(row[1:]), int(column[1:]), "JP0_MULT18")


def settings(configuration: Configuration, kind: str) -> dict[str, str]:
    """Settings of the first group with blocks of a kind."""
    return next(
        group.enums
        for _, group in configuration.groups
        if any(name.startswith(kind) and name.endswith(".MODE") for name in group.enums)
    )


def change(configuration: Configuration, kind: str, end: str, value: str) -> None:
    """Set what is set already."""
    enums = settings(configuration, kind)
    (name,) = (name for name in enums if name.startswith(kind) and name.endswith(end))
    assert enums[name] != value
    enums[name] = value


def cut(configuration: Configuration, wire: Wire) -> None:
    """Remove the arc that is nearest to a pin."""
    sink, _ = Fabric(configuration).arcs_to(wire)[0]
    for tile, own in configuration.tiles.items():
        if place(tile) == (sink.row, sink.column) and sink.name in own.arcs:
            del own.arcs[sink.name]
            return
    raise AssertionError(f"{sink} is no tile's own")


def opened(name: str) -> Change:
    """A pin of the multiplier that nothing drives."""

    def defect(configuration: Configuration, places: dict[str, str]) -> None:
        cut(configuration, multiplier(places)._replace(name=name))

    return defect


def changed(kind: str, **ends: str) -> Change:
    """Other values of settings of the blocks of a kind, by the ends of their names."""

    def defect(configuration: Configuration, places: dict[str, str]) -> None:
        for end, value in ends.items():
            change(configuration, kind, f".{end}", value)

    return defect


def without_output_register(configuration: Configuration, places: dict[str, str]) -> None:
    """And the way around it that goes with that."""
    change(configuration, "MULT18", ".REG_OUTPUT_CLK", "NONE")
    enums = settings(configuration, "MULT18")
    (mode,) = (name for name in enums if name.endswith(".MODE"))
    enums[mode.replace(".MODE", ".CIBOUT_BYP")] = "ON"


IN_BLOCKS = {
    "open enable": opened("JCE0_MULT18"),
    "open reset": opened("JRST0_MULT18"),
    # The defect of November 2026, as it stood in configurations.
    "a neighbour's enable": changed("MULT18", REG_INPUTB_CE="CE1", REG_PIPELINE_CE="CE1"),
    "swapped enables": changed("MULT18", REG_INPUTA_CE="CE0"),
    "another reset": changed("MULT18", REG_INPUTA_RST="RST1"),
    "inverted enable": changed("MULT18", CE1MUX="INV"),
    "no pipeline": changed("MULT18", REG_PIPELINE_CLK="NONE"),
    "no output register": without_output_register,
    "no memory register": changed("EBR", REGMODE_B="NOREG"),
    "memory in reset": changed("EBR", RSTBMUX="RSTB"),
    "another width": changed("EBR", DATA_WIDTH_B="9"),
}


def one_content_bit(configuration: Configuration, places: dict[str, str]) -> None:
    """Of the table in block RAM."""
    number, words = next((n, w) for n, w in configuration.memories.items() if any(w))
    other = {**configuration.memories, number: (words[0] ^ 1, *words[1:])}
    configuration.memories.update(other)  # type: ignore[attr-defined]


def one_lut_bit(configuration: Configuration, places: dict[str, str]) -> None:
    """That of the LUT behind `s_axis_tready` for an idle module."""
    column, row, bel = places["harness.s_axis_tready.0.either"].split("/")
    number = 2 * "ABCD".index(bel[5]) + int(bel[-1])
    fabric = Fabric(configuration)
    harness = Extraction(fabric, {}).cell(Wire(int(row[1:]), int(column[1:]), f"F{number}_SLICE"))
    assert isinstance(harness, Lut)
    wire = next(
        each
        for each in harness.inputs
        if isinstance(each, Wire) and isinstance(Extraction(fabric, {}).cell(each), Lut)
    )
    ready = Extraction(fabric, {}).cell(wire)
    assert isinstance(ready, Lut)
    # Of inputs that are constant 1, half of the table is never looked at.
    high = sum(1 << place for place, each in enumerate(ready.inputs) if each is True)
    (idle,) = (i for i in range(16) if i & high == high and ready.table >> i & 1)
    letter, half = "ABCD"[int(wire.name[1]) // 2], int(wire.name[1]) % 2
    words = configuration.tiles[f"R{wire.row}C{wire.column}:PLC2"].words
    name = f"SLICE{letter}.K{half}.INIT"
    words[name] = f"{words[name][:idle]}0{words[name][idle + 1 :]}"


DEFECTS = {**IN_BLOCKS, "a bit of a table": one_content_bit, "a bit of a LUT": one_lut_bit}


@pytest.mark.parametrize("defect", DEFECTS.values(), ids=DEFECTS)
def test_a_defect_of_the_configuration_is_noticed(route: Path, defect: Change) -> None:
    configuration, places = read(route)
    defect(configuration, places)
    assert not runs(configuration, places)


@pytest.mark.parametrize("defect", IN_BLOCKS.values(), ids=IN_BLOCKS)
def test_a_route_with_such_a_defect_is_refused(route: Path, defect: Change) -> None:
    """Without a simulation, and naming the block."""
    cells = top_module(netlist_of(rtl(1), ECP5))["cells"]
    configuration, places = read(route)
    assert list(block_faults(cells, places, configuration)) == []
    defect(configuration, places)
    faults = list(block_faults(cells, places, configuration))
    assert faults
    assert all(fault.startswith(("u_multiply.", "u_memory.", "u_table.")) for fault in faults)


def no_name(configuration: Configuration) -> None:
    """A bit of a LUT's table is cleared by the place of its bit in the tile."""
    bits = tile_type("PLC2").words
    tile, bit = next(
        (own, bits[word][at][0].removeprefix("!"))
        for name, own in configuration.tiles.items()
        for word, value in own.words.items()
        if name.endswith(":PLC2")
        for at in range(len(value))
        if value[at] == "1" and bits[word][at][0].startswith("!")
    )
    tile.unknown.add(bit)


def another_source(configuration: Configuration) -> None:
    """A LUT's output comes from a multiplexer, by a setting of carry cells."""
    tile = next(
        own
        for own in configuration.tiles.values()
        if own.enums.get("SLICEA.MODE") == "LOGIC" and own.arcs.get("F1") == "F1_SLICE"
    )
    tile.enums["SLICEA.CCU2.INJECT1_1"] = "NO"


@pytest.mark.parametrize("defect", [no_name, another_source])
def test_settings_by_another_name_are_refused(
    defect: Callable[[Configuration], None], route: Path, tmp_path: Path
) -> None:
    """The bits agree, and what is extracted does not see them."""
    configuration, places = read(route)
    before = routed_verilog(configuration, places, "blocks")
    defect(configuration)
    written = tmp_path / "device.config"
    written.write_text(configuration.text())
    with Children() as children:
        differ = packed_again(written, tmp_path, children)
    assert len(differ) >= 1
    assert routed_verilog(configuration, places, "blocks") == before


def without_a_tile(names: tuple[str, ...], own: Settings) -> Group:
    """Bits of two registers' clocks are in this tile and another one: packing is content."""
    return tuple(name for name in names if not re.search(":MIB2_DSP[15]$", name)), own


def with_an_arc(names: tuple[str, ...], own: Settings) -> Group:
    return names, replace(own, arcs={"A0": "F0"})


def of_logic(names: tuple[str, ...], own: Settings) -> Group:
    return ("R10C10:PLC2",), Settings(enums={"SLICEA.CEMUX": "INV"})


def off(names: tuple[str, ...], own: Settings) -> Group:
    (way,) = (name for name in own.enums if name.endswith(".CIBOUT"))
    return names, replace(own, enums={**own.enums, way: "OFF"})


@pytest.mark.parametrize("change", [without_a_tile, with_an_arc, of_logic, off])
def test_a_hard_block_that_is_not_whole_is_refused(
    change: Callable[[tuple[str, ...], Settings], Group], route: Path
) -> None:
    configuration, places = read(route)
    groups = [
        change(*group) if any("MULT18" in name for name in group[1].enums) else group
        for group in configuration.groups
    ]
    with pytest.raises(ToolError, match=r"not those of one hard block|has CIBOUT OFF"):
        routed_verilog(replace(configuration, groups=tuple(groups)), places, "blocks")


def beside(configuration: Configuration, **settings: str) -> Configuration:
    """With a second multiplier that shares tiles with the first."""
    (names, own) = next(
        group for group in configuration.groups if any("MULT18" in name for name in group[1].enums)
    )
    (place,) = {name.partition(".")[0] for name in own.enums if name.startswith("MULT18")}
    other = f"MULT18_{int(place[-1]) ^ 1}"
    enums = {
        name.replace(place, other): settings.get(name.partition(".")[2], value)
        for name, value in own.enums.items()
    }
    return replace(
        configuration, groups=(*configuration.groups, (names, replace(own, enums=enums)))
    )


@pytest.mark.parametrize("setting", ["CLK0MUX=INV", "CLK0_DIV=DISABLED"])
def test_a_neighbour_that_changes_shared_settings_of_a_block_is_refused(
    setting: str, route: Path
) -> None:
    """Two multipliers have one inverter of a clock: what is said last counts for both."""
    configuration, places = read(route)
    routed_verilog(beside(configuration), places, "blocks")
    name, _, value = setting.partition("=")
    with pytest.raises(ToolError, match="two blocks say differently what the bit F"):
        routed_verilog(beside(configuration, **{name: value}), places, "blocks")
    # The same in a tile's own settings.
    names, _ = next(g for g in configuration.groups if f"MULT18_4.{name}" in g[1].enums)
    tile = next(each for each in names if each.endswith(":MIB_DSP7"))
    tiles = {**configuration.tiles, tile: Settings(enums={f"MULT18_4.{name}": value})}
    with pytest.raises(ToolError, match="two blocks say differently what the bit F"):
        routed_verilog(replace(configuration, tiles=tiles), places, "blocks")


@pytest.mark.parametrize("kind", ["MIB_DSP", "MIB_EBR"])
def test_a_bit_without_a_name_in_a_block_is_refused(kind: str, route: Path) -> None:
    configuration, places = read(route)
    tile = next(name for names, _ in configuration.groups for name in names if kind in name)
    tiles = {**configuration.tiles, tile: Settings(unknown={"F3B0"})}
    with pytest.raises(ToolError, match=f"{tile}: the bit F3B0 has no name"):
        routed_verilog(replace(configuration, tiles=tiles), places, "blocks")


def test_a_global_reset_is_refused(route: Path) -> None:
    configuration, places = read(route)
    for mode in ("ACTIVE_LOW", "ACTIVE_HIGH"):
        tiles = {**configuration.tiles, "MIB_R71C3:EFB0_PICB0": Settings({}, {"GSR.GSRMODE": mode})}
        with pytest.raises(ToolError, match=f"GSR.GSRMODE is {mode}, and a signal may reset"):
            routed_verilog(replace(configuration, tiles=tiles), places, "blocks")


# Multipliers are in groups of two, and blocks as many as the vendor's data sheet says.
BLOCKS = {"LFE5U-12F": 70, "LFE5U-25F": 70, "LFE5U-45F": 144, "LFE5U-85F": 286}


@pytest.mark.parametrize("device", BLOCKS)
def test_every_hard_block_of_a_device_is_known_as_one(device: str) -> None:
    """By the tiles of the database: nextpnr names a block's settings by its tiles in a row."""
    tiles = Database(device).tiles

    def row_of(at: tuple[int, int], count: int, *kinds: str) -> tuple[str, ...]:
        return tuple(
            name
            for column in range(at[1], at[1] + count)
            for kind in kinds
            for name in tiles[at[0], column]
            if re.search(kind, name)
        )

    blocks = []
    for at, names in tiles.items():
        for kind in (name.partition(":")[2] for name in names):
            if kind in ("MIB_DSP0", "MIB_DSP4"):
                blocks.append(row_of(at, 5, r":(MIB_DSP|DSP_SPINE)", r":MIB2_DSP"))
            elif memory := re.fullmatch(r"MIB_EBR([0246])|EBR_CMUX_[UL]R(_25K)?", kind):
                count = 2 if (memory[1] or "0") == "0" else 3
                blocks.append(row_of(at, count, r":(MIB_EBR|EBR_SPINE|EBR_CMUX)"))
    assert len(blocks) == BLOCKS[device]
    for block in blocks:
        check_group(block, Settings())
        with pytest.raises(ToolError, match="not those of one hard block"):
            check_group(block[:-1], Settings())


def test_a_pin_that_the_netlist_leaves_open_is_refused(route: Path) -> None:
    """CE1 in the netlist as it was: named by three registers, and open."""
    cells = top_module(netlist_of(rtl(1), ECP5))["cells"]
    (name,) = (name for name, cell in cells.items() if cell["type"] == "MULT18X18D")
    del cells[name]["connections"]["CE1"]
    configuration, places = read(route)
    (fault,) = block_faults(cells, places, configuration)
    assert fault == f"{name}: CE1 is open in the netlist, and REG_INPUTA_CE = CE1 names it"


def test_what_is_no_configuration_is_an_error(route: Path) -> None:
    text = kept_configuration(route)[0]
    for wrong in (
        "",
        ".device LFE5U-85F\nnonsense\n",
        text.replace(".bram_init ", ".bram_init 9\n001 002\n\n.bram_init ", 1),
    ):
        with pytest.raises(ToolError, match="the configuration cannot be read"):
            parse(wrong)


def test_two_sources_of_a_wire_are_an_error(route: Path) -> None:
    configuration, _ = read(route)
    tile = next(name for name, own in configuration.tiles.items() if "CLK0" in own.arcs)
    neighbour = replace(configuration, tiles=dict(configuration.tiles))
    row, column = place(tile)
    other = f"R{row}C{column + 1}:PLC2"
    own = configuration.tiles.get(other) or configuration.tiles[tile]
    own.arcs["W1_CLK0"] = "G_HPBX0500"
    with pytest.raises(ToolError, match=r"CLK0 is driven from two sources|has no arc"):
        Fabric(neighbour)


def test_a_memory_with_words_of_36_bits(cache: Path) -> None:
    """Another mode of the block RAM, in the configuration; and one bit of its width."""
    top = Top("", "wide", {}, frozenset({Face.STREAM}), "wide")
    folder = routed(module("wide"), ECP5, 1)
    configuration, places = read(folder)

    def is_right() -> bool:
        library = build_netlist_model(
            configured_files(configuration.text(), places, "wide", ECP5), top
        )
        with Model(library, unknowns=3) as model:
            draw, kept = Random(36), dict[int, int]()
            for number in range(400):
                index = draw.randrange(512) if number < 200 else draw.choice(list(kept))
                writes, data = number < 200 or draw.random() < 0.3, draw.getrandbits(22)
                (answer,) = model.exchange([writes << 31 | index << 22 | data], limit=1000)
                if index in kept and answer != kept[index] >> 4 ^ kept[index] & 15:
                    return False
                if writes:
                    kept[index] = data << 14 | data & 0x3FFF
        return True

    assert "PDPW16KD" in settings(configuration, "EBR").values()
    assert is_right()
    change(configuration, "EBR", "PDPW16KD.DATA_WIDTH_R", "18")
    assert not is_right()


def test_contents_of_distributed_memory_are_those_that_nextpnr_was_given() -> None:
    """The tables that nextpnr 0.11 wrote for a TRELLIS_DPR16X4 with these bits of INITVAL."""
    tables = {
        "A.K0": (0x3CEB, "0111110101101001"),
        "A.K1": (0x97B7, "1101001100111111"),
        "B.K0": (0x8B52, "1000101101010010"),
        "B.K1": (0x2163, "0011000101000011"),
    }
    lines = [".device LFE5U-25F", ".tile R10C10:PLC2", "enum: SLICEC.MODE RAMW"]
    lines += [f"enum: SLICE{letter}.MODE DPRAM" for letter in "AB"]
    lines += [f"word: SLICE{name}.INIT {table}" for name, (_, table) in tables.items()]
    extraction = Extraction(Fabric(parse("\n".join(lines))), {})
    for number, (content, _) in enumerate(tables.values()):
        cell = extraction.cell(Wire(10, 10, f"F{number}_SLICE"))
        assert isinstance(cell, RamBit)
        assert cell.content == content
