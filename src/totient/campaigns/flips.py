"""Kept campaigns of flipped bits in the engine: what came of them, by operation and phase.

A campaign (`totient.check.engine_flips`) is run in parts. Each part hits every phase of every
operation equally often, and is kept as soon as it is done. A campaign of the same RTL is continued,
one of other RTL begins anew.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from totient.catalog import Configuration, select
from totient.check.engine_flips import OUTCOMES, Flips, check_flips
from totient.common.parallel import in_order
from totient.measure.kept import parsing, read_kept, write_kept
from totient.measure.rtl import ip_rtl, rtl_commit
from totient.measure.store import results_folder
from totient.report.table import Column, Table, columns
from totient.report.values import grouped, percent

BITS = 512
"""Bits of the modulus."""

PART = 1440
"""Operations of a part: 96 for each phase of each operation."""

_SCHEMA = 1

_Key = tuple[str, str]


def flipped_engine() -> Configuration:
    """The engine of the campaigns, a small one: so more operations can be simulated."""
    return select("engine", width=1024, elements=8)


@dataclass(frozen=True)
class FlipCounts:
    """A campaign.

    Attributes:
        flips: flipped bits in each operation.
        sources: digest of the RTL.
        commit: git revision of the RTL, if all of it was committed.
        parts: parts that were run. The seeds are their numbers, from 1 on.
        elements: registers and memories of the state.
        outcomes: number of operations, by operation and phase of the first flip, by outcome.
        reached: registers and memories that the first flip hit, by operation and phase. Each is a
            bit.
        faults: violations, one line each.
    """

    flips: int
    sources: str
    commit: str | None
    parts: int = 0
    elements: int = 0
    outcomes: Mapping[_Key, Counter[str]] = field(default_factory=dict)
    reached: Mapping[_Key, int] = field(default_factory=dict)
    faults: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """Number of operations."""
        return sum(each.total() for each in self.outcomes.values())

    def with_part(self, done: Flips) -> "FlipCounts":
        """The campaign with one more part."""
        outcomes, reached = dict(self.outcomes), dict(self.reached)
        for key, counted in done.outcomes.items():
            outcomes[key] = outcomes.get(key, Counter()) + counted
            reached[key] = reached.get(key, 0) | sum(1 << place for place in done.reached[key])
        return replace(
            self,
            parts=self.parts + 1,
            elements=done.elements,
            outcomes=outcomes,
            reached=reached,
            faults=(*self.faults, *done.faults),
        )

    def to_text(self) -> str:
        """The JSON of the file."""
        cells = [
            {"operation": key[0], "phase": key[1], "reached": f"{self.reached[key]:x}", **counted}
            for key, counted in self.outcomes.items()
        ]
        data = {"schema": _SCHEMA, **vars(self), "outcomes": cells}
        del data["reached"]
        return json.dumps(data, indent=1) + "\n"

    @classmethod
    def from_text(cls, text: str) -> "FlipCounts":
        """Parse the text of `to_text`.

        Raises:
            InputError: damaged, or of another schema.
        """
        with parsing(text, _SCHEMA, "campaign of flipped bits") as data:
            outcomes: dict[_Key, Counter[str]] = {}
            reached: dict[_Key, int] = {}
            for cell in data.pop("outcomes"):
                key = (cell.pop("operation"), cell.pop("phase"))
                reached[key] = int(cell.pop("reached"), 16)
                outcomes[key] = Counter(cell)
            faults = tuple(data.pop("faults"))
            return cls(outcomes=outcomes, reached=reached, faults=faults, **data)


def _file(flips: int) -> Path:
    return results_folder() / "campaigns" / f"flips-{flips}.json"


def kept_flips(flips: int) -> FlipCounts | None:
    """The kept campaign with so many flipped bits in each operation, also of earlier RTL.

    Raises:
        InputError: its file is damaged or of another schema.
    """
    path = _file(flips)
    return read_kept(path, FlipCounts.from_text) if path.exists() else None


def run_flips(flips: int, count: int, jobs: int = 1) -> Iterator[tuple[FlipCounts, Path]]:
    """Run a campaign until it has at least so many operations; keep it after each part.

    Args:
        flips: flipped bits in each operation, 1 or 2.
        count: operations.
        jobs: parallel processes.

    Returns:
        After each part the campaign and its file.

    Raises:
        InputError: the file of an earlier campaign is damaged.
        ToolError: the model cannot be built, or the file cannot be written.
    """
    rtl = ip_rtl(flipped_engine())
    now = kept_flips(flips)
    if now is None or now.sources != rtl.digest:
        now = FlipCounts(flips, rtl.digest, rtl_commit(rtl))
    while now.count < count:
        left = -(-(count - now.count) // PART)
        seeds = range(now.parts + 1, now.parts + 1 + left)
        for done in in_order(partial(_part, flips), seeds, jobs):
            now = now.with_part(done)
            yield now, write_kept(_file(flips), now.to_text())


def _part(flips: int, seed: int) -> Flips:
    return check_flips(flipped_engine(), BITS, PART, seed, flips=flips)


def table(counts: FlipCounts) -> Table:
    """Outcomes by operation and phase."""
    engine = flipped_engine()
    rows = [_row(counts, key) for key in counts.outcomes]
    bits = "one flipped bit" if counts.flips == 1 else "two flipped bits"
    notes = [
        f"{engine.label}, {BITS} bits, {counts.count:,} operations with {bits} each, "
        f"{len(counts.faults)} violations of the promise",
        "load: a key is loaded, and the outcome is that of a private operation after it",
        "phase: of the first flip",
        "error: the engine answers with an error code. Void: the answer is longer than its header "
        "states, and a driver refuses it. Broken: no valid answer, refused as well",
        f"reached: share of the {counts.elements} registers and memories that were hit",
    ]
    if counts.sources != ip_rtl(engine).digest:
        notes.append(f"measured on earlier RTL, revision {(counts.commit or 'unknown')[:12]}")
    title = f"Flipped bits in the engine, {bits} in each operation"
    return Table(title, _COLUMNS, rows, notes)


_COLUMNS = [
    *(Column(heading) for heading in ("operation", "phase")),
    *columns(grouped, "operations", *map(str.lower, OUTCOMES)),
    Column("reached", percent),
]


def _row(counts: FlipCounts, key: _Key) -> list[Any]:
    found = counts.outcomes[key]
    share = counts.reached[key].bit_count() / counts.elements
    return [*key, found.total(), *(found[what] for what in OUTCOMES), share]
