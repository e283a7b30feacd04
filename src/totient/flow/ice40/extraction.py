"""The netlist of a configured iCE40: cells with their settings, found from outputs backwards.

Its cells are those of Yosys' library, whose models run it. Meanings of settings and open wires,
with their sources:

    look-up table   16 of a logic cell's 20 bits, in the order of `_TABLE`; the address is
                    in_3 in_2 in_1 in_0 as the wires are, whatever the router has exchanged
    carry           in_1, in_2 and the carry of the cell below; of the first cell `carry_in_mux`,
                    which is the setting CarryInSet if nothing is joined to it
    register        bit 9; of its reset bit 18 says to which value and bit 19 whether without clock
    open inputs     0; enables of registers and of block RAMs' clocks 1 (Project IceStorm, icebox;
                    nextpnr relies on it when it drops constants)
    ColBufCtrl      passes a global network on to a part of the device: all of them have to
    global network  its pin if the extra bit is set, else the wire `fabout` of its buffer

A bit that is set and means nothing here is an error, and so is a multiplier block.

Source: nextpnr, ice40/bitstream.cc; Project IceStorm, icebox.
"""

import re
from itertools import product

import numpy as np
import numpy.typing as npt

from totient.common.errors import ToolError
from totient.flow.extraction import Extraction
from totient.flow.ice40.configuration import Configuration
from totient.flow.ice40.database import Wire, database
from totient.flow.netlist import Signal

_TABLE = (4, 14, 15, 5, 6, 16, 17, 7, 3, 13, 12, 2, 1, 11, 10, 0)
_CARRY, _REGISTER, _SET, _AT_ONCE = 8, 9, 18, 19

# Settings that are evaluated, or that have no effect on the function.
_KNOWN = {
    "logic": r"LC_\d|NegClk|CarryInSet|ColBufCtrl\..*",
    "io": r"IOB_\d\.PINTYPE_\d|IoCtrl\.(IE|REN)_\d|IoCtrl\.cf_bit_\d+|ColBufCtrl\..*",
    "ramb": r"NegClk|RamConfig\.PowerUp|ColBufCtrl\..*",
    "ramt": r"NegClk|RamConfig\.CBIT_\d|ColBufCtrl\..*",
    # Settings that nextpnr makes in every device, beside multipliers that are not used.
    **dict.fromkeys(("dsp0", "dsp1", "dsp2", "dsp3", "ipcon"), r"LC_\d|Cascade\..*|ColBufCtrl\..*"),
}

_BUFFER_ROWS = (4, 5, 14, 15, 26, 27)
"""Rows of the UP5K with buffers between global networks and columns of tiles (IceStorm, icebox)."""

_OPEN_HIGH = re.compile("lutff_global:cen|ram:[RW]CLKE")
_BEL = re.compile(r"X(\d+)/Y(\d+)/(lc|io)(\d)")
_OUTPUT = re.compile(r"lutff_(\d):(out|lout|cout)|ram:RDATA_(\d+)|io_\d:D_IN_0")


class Ice40Extraction(Extraction[Wire]):
    """The way from a configuration to its netlist.

    Args:
        configuration: of the device.

    Raises:
        ToolError: a bit that is set means nothing here.
    """

    _PAD = re.compile(r"(\w+)\$sb_io")

    def __init__(self, configuration: Configuration) -> None:
        super().__init__()
        self._database = found = database(configuration.device)
        self._configuration = configuration
        shape = (found.height, found.width, 16, 64)
        self._bits = np.zeros(shape, np.uint8)
        for (x, y), (kind, rows) in configuration.tiles.items():
            if not (x < found.width and y < found.height and found.kind(x, y) == kind):
                raise ToolError(f"the device has no {kind} tile at {x}, {y}")
            for row, text in enumerate(rows):
                self._bits[y, x, row, : len(text)] = np.frombuffer(text.encode(), np.uint8) - 48
        joined = found.joined(self._bits)
        self._check_known(joined)
        self._check_buffers()
        pips = found.pips[joined]
        for sink, source in zip(pips["sink"].tolist(), pips["source"].tolist(), strict=True):
            self._join(found.wires[sink], found.wires[source])
        self._networks = {network.wire: network for network in found.networks}

    def _check_known(self, joined: npt.NDArray[np.intp]) -> None:
        """Raise `ToolError` for a bit that is set and has no meaning."""
        left = self._bits.copy()
        switches = self._database.switches[np.unique(self._database.pips[joined]["switch"])]
        for place in range(switches["bits"].shape[1]):
            used = switches[place < switches["count"]]
            bits = used["bits"][:, place]
            left[used["y"], used["x"], bits[:, 0], bits[:, 1]] = 0
        for y, x in {(int(y), int(x)) for y, x, _, _ in np.argwhere(left)}:
            kind = self._database.kind(x, y)
            for name, known in self._database.settings[kind].items():
                for row, column in known if re.fullmatch(_KNOWN[kind], name) else ():
                    left[y, x, row, column] = 0
            if left[y, x].any():
                row, column = np.argwhere(left[y, x])[0]
                raise ToolError(
                    f"the {kind} tile at {x}, {y} has a bit not known: B{row}[{column}]"
                )

    def _check_buffers(self) -> None:
        """Raise `ToolError` if a global network does not get everywhere."""
        for x, y in product(range(self._database.width), _BUFFER_ROWS):
            for name in self._database.settings.get(self._database.kind(x, y), {}):
                if name.startswith("ColBufCtrl") and not all(self.setting(x, y, name)):
                    raise ToolError(f"a global network does not get to {x}, {y}: {name} is 0")

    def setting(self, x: int, y: int, name: str) -> tuple[bool, ...]:
        """Bits of a setting of a tile."""
        where = self._database.settings[self._database.kind(x, y)][name]
        return tuple(bool(self._bits[y, x, row, column]) for row, column in where)

    def table(self, x: int, y: int, place: int) -> Signal:
        """The net that a logic cell's look-up table drives."""
        width: int = self._database.width
        return 1_000_000 + (y * width + x) * 8 + place

    def wire(self, bel: str, pin: str) -> Wire:
        """See `Extraction`; a place has one output that others are joined to."""
        x, y, kind, place = self._place(bel)
        return Wire(x, y, f"lutff_{place}:out" if kind == "lc" else f"io_{place}:D_IN_0")

    def table_net(self, bel: str) -> Signal:
        """See `Extraction`."""
        x, y, _, place = self._place(bel)
        return self.table(x, y, place)

    def _place(self, bel: str) -> tuple[int, int, str, int]:
        if (found := _BEL.fullmatch(bel)) is None:
            raise ToolError(f"{bel} is no logic cell or pin")
        return int(found[1]), int(found[2]), found[3], int(found[4])

    def number(self, wire: Wire) -> int:
        """The net of a wire that is no table's."""
        return 2 + self._database.numbers[wire]

    def _source(self, wire: Wire) -> Wire | None:
        found = self._before.get(wire)
        return self._network(wire) if found is None and wire in self._networks else found

    def _network(self, wire: Wire) -> Wire:
        """The driver of a global network."""
        network = self._networks[wire]
        if network.bit in self._configuration.extra:
            x, y, pin = network.pad
            return Wire(x, y, f"io_{pin}:D_IN_0")
        return Wire(*network.buffer, "fabout")

    def _output(self, wire: Wire) -> Signal:
        """The cell output at the end of a wire, if any."""
        if wire.name == "carry_in_mux":
            return str(int(self.setting(wire.x, wire.y, "CarryInSet")[0]))
        found = _OUTPUT.fullmatch(wire.name)
        kind = self._database.kind(wire.x, wire.y)
        if found is None:
            if wire.name.startswith(("local_", "lutff_", "ram:", "io_", "fabout", "glb2local")):
                return "1" if _OPEN_HIGH.fullmatch(wire.name) else "0"
            raise ToolError(f"{self._named(wire)} comes from a cell that is not known here")
        if found[1] and kind != "logic":
            raise ToolError(f"{self._named(wire)} is of a multiplier block, not known here")
        self._queue(wire)
        if found[1] and found[2] != "cout":
            bits = self.setting(wire.x, wire.y, f"LC_{found[1]}")
            if found[2] == "lout" or not bits[_REGISTER]:
                return self.table(wire.x, wire.y, int(found[1]))
        return self.number(wire)

    def _add(self, wire: Wire) -> None:
        found = _OUTPUT.fullmatch(wire.name)
        assert found is not None
        if found[1]:
            self._logic_cell(wire.x, wire.y, int(found[1]), found[2])
        elif found[3]:
            self._memory(wire.x, wire.y)
        else:
            raise ToolError(f"{self._named(wire)} is a pin that no port has")

    def _logic_cell(self, x: int, y: int, place: int, output: str) -> None:
        """Add what of a logic cell drives an output of it."""
        bits = self.setting(x, y, f"LC_{place}")
        name = f"x{x}y{y}lc{place}"

        def carried(pin: str) -> Signal:
            return self.driver(Wire(x, y, pin))

        if output == "cout":
            if not bits[_CARRY]:
                raise ToolError(f"the carry of {name} is used, and off")
            before = "carry_in_mux" if place == 0 else f"lutff_{place - 1}:cout"
            pins = {
                "I0": carried(f"lutff_{place}:in_1"),
                "I1": carried(f"lutff_{place}:in_2"),
                "CI": carried(before),
                "CO": self.number(Wire(x, y, f"lutff_{place}:cout")),
            }
            self._cells.add(f"{name}carry", "SB_CARRY", {}, pins)
            return
        if f"{name}table" not in self._cells:
            table = "".join(str(int(bits[place])) for place in reversed(_TABLE))
            inputs = {f"I{pin}": carried(f"lutff_{place}:in_{pin}") for pin in range(4)}
            driven = {"O": self.table(x, y, place)}
            self._cells.add(f"{name}table", "SB_LUT4", {"LUT_INIT": table}, {**inputs, **driven})
        if output == "out" and bits[_REGISTER]:
            enable, reset = carried("lutff_global:cen"), carried("lutff_global:s_r")
            pins = {
                "C": carried("lutff_global:clk"),
                "D": self.table(x, y, place),
                "Q": self.number(Wire(x, y, f"lutff_{place}:out")),
            }
            kind = "SB_DFF" + ("N" if self.setting(x, y, "NegClk")[0] else "")
            if enable != "1":
                kind += "E"
                pins["E"] = enable
            if reset != "0":
                pin = "S" if bits[_SET] else "R"
                kind += pin if bits[_AT_ONCE] else f"S{pin}"
                pins[pin] = reset
            self._cells.add(f"{name}register", kind, {}, pins)

    def _memory(self, x: int, y: int) -> None:
        """Add a block RAM: the lower tile has its write port and half of its data."""
        low, high = (y, y + 1) if self._database.kind(x, y) == "ramb" else (y - 1, y)
        name = f"x{x}y{low}memory"
        if name in self._cells:
            return
        if not self.setting(x, low, "RamConfig.PowerUp")[0]:
            raise ToolError(f"the block RAM at {x}, {low} is used, and off")
        mode = [self.setting(x, high, f"RamConfig.CBIT_{place}")[0] for place in range(4)]
        edges = {
            "R": self.setting(x, low, "NegClk")[0],
            "W": self.setting(x, high, "NegClk")[0],
        }
        pins: dict[str, list[Signal]] = {}
        for pin, count in (("MASK", 16), ("WDATA", 16), ("WADDR", 11), ("RADDR", 11)):
            pins[pin] = [self.driver(self._pin(x, low, f"{pin}_{bit}")) for bit in range(count)]
        for pin in ("WCLK", "WCLKE", "WE", "RCLK", "RCLKE", "RE"):
            pins[pin] = [self.driver(self._pin(x, low, pin))]
        pins["RDATA"] = [self.number(self._pin(x, low, f"RDATA_{bit}")) for bit in range(16)]
        for port, falling in edges.items():
            if falling:
                pins[f"{port}CLKN"] = pins.pop(f"{port}CLK")
        kind = "SB_RAM40_4K" + "".join(f"N{port}" for port, falling in edges.items() if falling)
        words = self._configuration.memories.get((x, low), [0] * 16)
        settings: dict[str, str | int] = {
            f"INIT_{i:X}": f"{word:0256b}" for i, word in enumerate(words)
        }
        settings["WRITE_MODE"] = 1 * mode[0] + 2 * mode[1]
        settings["READ_MODE"] = 1 * mode[2] + 2 * mode[3]
        self._cells.add(name, kind, settings, pins)

    def _pin(self, x: int, low: int, pin: str) -> Wire:
        """The wire of a block RAM's pin, in one of its two tiles."""
        return next(
            wire
            for wire in (Wire(x, y, f"ram:{pin}") for y in (low, low + 1))
            if wire in self._database.numbers
        )

    def _named(self, wire: Wire) -> str:
        return f"the wire {wire.name} of {wire.x}, {wire.y}"
