"""Bitstreams for boards: a design, an IP or a system, routed with the pins and its clock."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path

from totient.catalog import Configuration, Face, IpConfiguration, Subject, System, Top, sources
from totient.common.errors import InputError, ToolError
from totient.flow import openxc7, vivado
from totient.flow.board_routes import BoardFlow
from totient.flow.boards import Board, bit_parameters
from totient.flow.clocks import NO_LOOP, Dividers
from totient.flow.ecp5.netlists import routed_files
from totient.flow.netlist_verilog import synthesised_verilog
from totient.flow.routing import SEEDS
from totient.flow.rtl import Rtl
from totient.flow.small import GOWIN_FLOW, ICE40_FLOW
from totient.flow.targets import find_target
from totient.flow.trellis import ECP5_FLOW, ROUTED_MHZ

_SETTLING = 1024  # cycles, more than the top needs after reset, and to wipe the longest frame

# For an IP: words of the longest request on the line, and minimum number of messages in one.
_FRAME_WORDS, _MESSAGES = 512, 4

FIXED_MHZ = 40.0
"""Default clock if no route sets it: on 7-series, and for a system, whose serial port depends on
it."""

SystemRtl = Callable[[Board, Dividers], Rtl]
"""A system as a board's top, from the board and the dividers of its phase-locked loop."""


@dataclass(frozen=True)
class Bitstream:
    """A bitstream.

    Attributes:
        file: the file, in the cache.
        clock_mhz: the core's clock on the board.
        fmax_mhz: maximum clock of this route.
        tools: that made it.
        by_seed: the same of each of nextpnr's routes, by seed; other tools make only one.
    """

    file: Path
    clock_mhz: float
    fmax_mhz: float
    tools: str
    by_seed: Mapping[int, float] = field(default_factory=dict)


def board_rtl(
    board: Board,
    chosen: Subject,
    dividers: Dividers,
    tool: str = "",
    registers: bool = False,
    system: SystemRtl | None = None,
) -> Rtl:
    """The board's top with a design, an IP or a system.

    Args:
        board: for the core.
        chosen: the core.
        dividers: of the phase-locked loop.
        tool: that reads it, as for `totient.catalog.sources`.
        registers: whether a design is behind its AXI4-Lite registers (rtl/ip/rsa_axil.sv).
        system: makes the top of a system.

    Raises:
        ToolError: a system cannot be made.
    """
    if isinstance(chosen, System):
        assert system is not None
        return system(board, dividers)
    module, values = _top(board, chosen, dividers, registers)
    return Rtl(sources(f"totient:ip:{module}", tool=tool), module, values)


def board_top(
    board: Board, chosen: Configuration | IpConfiguration, registers: bool = False
) -> Top:
    """The same for simulation, with its pins.

    Core and board have one clock there: no phase-locked loop is simulated. The button is the reset.


    Args:
        board: for the core.
        chosen: the core.
        registers: as for `board_rtl`.
    """
    dividers = board.loop.dividers(board.clock_mhz, board.clock_mhz)
    module, values = _top(board, chosen, dividers, registers)
    label = f"{chosen.label}{' behind registers' if registers else ''} on {board.name}"
    return Top(
        *(f"totient:ip:{module}", module, values, frozenset({Face.SERIAL}), label),
        clock="clk",
        reset="button",
        reset_level=board.button_active,
        settling=_SETTLING,
    )


def _top(
    board: Board, chosen: Configuration | IpConfiguration, dividers: Dividers, registers: bool
) -> tuple[str, dict[str, int | str]]:
    """Top module and its parameters."""
    own: dict[str, int | str] = {}
    if isinstance(chosen, IpConfiguration):
        words = -(-chosen.width // 32)
        own = {"Ip": _text(chosen.name, 256), **chosen.top().parameters}
        own["FrameWords"] = max(_FRAME_WORDS, 1 + _MESSAGES * words)
    else:
        own = {"Ip": _text("rsa_axil", 256)} if registers else {}
        own |= {"Design": _text(chosen.name, 128), **chosen.face_parameters}
    return "ip_board" if "Ip" in own else "rsa_board", {
        **own,
        **bit_parameters(board.clock_mhz, board.baud),
        "Family": board.family,
        "PeriodPs": round(1e6 / board.clock_mhz),
        "InputDivider": dividers.input,
        "FeedbackDivider": dividers.feedback,
        "OutputDivider": dividers.output,
        "Leds": board.leds,
        "ButtonActive": board.button_active,
        "LedActive": board.led_active,
    }


def _text(name: str, bits: int) -> str:
    """A parameter that is a string, as a number."""
    return f"{bits}'h{name.encode().hex()}"


def bitstream(
    board: Board,
    chosen: Subject,
    clock_mhz: float | None,
    say: Callable[[str], None] = lambda text: None,
    registers: bool = False,
    system: SystemRtl | None = None,
    seeds: Sequence[int] = SEEDS,
) -> Bitstream:
    """A bitstream that meets timing, from the cache or new.

    Made by Yosys and nextpnr; on 7-series by Vivado if it is installed, else by openXC7.

    Args:
        board: for the bitstream.
        chosen: a design, an IP or a system.
        clock_mhz: clock of the core. `None`: the highest one that the best of the flow's routes
            allows; on 7-series, and for a system, `FIXED_MHZ`.
        say: called with the current step.
        registers: as for `board_rtl`.
        system: as for `board_rtl`.
        seeds: of nextpnr's placer, in the order in which they are tried.

    Raises:
        InputError: the clock cannot be generated, the design does not fit, or is slower.
        ToolError: a tool is missing, or failed.
    """
    if isinstance(chosen, System) and clock_mhz is None:
        clock_mhz = FIXED_MHZ
    if not board.is_7series:
        return _by_nextpnr(board, chosen, clock_mhz, say, registers, system, seeds)
    made = board.loop.dividers(board.clock_mhz, FIXED_MHZ if clock_mhz is None else clock_mhz)
    core_mhz = board.loop.made_mhz(board.clock_mhz, made)
    if not (no_vivado := vivado.missing()):
        tools = "Vivado"
        rtl = board_rtl(board, chosen, made, "vivado", registers, system)
        file, fmax = vivado.route(board, rtl, core_mhz, say)
    elif not (no_openxc7 := openxc7.missing(board)):
        tools = "Yosys and openXC7"
        rtl = board_rtl(board, chosen, made, registers=registers, system=system)
        file, fmax = openxc7.route(board, rtl, core_mhz, say)
    else:
        raise ToolError(
            f"a bitstream for {board.name} requires Vivado or openXC7: install one of them "
            f"(Vivado: {no_vivado}; openXC7: {no_openxc7})"
        )
    _check_met(board, core_mhz, fmax)
    return Bitstream(file, core_mhz, fmax, tools)


def _by_nextpnr(
    board: Board,
    chosen: Subject,
    clock_mhz: float | None,
    say: Callable[[str], None],
    registers: bool,
    system: SystemRtl | None,
    seeds: Sequence[int],
) -> Bitstream:
    """The same by nextpnr: the first route that supports the clock, or the best one of all."""
    loop = board.loop
    if isinstance(chosen, System) and not board.is_ecp5:
        raise InputError(f"--board is {board.name}, {chosen.name} does not fit its device")
    requested = None if clock_mhz is None else loop.dividers(board.clock_mhz, clock_mhz)
    requested_mhz = inf if requested is None else loop.made_mhz(board.clock_mhz, requested)
    if loop is NO_LOOP:
        requested_mhz = min(requested_mhz, board.clock_mhz)
    rtl = routed_rtl(board, chosen, requested, registers, system)
    flow = board_flow(board)
    best, by_seed = None, {}
    for route in flow.routes(board, rtl, say, seeds):
        by_seed[route.seed] = route.fmax_mhz
        if best is None or route.fmax_mhz > best.fmax_mhz:
            best = route
        if route.fmax_mhz >= requested_mhz:
            break
    assert best is not None
    if requested is None:
        requested = loop.fastest(board.clock_mhz, best.fmax_mhz)
    core_mhz = loop.made_mhz(board.clock_mhz, requested)
    _check_met(board, core_mhz, best.fmax_mhz)
    file = flow.packed(board, best, requested, say)
    tools = f"Yosys and {find_target(board.target).router.tool}, seed {best.seed}"
    return Bitstream(file, core_mhz, best.fmax_mhz, tools, by_seed)


def board_flow(board: Board) -> BoardFlow:
    """The open flow of a board's device, which is none of 7-series."""
    if board.is_ecp5:
        return ECP5_FLOW
    return ICE40_FLOW if board.loop is NO_LOOP else GOWIN_FLOW


def routed_rtl(
    board: Board,
    chosen: Subject,
    requested: Dividers | None = None,
    registers: bool = False,
    system: SystemRtl | None = None,
) -> Rtl:
    """The top for nextpnr: a system with its clock, all others with one clock for all cases.

    On ECP5 that clock is too fast for any design, on small devices it is the board's own.

    Args:
        board: for the core.
        chosen: the core.
        requested: for a system: dividers of its clock.
        registers: as for `board_rtl`.
        system: as for `board_rtl`.
    """
    if not isinstance(chosen, System):
        routed_mhz = ROUTED_MHZ if board.is_ecp5 else board.clock_mhz
        requested = board.loop.dividers(board.clock_mhz, routed_mhz)
    assert requested is not None
    return board_rtl(board, chosen, requested, registers=registers, system=system)


def board_netlist(
    board: Board,
    chosen: Configuration | IpConfiguration,
    seed: int | None,
    registers: bool = False,
) -> tuple[Path, ...]:
    """The netlist of a board's top in Verilog, with models of its cells.

    Args:
        board: for the core.
        chosen: the core.
        seed: of the route; `None`: the synthesised netlist.
        registers: as for `board_rtl`.

    Raises:
        InputError: it is no board with an ECP5, or for a synthesised netlist a 7-series device, or
            the design does not fit.
        ToolError: a tool failed, or there is no model of a cell.
    """
    if board.is_7series and seed is None:
        made = board.loop.dividers(board.clock_mhz, FIXED_MHZ)
        rtl = board_rtl(board, chosen, made, registers=registers)
        return synthesised_verilog(rtl, openxc7.board_target(board))
    if not board.is_ecp5:
        raise InputError(
            f"--board is {board.name}, netlists are run of boards with an ECP5, and synthesised "
            "ones of those with a 7-series device"
        )
    rtl = routed_rtl(board, chosen, registers=registers)
    target = ECP5_FLOW.target(board)
    if seed is None:
        return synthesised_verilog(rtl, target)
    (route,) = ECP5_FLOW.routes(board, rtl, lambda text: None, [seed])
    return routed_files(route.folder, rtl.top, target)


def _check_met(board: Board, core_mhz: float, fmax_mhz: float) -> None:
    if fmax_mhz < core_mhz:
        raise InputError(
            f"--clock is {core_mhz:g} MHz, this design on {board.name} runs at {fmax_mhz:.1f} MHz "
            "at most"
        )
