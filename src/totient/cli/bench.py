"""The command that computes every committed Record anew and runs the long checks."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from totient.cli.bench_engine import engine_attacks
from totient.cli.bench_netlists import netlists as netlist_checks
from totient.cli.netlists import saved, with_netlists
from totient.cli.report import say
from totient.common.errors import InputError

if TYPE_CHECKING:
    from totient.catalog import Configuration, IpConfiguration
    from totient.check import Campaign, Outcome
    from totient.measure import BoardRecord, Record

# Widths and numbers of cases of the long checks: of the thesis' designs, and of each structure of
# the digit-serial family, which is slower by far; private ones apart.
CHECKS = ((32, 1000), (33, 1000), (128, 1000), (1024, 1000), (1031, 1000), (2048, 25))
STRUCTURE_CHECKS = ((64, 200), (127, 200), (256, 200))
PRIVATE_CHECK = (1024, 3)
# Lengths of the stream IP's primes, and numbers of cases; the other IPs are checked as they are.
STREAM_CHECKS = ((4, 1000), (32, 1000), (33, 1000), (256, 100), (512, 25), (1024, 10))
IP_CHECKS = (("B1", 1000), ("E2", 1000), ("D6", 1000))


def _long_checks(widest: int) -> Iterator[tuple["Configuration", int, bool]]:
    """Configurations, numbers of cases, and whether they are private operations."""
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
    """IPs with their parameters, and numbers of cases."""
    from totient.catalog import select_ip

    for row, count in IP_CHECKS:
        yield select_ip(row), count
    for bits, count in STREAM_CHECKS:
        if 2 * bits <= widest:
            yield select_ip("E3", prime_bits=bits), count


Verdicts = Iterator[bool]
"""Whether each check passed; a line is said of each."""


def _records(widest: int, only: str | None) -> "Iterator[Record | BoardRecord]":
    """Compute Records anew and write them; those with routes are given."""
    from totient.compare import boards, needed
    from totient.measure import measure, measure_board
    from totient.measure.software import measure_software, save_software
    from totient.processor import processors
    from totient.reproduce.diemert_programs import measure_counts, save_counts

    if only in (None, "diemert"):
        say(f"{save_counts(measure_counts()).name}: instructions and cycles of a product")
    wanted = [item for item in needed(widest) if only in (None, item.subject.name, item.variant)]
    counted = [each for each in processors() if only in (None, each.name)]
    on_boards = [each for each in boards.needed(widest) if only in (None, each[1].name)]
    if not (wanted or counted or on_boards or only == "diemert"):
        raise InputError(f"no Record is of {only!r} up to {widest} bits")
    made: dict[str, Record | BoardRecord] = {}  # by file
    for item in wanted:
        record = measure(item.subject, item.target, item.kinds, dsp=item.dsp, use_results=False)
        made[name := saved(record)] = record
        say(f"{name}: {record.utilisation.lut:,} LUT")
    for board, subject, registers in on_boards:
        on_board = measure_board(board, subject, registers)
        made[name := saved(on_board)] = on_board
        say(f"{name}: {on_board.clock_mhz:g} MHz")
    for processor in counted:
        software = measure_software(processor)
        say(f"{save_software(software).name}: {len(software.figures)} operations in software")
    yield from (each for each in made.values() if each.fmax_mhz is not None)


def _netlists_of(records: "list[Record | BoardRecord]") -> Verdicts:
    from totient.measure import netlist_verdict

    for each in with_netlists(records):
        say(f"{saved(each)}: its routed netlists are {netlist_verdict(each)}")
        yield bool(each.computes)


def _cases(widest: int, only: str | None) -> Verdicts:
    """Run the long checks on random and corner operands."""
    from totient.check import check, check_ip

    def told(label: str, outcome: "Outcome", what: str = "cases") -> bool:
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
            yield told(configuration.label, done, what)
    for ip, count in _ip_checks(widest):
        if only in (None, ip.name):
            yield told(ip.label, check_ip(ip, count, seed=1))


def _attacks(attacks: "Iterable[tuple[str, Callable[[], Outcome | Campaign]]]") -> Verdicts:
    """Run netlists as synthesised, and attacks."""
    from totient.check import Outcome

    for label, attack in attacks:
        found = attack()
        verdict = "FAILED" if found.faults else "passed"
        told = (found.checked,) if isinstance(found, Outcome) and not found.faults else ()
        say("\n  ".join((f"{label}: {verdict}, {found.summary}", *told, *found.faults)))
        yield not found.faults


_Widest = Annotated[int, typer.Option("--widest", metavar="BITS", help="Leave out what is wider.")]
_Checks = Annotated[bool, typer.Option("--checks/--no-checks", help="Run the long checks, too.")]
_Records = Annotated[bool, typer.Option("--records/--no-records", help="Compute the Records.")]
_Attacks = Annotated[
    bool,
    typer.Option(
        "--attacks/--no-attacks",
        help="Thousands of RSA operations of the engine; its time and addresses; flipped bits; "
        "what a clear leaves; malformed packets.",
    ),
]
_Netlists = Annotated[
    bool,
    typer.Option(
        "--netlists/--no-netlists",
        help="Run netlists, too: of the routes of Records and boards, and as synthesised.",
    ),
]
_Only = Annotated[
    str | None,
    typer.Option(
        "--only",
        metavar="NAME",
        help="Of this design, IP, variant or processor alone; or diemert: that paper's forms.",
    ),
]


def bench(
    widest: _Widest = 4096,
    checks: _Checks = True,
    records: _Records = True,
    attacks: _Attacks = True,
    netlists: _Netlists = True,
    only: _Only = None,
) -> None:
    """Compute all committed Records anew, run the long checks, and attack the engine.

    Writes the Records over those under results/. Takes hours. Each step is kept in the cache: an
    interrupted run goes on where it was. Exit status 1 if a check fails.
    """
    if widest < 1:
        raise InputError(f"--widest is {widest}, allowed is 1 or more")
    routed = list(_records(widest, only)) if records else []
    verdicts = chain(
        _netlists_of(routed) if netlists else (),
        _cases(widest, only) if checks else (),
        _attacks(netlist_checks(widest, only)) if netlists else (),
        _attacks(engine_attacks(widest)) if attacks else (),
    )
    if not all([*verdicts]):
        raise typer.Exit(1)
