"""Routed netlists of iCE40 as files for a simulator."""

import json
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

from totient.common.cache import digest, produce
from totient.common.errors import ToolError
from totient.flow.harness import INPUT, OUTPUT, placed_harness
from totient.flow.ice40.configuration import Configuration, differences, parse
from totient.flow.ice40.database import Wire
from totient.flow.ice40.extraction import Extraction
from totient.flow.netlist import Signal
from totient.flow.netlist_verilog import netlist_files
from totient.flow.processes import Children
from totient.flow.routing import kept_configuration
from totient.flow.synthesis import failure
from totient.flow.target import Target

_OWN = Path(__file__).parent
_BEL = re.compile(r"X(\d+)/Y(\d+)/(lc|io)(\d)")
_PIN = re.compile(r"(\w+)\$sb_io")


def routed_files(route: Path, top: str, target: Target) -> tuple[Path, ...]:
    """What a route makes of the device, as files that `totient.sim.netlist` takes.

    The configuration is packed into a bitstream, unpacked again and compared before.

    Args:
        route: folder of the route.
        top: name of its top module.
        target: the device.

    Raises:
        ToolError: the bitstream is not the configuration, or something of it is not known.
    """
    text, cells = kept_configuration(route)
    sources = [path.read_text() for path in sorted(_OWN.glob("*.py"))]
    name = digest(text, json.dumps(cells), top, *sources, *target.router.versions())

    def build(folder: Path) -> None:
        with tempfile.TemporaryDirectory(dir=folder) as scratch, Children() as children:
            packed_again(text, Path(scratch), children)
        netlist = routed_netlist(parse(text), cells, top)
        (folder / "netlist.json").write_text(json.dumps(netlist))

    folder = produce("routed", name, build)
    return netlist_files((folder / "netlist.json").read_text(), target)


def packed_again(text: str, folder: Path, children: Children) -> None:
    """Pack a configuration, unpack the bitstream, and compare; and pack that once more.

    Args:
        text: of the configuration.
        folder: to work in; it has `device.bin` afterwards.
        children: to run the tools with.

    Raises:
        ToolError: a tool failed, or something differs.
    """

    def run(tool: str, *arguments: str) -> None:
        if status := children.run(tool, arguments, folder, {}):
            raise ToolError(f"{tool} failed: {failure(folder, f'{tool}-{folder.name}', status)}")

    (folder / "device.asc").write_text(text)
    run("icepack", "device.asc", "device.bin")
    run("iceunpack", "device.bin", "unpacked.asc")
    run("icepack", "unpacked.asc", "again.bin")
    differ = differences(parse(text), parse((folder / "unpacked.asc").read_text()))
    if (folder / "again.bin").read_bytes() != (folder / "device.bin").read_bytes():
        differ.append("the unpacked configuration packs to another bitstream")
    if differ:
        raise ToolError(f"the bitstream is not the configuration: {differ[0]}")


def routed_netlist(
    configuration: Configuration, cells: Mapping[str, str], top: str
) -> dict[str, object]:
    """The netlist of a configured device, as Yosys writes one, cut out of the harness.

    Args:
        configuration: of the device.
        cells: the BEL of each cell of the routed netlist by name: of these only the harness' and
            the pins are looked at.
        top: name of the module to make.

    Raises:
        ToolError: something of the configuration is not known.
    """
    harness = placed_harness(cells)
    given: dict[Wire, Signal] = {}
    extraction = Extraction(configuration, given)
    ports = harness.ports()
    for bel in harness.chain.values():
        given[_output(bel)] = "0"  # the chain before it
    for (port, place), bel in harness.inputs.items():
        wire = _output(bel)
        given[wire] = ports[port][1][place] = extraction.number(wire)
    for name, bel in cells.items():
        if (found := _PIN.fullmatch(name)) and found[1] not in (INPUT, OUTPUT):
            wire = _output(bel)
            given[wire] = extraction.number(wire)
            ports[found[1]] = ("input", [given[wire]])
    driving = []
    for (port, place), bel in harness.outputs.items():
        wire = _output(bel)
        ports[port][1][place] = extraction.table(wire.x, wire.y, int(bel[-1]))
        driving.append(wire)
    return extraction.netlist(top, ports, driving)


def _output(bel: str) -> Wire:
    """The wire that a BEL drives."""
    found = _BEL.fullmatch(bel)
    if found is None:
        raise ToolError(f"{bel} is no logic cell or pin")
    x, y, kind, place = found.groups()
    name = f"lutff_{place}:out" if kind == "lc" else f"io_{place}:D_IN_0"
    return Wire(int(x), int(y), name)
