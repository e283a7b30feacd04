"""The command that lists which netlists behind the stated clocks have been run."""

import signal
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from multiprocessing import get_context
from typing import TYPE_CHECKING, Annotated

import typer

from totient.cli.options import JsonOption
from totient.cli.report import print_json, say
from totient.common.errors import InputError, ToolError
from totient.report.terminal import show_table

if TYPE_CHECKING:
    from totient.catalog import Configuration, IpConfiguration
    from totient.check import Check
    from totient.flow.boards import Board
    from totient.measure import BoardRecord, NetlistRun, Record


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
    str | None, typer.Option("--only", metavar="NAME", help="Only this design or IP.")
]
_Target = Annotated[
    str | None, typer.Option("--target", metavar="T", help="Only this device or board.")
]
_Widest = Annotated[
    int | None,
    typer.Option("--widest", metavar="BITS", help="With --run: skip wider designs."),
]
_Jobs = Annotated[
    int | None,
    typer.Option("--jobs", metavar="K", help="With --run: number of parallel jobs, default 1."),
]


def netlists(
    run: _Run = False,
    again: _Again = False,
    only: _Only = None,
    target: _Target = None,
    widest: _Widest = None,
    jobs: _Jobs = None,
    as_json: JsonOption = False,
) -> None:
    """List every Record with a routed clock, and whether its routed netlists compute correctly.

    A board's netlist is run through the board's pins. A verdict of an earlier check was given
    before the code of extraction, cell models or simulation changed. Exit status 1 if a netlist
    computes a wrong result.
    """
    from totient.flow import find_target
    from totient.flow.boards import BOARDS
    from totient.measure import netlist_verdict

    for option, value in (("--widest", widest), ("--jobs", jobs)):
        if value is not None and not run:
            raise InputError(f"{option} is {value}, allowed with --run only")
        if value is not None and value < 1:
            raise InputError(f"{option} is {value}, allowed is 1 or more")
    if again and not run:
        raise InputError("--again is given, allowed with --run only")
    if target is not None and target not in BOARDS:
        find_target(target)
    found = _selected(only, target)
    if only is not None and not found:
        names = ", ".join(dict.fromkeys(routes.record.design for routes in _selected(None, None)))
        raise InputError(f"--only is {only}, with Records there are {names}")
    todo = [
        routes.record
        for routes in found
        if run
        and routes.open_seeds(again)
        and (widest is None or routes.record.parameters.get("width", 0) <= widest)
    ]
    for record, _ in with_netlists(todo, jobs or 1, again):
        say(f"{saved(record)}: {netlist_verdict(record)}")
    if todo:  # their Records are others now
        found = _selected(only, target)
    if as_json:
        print_json({"records": [routes.data for routes in found]})
    else:
        _show(found)
    if any(routes.record.computes is False for routes in found):
        raise typer.Exit(1)


def _selected(only: str | None, target: str | None) -> "list[_Routes]":
    """The routes of all Records with a routed clock; of one design, or at one place only."""
    from totient.measure import board_records, routed_records

    every = [*map(_Routes.of, routed_records()), *map(_Routes.of, board_records())]
    return [
        routes
        for routes in every
        if only in (None, routes.record.design) and target in (None, routes.place)
    ]


def _show(found: "Sequence[_Routes]") -> None:
    from totient.measure import netlist_verdict

    show_table(
        ("Record", "target or board", "MHz", "its routed netlists", "check"),
        [
            (
                *(each.label, each.place, f"{each.mhz:.1f}", netlist_verdict(each.record)),
                each.check,
            )
            for each in found
        ],
        texts=(True, True, False, True, True),
    )
    missing = sum(each.record.computes is None for each in found)
    earlier = sum(each.check == _EARLIER for each in found)
    records = "Record" if len(found) == 1 else "Records"
    say(
        f"{len(found)} {records} with a routed clock, {missing} of them with a netlist not run, "
        f"{earlier} run by an earlier check"
    )


@dataclass(frozen=True)
class _Routes:
    """The routes of one Record of a core, or of a core on a board.

    Attributes:
        record: the Record.
        subject: the routed subject.
        target: name of the device.
        seeds: of the placer.
        dsp: whether multiplier blocks may be used.
        board: the board, if any.
        registers: for a design on a board, whether it is behind registers.
        label: the subject in words.
        mhz: the clock stated in the Record.
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

    @classmethod
    def of(cls, record: "Record | BoardRecord") -> "_Routes":
        """The routes of a Record."""
        from totient.catalog import System
        from totient.flow.boards import find_board
        from totient.measure import BoardRecord, subject_of

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
            )
        subject = subject_of(record)
        assert not isinstance(subject, System)  # no system is routed here
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
        )

    @property
    def place(self) -> str:
        """The target, or the board."""
        return self.board.name if self.board else self.target

    @property
    def checker(self) -> str:
        """Digest of the present code that runs its netlists."""
        from totient.flow import find_target, netlist_checker

        return netlist_checker(find_target(self.target).router)

    @property
    def check(self) -> str:
        """Which code has run its netlists: today's, an earlier one, or none."""
        runs = self.record.netlist
        if runs is None:
            return "-"
        checkers = {run.checker for run in runs.by_seed.values()}
        return "today's" if checkers == {self.checker} else _EARLIER

    def open_seeds(self, again: bool) -> list[int]:
        """Seeds whose netlists are to be run: not run, or run by an earlier check and `again`."""
        runs = self.record.netlist.by_seed if self.record.netlist else {}
        return [
            seed
            for seed in self.seeds
            if seed not in runs or (again and runs[seed].checker != self.checker)
        ]

    @property
    def options(self) -> str:
        """Options of `totient check` for one of these routes."""
        if self.board:
            return f"--board {self.board.name}" + (" --registers" if self.registers else "")
        return f"--target {self.target}" + ("" if self.dsp else " --no-dsp")

    @property
    def data(self) -> dict[str, object]:
        """Data for programs."""
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
            "earlier_check": self.check == _EARLIER,
        }


def saved(record: "Record | BoardRecord") -> str:
    """Write a Record, routed or not, and return its file name."""
    from totient.measure import BoardRecord, save, save_board

    return (save_board(record) if isinstance(record, BoardRecord) else save(record)).name


def with_netlists(
    records: "Iterable[Record | BoardRecord]", jobs: int = 1, again: bool = False
) -> "Iterator[tuple[Record | BoardRecord, int]]":
    """Run routed netlists, narrow designs first.

    Args:
        records: each with a routed clock.
        jobs: number of parallel runs.
        again: whether to run those, too, that an earlier version of the check has run.

    Returns:
        After each run its Record, which has it and all before, and the seed of the route.
    """
    kept = sorted(records, key=lambda record: record.parameters.get("width", 0))
    with get_context("spawn").Pool(jobs, _leave_interrupts) if jobs > 1 else nullcontext() as pool:
        while queue := [
            (place, record, seed)
            for place, record in enumerate(kept)
            for seed in _Routes.of(record).open_seeds(again)
        ]:
            runs = pool.imap_unordered(_run_queued, queue) if pool else map(_run_queued, queue)
            asked = kept.copy()
            for place, record, seed, run in runs:
                # Another seed may have shown that the Record has to be measured again.
                routed = kept[place] if record == asked[place] else record
                kept[place] = _with_run(kept[place], routed, seed, run)
                yield kept[place], seed
            again = False  # a Record that was measured again has further seeds to run


def _leave_interrupts() -> None:
    """In a worker, leave Ctrl-C to the command, which ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


_Queued = tuple[int, "Record | BoardRecord", int]


def _run_queued(queued: _Queued) -> "tuple[int, Record | BoardRecord, int, NetlistRun]":
    """Run the netlist of one route. A stale Record is measured again."""
    from totient.check import netlist_checks
    from totient.measure import routed_today

    place, record, seed = queued
    record = routed_today(record, seed)
    routes = _Routes.of(record)
    return place, record, seed, _run(netlist_checks(routes.subject), routes, seed)


def _with_run(
    kept: "Record | BoardRecord", routed: "Record | BoardRecord", seed: int, run: "NetlistRun"
) -> "Record | BoardRecord":
    """A Record with one more run.

    Args:
        kept: the Record with the runs before.
        routed: the same, or one that was measured again: then the runs before are of other routes.
        seed: of the route.
        run: the run.
    """
    from totient.check import netlist_checks
    from totient.measure import NetlistRuns

    routes = _Routes.of(routed)
    command = " && ".join(
        f"totient check {each.arguments} --netlist routed {routes.options}"
        for each in netlist_checks(routes.subject)
    )
    before = kept.netlist if kept == routed else None
    runs = {**(before.by_seed if before and before.command == command else {}), seed: run}
    ordered = {each: runs[each] for each in routes.seeds if each in runs}
    return replace(routed, netlist=NetlistRuns(command, ordered))


def _run(checks: "Iterable[Check]", routes: _Routes, seed: int) -> "NetlistRun":
    """Run the netlist of one route."""
    from totient.check import Netlist, Stage, Subject
    from totient.common.cache import digest
    from totient.flow import find_target
    from totient.measure import NetlistRun

    netlist = Netlist(Stage.ROUTED, find_target(routes.target), seed, routes.dsp)
    subject = Subject.of(routes.subject, netlist, routes.board, routes.registers)
    # Tools fail here, if they do. Later only a netlist fails, for instance if it never answers.
    _ = subject.library
    operations = cycles = faults = 0
    try:
        for each in checks:
            outcome = each.run(netlist, routes.board, routes.registers)
            operations += outcome.exponentiations
            cycles += outcome.cycles
            faults += len(outcome.faults)
    except ToolError as error:
        say(f"{routes.label} on {routes.place}, seed {seed}: {error}")
        faults += 1
    simulated = digest(*(file.read_text() for file in subject.files))
    starts = len(netlist.unknowns)
    return NetlistRun(operations, cycles, starts, faults, simulated, routes.checker)
