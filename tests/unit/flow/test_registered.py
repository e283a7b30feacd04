"""Multipliers and memories out of the blocks of 7-series devices, as Yosys leaves them."""

import random
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from totient.catalog import sources
from totient.flow import TARGETS, Rtl, synthesise
from totient.flow.netlist import top_module

from .conftest import netlist_of, with_prim

ARTIX7 = TARGETS["artix7-100t"]
FORM_7SERIES = 2
ADDRESS_BITS = {18: 10, 9: 11, 4: 12, 2: 13, 1: 14}
"""Of a block RAM of 16 Kbit, by the bits of its words; more than 8 have a ninth bit a byte."""


def value(parameter: str) -> int | str:
    """A parameter as a number where it is one; bits that do not matter are 0."""
    return int(parameter.replace("x", "0"), 2) if re.fullmatch("[01x]+", parameter) else parameter


def test_the_engine_has_its_blocks_as_they_were_written(cache: Path) -> None:
    """Two multipliers an element, 4 memories and 10 of the windows, with their own registers."""
    parameters = {"Elements": 4, "Bits": 17, "Form": FORM_7SERIES}
    parameters |= {"PlaceBits": 5, "AddressBits": 10, "Partial": 30}
    rtl = Rtl(sources("totient:engine:engine_datapath"), "engine_datapath", parameters)
    used = synthesise(rtl, ARTIX7)
    assert (used.dsp, used.block_ram) == (8, 7)
    assert (used.cells["DSP48E1"], used.cells["RAMB18E1"]) == (8, 14)
    registers = {
        "DSP48E1": {"AREG": 1, "BREG": 1, "MREG": 1, "PREG": 1, "OPMODEREG": 0, "INMODEREG": 0},
        "RAMB18E1": {"DOA_REG": 1, "DOB_REG": 0, "READ_WIDTH_A": 18, "WRITE_WIDTH_B": 18},
    }
    for cell in top_module(netlist_of(rtl, ARTIX7))["cells"].values():
        for name, expected in registers.get(cell["type"], {}).items():
            assert value(cell["parameters"][name]) == expected, (cell["type"], name)
        if cell["type"] == "DSP48E1":
            # The product alone, whatever is around it.
            assert cell["connections"]["OPMODE"] == ["1", "0", "1", "0", "0", "0", "0"]


def test_vivado_is_given_no_module_called_like_a_cell() -> None:
    cells = {"DSP48E1.sv", "RAMB18E1.sv", "MULT18X18D.sv", "DP16KD.sv"}
    core = "totient:engine:engine_datapath"
    assert cells <= {file.name for file in sources(core).files}
    assert not cells & {file.name for file in sources(core, tool="vivado").files}


def blocks(module: Mapping[str, Any]) -> dict[str, Any]:
    """The block RAMs by the output they make, each as its places of the ports' wires.

    A place is that in the block's ports, A or B left out, which Yosys uses the other way round.
    """
    names = {
        wire: (name, place)
        for name, port in module["ports"].items()
        for place, wire in enumerate(port["bits"])
    }
    for cell in module["cells"].values():  # output registers where the block has none in use
        if cell["type"] == "FDRE":
            names[cell["connections"]["D"][0]] = names[cell["connections"]["Q"][0]]
    found = {}
    for cell in module["cells"].values():
        if cell["type"] == "RAMB18E1":
            places = {
                names[wire]: (re.sub("^(ADDR|DI|DIP|DO|DOP)[AB].*", r"\1", port), place)
                for port, wires in cell["connections"].items()
                for place, wire in enumerate(wires)
                if re.match("ADDR|DI|DO", port) and wire in names
            }
            (output,) = {name for name, _ in places if name.endswith("_o")}
            found[output] = (cell, places)
    return found


def test_memories_lie_in_their_blocks_as_those_that_yosys_finds(cache: Path) -> None:
    """Addresses, data, ninth bits and content: where Yosys puts those of plain SystemVerilog."""
    content = random.Random(7).getrandbits(1024 * 18)
    listing = with_prim("memories.sv", "ram_registered", "rom_registered")
    found = []
    for form in (0, FORM_7SERIES):
        parameters: dict[str, int | str] = {"Form": form}
        parameters["Content"] = f"{1024 * 18}'h{content:x}"
        rtl = Rtl(listing, "memories", parameters)
        found.append(blocks(top_module(netlist_of(rtl, ARTIX7))))
    inferred, ours = found
    outputs = ["rom_o", *(f"ram{bits}_o" for bits in ADDRESS_BITS)]
    assert inferred.keys() == ours.keys() == set(outputs)
    for output in outputs:
        assert ours[output][1] == inferred[output][1], output
        bits = 18 if output == "rom_o" else int(output[3:-2])
        wires = bits + ADDRESS_BITS[bits]
        assert len(ours[output][1]) == (wires if output == "rom_o" else 2 * wires)
    parts = [name for name in inferred["rom_o"][0]["parameters"] if re.match("INITP?_..", name)]
    assert len(parts) == 64 + 8
    for name in parts:
        theirs = value(inferred["rom_o"][0]["parameters"][name])
        assert value(ours["rom_o"][0]["parameters"][name]) == theirs, name
