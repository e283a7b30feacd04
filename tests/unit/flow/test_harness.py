"""The harness of routed designs: registers only, one pin, every port behind or before one."""

import json
from pathlib import Path
from typing import Any

from totient.flow import TARGETS
from totient.flow.harness import INPUT, in_harness
from totient.flow.synthesis import synthesised

from .conftest import module

ECP5 = TARGETS["ecp5-85f"]


def top(netlist: dict[str, Any], name: str) -> dict[str, Any]:
    found = netlist["modules"][name]
    assert isinstance(found, dict)
    return found


def test_every_port_gets_a_register(cache: Path) -> None:
    rtl = module("products", Count=2)
    given = json.loads((synthesised(rtl, ECP5) / "netlist.json").read_text())
    before = json.dumps(given)
    assert ECP5.register
    changed = top(in_harness(given, ECP5.register), rtl.top)
    assert json.dumps(given) == before, "the netlist given was changed"
    original = top(given, rtl.top)
    assert set(changed["ports"]) == {"clk_i", INPUT}
    added = {name: cell for name, cell in changed["cells"].items() if name not in original["cells"]}
    assert {cell["type"] for cell in added.values()} == {"TRELLIS_FF"}
    clock = original["ports"]["clk_i"]["bits"]
    assert all(cell["connections"]["CLK"] == clock for cell in added.values())
    wires = {
        name: (cell["connections"]["DI"][0], cell["connections"]["Q"][0])
        for name, cell in added.items()
    }
    # Inputs are a chain from the pin; outputs end in registers that nothing reads.
    last = changed["ports"][INPUT]["bits"][0]
    for place, bit in enumerate(original["ports"]["a_i"]["bits"]):
        assert wires[f"harness.a_i.{place}"] == (last, bit)
        last = bit
    outputs = original["ports"]["sum_o"]["bits"]
    ends = [wires[f"harness.sum_o.{place}"] for place in range(len(outputs))]
    assert [data for data, _ in ends] == outputs
    assert len({end for _, end in ends}) == len(ends)
    assert not {end for _, end in ends} & {data for data, _ in wires.values()}


def test_a_netlist_without_registers_stays() -> None:
    assert ECP5.register
    netlist = {
        "modules": {
            "wire": {
                "attributes": {"top": "1"},
                "ports": {"a": {"direction": "input", "bits": [2]}},
                "cells": {},
                "netnames": {},
            }
        }
    }
    assert in_harness(netlist, ECP5.register) == netlist
