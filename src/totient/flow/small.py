"""Bitstreams for iCE40 and Gowin devices: nextpnr, and icepack or gowin_pack.

A core on the iCE40 has the board's clock. Multiplier blocks are left unused, as nextpnr does not
know their delays.
"""

import json
from pathlib import Path

from totient.common.errors import ToolError
from totient.flow.board_routes import BoardFlow
from totient.flow.boards import Board
from totient.flow.clocks import Dividers
from totient.flow.netlist import top_module
from totient.flow.target import Target
from totient.flow.timing_report import parse_report


class _Ice40Flow(BoardFlow):
    def fmax(self, board: Board, report: str) -> float:
        return parse_report(report)[0]

    def write(self, route: Path, folder: Path, target: Target, dividers: Dividers) -> list[str]:
        (folder / "board.config").write_text((route / "board.config").read_text())
        return ["icepack", "board.config", "board.bit"]


class _GowinFlow(BoardFlow):
    def write(self, route: Path, folder: Path, target: Target, dividers: Dividers) -> list[str]:
        netlist = json.loads((route / "routed.json").read_text())
        _set_dividers(netlist, dividers)
        (folder / "routed.json").write_text(json.dumps(netlist))
        return ["gowin_pack", "-d", target.chip, "-o", "board.bit", "routed.json"]


ICE40_FLOW = _Ice40Flow(
    whole=(),
    constraints="board.constraints",
    files=("--pcf", "board.constraints", "--asc", "board.config"),
    dsp=False,
)
GOWIN_FLOW = _GowinFlow(
    whole=("IBUF", "OBUF", "rPLL"),
    constraints="board.constraints",
    files=("--vopt", "cst=board.constraints", "--write", "routed.json"),
    dsp=False,
)


def _set_dividers(netlist: dict[str, object], dividers: Dividers) -> None:
    """Set the dividers of the loop in a routed netlist. Its cell counts to one less."""
    loops = [cell for cell in top_module(netlist)["cells"].values() if cell["type"] == "rPLL"]
    if len(loops) != 1:
        raise ToolError(f"the routed netlist has {len(loops)} phase-locked loops, not one")
    values = {
        "IDIV_SEL": dividers.input - 1,
        "FBDIV_SEL": dividers.feedback - 1,
        "ODIV_SEL": dividers.output,
    }
    loops[0]["parameters"].update({key: f"{value:032b}" for key, value in values.items()})
