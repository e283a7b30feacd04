"""The command that computes every committed Record anew and runs the long checks."""

from typing import Annotated

import typer

from totient.cli.report import say

# Widths and numbers of cases of the long checks.
CHECKS = ((32, 1000), (33, 1000), (128, 1000), (1024, 1000), (1031, 1000), (2048, 25))


def bench(
    widest: Annotated[
        int, typer.Option("--widest", metavar="BITS", help="Leave out what is wider.")
    ] = 4096,
    checks: Annotated[
        bool, typer.Option("--checks/--no-checks", help="Run the long checks, too.")
    ] = True,
    records: Annotated[
        bool, typer.Option("--records/--no-records", help="Compute the Records.")
    ] = True,
) -> None:
    """Compute all committed Records anew, and run the long checks.

    Takes hours. Each step is kept in the cache: an interrupted run goes on where it was. Exit
    status 1 if a check fails.
    """
    from totient.catalog import designs
    from totient.check import check
    from totient.measure import measure, save
    from totient.reproduce import PAPERS, find_paper

    if records:
        for item in (each for name in PAPERS for each in find_paper(name).measurements(widest)):
            record = measure(
                item.configuration, item.target, item.kinds, dsp=item.dsp, use_results=False
            )
            say(f"{save(record).name}: {record.utilisation.lut:,} LUT")
    failed = False
    for width, count in CHECKS if checks else ():
        if width > widest:
            continue
        for design in designs():
            configuration = design.configure({"width": width})
            outcome = check(configuration, count, seed=1)
            verdict = "FAILED" if outcome.faults else "passed"
            say(
                f"{configuration.label}: {verdict}, {outcome.cases:,} cases, "
                f"{outcome.exponentiations:,} exponentiations, {outcome.cycles:,} cycles"
            )
            failed = failed or bool(outcome.faults)
    if failed:
        raise typer.Exit(1)
