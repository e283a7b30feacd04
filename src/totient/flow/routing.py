"""Place and route with nextpnr: from a netlist to a maximum clock frequency."""

import gzip
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from totient.common.cache import digest, produce
from totient.common.errors import InputError, ToolError
from totient.flow.floorplan import CHAIN, floorplan, placed
from totient.flow.harness import in_harness, registers
from totient.flow.local_zeros import with_local_zeros
from totient.flow.netlist import top_module
from totient.flow.processes import Children, GivenUpError
from totient.flow.route_watch import run_nextpnr
from totient.flow.rtl import Rtl
from totient.flow.synthesis import error_lines, failure, synthesised
from totient.flow.target import ECP5_ROUTER, HarnessCells, Router, Target
from totient.flow.timing_report import Routing, parse_report
from totient.flow.utilisation import parse_statistics
from totient.flow.versions import tool_version

SEEDS = (1, 2, 3)
"""Seeds of the placer. A stated frequency is the median over them."""

_MOST_SEED = 2**31 - 1  # nextpnr's largest

_AT_ONCE = 2

# nextpnr's errors for a device that is too small or too full, as opposed to a faulty netlist.
_FULL = re.compile(
    r"Unable to (place cell|find (legal|a) placement)|[Ff]ailed to (place|route|find a route)"
    r"|Routing design failed"
)


def arguments(target: Target, places: Mapping[str, str], seed: int) -> list[str]:
    """Arguments of nextpnr for one route.

    It reads `netlist.json` and writes `report.json` and the routed netlist `routed.json`. If it
    generates the device's configuration, it writes it as text to `device.config`.

    Args:
        target: the device.
        places: the floorplan, as from `floorplan_of`.
        seed: of the placer.
    """
    router = target.router
    files = ["--json", "netlist.json", "--report", "report.json"]
    made = [router.configuration, "device.config"] if router.configuration else []
    further = target.floor.arguments if target.floor and places else ()
    fixed = [*target.nextpnr, *router.open_pins, *files, *made, "--write", "routed.json"]
    return [*fixed, *further, "--seed", str(seed)]


def write_design(
    folder: Path, design: Mapping[str, Any], target: Target, places: Mapping[str, str]
) -> Mapping[str, Any]:
    """Write the `netlist.json` that nextpnr reads: inside the harness, with places of cells.

    Args:
        folder: of the route.
        design: the netlist, as from `synthesised`.
        target: the device.
        places: the floorplan, as from `floorplan_of`.

    Returns:
        The netlist to compare the route with: without the cells of `local_zeros.py`.
    """
    design = placed(in_harness(design, target.harness) if target.harness else design, places)
    written = with_local_zeros(design, places, target.floor)
    (folder / "netlist.json").write_text(json.dumps(written))
    return design


def check_seeds(seeds: Sequence[int], name: str = "seed") -> None:
    """Raise `InputError` for seeds that the placer does not accept.

    Args:
        seeds: of the placer; at least one, none twice.
        name: of the seeds in the message.
    """
    if (
        not seeds
        or len(set(seeds)) != len(seeds)
        or not 1 <= min(seeds) <= max(seeds) <= _MOST_SEED
    ):
        given = ", ".join(map(str, seeds)) or "none"
        raise InputError(f"{name} is {given}, allowed are different numbers from 1 to {_MOST_SEED}")


def place_and_route(
    rtl: Rtl,
    target: Target,
    seeds: Sequence[int] = SEEDS,
    dsp: bool = True,
    say: Callable[[str], None] = lambda text: None,
    replace: bool = False,
) -> Routing:
    """Maximum clock frequency of a complete design. Each seed is computed once and cached.

    Args:
        rtl: a design with one clock; it is routed inside the harness (`harness.py`).
        target: a device with a router.
        seeds: of the placer; at least one, none twice.
        dsp: whether multiplications may use the device's multiplier blocks.
        say: called with the current step, from any thread.
        replace: whether a seed whose route is given up is replaced by the next number that is not
            among the seeds.

    Raises:
        InputError: there is no router for the target, the seeds are invalid, or the design has
            cells that the router cannot time (`Target.untimed`).
        ToolError: a tool failed for another reason than a full device, or a route does not end.
    """
    if not target.can_route:
        raise InputError(f"no place and route for target {target.name}, only utilisation")
    check_seeds(seeds)
    say(f"synthesis of {rtl.top}")
    netlist = synthesised(rtl, target, dsp)
    statistics_file = netlist / "statistics.json"
    used = parse_statistics(statistics_file.read_text(), target)
    if misfit := used.shortage(target):
        return Routing({}, misfit)
    if untimed := [cell for cell in target.untimed if cell in used.cells]:
        raise InputError(
            f"{rtl.top} has {untimed[0]} on {target.name}, which nextpnr cannot time: "
            "use --no-dsp; totient measure --no-route leaves the clock out"
        )
    folders = _all_routed(rtl.top, netlist, target, seeds, say, replace)
    for seed, folder in folders.items():
        if (folder / "misfit").exists():
            return Routing({}, f"does not fit: {(folder / 'misfit').read_text()} (seed {seed})")
    parsed = {
        seed: parse_report((folder / "report.json").read_text()) for seed, folder in folders.items()
    }
    return Routing(
        {seed: mhz for seed, (mhz, _) in parsed.items()},
        critical={seed: path for seed, (_, path) in parsed.items()},
        folders=folders,
    )


def _all_routed(
    top: str,
    netlist: Path,
    target: Target,
    seeds: Sequence[int],
    say: Callable[[str], None],
    replace: bool,
) -> dict[int, Path]:
    """Folders of the seeds' outcomes (`_routed`), in parallel, by the seed that was used."""
    others = iter(range(max(seeds) + 1, max(seeds) + 1 + (len(seeds) if replace else 0)))
    places = floorplan_of(netlist, target)
    compiled = compiled_nextpnr(target.router, say)
    with Children() as children, ThreadPoolExecutor(_AT_ONCE) as pool:

        def route(seed: int) -> tuple[int, Path]:
            say(f"place and route of {top}, seed {seed}")
            try:
                return seed, _routed(netlist, target, places, seed, compiled, children)
            except GivenUpError as error:
                other = next(others, None)
                if other is None:
                    raise
                say(str(error))
                return route(other)

        jobs = [pool.submit(route, seed) for seed in seeds]
        try:
            return dict(sorted(job.result() for job in jobs))
        except BaseException:
            # End the children before the pool waits for its threads.
            children.kill()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def routed(
    rtl: Rtl,
    target: Target,
    seed: int,
    dsp: bool = True,
    say: Callable[[str], None] = lambda text: None,
) -> Path:
    """Folder of one route, with `report.json`, `CONFIGURATION` and `CELLS`, from the cache or new.

    Args:
        rtl: as for `place_and_route`.
        target: a device with a router.
        seed: of the placer.
        dsp: whether multiplications may use the device's multiplier blocks.
        say: called with the current step.

    Raises:
        InputError: the design does not fit.
        ToolError: a tool failed.
    """
    outcome = place_and_route(rtl, target, [seed], dsp, say)
    if outcome.misfit:
        raise InputError(f"{rtl.top} {outcome.misfit}")
    return outcome.folders[seed]


def compiled_nextpnr(router: Router, say: Callable[[str], None]) -> Path:
    """Folder of a nextpnr's machine code, which its package compiles from WebAssembly.

    Compiled here first: two runs that start at once would both compile it, into the same file.
    """
    from totient.flow.webassembly import STACK_BYTES  # loads wasmtime: only for a route

    versions = tool_version(router.package), tool_version("wasmtime")
    name = digest(router.package, *versions, os.uname().machine, str(STACK_BYTES))

    def build(folder: Path) -> None:
        say(f"compiling {router.tool} for this machine, once")
        with Children() as children:
            environment = {"YOWASP_CACHE_DIR": str(folder)}
            status = children.run(router.tool, ["--version"], folder, environment)
        if status:
            raise ToolError(f"nextpnr does not start: {failure(folder, name, status)}")

    return produce("nextpnr", name, build, ["yowasp_*"])


CONFIGURATION, CELLS = "device.config.gz", "cells.json.gz"
"""Files of a route: its configuration as text, and the place (BEL) of each cell by name."""


def routed_cells(folder: Path) -> Mapping[str, Any]:
    """Cells of the routed netlist that nextpnr wrote into a route's folder, by name."""
    cells: Mapping[str, Any] = top_module(json.loads((folder / "routed.json").read_text()))["cells"]
    return cells


def keep_configuration(folder: Path, cells: Mapping[str, Any]) -> None:
    """Write `CONFIGURATION` and `CELLS` from nextpnr's output.

    Args:
        folder: of the route.
        cells: those of the routed netlist, by name.
    """
    configuration = folder / "device.config"
    places = {name: cell["attributes"]["NEXTPNR_BEL"] for name, cell in cells.items()}
    (folder / CONFIGURATION).write_bytes(gzip.compress(configuration.read_bytes(), 6, mtime=0))
    (folder / CELLS).write_bytes(gzip.compress(json.dumps(places).encode(), 6, mtime=0))
    configuration.unlink()
    (folder / "routed.json").unlink()


def _pack(folder: Path, target: Target, name: str, children: Children) -> None:
    """Make `device.config` from a routed netlist, if nextpnr does not."""
    if target.router.configuration is not None:
        return
    packing = ["-d", target.chip, "-o", "device.config", "routed.json"]
    (folder / "log.txt").rename(folder / "nextpnr.txt")
    if status := children.run("gowin_pack", packing, folder, {}):
        raise ToolError(f"gowin_pack failed: {failure(folder, name, status)}")
    (folder / "log.txt").unlink()
    (folder / "nextpnr.txt").rename(folder / "log.txt")


def _placed_registers(cells: Mapping[str, Any], harness: HarnessCells) -> int:
    """Number of registers in a routed netlist; on iCE40 a logic cell states whether it has one."""
    return sum(
        cell["type"] in harness.registers or int(cell["parameters"].get("DFF_ENABLE", "0"), 2)
        for cell in cells.values()
    )


def kept_configuration(folder: Path) -> tuple[str, dict[str, str]]:
    """The files of `keep_configuration` in a route's folder: the text, and the BEL of each cell."""
    text, bels = (gzip.decompress((folder / name).read_bytes()) for name in (CONFIGURATION, CELLS))
    return text.decode(), json.loads(bels)


def check_blocks(folder: Path, netlist: Mapping[str, Any]) -> None:
    """Compare hard blocks of a route with the netlist (`ecp5/blocks.py`).

    Args:
        folder: of the route.
        netlist: the input of the route.

    Raises:
        ToolError: the clocks, enables, resets or settings of a block differ from the netlist.
    """
    from totient.flow.ecp5.blocks import block_faults
    from totient.flow.ecp5.configuration import parse

    text, bels = kept_configuration(folder)
    faults = list(block_faults(top_module(netlist)["cells"], bels, parse(text)))
    if faults:
        raise ToolError(
            f"{len(faults)} pins or settings of hard blocks are not as in the netlist: {faults[0]}"
        )


def floorplan_of(netlist: Path, target: Target) -> dict[str, str]:
    """The floorplan of a netlist (`floorplan.py`); empty if there is none.

    Args:
        netlist: folder from `synthesised`.
        target: its device.
    """
    text = (netlist / "netlist.json").read_text()
    if target.floor is None or f'"{CHAIN}":' not in text:
        return {}
    return floorplan(top_module(json.loads(text))["cells"], target.floor)


def _routed(
    netlist: Path,
    target: Target,
    places: Mapping[str, str],
    seed: int,
    compiled: Path,
    children: Children,
) -> Path:
    """Folder of one seed's outcome, from the cache or new.

    It has `report.json`, `CONFIGURATION` and `CELLS`, or `misfit`.
    """
    given = arguments(target, places, seed)
    # The netlist's folder is named by its content.
    name = digest(
        *(netlist.name, repr(target), json.dumps(given), *target.router.versions()),
        *([json.dumps(places), repr(target.floor)] if places else []),
    )

    def build(folder: Path) -> None:
        netlist_alone = json.loads((netlist / "netlist.json").read_text())
        design = write_design(folder, netlist_alone, target, places)
        status = run_nextpnr(children, target.router, given, folder, compiled)
        (folder / "netlist.json").unlink()
        if status:
            for left in ("device.config", "routed.json"):
                (folder / left).unlink(missing_ok=True)
            errors = error_lines((folder / "log.txt").read_text(errors="replace"))
            if status < 0 or not errors or not _FULL.search(errors[0]):
                raise ToolError(f"nextpnr failed: {failure(folder, name, status)}")
            (folder / "misfit").write_text(errors[0])
            return
        cells = routed_cells(folder)
        if target.harness:
            # A design with removed parts would have the clock of another design.
            kept = _placed_registers(cells, target.harness)
            if kept != (expected := registers(design, target.harness)):
                raise ToolError(f"nextpnr has placed {kept} of {expected} registers of {netlist}")
        _pack(folder, target, name, children)
        keep_configuration(folder, cells)
        if target.router == ECP5_ROUTER:
            check_blocks(folder, design)

    return produce("routing", name, build)
