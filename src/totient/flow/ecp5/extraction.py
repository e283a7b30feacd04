"""The netlist of a configured ECP5: cells with their settings, found from outputs backwards.

Meanings of settings and open pins, with their sources:

    LUT input       `xnMUX 1` or an arc; open without that setting: unknown
    register        rising edge of CLKn, or falling with `CLKnMUX INV`; data from the LUT (`SD 1`)
                    or from M (`SD 0`); CE, its inverse, 0 or 1 by `CEMUX`; LSR by `LSRnMUX`, over
                    CE or asynchronous by `SRMODE`, to the value of `REGSET` (Yosys' TRELLIS_FF)
    LSR, open       not active: the open tools connect it for no register without a reset, and
                    nothing that they make would work otherwise
    carry           Yosys' CCU2C
    distributed RAM read address D, B, C, A; written by slice C, whose inputs D0 B0 C0 A0 are the
                    address and C1 A1 D1 B1 the data (nextpnr's packer, Yosys' TRELLIS_COMB);
                    the contents at the start are in the order of a LUT's table (nextpnr's packer)
    tied wire       the value of `CIB.xMUX`; of clocks and resets 1, which the database calls 0
                    (`fabric.py`)
    multipliers     REG_OUTPUT_CE has no bits of its own in the database. Those that REG_OUTPUT_CLK
                    sets in tile DSP4 are an enable CE0, as all enables of the block are coded:
                    both bits for CE0, none for CE3. So it is CE0 here.
    clock buffer    DCC: a wire; its enable is open

Nothing else is known of a pin that is open: its value is unknown, and the simulation draws one.

Source: Project Trellis' database; nextpnr, ecp5/bitstream.cc and ecp5/cells.cc; Yosys, cells of
lattice (common_sim.vh, ccu2c_sim.vh).
"""

from collections.abc import Iterable, Mapping

from totient.common.errors import ToolError
from totient.flow.ecp5.database import Wire
from totient.flow.ecp5.fabric import Fabric
from totient.flow.ecp5.netlist import (
    Block,
    CarryHalf,
    Cell,
    Lut,
    Mux,
    Netlist,
    RamBit,
    Register,
    Signal,
    inputs_of,
)

_LOOP = {
    "MODE": "EHXPLLL",
    "CLKOP_ENABLE": "ENABLED",
    "FEEDBK_PATH": "CLKOP",
    "INT_LOCK_STICKY": "ENABLED",
    "CLKOP_TRIM_POL": "RISING",
    "CLKOS_TRIM_POL": "RISING",
    "CLKOP_TRIM_DELAY": "0",
    "CLKOS_TRIM_DELAY": "0",
    **{f"OUTDIVIDER_MUX{letter}": f"DIV{letter}" for letter in "ABCD"},
}
"""Settings of a loop that makes one clock of another, by rtl/prim/clock_ecp5.sv; all others are
disabled. The dividers are words, and any."""


_WIDE = "PDPW16KD"
"""Mode of a block RAM with words of 36 bits, as nextpnr sets it."""


class Extraction:
    """The way from a configured fabric to its netlist.

    Args:
        fabric: it.
        given: outputs of cells whose value is given from outside.
    """

    def __init__(self, fabric: Fabric, given: Mapping[Wire, object]) -> None:
        self._fabric = fabric
        self._given = given
        self._blocks: dict[tuple[int, int, str], Block] = {}

    def netlist(self, outputs: Mapping[str, Wire]) -> Netlist:
        """All cells that outputs depend on.

        Args:
            outputs: wires by name.

        Raises:
            ToolError: a cell, or a setting of one, that is not known here.
        """
        made = Netlist()
        to_do: list[Wire] = []

        def needed(signals: Iterable[Signal]) -> None:
            to_do.extend(signal for signal in signals if isinstance(signal, Wire))

        for name, wire in outputs.items():
            made.outputs[name] = self._fabric.driver(wire)
        needed(made.outputs.values())
        while to_do:
            wire = to_do.pop()
            if wire in made.cells or wire in made.sources:
                continue
            if wire in self._given:
                made.sources.add(wire)
                continue
            cell = self.cell(wire)
            made.cells[wire] = cell
            needed(inputs_of(cell))
        return made

    def cell(self, wire: Wire) -> Cell:
        """The cell that drives a wire.

        Raises:
            ToolError: it, or a setting of it, is not known here.
        """
        return self._slice(wire) if wire.name.endswith("_SLICE") else self.block(wire)

    # Slices.

    def _slice(self, wire: Wire) -> Cell:
        name = wire.name.removesuffix("_SLICE")
        if len(name) > 2:
            if name.startswith("F5"):
                return self._mux5(wire, name[2])
            if name.startswith("FX"):
                return self._mux6(wire, name[2])
            # A carry cell's upper carry out, or the one between its halves.
            half = int(name.startswith("FCO"))
            place = 2 * "ABCD".index(name[3:4] or "D") + half
            return self._carry(wire, place, is_carry=True)
        place = int(name[1])
        letter = "ABCD"[place // 2]
        if name[0] == "Q":
            return self._register(wire, place)
        mode = self._enum(wire, f"SLICE{letter}.MODE")
        if mode == "CCU2":
            return self._carry(wire, place, is_carry=False)
        if mode == "DPRAM":
            return self._ram_bit(wire, place)
        if mode != "LOGIC":
            raise ToolError(f"{_at(wire)}: SLICE{letter}.MODE is {mode}, not known here")
        return self._lut(wire, place)

    def _lut(self, wire: Wire, place: int) -> Lut:
        letter, half = "ABCD"[place // 2], place % 2
        table = self._fabric.word(wire.row, wire.column, f"SLICE{letter}.K{half}.INIT")
        a, b, c, d = (self._lut_input(wire, place, pin) for pin in "ABCD")
        return Lut(0xFFFF if table is None else table, (a, b, c, d))

    def _lut_input(self, wire: Wire, place: int, pin: str) -> Signal:
        setting = f"SLICE{'ABCD'[place // 2]}.{pin}{place % 2}MUX"
        found = self._driver(wire, f"{pin}{place}_SLICE")
        return True if found is None and self._enum(wire, setting) == "1" else found

    def _mux5(self, wire: Wire, letter: str) -> Mux:
        low = 2 * "ABCD".index(letter)
        f0, f1 = (Wire(wire.row, wire.column, f"F{low + i}_SLICE") for i in range(2))
        return Mux(f0, f1, self._select(wire, low))

    def _mux6(self, wire: Wire, letter: str) -> Mux:
        a, b = (self._driver(wire, f"FX{side}{letter}_SLICE") for side in "AB")
        return Mux(a, b, self._select(wire, 2 * "ABCD".index(letter) + 1))

    def _select(self, wire: Wire, place: int) -> Signal:
        found = self._driver(wire, f"M{place}_SLICE")
        setting = f"SLICE{'ABCD'[place // 2]}.M{place % 2}MUX"
        return True if found is None and self._enum(wire, setting) == "1" else found

    def _carry(self, wire: Wire, place: int, *, is_carry: bool) -> CarryHalf:
        """A half of a carry cell; the carry out of the lower one is the wire FCIx1."""
        letter, half = "ABCD"[place // 2], place % 2
        if self._enum(wire, f"SLICE{letter}.MODE") != "CCU2":
            raise ToolError(f"{_at(wire)}: the carry of SLICE{letter} is used, which has none")
        if half:
            carry: Signal = Wire(wire.row, wire.column, f"FCI{letter}1_SLICE")
        else:
            carry = self._driver(wire, "FCI_SLICE" if letter == "A" else f"FCI{letter}_SLICE")
            # Carries of slices beside each other are always joined; a chain has its beginning.
            if isinstance(carry, Wire):
                before = carry.name.removesuffix("_SLICE")[3:] or "D"
                if self._enum(carry, f"SLICE{before}.MODE") != "CCU2":
                    carry = None
        inject = self._enum(wire, f"SLICE{letter}.CCU2.INJECT1_{half}")
        if inject not in ("YES", "NO"):
            raise ToolError(f"{_at(wire)}: INJECT1_{half} is {inject}, not known here")
        return CarryHalf(self._lut(wire, place), inject == "YES", carry, is_carry)

    def _register(self, wire: Wire, place: int) -> Register:
        letter, half = "ABCD"[place // 2], place % 2
        prefix = f"SLICE{letter}.REG{half}"
        if self._enum(wire, f"{prefix}.LSRMODE") != "LSR":
            raise ToolError(f"{_at(wire)}: a register that loads M at reset is not known here")
        if self._enum(wire, f"{prefix}.SD") == "1":
            data = self._driver(wire, f"DI{place}_SLICE")
        else:
            data = self._select(wire, place)
        enable: Signal = self._driver(wire, f"CE{place // 2}_SLICE")
        how = self._enum(wire, f"SLICE{letter}.CEMUX")
        if how in ("0", "1"):
            enable = how == "1"
        clock, clock_way = self._shared(wire, "CLK", place // 2)
        reset, reset_way = self._shared(wire, "LSR", place // 2)
        is_async = False
        if reset is None:
            reset, inverted = False, False
        else:
            inverted = self._enum(wire, f"{reset_way}.LSRMUX") == "INV"
            is_async = self._enum(wire, f"{reset_way}.SRMODE") == "ASYNC"
        return Register(
            data=data,
            clock=clock,
            falling=self._enum(wire, f"{clock_way}.CLKMUX") == "INV",
            enable=enable,
            inverted_enable=how == "INV",
            reset=reset,
            inverted_reset=inverted,
            asynchronous=is_async,
            value=self._enum(wire, f"{prefix}.REGSET") == "SET",
        )

    def _shared(self, wire: Wire, kind: str, number: int) -> tuple[Signal, str]:
        """A slice's clock or reset, and which of the tile's two it is."""
        at = Wire(wire.row, wire.column, f"MUX{kind}{number}")
        way = self._fabric.arc(at)
        if way is None:
            if kind == "LSR":
                return None, f"{kind}0"
            raise ToolError(f"{_at(wire)}: a register without a clock")
        return self._fabric.driver(way), way.name

    def _ram_bit(self, wire: Wire, place: int) -> RamBit:
        letter, half = "ABCD"[place // 2], place % 2
        if self._enum(wire, "SLICEC.MODE") != "RAMW":
            raise ToolError(f"{_at(wire)}: distributed RAM that nothing writes")
        way = Wire(wire.row, wire.column, "LSR1")
        enable: Signal = self._fabric.driver(way)
        how = self._enum(wire, "SLICEA.WREMUX")
        if how in ("0", "1"):
            enable = how == "1"
        data = ("C5", "A5", "D5", "B5")[2 * "AB".index(letter) + half]
        table = self._fabric.word(wire.row, wire.column, f"SLICE{letter}.K{half}.INIT") or 0
        # The table is ordered as a LUT's, A lowest: bits 0 and 3 of the address change places.
        places = [i & 6 | (i & 1) << 3 | i >> 3 for i in range(16)]
        return RamBit(
            read=tuple(self._lut_input(wire, place, pin) for pin in "DBCA"),
            write=tuple(self._lut_input(wire, 4, pin) for pin in "DBCA"),
            data=self._lut_input(wire, 5, data[0]),
            enable=enable,
            inverted_enable=how == "INV",
            clock=self._driver(wire, f"WCK{'AB'.index(letter)}_SLICE"),
            falling=self._enum(wire, "CLK1.CLKMUX") == "INV",
            content=sum((table >> place & 1) << i for i, place in enumerate(places)),
        )

    # Hard blocks.

    def block(self, wire: Wire) -> Block:
        """The hard block that drives a wire.

        Raises:
            ToolError: none of a kind known here does, or a setting of it is not known.
        """
        kind = wire.name.rpartition("_")[2]
        makers = {"MULT18": self._multiplier, "EBR": self._memory, "PLL": self._loop}
        if kind not in makers:
            raise ToolError(f"{_at(wire)} is of no cell known here")
        key = (wire.row, wire.column, kind)
        if key not in self._blocks:
            self._blocks[key] = makers[kind](wire)
        return self._blocks[key]

    def _multiplier(self, wire: Wire) -> Block:
        name, settings = self._fabric.block(wire.row, wire.column, "MULT18_", "MULT18X18D")
        enums = {
            key.removeprefix(f"{name}."): value
            for key, value in settings.enums.items()
            if key.startswith(f"{name}.")
        }
        muxes = {key for key in enums if key.endswith("MUX")}
        # The product's way to the fabric: around the output register, where there is none.
        way = settings.enums.get(f"DSP_{'LEFT' if int(name[-1]) < 4 else 'RIGHT'}.CIBOUT", "OFF")
        around = enums.get("CIBOUT_BYP", "OFF")
        if way != "ON" or (around == "ON") != (enums["REG_OUTPUT_CLK"] == "NONE"):
            raise ToolError(f"{_at(wire)} has CIBOUT {way} and CIBOUT_BYP {around}")
        parameters = {
            key: value
            for key, value in enums.items()
            if key not in muxes and key not in ("MODE", "CIBOUT_BYP")
        }
        if parameters["REG_OUTPUT_CLK"] != "NONE":
            parameters["REG_OUTPUT_CE"] = "CE0"
        pins = [f"{letter}{i}" for letter in "ABC" for i in range(18)]
        pins += [f"{kind}{i}" for kind in ("CLK", "CE", "RST") for i in range(4)]
        pins += ["SIGNEDA", "SIGNEDB", "SOURCEA", "SOURCEB"]
        return Block(
            "MULT18X18D",
            parameters,
            {pin: self._driver(wire, f"J{pin}_MULT18") for pin in pins},
            frozenset(key.removesuffix("MUX") for key in muxes if enums[key] == "INV"),
            {Wire(wire.row, wire.column, f"JP{i}_MULT18"): f"P{i}" for i in range(36)},
        )

    def _memory(self, wire: Wire) -> Block:
        name, settings = self._fabric.block(wire.row, wire.column, "EBR", "DP16KD", _WIDE)
        enums = {
            key.removeprefix(f"{name}.").removeprefix("DP16KD."): value
            for key, value in settings.enums.items()
        }
        muxes = {key for key in enums if key.endswith("MUX")}
        parameters = {k: v for k, v in enums.items() if k not in muxes and k != "MODE"}
        if enums["MODE"] == _WIDE:
            # The same block: port A writes 36 bits whenever it is enabled, port B reads; how it
            # writes is not set then, and nothing leads to WEA and WEB.
            parameters |= {"DATA_WIDTH_A": "36", "WRITEMODE_A": "NORMAL", "WRITEMODE_B": "NORMAL"}
            parameters["DATA_WIDTH_B"] = parameters.pop(f"{_WIDE}.DATA_WIDTH_R")
        for port in "AB":
            decode = int(settings.words[f"{name}.CSDECODE_{port}"][::-1], 2)
            # The bits say which value of the pins does not select the block.
            parameters[f"CSDECODE_{port}"] = f"0b{decode:03b}"
        number = int(settings.words[f"{name}.WID"], 2)
        parameters |= self._fabric.content(number)
        pins = [f"AD{port}{i}" for port in "AB" for i in range(14)]
        pins += [f"DI{port}{i}" for port in "AB" for i in range(18)]
        pins += [f"{pin}{port}" for pin in ("CLK", "CE", "OCE", "WE", "RST") for port in "AB"]
        pins += [f"CS{port}{i}" for port in "AB" for i in range(3)]
        inputs = {pin: self._driver(wire, f"J{pin}_EBR") for pin in pins}
        if enums["MODE"] == _WIDE:
            inputs |= {"WEA": True, "WEB": False}
        return Block(
            "DP16KD",
            parameters,
            inputs,
            frozenset(key.removesuffix("MUX") for key in muxes if enums[key] == "INV"),
            {
                Wire(wire.row, wire.column, f"JDO{port}{i}_EBR"): f"DO{port}{i}"
                for port in "AB"
                for i in range(18)
            },
        )

    def _loop(self, wire: Wire) -> Block:
        """A phase-locked loop: simulated as a wire from its input, locked from the start."""
        pins = ("CLKI", "RST", "STDBY")
        names = {"CLKI": "CLKI_PLL", "RST": "JRST_PLL", "STDBY": "JSTDBY_PLL"}
        settings = self._fabric.loop(wire.row, wire.column).enums
        for name, value in settings.items():
            if _LOOP.get(name, "DISABLED") != value:
                raise ToolError(f"{_at(wire)}: the loop's {name} is {value}")
        feedback = self._driver(wire, "CLKFB_PLL")
        if feedback != Wire(wire.row, wire.column, "JCLKOP_PLL"):
            raise ToolError(f"{_at(wire)}: the loop's feedback is {feedback}, not its output")
        return Block(
            "EHXPLLL",
            {},
            {pin: self._driver(wire, names[pin]) for pin in pins},
            frozenset(),
            {
                Wire(wire.row, wire.column, f"J{pin}_PLL"): pin
                for pin in ("CLKOP", "CLKOS", "CLKOS2", "CLKOS3", "LOCK")
            },
        )

    def _driver(self, wire: Wire, name: str) -> Signal:
        return self._fabric.driver(Wire(wire.row, wire.column, name))

    def _enum(self, wire: Wire, name: str) -> str:
        return self._fabric.enum(wire.row, wire.column, name)


def _at(wire: Wire) -> str:
    return f"row {wire.row}, column {wire.column}, {wire.name}"
