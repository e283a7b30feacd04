"""One design, IP or system on one target: each step from `results/`, from the cache, or now."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from totient.catalog import Configuration, Subject, command_words
from totient.common.errors import InputError
from totient.common.progress import Bar, bar
from totient.flow import SEEDS, Routing, Rtl, Target, find_target, place_and_route, synthesise
from totient.measure.cycles import count_cycles
from totient.measure.kinds import check_subject_kind
from totient.measure.record import Provenance, Record
from totient.measure.rtl import core_rtl, ip_rtl, rtl_commit
from totient.measure.store import (
    flow_digest,
    lookup,
    source_digest,
    subject_of,
    tools,
)


def measure(
    subject: Subject,
    target: Target,
    kinds: Sequence[str],
    *,
    dsp: bool = True,
    route: bool = True,
    seeds: Sequence[int] = SEEDS,
    use_results: bool = True,
) -> Record:
    """Measure a design, an IP or a system on a target; an interrupted call goes on where it was.

    Args:
        subject: what is measured; a design as it suits the target (`Configuration.suited`).
        target: the device.
        kinds: operation kinds whose cycles are wanted, out of `kinds_of` or, of a design, `KINDS`.
        dsp: whether the tools may use multiplier blocks.
        route: whether to place and route, where the target has a router.
        seeds: of place and route.
        use_results: whether what `results/` holds for this very RTL is taken from there.

    Raises:
        InputError: an unknown kind, one that the design is too small for, or a parameter's value
            that is for another device family.
        ToolError: a tool failed, or the RTL contradicts the catalog.
    """
    subject = _checked(subject, target, kinds)
    known = lookup(subject, target, dsp) if use_results else None
    core, ip = core_rtl(subject), ip_rtl(subject)
    source_digest(core, ip)  # reads all of the RTL, which may be edited from now on
    name = f"{subject.label} on {target.name}"
    with bar(name, total=len(kinds) + 2) as progress:
        say = partial(_say, progress, name)
        say(f"synthesis of {core.top}")
        utilisation = known.utilisation if known else synthesise(core, target, dsp)
        progress.advance()
        routing = _routing(known, ip, target, seeds, dsp, say) if route else None
        progress.advance()
        operations = {}
        for kind in kinds:
            say(f"cycles of {kind}")
            kept = known.operations.get(kind) if known else None
            operations[kind] = kept or count_cycles(subject, kind, ip)
            progress.advance()
    command = _command(subject, target, kinds, dsp, route, seeds)
    made = Record(
        *(subject.name, dict(subject.parameters), target.name, dsp),
        utilisation=utilisation,
        routing=routing,
        operations=operations,
        provenance=_provenance(command, subject, target, seeds if routing else (), core, ip),
        placed=placed_luts(routing),
    )
    if known and routing is known.routing:
        return replace(made, netlist=known.netlist, placed=known.placed)
    return made


def _say(progress: Bar, name: str, text: str) -> None:
    progress.describe(f"{name}: {text}")


def _routing(
    known: Record | None,
    ip: Rtl,
    target: Target,
    seeds: Sequence[int],
    dsp: bool,
    say: Callable[[str], None],
) -> Routing | None:
    """The routes that are known, or new ones; `None` where the target has no router."""
    if known and known.routing and known.provenance.seeds == tuple(seeds):
        return known.routing
    return place_and_route(ip, target, seeds, dsp, say) if target.can_route else None


def _provenance(
    command: str, subject: Subject, target: Target, seeds: Sequence[int], core: Rtl, ip: Rtl
) -> Provenance:
    flow, commit = flow_digest(target, core, ip), rtl_commit(core, ip)
    sources = source_digest(core, ip)
    return Provenance(command, tools(subject, target), tuple(seeds), sources, flow, commit)


def _checked(subject: Subject, target: Target, kinds: Sequence[str]) -> Subject:
    """The subject as it suits the target, if it has these kinds of operations."""
    if isinstance(subject, Configuration):
        subject = subject.suited(target.family)
    for kind in kinds:
        check_subject_kind(kind, subject)
    check_family(subject, target)
    return subject


def placed_luts(routing: Routing | None) -> int | None:
    """LUTs in what nextpnr has placed, by its report; `None` where no route of an ECP5 is at hand.

    Every seed places the same netlist, so the first one tells.
    """
    folder = next(iter(routing.folders.values()), None) if routing else None
    if folder is None:
        return None
    report = json.loads((folder / "report.json").read_text())
    placed = report["utilization"].get("TRELLIS_COMB")  # of ECP5 alone
    return int(placed["used"]) if placed else None


def check_family(subject: Subject, target: Target) -> None:
    """Raise `InputError` for a parameter's value that is for another device family."""
    if not isinstance(subject, Configuration):
        return
    for parameter in subject.design.parameters:
        value = subject.parameters[parameter.name]
        family = parameter.families.get(value, target.family)
        if family != target.family:
            raise InputError(
                f"{parameter.name} is {value}, which is for {family} only: "
                f"{target.name} is {target.family}"
            )


def recompute(record: Record, route: bool = True) -> Record:
    """Measure a Record's design again, without looking at `results/`.

    Equal to the Record if everything is as it was. What the cache holds is taken from there: point
    `TOTIENT_CACHE` to an empty folder to compute it all.

    Args:
        record: what to measure again.
        route: whether to place and route again, if the Record has that.
    """
    return measure(
        subject_of(record),
        find_target(record.target),
        list(record.operations),
        dsp=record.dsp,
        route=route and record.routing is not None,
        seeds=record.provenance.seeds,
        use_results=False,
    )


def _command(
    subject: Subject,
    target: Target,
    kinds: Sequence[str],
    dsp: bool,
    route: bool,
    seeds: Sequence[int],
) -> str:
    """The command line that measures the same."""
    words = ["totient measure", command_words(subject), f"--target {target.name}"]
    words += [f"--op {kind}" for kind in kinds]
    if not dsp:
        words.append("--no-dsp")
    if target.can_route and not route:
        words.append("--no-route")
    if target.can_route and route and tuple(seeds) != SEEDS:
        words += [f"--seed {seed}" for seed in seeds]
    return " ".join(words)
