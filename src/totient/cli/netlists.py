"""The command that tells whether the netlists behind the stated clocks have been run."""

import signal
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from multiprocessing import get_context
from typing import TYPE_CHECKING, Annotated

import typer

from totient.cli.options import JsonOption
from totient.cli.report import print_json, say
from totient.common.errors import InputError
from totient.report.terminal import show_table

if TYPE_CHECKING:
    from totient.check import Check
    from totient.flow.boards import Board
    from totient.measure import BoardRecord, NetlistRun, Record


_Run = Annotated[
    bool,
    typer.Option(
        "--run", help="Run those that have not been run, and write that into the Records."
    ),
]
_Only = Annotated[
    str | None, typer.Option("--only", metavar="NAME", help="Of this design or IP alone.")
]
_Target = Annotated[
    str | None, typer.Option("--target", metavar="T", help="On this device or board alone.")
]
_Widest = Annotated[
    int | None,
    typer.Option("--widest", metavar="BITS", help="With --run: run none that is wider."),
]
_Jobs = Annotated[
    int | None,
    typer.Option("--jobs", metavar="K", help="With --run: Records at a time, 1 by default."),
]


def netlists(
    run: _Run = False,
    only: _Only = None,
    target: _Target = None,
    widest: _Widest = None,
    jobs: _Jobs = None,
    as_json: JsonOption = False,
) -> None:
    """List every Record with a routed clock, and whether its routed netlists compute.

    Those of boards, too, whose netlists are run through the board's pins. Exit status 1 if a
    netlist does not compute.
    """
    from totient.flow import find_target
    from totient.flow.boards import BOARDS
    from totient.measure import board_records, netlist_verdict, routed_records

    for option, value in (("--widest", widest), ("--jobs", jobs)):
        if value is not None and not run:
            raise InputError(f"{option} is {value}, allowed with --run only")
        if value is not None and value < 1:
            raise InputError(f"{option} is {value}, allowed is 1 or more")
    if target is not None and target not in BOARDS:
        find_target(target)
    every: list[Record | BoardRecord] = [*routed_records(), *board_records()]
    found = [
        record
        for record in every
        if only in (None, record.design) and target in (None, _place(record))
    ]
    if only is not None and not found:
        names = ", ".join(dict.fromkeys(record.design for record in every))
        raise InputError(f"--only is {only}, with Records there are {names}")
    todo = [
        record
        for record in found
        if run
        and record.computes is None
        and (widest is None or record.parameters.get("width", 0) <= widest)
    ]
    for record in with_netlists(todo, jobs or 1):
        found[found.index(record)] = record
        say(f"{saved(record)}: {netlist_verdict(record)}")
    if as_json:
        print_json({"records": [_as_data(record) for record in found]})
    else:
        _show(found)
    if any(record.computes is False for record in found):
        raise typer.Exit(1)


def _show(found: "Sequence[Record | BoardRecord]") -> None:
    from totient.measure import netlist_verdict

    show_table(
        ("Record", "target or board", "MHz", "its routed netlists"),
        [
            (_label(each), _place(each), f"{_mhz(each):.1f}", netlist_verdict(each))
            for each in found
        ],
        texts=(True, True, False, True),
    )
    missing = sum(record.computes is None for record in found)
    records = "Record" if len(found) == 1 else "Records"
    say(f"{len(found)} {records} with a routed clock, {missing} of them with a netlist not run")


def _label(record: "Record | BoardRecord") -> str:
    from totient.measure import Record, subject_of

    if isinstance(record, Record):
        return subject_of(record).label + ("" if record.dsp else ", no DSP")
    return record.label


def _place(record: "Record | BoardRecord") -> str:
    """The target, or the board."""
    from totient.measure import Record

    return record.target if isinstance(record, Record) else record.board


def _mhz(record: "Record | BoardRecord") -> float:
    """The clock of a Record, or of a board's bitstream."""
    from totient.measure import Record

    if not isinstance(record, Record):
        return record.clock_mhz
    assert record.fmax_mhz is not None
    return record.fmax_mhz


def saved(record: "Record | BoardRecord") -> str:
    """Write a Record; its file's name is returned."""
    from totient.measure import Record, save, save_board

    return (save(record) if isinstance(record, Record) else save_board(record)).name


def _as_data(record: "Record | BoardRecord") -> dict[str, object]:
    from totient.measure import Record

    if isinstance(record, Record):
        where: dict[str, object] = {"target": record.target, "dsp": record.dsp}
    else:
        where = {"board": record.board, "registers": record.registers}
    return {
        "design": record.design,
        "parameters": dict(record.parameters),
        **where,
        "mhz": _mhz(record),
        "computes": record.computes,
        "command": record.netlist.command if record.netlist else None,
    }


def with_netlists(
    records: "Iterable[Record | BoardRecord]", jobs: int = 1
) -> "Iterator[Record | BoardRecord]":
    """Records with runs of the netlists of their routes, narrow ones first, as they are done.

    Args:
        records: each with a routed clock.
        jobs: how many are worked on at a time.
    """
    queue = sorted(records, key=lambda record: record.parameters.get("width", 0))
    if jobs == 1:
        yield from map(_with_netlists, queue)
        return
    with get_context("spawn").Pool(jobs, _leave_interrupts) as pool:
        yield from pool.imap_unordered(_with_netlists, queue)


def _leave_interrupts() -> None:
    """In a worker: Ctrl-C is for the command, which ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _with_netlists(record: "Record | BoardRecord") -> "Record | BoardRecord":
    """Run the netlist of each of a Record's routes."""
    from totient.catalog import System
    from totient.check import netlist_checks
    from totient.flow.boards import find_board
    from totient.measure import NetlistRuns, Record, subject_of

    board: Board | None = None
    if isinstance(record, Record):
        assert record.routing is not None
        subject, registers = subject_of(record), False
        place = f"--target {record.target}" + ("" if record.dsp else " --no-dsp")
        target, seeds, dsp = record.target, record.routing.fmax_mhz, record.dsp
    else:
        board = find_board(record.board)
        subject, registers = record.subject, record.registers
        place = f"--board {board.name}" + (" --registers" if registers else "")
        target, seeds, dsp = board.target, record.fmax_mhz, True
    assert not isinstance(subject, System)  # none has a router
    checks = list(netlist_checks(subject))
    runs = {seed: _run(checks, target, seed, dsp, board, registers) for seed in seeds}
    told = (f"totient check {each.arguments} --netlist routed {place}" for each in checks)
    return replace(record, netlist=NetlistRuns(" && ".join(told), runs))


def _run(
    checks: "Iterable[Check]",
    target: str,
    seed: int,
    dsp: bool,
    board: "Board | None",
    registers: bool,
) -> "NetlistRun":
    """Run the netlist of one route."""
    from totient.check import Netlist, Stage
    from totient.flow import find_target
    from totient.measure import NetlistRun

    netlist = Netlist(Stage.ROUTED, find_target(target), seed, dsp)
    outcomes = [each.run(netlist, board, registers) for each in checks]
    return NetlistRun(
        sum(outcome.exponentiations for outcome in outcomes),
        sum(outcome.cycles for outcome in outcomes),
        len(netlist.unknowns),
        sum(len(outcome.faults) for outcome in outcomes),
    )
