"""The command that lists which netlists behind the stated clocks have been run."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from totient.cli.options import JsonOption, RunJobsOption, allow_with_run
from totient.cli.report import print_json, say
from totient.common.errors import InputError, ToolError
from totient.common.parallel import processes
from totient.report.terminal import show_table

if TYPE_CHECKING:
    from totient.catalog import Subject
    from totient.check import Check
    from totient.measure import NetlistRun, RoutedRecord


_EARLIER = "earlier"

_Run = Annotated[
    bool,
    typer.Option(
        "--run", help="Run the netlists that have not been run, and add the runs to the Records."
    ),
]
_Again = Annotated[
    bool,
    typer.Option(
        "--again",
        help="With --run: also run those that an earlier version of the check has run.",
    ),
]
_Only = Annotated[
    str | None, typer.Option("--only", metavar="DESIGN", help="Only this design, IP or row.")
]
_Target = Annotated[
    str | None, typer.Option("--target", metavar="T", help="Only this device or board.")
]
_Widest = Annotated[
    int | None,
    typer.Option("--widest", metavar="BITS", help="With --run: skip wider designs."),
]


def netlists(
    run: _Run = False,
    again: _Again = False,
    only: _Only = None,
    target: _Target = None,
    widest: _Widest = None,
    jobs: RunJobsOption = None,
    as_json: JsonOption = False,
) -> None:
    """List every Record with a routed clock, and whether its routed netlists compute correctly.

    A board's netlist is run through the board's pins. A verdict of an earlier check was given
    before the code of extraction, cell models or simulation changed, or on the same netlist with
    an earlier program in its memory blocks. Exit status 1 if a netlist computes a wrong result.
    """
    from totient.catalog import find_subject
    from totient.flow import TARGETS
    from totient.flow.boards import BOARDS
    from totient.measure import netlist_verdict, save

    allow_with_run(run, {"--widest": widest, "--jobs": jobs}, "--again is given" * again)
    if target is not None and target not in {*TARGETS, *BOARDS}:
        known = ", ".join((*TARGETS, *BOARDS))
        raise InputError(f"unknown target or board {target!r}, known are {known}")
    chosen = None if only is None else find_subject(only)
    found = _selected(chosen, target)
    if not found:
        raise InputError(_no_records(only, target))
    todo = [
        record
        for record in found
        if run
        and _open_seeds(record, again)
        and (widest is None or record.parameters.get("width", 0) <= widest)
    ]
    for record, _ in with_netlists(todo, jobs or 1, again):
        say(f"{save(record).name}: {netlist_verdict(record)}")
    if todo:  # their Records are others now
        found = _selected(chosen, target)
    if as_json:
        print_json({"records": [*map(_data, found)]})
    else:
        _show(found)
    if any(record.computes is False for record in found):
        raise typer.Exit(1)


def _selected(only: "Subject | None", target: str | None) -> "list[RoutedRecord]":
    """All Records with a routed clock; of one design at every width, or at one place only."""
    from totient.measure import board_records, routed_records

    def is_of(record: "RoutedRecord", subject: "Subject") -> bool:
        own = {name: value for name, value in subject.own.items() if name != "width"}
        return record.design == subject.name and own.items() <= record.parameters.items()

    every: list[RoutedRecord] = [*routed_records(), *board_records()]
    return [
        record
        for record in every
        if (only is None or is_of(record, only)) and target in (None, record.board or record.target)
    ]


def _no_records(only: str | None, target: str | None) -> str:
    """That nothing fits the options, and what would."""
    every = _selected(None, target)
    if not every:
        places = dict.fromkeys(record.board or record.target for record in _selected(None, None))
        return f"--target is {target}, with a routed clock there are {', '.join(places)}"
    names = dict.fromkeys(record.design for record in every)
    place = f" for {target}" if target else ""
    return f"--only is {only}, with a routed clock{place} there are {', '.join(names)}"


def _show(found: "Sequence[RoutedRecord]") -> None:
    from totient.measure import netlist_verdict

    checks = [*map(_check_of, found)]
    show_table(
        ("Record", "target or board", "MHz", "its routed netlists", "check"),
        [
            (
                *(each.label, each.board or each.target, f"{_mhz(each):.1f}"),
                *(netlist_verdict(each), check),
            )
            for each, check in zip(found, checks, strict=True)
        ],
        texts=(True, True, False, True, True),
    )
    missing = sum(each.computes is None for each in found)
    earlier = checks.count(_EARLIER)
    records = "Record" if len(found) == 1 else "Records"
    say(
        f"{len(found)} {records} with a routed clock, {missing} of them with a netlist not run, "
        f"{earlier} run by an earlier check"
    )
    if earlier:
        say(
            "earlier: the check's own code has changed since, or the program in memory blocks. "
            "--run --again runs these again"
        )


def _checker(record: "RoutedRecord") -> str:
    """Digest of the present code that runs its netlists."""
    from totient.flow import find_target, netlist_check_digest

    return netlist_check_digest(find_target(record.target).router)


def _check_of(record: "RoutedRecord") -> str:
    """Which code has run its netlists, as they are: today's, an earlier one, or none."""
    if record.netlist is None:
        return "-"
    checkers = {run.checker for run in record.netlist.by_seed.values()}
    earlier = record.netlist.earlier(record.provenance.contents)
    return "today's" if checkers == {_checker(record)} and not earlier else _EARLIER


def _open_seeds(record: "RoutedRecord", again: bool) -> list[int]:
    """Seeds whose netlists are to be run: not run, or run by an earlier check and `again`.

    The same holds for those that were run with an earlier program.
    """
    if record.netlist is None:
        return [*record.routes]
    runs, checker = record.netlist.by_seed, _checker(record)
    earlier = record.netlist.earlier(record.provenance.contents)
    return [
        seed
        for seed in record.routes
        if seed not in runs or (again and (runs[seed].checker != checker or seed in earlier))
    ]


def _data(record: "RoutedRecord") -> dict[str, object]:
    """Data for programs."""
    return {
        "design": record.design,
        "parameters": dict(record.parameters),
        **record.place,
        "mhz": _mhz(record),
        "computes": record.computes,
        "command": record.netlist.command if record.netlist else None,
        "earlier_check": _check_of(record) == _EARLIER,
    }


def _mhz(record: "RoutedRecord") -> float:
    """The clock that it states."""
    from totient.measure import Record

    mhz = record.fmax_mhz if isinstance(record, Record) else record.clock_mhz
    assert mhz is not None  # it is routed
    return mhz


def _checks(record: "RoutedRecord") -> "list[Check]":
    """The checks that its netlists run."""
    from totient.catalog import System
    from totient.check import netlist_checks

    assert not isinstance(record.subject, System)  # no system is routed here
    return list(netlist_checks(record.subject))


def with_netlists(
    records: "Iterable[RoutedRecord]", jobs: int = 1, again: bool = False
) -> "Iterator[tuple[RoutedRecord, int]]":
    """Run routed netlists, narrow designs first.

    Args:
        records: each with a routed clock.
        jobs: number of parallel runs.
        again: whether to run those, too, that an earlier version of the check has run.

    Returns:
        After each run its Record, which has it and all before, and the seed of the route.
    """
    kept = sorted(records, key=lambda record: record.parameters.get("width", 0))
    with processes(jobs) if jobs > 1 else nullcontext() as pool:
        while queue := [
            (place, record, seed)
            for place, record in enumerate(kept)
            for seed in _open_seeds(record, again)
        ]:
            runs = pool.imap_unordered(_run_queued, queue) if pool else map(_run_queued, queue)
            asked = kept.copy()
            for place, record, seed, run in runs:
                # Another seed may have shown that the Record has to be measured again.
                routed = kept[place] if record == asked[place] else record
                kept[place] = _with_run(kept[place], routed, seed, run)
                yield kept[place], seed
            again = False  # a Record that was measured again has further seeds to run


_Queued = tuple[int, "RoutedRecord", int]


def _run_queued(queued: _Queued) -> "tuple[int, RoutedRecord, int, NetlistRun]":
    """Run the netlist of one route. A stale Record is measured again."""
    from totient.measure import routed_today

    place, record, seed = queued
    record = routed_today(record, seed)
    return place, record, seed, _run(record, seed)


def _with_run(
    kept: "RoutedRecord", routed: "RoutedRecord", seed: int, run: "NetlistRun"
) -> "RoutedRecord":
    """A Record with one more run.

    Args:
        kept: the Record with the runs before.
        routed: the same, or one that was measured again: then the runs before are of other routes.
        seed: of the route.
        run: the run.
    """
    from totient.measure import NetlistRuns

    options = f"--board {routed.board}" if routed.board else f"--target {routed.target}"
    options += " --registers" * routed.registers + " --no-dsp" * (not routed.dsp)
    command = " && ".join(
        f"totient check {each.arguments} --netlist routed {options}" for each in _checks(routed)
    )
    before = kept.netlist if kept == routed else None
    runs = {**(before.by_seed if before and before.command == command else {}), seed: run}
    ordered = {each: runs[each] for each in routed.routes if each in runs}
    return replace(routed, netlist=NetlistRuns(command, ordered))


def _run(record: "RoutedRecord", seed: int) -> "NetlistRun":
    """Run the netlist of one route."""
    from totient.check import Netlist, On, Stage, Subject
    from totient.common.cache import digest
    from totient.flow import find_target
    from totient.flow.boards import find_board
    from totient.measure import NetlistRun

    netlist = Netlist(Stage.ROUTED, find_target(record.target), seed, record.dsp)
    board = find_board(record.board) if record.board else None
    checks = _checks(record)
    on = On(netlist, board, record.registers)
    subject = Subject(checks[0].subject, on)
    # Tools fail here, if they do. Later only a netlist fails, for instance if it never answers.
    _ = subject.library
    operations = cycles = faults = 0
    try:
        for each in checks:
            outcome = each.run(on)
            operations += outcome.exponentiations
            cycles += outcome.cycles
            faults += len(outcome.faults)
    except ToolError as error:
        say(f"{record.label} on {record.board or record.target}, seed {seed}: {error}")
        faults += 1
    simulated = digest(*(file.read_text() for file in subject.files))
    starts = len(netlist.unknowns)
    contents = record.provenance.contents
    return NetlistRun(operations, cycles, starts, faults, simulated, _checker(record), contents)
