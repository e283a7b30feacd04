"""The list of mutants, and how one is put into a copy of the project."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.changed import runs_for

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent
LISTS = ("mutants.toml", "generated.toml")

AREAS = {
    "rtl/": "RTL",
    "src/totient/engine/": "program",
    "driver/": "driver",
    "firmware/": "firmware",
    "src/": "Python",
    "results/published/": "published figures",
}
"""Areas by the start of a file's name; the first that fits counts."""

_ENGINE = (
    *("test_engine.py", "test_engine_packets.py", "test_engine_lengths.py", "test_engine_faces.py"),
    *("test_engine_decision.py", "test_engine_sending.py", "test_engine_blinding.py"),
    *("test_engine_fuzz.py", "test_engine_wipe.py", "test_engine_timing.py"),
    *("test_engine_flips.py", "test_engine_faults.py"),
)
"""Tests of the whole engine, quick ones first."""

_CYCLES = "tests/unit/compare/test_engines.py"
"""Cycles of the flagship's operations, as numbers: a slower program is noticed."""


@dataclass(frozen=True)
class Mutant:
    """A change of one file.

    Attributes:
        file: its name, relative to the root.
        old: a part of one line or several, which is there once.
        new: what takes its place.
        tests: arguments of pytest that select the tests to run; by default those of `make check`
            for its file. For a part of the engine also those of the whole engine.
        equivalent: why no test can notice it, if none can.
    """

    file: str
    old: str
    new: str
    tests: tuple[str, ...] = ()
    equivalent: str = ""

    @property
    def area(self) -> str:
        """The kind of file."""
        return next(area for start, area in AREAS.items() if self.file.startswith(start))

    @property
    def words(self) -> str:
        """The change in one line."""
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{self.file}: {old} -> {new or 'nothing'}"

    @property
    def runs(self) -> list[Sequence[str]]:
        """The options of each run of pytest: style is not checked, behaviour is."""
        if self.tests:
            return [self.tests]
        found = [
            [each for each in run if each != "tests/lint/test_python.py"]
            for run in runs_for([self.file])
        ]
        if "/engine/" in self.file:
            whole = [_CYCLES, *(f"tests/system/{name}" for name in _ENGINE)]
            found.insert(1, ["-m", "not slow", *whole])
        return [*found]

    def put_into(self, root: Path) -> None:
        """Change a copy of the project.

        Raises:
            ValueError: what it changes is not there exactly once.
        """
        path = root / self.file
        text = path.read_text()
        if text.count(self.old) != 1:
            raise ValueError(f"{self.file} has {text.count(self.old)} times: {self.old}")
        path.write_text(text.replace(self.old, self.new))


def mutants() -> list[Mutant]:
    """All of them, in the order of the lists."""
    return [
        Mutant(**{**entry, "tests": tuple(entry.get("tests", ()))})
        for name in LISTS
        for entry in tomllib.loads((FOLDER / name).read_text()).get("mutant", [])
    ]
