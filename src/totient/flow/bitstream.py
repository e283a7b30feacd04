"""Bitstreams for boards: the core behind a serial line, routed with its pins and its clock."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path

from totient.catalog import Configuration, Face, Top, sources
from totient.common.errors import InputError, ToolError
from totient.flow import openxc7, small, trellis, vivado
from totient.flow.boards import Board
from totient.flow.clocks import NO_LOOP, Dividers
from totient.flow.rtl import Rtl
from totient.flow.targets import find_target

_TOP = "rsa_board"
_CORE = f"totient:ip:{_TOP}"
_SETTLING = 64  # cycles, more than the top takes out of reset

SERIES7_MHZ = 40.0
"""Clock of the core on 7-series where none is stated."""


@dataclass(frozen=True)
class Bitstream:
    """A bitstream.

    Attributes:
        file: the file, in the cache.
        clock_mhz: the core's clock on the board.
        fmax_mhz: the most that this routing would take.
        tools: what made it.
    """

    file: Path
    clock_mhz: float
    fmax_mhz: float
    tools: str


def board_rtl(
    board: Board, design: str, parameters: Mapping[str, int], dividers: Dividers, tool: str = ""
) -> Rtl:
    """The board's top with a design.

    Args:
        board: which one.
        design: name in the catalog.
        parameters: of the design (`Configuration.face_parameters`).
        dividers: of the phase-locked loop.
        tool: that reads it, as `totient.catalog.sources` takes it.
    """
    values = _parameters(board, design, parameters, dividers)
    return Rtl(sources(_CORE, tool=tool), _TOP, values)


def board_top(board: Board, chosen: Configuration) -> Top:
    """The same to be simulated, with its pins.

    The board's clock is the core's there, too: no phase-locked loop is simulated. Reset is the
    button.

    Args:
        board: which one.
        chosen: the core.
    """
    dividers = board.loop.dividers(board.clock_mhz, board.clock_mhz)
    values = _parameters(board, chosen.name, chosen.face_parameters, dividers)
    return Top(
        *(_CORE, _TOP, values, frozenset({Face.SERIAL}), f"{chosen.label} on {board.name}"),
        clock="clk",
        reset="button",
        reset_level=board.button_active,
        settling=_SETTLING,
    )


def _parameters(
    board: Board, design: str, parameters: Mapping[str, int], dividers: Dividers
) -> dict[str, int | str]:
    """Parameters of the top."""
    whole, sixteenths = divmod(round(16e6 * board.clock_mhz / board.baud), 16)
    return {
        # A string, as a number.
        "Design": f"128'h{design.encode().hex()}",
        **parameters,
        "BitCycles": whole,
        "BitSixteenths": sixteenths,
        "Family": board.family,
        "PeriodPs": round(1e6 / board.clock_mhz),
        "InputDivider": dividers.input,
        "FeedbackDivider": dividers.feedback,
        "OutputDivider": dividers.output,
        "Leds": board.leds,
        "ButtonActive": board.button_active,
        "LedActive": board.led_active,
    }


def bitstream(
    board: Board,
    design: str,
    parameters: Mapping[str, int],
    clock_mhz: float | None,
    say: Callable[[str], None] = lambda text: None,
) -> Bitstream:
    """A bitstream whose timing is met, from the cache or new.

    By Yosys and nextpnr; on 7-series by Vivado where it is installed, else by openXC7.

    Args:
        board: which one.
        design: name in the catalog.
        parameters: of the design (`Configuration.face_parameters`).
        clock_mhz: wanted clock of the core; `None` takes the fastest one that the best of the
            flow's routes allows, on 7-series `SERIES7_MHZ`.
        say: called with what is going on.

    Raises:
        InputError: the clock cannot be made, the design does not fit, or does not run that fast.
        ToolError: a tool is missing, or failed.
    """
    if board.is_ecp5:
        return _by_trellis(board, design, parameters, clock_mhz, say)
    if not board.is_7series:
        return _by_small(board, design, parameters, clock_mhz, say)
    made = board.loop.dividers(board.clock_mhz, SERIES7_MHZ if clock_mhz is None else clock_mhz)
    core_mhz = board.loop.made_mhz(board.clock_mhz, made)
    if not (no_vivado := vivado.missing()):
        tools = "Vivado"
        rtl = board_rtl(board, design, parameters, made, tool="vivado")
        file, fmax = vivado.route(board, rtl, core_mhz, say)
    elif not (no_openxc7 := openxc7.missing(board)):
        tools = "Yosys and openXC7"
        rtl = board_rtl(board, design, parameters, made)
        file, fmax = openxc7.route(board, rtl, core_mhz, say)
    else:
        raise ToolError(
            f"a bitstream for {board.name} needs Vivado or openXC7: install one of them "
            f"(Vivado: {no_vivado}; openXC7: {no_openxc7})"
        )
    _check_met(board, core_mhz, fmax)
    return Bitstream(file, core_mhz, fmax, tools)


def _by_trellis(
    board: Board,
    design: str,
    parameters: Mapping[str, int],
    clock_mhz: float | None,
    say: Callable[[str], None],
) -> Bitstream:
    """The same on an ECP5: the first route that takes the clock, or the best one of all."""
    loop = board.loop
    wanted = None if clock_mhz is None else loop.dividers(board.clock_mhz, clock_mhz)
    wanted_mhz = inf if wanted is None else loop.made_mhz(board.clock_mhz, wanted)
    routed = loop.dividers(board.clock_mhz, trellis.ROUTED_MHZ)
    best = None
    for route in trellis.routes(board, board_rtl(board, design, parameters, routed), say):
        if best is None or route.fmax_mhz > best.fmax_mhz:
            best = route
        if route.fmax_mhz >= wanted_mhz:
            break
    assert best is not None
    if wanted is None:
        wanted = loop.fastest(board.clock_mhz, best.fmax_mhz)
    core_mhz = loop.made_mhz(board.clock_mhz, wanted)
    _check_met(board, core_mhz, best.fmax_mhz)
    folder = trellis.packed(best, wanted, say)
    tools = f"Yosys and nextpnr-ecp5, seed {best.seed}"
    return Bitstream(folder / "board.bit", core_mhz, best.fmax_mhz, tools)


def _by_small(
    board: Board,
    design: str,
    parameters: Mapping[str, int],
    clock_mhz: float | None,
    say: Callable[[str], None],
) -> Bitstream:
    """The same on a small device: the first route that takes the clock, or the best one of all."""
    loop = board.loop
    wanted = None if clock_mhz is None else loop.dividers(board.clock_mhz, clock_mhz)
    wanted_mhz = inf if wanted is None else loop.made_mhz(board.clock_mhz, wanted)
    if loop is NO_LOOP:
        wanted_mhz = min(wanted_mhz, board.clock_mhz)
    routed = loop.dividers(board.clock_mhz, board.clock_mhz)
    best = None
    for route in small.routes(board, board_rtl(board, design, parameters, routed), say):
        if best is None or route.fmax_mhz > best.fmax_mhz:
            best = route
        if route.fmax_mhz >= wanted_mhz:
            break
    assert best is not None
    if wanted is None:
        wanted = loop.fastest(board.clock_mhz, best.fmax_mhz)
    core_mhz = loop.made_mhz(board.clock_mhz, wanted)
    _check_met(board, core_mhz, best.fmax_mhz)
    file = small.packed(board, best, wanted, say)
    tools = f"Yosys and {find_target(board.target).router.tool}, seed {best.seed}"
    return Bitstream(file, core_mhz, best.fmax_mhz, tools)


def _check_met(board: Board, core_mhz: float, fmax_mhz: float) -> None:
    if fmax_mhz < core_mhz:
        raise InputError(
            f"--clock is {core_mhz:g} MHz, this design on {board.name} runs at {fmax_mhz:.1f} MHz "
            "at most"
        )
