"""The command that recomputes every committed Record and runs the long checks."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from totient.cli.bench_activity import activity, renewed_activity
from totient.cli.bench_engine import endurance, engine_attacks, exhaustive, flips
from totient.cli.bench_netlists import netlists as netlist_checks
from totient.cli.netlists import with_netlists
from totient.cli.options import ClusterOption
from totient.cli.report import say
from totient.common.errors import InputError, ToolError

if TYPE_CHECKING:
    from totient.catalog import Configuration, IpConfiguration
    from totient.check import Campaign, Outcome
    from totient.measure import Record, RoutedRecord
    from totient.reproduce.results import Measurement

# Widths and case counts of the long checks: of the thesis' designs, and of each structure of
# the digit-serial family, which is much slower. Private operations have their own counts.
CHECKS = ((32, 1000), (33, 1000), (128, 1000), (1024, 1000), (1031, 1000), (2048, 25))
STRUCTURE_CHECKS = ((64, 200), (127, 200), (256, 200))
PRIVATE_CHECK = (1024, 3)
# Prime lengths of the stream IP, and case counts. The other IPs are checked as they are.
STREAM_CHECKS = ((4, 1000), (32, 1000), (33, 1000), (256, 100), (512, 25), (1024, 10))
IP_CHECKS = (("B1", 1000), ("E2", 1000), ("D6", 1000))


def _long_checks(widest: int) -> Iterator[tuple["Configuration", int, bool]]:
    """Configurations, case counts, and whether the cases are private operations."""
    from totient.catalog import designs, select

    for width, count in CHECKS:
        for design in designs():
            if width <= widest and design.name not in ("digit_serial", "engine"):
                yield design.configure({"width": width}), count, False
    rows = [row for design in designs() if design.name == "digit_serial" for row in design.rows]
    for width, count in STRUCTURE_CHECKS:
        for row in rows if width <= widest else ():
            yield select(row, width=width), count, False
    width, count = PRIVATE_CHECK
    for row in rows if width <= widest else ():
        yield select(row, width=width), count, True


def _ip_checks(widest: int) -> Iterator[tuple["IpConfiguration", int]]:
    """IPs with their parameters, and case counts."""
    from totient.catalog import select_ip

    for row, count in IP_CHECKS:
        yield select_ip(row), count
    for bits, count in STREAM_CHECKS:
        if 2 * bits <= widest:
            yield select_ip("E3", prime_bits=bits), count


Verdicts = Iterator[bool]
"""Whether each check passed. One line is printed for each."""


def _renewals(widest: int, only: str | None) -> Verdicts:
    """Keep stale Records whose RTL is the same hardware as before. Yields whether each is."""
    from totient.measure import renewals

    for record, path in renewals(
        lambda record: only in (None, record.design) and record.parameters.get("width", 0) <= widest
    ):
        values = " ".join(f"{name}={value}" for name, value in record.parameters.items())
        verdict = "the same hardware" if path else "requires a new measurement"
        say(f"{path.name if path else f'{record.design} {values}'}: {verdict}")
        yield path is not None


def _measured(items: "Sequence[Measurement]", address: str | None) -> "Iterator[Record]":
    """Measure here, one after the other, or on the workers of a cluster.

    Raises:
        ToolError: a measurement failed.
    """
    from totient.measure.cluster import cluster, sweep
    from totient.measure.job import Job

    jobs = [Job.of(item.subject, item.target, tuple(item.kinds), dsp=item.dsp) for item in items]
    if address is None:
        yield from (job.run() for job in jobs)
        return
    with cluster(address, 1) as client:
        for job, outcome in sweep(client, jobs, say):
            if isinstance(outcome, str):
                raise ToolError(f"{job.label}: {outcome}")
            yield outcome


def _records(widest: int, only: str | None, address: str | None) -> "Iterator[RoutedRecord]":
    """Recompute Records and write them. Yields those with routes."""
    from totient.compare import boards, needed
    from totient.measure import measure_board, save
    from totient.measure.software import measure_software, save_software
    from totient.processor import processors
    from totient.reproduce.diemert_programs import measure_counts, save_counts

    if only in (None, "diemert"):
        say(f"{save_counts(measure_counts()).name}: instructions and cycles of a product")
    items = [item for item in needed(widest) if only in (None, item.subject.name, item.variant)]
    counted = [each for each in processors() if only in (None, each.name)]
    on_boards = [each for each in boards.needed(widest) if only in (None, each[1].name)]
    if not (items or counted or on_boards or only == "diemert"):
        raise InputError(f"no Record is of {only!r} up to {widest} bits")
    made: dict[str, RoutedRecord] = {}  # by file
    for record in _measured(items, address):
        made[name := save(record).name] = record
        say(f"{name}: {record.utilisation.lut:,} LUT")
    for board, subject, registers in on_boards:
        on_board = measure_board(board, subject, registers)
        made[name := save(on_board).name] = on_board
        say(f"{name}: {on_board.clock_mhz:g} MHz")
    for processor in counted:
        software = measure_software(processor)
        say(f"{save_software(software).name}: {len(software.figures)} operations in software")
    yield from (each for each in made.values() if each.fmax_mhz is not None)


def _netlists_of(records: "list[RoutedRecord]") -> Verdicts:
    from totient.measure import netlist_verdict, save

    for each, seed in with_netlists(records):
        assert each.netlist
        say(f"{save(each).name}: its routed netlists are {netlist_verdict(each)}")
        yield not each.netlist.by_seed[seed].faults


def _cases(widest: int, only: str | None) -> Verdicts:
    """Run the long checks on random and corner operands."""
    from totient.check import check, check_ip

    def report(label: str, outcome: "Outcome", what: str = "cases") -> bool:
        verdict = "FAILED" if outcome.faults else "passed"
        say(
            f"{label}: {verdict}, {outcome.cases:,} {what}, {outcome.exponentiations:,} "
            f"exponentiations, {outcome.cycles:,} cycles"
        )
        return not outcome.faults

    for configuration, count, private in _long_checks(widest):
        if only in (None, configuration.name):
            what = "private operations" if private else "cases"
            done = check(configuration, count, seed=1, private=private)
            yield report(configuration.label, done, what)
    for ip, count in _ip_checks(widest):
        if only in (None, ip.name):
            yield report(ip.label, check_ip(ip, count, seed=1))


def _attacks(attacks: "Iterable[tuple[str, Callable[[], Outcome | Campaign]]]") -> Verdicts:
    """Run synthesised netlists, and attacks."""
    from totient.check import Outcome

    for label, attack in attacks:
        found = attack()
        verdict = "FAILED" if found.faults else "passed"
        checked = (found.checked,) if isinstance(found, Outcome) and not found.faults else ()
        say("\n  ".join((f"{label}: {verdict}, {found.summary}", *checked, *found.faults)))
        yield not found.faults


_Widest = Annotated[int, typer.Option("--widest", metavar="BITS", help="Skip wider designs.")]
_Checks = Annotated[bool, typer.Option("--checks/--no-checks", help="Also run the long checks.")]
_Records = Annotated[bool, typer.Option("--records/--no-records", help="Compute the Records.")]
_Attacks = Annotated[
    bool,
    typer.Option(
        "--attacks/--no-attacks",
        help="Attack the engine: thousands of RSA operations, time and addresses, flipped bits, "
        "traces left after a clear, malformed packets.",
    ),
]
_Endurance = Annotated[
    bool,
    typer.Option(
        "--endurance/--no-endurance",
        help="Continue the endurance run of all cores to 10^10 cycles.",
    ),
]
_Netlists = Annotated[
    bool,
    typer.Option(
        "--netlists/--no-netlists",
        help="Also run netlists: routed ones of Records and boards, and synthesised ones.",
    ),
]
_Renew = Annotated[
    bool,
    typer.Option(
        "--renew",
        help="Measure nothing. Keep each Record whose changed RTL elaborates to the same cells and "
        "connections. Takes seconds per Record.",
    ),
]
_Only = Annotated[
    str | None,
    typer.Option(
        "--only",
        metavar="NAME",
        help="Only this design, IP, variant or processor. diemert: that paper's programs.",
    ),
]


def bench(
    widest: _Widest = 8192,
    checks: _Checks = True,
    records: _Records = True,
    attacks: _Attacks = True,
    netlists: _Netlists = True,
    endure: _Endurance = True,
    renew: _Renew = False,
    only: _Only = None,
    cluster: ClusterOption = None,
) -> None:
    """Recompute all committed Records, run the long checks, and attack the engine.

    Overwrites the Records under results/. Takes hours. Each step is cached: an interrupted run
    resumes where it stopped. Exit status 1 if a check fails or, with --renew, if a Record requires
    a new measurement.
    """
    if widest < 1:
        raise InputError(f"--widest is {widest}, allowed is 1 or more")
    if renew:
        if not all([*_renewals(widest, only), *renewed_activity(widest, only)]):
            raise typer.Exit(1)
        return
    routed = list(_records(widest, only, cluster)) if records else []
    if records:
        activity(widest, only)
    verdicts = chain(
        _netlists_of(routed) if netlists else (),
        _cases(widest, only) if checks else (),
        _attacks(netlist_checks(widest, only)) if netlists else (),
        _attacks(engine_attacks(widest)) if attacks else (),
        exhaustive() if checks and only is None else (),
        flips() if attacks and only in (None, "engine") else (),
        endurance() if endure and only is None else (),
    )
    if not all([*verdicts]):
        raise typer.Exit(1)
