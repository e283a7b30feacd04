"""Bitstreams for boards: the core behind a serial line, routed with its pins and its clock."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from totient.catalog import SERIAL_BAUD, Configuration, Face, Top, sources
from totient.common.errors import InputError, ToolError
from totient.flow import openxc7, trellis, vivado
from totient.flow.boards import Board
from totient.flow.rtl import Rtl

_TOP = "rsa_board"
_CORE = f"totient:ip:{_TOP}"
_MOST_BAUD_OFF = 0.02
_SETTLING = 32  # cycles, more than the top takes out of reset


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
    board: Board, design: str, parameters: Mapping[str, int], clock_mhz: float, tool: str = ""
) -> tuple[Rtl, float]:
    """The board's top with a design, and the clock that the core gets.

    Args:
        board: which one.
        design: name in the catalog.
        parameters: of the design (`Configuration.face_parameters`).
        clock_mhz: wanted clock of the core.
        tool: that reads it, as `totient.catalog.sources` takes it.

    Raises:
        InputError: the clock cannot be made, or is too slow for the serial port.
    """
    values, core_mhz = _parameters(board, design, parameters, clock_mhz)
    return Rtl(sources(_CORE, tool=tool), _TOP, values), core_mhz


def board_top(board: Board, clock_mhz: float, chosen: Configuration) -> tuple[Top, float]:
    """The same to be simulated, with its pins, and the clock that it stands for.

    The board's clock is the core's there: no phase-locked loop is simulated. Reset is the button.

    Args:
        board: which one.
        clock_mhz: wanted clock of the core.
        chosen: the core.

    Raises:
        InputError: as for `board_rtl`.
    """
    values, core_mhz = _parameters(board, chosen.name, chosen.face_parameters, clock_mhz)
    label = f"{chosen.label} on {board.name}"
    top = Top(
        *(_CORE, _TOP, values, frozenset({Face.SERIAL}), label),
        clock="clk",
        reset="button",
        reset_level=board.button_active,
        settling=_SETTLING,
    )
    return top, core_mhz


def _parameters(
    board: Board, design: str, parameters: Mapping[str, int], clock_mhz: float
) -> tuple[dict[str, int | str], float]:
    """Parameters of the top, and the clock that the core gets."""
    made = board.loop.dividers(board.clock_mhz, clock_mhz)
    core_mhz = board.loop.made_mhz(board.clock_mhz, made)
    bit_cycles = round(core_mhz * 1e6 / SERIAL_BAUD)
    if bit_cycles < 4 or abs(core_mhz * 1e6 / bit_cycles / SERIAL_BAUD - 1) > _MOST_BAUD_OFF:
        raise InputError(f"--clock is {clock_mhz:g} MHz, too slow for {SERIAL_BAUD} baud")
    values: dict[str, int | str] = {
        # A string, as a number.
        "Design": f"128'h{design.encode().hex()}",
        **parameters,
        "BitCycles": bit_cycles,
        "Family": int(board.is_7series),
        "PeriodPs": round(1e6 / board.clock_mhz),
        "InputDivider": made.input,
        "FeedbackDivider": made.feedback,
        "OutputDivider": made.output,
        "ButtonActive": board.button_active,
        "LedActive": board.led_active,
    }
    return values, core_mhz


def bitstream(
    board: Board,
    design: str,
    parameters: Mapping[str, int],
    clock_mhz: float,
    say: Callable[[str], None] = lambda text: None,
) -> Bitstream:
    """A bitstream whose timing is met, from the cache or new.

    On ECP5 by Yosys and nextpnr; on 7-series by Vivado where it is installed, else by openXC7.

    Args:
        board: which one.
        design: name in the catalog.
        parameters: of the design (`Configuration.face_parameters`).
        clock_mhz: wanted clock of the core.
        say: called with what is going on.

    Raises:
        InputError: the clock cannot be made, the design does not fit, or does not run that fast.
        ToolError: a tool is missing, or failed.
    """
    rtl, core_mhz = board_rtl(board, design, parameters, clock_mhz)
    if not board.is_7series:
        tools = "Yosys and nextpnr-ecp5"
        file, fmax = trellis.route(board, rtl, say)
    elif not (no_vivado := vivado.missing()):
        tools = "Vivado"
        rtl, _ = board_rtl(board, design, parameters, clock_mhz, tool="vivado")
        file, fmax = vivado.route(board, rtl, core_mhz, say)
    elif not (no_openxc7 := openxc7.missing(board)):
        tools = "Yosys and openXC7"
        file, fmax = openxc7.route(board, rtl, core_mhz, say)
    else:
        raise ToolError(
            f"a bitstream for {board.name} needs Vivado or openXC7: install one of them "
            f"(Vivado: {no_vivado}; openXC7: {no_openxc7})"
        )
    if fmax < core_mhz:
        raise InputError(
            f"--clock is {clock_mhz:g} MHz, this design on {board.name} runs at {fmax:.1f} MHz at "
            "most"
        )
    return Bitstream(file, core_mhz, fmax, tools)
