"""The command that tells whether the netlists behind the stated clocks have been run."""

import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from totient.cli.options import JsonOption
from totient.cli.report import print_json, say
from totient.common.errors import InputError
from totient.report.terminal import show_table

if TYPE_CHECKING:
    from totient.catalog import Configuration, IpConfiguration
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
        if only in (None, record.design) and target in (None, _Routes.of(record).place)
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
        print_json({"records": [_Routes.of(record).data for record in found]})
    else:
        _show(found)
    if any(record.computes is False for record in found):
        raise typer.Exit(1)


def _show(found: "Sequence[Record | BoardRecord]") -> None:
    from totient.measure import netlist_verdict

    show_table(
        ("Record", "target or board", "MHz", "its routed netlists"),
        [
            (each.label, each.place, f"{each.mhz:.1f}", netlist_verdict(each.record))
            for each in map(_Routes.of, found)
        ],
        texts=(True, True, False, True),
    )
    missing = sum(record.computes is None for record in found)
    records = "Record" if len(found) == 1 else "Records"
    say(f"{len(found)} {records} with a routed clock, {missing} of them with a netlist not run")


@dataclass(frozen=True)
class _Routes:
    """Routes that a Record of a core, or of a core on a board, states the clock of.

    Attributes:
        record: it.
        subject: what is routed.
        target: name of the device.
        seeds: of the placer.
        dsp: whether multiplier blocks may be used.
        board: that it is on, if it is.
        registers: of a design on a board, whether it is behind its registers.
        label: what is routed, in words.
        mhz: the clock that the Record states.
        save: writes the Record that it is given; the file is returned.
    """

    record: "Record | BoardRecord"
    subject: "Configuration | IpConfiguration"
    target: str
    seeds: "Iterable[int]"
    dsp: bool
    board: "Board | None"
    registers: bool
    label: str
    mhz: float
    save: "Callable[[Any], Path]"

    @classmethod
    def of(cls, record: "Record | BoardRecord") -> "_Routes":
        """Those of a Record."""
        from totient.catalog import System
        from totient.flow.boards import find_board
        from totient.measure import BoardRecord, save, save_board, subject_of

        if isinstance(record, BoardRecord):
            board = find_board(record.board)
            return cls(
                record,
                record.subject,
                target=board.target,
                seeds=record.fmax_mhz,
                dsp=True,
                board=board,
                registers=record.registers,
                label=record.label,
                mhz=record.clock_mhz,
                save=save_board,
            )
        subject = subject_of(record)
        assert not isinstance(subject, System)  # none has a router
        assert record.routing is not None
        assert record.fmax_mhz is not None
        return cls(
            record,
            subject,
            target=record.target,
            seeds=record.routing.fmax_mhz,
            dsp=record.dsp,
            board=None,
            registers=False,
            label=subject.label + ("" if record.dsp else ", no DSP"),
            mhz=record.fmax_mhz,
            save=save,
        )

    @property
    def place(self) -> str:
        """The target, or the board."""
        return self.board.name if self.board else self.target

    @property
    def options(self) -> str:
        """Of `totient check`, for one of these routes."""
        if self.board:
            return f"--board {self.board.name}" + (" --registers" if self.registers else "")
        return f"--target {self.target}" + ("" if self.dsp else " --no-dsp")

    @property
    def data(self) -> dict[str, object]:
        """What is known of them, for programs."""
        record = self.record
        where = (
            {"board": self.board.name, "registers": self.registers}
            if self.board
            else {"target": self.target, "dsp": self.dsp}
        )
        return {
            "design": record.design,
            "parameters": dict(record.parameters),
            **where,
            "mhz": self.mhz,
            "computes": record.computes,
            "command": record.netlist.command if record.netlist else None,
        }


def saved(record: "Record | BoardRecord") -> str:
    """Write a Record; its file's name is returned."""
    return _Routes.of(record).save(record).name


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
    from totient.check import netlist_checks
    from totient.measure import NetlistRuns

    routes = _Routes.of(record)
    checks = list(netlist_checks(routes.subject))
    runs = {seed: _run(checks, routes, seed) for seed in routes.seeds}
    told = (f"totient check {each.arguments} --netlist routed {routes.options}" for each in checks)
    return replace(record, netlist=NetlistRuns(" && ".join(told), runs))


def _run(checks: "Iterable[Check]", routes: _Routes, seed: int) -> "NetlistRun":
    """Run the netlist of one route."""
    from totient.check import Netlist, Stage
    from totient.flow import find_target
    from totient.measure import NetlistRun

    netlist = Netlist(Stage.ROUTED, find_target(routes.target), seed, routes.dsp)
    outcomes = [each.run(netlist, routes.board, routes.registers) for each in checks]
    return NetlistRun(
        sum(outcome.exponentiations for outcome in outcomes),
        sum(outcome.cycles for outcome in outcomes),
        len(netlist.unknowns),
        sum(len(outcome.faults) for outcome in outcomes),
    )
