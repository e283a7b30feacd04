"""The command that finds a design for limits."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from totient.cli.files import check_output
from totient.cli.options import (
    ClusterOption,
    JobsOption,
    JsonOption,
    clock_option,
    file_option,
)
from totient.cli.report import print_json
from totient.cli.report import say as tell
from totient.cli.tables import MarkdownOption, PlotOption, TableOption
from totient.common.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from totient.explore.answer import Answer
    from totient.explore.question import Question
    from totient.explore.run import Exploration


_OF_MODELS = ("errors", "checked", "winners")
_TABLES = ("designs", *_OF_MODELS)

_Bits = Annotated[int, typer.Option("--bits", metavar="BITS", help="Of the modulus, 512 to 4096.")]
_Operation = Annotated[
    str, typer.Option("--op", metavar="OP", help="private, or public with the exponent 65537.")
]
_Target = Annotated[
    str | None,
    typer.Option(
        "--target",
        metavar="TARGET",
        help="A device: ecp5-25f in all its speed grades, ecp5-25f-6 in this one. Default: every "
        "ECP5.",
    ),
]
_Deadline = Annotated[
    str | None, typer.Option("--deadline", metavar="TIME", help="Most time, such as 5ms.")
]
_Lut = Annotated[int | None, typer.Option("--lut", metavar="N", help="Most LUTs.")]
_Energy = Annotated[
    str | None,
    typer.Option("--energy", metavar="ENERGY", help="Most dynamic energy, such as 2mJ."),
]
_Crt = Annotated[
    bool | None,
    typer.Option("--crt/--no-crt", help="Keys with or without primes. Default: both."),
]
_Best = Annotated[
    str,
    typer.Option(
        "--best", metavar="FIGURE", help="Which designs come first: by lut, time or energy."
    ),
]
_Clock = Annotated[
    float | None,
    clock_option(1, 1000, "Clock of all designs, which they must reach. Default: each at its own."),
]
_Count = Annotated[int, typer.Option("--count", metavar="N", help="Designs to show at most.")]
_Measure = Annotated[
    int,
    typer.Option(
        "--measure",
        metavar="N",
        help="First measure the N designs that tell the models most (minutes each).",
    ),
]
_Csv = Annotated[Path | None, file_option("--csv", "Write the designs as CSV.")]
_Parquet = Annotated[Path | None, file_option("--parquet", "Write the designs as Parquet.")]


def explore(
    bits: _Bits = 2048,
    op: _Operation = "private",
    target: _Target = None,
    deadline: _Deadline = None,
    lut: _Lut = None,
    energy: _Energy = None,
    crt: _Crt = None,
    best: _Best = "lut",
    clock: _Clock = None,
    count: _Count = 10,
    measure: _Measure = 0,
    cluster: ClusterOption = None,
    jobs: JobsOption = 2,
    csv_file: _Csv = None,
    parquet: _Parquet = None,
    table: TableOption = None,
    markdown: MarkdownOption = False,
    plot: PlotOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find designs that meet limits of time, area and energy, among all that can be built.

    Each figure is measured, or predicted with an interval. Exit status 1 if no design meets the
    limits; the nearest misses are shown then. How far off the models are: --table errors, checked
    and winners.
    """
    _check_forms(table, markdown, plot, as_json)
    if table in _OF_MODELS:
        _show_models(table, markdown, as_json)
        return
    numbers = (("--count", count, 1), ("--measure", measure, 0), ("--jobs", jobs, 1))
    for option, value, least in numbers:
        if value < least:
            raise InputError(f"{option} is {value}, allowed is {least} or more")
    check_output(csv_file)
    check_output(parquet)
    question = _question(bits, op, crt, target, (deadline, lut, energy), best, clock)
    found = _found(question, measure, cluster, jobs)
    _write(found, csv_file, parquet, plot)
    _show(found, count, markdown, as_json)
    if not found.met:
        raise typer.Exit(1)


def _check_forms(table: str | None, markdown: bool, plot: Path | None, as_json: bool) -> None:
    """Refuse forms of the output that contradict each other, before any work is done."""
    from totient.report.figure import check_format

    if as_json and markdown:
        raise InputError("--json and --markdown are both given, allowed is one of them")
    if table not in (None, *_TABLES):
        raise InputError(f"unknown table {table!r}, known are {', '.join(_TABLES)}")
    if plot is not None:
        check_format(plot)
    check_output(plot)


def _question(
    bits: int,
    op: str,
    crt: bool | None,
    target: str | None,
    limits: tuple[str | None, int | None, str | None],
    best: str,
    clock: float | None,
) -> "Question":
    """The question of the options."""
    from totient.explore.models import committed_models
    from totient.explore.question import Limits, Question, joules_of, seconds_of, targets_of

    if op not in ("private", "public"):
        raise InputError(f"--op is {op!r}, allowed is private or public")
    deadline, lut, energy = limits
    asked = Limits(
        seconds_of(deadline) if deadline is not None else None,
        lut,
        joules_of(energy) if energy is not None else None,
    )
    devices = targets_of(target, committed_models())
    return Question(bits, op == "private", crt, devices, asked, best, clock)


def _found(question: "Question", measure: int, address: str | None, processes: int) -> "Answer":
    """The answer, after the measurements that were asked for."""
    from totient.common.progress import bar
    from totient.explore import report
    from totient.explore.run import Exploration

    with bar(report.question_words(question)) as progress:
        exploration = Exploration(question, progress.describe)
        if measure:
            exploration = _measured(exploration, measure, address, processes, progress.describe)
        return exploration.answer()


def _write(found: "Answer", csv_file: Path | None, parquet: Path | None, plot: Path | None) -> None:
    """Write the files that were asked for."""
    from totient.explore import files

    for path, write in ((csv_file, files.write_csv), (parquet, files.write_parquet)):
        if path is not None:
            write(path, found)
    if plot is not None:
        from totient.explore.plot import draw

        draw(found, plot)
        tell(f"figure written to {plot}")


def _show(found: "Answer", count: int, markdown: bool, as_json: bool) -> None:
    from totient.explore import report

    if as_json:
        print_json(report.data(found, count))
    elif markdown:
        print(report.table(found, count).markdown)
    else:
        report.table(found, count).show("designs")
        for line in report.advice(found):
            print(line)


def _show_models(name: str, markdown: bool, as_json: bool) -> None:
    """Show how far off the models are."""
    from totient.explore import checked, errors, winners
    from totient.explore.models import committed_models

    tables = {
        "errors": lambda: errors.table(committed_models()),
        "checked": checked.table,
        "winners": winners.table,
    }
    found = tables[name]()
    if as_json:
        print_json(found.data)
    elif markdown:
        print(found.markdown)
    else:
        found.show(name)


def _measured(
    exploration: "Exploration",
    count: int,
    address: str | None,
    processes: int,
    say: "Callable[[str], None]",
) -> "Exploration":
    """Measure the most informative designs, and look again with what they tell."""
    from totient.explore.points import keep_own
    from totient.explore.run import Exploration
    from totient.measure.cluster import cluster, sweep
    from totient.measure.job import Job

    chosen = [Job.of(*each) for each in exploration.informative(count)]
    with cluster(address, min(processes, max(1, len(chosen)))) as client:
        for place, (job, outcome) in enumerate(sweep(client, chosen, tell), start=1):
            if isinstance(outcome, str):
                tell(f"{job.label}: {outcome}")
                continue
            keep_own(outcome)
            clock = f", {outcome.fmax_mhz:.1f} MHz" if outcome.fmax_mhz else ""
            tell(f"{job.label}: {outcome.utilisation.lut:,} LUT{clock}")
            say(f"{place} of {len(chosen)} measured")
    return Exploration(exploration.question, say)
