"""The board that a command is about, and the core on it."""

from typing import TYPE_CHECKING, Annotated

import typer

from totient.common.errors import InputError

if TYPE_CHECKING:
    from totient.catalog import Configuration
    from totient.flow.boards import Board

BOARD = "ulx3s, ecpix5_r03, nexys_a7 or arty_a7."
CLOCK_MHZ = 40.0
_CLOCKS_MHZ = (1, 400)

BoardClockOption = Annotated[
    float | None,
    typer.Option("--clock", metavar="MHZ", help=f"The core's clock on it, {CLOCK_MHZ:g} at first."),
]


def core_on_board(
    board: str, clock: float | None, design: str, width: int | None, settings: list[str] | None
) -> "tuple[Board, float, Configuration]":
    """Board, clock and core that the words name, the core as it suits the board's device.

    Args:
        board: its name.
        clock: wanted clock in MHz; `None` takes the usual one.
        design: and what follows, as for `configuration`.
        width: width of the core.
        settings: further parameters.

    Raises:
        InputError: an unknown name, a value out of range, or a core that is not for this device.
    """
    from totient.cli.settings import configuration
    from totient.flow import find_target
    from totient.flow.boards import find_board
    from totient.measure.measurement import check_family

    least, most = _CLOCKS_MHZ
    mhz = CLOCK_MHZ if clock is None else clock
    if not least <= mhz <= most:
        raise InputError(f"--clock is {mhz:g}, allowed is {least} to {most} MHz")
    found = find_board(board)
    target = find_target(found.target)
    chosen = configuration(design, width, settings).suited(target.family)
    check_family(chosen, target)
    return found, mhz, chosen
