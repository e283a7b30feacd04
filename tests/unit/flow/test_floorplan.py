"""Chains of multipliers along the device's rows: order, places, and that the router keeps them."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from totient.common.errors import ToolError
from totient.flow import TARGETS, Rtl, has_chain, place_and_route, routing
from totient.flow.floorplan import (
    Chain,
    along,
    beside,
    find_chain,
    floorplan,
    memories,
    placed,
    snake,
)
from totient.flow.netlist import top_module
from totient.flow.processes import Children
from totient.flow.routing import compiled_nextpnr
from totient.flow.target import ECP5_ROUTER, Floor, Sites
from totient.measure.store import flow_digest

from .conftest import module, netlist_of, with_prim

ECP5 = TARGETS["ecp5-85f"]
SMALL = Sites(("MUL",), rows=(9, 3), columns=(1, 2, 6), names=("A", "B"))
FLOOR = Floor(SMALL, Sites(("RAM", "ROM"), (6, 20), (0, 3, 7), ("C",)), ())


def ring(elements: int, folded: bool = True) -> Rtl:
    """The test module of that name, with the cores that it uses."""
    parameters = {"Elements": elements, "Folded": int(folded)}
    return Rtl(with_prim("ring.sv", "multiply_registered"), "ring", parameters)


def cells(*names: str, chain: str = "gen", folded: str = "0") -> dict[str, Any]:
    attributes = {"chain": chain, "chain_folded": folded}
    return {name: {"type": "MUL", "attributes": attributes} for name in names}


def test_a_snake_goes_back_in_every_second_row() -> None:
    assert [SMALL.place(*place) for place in snake(SMALL)] == [
        *("X1/Y9/A", "X2/Y9/B", "X6/Y9/A", "X6/Y3/A", "X2/Y3/B", "X1/Y3/A")
    ]


def test_the_devices_places() -> None:
    assert ECP5.floor
    for sites, count in (
        (ECP5.floor.multipliers, ECP5.available.dsp),
        (ECP5.floor.memories, ECP5.available.block_ram),
    ):
        assert len({sites.place(*place) for place in snake(sites)}) == count


def test_a_folded_chain_has_its_ends_side_by_side() -> None:
    elements = tuple((str(i),) for i in range(5))
    assert Chain(elements, folded=False).units == [[0], [1], [2], [3], [4]]
    assert Chain(elements, folded=True).units == [[0, 4], [1, 3], [2]]
    for count in (1, 2, 3, 8, 64):
        units = Chain(tuple((str(i),) for i in range(count)), folded=True).units
        assert sorted(i for unit in units for i in unit) == list(range(count))
        lies = {element: place for place, unit in enumerate(units) for element in unit}
        # Neighbours in the ring lie in the same unit or in the next one.
        assert all(abs(lies[i] - lies[(i + 1) % count]) <= 1 for i in range(count))


def test_where_the_snake_turns_a_units_blocks_are_on_either_side() -> None:
    chain = Chain(tuple((f"{i}a", f"{i}b") for i in range(6)), folded=True)
    places = [(row, column) for row in range(3) for column in range(8)]
    laid = along(chain, places)
    assert laid is not None
    assert [name for name, _ in sorted(laid.items(), key=lambda item: item[1])] == [
        *("0a", "0b", "5a", "5b", "1a", "4a"),
        *("1b", "4b", "2a", "2b", "3a", "3b"),
    ]
    assert laid["0a"] == (0, 2)
    assert laid["1b"] == (1, 0)
    # Without room to spare, or without a turn, it begins at the first place.
    for enough in (places[:12], [(0, column) for column in range(30)]):
        laid = along(chain, enough)
        assert laid is not None
        assert sorted(laid.values()) == enough[:12]
    assert along(chain, places[:11]) is None


def test_a_block_may_lie_with_the_next_element() -> None:
    given = cells("u.gen[0].x", "u.gen[1].x") | cells("u.gen[0].y", "u.gen[1].y", chain="gen+1")
    chain = find_chain(given, SMALL)
    assert chain is not None
    assert chain.elements == (("u.gen[0].x",), ("u.gen[0].y", "u.gen[1].x"), ("u.gen[1].y",))


def test_cells_of_an_index_are_an_element() -> None:
    given = cells("u.gen[1].x", "u.gen[0].y", "u.gen[0].x", "u.gen[10].gen_a[3].x", "u.gen[2].x")
    chain = find_chain(given, SMALL)
    assert chain is not None
    assert chain.elements[0] == ("u.gen[0].x", "u.gen[0].y")
    assert [names[0] for names in chain.elements[1:]] == [
        "u.gen[1].x",
        "u.gen[2].x",
        "u.gen[10].gen_a[3].x",
    ]
    assert floorplan(given, FLOOR) == {
        "u.gen[0].x": "X2/Y9/B",
        "u.gen[0].y": "X6/Y9/A",
        "u.gen[1].x": "X6/Y3/A",
        "u.gen[2].x": "X2/Y3/B",
        "u.gen[10].gen_a[3].x": "X1/Y3/A",
    }


def test_without_the_attribute_there_is_no_floorplan() -> None:
    assert floorplan(cells("u.gen[1].x", chain=""), FLOOR) == {}
    assert floorplan(cells("u.gen[1].x", chain="0" * 8), FLOOR) == {}
    others = {name: {**cell, "type": "LUT"} for name, cell in cells("u.gen[1].x").items()}
    assert floorplan(others, FLOOR) == {}


def test_a_chain_that_is_too_long_is_left_to_the_router() -> None:
    assert len(floorplan(cells(*(f"gen[{i}].x" for i in range(6))), FLOOR)) == 6
    assert floorplan(cells(*(f"gen[{i}].x" for i in range(7))), FLOOR) == {}


def test_blocks_of_a_memory_lie_side_by_side() -> None:
    names = ("u.m.gen[1].c", "u.m.gen[0].c", "u.n.0.0", "u.n.0.1", "u.o.0.0")
    rams = {name: {"type": "ROM", "attributes": {}} for name in names}
    assert memories(rams, FLOOR.memories) == [
        ["u.m.gen[0].c", "u.m.gen[1].c"],
        ["u.n.0.0", "u.n.0.1"],
        ["u.o.0.0"],
    ]
    # Near the beginning of the chain, (1, 9).
    assert floorplan({**cells("gen[0].x", "gen[1].x"), **rams}, FLOOR) == {
        "gen[0].x": "X1/Y9/A",
        "gen[1].x": "X2/Y9/B",
        "u.m.gen[0].c": "X0/Y6/C",
        "u.m.gen[1].c": "X3/Y6/C",
        "u.n.0.0": "X0/Y20/C",
        "u.n.0.1": "X3/Y20/C",
        "u.o.0.0": "X7/Y6/C",
    }
    assert beside([["a", "b", "c", "d"], ["e"]], FLOOR.memories, 7, 6) == {"e": "X7/Y6/C"}


def test_what_makes_no_chain_is_refused() -> None:
    with pytest.raises(ToolError, match=r"u\.generic\[1\]\.x is in no generate loop gen"):
        find_chain(cells("u.generic[1].x"), SMALL)
    with pytest.raises(ToolError, match="one chain, this one has 2"):
        find_chain(cells("u.gen[0].x", "v.gen[1].x"), SMALL)


def test_placing_changes_only_what_has_a_place() -> None:
    netlist = {
        "modules": {"top": {"attributes": {"top": "1"}, "cells": cells("gen[0].x", "gen[1].x")}}
    }
    before = json.dumps(netlist)
    after = placed(netlist, {"gen[1].x": "X1/Y2/A"})
    assert json.dumps(netlist) == before
    changed = top_module(after)["cells"]
    assert changed["gen[0].x"] == top_module(netlist)["cells"]["gen[0].x"]
    assert changed["gen[1].x"]["attributes"]["BEL"] == "X1/Y2/A"
    assert placed(netlist, {}) == netlist


@pytest.mark.parametrize("folded", [True, False])
def test_the_rtls_attributes_last_through_synthesis(cache: Path, folded: bool) -> None:
    netlist = netlist_of(ring(3, folded), ECP5)
    assert ECP5.floor
    chain = find_chain(top_module(netlist)["cells"], ECP5.floor.multipliers)
    assert chain is not None
    assert chain.folded == folded
    for i, names in enumerate(chain.elements):
        assert [re.findall(r"gen_step\[(\d+)\]\.u_(\w+)", name) for name in names] == [
            [(str(i), "first")],
            [(str(i), "second")],
        ]


def test_a_chain_is_routed_where_it_is_laid(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []
    routed: dict[str, Any] = {}
    run = Children.run

    def spy(self: Children, tool: str, arguments: Any, folder: Path, *further: Any) -> int:
        status = run(self, tool, arguments, folder, *further)
        given.extend(arguments)
        routed.update(json.loads((folder / "routed.json").read_text()))
        return status

    rtl = ring(4)
    assert ECP5.floor
    netlist = netlist_of(rtl, ECP5)
    places = floorplan(top_module(netlist)["cells"], ECP5.floor)
    assert len(places) == 8
    compiled_nextpnr(ECP5_ROUTER, lambda text: None)
    monkeypatch.setattr(Children, "run", spy)
    outcome = place_and_route(rtl, ECP5, seeds=(1,))
    assert outcome.median_mhz
    assert outcome.median_mhz > 150
    assert given[given.index("--placer") + 1] == "static"
    lie = top_module(routed)["cells"]
    assert {name: lie[name]["attributes"]["NEXTPNR_BEL"] for name in places} == places
    given.clear()
    assert place_and_route(rtl, ECP5, seeds=(1,)) == outcome
    assert not given, "routed again"


def test_a_design_without_a_chain_is_routed_as_ever(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(routing, "floorplan", refuse)
    rtl = module("products", Count=3)
    assert place_and_route(rtl, ECP5, seeds=(1,)).median_mhz


def test_only_a_chains_figures_depend_on_the_devices_places() -> None:
    chain, other = ring(3), module("products", Count=3)
    assert has_chain(chain)
    assert not has_chain(other)
    assert ECP5.floor
    moved = replace(ECP5, floor=replace(ECP5.floor, arguments=()))
    assert flow_digest(ECP5, other, chain) != flow_digest(moved, other, chain)
    assert flow_digest(ECP5, other) == flow_digest(moved, other) == flow_digest(ECP5)
