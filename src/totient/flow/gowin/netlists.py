"""Routed netlists of Gowin devices as files for a simulator."""

import json
from collections.abc import Mapping
from pathlib import Path

from totient.common.cache import digest, produce
from totient.flow.gowin.extraction import Extraction
from totient.flow.harness import INPUT, OUTPUT, placed_harness
from totient.flow.netlist import Signal
from totient.flow.netlist_verilog import netlist_files
from totient.flow.routing import kept_configuration
from totient.flow.target import Target

_OWN = Path(__file__).parent
_PAD = "harness_pad."


def routed_files(route: Path, top: str, target: Target) -> tuple[Path, ...]:
    """What a route makes of the device, as files that `totient.sim.netlist` takes.

    Args:
        route: folder of the route; its configuration is the bitstream.
        top: name of its top module.
        target: the device.

    Raises:
        ToolError: something of the bitstream is not known.
    """
    bitstream, cells = kept_configuration(route)
    sources = [path.read_text() for path in sorted(_OWN.glob("*.py"))]
    name = digest(bitstream, json.dumps(cells), top, *sources, *target.router.versions())

    def build(folder: Path) -> None:
        (folder / "device.fs").write_text(bitstream)
        netlist = routed_netlist(folder / "device.fs", target.chip, cells, top)
        (folder / "device.fs").unlink()
        (folder / "netlist.json").write_text(json.dumps(netlist))

    folder = produce("routed", name, build)
    return netlist_files((folder / "netlist.json").read_text(), target)


def routed_netlist(
    bitstream: Path, chip: str, cells: Mapping[str, str], top: str
) -> dict[str, object]:
    """The netlist of a configured device, as Yosys writes one, cut out of the harness.

    Args:
        bitstream: its file.
        chip: the die.
        cells: the BEL of each cell of the routed netlist by name: of these only the harness' and
            the pads are looked at.
        top: name of the module to make.

    Raises:
        ToolError: something of the bitstream is not known.
    """
    harness = placed_harness(cells)
    given: dict[str, Signal] = {}
    extraction = Extraction(bitstream, chip, given)
    ports = harness.ports()
    for bel in harness.chain.values():
        given[extraction.wire(bel, "Q")] = "0"  # the chain before it
    for (port, place), bel in harness.inputs.items():
        wire = extraction.wire(bel, "Q")
        given[wire] = ports[port][1][place] = extraction.number(wire)
    for name, bel in cells.items():
        port = name.removeprefix(_PAD)
        if port != name and port not in (INPUT, OUTPUT):
            wire = extraction.wire(bel, "O")
            given[wire] = extraction.number(wire)
            ports[port] = ("input", [given[wire]])
    driving = []
    for (port, place), bel in harness.outputs.items():
        wire = extraction.wire(bel, "F")
        ports[port][1][place] = extraction.number(wire)
        driving.append(wire)
    return extraction.netlist(top, ports, driving)
