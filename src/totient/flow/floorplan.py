"""Floorplans: better places of multiplier blocks than the placer finds.

A systolic array is a chain of multiplier blocks, each connected only to its neighbours. A placer
that minimises the sum of all wires folds such a chain anywhere, and the longest wire determines the
clock. Here the chain follows the rows of blocks as a snake, so that neighbours in the chain are
neighbours on the device. If its ends are connected, the chain is folded: element i lies beside
element n - 1 - i, and the beginning beside the end.

Attributes of the blocks in the RTL request this (they last through synthesis):

    chain         label of the generate loop whose index is the block's place in the chain, or
                  label+1: the place behind that, of a block whose product the next element uses
    chain_folded  1: folded

Blocks of one index are placed side by side. A design has at most one chain. Blocks without these
attributes are placed by nextpnr.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from totient.common.errors import ToolError
from totient.flow.netlist import top_module, with_top_module
from totient.flow.rtl import Rtl
from totient.flow.target import Floor, Sites

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
    def units(self) -> list[list[int]]:
        """Groups of elements that lie side by side, in their order along the snake."""
        count = len(self.elements)
        if not self.folded:
            return [[i] for i in range(count)]
        return [sorted({near, count - 1 - near}) for near in range((count + 1) // 2)]


def has_chain(rtl: Rtl) -> bool:
    """Whether a design may have a chain: whether its RTL has the attributes."""
    return any(re.search(rf"\(\*[^)]*\b{FOLDED}\b", text) for text in rtl.texts.values())


def snake(sites: Sites) -> list[tuple[int, int]]:
    """All places, row and column. Each row starts where the one before has ended."""
    columns = range(len(sites.columns))
    return [
        (row, column)
        for row in range(len(sites.rows))
        for column in (reversed(columns) if row % 2 else columns)
    ]


def find_chain(cells: Mapping[str, Any], sites: Sites) -> Chain | None:
    """The chain of a netlist, from the attributes of its cells; `None` without one.

    Args:
        cells: of the top module, in Yosys' format.
        sites: places of the kind of block in chains.

    Raises:
        ToolError: an attribute names a generate loop that does not contain the cell, or cells have
            different attributes.
    """
    elements: dict[int, list[str]] = {}
    kinds = set()
    for name, cell in cells.items():
        label = _text(cell["attributes"].get(CHAIN, ""))
        if cell["type"] not in sites.cells or not label:
            continue
        label, behind, _ = label.partition("+1")
        found = re.search(rf"(?:^|\.){re.escape(label)}\[(\d+)\]\.", name)
        if not found:
            raise ToolError(f"{name} is in no generate loop {label}, which its attribute names")
        kinds.add((label, name[: found.start()], int(cell["attributes"].get(FOLDED, "0"), 2)))
        elements.setdefault(int(found[1]) + bool(behind), []).append(name)
    if not kinds:
        return None
    if len(kinds) > 1:
        raise ToolError(f"a design has one chain, this one has {len(kinds)}: {sorted(kinds)}")
    (_, _, folded) = kinds.pop()
    return Chain(tuple(tuple(sorted(elements[i])) for i in sorted(elements)), bool(folded))


def floorplan(cells: Mapping[str, Any], floor: Floor) -> dict[str, str]:
    """Places of a chain's cells and of all block RAMs, by name; empty without a chain.

    The block RAMs are beside the beginning of the chain.

    Raises:
        ToolError: as for `find_chain`.
    """
    chain = find_chain(cells, floor.multipliers)
    if chain is None:
        return {}
    laid = along(chain, snake(floor.multipliers))
    if laid is None:
        return {}  # a misfit, reported elsewhere
    row, column = laid[chain.elements[0][0]]
    return {
        **{name: floor.multipliers.place(*place) for name, place in laid.items()},
        **beside(
            memories(cells, floor.memories),
            floor.memories,
            floor.multipliers.columns[column],
            floor.multipliers.rows[row],
        ),
    }


def along(chain: Chain, places: Sequence[tuple[int, int]]) -> dict[str, tuple[int, int]] | None:
    """Places of a chain's cells, row and column, by name; `None` if there are too few.

    At a turn of the snake, a unit has half of its blocks in either row, with its logic between
    them.
    Rows are far apart: this splits a long path into two shorter ones.
    """
    units = [[chain.elements[i] for i in unit] for unit in chain.units]
    count = sum(len(names) for unit in units for names in unit)
    row = sum(place[0] == places[0][0] for place in places)
    half = sum(len(names) for names in units[0]) // 2
    begin = half if count > row and count + half <= len(places) else 0
    if begin + count > len(places):
        return None
    laid: dict[str, tuple[int, int]] = {}
    for unit in units:
        cells = [name for names in unit for name in names]
        here = places[begin + len(laid) :][: len(cells)]
        if here[0][0] != here[-1][0]:
            cells = [name for block in zip_longest(*unit) for name in block if name is not None]
        laid |= zip(cells, here, strict=True)
    return laid


def memories(cells: Mapping[str, Any], sites: Sites) -> list[list[str]]:
    """Names of the block RAM cells of each memory, or bank of memories, the largest first."""
    found: dict[str, list[str]] = {}
    for name in sorted(name for name, cell in cells.items() if cell["type"] in sites.cells):
        # Cells of a generate loop, or those that Yosys makes from a memory.
        memory = re.sub(r"(\[\d+\].*|(\.\d+)+)$", "", name)
        found.setdefault(memory, []).append(name)
    return sorted(found.values(), key=lambda names: (-len(names), names))


def beside(groups: Iterable[Sequence[str]], sites: Sites, x: int, y: int) -> dict[str, str]:
    """Places near a point for groups of blocks, one group after the other, each side by side.

    Args:
        groups: names of each group's cells; a group without room is left out.
        sites: places of this kind of block.
        x: the point's column.
        y: the point's row.
    """

    def away(row: int, column: int) -> int:
        # Rows beyond the nearest ones are a detour for the logic between (weights found by trial,
        # on the engine).
        return 4 * abs(sites.columns[column] - x) + 7 * abs(sites.rows[row] - y)

    free = [[True] * len(sites.columns) for _ in sites.rows]
    places = {}
    for names in groups:
        count = len(names)
        ranges = [
            (max(away(row, left), away(row, left + count - 1)), row, left)
            for row in range(len(sites.rows))
            for left in range(len(sites.columns) - count + 1)
            if all(free[row][left : left + count])
        ]
        if ranges:
            _, row, left = min(ranges)
            for i, name in enumerate(names):
                free[row][left + i] = False
                places[name] = sites.place(row, left + i)
    return places


def placed(netlist: Mapping[str, Any], places: Mapping[str, str]) -> dict[str, Any]:
    """A netlist with cells placed by nextpnr's attribute `BEL`.

    Args:
        netlist: in Yosys' format (JSON); it is not changed.
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
    """An attribute's text: unchanged, or from the bits that Yosys makes of a string parameter."""
    if re.fullmatch("(?:[01]{8})+", attribute):
        return (
            int(attribute, 2)
            .to_bytes(len(attribute) // 8, "big")
            .decode("ascii", "replace")
            .strip("\0")
        )
    return attribute.strip()  # Yosys ends an empty text, or one of 0s and 1s, with a space
