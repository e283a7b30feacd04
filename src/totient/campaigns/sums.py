"""Campaigns of parts that are repeated and kept: what was done of each part, and the table.

A part is run with the numbers 1, 2, ... What was done is kept after each run, so that a campaign
goes on where it stopped. If the RTL of a part has changed since, its counts begin anew.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from totient.check import Outcome
from totient.common.parallel import in_order
from totient.measure.kept import parsing, read_kept, write_kept
from totient.measure.store import results_folder
from totient.report.table import Column, Table, columns
from totient.report.values import grouped

_SCHEMA = 1


@dataclass(frozen=True)
class Part:
    """What is repeated with one number after the other.

    Attributes:
        name: subject, work and face, in words.
        sources: digest of the RTL.
        run: runs it with a number.
    """

    name: str
    sources: str
    run: Callable[[int], Outcome]


@dataclass(frozen=True)
class Sums:
    """All runs of one part so far.

    Attributes:
        sources: digest of the RTL.
        parts: runs.
        cases: keys, or malformed packets.
        operations: exponentiations and RSA operations, each with its result compared.
        refusals: bad requests, each refused with the right code.
        cycles: simulated clock cycles.
        faults: one line each.
    """

    sources: str
    parts: int = 0
    cases: int = 0
    operations: int = 0
    refusals: int = 0
    cycles: int = 0
    faults: tuple[str, ...] = ()

    def with_run(self, done: Outcome) -> "Sums":
        """The sums with one more run."""
        number = self.parts + 1
        return replace(
            self,
            parts=number,
            cases=self.cases + done.cases,
            operations=self.operations + done.exponentiations,
            refusals=self.refusals + done.refusals,
            cycles=self.cycles + done.cycles,
            faults=(*self.faults, *(f"run {number}: {fault}" for fault in done.faults)),
        )


def _file(campaign: str) -> Path:
    return results_folder() / "campaigns" / f"{campaign}.json"


def kept_sums(campaign: str) -> dict[str, Sums]:
    """What was done of a campaign, by the names of the parts; nothing if there is no file.

    Raises:
        InputError: the file is damaged or of another schema.
    """
    path = _file(campaign)
    return read_kept(path, _parsed) if path.exists() else {}


def _parsed(text: str) -> dict[str, Sums]:
    with parsing(text, _SCHEMA, "campaign") as data:
        return {
            name: Sums(**{**each, "faults": tuple(each["faults"])})
            for name, each in data["parts"].items()
        }


def begun(campaign: str, parts: Iterable[Part]) -> dict[str, Sums]:
    """What was done of these parts with their RTL of today."""
    kept = kept_sums(campaign)
    return {
        part.name: found
        if (found := kept.get(part.name)) and found.sources == part.sources
        else Sums(part.sources)
        for part in parts
    }


def run_parts(
    campaign: str,
    done: dict[str, Sums],
    order: Iterable[str],
    jobs: int,
    parts: Callable[[], Iterable[Part]],
) -> Iterator[tuple[str, Sums]]:
    """Run parts, each with its next number; keep the sums after each.

    Args:
        campaign: its name.
        done: the sums of all parts; they are changed.
        order: names of the parts to run, perhaps without end.
        jobs: parallel processes.
        parts: all parts of the campaign; with more than one process a function that can be pickled.

    Returns:
        In this order, the names and sums of the parts that were run.
    """
    for name, outcome in in_order(_run, _numbered(done, order), jobs, partial(_begin, parts)):
        done[name] = done[name].with_run(outcome)
        _keep(campaign, done)
        yield name, done[name]


_PARTS: dict[str, Part] = {}  # of the campaign in progress


def _begin(parts: Callable[[], Iterable[Part]]) -> None:
    _PARTS.clear()
    _PARTS.update((part.name, part) for part in parts())


def _run(numbered: tuple[str, int]) -> tuple[str, Outcome]:
    name, number = numbered
    return name, _PARTS[name].run(number)


def _numbered(done: Mapping[str, Sums], order: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Each part with its next number, those in progress counted."""
    numbers = {name: each.parts for name, each in done.items()}
    for name in order:
        numbers[name] += 1
        yield name, numbers[name]


def _keep(campaign: str, done: Mapping[str, Sums]) -> None:
    lines = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(vars(each))}" for name, each in done.items()
    )
    write_kept(_file(campaign), f'{{"schema": {_SCHEMA}, "parts": {{\n{lines}\n}}}}\n')


def faults_of(done: Mapping[str, Sums]) -> list[str]:
    """The faults of all parts, one line each."""
    return [f"{name}, {fault}" for name, each in done.items() for fault in each.faults]


def sums_table(
    title: str, done: Mapping[str, Sums], notes: Sequence[str], runs: str | None = None
) -> Table:
    """The sums by design, work and face, and all together.

    Args:
        title: of the table.
        done: sums by the names of the parts.
        notes: below the table.
        runs: heading of a column with the runs; by default there is none, and a row is for all
            variants of a design.
    """
    groups: dict[str, list[Sums]] = {}
    for name, each in done.items():
        subject, _, work = name.partition(", ")
        row = name if runs else f"{subject.partition('?')[0]}, {work}"
        groups.setdefault(row, []).append(each)
    rows = [_row(name, each, runs) for name, each in groups.items()]
    rows.append(_row("all", [*done.values()], runs))
    first = runs or "variants"
    headings = (first, "cases", "operations", "refusals", "cycles", "faults")
    return Table(title, [Column("subject"), *columns(grouped, *headings)], rows, notes)


def _row(name: str, each: list[Sums], runs: str | None) -> list[str | int]:
    sums = [
        sum(getattr(one, figure) for one in each)
        for figure in ("cases", "operations", "refusals", "cycles")
    ]
    first = sum(one.parts for one in each) if runs else len(each)
    return [name, first, *sums, sum(len(one.faults) for one in each)]
