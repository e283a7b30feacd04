"""Options that several commands share."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from totient.cli.files import file_path
from totient.common.errors import InputError
from totient.rsa.choices import HashName, SaltLength

DEFAULT_TARGET = "ecp5-85f"
"""The default device: the one whose clocks the tables state."""


def file_option(name: str, text: str, metavar: str = "FILE") -> Any:
    """An option whose value is a path."""
    return typer.Option(name, metavar=metavar, parser=file_path, help=text)


def clock_option(least: float, most: float, text: str) -> Any:
    """`--clock`, a clock in MHz from `least` to `most`."""

    def check(mhz: float | None) -> float | None:
        if mhz is not None and not least <= mhz <= most:
            low, high = (f"{each:f}".rstrip("0").rstrip(".") for each in (least, most))
            raise InputError(f"--clock is {mhz:g}, allowed is {low} to {high} MHz")
        return mhz

    return typer.Option("--clock", metavar="MHZ", callback=check, help=text)


def allow_only(where: str, *given: str) -> None:
    """Raise `InputError` for an option that is given, but allowed elsewhere only.

    Args:
        where: the option is allowed.
        given: options with their values, in words; empty: not given.
    """
    for each in filter(None, given):
        raise InputError(f"{each}, allowed {where} only")


def allow_with_run(run: bool, numbers: Mapping[str, int | None], *given: str) -> None:
    """Raise `InputError` for options that need `--run`, and for numbers below 1.

    Args:
        run: whether it is given.
        numbers: options with their numbers; None: not given.
        given: other options in words; empty: not given.
    """
    stated = {option: number for option, number in numbers.items() if number is not None}
    if not run:
        words = (f"{option} is {number}" for option, number in stated.items())
        allow_only("with --run", *words, *given)
    for option, number in stated.items():
        if number < 1:
            raise InputError(f"{option} is {number}, allowed is 1 or more")


RunJobsOption = Annotated[
    int | None,
    typer.Option("--jobs", metavar="K", help="With --run: parallel processes, default 1."),
]
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
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Measure on the workers of this Dask scheduler, such as tcp://10.0.0.7:8786 "
        "(docs/cluster.md). Default: processes of this machine.",
    ),
]
JobsOption = Annotated[
    int,
    typer.Option("--jobs", metavar="N", help="Measurements at once on this machine."),
]
DeviceOption = Annotated[
    str,
    typer.Option(
        "--device",
        metavar="ADDRESS",
        help="Core to compute on: sim:DESIGN or sim:DESIGN?PARAMETER=VALUE&..., where DESIGN is a "
        "design or a paper's row. Without width=BITS its width is that of the operands, rounded up "
        "to 32 bits, or to an engine's next width. tty:PATH: a core on a serial line, by default "
        "tty:PATH?baud=115200&timeout=60 (seconds between bytes). unix:PATH: a core at a stream "
        "socket. uio:PATH: a core behind registers of this board. sim-registers:DESIGN, "
        "sim-serial:DESIGN: a simulated core behind its registers or its serial line. "
        "sim-rtl:DESIGN: as sim:, but an engine's array is its RTL, too, not a program with the "
        "same cycles. sim:/PATH: a model that is built.",
    ),
]


ClockOption = Annotated[
    float | None,
    clock_option(
        1e-6,
        1e6,
        "Clock at which times are stated. Default: the routed clock of the core's Record.",
    ),
]
SeedOption = Annotated[
    list[int] | None,
    typer.Option("--seed", metavar="S", help="Placer seed; default 1, 2 and 3. Repeatable."),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON object on the standard output.")
]
InputOption = Annotated[Path, file_option("--in", "Input; - for the standard input.")]
OutputOption = Annotated[Path, file_option("--out", "Output; - for the standard output.")]
HashOption = Annotated[
    HashName | None,
    typer.Option("--hash", help="Hash function. Default: an RSASSA-PSS key's own, else sha256."),
]
MgfHashOption = Annotated[
    HashName | None,
    typer.Option(
        "--mgf-hash",
        metavar="HASH",
        help="Hash function of the mask of PSS and OAEP. Default: an RSASSA-PSS key's own, else "
        "that of --hash.",
    ),
]
LabelOption = Annotated[
    str,
    typer.Option("--label", metavar="HEX", help="Label of OAEP, in hexadecimal. Default: none."),
]


def salt_option(default: str) -> Any:
    """`--salt-length` of PSS; `read_salt` reads its value."""
    return typer.Option(
        "--salt-length",
        metavar="LENGTH",
        help=f"Length of the PSS salt: a number of bytes, digest, max, auto or auto-digestmax. "
        f"Default: {default}",
    )


def read_salt(text: str | None) -> int | SaltLength | None:
    """The value of `--salt-length`.

    Raises:
        InputError: it is neither a choice nor a number.
    """
    if text is None or text in list(SaltLength):
        return None if text is None else SaltLength(text)
    if not re.fullmatch(r"[0-9]{1,9}", text):
        choices = ", ".join(SaltLength)
        raise InputError(f"--salt-length is {text!r}, allowed are {choices} or a number from 0")
    return int(text)


def read_label(text: str) -> bytes:
    """The value of `--label`.

    Raises:
        InputError: it is not hexadecimal.
    """
    if not re.fullmatch(r"([0-9A-Fa-f]{2})*", text):
        raise InputError(f"--label is {text!r}, allowed are pairs of hexadecimal digits")
    return bytes.fromhex(text)


NoCrtOption = Annotated[
    bool,
    typer.Option(
        "--no-crt",
        help="Compute one exponentiation with the whole private exponent, instead of two with CRT.",
    ),
]
