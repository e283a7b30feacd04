"""The netlist of a routed device, with the ports of the design.

A design routed inside the harness (`totient.flow.harness`) is cut out of it: the ports replace the
harness' registers at the inputs, and an output is the input of the harness' exclusive or. A
board's top has pins.
"""

import re
from collections.abc import Mapping

from totient.common.errors import ToolError
from totient.flow.ecp5.configuration import Configuration
from totient.flow.ecp5.database import Wire
from totient.flow.ecp5.extraction import Extraction
from totient.flow.ecp5.fabric import Fabric
from totient.flow.ecp5.verilog import Port, write_verilog
from totient.flow.harness import INPUT, OUTPUT, placed_harness

_BEL = re.compile(r"X(\d+)/Y(\d+)/(?:SLICE([A-D])\.(K|FF)([01])|PIO([A-D]))")
_PIN = re.compile(r"(\w+)(?:\[(\d+)\])?\$tr_io")


def routed_verilog(configuration: Configuration, cells: Mapping[str, str], top: str) -> str:
    """Verilog of a configured device.

    Args:
        configuration: of the device.
        cells: the BEL of each cell of the routed netlist by name: of these only the harness' and
            the pins are looked at.
        top: name of the module to make.

    Raises:
        ToolError: something of the configuration is not known.
    """
    fabric = Fabric(configuration)
    given: dict[Wire, str] = {}
    outputs: dict[str, Wire] = {}
    bits: dict[str, tuple[int, bool]] = {}
    places: list[tuple[str, int | None, bool, Wire]] = []
    harness = placed_harness(cells)
    given |= {_output_of(bel): "1'b0" for bel in harness.chain.values()}  # the chain before it
    for ends, is_output in ((harness.inputs, False), (harness.outputs, True)):
        places += [(port, at, is_output, _output_of(bel)) for (port, at), bel in ends.items()]
    for name, bel in cells.items():
        if (found := _PIN.fullmatch(name)) and found[1] not in (INPUT, OUTPUT):
            number = None if found[2] is None else int(found[2])
            wire = _output_of(bel)
            pad = Wire(wire.row, wire.column, wire.name.replace("JPADDI", "PADDO"))
            is_output = fabric.driver(pad) is not None
            _check_pad(fabric, wire, is_output)
            places.append((found[1], number, is_output, pad if is_output else wire))
    for port, number, is_output, _ in places:
        before = bits.get(port, (0, is_output))[0]
        bits[port] = (max(before, (number or 0) + 1), is_output)
    for port, number, is_output, wire in places:
        name = port if bits[port][0] == 1 else f"{port}[{number}]"
        if is_output:
            outputs[name] = wire
        else:
            given[wire] = name
    netlist = Extraction(fabric, given).netlist(outputs)
    ports = [Port(name, width, is_output) for name, (width, is_output) in bits.items()]
    return write_verilog(netlist, top, ports, given)


def _check_pad(fabric: Fabric, wire: Wire, is_output: bool) -> None:
    """Check that a pad is switched on, in its direction, and that an output always drives.

    Args:
        fabric: of the device.
        wire: the pad's way in, `JPADDI...`.
        is_output: which way it is used.

    Raises:
        ToolError: it is not.
    """
    letter = wire.name[6]
    kind = fabric.pad(wire.row, wire.column, letter)
    if not kind.startswith("OUTPUT_" if is_output else "INPUT_"):
        raise ToolError(f"{_told(wire)} is a pad of type {kind}")
    held = fabric.driver(Wire(wire.row, wire.column, f"PADDT{letter}_PIO"))
    if is_output and held is not False:
        raise ToolError(f"{_told(wire)} is an output that {held} holds back")


def _told(wire: Wire) -> str:
    return f"row {wire.row}, column {wire.column}, {wire.name}"


def _output_of(bel: str) -> Wire:
    """The wire that a BEL drives."""
    found = _BEL.fullmatch(bel)
    if found is None:
        raise ToolError(f"{bel} is no LUT, register or pin")
    column, row, letter, kind, half, pin = found.groups()
    if pin is not None:
        return Wire(int(row), int(column), f"JPADDI{pin}_PIO")
    place = 2 * "ABCD".index(letter) + int(half)
    return Wire(int(row), int(column), f"{'F' if kind == 'K' else 'Q'}{place}_SLICE")
