"""The command that measures a design on a target."""

from typing import TYPE_CHECKING, Annotated

import typer

from totient.cli.options import (
    DEFAULT_TARGET,
    ClockOption,
    DesignArgument,
    JsonOption,
    SetOption,
    WidthOption,
)
from totient.cli.report import print_json
from totient.common.errors import InputError
from totient.report.terminal import show_table

if TYPE_CHECKING:
    from totient.measure import Record


def measure(
    design: DesignArgument,
    width: WidthOption = None,
    target: Annotated[
        str,
        typer.Option(
            "--target",
            metavar="TARGET",
            help="One of those that docs/measuring.md lists, for instance ice40-up5k.",
        ),
    ] = DEFAULT_TARGET,
    op: Annotated[
        list[str] | None,
        typer.Option(
            "--op",
            metavar="KIND",
            help="Operation kind, public by default; may be given again. Known: public, private, "
            "private-crt, zeros, ones, random, and the last three as short-..., with 17-bit keys. "
            "Of IPs: key-generation, encryption, decryption, all by default. Of an engine: "
            "rsa-crt, rsa-private, rsa-public and pair, each with a length such as rsa-crt-2048, "
            "all by default.",
        ),
    ] = None,
    settings: SetOption = None,
    no_dsp: Annotated[
        bool, typer.Option("--no-dsp", help="Leave the target's multiplier blocks unused.")
    ] = False,
    no_route: Annotated[
        bool, typer.Option("--no-route", help="Utilisation and cycles only, no maximum clock.")
    ] = False,
    seed: Annotated[
        list[int] | None,
        typer.Option("--seed", metavar="S", help="Of the placer; 1, 2 and 3 by default."),
    ] = None,
    clock: ClockOption = None,
    as_json: JsonOption = False,
) -> None:
    """Measure a design, an IP or a system on a target.

    Cycles, utilisation, maximum clock, latency, throughput.
    """
    from totient.cli.settings import subject
    from totient.flow import SEEDS, check_seeds, find_target
    from totient.measure import STATED_CLOCK_MHZ, kinds_of
    from totient.measure import measure as run

    if seed:
        check_seeds(seed, "--seed")
    if seed and no_route:
        raise InputError("--seed is of place and route, which --no-route leaves out")
    if seed and not find_target(target).can_route:
        raise InputError(f"--seed is of place and route, which there is none of for {target}")
    chosen = subject(design, width, settings)
    record = run(
        chosen,
        find_target(target),
        tuple(dict.fromkeys(op or kinds_of(chosen))),
        dsp=not no_dsp,
        route=not no_route,
        seeds=tuple(seed) if seed else SEEDS,
        clock_mhz=STATED_CLOCK_MHZ if clock is None else clock,
    )
    if as_json:
        print_json(record.to_json())
    else:
        _show(record, clock)


def _show(record: "Record", stated: float | None) -> None:
    """Print a Record, with times at the clock that was asked for, and at the routed one."""
    from totient.catalog import Configuration
    from totient.flow import find_target
    from totient.measure import allowed_clock, clock_limit, netlist_verdict, subject_of
    from totient.report import duration, grouped, significant

    target = find_target(record.target)
    measured = subject_of(record)
    core, face = (
        ("core alone: ", "with the stream face: ")
        if isinstance(measured, Configuration) and measured.design.core != measured.design.ip_core
        else ("", "")
    )
    print(
        f"{measured.label} on {record.target} ({target.device}, speed grade {target.speed_grade})"
    )
    use = record.utilisation
    print(
        f"  utilisation    {core}{use.lut:,} LUT, {use.ff:,} FF, {use.dsp} DSP, "
        f"{use.block_ram:g} block RAM"
    )
    if record.misfit:
        print(f"  {record.misfit}")
    clocks: list[float | None] = [] if stated is None else [stated]
    if record.routing and record.fmax_mhz:
        allowed = allowed_clock(record.fmax_mhz, use.dsp)
        clocks.append(allowed)
        seeds = ", ".join(f"{mhz:.1f}" for mhz in record.routing.fmax_mhz.values())
        print(f"  maximum clock  {face}{record.fmax_mhz:.1f} MHz, routed (median of {seeds})")
        print(f"  its netlist    {netlist_verdict(record)}")
        # That is of the ECP5: the clocks of others are far below.
        if allowed < record.fmax_mhz:
            print(
                f"                 above the {clock_limit():g} MHz that the device's multipliers "
                "allow: nextpnr does not know it"
            )
        if limit := record.routing.typical:
            print(
                f"  limited by     {limit.start} to {limit.end} ({limit.logic_ns:.1f} ns logic, "
                f"{limit.routing_ns:.1f} ns routing)"
            )
    elif record.routing is None:
        why = "" if target.can_route else f": no free router for {target.family}"
        print(f"  maximum clock  not measured{why}")
    rows = []
    for kind, figures in record.operations.items():
        for clock in clocks or [None]:
            times = record.at(kind, clock) if clock else None
            rows.append(
                (
                    kind,
                    "simulated" if figures.simulated == figures.operations else "formula",
                    grouped(figures.setup_cycles.mean),
                    grouped(figures.cycles.minimum),
                    grouped(figures.cycles.mean),
                    grouped(figures.cycles.maximum),
                    *(
                        (
                            f"{clock:.4g}",
                            duration(times.mean_s),
                            significant(times.throughput_bit_per_s),
                        )
                        if clock and times
                        else ("-", "-", "-")
                    ),
                )
            )
    if not rows:
        return
    show_table(
        (
            "operation",
            "cycles",
            "set-up",
            "least",
            "mean",
            "most",
            "at MHz",
            "latency",
            "bit/s",
        ),
        rows,
        texts=2,
    )
