"""Facts about a configuration: cycles by formula, and figures of its committed Records."""

from collections.abc import Iterator

from totient.catalog import Configuration, IpConfiguration
from totient.common.errors import InputError
from totient.flow import NO_ROUTER, TARGETS, Target, find_target
from totient.measure import (
    Record,
    allowed_clock,
    lookup,
    netlist_verdict,
    requests,
)
from totient.measure.kinds import SHORT_KINDS
from totient.measure.store import file_name, results_folder
from totient.report.values import duration, grouped

_LEFT_OUT = ("zeros", "ones", *SHORT_KINDS)
"""Operation kinds used only in comparisons with other works."""


def evidence(
    subject: Configuration | IpConfiguration, target: Target | None = None
) -> dict[str, list[str]]:
    """Lines with the figures of the committed Records, by device.

    A design has the parameters used in synthesis for the device. A stale Record gives no figures.

    Args:
        subject: a design or an IP.
        target: the device; `None`: every one.
    """
    found = {}
    for each, suited, dsp, name in _places(subject, target):
        if record := lookup(suited, each, dsp):
            found[f"{suited.label} on {name}"] = list(_lines(record))
        elif (results_folder() / file_name(suited, each, dsp)).exists():
            stale = "its Record is of other RTL, targets or tools: `totient bench`"
            found[f"{suited.label} on {name}"] = [stale]
    return found


def verdicts(
    subject: Configuration | IpConfiguration, target: Target | None = None
) -> Iterator[str]:
    """For the clock of each committed Record, whether its routed netlists compute.

    Arguments as for `evidence`.
    """
    for each, suited, dsp, name in _places(subject, target):
        record = lookup(suited, each, dsp)
        if record is None:
            continue
        if record.fmax_mhz is None:
            state = "not routed, so no netlist to be run"
        elif record.computes is None:
            state = "netlist not run, so no clock is stated"
        else:
            face = " with the AXI4-Stream face" if record.is_of_core else ""
            mhz = record.shown_mhz
            clock = f"{mhz:.1f} MHz{face}" if mhz else "no clock is stated"
            state = f"{clock}; its routed netlist: {netlist_verdict(record)}"
        yield f"{name}: {state}"


def _places(
    subject: Configuration | IpConfiguration, target: Target | None
) -> Iterator[tuple[Target, Configuration | IpConfiguration, bool, str]]:
    """Where there may be a Record: target, suited subject, with multiplier blocks or not, words."""
    for each in (target,) if target else TARGETS.values():
        for dsp in (True, False):
            yield each, subject.suited(each.family), dsp, each.name + ", no DSP" * (not dsp)


def _lines(record: Record) -> Iterator[str]:
    use = record.utilisation
    faced = record.is_of_core
    yield (
        f"{use.lut:,} LUT, {use.ff:,} FF, {use.dsp} DSP, {use.block_ram:g} block RAM: "
        f"{'the core without a face' if faced else 'all of it'}, synthesis with Yosys "
        f"{record.provenance.tools['pyosys']}"
    )
    if record.misfit:
        yield record.misfit
    clock = record.shown_mhz
    if record.unshown:
        yield f"no clock is stated, of its routed netlist: {netlist_verdict(record)}"
    elif clock:
        seeds = len(record.routing.fmax_mhz) if record.routing else 0
        allowed = allowed_clock(clock, use.dsp)
        limit = f", the device's multipliers allow {allowed:g}" if allowed < clock else ""
        routed = " with the AXI4-Stream face" if faced else ""
        yield f"{clock:.1f} MHz: nextpnr's figure{routed}, the median of {seeds} seeds{limit}"
        yield f"its routed netlist: {netlist_verdict(record)}"
        clock = allowed
    elif find_target(record.target).can_route:
        why = "it does not fit" if record.misfit else "the Record was made without place and route"
        yield f"no clock: {why}"
    else:
        yield f"no clock: {NO_ROUTER}"
    for kind, figures in record.operations.items():
        if kind in _LEFT_OUT:
            continue
        how = "simulated" if figures.simulated == figures.operations else "by formula"
        time = f", {duration(record.at(kind, clock).mean_s)} at {clock:.1f} MHz" if clock else ""
        yield f"{kind}: {grouped(figures.cycles.mean)} cycles, {how}{time}"


def examples(chosen: Configuration) -> Iterator[tuple[str, int, int]]:
    """Exponent, set-up cycles and cycles of 65537 and of a full-length exponent, by formula."""
    for kind, words in (("public", "65537"), ("private", f"{chosen.width} bits")):
        try:
            ((operation,),) = requests(kind, chosen.width)
            cycles = chosen.operation_cycles(operation)
        except InputError:  # narrower than 65537, or too many products to step through
            continue
        yield words, chosen.setup_cycles(operation.modulus, operation.exponent_bits), cycles
