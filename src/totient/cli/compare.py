"""Commands that compare software, designs and papers, and the engine with other cores."""

from typing import Annotated

import typer

from totient.cli.options import JsonOption
from totient.cli.report import say
from totient.cli.reproduce import MarkdownOption, PlotOption, TableOption, check_wanted, show
from totient.common.errors import InputError


def compare_engine(
    bits: Annotated[
        int, typer.Option("--bits", metavar="BITS", help="Length of the modulus: 512 to 4096.")
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

    check_wanted(engine_tables.TABLES, table, markdown, plot, as_json)
    if table == engine_tables.HERE and not software:
        raise InputError(f"table {table!r} is OpenSSL's on this machine, which --software times")
    done = engine_tables.compare(bits, software)
    if plot is not None:
        engine_figure.draw(done, plot)
        say(f"figure written to {plot}")
    show(done, table, markdown, as_json, "How far ahead ours is")


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

    check_wanted(processor_tables.TABLES, table, markdown, plot, as_json)
    if table == processor_tables.HERE and not software:
        raise InputError(f"table {table!r} is of this machine, which --software times")
    done = processor_tables.compare(bits, operation, software)
    if plot is not None:
        processor_figure.draw(done, plot)
        say(f"figure written to {plot}")
    show(done, table, markdown, as_json, "Findings")
