"""All configurations for an operation, kept in the cache as arrays."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from totient.catalog import designs
from totient.common.cache import digest, produce
from totient.common.files import project_root
from totient.explore.candidates import Candidates
from totient.explore.cycles import Work
from totient.explore.interval import Interval
from totient.explore.space import Space

_EDITION = 1
"""Of the files. Increase it if their content changes in another way than by the code's text."""

_NUMBERS = ("cycles", "dsp", "block_ram")
_INTERVALS = ("lut", "ff", "ns", "cycle_joules")


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
    computed: list[Candidates] = []

    def build(folder: Path) -> None:
        computed.extend(compute())
        _write(folder / "table.npz", computed)

    folder = produce("exploration", name, build)
    return computed or _read(folder / "table.npz")


def _write(path: Path, parts: Sequence[Candidates]) -> None:
    arrays: dict[str, Any] = {"parts": np.array(json.dumps([_head(part) for part in parts]))}
    for i, part in enumerate(parts):
        for name, array in part.space.parameters.items():
            arrays[f"{i}/{name}"] = array.astype(np.int16)
        for name in _NUMBERS:
            arrays[f"{i}/.{name}"] = getattr(part, name)
        for name in _INTERVALS:
            figures: Interval = getattr(part, name)
            arrays[f"{i}/.{name}"] = figures.middle.astype(np.float32)
            arrays[f"{i}/.{name} factor"] = figures.factor.astype(np.float32)
    with path.open("wb") as file:
        np.savez(file, **arrays)


def _head(part: Candidates) -> dict[str, Any]:
    return {"design": part.space.design.name, "work": list(part.work)}


def _read(path: Path) -> list[Candidates]:
    known = {design.name: design for design in designs()}
    found = []
    with np.load(path) as arrays:
        for i, head in enumerate(json.loads(str(arrays["parts"]))):
            design = known[head["design"]]
            parameters = {
                each.name: arrays[f"{i}/{each.name}"].astype(np.int64) for each in design.parameters
            }
            figures: dict[str, Any] = {name: arrays[f"{i}/.{name}"] for name in _NUMBERS}
            for name in _INTERVALS:
                middle, factor = arrays[f"{i}/.{name}"], arrays[f"{i}/.{name} factor"]
                figures[name] = Interval.about(middle, factor)
            found.append(Candidates(Space(design, parameters), Work(*head["work"]), **figures))
    return found
