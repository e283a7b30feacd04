"""The command that writes a bitstream for a board."""

from pathlib import Path
from typing import Annotated

import typer

from totient.cli.boards import BOARD, BoardClockOption, core_on_board
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
    clock: BoardClockOption = None,
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

    The device is then tty:PATH, the serial port at 115200 baud. Boards with a 7-series device need
    Vivado or openXC7.
    """
    from totient.flow.bitstream import bitstream as make

    found, mhz, chosen = core_on_board(board, clock, design, width, settings)
    file = out or Path(f"{board}-{chosen.design.name}.bit")
    check_output(file)
    with bar(f"bitstream of {chosen.label}") as progress:
        made = make(found, chosen.design.name, chosen.face_parameters, mhz, say=progress.describe)
    load = f"openFPGALoader -b {found.loader} {file}"
    summary: Summary = {
        "board": found.name,
        "design": chosen.design.name,
        "parameters": dict(chosen.parameters),
        "clock_mhz": made.clock_mhz,
        "fmax_mhz": made.fmax_mhz,
        "tools": made.tools,
        "load": load,
    }
    say(f"{file}: {chosen.label} on the {found.title}")
    say(f"  clock   {made.clock_mhz:g} MHz, timing met: {made.fmax_mhz:.1f} MHz at most")
    say(f"  made by {made.tools}")
    say(f"  load    {load}")
    say(f"  serial  {found.serial}, then --device tty:PATH")
    finish(file, made.file.read_bytes(), 0o644, summary if as_json else None)
