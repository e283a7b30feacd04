"""The command that writes a bitstream for a board."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from totient.cli.boards import BOARD, DEFAULT_DESIGN, BaudOption, RegistersOption, on_board
from totient.cli.files import check_output
from totient.cli.options import (
    JsonOption,
    SeedOption,
    SetOption,
    WidthOption,
    clock_option,
    file_option,
)
from totient.cli.report import Summary, finish, say
from totient.common.errors import InputError
from totient.common.progress import bar

if TYPE_CHECKING:
    from totient.catalog import Subject
    from totient.flow.bitstream import SystemRtl
    from totient.flow.boards import Board


_Design = Annotated[
    str | None,
    typer.Option(
        "--design",
        metavar="DESIGN",
        help=f"A design, an IP, a system, or a paper's row. Default: {DEFAULT_DESIGN}, for the "
        "longest keys that fit the board's memory.",
    ),
]
_Clock = Annotated[
    float | None,
    clock_option(
        1,
        400,
        "The core's clock. Default: 40 on 7-series and for a system, else the highest that "
        "the route allows.",
    ),
]


def bitstream(
    board: Annotated[str, typer.Option("--board", metavar="BOARD", help=BOARD)],
    design: _Design = None,
    width: WidthOption = None,
    clock: _Clock = None,
    baud: BaudOption = None,
    seed: SeedOption = None,
    out: Annotated[Path | None, file_option("--out", "Default: BOARD-DESIGN.bit.")] = None,
    registers: RegistersOption = False,
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a bitstream of a core, an IP or a system on a board's serial port. Timing is met.

    Prints the device's address. An IP with registers is accessed through packets
    (docs/contracts.md). Boards with a 7-series device require Vivado or openXC7.
    """
    from totient.catalog import Configuration, System
    from totient.flow import SEEDS, check_seeds
    from totient.flow.bitstream import bitstream as make

    check_seeds(seed or SEEDS, "--seed")
    found, chosen = on_board(board, baud, design, width, settings, registers)
    if seed and found.is_7series:
        raise InputError(f"--seed is {seed[0]}, {board} is routed by tools without one")
    file = out or Path(f"{board}-{chosen.name}.bit")
    check_output(file)
    system: SystemRtl | None = None
    if isinstance(chosen, System):
        from totient.litex.board import system_on_board

        system = system_on_board
    with bar(f"bitstream of {chosen.label}") as progress:
        made = make(found, chosen, clock, progress.describe, registers, system, seed or SEEDS)
    load = found.load.format(file=file)
    summary: Summary = {
        "board": found.name,
        "design": chosen.name,
        "parameters": dict(chosen.parameters),
        "clock_mhz": made.clock_mhz,
        "fmax_mhz": made.fmax_mhz,
        "fmax_mhz_by_seed": {str(seed): mhz for seed, mhz in made.by_seed.items()},
        "tools": made.tools,
        "device": found.address if isinstance(chosen, Configuration) and not registers else None,
        "load": load,
    }
    say(f"{file}: {chosen.label} on the {found.title}")
    seeds = ", ".join(f"{mhz:.1f} by seed {seed}" for seed, mhz in made.by_seed.items())
    say(
        f"  clock   {made.clock_mhz:g} MHz, timing met: {made.fmax_mhz:.1f} MHz at most"
        + (f" ({seeds})" if seeds else "")
    )
    say(f"  made by {made.tools}")
    say(f"  load    {load}")
    say(f"  serial  {found.serial}; {_way_in(found, chosen, registers)}")
    finish(file, made.file.read_bytes(), 0o644, summary if as_json else None)


def _way_in(board: "Board", chosen: "Subject", registers: bool) -> str:
    """How a program accesses the core on the board."""
    from totient.catalog import SERIAL_BAUD, Configuration, System

    if isinstance(chosen, System):
        return f"a terminal there at {SERIAL_BAUD} baud"
    if registers or not isinstance(chosen, Configuration):
        return f"packets of accesses there at {board.baud} baud (docs/contracts.md)"
    return f"then --device {board.address}"
