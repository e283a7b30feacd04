"""Digest of elaborated RTL, without names: cells, their settings and connections.

RTL that is written differently (names, modules, structs, comments) but elaborates to the same
structure is the same hardware, so figures measured for one hold for the other. The placer's
result depends slightly on names: a clock that is measured again moves as with another seed.

The front end of synthesis elaborates and flattens the design and splits it into single bits.
Arithmetic and memories stay cells. The digest is of the graph of cells and nets. Each cell and each
net has a value. The first value of a cell comes from its type and settings. The first value of a
net comes from its initial value and from whether it is a constant, an input or an output. Each
round adds the values of all neighbours, with the pins between them, until no round distinguishes
more nets. Inputs of a cell that commute count as one pin. Values have 64 bits: a collision is
possible, but not expected in our designs. Some very regular graphs have the same digest although
they differ; our designs are not of that kind.
Source: colour refinement, B. Weisfeiler and A. Leman, 1968.

Names and places of the top's ports do not count. A port bit is an input or an output. An input that
nothing reads does not count. Ports may therefore be renamed, and joined to structs. The
digest does not distinguish a design from the same with two ports exchanged: its area and clock are
the same, its behaviour is not. Behaviour is for the tests.

The contents of memory blocks that the RTL instantiates (`INIT`, `INITVAL`) do not count either: no
tool of synthesis, placement or routing looks into such a block, so area and clock do not depend on
them. What the hardware computes does. They have a digest of their own.
"""

import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from totient.common.cache import digest, produce
from totient.flow.netlist import top_module
from totient.flow.rtl import Rtl
from totient.flow.synthesis import reading, run_yosys
from totient.flow.target import Target
from totient.flow.versions import tool_version

_Values = npt.NDArray[np.uint64]
_Numbers = npt.NDArray[np.int64]

_SIMPLIFIED = ("opt_expr", "opt_merge", "opt_clean")
_COMMANDS = ("proc", "flatten", *_SIMPLIFIED, "memory_collect", "simplemap", *_SIMPLIFIED)
_NAMES = ("src", "hdlname", "scopename", "module", "MEMID")
"""Attributes and parameters that only name something."""

_COMMUTATIVE = {"$_AND_", "$_NAND_", "$_OR_", "$_NOR_", "$_XOR_", "$_XNOR_", "$add"}
"""Cells whose inputs A and B commute, bit by bit, if both have the same width and sign. Yosys keeps
one of two cells with exchanged inputs; names decide which."""

_CONTENTS = re.compile(r"INIT(VAL|P)?_[0-9A-F]{2}")
"""Parameters of a block RAM that hold its contents, on ECP5 and 7-series."""

_ROUNDS = 16  # between two counts of the distinct nets, which take longer than a round


@dataclass(frozen=True)
class Elaborated:
    """Digests of an elaborated module.

    Attributes:
        structure: of its cells, their settings and connections.
        contents: of its memory blocks' contents; `None` if it instantiates none.
    """

    structure: str
    contents: str | None = None

    @classmethod
    def of(cls, module: Mapping[str, Any]) -> "Elaborated":
        """The digests of a flat module in Yosys' format (JSON)."""
        return cls(structure_of(module), contents_of(module))


def elaborated(rtl: Rtl, target: Target) -> Elaborated:
    """Digests of an elaborated module, from the cache or computed in seconds.

    Args:
        rtl: the module.
        target: the device whose cells it may have.

    Raises:
        ToolError: Yosys failed.
    """
    commands = [
        *reading(rtl, target),
        f"hierarchy -top {rtl.top}",
        *_COMMANDS,
        f"select {rtl.top}",
        "write_json -selected netlist.json",
    ]
    own = Path(__file__).read_text()
    name = digest(rtl.digest, json.dumps(commands), tool_version("pyosys"), own)

    def build(folder: Path) -> None:
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            run_yosys(rtl, commands, Path(scratch), name)
            netlist = json.loads((Path(scratch) / "netlist.json").read_text())
        found = Elaborated.of(top_module(netlist))
        (folder / "digests.json").write_text(json.dumps(vars(found)))

    folder = produce("structure", name, build)
    return Elaborated(**json.loads((folder / "digests.json").read_text()))


def structure_of(module: Mapping[str, Any]) -> str:
    """Digest of the structure of a flat module in Yosys' format (JSON)."""
    graph = _Graph(module)
    values, cells = graph.refined()
    outputs = values[np.array(graph.outputs, np.int64)]
    return digest(np.sort(cells).tobytes(), np.sort(outputs).tobytes())


def contents_of(module: Mapping[str, Any]) -> str | None:
    """Digest of the contents of a flat module's memory blocks; `None` if it has none.

    Which block of several has which content does not count. The structure does not tell either.
    """
    blocks = [
        json.dumps({name: value for name, value in settings.items() if _CONTENTS.fullmatch(name)})
        for settings in (cell["parameters"] for cell in module["cells"].values())
        if any(map(_CONTENTS.fullmatch, settings))
    ]
    return digest(*sorted(blocks)) if blocks else None


class _Pins:
    """Pins, each between an end that gets a value and its neighbour.

    Args:
        ends: number of each pin's end.
        neighbours: number of its neighbour.
        names: a number for its name.
        count: number of ends.
    """

    def __init__(self, ends: _Numbers, neighbours: _Numbers, names: _Values, count: int) -> None:
        order = np.argsort(ends, kind="stable")
        self._neighbours, self._names = neighbours[order], names[order]
        self._ends, self._first = np.unique(ends[order], return_index=True)
        self._count = count

    def gathered(self, values: _Values) -> _Values:
        """For each end the sum over its pins, in any order, of their neighbours' values."""
        sums = np.zeros(self._count, np.uint64)
        if len(self._ends):
            mixed = _mixed(values[self._neighbours] + self._names)
            sums[self._ends] = np.add.reduceat(mixed, self._first)
        return sums


class _Graph:
    """Nets and cells of a flat module as arrays."""

    def __init__(self, module: Mapping[str, Any]) -> None:
        self._numbers: dict[int | str, int] = {}
        first: dict[int, int] = {}
        self.outputs: list[int] = []  # net of each output's bit
        for constant in ("0", "1", "x", "z"):
            first[self._net(constant)] = _number("constant", constant)
        for net, value in chain(self._ports(module), self._attributes(module["netnames"])):
            first[net] = (first.get(net, 0) + value) % 2**64
        cells = [*module["cells"].values()]
        self._cells = np.array(
            [
                _number(cell["type"], _settings(cell["parameters"]), _apart(cell["attributes"]))
                for cell in cells
            ],
            np.uint64,
        )
        pins = [
            (number, self._net(bit), _pin(port, place))
            for number, cell in enumerate(cells)
            for port, bits in _connections(cell)
            for place, bit in enumerate(bits)
        ]
        of_cells = np.array([cell for cell, _, _ in pins], np.int64)
        of_nets = np.array([net for _, net, _ in pins], np.int64)
        names = np.array([name for _, _, name in pins], np.uint64)
        self._at_cells = _Pins(of_cells, of_nets, names, len(cells))
        self._at_nets = _Pins(of_nets, of_cells, names, len(self._numbers))
        self._first = np.zeros(len(self._numbers), np.uint64)
        for net, value in first.items():
            self._first[net] = value

    def _net(self, bit: int | str) -> int:
        return self._numbers.setdefault(bit, len(self._numbers))

    def _ports(self, module: Mapping[str, Any]) -> Iterator[tuple[int, int]]:
        """Nets of the top's ports, with a value for input or output."""
        for port in module["ports"].values():
            is_output = port["direction"] == "output"
            for net in map(self._net, port["bits"]):
                if is_output:
                    self.outputs.append(net)
                yield net, _number("output" if is_output else "input")

    def _attributes(self, wires: Mapping[str, Any]) -> Iterator[tuple[int, int]]:
        """Nets with their attributes: initial values, and whether they are kept."""
        for wire in wires.values():
            for name, text in _apart(wire["attributes"]).items():
                for place, bit in enumerate(wire["bits"]):
                    said = text[-1 - place] if name == "init" else text
                    yield self._net(bit), _number("attribute", name, said)

    def refined(self) -> tuple[_Values, _Values]:
        """Values of nets and of cells, when no round distinguishes more nets."""
        values, distinct = self._first, 0
        while True:
            for _ in range(_ROUNDS):
                cells = _mixed(self._cells + self._at_cells.gathered(values))
                values = self._first + self._at_nets.gathered(cells)
            if (count := len(np.unique(values))) == distinct:
                return values, cells
            distinct = count


def _apart(attributes: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in attributes.items() if name not in _NAMES}


def _settings(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {k: value for k, value in _apart(parameters).items() if not _CONTENTS.fullmatch(k)}


def _connections(cell: Mapping[str, Any]) -> Iterator[tuple[str, Sequence[int | str]]]:
    """Ports of a cell with their bits; ports that may be exchanged have one name."""
    ports, settings = cell["connections"], cell["parameters"]
    commutes = (
        cell["type"] in _COMMUTATIVE
        and len(ports["A"]) == len(ports["B"])
        and settings.get("A_SIGNED") == settings.get("B_SIGNED")
    )
    for port, bits in ports.items():
        yield ("AB" if commutes and port in "AB" else port), bits


@cache
def _pin(port: str, place: int) -> int:
    return _number("pin", port, place)


def _number(*parts: object) -> int:
    """A hash of 64 bits."""
    return int(digest(json.dumps(parts, sort_keys=True))[:16], 16)


def _mixed(values: _Values) -> _Values:
    """Values spread over 64 bits; source: the finaliser of SplitMix64."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))
