"""Bitstreams for boards: a design, an IP or a system, routed with the pins and its clock."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf
from pathlib import Path

from totient.catalog import (
    Configuration,
    Face,
    IpConfiguration,
    Subject,
    System,
    Top,
    sources,
)
from totient.common.errors import InputError, ToolError
from totient.flow import openxc7, small, trellis, vivado
from totient.flow.boards import Board, bit_parameters
from totient.flow.clocks import NO_LOOP, Dividers
from totient.flow.ecp5.netlists import routed_files
from totient.flow.netlist_verilog import synthesised_verilog
from totient.flow.rtl import Rtl
from totient.flow.targets import find_target

_SETTLING = 1024  # cycles, more than the top takes out of reset, and to wipe the longest frame

# Of an IP: words of the longest request on the line, and messages that go into one at least.
_FRAME_WORDS, _MESSAGES = 512, 4

FIXED_MHZ = 40.0
"""Clock where none is stated and no route sets it: on 7-series, and of a system, whose serial port
counts it."""

SystemRtl = Callable[[Board, Dividers], Rtl]
"""A system as a board's top, by the board and the dividers of its phase-locked loop."""


@dataclass(frozen=True)
class Bitstream:
    """A bitstream.

    Attributes:
        file: the file, in the cache.
        clock_mhz: the core's clock on the board.
        fmax_mhz: the most that this routing would take.
        tools: what made it.
        by_seed: the same of each of nextpnr's routes that was made, by its seed; no other tool
            makes more than one.
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
        board: which one.
        chosen: what is on it.
        dividers: of the phase-locked loop.
        tool: that reads it, as `totient.catalog.sources` takes it.
        registers: of a design, behind its AXI4-Lite registers (rtl/ip/rsa_axil.sv).
        system: of a system, what makes its top.

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
    """The same to be simulated, with its pins.

    The board's clock is the core's there, too: no phase-locked loop is simulated. Reset is the
    button.

    Args:
        board: which one.
        chosen: what is on it.
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
) -> Bitstream:
    """A bitstream whose timing is met, from the cache or new.

    By Yosys and nextpnr; on 7-series by Vivado where it is installed, else by openXC7.

    Args:
        board: which one.
        chosen: a design, an IP or a system.
        clock_mhz: wanted clock of the core; `None` takes the fastest one that the best of the
            flow's routes allows, on 7-series `FIXED_MHZ`; of a system that, too.
        say: called with what is going on.
        registers: as for `board_rtl`.
        system: as for `board_rtl`.

    Raises:
        InputError: the clock cannot be made, the design does not fit, or does not run that fast.
        ToolError: a tool is missing, or failed.
    """
    if isinstance(chosen, System) and clock_mhz is None:
        clock_mhz = FIXED_MHZ
    if not board.is_7series:
        return _by_nextpnr(board, chosen, clock_mhz, say, registers, system)
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
            f"a bitstream for {board.name} needs Vivado or openXC7: install one of them "
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
) -> Bitstream:
    """The same by nextpnr: the first route that takes the clock, or the best one of all."""
    loop = board.loop
    if isinstance(chosen, System) and not board.is_ecp5:
        raise InputError(f"--board is {board.name}, {chosen.name} does not fit its device")
    wanted = None if clock_mhz is None else loop.dividers(board.clock_mhz, clock_mhz)
    wanted_mhz = inf if wanted is None else loop.made_mhz(board.clock_mhz, wanted)
    if loop is NO_LOOP:
        wanted_mhz = min(wanted_mhz, board.clock_mhz)
    rtl = routed_rtl(board, chosen, wanted, registers, system)
    flow = trellis if board.is_ecp5 else small
    best, by_seed = None, {}
    for route in flow.routes(board, rtl, say):
        by_seed[route.seed] = route.fmax_mhz
        if best is None or route.fmax_mhz > best.fmax_mhz:
            best = route
        if route.fmax_mhz >= wanted_mhz:
            break
    assert best is not None
    if wanted is None:
        wanted = loop.fastest(board.clock_mhz, best.fmax_mhz)
    core_mhz = loop.made_mhz(board.clock_mhz, wanted)
    _check_met(board, core_mhz, best.fmax_mhz)
    file = flow.packed(board, best, wanted, say)
    tools = f"Yosys and {find_target(board.target).router.tool}, seed {best.seed}"
    return Bitstream(file, core_mhz, best.fmax_mhz, tools, by_seed)


def routed_rtl(
    board: Board,
    chosen: Subject,
    wanted: Dividers | None = None,
    registers: bool = False,
    system: SystemRtl | None = None,
) -> Rtl:
    """What nextpnr routes: a system for its clock, all else for one that stands for all of them.

    On ECP5 that is a clock that no design takes, on small devices the board's own.

    Args:
        board: which one.
        chosen: what is on it.
        wanted: of a system: dividers of its clock.
        registers: as for `board_rtl`.
        system: as for `board_rtl`.
    """
    if not isinstance(chosen, System):
        routed_mhz = trellis.ROUTED_MHZ if board.is_ecp5 else board.clock_mhz
        wanted = board.loop.dividers(board.clock_mhz, routed_mhz)
    assert wanted is not None
    return board_rtl(board, chosen, wanted, registers=registers, system=system)


def board_netlist(
    board: Board,
    chosen: Configuration | IpConfiguration,
    seed: int | None,
    registers: bool = False,
) -> tuple[Path, ...]:
    """The netlist of an ECP5 board's top in Verilog, with models of its cells.

    Args:
        board: which one.
        chosen: what is on it.
        seed: the route; `None`: as it is synthesised.
        registers: as for `board_rtl`.

    Raises:
        InputError: it is no ECP5 board, or the design does not fit.
        ToolError: a tool failed, or there is no model of a cell.
    """
    if not board.is_ecp5:
        raise InputError(f"--board is {board.name}, netlists are run of boards with an ECP5")
    rtl = routed_rtl(board, chosen, registers=registers)
    target = trellis.board_target(board)
    if seed is None:
        return synthesised_verilog(rtl, target)
    (route,) = trellis.routes(board, rtl, lambda text: None, [seed])
    return routed_files(route.folder, rtl.top, target)


def _check_met(board: Board, core_mhz: float, fmax_mhz: float) -> None:
    if fmax_mhz < core_mhz:
        raise InputError(
            f"--clock is {core_mhz:g} MHz, this design on {board.name} runs at {fmax_mhz:.1f} MHz "
            "at most"
        )
