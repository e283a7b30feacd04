"""Bitstreams for iCE40 and Gowin devices by the open flow: Yosys, nextpnr, icepack or gowin_pack.

As `trellis`, a Gowin board is routed once for all clocks: the dividers of the phase-locked loop are
parameters of a cell in the routed netlist, and are put there before it is packed. A core on the
iCE40 has the board's clock. Multiplier blocks are left unused, as nextpnr does not know their
delays.
"""

import dataclasses
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from totient.common.cache import digest, produce
from totient.common.errors import InputError, ToolError
from totient.flow.boards import Board
from totient.flow.clocks import NO_LOOP, Dividers
from totient.flow.netlist import top_module
from totient.flow.processes import Children
from totient.flow.routing import SEEDS, compiled_nextpnr, parse_report
from totient.flow.rtl import Rtl
from totient.flow.synthesis import failure, synthesised
from totient.flow.target import Cost, Target
from totient.flow.targets import find_target
from totient.flow.trellis import Route, core_fmax
from totient.flow.utilisation import parse_statistics

_WHOLE = ("IBUF", "OBUF", "rPLL")  # cells that only whole devices have


def board_target(board: Board) -> Target:
    """The board's target, with what only whole devices have."""
    target = find_target(board.target)
    return dataclasses.replace(
        target,
        synthesis=target.synthesis.replace(" -noiopads", ""),
        costs={**target.costs, **dict.fromkeys(_WHOLE, Cost())},
    )


def routes(board: Board, rtl: Rtl, say: Callable[[str], None]) -> Iterator[Route]:
    """The routes of the flow's seeds, each from the cache or new when it is asked for.

    Args:
        board: one with an iCE40 or a Gowin device.
        rtl: its top.
        say: called with what is going on.

    Raises:
        InputError: the design does not fit.
        ToolError: a tool failed.
    """
    target = board_target(board)
    say(f"synthesis for {board.name}")
    netlist = synthesised(rtl, target, dsp=False)
    used = parse_statistics((netlist / "statistics.json").read_text(), target)
    if misfit := used.shortage(target):
        raise InputError(f"the design on {board.name} {misfit}")
    compiled = compiled_nextpnr(target.router, say)
    for seed in SEEDS:
        say(f"place and route for {board.name}, seed {seed}")
        folder = _routed(board, netlist, target, seed, compiled)
        report = (folder / "report.json").read_text()
        one_clock = board.loop is NO_LOOP
        fmax = parse_report(report)[0] if one_clock else core_fmax(board, report)
        yield Route(folder, seed, fmax)


def _routed(board: Board, netlist: Path, target: Target, seed: int, compiled: Path) -> Path:
    """Folder of a route, from the cache or new; it has `board.config` or `routed.json`."""
    router = target.router
    made = (
        ["--pcf", "board.constraints", "--asc", "board.config"]
        if board.loop is NO_LOOP
        else ["--vopt", "cst=board.constraints", "--write", "routed.json"]
    )
    given = [
        *(*board.device, "--json", "netlist.json", *made, "--report", "report.json"),
        *("--timing-allow-fail", "--seed", str(seed)),
    ]
    name = digest(netlist.name, board.constraints, json.dumps(given), *router.versions())

    def build(folder: Path) -> None:
        (folder / "board.constraints").write_text(board.constraints)
        (folder / "netlist.json").write_bytes((netlist / "netlist.json").read_bytes())
        environment = {"YOWASP_CACHE_DIR": str(compiled)}
        with Children() as children:
            if status := children.run(router.tool, given, folder, environment):
                raise ToolError(f"nextpnr failed: {failure(folder, name, status)}")
        (folder / "netlist.json").unlink()

    return produce("routing", name, build)


def packed(board: Board, route: Route, dividers: Dividers, say: Callable[[str], None]) -> Path:
    """File with a route's bitstream.

    Args:
        board: which one.
        route: what is packed.
        dividers: of the phase-locked loop.
        say: called with what is going on.

    Raises:
        ToolError: the tool failed, or the route has not one loop.
    """
    target = find_target(board.target)
    name = digest(route.folder.name, repr(dividers), *target.router.versions())

    def build(folder: Path) -> None:
        say("packing the bitstream")
        if board.loop is NO_LOOP:
            text = (route.folder / "board.config").read_text()
            (folder / "board.config").write_text(text)
            command = ["icepack", "board.config", "board.bit"]
        else:
            netlist = json.loads((route.folder / "routed.json").read_text())
            _set_dividers(netlist, dividers)
            (folder / "routed.json").write_text(json.dumps(netlist))
            command = ["gowin_pack", "-d", target.chip, "-o", "board.bit", "routed.json"]
        with Children() as children:
            if status := children.run(command[0], command[1:], folder, {}):
                raise ToolError(f"{command[0]} failed: {failure(folder, name, status)}")

    return produce("bitstreams", name, build) / "board.bit"


def _set_dividers(netlist: dict[str, object], dividers: Dividers) -> None:
    """Give the loop of a routed netlist other dividers; its cell counts to one less."""
    loops = [cell for cell in top_module(netlist)["cells"].values() if cell["type"] == "rPLL"]
    if len(loops) != 1:
        raise ToolError(f"the routed netlist has {len(loops)} phase-locked loops, not one")
    values = {
        "IDIV_SEL": dividers.input - 1,
        "FBDIV_SEL": dividers.feedback - 1,
        "ODIV_SEL": dividers.output,
    }
    loops[0]["parameters"].update({key: f"{value:032b}" for key, value in values.items()})
