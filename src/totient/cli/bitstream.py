"""The command that writes a bitstream for a board."""

from pathlib import Path
from typing import Annotated

import typer

from totient.cli.boards import BOARD, BaudOption, board_clock, core_on_board
from totient.cli.files import check_output, file_path
from totient.cli.options import JsonOption, SetOption, WidthOption
from totient.cli.report import Summary, finish, say
from totient.common.progress import bar


def bitstream(
    board: Annotated[str, typer.Option("--board", metavar="BOARD", help=BOARD)],
    design: Annotated[
        str, typer.Option("--design", metavar="DESIGN", help="A design or a paper's row.")
    ] = "montgomery",
    width: WidthOption = None,
    clock: Annotated[
        float | None,
        typer.Option(
            "--clock",
            metavar="MHZ",
            help="The core's clock; as fast as the route allows without it, 40 on 7-series.",
        ),
    ] = None,
    baud: BaudOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", parser=file_path, help="BOARD-DESIGN.bit by default."
        ),
    ] = None,
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a bitstream with a core behind the board's serial port, its timing met.

    It says under which address the device is then known. Boards with a 7-series device need Vivado
    or openXC7.
    """
    from totient.flow.bitstream import bitstream as make

    mhz = board_clock(clock)
    found, chosen = core_on_board(board, baud, design, width, settings)
    file = out or Path(f"{board}-{chosen.design.name}.bit")
    check_output(file)
    with bar(f"bitstream of {chosen.label}") as progress:
        made = make(found, chosen.design.name, chosen.face_parameters, mhz, say=progress.describe)
    load = found.load.format(file=file)
    summary: Summary = {
        "board": found.name,
        "design": chosen.design.name,
        "parameters": dict(chosen.parameters),
        "clock_mhz": made.clock_mhz,
        "fmax_mhz": made.fmax_mhz,
        "tools": made.tools,
        "device": found.address,
        "load": load,
    }
    say(f"{file}: {chosen.label} on the {found.title}")
    say(f"  clock   {made.clock_mhz:g} MHz, timing met: {made.fmax_mhz:.1f} MHz at most")
    say(f"  made by {made.tools}")
    say(f"  load    {load}")
    say(f"  serial  {found.serial}; then --device {found.address}")
    finish(file, made.file.read_bytes(), 0o644, summary if as_json else None)
