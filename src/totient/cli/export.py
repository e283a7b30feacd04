"""Commands that export an IP: a self-contained folder, a datasheet."""

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from totient.cli.files import STANDARD, check_output, write_output
from totient.cli.options import (
    DEFAULT_TARGET,
    DesignArgument,
    JsonOption,
    OutputOption,
    SetOption,
    WidthOption,
    allow_only,
    clock_option,
    file_option,
)
from totient.cli.report import print_json, say
from totient.cli.tables import PlotOption
from totient.common.errors import InputError

if TYPE_CHECKING:
    from totient.catalog import Configuration, IpConfiguration
    from totient.catalog.model import Face
    from totient.export import Export

_DEFAULT_MHZ = 50.0

FaceOption = Annotated[
    str | None,
    typer.Option(
        "--face",
        metavar="FACE",
        help="For a design: stream (AXI4-Stream, the default), registers (AXI4-Lite) or serial.",
    ),
]


_Target = Annotated[
    str,
    typer.Option(
        "--target",
        metavar="TARGET",
        help="An ECP5 (ecp5-85f, -45f, -25f; speed grade 8, or 7 and 6 as in ecp5-25f-6) or "
        "artix7-100t.",
    ),
]
_Clock = Annotated[
    float | None,
    clock_option(
        1,
        1000,
        "Clock for constraints and the serial line. Default: that of the Record, rounded "
        f"down; {_DEFAULT_MHZ:g} if no Record has one.",
    ),
]
_Baud = Annotated[
    int | None,
    typer.Option(
        "--baud", metavar="RATE", help="With --face serial: rate of the line, default 115200."
    ),
]
_Name = Annotated[
    str | None,
    typer.Option(
        "--name",
        metavar="NAME",
        help="Name of the wrapper's module and files. Two exports in one design need two names.",
    ),
]
_BlockDesign = Annotated[
    str | None,
    typer.Option(
        "--block-design",
        metavar="BOARD",
        help="For rsa_fixed and rsa_stream with --target artix7-100t: a Tcl script for Vivado with "
        "the processor, a DMA engine and the IP on a board: pynq-z2.",
    ),
]
_Force = Annotated[
    bool, typer.Option("--force", help="Replace an earlier export; keep other files.")
]


def export(
    design: DesignArgument,
    out: Annotated[Path, file_option("--out", "Folder to write.", "DIR")],
    target: _Target = DEFAULT_TARGET,
    face: FaceOption = None,
    width: WidthOption = None,
    settings: SetOption = None,
    clock: _Clock = None,
    baud: _Baud = None,
    name: _Name = None,
    block_design: _BlockDesign = None,
    force: _Force = False,
    as_json: JsonOption = False,
) -> None:
    """Write an IP as a folder that does not depend on Totient.

    Sources in order, a wrapper with fixed parameters, constraints, registers, an IP-XACT component,
    an example top, a test bench for Verilator, a datasheet.
    """
    from totient.catalog import SERIAL_BAUD, Face
    from totient.export import Export, default_clock, find_export_target
    from totient.export import export as write

    chosen, found_face = _chosen(design, face, width, settings)
    if found_face is not Face.SERIAL:
        allow_only("with --face serial", "" if baud is None else f"--baud is {baud}")
    what = Export(
        chosen,
        found_face,
        find_export_target(target),
        clock or _DEFAULT_MHZ,
        baud or SERIAL_BAUD,
        name or "",
        block_design or "",
    )
    if clock is None:
        usual = default_clock(what.suited, what.target) or _DEFAULT_MHZ
        what = replace(what, clock_mhz=usual)
    files = write(what, out, force=force)
    _warn(what, clock)
    if as_json:
        print_json(
            {
                "out": str(out),
                "name": what.name,
                "top": what.top.module,
                "parameters": dict(what.suited.parameters),
                "target": what.target.name,
                "files": files,
            }
        )
        return
    _show(what, out, files)


def _show(what: "Export", out: Path, files: list[str]) -> None:
    """Print what was written."""
    from totient.export import MODELS, script_name

    print(f"{out}: {what.suited.label} for {what.target.name}, {len(files)} files")
    print(f"  instantiate   {what.name} ({what.name}.sv)")
    print(f"  sources       files.f{', for simulation models.f too' if MODELS in files else ''}")
    print(f"  IP-XACT       {what.name}.xml")
    print(f"  test bench    make -C {shlex.quote(str(out))}")
    print(f"  datasheet     {what.name}.md")
    if what.board:
        print(f"  block design  {script_name(what.name, what.board)}, not run by Vivado here")


def datasheet(
    design: DesignArgument,
    face: FaceOption = None,
    width: WidthOption = None,
    settings: SetOption = None,
    out: OutputOption = STANDARD,
    plot: PlotOption = None,
) -> None:
    """Write the datasheet of an IP, in Markdown.

    Ports, parameters, registers, cycles, resources and clock on every device, and verification.
    --plot simulates a transaction and draws it in a separate figure.
    """
    from totient.export import datasheet as written
    from totient.export import draw, transaction
    from totient.report.figure import check_format

    if plot is not None:
        check_format(plot)
    check_output(out)
    check_output(plot)
    chosen, found_face = _chosen(design, face, width, settings)
    figure = None
    if plot is not None:
        recording = transaction(chosen, found_face)
        if recording is None:
            raise InputError(f"--plot is {plot}, and {chosen.label} has a serial line alone")
        draw(recording, plot)
        say(f"figure written to {plot}")
        figure = recording.title, str(plot)
    write_output(out, written(chosen, found_face, figure=figure).encode())


def _warn(what: "Export", clock: float | None) -> None:
    """Say where the clock that was given, or else the default, and the area lack a Record."""
    from totient.export import recorded_clock, room

    known = recorded_clock(what.suited, what.target)
    if clock is None and known is None:
        say(f"warning: no Record has a clock of it, the constraints ask for {_DEFAULT_MHZ:g} MHz")
    if clock is not None and known is not None and clock > known:
        say(f"warning: its Record allows {known:.4g} MHz, the constraints ask for {clock:g} MHz")
    if against := room(what.suited, what.target):
        say(f"warning: {against}")


def _chosen(
    design: str, face: str | None, width: int | None, settings: list[str] | None
) -> tuple["Configuration | IpConfiguration", "Face"]:
    """The named subject, and its face."""
    from totient.catalog import Face, IpConfiguration, System
    from totient.cli.settings import subject

    chosen = subject(design, width, settings)
    if isinstance(chosen, System):
        raise InputError(f"{chosen.name} is a system, allowed are designs and IPs")
    if isinstance(chosen, IpConfiguration):
        if face is not None:
            raise InputError(f"--face is {face}, {chosen.name} is an IP with faces of its own")
        return chosen, min(chosen.ip.faces)
    if face is not None and face not in list(Face):
        raise InputError(f"--face is {face!r}, allowed is {', '.join(Face)}")
    return chosen, Face(face or Face.STREAM)
