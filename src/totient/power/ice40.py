"""Cells of iCE40 as nodes of the event-driven simulation: logic and registers.

Functions: Yosys' `ice40/cells_sim.v`.
"""

from collections.abc import Callable, Mapping

from totient.common.errors import ToolError
from totient.power.nodes import Cell, Nodes, whole


def _lut4(nodes: Nodes, cell: Cell) -> None:
    pins = [nodes.pin(cell, f"I{place}") for place in range(4)]
    nodes.table(nodes.pin(cell, "O"), pins, whole(cell, "LUT_INIT"), nodes.times.table, "table")


def _carry(nodes: Nodes, cell: Cell) -> None:
    pins = [nodes.pin(cell, name) for name in ("I0", "I1", "CI")]
    nodes.table(nodes.pin(cell, "CO"), pins, 0b11101000, nodes.times.carry, "carry")


def _register(nodes: Nodes, cell: Cell) -> None:
    """SB_DFF and those with an enable (E), and a set or reset at the edge (SS, SR)."""
    options = cell["type"].removeprefix("SB_DFF")
    if options not in ("", "E", "SR", "SS", "ESR", "ESS"):
        raise ToolError(f"no activity of the cell {cell['type']}")
    nodes.clocked(cell, "C")
    enable = nodes.pin(cell, "E", 1)
    reset = nodes.pin(cell, "S" if options.endswith("SS") else "R")
    if "E" in options and reset:
        # With an enable, the reset of these cells acts only while they are enabled.
        reset = nodes.both([enable, reset])
    nodes.register(
        nodes.pin(cell, "Q"),
        nodes.pin(cell, "D"),
        enable,
        reset,
        int(options.endswith("SS")),
        "0",
    )


ICE40: Mapping[str, Callable[[Nodes, Cell], None]] = {
    "SB_LUT4": _lut4,
    "SB_CARRY": _carry,
    **{f"SB_DFF{options}": _register for options in ("", "E", "SR", "SS", "ESR", "ESS")},
}
"""Cells, by type."""
