"""The command that compares a paper's tables with ours."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from totient.cli.files import check_output, file_path
from totient.cli.options import JsonOption
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
PlotOption = Annotated[
    Path | None,
    typer.Option(
        "--plot", metavar="FILE", parser=file_path, help="Draw a figure: svg, png or pdf."
    ),
]


def reproduce(
    paper: Annotated[
        str, typer.Argument(metavar="PAPER", help="thesis, nibouche, becannon, evantash or diemert")
    ],
    table: TableOption = None,
    markdown: MarkdownOption = False,
    plot: PlotOption = None,
    as_json: JsonOption = False,
) -> None:
    """Reproduce a paper's tables next to ours."""
    from totient.reproduce import find_paper

    found = find_paper(paper)
    check_wanted(tuple(found.tables), table, markdown, plot, as_json)
    done = found.reproduce()
    if plot is not None:
        found.draw(done, plot)
        say(f"figure written to {plot}")
    show(done, table, markdown, as_json, "Agreement with the paper")


def check_wanted(
    tables: Sequence[str], table: str | None, markdown: bool, plot: Path | None, as_json: bool
) -> None:
    """Check the options of a command that shows tables, before any computation.

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


def show(
    done: "Report", table: str | None, markdown: bool, as_json: bool, findings: str = ""
) -> None:
    """Print tables, the method, and findings.

    Args:
        done: the results.
        table: the only table to print, or `None` for all.
        markdown: in Markdown.
        as_json: as JSON.
        findings: heading of the findings, if there are any.
    """
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
