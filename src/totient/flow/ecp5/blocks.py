"""Whether the hard blocks of a route have the clocks, enables, resets and settings asked for.

The router moves pins of a block to others, and renames settings with them. Here each multiplier and
block RAM of the synthesised netlist is held against the configuration: every register there has the
clock, the enable and the reset that its setting named in the netlist. No simulation is needed for
that, and no design: it is done for every route.

Source: Lattice FPGA-TN-02205 and FPGA-TN-02204; Project Trellis' database.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from totient.common.errors import ToolError
from totient.flow.ecp5.configuration import Configuration
from totient.flow.ecp5.database import Wire
from totient.flow.ecp5.extraction import Extraction
from totient.flow.ecp5.fabric import Fabric
from totient.flow.ecp5.netlist import Block, Lut, Signal
from totient.flow.ecp5.verilog import expression

_BEL = re.compile(r"X(\d+)/Y(\d+)/(\w+)")
_REGISTERS = ("INPUTA", "INPUTB", "PIPELINE", "OUTPUT")
_PINS = ("CLK", "CE", "RST")
_MEMORY_PINS = ("CLK", "CE", "OCE", "WE", "RST")
_MEMORY_SETTINGS = ("DATA_WIDTH", "REGMODE", "WRITEMODE")


def block_faults(
    cells: Mapping[str, Any], bels: Mapping[str, str], configuration: Configuration
) -> Iterator[str]:
    """Differences from the netlist, one line each.

    Args:
        cells: of the netlist that was routed, as Yosys writes them.
        bels: the place of each cell of the routed netlist, by name.
        configuration: the route's.
    """
    extraction = Extraction(Fabric(configuration), {})
    comparison = _Comparison(extraction)
    for name, cell in cells.items():
        if cell["type"] == "MULT18X18D":
            block = extraction.block(_pin(bels[name], "JP0_MULT18"))
            yield from (f"{name}: {fault}" for fault in comparison.multiplier(cell, block))
        elif cell["type"] == "DP16KD":
            block = extraction.block(_pin(bels[name], "JDOA0_EBR"))
            yield from (f"{name}: {fault}" for fault in comparison.memory(cell, block))


def _pin(bel: str, wire: str) -> Wire:
    found = _BEL.fullmatch(bel)
    if found is None:
        raise ToolError(f"{bel} is no place of a block")
    return Wire(int(found[2]), int(found[1]), wire)


class _Comparison:
    """Nets of the netlist and what drives them in the device, as far as both were met."""

    def __init__(self, extraction: Extraction) -> None:
        self._extraction = extraction
        self._drivers: dict[int, Signal] = {}
        self._nets: dict[Signal, int] = {}

    def multiplier(self, cell: Mapping[str, Any], block: Block) -> Iterator[str]:
        given: Mapping[str, str] = cell["parameters"]
        for register in _REGISTERS:
            asked = given.get(f"REG_{register}_CLK", "NONE") != "NONE"
            is_on = block.parameters[f"REG_{register}_CLK"] != "NONE"
            if asked != is_on:
                yield f"the {register} register is on in one of netlist and configuration only"
            if not asked or not is_on:
                continue
            for kind in _PINS:
                setting = f"REG_{register}_{kind}"
                pin = given.get(setting, f"{kind}0")
                # Of two of the four multipliers the database does not know the output's reset.
                here = block.parameters.get(setting, pin)
                yield from self._pin(cell, block, pin, here, f"{setting} = {pin}")

    def memory(self, cell: Mapping[str, Any], block: Block) -> Iterator[str]:
        for port in "AB":
            for kind in _MEMORY_PINS:
                yield from self._pin(cell, block, f"{kind}{port}", f"{kind}{port}", "the port")
            for name in _MEMORY_SETTINGS:
                setting = f"{name}_{port}"
                asked = _number(cell["parameters"].get(setting, block.parameters[setting]))
                if asked != block.parameters[setting]:
                    yield f"{setting} is {block.parameters[setting]}, not {asked}"
            selected = [self._constant(block.inputs[f"CS{port}{i}"]) for i in range(3)]
            decode = block.parameters[f"CSDECODE_{port}"][:1:-1]
            if selected != [bit == "1" for bit in decode]:
                yield f"port {port} is not selected: CSDECODE is {decode}, the pins are {selected}"

    def _pin(
        self, cell: Mapping[str, Any], block: Block, pin: str, here: str, why: str
    ) -> Iterator[str]:
        bits: list[int | str] = cell["connections"].get(pin) or ["x"]
        bit = bits[0]
        found: Signal = block.inputs[here]
        constant = self._constant(found)
        if constant is not None:
            found = constant != (here in block.inverted)
        if bit == "x":
            yield f"{pin} is open in the netlist, and {why} names it"
        elif isinstance(bit, str):
            if found is not (bit == "1"):
                yield f"{here} is {_told(found)}, not constant {bit} ({why})"
        elif not isinstance(found, Wire) or here in block.inverted:
            yield f"{here} is {_told(found)}, not a signal ({why})"
        elif self._drivers.setdefault(bit, found) != found or (
            self._nets.setdefault(found, bit) != bit
        ):
            yield f"{here} is another net's {_told(found)} ({why})"

    def _constant(self, signal: Signal) -> bool | None:
        """The value of a constant; `None`: it is none."""
        if isinstance(signal, Wire) and signal.name.startswith("F"):
            cell = self._extraction.cell(signal)
            if isinstance(cell, Lut):
                inputs = [
                    f"1'b{int(each)}" if isinstance(each, bool) else f"i{place}"
                    for place, each in enumerate(cell.inputs)
                ]
                return {"1'b0": False, "1'b1": True}.get(expression(cell.table, inputs))
        return signal if isinstance(signal, bool) else None


def _number(value: str) -> str:
    """A parameter of a netlist, where numbers are bits."""
    return str(int(value, 2)) if re.fullmatch("[01]{8,}", value) else value.strip()


def _told(signal: Signal) -> str:
    if signal is None:
        return "open"
    if isinstance(signal, bool):
        return f"constant {int(signal)}"
    return f"signal R{signal.row}C{signal.column}_{signal.name}"
