"""Commands that print tables: a paper's next to ours, comparisons, boards."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from totient.cli.files import check_output
from totient.cli.options import JsonOption, file_option
from totient.cli.report import print_json, say
from totient.common.errors import InputError

if TYPE_CHECKING:
    from totient.report import Report


TableOption = Annotated[
    str | None,
    typer.Option(
        "--table", metavar="NAME", help="Only this table; names are in brackets in the titles."
    ),
]
MarkdownOption = Annotated[bool, typer.Option("--markdown", help="Print tables in Markdown.")]
PlotOption = Annotated[Path | None, file_option("--plot", "Draw a figure: svg, png or pdf.")]


def reproduce(
    paper: Annotated[
        str,
        typer.Argument(
            metavar="PAPER", help="thesis, nibouche, becannon, evantash, diemert; or all"
        ),
    ],
    table: TableOption = None,
    markdown: MarkdownOption = False,
    plot: PlotOption = None,
    run: Annotated[
        bool, typer.Option("--run", help="With all: also run each row's command (minutes).")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Reproduce a paper's tables next to ours.

    all: one table of the rows of all papers, each with the verdict of a check and the command that
    runs it. Measures nothing. Exit status 1 if a row fails or is missing.
    """
    from totient.reproduce import ALL, find_paper

    if paper.lower() == ALL:
        _reproduce_all(table, markdown, as_json, plot, run)
        return
    if run:
        raise InputError(f"--run is given with {paper!r}, allowed with {ALL!r} only")
    found = find_paper(paper)
    show = _shown(tuple(found.tables), table, markdown, as_json, plot)
    show(found.reproduce, found.draw, "Agreement with the paper")


def _reproduce_all(
    table: str | None, markdown: bool, as_json: bool, plot: Path | None, run: bool
) -> None:
    """Show the verdicts on all rows of the papers; `typer.Exit(1)` if one has not passed."""
    from totient.reproduce import PAPERS, find_paper, scoreboard

    if plot is not None:
        raise InputError(f"--plot is {str(plot)!r}, the table of all papers has no figure")
    show = _shown((scoreboard.TABLE,), table, markdown, as_json)
    verdicts = scoreboard.judge({name: find_paper(name) for name in PAPERS})
    if run:
        scoreboard.run_commands(verdicts)
    show(partial(scoreboard.report, verdicts, run), findings="Verdicts")
    if not all(verdict.passed for verdict in verdicts):
        raise typer.Exit(1)


def boards(
    table: TableOption = None, markdown: MarkdownOption = False, as_json: JsonOption = False
) -> None:
    """List the boards that Totient makes bitstreams for, and the clocks of cores on them."""
    from totient.compare import boards as compared

    _shown(compared.TABLES, table, markdown, as_json)(compared.compare)


def compare_engine(
    bits: Annotated[
        int,
        typer.Option(
            "--bits", metavar="BITS", help="Of the modulus: 512, 1024, 2048, 3072 or 4096."
        ),
    ] = 2048,
    table: TableOption = None,
    markdown: MarkdownOption = False,
    plot: PlotOption = None,
    software: Annotated[
        bool, typer.Option("--software", help="Also time OpenSSL on this machine (2 seconds).")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Compare the engine with other open cores and software.

    Cycles, maximum clock, area, area x time, and growth of cycles with the key. Uses the data under
    results/ and measures nothing.
    """
    from totient.compare import engine_figure, engine_tables

    show = _shown(engine_tables.TABLES, table, markdown, as_json, plot)
    if table == engine_tables.HERE and not software:
        raise InputError(f"table {table!r} is OpenSSL's on this machine, which --software times")
    made = partial(engine_tables.compare, bits, software)
    show(made, engine_figure.draw, "How far ahead ours is")


def compare(
    bits: Annotated[
        int, typer.Option("--bits", metavar="BITS", help="Length of the modulus: 1024 or 2048.")
    ] = 1024,
    operation: Annotated[
        str, typer.Option("--op", metavar="OPERATION", help="public (65537) or private.")
    ] = "public",
    table: TableOption = None,
    markdown: MarkdownOption = False,
    plot: PlotOption = None,
    software: Annotated[
        bool,
        typer.Option(
            "--software", help="Also time OpenSSL and our C on this machine (some seconds)."
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Compare RSA on processors with the designs and the papers' figures.

    Time, energy, code size and RAM, LUTs. Uses the data under results/ and measures nothing.
    """
    from totient.compare import processor_figure, processor_tables

    show = _shown(processor_tables.TABLES, table, markdown, as_json, plot)
    if table == processor_tables.HERE and not software:
        raise InputError(f"table {table!r} is of this machine, which --software times")
    made = partial(processor_tables.compare, bits, operation, software)
    show(made, processor_figure.draw, "Findings")


def compare_power(
    table: TableOption = None,
    markdown: MarkdownOption = False,
    plot: PlotOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare the power and the energy of all designs, and the estimate with published figures.

    Uses the data under results/ and measures nothing. totient power makes new estimates.
    """
    from totient.compare import power, power_figure

    show = _shown(power.TABLES, table, markdown, as_json, plot)
    show(power.compare, power_figure.draw, "Findings")


_Draw = Callable[["Report", Path], None]


def _shown(
    tables: Sequence[str],
    table: str | None,
    markdown: bool,
    as_json: bool,
    plot: Path | None = None,
) -> Callable[..., None]:
    """Check the options of a command that shows tables, before any computation.

    Returns:
        A function that computes, draws and shows. Its arguments: the computation; what draws the
        figure; the heading of the findings.

    Raises:
        InputError: two forms at once, no such table, or a figure that cannot be written.
    """
    from totient.report.figure import check_format

    if as_json and markdown:
        raise InputError("--json and --markdown are both given, allowed is one of them")
    if table is not None and table not in tables:
        raise InputError(f"unknown table {table!r}, known are {', '.join(tables)}")
    if plot is not None:
        check_format(plot)
    check_output(plot)

    def show(make: Callable[[], "Report"], draw: _Draw | None = None, findings: str = "") -> None:
        done = make()
        if plot is not None and draw is not None:
            draw(done, plot)
            say(f"figure written to {plot}")
        _show(done, table, markdown, as_json, findings)

    return show


def _show(done: "Report", table: str | None, markdown: bool, as_json: bool, findings: str) -> None:
    """Print one table or all, with the method, and findings below their heading."""
    shown = {name: each for name, each in done.tables.items() if table in (None, name)}
    if as_json:
        print_json(
            {
                "title": done.title,
                "command": done.command + (f" --table {table}" if table else ""),
                "tables": {name: each.data for name, each in shown.items()},
                "findings": list(done.findings),
                "provenance": list(done.provenance),
            }
        )
        return
    if markdown:
        print("\n\n".join(each.markdown for each in shown.values()))
        return
    print(f"{done.title}\n")
    for name, each in shown.items():
        each.show(name)
        print()
    if table is not None:
        return
    print("How our figures were obtained")
    for line in done.provenance:
        print(f"- {line}")
    if findings:
        print(f"\n{findings}")
    for line in done.findings:
        print(f"- {line}")
