"""The board named in a command, and its core."""

from typing import TYPE_CHECKING, Annotated

import typer

from totient.common.errors import InputError

if TYPE_CHECKING:
    from totient.catalog import Subject
    from totient.flow.boards import Board

BOARD = "a board of docs/driver.md, such as ulx3s."

DEFAULT_DESIGN = "engine-8"
"""The engine that fits every ECP5 and 7-series board. Its width is above `_LESS_BITS` if the
board's memory allows it."""

_LESS_BITS = 2048
_BLOCK_RAM = 57  # on an ECP5: the engine for keys of 4096 bits, with its serial port

BaudOption = Annotated[
    int | None,
    typer.Option("--baud", metavar="RATE", help="Rate of the serial port. Default: the board's."),
]


RegistersOption = Annotated[
    bool,
    typer.Option("--registers", help="Put AXI4-Lite registers (rsa_axil) in front of a design."),
]


def on_board(
    board: str,
    baud: int | None,
    design: str | None,
    width: int | None,
    settings: list[str] | None,
    registers: bool = False,
) -> "tuple[Board, Subject]":
    """Board, and the named design, IP or system with parameters for the board's device.

    Args:
        board: its name.
        baud: rate of its serial port; `None` for the board's.
        design: as for `subject`, with the arguments that follow; `None` for `DEFAULT_DESIGN`.
        width: width of the core; `None` for the design's own. For the default design, `None` is the
            widest that the board's block RAMs allow.
        settings: further parameters.
        registers: whether it must be a design, because registers are put in front of it.

    Raises:
        InputError: an unknown name, a value out of range, or a core that does not suit the device.
    """
    from totient.catalog import Configuration, IpConfiguration, System
    from totient.cli.settings import subject
    from totient.flow import find_target
    from totient.flow.boards import find_board
    from totient.measure.measurement import check_family

    found = find_board(board).at(baud)
    target = find_target(found.target)
    if design is None and not (found.is_7series or found.is_ecp5):
        raise InputError(
            f"--design is not given, {found.name} has no room for {DEFAULT_DESIGN}; "
            "allowed is a design that fits, such as T2 with --width 32"
        )
    if design is None and width is None and not any("width=" in each for each in settings or ()):
        small = not found.is_7series and target.available.block_ram < _BLOCK_RAM
        width = _LESS_BITS if small else None
    chosen = subject(design or DEFAULT_DESIGN, width, settings).suited(target.family)
    check_family(chosen, target)
    if isinstance(chosen, IpConfiguration) and not chosen.ip.on_boards:
        raise InputError(f"{chosen.name} is not in the boards' top module; allowed is rsa_keygen")
    if registers and not isinstance(chosen, Configuration):
        raise InputError(f"--registers is given, allowed of a design, {chosen.name} is none")
    if isinstance(chosen, System) and baud is not None:
        raise InputError(f"--baud is {baud}, the serial port of {chosen.name} has its own")
    return found, chosen
