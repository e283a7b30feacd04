"""Measured points: Records of cells, and of a clock, on which the models rest.

A committed Record is one. Further ones, without operations, are in
`results/exploration/points.json`: `python -m totient.explore.sampling` measures them. Those that a
user measures with `totient explore --measure` are in the cache.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from totient.catalog import Configuration
from totient.common.cache import cache_folder, digest
from totient.common.errors import InputError
from totient.common.files import project_root
from totient.measure.kept import read_kept, write_kept
from totient.measure.record import Record
from totient.measure.store import committed, is_stale

_Row = TypeVar("_Row")


def exploration_folder() -> Path:
    """Folder of the data behind the exploration."""
    return project_root() / "results" / "exploration"


def read_rows(name: str, parse: Callable[[dict[str, Any]], _Row]) -> list[_Row]:
    """What `parse` makes of each row of a committed file; none without the file.

    Raises:
        InputError: the file is damaged or of another schema.
    """
    path = exploration_folder() / name
    if not path.exists():
        return []
    return read_kept(path, lambda text: [parse(each) for each in json.loads(text)])


def write_rows(name: str, rows: Iterable[dict[str, Any]]) -> Path:
    """Write a committed file, a line for each row.

    Raises:
        ToolError: the file cannot be written.
    """
    text = ",\n".join(map(json.dumps, rows))
    return write_kept(exploration_folder() / name, f"[\n{text}\n]\n")


def kept_points() -> list[Record]:
    """The committed points that are no Records of their own. Errors as for `read_rows`."""
    return read_rows("points.json", lambda row: Record.from_text(json.dumps(row)))


def keep_points(points: Iterable[Record]) -> Path:
    """Write the committed points, sorted, each once; a later one replaces an earlier one.

    Raises:
        ToolError: the file cannot be written.
    """
    found = {_identity(each): each for each in points}
    return write_rows("points.json", (found[name].to_json() for name in sorted(found)))


def _identity(point: Record) -> str:
    seeds = "" if point.routing is None else f"{point.provenance.seeds}"
    return f"{point.subject.label} {point.target} {point.dsp} {seeds}"


def _own_folder() -> Path:
    return cache_folder("exploration", "points")


def keep_own(point: Record) -> Path:
    """Write a user's point to the cache.

    Raises:
        ToolError: the folder cannot be written.
    """
    return write_kept(_own_folder() / f"{digest(_identity(point))}.json", point.to_text())


def own_points() -> Iterator[Record]:
    """A user's points of the present RTL and tools. Damaged files are passed over."""
    for path in sorted(_own_folder().glob("*.json")):
        try:
            point = Record.from_text(path.read_text())
        except (InputError, OSError):
            continue
        if not is_stale(point):
            yield point


WIDEST = 1024
"""Width in bits of the widest exponentiator that a fit knows. Wider Records show how it
extrapolates; the exploration knows them besides."""


def training_points() -> list[Record]:
    """Every committed point to fit to: of a design, with its multiplier blocks allowed.

    Raises:
        InputError: a file is damaged or of another schema.
    """
    records = [*(record for _, record in committed()), *kept_points()]
    return [each for each in records if _is_design(each) and not _is_wide(each)]


def wide_points(records: Iterable[Record]) -> list[Record]:
    """Those of exponentiators that are too wide for a fit."""
    return [each for each in records if _is_wide(each) and _is_design(each)]


def _is_design(point: Record) -> bool:
    return point.dsp and isinstance(point.subject, Configuration)


def _is_wide(point: Record) -> bool:
    return point.design != "engine" and point.parameters.get("width", 0) > WIDEST


def points_digest(points: Sequence[Record]) -> str:
    """Digest of what the models use of points."""
    facts = [
        [each.design, dict(each.parameters), each.target, dict(each.utilisation.cells)]
        + [[str(seed), mhz] for seed, mhz in each.routes.items()]
        for each in points
    ]
    return digest(*sorted(json.dumps(each, sort_keys=True) for each in facts))
