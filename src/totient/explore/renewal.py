"""Renews points after an edit of the RTL: `python -m totient.explore.renewal`.

A point whose RTL elaborates to the same cells and connections is kept. Every other one is measured
again, as it was: with the same seeds, or without a route. One that fails is told and left out.
Those chosen at random are renewed by `python -m totient.explore.sampling COUNT SEED --check`.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace

from totient.common.progress import bar
from totient.explore.points import keep_points, kept_points
from totient.flow import find_target
from totient.measure.cluster import cluster, sweep
from totient.measure.job import Job
from totient.measure.record import Record
from totient.measure.store import is_stale, today_of


def renewed(point: Record) -> Record | None:
    """A point with the digests of the present RTL; `None` if it must be measured again.

    Raises:
        ToolError: the RTL cannot be elaborated.
    """
    if not is_stale(point):
        return point
    now = today_of(point)
    kept = point.provenance.renewed(now) if now else None
    return replace(point, provenance=kept) if kept else None


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
            job, new = job_of(point), renewed(point)
            found[job.to_text()] = new or point
            again += [] if new else [job]
            progress.advance()
    keep([*found.values()])
    with bar("points", len(again)) as progress, cluster(address, jobs) as client:
        for job, outcome in sweep(client, again, _tell):
            if isinstance(outcome, Record):
                found[job.to_text()] = outcome
            else:
                _tell(f"{job.label}: {outcome}")
                del found[job.to_text()]
            keep([*found.values()])
            progress.advance()


def job_of(point: Record) -> Job:
    """The measurement that makes a point."""
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
