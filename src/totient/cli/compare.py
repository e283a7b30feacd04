"""The command that shows the engine beside other cores and software."""

from typing import Annotated

import typer

from totient.cli.options import JsonOption
from totient.cli.report import say
from totient.cli.reproduce import MarkdownOption, PlotOption, TableOption, check_wanted, show
from totient.common.errors import InputError


def compare_engine(
    bits: Annotated[
        int, typer.Option("--bits", metavar="BITS", help="Of the modulus: 512 to 4096.")
    ] = 2048,
    table: TableOption = None,
    markdown: MarkdownOption = False,
    plot: PlotOption = None,
    software: Annotated[
        bool, typer.Option("--software", help="Time OpenSSL on this machine, too; two seconds.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show the engine beside other open cores and software.

    Cycles, maximum clock, area, area x time, how cycles grow with the key. From what is under
    results/ and papers/; nothing of it is measured now.
    """
    from totient.reproduce import field, field_figure

    check_wanted(field.TABLES, table, markdown, plot, as_json)
    if table == field.HERE and not software:
        raise InputError(f"table {table!r} is OpenSSL's on this machine, which --software times")
    done = field.compare(bits, software)
    if plot is not None:
        field_figure.draw({each.name: each for each in done.tables}, plot)
        say(f"figure written to {plot}")
    show(done, table, markdown, as_json, "How far ours is ahead")
