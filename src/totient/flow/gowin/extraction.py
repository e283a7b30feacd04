"""The netlist that a configured Gowin device is: cells found from outputs backwards.

Its cells are those of Yosys' library, so that the models of these run it:

    LUT          a table of 16 bits; a bit that is set in the bitstream is a 0 of it
    wide LUT     MUX2 behind LUTs, at fixed places; the last joins two tiles
    ALU          the same table, with S at the address D, 1, B, A and the carry that is made at the
                 address 0, 0, B, A: SUM = S ^ CIN, COUT = S ? CIN : made. Its input C is a wire
                 like the others. The carry goes from place 5 to place 0 of the tile to the right;
                 where there is no ALU before, it is 0
    register     D is the table of its place, or the wire SEL; its kind is Apicula's reading of the
                 slice; CE and LSR are wires
    memory       the tables of places 0 to 3; address and data of a write are the inputs of places
                 4 and 5
    open wires   what Apicula gives as the state of a multiplexer with no bit set: VCC for CE, LSR
                 and SEL, nothing for others, which are unknown

A block RAM or a multiplier block is an error: Apicula does not read all of their settings.

Source: Project Apicula, gowin_unpack.py, gowin_pack.py, chipdb.py and doc/alu.md.
"""

import re
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from apycula import attrids, chipdb, gowin_unpack
from apycula.bslib import read_bitstream

from totient.common.errors import ToolError
from totient.flow.extraction import Extraction
from totient.flow.netlist import Signal

_WIRE = re.compile(r"R(\d+)C(\d+)_(\w+)")
_CONSTANTS = {"VCC": "1", "VSS": "0", "GND": "0"}
_WRITING_SLICE = 2  # of a memory: its clock and WRE are those of this slice
_RESET_PINS = {"S": "SET", "R": "RESET", "P": "PRESET", "C": "CLEAR"}


class GowinExtraction(Extraction[str]):
    """The way from a bitstream to its netlist.

    Args:
        bitstream: file with its text.
        chip: the die, as Apicula calls it.

    Raises:
        ToolError: the bitstream cannot be read.
    """

    _PAD = re.compile(r"harness_pad\.(\w+)")

    def __init__(self, bitstream: Path, chip: str) -> None:
        super().__init__()
        self._database = _database(chip)
        self._aliases = _aliases(chip)
        self._members = {member for _, wires in self._database.nodes.values() for member in wires}
        self._bels: dict[tuple[int, int], dict[str, set[Any]]] = {}
        self._tiles: dict[tuple[int, int], Any] = {}
        try:
            tiles = chipdb.tile_bitmap(self._database, read_bitstream(str(bitstream))[0])
            for (row, column), tile in tiles.items():
                self._read_tile(row, column, tile, tiles)
        except (OSError, LookupError, ValueError) as error:
            raise ToolError(f"the bitstream cannot be read: {error!r}") from error
        self._numbers: dict[str, int] = {}

    def _read_tile(self, row: int, column: int, tile: Any, tiles: Any) -> None:
        bels, pips, clocks = gowin_unpack.parse_tile_(
            self._database, row, column, tile, tiles, noiostd=False
        )
        self._bels[row + 1, column + 1] = bels
        self._tiles[row + 1, column + 1] = tile
        for sink, source in [*pips.items(), *clocks.items()]:
            here = self._root(row + 1, column + 1, sink)
            there = self._root(row + 1, column + 1, self._present(row, column, sink, source))
            self._join(here, there)

    def _present(self, row: int, column: int, sink: str, source: str) -> str:
        """Which source of a sink it is, of those with the same bits: the one that a tile has.

        Of four spines of the clock network each column of tiles has another one.
        """
        sources = self._database[row, column].clock_pips.get(sink, {})
        same = [name for name, bits in sources.items() if bits == sources.get(source)]
        if len(same) < 2:
            return source
        here = [name for name in same if (row, column, name) in self._members]
        return here[0] if len(here) == 1 else source

    def _root(self, row: int, column: int, wire: str) -> str:
        """The one name of a wire that tiles call differently; rows and columns from 1."""
        name: str = chipdb.wire2global(row, column, self._database, wire)
        return self._aliases.get(name, name)

    def wire(self, bel: str, pin: str) -> str:
        """See `Extraction`; a place is as nextpnr names it (`X46Y16/IOBA`)."""
        found = re.fullmatch(r"X(\d+)Y(\d+)/(\w+)", bel)
        if found is None:
            raise ToolError(f"{bel} is no place of a cell")
        column, row = int(found[1]), int(found[2])
        kind, place = re.fullmatch(r"([A-Z]+?)(\d*)", found[3]).groups()  # type: ignore[union-attr]
        if kind in ("LUT", "DFF"):
            name = f"{'F' if kind == 'LUT' else 'Q'}{place}"
        else:
            name = self._database[row, column].bels[found[3]].portmap[pin]
        return self._root(row + 1, column + 1, name)

    def number(self, wire: str) -> int:
        """The net of a wire."""
        return self._numbers.setdefault(wire, 2 + len(self._numbers))

    def _output(self, wire: str) -> Signal:
        found = _WIRE.fullmatch(wire)
        name = found[3] if found else wire
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        if found is None:
            raise ToolError(f"the wire {wire} comes from a cell that is not known here")
        if not re.fullmatch(r"F\d|Q\d|OF\d|CIN\d", name):
            if re.fullmatch(r"[A-D]\d|CE\d|LSR\d|CLK\d|SEL\d|[NSEW]\d+|SN\d+|EW\d+", name):
                return "x"
            raise ToolError(f"the wire {wire} comes from a cell that is not known here")
        if (
            name.startswith("CIN")
            and self._carry(int(found[1]), int(found[2]), int(name[3])) == "0"
        ):
            return "0"
        self._queue(wire)
        return self.number(wire)

    def _carry(self, row: int, column: int, place: int) -> tuple[int, int, int] | str:
        """Where the ALU is whose carry a place gets; `0`: nowhere."""
        before = (row, column, place - 1) if place else (row, column - 1, 5)
        return before if f"ALU{before[2]}" in self._bels.get(before[:2], {}) else "0"

    def _add(self, wire: str) -> None:
        found = _WIRE.fullmatch(wire)
        assert found is not None
        row, column, name = int(found[1]), int(found[2]), found[3]
        place = int(name[-1])
        if name.startswith("OF"):
            self._mux(wire, row, column, place)
        elif name.startswith("CIN"):
            before = self._carry(row, column, place)
            assert not isinstance(before, str)
            self._alu(*before)
        elif name.startswith("Q"):
            self._register(wire, row, column, place)
        else:
            self._table(wire, row, column, place)

    def _named(self, wire: str) -> str:
        return f"the wire {wire}"

    def _at(self, row: int, column: int, wire: str) -> Signal:
        return self.driver(self._root(row, column, wire))

    def _bits(self, row: int, column: int, place: int) -> str:
        """The table of a place, as Yosys writes it: its last bit is that of address 0."""
        zeros = self._bels[row, column].get(f"LUT{place}", set())
        return "".join("0" if bit in zeros else "1" for bit in reversed(range(16)))

    def _inputs(self, row: int, column: int, place: int) -> list[Signal]:
        return [self._at(row, column, f"{letter}{place}") for letter in "ABCD"]

    def _table(self, wire: str, row: int, column: int, place: int) -> None:
        """Add what drives F of a place: a LUT, an ALU or a memory."""
        bels = self._bels[row, column]
        if "RAM16" in bels and place < 4:
            # Writing is active low there, and the packer inverts it.
            if self._inverted(row, column, _WRITING_SLICE) != {"LSR"}:
                raise ToolError(f"{wire} is of a memory that is written where WRE is 0")
            flags = bels["RAM16"]
            content = range(16 * place, 16 * place + 16)
            settings = {"INIT_0": "".join("0" if i in flags else "1" for i in reversed(content))}
            pins: dict[str, Signal | list[Signal]] = {
                "DO": [self.number(wire)],
                "DI": [self._at(row, column, f"{'ABCD'[place]}5")],
                "WAD": self._inputs(row, column, 4),
                "RAD": self._inputs(row, column, place),
                "WRE": [self._at(row, column, "LSR2")],
                "CLK": [self._at(row, column, "CLK2")],
            }
            self._cells.add(f"{wire}memory", "RAM16SDP1", settings, pins)
        elif f"ALU{place}" in bels:
            self._alu(row, column, place)
        elif "RAM16" in bels:
            raise ToolError(f"{wire} is of a place that writes a memory")
        else:
            inputs = zip(("I0", "I1", "I2", "I3"), self._inputs(row, column, place), strict=True)
            settings = {"INIT": self._bits(row, column, place)}
            self._cells.add(wire, "LUT4", settings, {**dict(inputs), "F": self.number(wire)})

    def _alu(self, row: int, column: int, place: int) -> None:
        """Add an ALU, made of its parts."""
        name = f"R{row}C{column}_ALU{place}"
        if f"{name}_s" in self._cells:
            return
        a, b, c, d = self._inputs(row, column, place)
        table = self._bits(row, column, place)
        carry = self._at(row, column, f"CIN{place}")
        s, made = self.number(f"{name}_s"), self.number(f"{name}_made")
        after = (row, column, f"CIN{place + 1}") if place < 5 else (row, column + 1, "CIN0")
        self._cells.add(
            f"{name}_s", "LUT4", {"INIT": table}, {"I0": a, "I1": b, "I2": c, "I3": d, "F": s}
        )
        low = table[12:]
        self._cells.add(f"{name}_made", "LUT2", {"INIT": low}, {"I0": a, "I1": b, "F": made})
        total = self.number(self._root(row, column, f"F{place}"))
        self._cells.add(f"{name}_sum", "LUT2", {"INIT": "0110"}, {"I0": s, "I1": carry, "F": total})
        out = self.number(self._root(*after))
        self._cells.add(f"{name}_out", "MUX2", {}, {"I0": made, "I1": carry, "S0": s, "O": out})

    def _mux(self, wire: str, row: int, column: int, place: int) -> None:
        """Add a multiplexer of wide LUTs (`gowin_unpack.make_muxes`)."""
        if place == 7:
            ends = (row, column + 1, "OF3"), (row, column, "OF3")
        elif place == 3:
            ends = (row, column, "OF5"), (row, column, "OF1")
        elif place % 2:
            ends = (row, column, f"OF{place + 1}"), (row, column, f"OF{place - 1}")
        else:
            ends = (row, column, f"F{place}"), (row, column, f"F{place + 1}")
        low, high = (self._at(*end) for end in ends)
        pins = {"I0": low, "I1": high, "S0": self._at(row, column, f"SEL{place}")}
        self._cells.add(wire, "MUX2", {}, {**pins, "O": self.number(wire)})

    def _inverted(self, row: int, column: int, number: int) -> set[str]:
        """Which of a slice's inputs have an inverter in front: `CE`, `LSR`, `CLK`.

        Apicula's unpacker reads that of the clock only.
        """
        kind = self._database[row - 1, column - 1].ttyp
        found = gowin_unpack.parse_attrvals(
            self._tiles[row, column],
            self._database.rev_logicinfo("SLICE"),
            self._database.shortval[kind][f"CLS{number}"],
            attrids.cls_attrids,
            "CLS",
        )
        names = {"CEMUX_CE": "CE", "LSR_MUX_LSR": "LSR", "CLKMUX_CLK": "CLK"}
        inverted = attrids.cls_attrvals["INV"]
        return {pin for name, pin in names.items() if found.get(name) == inverted}

    def _register(self, wire: str, row: int, column: int, place: int) -> None:
        """Add a register; its clock enable is a wire in all of them."""
        flags = set(self._bels[row, column].get(f"DFF{place}", ()))
        given = "SEL" if "SD" in flags else "F"
        kinds = flags - {"SD"}
        if len(kinds) != 1 or not (kind := min(kinds)).startswith("DFF"):
            raise ToolError(f"{wire} is of a register that is not known here: {sorted(kinds)}")
        if inverted := self._inverted(row, column, place // 2) - {"CLK"}:
            raise ToolError(f"{wire} is of a register with an inverter at {min(inverted)}")
        pins = {
            "CLK": self._at(row, column, f"CLK{place // 2}"),
            "CE": self._at(row, column, f"CE{place // 2}"),
            "D": self._at(row, column, f"{given}{place}"),
            "Q": self.number(wire),
        }
        if reset := _RESET_PINS.get(kind[-1]):
            pins[reset] = self._at(row, column, f"LSR{place // 2}")
        self._cells.add(wire, f"{kind}E", {}, pins)


@lru_cache(maxsize=1)
def _database(chip: str) -> Any:
    """Apicula's database of a die, read once."""
    try:
        with as_file(files("apycula").joinpath(f"{chip}.msgpack.xz")) as path:
            found = chipdb.load_chipdb(path)
    except (OSError, ImportError) as error:
        raise ToolError(f"no database of {chip}: {error}") from error
    # Globals of the unpacker's program, which its functions read.
    gowin_unpack._device = chip
    gowin_unpack._pinout = found.pinout[chip][gowin_unpack._packages[chip]]
    return found


@lru_cache(maxsize=1)
def _aliases(chip: str) -> dict[str, str]:
    """The one name of each wire that has several."""
    database, found = _database(chip), {}
    for _, members in database.nodes.values():
        named = sorted(members, key=lambda member: (len(member[2]), member))
        root, *others = (f"R{row + 1}C{column + 1}_{wire}" for row, column, wire in named)
        found.update(dict.fromkeys(others, root))
    # Long wires of a segment of rows: a column joins one of its ends to branches along the rows.
    for (_, column, index), segment in database.segments.items():
        number = index // 4
        ends = [(segment[f"{end}_row"], segment[f"{end}_wire"]) for end in ("top", "bottom")]
        root = f"R{ends[0][0] + 1}C{column + 1}_{ends[0][1]}"
        found[f"R{ends[1][0] + 1}C{column + 1}_{ends[1][1]}"] = root
        for row in range(segment["min_y"], segment["max_y"] + 1):
            found[f"R{row + 1}C{column + 1}_LT0{1 + 3 * number}"] = root
            branch = f"R{row + 1}C{column + 1}_LBO{number}"
            for x in range(segment["min_x"], segment["max_x"] + 1):
                found[f"R{row + 1}C{x + 1}_LB{index}1"] = branch
    for row in range(1, database.rows + 1):
        for column in range(1, database.cols + 1):
            for i in (1, 2):
                for down, right, name, own in (
                    *((-1, 0, f"N1{i}1", f"SN{i}0"), (1, 0, f"S1{i}1", f"SN{i}0")),
                    *((0, -1, f"W1{i}1", f"EW{i}0"), (0, 1, f"E1{i}1", f"EW{i}0")),
                ):
                    there = chipdb.wire2global(row + down, column + right, database, name)
                    found[there] = f"R{row}C{column}_{own}"
    return found
