"""Make the Records under `results/`: `python -m totient.measure.bench [--all]`.

Without `--all` those that are missing or stale. With it every one, which only says something about
reproducing the figures when `TOTIENT_CACHE` is empty. Either can be interrupted, and goes on where
it was.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from totient.catalog import Configuration, select
from totient.common.errors import TotientError
from totient.common.progress import bar
from totient.flow import TARGETS, Target, find_target
from totient.measure.kinds import KINDS
from totient.measure.measurement import measure
from totient.measure.store import file_name, lookup, save

_WIDTHS = (32, 64, 128, 256, 512, 1024)
_ROWS = ("T1", "T2", "T3")


@dataclass(frozen=True)
class Case:
    """A Record to be kept."""

    configuration: Configuration
    target: Target
    dsp: bool = True


def cases() -> Iterator[Case]:
    """The thesis' designs at its sizes; those without multipliers also as LUTs alone on Artix-7."""
    artix7 = find_target("artix7-100t")
    for width in _WIDTHS:
        for row in _ROWS:
            for target in TARGETS.values():
                yield Case(select(row, width=width), target)
        yield Case(select("T2", width=width, bits_per_cycle=2), artix7)
        yield Case(select("T3", width=width, multiplier=1), artix7, dsp=False)


def bench(everything: bool) -> Iterator[tuple[str, str]]:
    """Bring `results/` up to date.

    Args:
        everything: measure every Record, not only those that are missing or stale. With an empty
            cache this shows that the figures come out again.

    Yields:
        The name of a Record that was measured, and `new`, `same` or `changed`.

    Raises:
        ToolError: a tool failed, or `results/` cannot be written.
    """
    todo = list(cases())
    with bar("results", total=len(todo)) as progress:
        for case in todo:
            kept = lookup(case.configuration, case.target, case.dsp)
            name = file_name(case.configuration, case.target, case.dsp)
            progress.describe(name)
            if kept is None or everything:
                record = measure(
                    case.configuration, case.target, KINDS, dsp=case.dsp, use_results=False
                )
                if record != kept:
                    save(record)
                yield name, "new" if kept is None else "same" if record == kept else "changed"
            progress.advance()


def main() -> int:
    """Run the command; the exit status is 1 when a Record turned out other than it was kept."""
    parser = argparse.ArgumentParser(prog="python -m totient.measure.bench", description=__doc__)
    parser.add_argument("--all", action="store_true", help="measure every Record anew")
    changed = False
    for name, outcome in bench(parser.parse_args().all):
        print(f"{name}: {outcome}", flush=True)
        changed |= outcome == "changed"
    return int(changed)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except TotientError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit("interrupted; run it again to go on")
