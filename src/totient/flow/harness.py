"""A harness for place and route, so that a routed figure is that of the design alone.

The placer puts pins anywhere on the device's edge and pulls a design's first and last registers
there. A path that only carries a word to a pin then determines the clock. A wide design also has
more ports than the device has pins. In the harness, inputs come from a chain of registers with one
pin. A second chain, with another pin, gathers the outputs: each of its registers takes the
exclusive or of an output and of the register before, so that all outputs affect the pin.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from totient.flow.netlist import Signal, top_module, wire_numbers, with_top_module
from totient.flow.target import Cell, HarnessCells, Pad

INPUT, OUTPUT = "harness_input", "harness_output"
"""The harness' pins, besides the clock's."""


def in_harness(netlist: Mapping[str, Any], cells: HarnessCells) -> dict[str, Any]:
    """Put the top module of a netlist into the harness.

    Args:
        netlist: in Yosys' format (JSON), with one clock. One without registers stays unchanged.
        cells: of this device for the harness.

    Returns:
        The new netlist; the one given is not changed, and shares parts with it.
    """
    top = top_module(netlist)
    clocks = {
        cell["connections"][cells.clock][0]
        for cell in top["cells"].values()
        if cell["type"] in cells.registers
    }
    if not clocks:
        return dict(netlist)
    free = count(1 + max(wire_numbers(top)))
    made: dict[str, Any] = {}
    ports: dict[str, Any] = {INPUT: {"direction": "input", "bits": [next(free)]}}
    given: int = ports[INPUT]["bits"][0]
    gathered: int | str = "0"
    for port_name, port in top["ports"].items():
        if set(port["bits"]) & clocks:
            ports[port_name] = port
            continue
        for place, bit in enumerate(port["bits"]):
            where = f"harness.{port_name}.{place}"
            if port["direction"] == "input":
                made[where] = _cell(cells.register, (given, min(clocks)), bit)
                given = bit
            else:
                either, register = next(free), next(free)
                made[f"{where}.either"] = _cell(cells.exclusive_or, (bit, gathered), either)
                made[where] = _cell(cells.register, (either, min(clocks)), register)
                gathered = register
    ports[OUTPUT] = {"direction": "output", "bits": [gathered]}
    if cells.pads:
        clock = next(name for name in ports if name not in (INPUT, OUTPUT))
        for name, pad in zip((clock, INPUT, OUTPUT), cells.pads, strict=True):
            (inside,), outside = ports[name]["bits"], next(free)
            ends = (inside, outside) if name == OUTPUT else (outside, inside)
            made[f"harness_pad.{name}"] = _pad(pad, *ends)
            ports[name] = {**ports[name], "bits": [outside]}
    changed = {**top, "ports": ports, "cells": {**top["cells"], **made}}
    return with_top_module(netlist, changed)


def registers(netlist: Mapping[str, Any], cells: HarnessCells) -> int:
    """Registers in the top module of a netlist."""
    top = top_module(netlist)
    return sum(cell["type"] in cells.registers for cell in top["cells"].values())


def _pad(pad: Pad, given: object, driven: object) -> dict[str, Any]:
    """A cell between a pin and the fabric, in Yosys' format."""
    return {
        "type": pad.type,
        "parameters": {},
        "attributes": {"BEL": pad.site},
        "port_directions": {pad.input: "input", pad.output: "output"},
        "connections": {pad.input: [given], pad.output: [driven]},
    }


def _cell(cell: Cell, inputs: tuple[object, object], output: object) -> dict[str, Any]:
    """A cell of the harness, in Yosys' format."""
    return {
        "type": cell.type,
        "parameters": cell.parameters,
        "attributes": {},
        "port_directions": {**dict.fromkeys(cell.inputs, "input"), cell.output: "output"},
        "connections": {
            **{port: [wire] for port, wire in zip(cell.inputs, inputs, strict=True)},
            cell.output: [output],
        },
    }


@dataclass(frozen=True)
class PlacedHarness:
    """Places of the harness after routing: BELs by port and bit.

    Attributes:
        inputs: of the registers that drive the design's inputs.
        outputs: of the exclusive ors that receive the design's outputs.
        chain: of the registers after these.
    """

    inputs: Mapping[tuple[str, int], str]
    outputs: Mapping[tuple[str, int], str]
    chain: Mapping[tuple[str, int], str]

    def widths(self) -> dict[str, tuple[int, bool]]:
        """Each port with its bits, and whether it is an output."""
        found: dict[str, tuple[int, bool]] = {}
        for bits, is_output in ((self.inputs, False), (self.outputs, True)):
            for port, place in bits:
                found[port] = (max(found.get(port, (0,))[0], place + 1), is_output)
        return found

    def ports(self) -> dict[str, tuple[str, list[Signal]]]:
        """Each port with its direction, and unconnected nets for its bits."""
        return {
            port: ("output" if is_output else "input", ["x"] * width)
            for port, (width, is_output) in self.widths().items()
        }


def placed_harness(cells: Mapping[str, str]) -> PlacedHarness:
    """Find the harness in a routed netlist.

    Args:
        cells: the place of each cell by name. nextpnr-ice40 merges a register into the cell of the
            exclusive or before it. A suffix of the name states this.
    """
    registers: dict[tuple[str, int], str] = {}
    outputs: dict[tuple[str, int], str] = {}
    for name, bel in cells.items():
        if found := re.fullmatch(r"harness\.(\w+)\.(\d+)(\.either)?(_DFFLC|_LC)?", name):
            (outputs if found[3] else registers)[found[1], int(found[2])] = bel
    inputs = {bit: bel for bit, bel in registers.items() if bit not in outputs}
    chain = {bit: registers.get(bit, bel) for bit, bel in outputs.items()}
    return PlacedHarness(inputs, outputs, chain)
