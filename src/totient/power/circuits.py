"""Small circuits whose power was measured on boards: their activity in our flow."""

import json
from collections.abc import Mapping
from pathlib import Path

from totient.catalog import SourceList, Top
from totient.flow import Rtl, Target
from totient.flow.synthesis import synthesised
from totient.power.activity_model import build_activity_model, netlist_nodes
from totient.power.fabrics import weights_of
from totient.power.switching import Switching, switching
from totient.power.wires import routed_wires, wires_of_readers
from totient.sim import Model

_FOLDER = Path(__file__).with_name("circuits")


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
    folder = synthesised(Rtl(SourceList((file,), ()), module, parameters), target, dsp=False)
    netlist = json.loads((folder / "netlist.json").read_text())
    wires = routed_wires(folder, target) if target.can_route else wires_of_readers(netlist)
    top = Top("", module, parameters, frozenset(), module)
    nodes = netlist_nodes(netlist, weights_of(target).delays, wires, top.clock)
    model = build_activity_model(nodes, top)
    with Model(model.library) as circuit:
        circuit.advance(cycles)
        model.count(True)
        circuit.advance(cycles)
        model.count(False)
        return switching(nodes, model.counts())
