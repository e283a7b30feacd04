"""The harness of routed designs: every port behind or before a register, and all are placed."""

import json
from pathlib import Path
from typing import Any

import pytest

from totient.common.errors import ToolError
from totient.flow import TARGETS, place_and_route, routing
from totient.flow.harness import INPUT, OUTPUT, in_harness, registers
from totient.flow.target import HarnessCells

from .conftest import module, netlist_of

ECP5 = TARGETS["ecp5-85f"]


def top(netlist: dict[str, Any], name: str) -> dict[str, Any]:
    found = netlist["modules"][name]
    assert isinstance(found, dict)
    return found


def test_every_port_is_behind_or_before_a_register(cache: Path) -> None:
    rtl = module("products", Count=2)
    given = netlist_of(rtl, ECP5)
    before = json.dumps(given)
    assert ECP5.harness
    whole = in_harness(given, ECP5.harness)
    changed, original = top(whole, rtl.top), top(given, rtl.top)
    assert json.dumps(given) == before, "the netlist given was changed"
    assert set(changed["ports"]) == {"clk_i", INPUT, OUTPUT}
    added = {
        name: cell["connections"]
        for name, cell in changed["cells"].items()
        if name not in original["cells"]
    }
    inputs, outputs = original["ports"]["a_i"]["bits"], original["ports"]["sum_o"]["bits"]
    assert len(added) == len(inputs) + 2 * len(outputs)
    assert registers(whole, ECP5.harness) == registers(given, ECP5.harness) + len(inputs) + len(
        outputs
    )
    clock = original["ports"]["clk_i"]["bits"]
    last = changed["ports"][INPUT]["bits"]
    for place, bit in enumerate(inputs):
        assert added[f"harness.a_i.{place}"] == {"DI": last, "CLK": clock, "Q": [bit]}
        last = [bit]
    gathered: list[object] = ["0"]
    for place, bit in enumerate(outputs):
        either = added[f"harness.sum_o.{place}.either"]
        register = added[f"harness.sum_o.{place}"]
        assert (either["A"], either["B"]) == ([bit], gathered)
        assert (register["DI"], register["CLK"]) == (either["Z"], clock)
        gathered = register["Q"]
    assert changed["ports"][OUTPUT]["bits"] == gathered


def test_a_register_that_was_not_placed_is_found(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The netlist that nextpnr gets here lacks one of those that are counted."""

    def one_less(netlist: dict[str, Any], cells: HarnessCells) -> dict[str, Any]:
        whole = in_harness(netlist, cells)
        lost.append(whole)
        name = next(n for n, m in whole["modules"].items() if "top" in m["attributes"])
        changed = whole["modules"][name]
        kept = {key: cell for key, cell in changed["cells"].items() if key != "harness.sum_o.35"}
        ports = {key: port for key, port in changed["ports"].items() if key != OUTPUT}
        return {"modules": {name: {**changed, "cells": kept, "ports": ports}}}

    lost: list[dict[str, Any]] = []
    rtl = module("products", Count=2)
    assert place_and_route(rtl, ECP5, seeds=(1,)).median_mhz
    monkeypatch.setattr(routing, "in_harness", one_less)
    monkeypatch.setattr(routing, "registers", lambda _, cells: registers(lost[0], cells))
    with pytest.raises(ToolError, match=r"nextpnr has placed \d+ of \d+ registers of"):
        place_and_route(rtl, ECP5, seeds=(2,))


def test_a_netlist_without_registers_stays() -> None:
    assert ECP5.harness
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
    assert in_harness(netlist, ECP5.harness) == netlist
