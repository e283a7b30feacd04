"""Routing wires of a net, and their delay: from the router, or from the net's readers.

A routing wire is one that a switch drives: a span between tiles, or the input of a cell. A net
inside a slice, such as that of a look-up table to its register or of a carry to the next, has none.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from totient.common.cache import digest, produce
from totient.common.errors import ToolError
from totient.flow import Target
from totient.flow.netlist import top_module
from totient.flow.processes import Children
from totient.flow.route_watch import run_nextpnr
from totient.flow.routing import arguments, compiled_nextpnr, floorplan_of, write_design
from totient.flow.synthesis import failure

_SPAN_OR_INPUT = re.compile(
    r"[HV]\d\d[NESWTBLR]\d+"  # ECP5: spans of 0, 1, 2 and 6 tiles
    r"|J?(?:[A-D]\d|M\d|CE\d|LSR\d)"  # ECP5: inputs of a slice or a block
    r"|(?:sp4|sp12|span4|span12|local)_.*"  # iCE40: spans of 4 and 12 tiles, inputs of a tile
)
"""Names of routing wires: Project Trellis and Project IceStorm."""

_INTERCONNECT = re.compile(r"\(INTERCONNECT (\S+) \S+ \([\d.]*:([\d.]+):")

# Outputs whose net reaches these inputs inside a slice. UG474 (7-series CLB), figures 2-3 and 2-4.
_LOGIC = frozenset({*(f"LUT{n}" for n in range(1, 7)), "INV"})
_INSIDE = {
    **{
        (kind, "D"): _LOGIC | {"CARRY4", "MUXF7", "MUXF8"}
        for kind in ("FDRE", "FDSE", "FDCE", "FDPE", "LDCE")
    },
    ("CARRY4", "S"): _LOGIC,
    ("CARRY4", "CI"): frozenset({"CARRY4"}),
    ("MUXF7", "I0"): _LOGIC,
    ("MUXF7", "I1"): _LOGIC,
    ("MUXF8", "I0"): frozenset({"MUXF7"}),
    ("MUXF8", "I1"): frozenset({"MUXF7"}),
}


@dataclass(frozen=True)
class Wires:
    """Wires of a netlist.

    Attributes:
        count: routing wires of a net, by its number; absent: none.
        delay_ns: mean delay from the net's driver to its readers, by number; absent: not known.
        routed: whether from a router.
    """

    count: Mapping[int, float]
    delay_ns: Mapping[int, float]
    routed: bool


def wires_of_readers(netlist: Mapping[str, Any], each: float = 1.0) -> Wires:
    """An estimate without a router: `each` wires to an input outside the driver's slice.

    Args:
        netlist: as Yosys writes it (JSON), flat.
        each: routing wires to an input.
    """
    module = top_module(netlist)
    driver = {
        bit: cell["type"]
        for cell in module["cells"].values()
        for pin, bits in cell["connections"].items()
        if cell["port_directions"][pin] == "output"
        for bit in bits
        if isinstance(bit, int)
    }
    found: Counter[int] = Counter()
    for cell in module["cells"].values():
        for pin, bits in cell["connections"].items():
            if cell["port_directions"][pin] != "input":
                continue
            inside = _INSIDE.get((cell["type"], pin), frozenset())
            found.update(b for b in bits if isinstance(b, int) and driver.get(b) not in inside)
    for port in module["ports"].values():
        if port["direction"] == "output":
            found.update(bit for bit in port["bits"] if isinstance(bit, int))
    return Wires({net: each * pins for net, pins in found.items()}, {}, routed=False)


def routed_wires(netlist: Path, target: Target, seed: int = 1) -> Wires:
    """The wires and delays that nextpnr reports, from the cache or new.

    Args:
        netlist: folder from `totient.flow.synthesis.synthesised`.
        target: an ECP5 or an iCE40; the netlist is routed inside the harness.
        seed: of the placer.

    Raises:
        ToolError: nextpnr failed; the netlist may not fit.
    """
    places = floorplan_of(netlist, target)
    given = [*arguments(target, places, seed), "--sdf", "delays.sdf"]
    versions = (Path(__file__).read_text(), *target.router.versions())
    name = digest("wires", netlist.name, repr(target), json.dumps(given), *versions)

    def build(folder: Path) -> None:
        design = json.loads((netlist / "netlist.json").read_text())
        numbers = dict(_numbers(top_module(design)))
        write_design(folder, design, target, places)
        compiled = compiled_nextpnr(target.router, lambda text: None)
        with Children() as children:
            status = run_nextpnr(children, target.router, given, folder, compiled)
        if status:
            raise ToolError(f"nextpnr failed: {failure(folder, name, status)}")
        routed = top_module(json.loads((folder / "routed.json").read_text()))
        count = {
            str(numbers[net]): wires
            for net, wires in _routing_wires(routed)
            if net in numbers and wires
        }
        delay = {
            str(numbers[net]): sum(found) / len(found) / 1000
            for net, found in _delays(routed, (folder / "delays.sdf").read_text()).items()
            if net in numbers
        }
        for file in folder.iterdir():
            file.unlink()
        (folder / "wires.json").write_text(json.dumps({"count": count, "delay_ns": delay}))

    data = json.loads((produce("wires", name, build) / "wires.json").read_text())
    count, delay = ({int(net): v for net, v in data[part].items()} for part in data)
    return Wires(count, delay, routed=True)


def _numbers(module: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """Each name of a bit of a wire, as nextpnr has it, with the number of its net."""
    for name, wire in module["netnames"].items():
        for place, bit in enumerate(wire["bits"]):
            if isinstance(bit, int):
                position = place + wire.get("offset", 0)
                yield (f"{name}[{position}]" if len(wire["bits"]) > 1 else name), bit


def _routing_wires(module: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """Name and number of routing wires of each net of a routed netlist."""
    for name, net in module["netnames"].items():
        parts = net["attributes"].get("ROUTING", "").split(";")
        wires = (wire.rpartition("/")[2] for wire in parts[::3])
        yield name, sum(_SPAN_OR_INPUT.fullmatch(wire) is not None for wire in wires)


def _delays(module: Mapping[str, Any], sdf: str) -> Mapping[str, Sequence[float]]:
    """Delays in ps from a net's driver to each of its readers, by the net's name."""
    names = {
        bit: name
        for name, net in module["netnames"].items()
        for bit in net["bits"]
        if isinstance(bit, int)
    }
    found = defaultdict[str, list[float]](list)
    for source, delay in _INTERCONNECT.findall(sdf):
        cell, _, pin = source.replace("\\", "").rpartition("/")
        for bit in module["cells"].get(cell, {}).get("connections", {}).get(pin, ()):
            if bit in names:
                found[names[bit]].append(float(delay))
    return found
