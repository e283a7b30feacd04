"""Bitstreams for ECP5: nextpnr-ecp5 and ecppack."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from totient.common.errors import ToolError
from totient.flow.board_routes import BoardFlow
from totient.flow.boards import Board
from totient.flow.clocks import Dividers
from totient.flow.ecp5.configuration import parse
from totient.flow.ecp5.packing import unpacked
from totient.flow.ecp5.pads import pad_faults
from totient.flow.processes import Children
from totient.flow.routing import (
    check_blocks,
    keep_configuration,
    kept_configuration,
    routed_cells,
)
from totient.flow.target import Target

ROUTED_MHZ = 300.0
"""Clock for routing: above the maximum of every design."""


class _Ecp5Flow(BoardFlow):
    def keep(self, board: Board, folder: Path, design: Mapping[str, Any]) -> None:
        keep_configuration(folder, routed_cells(folder))
        check_blocks(folder, design)
        check_pads(board, folder)

    def write(self, route: Path, folder: Path, target: Target, dividers: Dividers) -> list[str]:
        text = with_dividers(kept_configuration(route)[0], dividers)
        (folder / "board.config").write_text(text)
        return ["ecppack", "board.config", "--bit", "board.bit", "--compress"]

    def check(self, folder: Path, children: Children, say: Callable[[str], None]) -> None:
        say("unpacking the bitstream, and comparing")
        text = (folder / "board.config").read_text()
        if differ := unpacked(folder / "board.bit", text, folder, children):
            raise ToolError(f"the bitstream is not the configuration: {differ[0]}")


def check_pads(board: Board, folder: Path) -> None:
    """Compare the pads of a route with the board's constraints; `ToolError` if they differ."""
    text, cells = kept_configuration(folder)
    package = board.device[board.device.index("--package") + 1]
    standards = {port: board.standard(port) for port in board.pins}
    for fault in pad_faults(parse(text), cells, package, board.pins, standards):
        raise ToolError(f"the pads are not those of {board.name}: {fault}")


ECP5_FLOW = _Ecp5Flow(
    whole=("EHXPLLL",),
    constraints="board.lpf",
    files=("--lpf", "board.lpf", "--textcfg", "device.config", "--write", "routed.json"),
)


def with_dividers(configuration: str, dividers: Dividers) -> str:
    """A text configuration with other dividers of its phase-locked loop.

    Args:
        configuration: from nextpnr, with one loop of rtl/prim/clock_ecp5.sv.
        dividers: of the loop.

    Raises:
        ToolError: it does not have exactly one loop.
    """
    words = {
        # The device counts to the divider minus one.
        "CLKI_DIV": dividers.input - 1,
        "CLKFB_DIV": dividers.feedback - 1,
        "CLKOP_DIV": dividers.output - 1,
        # As in clock_ecp5.
        "CLKOP_CPHASE": dividers.output // 2,
    }
    for word, value in words.items():
        configuration, count = re.subn(
            rf"^word: {word} [01]{{7}}$", f"word: {word} {value:07b}", configuration, flags=re.M
        )
        if count != 1:
            raise ToolError(f"nextpnr's configuration has {count} phase-locked loops, not one")
    return configuration
