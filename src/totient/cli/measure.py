"""The command that measures a design on a target."""

from typing import TYPE_CHECKING, Annotated

import typer

from totient.cli.options import (
    DEFAULT_TARGET,
    ClockOption,
    DesignArgument,
    JsonOption,
    SeedOption,
    SetOption,
    WidthOption,
)
from totient.cli.report import print_json
from totient.common.errors import InputError
from totient.report.terminal import show_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from totient.flow import Target
    from totient.measure import Record


_Target = Annotated[
    str,
    typer.Option(
        "--target",
        metavar="TARGET",
        help="A target of docs/measuring.md, such as ice40-up5k.",
    ),
]
_Op = Annotated[
    list[str] | None,
    typer.Option(
        "--op",
        metavar="KIND",
        help="Operation kind; repeatable. Default: public. Known: public, private, private-crt, "
        "zeros, ones, random, and short-zeros, short-ones, short-random with 17-bit keys. "
        "For IPs: key-generation, encryption, decryption; default all. For an engine: "
        "rsa-crt, rsa-private, rsa-public and pair, each with a length such as rsa-crt-2048; "
        "default all.",
    ),
]
_NoDsp = Annotated[
    bool, typer.Option("--no-dsp", help="Do not use the target's multiplier blocks.")
]
_NoRoute = Annotated[
    bool, typer.Option("--no-route", help="Utilisation and cycles only; no maximum clock.")
]


def measure(
    design: DesignArgument,
    width: WidthOption = None,
    target: _Target = DEFAULT_TARGET,
    op: _Op = None,
    settings: SetOption = None,
    no_dsp: _NoDsp = False,
    no_route: _NoRoute = False,
    seed: SeedOption = None,
    clock: ClockOption = None,
    as_json: JsonOption = False,
) -> None:
    """Measure a design, an IP or a system on a target.

    Cycles, utilisation, maximum clock, latency, throughput.
    """
    from totient.cli.settings import subject
    from totient.flow import SEEDS, check_seeds, find_target
    from totient.measure import kinds_of
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
    )
    if as_json:
        print_json(record.to_report(clock))
    else:
        _show(record, clock)


def _show(record: "Record", stated: float | None) -> None:
    """Print a Record, with times at the requested clock and at the routed one."""
    from totient.flow import find_target

    target = find_target(record.target)
    core, face = ("core alone: ", "with the stream face: ") if record.is_of_core else ("", "")
    print(
        f"{record.subject.label} on {record.target} ({target.device}, speed grade "
        f"{target.speed_grade})"
    )
    use = record.utilisation
    print(
        f"  utilisation    {core}{use.lut:,} LUT, {use.ff:,} FF, {use.dsp} DSP, "
        f"{use.block_ram:g} block RAM"
    )
    if record.misfit:
        print(f"  {record.misfit}")
    clocks = [] if stated is None else [stated]
    _show_operations(record, [*clocks, *_show_clock(record, target, face)] or [None])


def _show_clock(record: "Record", target: "Target", face: str) -> list[float]:
    """Print the maximum clock. Return it, limited to that of the multiplier blocks."""
    from totient.flow import NO_ROUTER
    from totient.measure import allowed_clock, clock_limit, netlist_verdict

    if record.routing is None:
        why = "" if target.can_route else f": {NO_ROUTER}"
        print(f"  maximum clock  not measured{why}")
    if record.routing is None or not record.fmax_mhz:
        return []
    allowed = allowed_clock(record.fmax_mhz, record.utilisation.dsp)
    seeds = ", ".join(f"{mhz:.1f}" for mhz in record.routing.fmax_mhz.values())
    print(f"  maximum clock  {face}{record.fmax_mhz:.1f} MHz, routed (median of {seeds})")
    print(f"  its netlist    {netlist_verdict(record)}")
    # This limit is the ECP5's; the clocks of other devices are far below it.
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
    return [allowed]


def _show_operations(record: "Record", clocks: "Sequence[float | None]") -> None:
    """Print cycles of every kind, with times at each clock; `None`: no times."""
    from totient.report.values import duration, grouped, significant

    rows = []
    for kind, figures in record.operations.items():
        how = "simulated" if figures.simulated == figures.operations else "formula"
        counts = (
            figures.setup_cycles.mean,
            figures.cycles.minimum,
            figures.cycles.mean,
            figures.cycles.maximum,
        )
        for clock in clocks:
            times = ["-"] * 3
            if clock and (found := record.at(kind, clock)):
                rate = significant(found.throughput_bit_per_s)
                times = [f"{clock:.4g}", duration(found.mean_s), rate]
            rows.append((kind, how, *map(grouped, counts), *times))
    if rows:
        show_table(
            (
                *("operation", "cycles", "set-up", "least", "mean", "most"),
                *("at MHz", "latency", "bit/s"),
            ),
            rows,
            texts=2,
        )
