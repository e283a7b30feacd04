"""The board that a command is about, and the core on it."""

from typing import TYPE_CHECKING, Annotated

import typer

from totient.common.errors import InputError

if TYPE_CHECKING:
    from totient.catalog import Subject
    from totient.flow.boards import Board

BOARD = "One of those that docs/driver.md lists, for instance ulx3s."
_CLOCKS_MHZ = (1, 400)

DEFAULT_DESIGN = "engine-8"
"""The engine that fits every ECP5 and 7-series board; wider than `_LESS_BITS` where its memory
does."""

_LESS_BITS = 2048
_BLOCK_RAM = 57  # of an ECP5, for the engine with keys of 4096 bits and the serial port

BaudOption = Annotated[
    int | None,
    typer.Option("--baud", metavar="RATE", help="Rate of the serial port, if not the board's."),
]


def board_clock(clock: float | None) -> float | None:
    """A clock that was given for a core, checked.

    Raises:
        InputError: it is out of range.
    """
    least, most = _CLOCKS_MHZ
    if clock is not None and not least <= clock <= most:
        raise InputError(f"--clock is {clock:g}, allowed is {least} to {most} MHz")
    return clock


RegistersOption = Annotated[
    bool,
    typer.Option("--registers", help="Of a design: behind its AXI4-Lite registers (rsa_axil)."),
]


def on_board(
    board: str,
    baud: int | None,
    design: str | None,
    width: int | None,
    settings: list[str] | None,
    registers: bool = False,
) -> "tuple[Board, Subject]":
    """Board, and the design, IP or system that the words name, as it suits the board's device.

    Args:
        board: its name.
        baud: rate of its serial port; `None` takes the board's.
        design: and what follows, as for `subject`; `None` takes `DEFAULT_DESIGN`.
        width: width of the core; `None` the design's own, of the default design the widest one that
            the board has block RAMs for.
        settings: further parameters.
        registers: whether it has to be a design that registers are put in front of.

    Raises:
        InputError: an unknown name, a value out of range, or a core that is not for this device.
    """
    from totient.catalog import Configuration, System
    from totient.cli.settings import subject
    from totient.flow import find_target
    from totient.flow.boards import find_board
    from totient.measure.measurement import check_family

    found = find_board(board).at(baud)
    target = find_target(found.target)
    if design is None and not (found.is_7series or found.is_ecp5):
        raise InputError(
            f"--design is not given, {found.name} has no room for {DEFAULT_DESIGN}; "
            "allowed is what fits, such as T2 with --width 32"
        )
    if design is None and width is None and not any("width=" in each for each in settings or ()):
        small = not found.is_7series and target.available.block_ram < _BLOCK_RAM
        width = _LESS_BITS if small else None
    chosen = subject(design or DEFAULT_DESIGN, width, settings)
    if isinstance(chosen, Configuration):
        chosen = chosen.suited(target.family)
        check_family(chosen, target)
    elif registers:
        raise InputError(f"--registers is given, allowed of a design, {chosen.name} is none")
    if isinstance(chosen, System) and baud is not None:
        raise InputError(f"--baud is {baud}, the serial port of {chosen.name} has its own")
    return found, chosen
