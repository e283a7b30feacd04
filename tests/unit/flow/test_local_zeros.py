"""Constant resets of multipliers from cells beside them."""

import json
from copy import deepcopy
from typing import Any

from totient.flow import TARGETS, place_and_route
from totient.flow.floorplan import floorplan
from totient.flow.local_zeros import with_local_zeros
from totient.flow.netlist import top_module, wire_numbers
from totient.flow.routing import kept_configuration
from totient.flow.synthesis import synthesised

from .test_floorplan import ring

ECP5 = TARGETS["ecp5-85f"]


def design(elements: int) -> tuple[dict[str, Any], dict[str, str]]:
    """The ring's netlist and its floorplan."""
    folder = synthesised(ring(elements), ECP5)
    netlist = json.loads((folder / "netlist.json").read_text())
    assert ECP5.floor
    return netlist, floorplan(top_module(netlist)["cells"], ECP5.floor)


def test_eight_blocks_share_a_cell() -> None:
    netlist, places = design(9)
    before = deepcopy(netlist)
    after = top_module(with_local_zeros(netlist, places, ECP5.floor))
    assert netlist == before
    given = top_module(netlist)["cells"]
    zeros = {name: cell for name, cell in after["cells"].items() if name not in given}
    assert [(cell["type"], cell["parameters"]) for cell in zeros.values()] == [
        ("LUT4", {"INIT": "0" * 16})
    ] * 3
    nets = [cell["connections"]["Z"][0] for cell in zeros.values()]
    assert len(set(nets)) == 3
    assert not set(nets) & set(wire_numbers(top_module(netlist)))
    chain = [name for name in places if given[name]["type"] == "MULT18X18D"]
    assert len(chain) == 18
    for place, name in enumerate(chain):
        pins = after["cells"][name]["connections"]
        assert pins["RST0"] == [nets[place // 8]]
        assert {**pins, "RST0": ["0"]} == given[name]["connections"]
    others = set(given) - set(chain)
    assert all(after["cells"][name] == given[name] for name in others)


def test_without_a_floorplan_nothing_changes() -> None:
    netlist, places = design(2)
    assert with_local_zeros(netlist, {}, ECP5.floor) == netlist
    assert with_local_zeros(netlist, places, None) == netlist


def test_a_route_keeps_these_cells() -> None:
    """Its resets are constants, as in the netlist without them: `check_blocks` compares them."""
    routing = place_and_route(ring(9), ECP5, [1])
    _, cells = kept_configuration(routing.folders[1])
    assert sum(name.startswith("chain_zero.") for name in cells) == 3
