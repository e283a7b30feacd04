"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

from totient.cli.files import file_path
from totient.common.errors import InputError
from totient.rsa.choices import HashName

_CLOCKS_MHZ = (1e-6, 1e6)
DEFAULT_TARGET = "ecp5-85f"
"""The default device: the one whose clocks the tables state."""

DesignArgument = Annotated[
    str,
    typer.Argument(
        metavar="DESIGN",
        help="A design, a named configuration, a paper's row, or an address of one.",
    ),
]
WidthOption = Annotated[
    int | None,
    typer.Option("--width", metavar="BITS", help="Largest modulus. Default: the design's own."),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Set another parameter; repeatable."),
]
DeviceOption = Annotated[
    str,
    typer.Option(
        "--device",
        metavar="ADDRESS",
        help="Core to compute on: sim:DESIGN or sim:DESIGN?PARAMETER=VALUE&..., where DESIGN is a "
        "design or a paper's row. Without width=BITS its width is that of the operands, rounded up "
        "to 32 bits. tty:PATH: a core on a serial line, by default "
        "tty:PATH?baud=115200&timeout=60 (seconds between bytes). uio:PATH: a core behind "
        "registers of this board. sim-registers:DESIGN, sim-serial:DESIGN: a simulated core behind "
        "its registers or its serial line.",
    ),
]


def _check_clock(mhz: float | None) -> float | None:
    if mhz is not None and not _CLOCKS_MHZ[0] <= mhz <= _CLOCKS_MHZ[1]:
        least, most = _CLOCKS_MHZ
        raise InputError(f"--clock is {mhz:g}, allowed is {least:f} to {most:.0f} MHz")
    return mhz


ClockOption = Annotated[
    float | None,
    typer.Option(
        "--clock",
        metavar="MHZ",
        callback=_check_clock,
        help="Clock at which times are stated. Default: the routed clock of the core's Record.",
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON object on the standard output.")
]
InputOption = Annotated[
    Path,
    typer.Option("--in", metavar="FILE", parser=file_path, help="Input; - for the standard input."),
]
OutputOption = Annotated[
    Path,
    typer.Option(
        "--out", metavar="FILE", parser=file_path, help="Output; - for the standard output."
    ),
]
HashOption = Annotated[
    HashName,
    typer.Option("--hash", help="Hash function, also of the mask of PSS and OAEP."),
]
NoCrtOption = Annotated[
    bool,
    typer.Option(
        "--no-crt",
        help="Compute one exponentiation with the whole private exponent, instead of two with CRT.",
    ),
]
