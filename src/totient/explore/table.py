"""All configurations for an operation, kept in the cache as arrays."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from totient.catalog import designs
from totient.common.cache import digest, produce
from totient.common.files import project_root
from totient.explore.candidates import INTERVALS, NUMBERS, Candidates
from totient.explore.cycles import Work
from totient.explore.interval import Interval
from totient.explore.space import Space

_EDITION = 2
"""Of the files. Increase it if their content changes in another way than by the code's text."""


def table_name(work: Work, family: str, points: str) -> str:
    """Name of a table, from everything that its content depends on.

    Args:
        work: the operation, and how it is done.
        family: of the device.
        points: digest of the points behind the models, with a user's own.
    """
    return digest(f"{_EDITION} {work} {family} {points}", *_sources())


def _sources() -> Iterator[bytes]:
    """The code and data from which figures come."""
    package = Path(__file__).parents[1]
    for folder in ("catalog", "engine", "explore", "common"):
        for path in sorted((package / folder).glob("*.py")):
            yield path.read_bytes()
    yield (package / "measure" / "engine_table.py").read_bytes()
    for name in ("models.json", "engine_cycles.json"):
        yield (project_root() / "results" / "exploration" / name).read_bytes()


def kept_table(name: str, compute: Callable[[], list[Candidates]]) -> list[Candidates]:
    """The configurations of a table, from the cache or computed.

    Args:
        name: from `table_name`.
        compute: function that computes them.

    Raises:
        ToolError: the cache cannot be written.
    """
    folder = produce("exploration", name, lambda folder: _write(folder, compute()))
    return _read(folder)  # also when just computed: the same figures, to the last bit


def _write(folder: Path, parts: Sequence[Candidates]) -> None:
    """Three files of arrays, part after part: they are mapped, and only what is used is read."""
    (folder / "parts.json").write_text(json.dumps([_head(part) for part in parts]))
    spaces = [
        part.space.parameters[each.name] for part in parts for each in part.space.design.parameters
    ]
    np.save(folder / "parameters.npy", np.concatenate(spaces, dtype=np.int16))
    numbers = [np.stack([getattr(part, name) for name in NUMBERS]) for part in parts]
    np.save(folder / "numbers.npy", np.concatenate(numbers, axis=1))
    bounds = [np.stack([b for name in INTERVALS for b in getattr(part, name)]) for part in parts]
    np.save(folder / "intervals.npy", np.concatenate(bounds, axis=1, dtype=np.float32))


def _head(part: Candidates) -> dict[str, Any]:
    return {"design": part.space.design.name, "work": list(part.work), "count": len(part)}


def _read(folder: Path) -> list[Candidates]:
    known = {design.name: design for design in designs()}
    parameters, numbers, intervals = (
        np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r"))
        for name in ("parameters", "numbers", "intervals")
    )
    found = []
    start = start_of_space = 0
    for head in json.loads((folder / "parts.json").read_text()):
        design, count = known[head["design"]], head["count"]
        names = [each.name for each in design.parameters]
        end, end_of_space = start + count, start_of_space + count * len(names)
        rows = parameters[start_of_space:end_of_space].reshape(-1, count)
        figures: dict[str, Any] = dict(zip(NUMBERS, numbers[:, start:end], strict=True))
        bounds = intervals[:, start:end].reshape(len(INTERVALS), 3, count)
        figures |= {name: Interval(*each) for name, each in zip(INTERVALS, bounds, strict=True)}
        space = Space(design, dict(zip(names, rows, strict=True)))
        found.append(Candidates(space, Work(*head["work"]), **figures))
        start, start_of_space = end, end_of_space
    return found
