"""Floorplans: places of multiplier blocks that the placer would not find by itself.

A systolic array is a chain of multiplier blocks, each of which speaks with its neighbours only. A
placer that minimises the sum of all wires folds such a chain anywhere, and the longest wire sets
the clock. Here the chain goes along the rows of blocks as a snake, so that neighbours in the chain
are neighbours on the device; or folded, where its ends speak with each other, too: then element i
lies beside element n - 1 - i, and the beginning beside the end.

In the RTL, attributes of the blocks say so (they last through synthesis):

    chain         label of the generate loop whose index is the block's place in the chain
    chain_folded  1: folded

Blocks of one index are laid beside each other. A design has one chain at most; blocks without
these attributes are placed by nextpnr.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from totient.common.errors import ToolError
from totient.flow.netlist import top_module, with_top_module
from totient.flow.targets import Sites

CHAIN, FOLDED = "chain", "chain_folded"
"""Attributes of a cell."""


@dataclass(frozen=True)
class Chain:
    """A chain of blocks.

    Attributes:
        elements: names of each element's cells, in the order of the chain.
        folded: whether element i lies beside element n - 1 - i.
    """

    elements: tuple[tuple[str, ...], ...]
    folded: bool

    @property
    def order(self) -> list[int]:
        """The elements in the order in which they lie along the snake."""
        count = len(self.elements)
        if not self.folded:
            return list(range(count))
        return [i for near in range((count + 1) // 2) for i in sorted({near, count - 1 - near})]


def snake(sites: Sites) -> list[str]:
    """All places of a kind of block, row by row, each row from where the one before has ended."""
    places = []
    for number, y in enumerate(sites.rows):
        row = [
            f"X{x}/Y{y}/{sites.names[i % len(sites.names)]}" for i, x in enumerate(sites.columns)
        ]
        places += row[::-1] if number % 2 else row
    return places


def find_chain(cells: Mapping[str, Any], sites: Sites) -> Chain | None:
    """The chain that cells of a netlist belong to by their attributes; `None`: there is none.

    Args:
        cells: of the top module, as Yosys writes them.
        sites: places of the kind of block that chains are made of.

    Raises:
        ToolError: an attribute names no generate loop that the cell is in, or cells differ in it.
    """
    elements: dict[int, list[str]] = {}
    kinds = set()
    for name, cell in cells.items():
        label = _text(cell["attributes"].get(CHAIN, ""))
        if cell["type"] != sites.cell or not label:
            continue
        found = re.search(rf"(?:^|\.){re.escape(label)}\[(\d+)\]\.", name)
        if not found:
            raise ToolError(f"{name} is in no generate loop {label}, which its attribute names")
        kinds.add((label, name[: found.start()], int(cell["attributes"].get(FOLDED, "0"), 2)))
        elements.setdefault(int(found[1]), []).append(name)
    if not kinds:
        return None
    if len(kinds) > 1:
        raise ToolError(f"a design has one chain, this one has {len(kinds)}: {sorted(kinds)}")
    (_, _, folded) = kinds.pop()
    return Chain(tuple(tuple(sorted(elements[i])) for i in sorted(elements)), bool(folded))


def floorplan(cells: Mapping[str, Any], sites: Sites) -> dict[str, str]:
    """Places of the cells that are part of a chain, by name; empty for a design without one.

    Raises:
        ToolError: as `find_chain`.
    """
    chain = find_chain(cells, sites)
    if chain is None:
        return {}
    along = [name for i in chain.order for name in chain.elements[i]]
    places = snake(sites)
    # More than there are is a misfit, which is somebody else's to say.
    return dict(zip(along, places, strict=False)) if len(along) <= len(places) else {}


def placed(netlist: Mapping[str, Any], places: Mapping[str, str]) -> dict[str, Any]:
    """A netlist whose cells have to be where nextpnr's attribute `BEL` says.

    Args:
        netlist: as Yosys writes it (JSON); it is not changed.
        places: BELs by cell of the top module.
    """
    module = top_module(netlist)
    cells = {
        name: {**cell, "attributes": {**cell["attributes"], "BEL": places[name]}}
        if name in places
        else cell
        for name, cell in module["cells"].items()
    }
    return with_top_module(netlist, {**module, "cells": cells})


def _text(attribute: str) -> str:
    """An attribute's text: as it is, or as the bits that Yosys makes of a string parameter."""
    if re.fullmatch("(?:[01]{8})+", attribute):
        return (
            int(attribute, 2)
            .to_bytes(len(attribute) // 8, "big")
            .decode("ascii", "replace")
            .strip("\0")
        )
    return attribute
