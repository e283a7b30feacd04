"""The command that shows campaigns of flipped bits in the engine, and runs them."""

from typing import Annotated

import typer

from totient.cli.options import JsonOption
from totient.cli.report import print_json, say
from totient.cli.tables import MarkdownOption
from totient.common.errors import InputError

_Pairs = Annotated[
    bool, typer.Option("--pairs", help="Two flipped bits in each operation, instead of one.")
]
_Run = Annotated[
    int | None,
    typer.Option(
        "--run",
        metavar="COUNT",
        help="Go on until there are so many operations, in parts of 1,248. Kept under results/.",
    ),
]


def flips(
    pairs: _Pairs = False,
    run: _Run = None,
    markdown: MarkdownOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show what comes of flipped bits in the engine, by operation and phase.

    Exit status 1 if a private operation gave a wrong result, or an answer had a digit of the key.
    """
    from totient.check.run import MOST_CASES
    from totient.measure.flips import kept_flips, run_flips, table

    if as_json and markdown:
        raise InputError("--json and --markdown are both given, allowed is one of them")
    if run is not None and not 1 <= run <= MOST_CASES:
        raise InputError(f"--run is {run}, allowed is 1 to {MOST_CASES}")
    number = 2 if pairs else 1
    for done, path in run_flips(number, run) if run else ():
        say(f"{path.name}: {done.count:,} operations, {len(done.faults)} violations")
    found = kept_flips(number)
    if found is None:
        option = " --pairs" * pairs
        raise InputError(f"no campaign is kept: totient flips{option} --run COUNT runs one")
    shown = table(found)
    if as_json:
        print_json({**shown.data, "violations": list(found.faults)})
    elif markdown:
        print(shown.markdown)
    else:
        shown.show("pairs" if pairs else "singles")
    for line in found.faults:
        say(line)
    if found.faults:
        raise typer.Exit(1)
