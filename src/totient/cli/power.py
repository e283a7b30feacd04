"""The command that estimates power and energy from the switching activity of a netlist."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from totient.cli.files import check_output
from totient.cli.options import (
    DEFAULT_TARGET,
    DesignArgument,
    JsonOption,
    SetOption,
    WidthOption,
    clock_option,
    file_option,
)
from totient.cli.report import print_json
from totient.common.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from totient.measure.power import PowerFigures
    from totient.report.table import Table

_Target = Annotated[
    str,
    typer.Option("--target", metavar="TARGET", help="An ECP5, an Artix-7, or ice40-up5k."),
]
_Op = Annotated[
    list[str] | None,
    typer.Option(
        "--op",
        metavar="KIND",
        help="Operation kind of totient measure; repeatable. Default: those of the design.",
    ),
]
_NoDsp = Annotated[
    bool, typer.Option("--no-dsp", help="Do not use the target's multiplier blocks.")
]
_Clock = Annotated[
    float | None,
    clock_option(
        0.001,
        1000,
        "Clock. Default: the routed one of the design's Record, at most the multipliers' limit, "
        "or 10 MHz.",
    ),
]
_Saif = Annotated[
    Path | None,
    file_option("--saif", "Write the activity of every net as SAIF, for a vendor's tool."),
]


def power(
    design: DesignArgument,
    width: WidthOption = None,
    target: _Target = DEFAULT_TARGET,
    op: _Op = None,
    settings: SetOption = None,
    no_dsp: _NoDsp = False,
    clock: _Clock = None,
    saif: _Saif = None,
    as_json: JsonOption = False,
) -> None:
    """Estimate the power of a design and the energy of its operations, from its netlist's activity.

    One operation runs on the netlist, and every transition of every net is counted.
    """
    from totient.catalog import Configuration
    from totient.cli.settings import subject
    from totient.common.progress import bar
    from totient.flow import find_target
    from totient.measure import kinds_of
    from totient.measure.power import estimate_power

    check_output(saif)
    chosen, device = subject(design, width, settings), find_target(target)
    if not isinstance(chosen, Configuration):
        raise InputError(f"{chosen.name} is an IP or a system, allowed is a design")
    with bar(f"activity of {chosen.label} on {target}") as progress:
        figures = estimate_power(
            chosen.suited(device.family),
            device,
            tuple(dict.fromkeys(op or kinds_of(chosen))),
            clock_mhz=clock,
            dsp=not no_dsp,
            saif=saif,
            say=progress.describe,
        )
    if as_json:
        print_json(figures.to_report())
        return
    for name, table in zip(("power", "energy"), _tables(figures), strict=True):
        table.show(name)


def _tables(figures: "PowerFigures") -> "Sequence[Table]":
    """Power by kind, and energy by operation."""
    from totient.report.table import Column, Table, columns
    from totient.report.values import energy, grouped, power, significant, text

    what = f"{figures.label} at {figures.clock_mhz:g} MHz"
    kinds = [(kind, watts, 1e12 * watts / figures.clock_hz) for kind, watts in figures.dynamic]
    static = [("static, the whole device", figures.static, None)] if figures.static else []
    by_kind = Table.of(
        f"Power of {what}: an estimate",
        (Column("part"), *columns(power, "power"), Column("pJ a cycle", significant)),
        [*kinds, ("dynamic", figures.dynamic_total, figures.cycle_pj), *static],
        *figures.notes,
    )
    by_operation = Table.of(
        f"Energy of operations of {what}: an estimate",
        (
            Column("operation", text),
            Column("cycles", grouped),
            *columns(energy, "dynamic", "with static"),
        ),
        [(o.kind, o.cycles, o.dynamic, o.whole) for o in figures.operations],
    )
    return by_kind, by_operation
