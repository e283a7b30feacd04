"""The command that shows a paper's tables beside ours."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from totient.cli.files import check_output, file_path
from totient.cli.options import JsonOption
from totient.cli.report import print_json, say
from totient.cli.tables import show_table
from totient.common.errors import InputError

if TYPE_CHECKING:
    from totient.reproduce import Reproduction, Table


def markdown_table(table: "Table") -> str:
    """A table in Markdown, with its notes below."""
    lines = [
        [column.heading for column in table.columns],
        ["---" if text else "---:" for text in table.of_text],
        *table.texts,
    ]
    notes = "; ".join(table.notes)
    rows = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{rows}\n\n{notes[:1].upper()}{notes[1:]}." if notes else rows


TableOption = Annotated[
    str | None,
    typer.Option(
        "--table", metavar="NAME", help="Only this table; its name is in brackets at its title."
    ),
]
MarkdownOption = Annotated[
    bool, typer.Option("--markdown", help="Tables in Markdown, as in the README.")
]
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
    """Reproduce a paper's tables, side by side with ours."""
    from totient.reproduce import find_paper

    found = find_paper(paper)
    check_wanted(found.tables, table, markdown, plot, as_json)
    done = found.reproduce()
    if plot is not None:
        found.draw({each.name: each for each in done.tables}, plot)
        say(f"figure written to {plot}")
    show(done, table, markdown, as_json, "Where we agree with the paper, and where not")


def check_wanted(
    tables: Sequence[str], table: str | None, markdown: bool, plot: Path | None, as_json: bool
) -> None:
    """Check what was given to a command that shows tables, before anything is computed.

    Raises:
        InputError: two forms at once, no such table, or a figure that cannot be written.
    """
    from totient.reproduce.figure import check_format

    if as_json and markdown:
        raise InputError("--json and --markdown are both given, allowed is one of them")
    if table is not None and table not in tables:
        raise InputError(f"unknown table {table!r}, known are {', '.join(tables)}")
    if plot is not None:
        check_format(plot)
    check_output(plot)


def show(
    done: "Reproduction", table: str | None, markdown: bool, as_json: bool, findings: str = ""
) -> None:
    """Print tables, how they came about, and what is found in them.

    Args:
        done: what was computed.
        table: the only one that is wanted, or `None`.
        markdown: in Markdown.
        as_json: as JSON.
        findings: heading of the findings, if there are any.
    """
    shown = [each for each in done.tables if table in (None, each.name)]
    if as_json:
        print_json(
            {
                "title": done.title,
                "command": done.command + (f" --table {table}" if table else ""),
                "tables": {
                    table.name: {
                        "title": table.title,
                        "columns": [column.heading for column in table.columns],
                        "units": [column.unit for column in table.columns],
                        "rows": [list(row) for row in table.rows],
                        "notes": list(table.notes),
                    }
                    for table in shown
                },
                "findings": list(done.findings),
                "provenance": list(done.provenance),
            }
        )
        return
    if markdown:
        print("\n\n".join(markdown_table(each) for each in shown))
        return
    print(f"{done.title}\n")
    for each in shown:
        show_table(
            [column.heading for column in each.columns],
            each.texts,
            f"{each.title} [{each.name}]",
            each.of_text,
        )
        for note in each.notes:
            print(f"  {note}")
        print()
    if table is not None:
        return
    print("How our figures came about")
    for line in done.provenance:
        print(f"- {line}")
    if findings:
        print(f"\n{findings}")
    for line in done.findings:
        print(f"- {line}")
