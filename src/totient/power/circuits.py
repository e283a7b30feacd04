"""Circuits that are not of the catalog: their netlists as models, and their activity."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from totient.catalog import SourceList, Top
from totient.flow import Rtl, Target
from totient.flow.netlist import top_module
from totient.flow.synthesis import synthesised
from totient.flow.target import Cost
from totient.power.activity_model import ActivityModel, build_activity_model, netlist_nodes
from totient.power.fabrics import weights_of
from totient.power.nodes import Nodes
from totient.power.switching import Switching, switching
from totient.power.wires import routed_wires, wires_of_readers
from totient.sim import Model

_FOLDER = Path(__file__).with_name("circuits")
_LATCH = "LDCE"  # has no cost: none of the catalog's designs has one


@dataclass(frozen=True)
class CircuitNetlist:
    """A netlist that can be simulated.

    Attributes:
        cells: by type.
        nodes: of the netlist.
        model: that counts its transitions.
    """

    cells: Mapping[str, int]
    nodes: Nodes
    model: ActivityModel

    def switching(self) -> Switching:
        """The activity that was counted."""
        return switching(self.nodes, self.model.counts())


def circuit_netlist(rtl: Rtl, target: Target, top: Top) -> CircuitNetlist:
    """Synthesise a circuit without multiplier blocks, and build its model.

    Args:
        rtl: the circuit.
        target: the device; its wires are from the router if there is one.
        top: the ports for the clock and the reset, and the faces.

    Raises:
        InputError: the target's fabric has no weights.
        ToolError: a tool failed.
    """
    folder = synthesised(rtl, target, dsp=False)
    netlist = json.loads((folder / "netlist.json").read_text())
    wires = routed_wires(folder, target) if target.can_route else wires_of_readers(netlist)
    nodes = netlist_nodes(netlist, weights_of(target).delays, wires, top.clock)
    cells = Counter(each["type"] for each in top_module(netlist)["cells"].values())
    return CircuitNetlist(dict(sorted(cells.items())), nodes, build_activity_model(nodes, top))


def cells_cost(cells: Mapping[str, int], target: Target) -> Cost:
    """Parts of a device that cells take, latches aside.

    Args:
        cells: by type.
        target: the device.
    """
    found = [(target.costs[kind], n) for kind, n in cells.items() if kind != _LATCH]
    return Cost(lut=sum(c.lut * n for c, n in found), ff=sum(c.ff * n for c, n in found))


def circuit_switching(
    module: str,
    parameters: Mapping[str, int],
    target: Target,
    *,
    cycles: int = 4096,
) -> Switching:
    """Activity of a circuit of `circuits/` with no input but the clock.

    Args:
        module: its name.
        parameters: of the module.
        target: the device; its wires are from the router if there is one. No multiplier blocks.
        cycles: to count, after as many.

    Raises:
        InputError: the target's fabric has no weights.
        ToolError: a tool failed.
    """
    file = _FOLDER / f"{module}.sv"
    rtl = Rtl(SourceList((file,), ()), module, parameters)
    made = circuit_netlist(rtl, target, Top("", module, parameters, frozenset(), module))
    with Model(made.model.library) as circuit:
        circuit.advance(cycles)
        made.model.count(True)
        circuit.advance(cycles)
        made.model.count(False)
        return made.switching()
