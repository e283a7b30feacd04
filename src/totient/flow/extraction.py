"""From a configured device to its netlist: wires, followed from outputs to their drivers.

Wires and cells of a family are in its own folder. The common part of the small families is here.
"""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from totient.common.cache import digest, produce
from totient.common.errors import ToolError
from totient.flow.harness import INPUT, OUTPUT, placed_harness
from totient.flow.netlist import Cells, Signal
from totient.flow.netlist_verilog import netlist_files
from totient.flow.routing import kept_configuration
from totient.flow.target import Target

Wire = TypeVar("Wire")
_Ports = Mapping[str, tuple[str, list[Signal]]]


class Extraction(ABC, Generic[Wire]):
    """A configured device: its wires, and cells found from outputs backwards."""

    _PAD: ClassVar[re.Pattern[str]]
    """Name that the router gives to the cell of a pin; group 1 is the port."""

    def __init__(self) -> None:
        self._given: dict[Wire, Signal] = {}
        self._before: dict[Wire, Wire] = {}
        self._cells = Cells()
        self._to_do: list[Wire] = []
        self._queued: set[Wire] = set()

    @abstractmethod
    def wire(self, bel: str, pin: str) -> Wire:
        """The wire that a place drives: of a table `F`, of a register `Q`, of a pin `O`.

        Raises:
            ToolError: it is no such place.
        """

    @abstractmethod
    def number(self, wire: Wire) -> int:
        """The net of a wire."""

    def table_net(self, bel: str) -> Signal:
        """The net that the table of a place drives, where a register may stand behind it."""
        return self.number(self.wire(bel, "F"))

    @abstractmethod
    def _output(self, wire: Wire) -> Signal:
        """The cell output at the end of a wire (`_queue`), if any."""

    @abstractmethod
    def _add(self, wire: Wire) -> None:
        """Add the cell that drives a queued wire."""

    @abstractmethod
    def _named(self, wire: Wire) -> str:
        """A wire's name in messages."""

    def _source(self, wire: Wire) -> Wire | None:
        """The wire that a wire is joined to."""
        return self._before.get(wire)

    def _join(self, sink: Wire, source: Wire) -> None:
        """Join a wire to its source; `ToolError` if it has another."""
        if self._before.setdefault(sink, source) != source:
            raise ToolError(f"{self._named(sink)} is driven from two sources")

    def _queue(self, wire: Wire) -> None:
        """Have the cell that drives a wire added, once."""
        if wire not in self._queued:
            self._queued.add(wire)
            self._to_do.append(wire)

    def driver(self, wire: Wire) -> Signal:
        """The signal of a wire.

        Raises:
            ToolError: it is driven in a circle, or by a cell that is not known here.
        """
        here = wire
        for _ in range(len(self._before) + 2):
            if here in self._given:
                return self._given[here]
            before = self._source(here)
            if before is None:
                return self._output(here)
            here = before
        raise ToolError(f"{self._named(wire)} is driven by a circle of wires")

    def cut_out(self, cells: Mapping[str, str], top: str) -> dict[str, Any]:
        """The netlist of the design in the harness, as Yosys writes one (JSON).

        Args:
            cells: the BEL of each cell of the routed netlist by name: of these only the harness'
                and the pins are looked at.
            top: name of the module to make.

        Raises:
            ToolError: something of the configuration is not known.
        """
        harness = placed_harness(cells)
        ports = harness.ports()
        for bel in harness.chain.values():
            self._given[self.wire(bel, "Q")] = "0"  # the chain before it
        for (port, place), bel in harness.inputs.items():
            ports[port][1][place] = self._give(self.wire(bel, "Q"))
        for name, bel in cells.items():
            if (found := self._PAD.fullmatch(name)) and found[1] not in (INPUT, OUTPUT):
                ports[found[1]] = ("input", [self._give(self.wire(bel, "O"))])
        for (port, place), bel in harness.outputs.items():
            ports[port][1][place] = self.table_net(bel)
        return self._netlist(top, ports, [self.wire(bel, "F") for bel in harness.outputs.values()])

    def _give(self, wire: Wire) -> Signal:
        """Let a wire come from outside, as its own net."""
        self._given[wire] = number = self.number(wire)
        return number

    def _netlist(self, top: str, ports: _Ports, outputs: Iterable[Wire]) -> dict[str, Any]:
        for wire in outputs:
            self._output(wire)
        while self._to_do:
            self._add(self._to_do.pop())
        return self._cells.netlist(top, ports)


def extracted_files(
    route: Path,
    top: str,
    target: Target,
    family: Path,
    extract: Callable[[str, Mapping[str, str], Path], Mapping[str, object]],
) -> tuple[Path, ...]:
    """Files for a simulator of the netlist of a route, from the cache or made now.

    Args:
        route: folder of the route.
        top: name of its top module.
        target: the device.
        family: folder of the sources that `extract` is made of.
        extract: makes the netlist of a configuration's text, from the BEL of each cell, in a folder
            that it may write to.

    Raises:
        ToolError: `extract` raised it.
    """
    text, cells = kept_configuration(route)
    sources = [path.read_text() for path in (Path(__file__), *sorted(family.glob("*.py")))]
    name = digest(text, json.dumps(cells), top, *sources, *target.router.versions())

    def build(folder: Path) -> None:
        (folder / "netlist.json").write_text(json.dumps(extract(text, cells, folder)))

    folder = produce("routed", name, build)
    return netlist_files((folder / "netlist.json").read_text(), target)
