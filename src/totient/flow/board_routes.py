"""Bitstreams by the open flow: Yosys, nextpnr, and a program that packs.

A design is routed once for all clocks: what a route takes does not depend on the dividers of the
phase-locked loop, which are numbers in what nextpnr writes. They are put there before it is packed:
those of the clock that is wanted, or of the fastest one that the route takes.
"""

import dataclasses
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from totient.common.cache import digest, produce
from totient.common.errors import InputError, ToolError
from totient.flow.boards import Board
from totient.flow.clocks import Dividers
from totient.flow.floorplan import placed
from totient.flow.local_zeros import with_local_zeros
from totient.flow.processes import Children, GivenUpError
from totient.flow.route_watch import run_nextpnr
from totient.flow.routing import SEEDS, compiled_nextpnr, floorplan_of
from totient.flow.rtl import Rtl
from totient.flow.synthesis import failure, synthesised
from totient.flow.target import Cost, Target
from totient.flow.targets import find_target
from totient.flow.utilisation import parse_statistics

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


def fitting(
    board: Board, rtl: Rtl, target: Target, say: Callable[[str], None], dsp: bool = True
) -> Path:
    """Folder of a top's netlist; `InputError` where it does not fit the board."""
    say(f"synthesis for {board.name}")
    netlist = synthesised(rtl, target, dsp)
    used = parse_statistics((netlist / "statistics.json").read_text(), target)
    if misfit := used.shortage(target):
        raise InputError(f"the design on {board.name} {misfit}")
    return netlist


@dataclass(frozen=True)
class BoardFlow(ABC):
    """The flow of a family of devices.

    Attributes:
        whole: cells that only whole devices have.
        constraints: the file of constraints.
        files: nextpnr's arguments that name it, and what is written.
        dsp: whether multiplications may use multiplier blocks.
    """

    whole: Sequence[str]
    constraints: str
    files: Sequence[str]
    dsp: bool = True

    def target(self, board: Board) -> Target:
        """The board's target, with what only whole devices have."""
        target = find_target(board.target)
        return dataclasses.replace(
            target,
            synthesis=target.synthesis.replace(" -noiopads", ""),
            costs={**target.costs, **dict.fromkeys(self.whole, Cost())},
        )

    def routes(
        self, board: Board, rtl: Rtl, say: Callable[[str], None], seeds: Sequence[int] = SEEDS
    ) -> Iterator[Route]:
        """The routes of some seeds, each from the cache or new when it is asked for.

        A route that does not end is left out, unless none ends.

        Args:
            board: one with a device of the family.
            rtl: its top.
            say: called with what is going on.
            seeds: of the placer.

        Raises:
            InputError: the design does not fit.
            ToolError: a tool failed.
        """
        target = self.target(board)
        netlist = fitting(board, rtl, target, say, self.dsp)
        places = floorplan_of(netlist, target)
        compiled = compiled_nextpnr(target.router, say)
        given_up: list[GivenUpError] = []
        for seed in seeds:
            say(f"place and route for {board.name}, seed {seed}")
            try:
                folder = self._routed(board, netlist, target, places, seed, compiled)
            except GivenUpError as error:
                say(str(error))
                given_up.append(error)
                continue
            yield Route(folder, seed, self.fmax(board, (folder / "report.json").read_text()))
        if given_up and len(given_up) == len(seeds):
            raise given_up[-1]

    def _routed(
        self,
        board: Board,
        netlist: Path,
        target: Target,
        places: Mapping[str, str],
        seed: int,
        compiled: Path,
    ) -> Path:
        """Folder of a route, from the cache or new."""
        router, floor = target.router, target.floor
        given = [
            *(*board.device, *(floor.arguments if floor and places else ())),
            *("--json", "netlist.json", *self.files, "--report", "report.json"),
            *("--timing-allow-fail", "--seed", str(seed)),
        ]
        stated = [netlist.name, board.constraints, json.dumps(given)]
        stated += [json.dumps(places), *([repr(floor)] if places else [])] if floor else []
        name = digest(*stated, *router.versions())

        def build(folder: Path) -> None:
            (folder / self.constraints).write_text(board.constraints)
            design = placed(json.loads((netlist / "netlist.json").read_text()), places)
            written = with_local_zeros(design, places, floor)
            (folder / "netlist.json").write_text(json.dumps(written))
            with Children() as children:
                if status := run_nextpnr(children, router, given, folder, compiled):
                    raise ToolError(f"nextpnr failed: {failure(folder, name, status)}")
            (folder / "netlist.json").unlink()
            self.keep(board, folder, design)

        return produce("routing", name, build)

    def packed(
        self, board: Board, route: Route, dividers: Dividers, say: Callable[[str], None]
    ) -> Path:
        """File with a route's bitstream; beside it is what it is packed from.

        Args:
            board: which one.
            route: what is packed.
            dividers: of the phase-locked loop.
            say: called with what is going on.

        Raises:
            ToolError: the tool failed, the route has not one loop, or the bitstream says something
                else when it is unpacked.
        """
        target = find_target(board.target)
        name = digest(route.folder.name, repr(dividers), *target.router.versions())

        def build(folder: Path) -> None:
            say("packing the bitstream")
            tool, *words = self.write(route.folder, folder, target, dividers)
            with Children() as children:
                if status := children.run(tool, words, folder, {}):
                    raise ToolError(f"{tool} failed: {failure(folder, name, status)}")
                self.check(folder, children, say)

        return produce("bitstreams", name, build) / "board.bit"

    def keep(self, board: Board, folder: Path, design: Mapping[str, Any]) -> None:  # noqa: B027
        """Check and shorten what nextpnr has written, given the netlist that was routed."""

    def fmax(self, board: Board, report: str) -> float:
        """The most that the core's clock may be, in MHz, from nextpnr's report."""
        return core_fmax(board, report)

    @abstractmethod
    def write(self, route: Path, folder: Path, target: Target, dividers: Dividers) -> list[str]:
        """Write what is packed into `folder`; returns the command that makes `board.bit`."""

    def check(self, folder: Path, children: Children, say: Callable[[str], None]) -> None:  # noqa: B027
        """Hold the bitstream against what it was packed from."""


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
