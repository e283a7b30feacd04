"""Renews points after an edit of the RTL: `python -m totient.explore.renewal`.

A point whose RTL elaborates to the same cells and connections is kept. Every other one is measured
again, as it was: with the same seeds, or without a route. One that fails is told and left out, and
so is one with parameters that are no longer allowed. Those chosen at random are renewed by
`python -m totient.explore.sampling COUNT SEED --check`.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence

from totient.common.errors import InputError
from totient.common.progress import bar
from totient.explore.points import keep_points, kept_points
from totient.flow import find_target
from totient.measure.cluster import cluster, sweep
from totient.measure.job import Job
from totient.measure.record import Record
from totient.measure.renewal import renewed


def renew(
    points: Sequence[Record],
    keep: Callable[[list[Record]], object],
    address: str | None,
    jobs: int,
) -> None:
    """Renew points; all are kept anew after each that was measured again.

    Args:
        points: to renew.
        keep: writes points.
        address: of a Dask scheduler; `None`: processes of this machine.
        jobs: number of these processes.
    """
    found: dict[str, Record] = {}
    again: list[Job] = []
    with bar("comparison", len(points)) as progress:
        for point in points:
            progress.advance()
            try:
                job = job_of(point)
            except InputError as error:
                _tell(f"a point of {point.design} on {point.target}: {error}")
                continue
            new = renewed(point)
            found[job.to_text()] = new or point
            again += [] if new else [job]
    keep([*found.values()])
    for job, measured_again in measured(again, address, jobs):
        if measured_again:
            found[job.to_text()] = measured_again
        else:
            del found[job.to_text()]
        keep([*found.values()])


def measured(
    tasks: Sequence[Job], address: str | None, jobs: int
) -> Iterator[tuple[Job, Record | None]]:
    """Measure with a bar. Those that fail are told, and have `None`.

    Args:
        tasks: the measurements, each once.
        address: of a Dask scheduler; `None`: processes of this machine.
        jobs: number of these processes.
    """
    with bar("points", len(tasks)) as progress, cluster(address, jobs) as client:
        for job, outcome in sweep(client, tasks, _tell):
            progress.advance()
            if isinstance(outcome, str):
                _tell(f"{job.label}: {outcome}")
            yield job, None if isinstance(outcome, str) else outcome


def job_of(point: Record) -> Job:
    """The measurement that makes a point.

    Raises:
        InputError: the design no longer has these parameters or values.
    """
    target = find_target(point.target)
    return Job.of(point.subject, target, dsp=point.dsp, seeds=point.provenance.seeds)


def _tell(line: str) -> None:
    print(line, file=sys.stderr)


def main() -> None:
    """Renew the points behind the models."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cluster", metavar="ADDRESS", help="of a Dask scheduler")
    parser.add_argument("--jobs", type=int, default=2, help="measurements at once on this machine")
    words = parser.parse_args()
    renew(kept_points(), keep_points, words.cluster, words.jobs)


if __name__ == "__main__":
    main()
