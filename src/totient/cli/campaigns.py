"""Commands that show long campaigns, which are kept under results/, and continue them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from totient.cli.options import JsonOption, RunJobsOption, allow_with_run
from totient.cli.report import print_json, say
from totient.cli.tables import MarkdownOption
from totient.common.errors import InputError

if TYPE_CHECKING:
    from totient.campaigns.sums import Part, Sums
    from totient.report.table import Table

_MOST_CYCLES = 10**13  # larger numbers are typing errors

_Pairs = Annotated[
    bool, typer.Option("--pairs", help="Two flipped bits in each operation, instead of one.")
]
_Operations = Annotated[
    int | None,
    typer.Option(
        "--run",
        metavar="COUNT",
        help="Continue until there are so many operations, in parts of 1,440.",
    ),
]
_Cycles = Annotated[
    int | None,
    typer.Option(
        "--run", metavar="CYCLES", help="Continue until so many clock cycles were simulated."
    ),
]

_Rest = Annotated[bool, typer.Option("--run", help="Run the moduli that are still to do.")]


def flips(
    pairs: _Pairs = False,
    run: _Operations = None,
    jobs: RunJobsOption = None,
    markdown: MarkdownOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show what comes of flipped bits in the engine, by operation and phase.

    Exit status 1 if an answer violated what docs/security.md promises.
    """
    from totient.campaigns.flips import kept_flips, table
    from totient.check.run import MOST_CASES

    _check(run, MOST_CASES, jobs, markdown, as_json)
    number = 2 if pairs else 1
    if run:
        continue_flips(number, run, jobs or 1)
    found = kept_flips(number)
    if found is None:
        raise _nothing(f"flips {'--pairs ' * pairs}--run COUNT")
    _show(table(found), "pairs" if pairs else "singles", found.faults, markdown, as_json)


def endurance(
    run: _Cycles = None,
    jobs: RunJobsOption = None,
    markdown: MarkdownOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show how long random operations were run on each core, and with what faults.

    Exit status 1 if a result, a cycle count or an error code was wrong.
    """
    from totient.campaigns.endurance import kept_endurance, parts, table
    from totient.campaigns.sums import faults_of

    _check(run, _MOST_CYCLES, jobs, markdown, as_json)
    if run:
        continue_endurance(run, jobs or 1)
    found = kept_endurance()
    if not found:
        raise _nothing("endurance --run CYCLES")
    shown = _marked(table(_with_all(found, parts())))
    _show(shown, "endurance", faults_of(found), markdown, as_json)


def exhaustive(
    run: _Rest = False,
    jobs: RunJobsOption = None,
    markdown: MarkdownOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show which exponentiators were run with every modulus, exponent and base of 8 bits.

    Exit status 1 if a result, a cycle count or an error code was wrong.
    """
    from totient.campaigns.exhaustive import kept_exhaustive, parts, table
    from totient.campaigns.sums import faults_of

    _check(1 if run else None, 1, jobs, markdown, as_json)
    if run:
        continue_exhaustive(jobs or 1)
    found = kept_exhaustive()
    if not found:
        raise _nothing("exhaustive --run")
    shown = _marked(table(_with_all(found, parts())))
    _show(shown, "exhaustive", faults_of(found), markdown, as_json)


def continue_exhaustive(jobs: int = 1) -> None:
    """Run every modulus on each exponentiator, in so many processes; tell of each modulus."""
    from totient.campaigns.exhaustive import exhaust

    for name, part in exhaust(jobs):
        say(
            f"{name}: {part.parts} moduli, {part.operations:,} operations, "
            f"{len(part.faults)} faults"
        )


def continue_flips(number: int, count: int, jobs: int = 1) -> None:
    """Run a campaign until it has so many operations, and tell of each part.

    Args:
        number: flipped bits in each operation.
        count: operations.
        jobs: parallel processes.
    """
    from totient.campaigns.flips import run_flips

    for done, path in run_flips(number, count, jobs):
        say(f"{path.name}: {done.count:,} operations, {len(done.faults)} violations")


def continue_endurance(most: int, jobs: int = 1) -> None:
    """Run random operations until so many cycles were simulated, in so many processes.

    Tells of each part.
    """
    from totient.campaigns.endurance import endure

    for name, part, cycles in endure(most, jobs):
        say(f"{cycles:,} cycles, {name}: {part.parts} parts, {len(part.faults)} faults")


def _check(run: int | None, most: int, jobs: int | None, markdown: bool, as_json: bool) -> None:
    """Refuse options before any work is done."""
    allow_with_run(run is not None, {"--jobs": jobs})
    if as_json and markdown:
        raise InputError("--json and --markdown are both given, allowed is one of them")
    if run is not None and not 1 <= run <= most:
        raise InputError(f"--run is {run}, allowed is 1 to {most}")


def _nothing(command: str) -> InputError:
    return InputError(f"nothing is kept: totient {command} runs it")


def _with_all(found: Mapping[str, "Sums"], parts: Iterable["Part"]) -> dict[str, "Sums"]:
    """What is kept, and parts that are not kept yet; tells how much is of earlier RTL."""
    from totient.campaigns.sums import Sums

    every, earlier = dict(found), 0
    for part in parts:
        kept = every.setdefault(part.name, Sums(part.sources))
        earlier += kept.parts > 0 and kept.sources != part.sources
    if earlier:
        say(f"{earlier} of {len(every)} parts were run with earlier RTL: --run begins these again")
    return every


def _marked(table: "Table") -> "Table":
    """A table of sums with no figures in a row that nothing was run of: 0 faults would be wrong."""
    cycles = [column.heading for column in table.columns].index("cycles")
    rows = [row if row[cycles] else [*row[:2], *([None] * len(row[2:]))] for row in table.rows[:-1]]
    missing = sum(row[cycles] is None for row in rows)
    if not missing:
        return table
    note = f"{missing} of {len(rows)} subjects, without figures here, have not been run"
    return replace(table, rows=[*rows, table.rows[-1]], notes=[note, *table.notes])


def _show(table: "Table", name: str, faults: Sequence[str], markdown: bool, as_json: bool) -> None:
    """Show a campaign's table and faults; exit status 1 if there are faults."""
    if as_json:
        print_json({**table.data, "faults": list(faults)})
    elif markdown:
        print(table.markdown)
    else:
        table.show(name)
    for line in faults:
        say(line)
    if faults:
        raise typer.Exit(1)
