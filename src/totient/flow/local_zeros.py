"""Constant resets of multiplier blocks, from cells beside them.

nextpnr drives all constant pins of a device from one cell. Few wires lead to the resets of
multiplier blocks, and the blocks of a long row are on both sides of the device. nextpnr's router
then takes branches of this one net from each other without end: of engine-32 with seeds 2 and 3,
the last 28 arcs, after minutes. With a cell for each few blocks it ends after 25 seconds.

A route is compared with the netlist without these cells: it has to have constants there.
"""

from collections.abc import Mapping
from itertools import count
from typing import Any

from totient.flow.netlist import top_module, wire_numbers, with_top_module
from totient.flow.target import Floor

_AT_ONCE = 8
"""Blocks that share a cell: they lie side by side."""


def with_local_zeros(
    netlist: Mapping[str, Any], places: Mapping[str, str], floor: Floor | None
) -> dict[str, Any]:
    """A netlist in which the multipliers of a floorplan get their constant resets from own cells.

    Args:
        netlist: in Yosys' format (JSON); it is not changed.
        places: BELs by cell of the top module, in the order of the chain, as from `floorplan`.
        floor: data of the device; without it, or without `zero`, the netlist stays as it is.
    """
    module = top_module(netlist)
    cells = dict(module["cells"])
    if not places or floor is None or floor.zero is None:
        return dict(netlist)
    free = count(1 + max(wire_numbers(module)))
    chain = [name for name in places if cells[name]["type"] in floor.multipliers.cells]
    for first in range(0, len(chain), _AT_ONCE):
        net = next(free)
        for name in chain[first : first + _AT_ONCE]:
            connections = {
                port: [net] if port in floor.resets and bits == ["0"] else bits
                for port, bits in cells[name]["connections"].items()
            }
            cells[name] = {**cells[name], "connections": connections}
        cells[f"chain_zero.{first // _AT_ONCE}"] = {
            "hide_name": 0,
            "type": floor.zero.type,
            "parameters": dict(floor.zero.parameters),
            "attributes": {},
            "port_directions": {floor.zero.output: "output"},
            "connections": {floor.zero.output: [net]},
        }
    return with_top_module(netlist, {**module, "cells": cells})
