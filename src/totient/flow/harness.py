"""A harness for place and route, so that a routed figure is that of the design alone.

The placer puts pins anywhere on the device's edge, pulls a design's first and last registers there,
and then a path that only carries a word to a pin sets the clock; and a wide design has more ports
than the device has pins. In the harness, inputs come from a chain of registers with one pin, and
each output ends in a register of its own. It adds registers only, no logic.
"""

from collections.abc import Mapping
from typing import Any

from totient.flow.targets import Register

INPUT = "harness_input"
"""The harness' only pin but for the clock's."""


def in_harness(netlist: Mapping[str, Any], register: Register) -> dict[str, Any]:
    """Put the top module of a netlist into the harness.

    Args:
        netlist: a netlist as Yosys writes it (JSON), with one clock. One without registers stays
            as it is.
        register: the device's register.

    Returns:
        The new netlist; the one given is not changed, and shares parts with it.
    """
    modules = netlist["modules"]
    name = next(name for name, module in modules.items() if "top" in module["attributes"])
    top = modules[name]
    clocks = {
        cell["connections"][register.clock][0]
        for cell in top["cells"].values()
        if cell["type"] == register.type
    }
    if not clocks:
        return dict(netlist)
    free = 1 + max(
        bit
        for part in ("ports", "netnames")
        for wires in top[part].values()
        for bit in wires["bits"]
        if isinstance(bit, int)
    )
    cells = dict(top["cells"])

    def add(place: str, data: object, output: object) -> None:
        """Add a register."""
        wires = {register.data: data, register.clock: min(clocks), register.output: output}
        cells[f"harness.{place}"] = {
            "type": register.type,
            "parameters": register.parameters,
            "attributes": {},
            "port_directions": {
                wire: "output" if wire == register.output else "input" for wire in wires
            },
            "connections": {wire: [bit] for wire, bit in wires.items()},
        }

    ports = {INPUT: {"direction": "input", "bits": [free]}}
    last = free
    for port_name, port in top["ports"].items():
        if set(port["bits"]) & clocks:
            ports[port_name] = port
            continue
        for place, bit in enumerate(port["bits"]):
            if port["direction"] == "input":
                add(f"{port_name}.{place}", last, bit)
                last = bit
            else:
                free += 1
                add(f"{port_name}.{place}", bit, free)
    return {**netlist, "modules": {**modules, name: {**top, "ports": ports, "cells": cells}}}
