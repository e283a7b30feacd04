"""Bitstreams for 7-series by the open flow: Yosys, and nextpnr-xilinx and Project X-Ray of openXC7.

Only Yosys is in a package registry. The rest was written from the tools' sources and tested on
stand-ins (tests/unit/flow/test_openxc7.py), which check their arguments.
"""

import dataclasses
import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

from totient.common.cache import digest, produce
from totient.common.errors import ToolError
from totient.flow.board_routes import fitting
from totient.flow.boards import Board
from totient.flow.processes import Children
from totient.flow.rtl import Rtl
from totient.flow.synthesis import failure
from totient.flow.target import Cost, Target
from totient.flow.targets import find_target

_TOOLS = ("nextpnr-xilinx", "fasm2frames", "xc7frames2bit")
_CHIP_VARIABLE, _DATABASE_VARIABLE = "CHIPDB", "PRJXRAY_DB_DIR"
_SEED = "1"


def board_target(board: Board) -> Target:
    """The target of a board's whole top, with pads and clock buffers, for routing.

    Args:
        board: a 7-series board.
    """
    target = find_target(board.target)
    return dataclasses.replace(
        target,
        # Cells that only record hierarchy, which nextpnr-xilinx does not support.
        synthesis="flatten -noscopeinfo; synth_xilinx -family xc7",
        costs={**target.costs, **dict.fromkeys(("IBUF", "OBUF", "BUFG", "PLLE2_BASE"), Cost())},
        nextpnr=("--seed", _SEED),
    )


def missing(board: Board) -> str:
    """Missing parts for a run of openXC7 for a board, in words; empty if none."""
    absent = [tool for tool in _TOOLS if shutil.which(tool) is None]
    lacks = [f"{', '.join(absent)} not on the path"] if absent else []
    part = board.device[0]
    if _chip(part) is None:
        lacks.append(_without(_CHIP_VARIABLE, f"{part}.bin"))
    if _database(part) is None:
        lacks.append(_without(_DATABASE_VARIABLE, f"artix7/{part}/part.yaml"))
    return ", ".join(lacks)


def _without(variable: str, file: str) -> str:
    """The problem with a variable that must name a folder with a file, in words."""
    if folder := os.environ.get(variable):
        return f"no {file} in {folder}, which {variable} names"
    return f"{variable} is not set, which names the folder with {file}"


def _chip(part: str) -> Path | None:
    """Database of a part for nextpnr: by its whole name, or without the speed grade."""
    if not (folder := os.environ.get(_CHIP_VARIABLE)):
        return None
    files = (Path(folder).absolute() / f"{name}.bin" for name in (part, part.rsplit("-", 1)[0]))
    return next((file for file in files if file.is_file()), None)


def _database(part: str) -> Path | None:
    """Project X-Ray's database of the family that a part is of."""
    if not (root := os.environ.get(_DATABASE_VARIABLE)):
        return None
    folder = Path(root).absolute() / "artix7"
    return folder if (folder / part / "part.yaml").is_file() else None


def route(
    board: Board, rtl: Rtl, core_mhz: float, say: Callable[[str], None]
) -> tuple[Path, float]:
    """The bitstream, from the cache or new, and the maximum clock of its route, in MHz.

    Args:
        board: a 7-series board for which nothing is `missing`.
        rtl: its top.
        core_mhz: the core's clock.
        say: called with the current step.

    Raises:
        InputError: the design does not fit.
        ToolError: a tool failed.
    """
    target, part = board_target(board), board.device[0]
    chip, database = _chip(part), _database(part)
    assert chip is not None
    assert database is not None
    netlist = fitting(board, rtl, target, say)
    commands = (
        [
            *("nextpnr-xilinx", "--chipdb", str(chip), "--xdc", "board.xdc"),
            *("--json", "netlist.json", "--fasm", "board.fasm"),
            *("--freq", f"{core_mhz:.6f}", "--timing-allow-fail", *target.nextpnr),
        ],
        [
            *("fasm2frames", "--part", part, "--db-root", str(database)),
            *("board.fasm", "board.frames"),
        ],
        [
            *("xc7frames2bit", "--part_file", str(database / part / "part.yaml")),
            *("--part_name", part, "--frm_file", "board.frames", "--output_file", "board.bit"),
        ],
    )
    name = digest(netlist.name, board.constraints, json.dumps(commands), *map(_state, _TOOLS))

    def build(folder: Path) -> None:
        (folder / "board.xdc").write_text(board.constraints)
        shutil.copyfile(netlist / "netlist.json", folder / "netlist.json")
        with Children() as children:
            for command in commands:
                say(f"{command[0]} for {board.name}")
                if status := children.run_program(command, folder):
                    raise ToolError(f"{command[0]} failed: {failure(folder, name, status)}")
                (folder / "log.txt").rename(folder / f"{command[0]}.txt")
        if not (folder / "board.bit").is_file():
            raise ToolError("xc7frames2bit has not written a bitstream")
        for left in ("netlist.json", "board.fasm", "board.frames"):
            (folder / left).unlink(missing_ok=True)

    folder = produce("bitstreams", name, build)
    return folder / "board.bit", _fmax_mhz((folder / "nextpnr-xilinx.txt").read_text())


def _state(tool: str) -> str:
    """Path, size and date of a program, because not all report a version."""
    path = Path(shutil.which(tool) or tool)
    found = path.stat()
    return f"{path} {found.st_size} {found.st_mtime_ns}"


def _fmax_mhz(log: str) -> float:
    """The maximum of the slowest clock: nextpnr's last figure after routing."""
    found = re.findall(r"Max frequency for clock\s+'([^']*)':\s+([\d.]+) MHz", log)
    if not found:
        raise ToolError("nextpnr-xilinx reported no maximum frequency")
    return min(map(float, dict(found).values()))
