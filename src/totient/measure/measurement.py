"""Measurement of a subject on a target or a board: from `results/`, the cache, or new runs."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from totient.catalog import Configuration, IpConfiguration, Subject, command_words
from totient.common.errors import InputError
from totient.common.progress import Bar, bar
from totient.flow import SEEDS, Routing, Rtl, Target, find_target, place_and_route, synthesise
from totient.flow.bitstream import bitstream, routed_rtl
from totient.flow.boards import Board
from totient.measure.board_record import BoardRecord
from totient.measure.cycles import count_cycles
from totient.measure.kinds import check_subject_kind
from totient.measure.provenance import Provenance, Today
from totient.measure.record import Record
from totient.measure.rtl import core_rtl, ip_rtl, rtl_commit
from totient.measure.store import board_today, lookup, today


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
    """Measure a design, an IP or a system on a target. A new call resumes an interrupted one.

    Args:
        subject: to measure; a design with the parameters for the target (`Configuration.suited`).
        target: the device.
        kinds: operation kinds to measure, from `kinds_of` or, for a design, `KINDS`.
        dsp: whether the tools may use multiplier blocks.
        route: whether to place and route, if the target has a router.
        seeds: of place and route.
        use_results: whether to use a Record of the same RTL from `results/`.

    Raises:
        InputError: an unknown kind, a design too small for a kind, or a parameter's value for
            another device family.
        ToolError: a tool failed, or the RTL contradicts the catalog.
    """
    subject = _checked(subject, target, kinds)
    known = lookup(subject, target, dsp) if use_results else None
    core, ip = core_rtl(subject), ip_rtl(subject)
    # Reads all of the RTL. Later edits have no effect.
    now = today(subject, target, core, ip)
    provenance = known.provenance if known else _provenance(now, core, ip)
    command = _command(subject, target, kinds, dsp, route, seeds)
    operations = dict(known.operations) if known else {}
    with _steps(subject, target, kinds) as (progress, say):
        say(f"synthesis of {core.top}")
        utilisation = known.utilisation if known else synthesise(core, target, dsp)
        progress.advance()
        routing = _routing(known, ip, target, seeds, dsp, say) if route else None
        progress.advance()
        for kind in kinds:
            say(f"cycles of {kind}")
            operations[kind] = operations.get(kind) or count_cycles(subject, kind, ip)
            progress.advance()
    is_known = known is not None and routing is known.routing
    if routing and not is_known:  # a known Record may have names of earlier RTL
        provenance = replace(provenance, commit=rtl_commit(core, ip))
    seeds = tuple(seeds) if routing else ()
    return Record(
        design=subject.name,
        parameters=dict(subject.parameters),
        target=target.name,
        dsp=dsp,
        utilisation=utilisation,
        routing=routing,
        operations={kind: operations[kind] for kind in kinds},
        provenance=replace(provenance, command=command, seeds=seeds),
        netlist=known.netlist if known and is_known else None,
        placed=known.placed if known and is_known else placed_luts(routing),
    )


def measure_board(
    board: Board, subject: Configuration | IpConfiguration, registers: bool = False
) -> BoardRecord:
    """Place and route a board with each seed, and pack the best route.

    Args:
        board: with an ECP5.
        subject: the core, with the parameters for the board's device.
        registers: whether a design is behind its AXI4-Lite registers.

    Raises:
        InputError: it does not fit.
        ToolError: a tool failed.
    """
    words, behind = command_words(subject), " --registers" if registers else ""
    rtl = routed_rtl(board, subject, registers=registers)
    provenance = _provenance(board_today(board, subject, rtl), rtl)
    with bar(f"{subject.label} on {board.name}") as progress:
        made = bitstream(board, subject, None, progress.describe, registers)
    command = f"totient bitstream --board {board.name} --design {words}{behind}"
    return BoardRecord(
        board=board.name,
        design=subject.name,
        parameters=dict(subject.parameters),
        registers=registers,
        clock_mhz=made.clock_mhz,
        fmax_mhz=made.by_seed,
        provenance=replace(provenance, command=command, seeds=tuple(made.by_seed)),
    )


def _provenance(now: Today, *rtl: Rtl) -> Provenance:
    """Inputs of a new Record; its command and its seeds are added later."""
    built, commit = now.elaborated(), rtl_commit(*rtl)
    return Provenance(
        "", now.tools, (), now.sources, built.structure, now.flow, commit, built.contents
    )


@contextmanager
def _steps(
    subject: Subject, target: Target, kinds: Sequence[str]
) -> Iterator[tuple[Bar, Callable[[str], None]]]:
    """A progress bar, and a function that names the finished step."""
    name = f"{subject.label} on {target.name}"
    with bar(name, total=len(kinds) + 2) as progress:
        yield progress, lambda text: progress.describe(f"{name}: {text}")


def _routing(
    known: Record | None,
    ip: Rtl,
    target: Target,
    seeds: Sequence[int],
    dsp: bool,
    say: Callable[[str], None],
) -> Routing | None:
    """The known routes, or new ones; `None` if the target has no router."""
    if known and known.routing and known.provenance.seeds == tuple(seeds):
        return known.routing
    if not target.can_route:
        return None
    return place_and_route(ip, target, seeds, dsp, say, replace=tuple(seeds) == SEEDS)


def _checked(subject: Subject, target: Target, kinds: Sequence[str]) -> Subject:
    """The subject with the parameters for the target, if it has these operation kinds."""
    subject = subject.suited(target.family)
    for kind in kinds:
        check_subject_kind(kind, subject)
    check_family(subject, target)
    return subject


def placed_luts(routing: Routing | None) -> int | None:
    """LUTs that nextpnr placed, from its report; `None` without a route of an ECP5.

    Every seed places the same netlist: the report of the first is used.
    """
    folder = next(iter(routing.folders.values()), None) if routing else None
    if folder is None:
        return None
    report = json.loads((folder / "report.json").read_text())
    placed = report["utilization"].get("TRELLIS_COMB")  # on ECP5 only
    return int(placed["used"]) if placed else None


def check_family(subject: Subject, target: Target) -> None:
    """Raise `InputError` for a parameter's value for another device family."""
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
    """Measure a Record's design again, without using `results/`.

    The result equals the Record if nothing has changed. Cached steps are used: point
    `TOTIENT_CACHE` to an empty folder to compute everything.

    Args:
        record: to measure again.
        route: whether to place and route again, if the Record has routes.
    """
    return measure(
        record.subject,
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
    """The command line of the same measurement."""
    words = ["totient measure", command_words(subject), f"--target {target.name}"]
    words += [f"--op {kind}" for kind in kinds]
    if not dsp:
        words.append("--no-dsp")
    if target.can_route and not route:
        words.append("--no-route")
    if target.can_route and route and tuple(seeds) != SEEDS:
        words += [f"--seed {seed}" for seed in seeds]
    return " ".join(words)
