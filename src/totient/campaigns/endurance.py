"""Endurance: random operations on every core and each of its faces, for billions of cycles.

Each subject is checked in parts, one after the other; the part's number is its seed. What was done
is kept after each part, so that a run goes on where it stopped. If the RTL of a subject has changed
since, its counts begin anew.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle
from pathlib import Path

from totient.catalog import Configuration, IpConfiguration, designs, ips, select, select_ip
from totient.check import Check, On, Outcome, Subject, check_fuzz, check_wipe
from totient.check.subject import RTL
from totient.flow import top_rtl
from totient.flow.boards import find_board
from totient.measure.kept import parsing, read_kept, write_kept
from totient.measure.store import results_folder
from totient.report.table import Column, Table, columns
from totient.report.values import grouped

_SCHEMA = 1

_ENGINES = ((1, 8), (4, 20), (8, 30), (16, 30), (32, 30), (62, 30))  # elements, operations
_WIDTHS = ((32, 40), (33, 40), (96, 12))  # of the other designs, cases
_BOARD = "ulx3s"
_SERIAL_CASES = 4


@dataclass(frozen=True)
class Part:
    """What is repeated with one seed after the other.

    Attributes:
        name: subject, work and face, in words.
        sources: digest of the RTL.
        run: runs it with a seed.
    """

    name: str
    sources: str
    run: Callable[[int], Outcome]


@dataclass(frozen=True)
class Endured:
    """All parts of one kind so far.

    Attributes:
        sources: digest of the RTL.
        parts: that were run.
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

    def with_part(self, done: Outcome) -> "Endured":
        """The sums with one more part."""
        number = self.parts + 1
        return replace(
            self,
            parts=number,
            cases=self.cases + done.cases,
            operations=self.operations + done.exponentiations,
            refusals=self.refusals + done.refusals,
            cycles=self.cycles + done.cycles,
            faults=(*self.faults, *(f"seed {number}: {fault}" for fault in done.faults)),
        )


def parts() -> Iterator[Part]:
    """Everything that is repeated: engines, designs, IPs, and cores on a board's pins."""
    for elements, count in _ENGINES:
        engine = select("engine", width=1024, elements=elements)
        yield _checked(engine, count, private=True)
    two_slots = select("engine", width=1024, elements=8, key_slots=2)
    long = select("engine", width=1024, elements=62, digit_bits=17)
    for engine in (two_slots, long):
        yield _part(engine, "malformed packets", partial(check_fuzz, engine, 200))
    yield _part(long, "clear at any moment", partial(check_wipe, long, 512, 10))
    for width, count in _WIDTHS:
        rows = (select(row, width=width) for design in designs() for row in design.rows)
        yield from (_checked(each, count) for each in {each.label: each for each in rows}.values())
    for ip in ips():
        yield _checked(select_ip(ip.name), 20)
    board = find_board(_BOARD)
    small = select("T2", width=64)
    for on, face in (
        (On(board=board), "on the pins of a board"),
        (On(board=board, registers=True), "behind registers, on the pins of a board"),
    ):
        yield _checked(small, _SERIAL_CASES, on, face)
    yield _checked(two_slots, 2, On(board=board), "on the pins of a board", private=True)


def _checked(
    subject: Configuration | IpConfiguration,
    count: int,
    on: On = RTL,
    face: str = "operations",
    *,
    private: bool = False,
) -> Part:
    def run(seed: int) -> Outcome:
        return Check(subject, count, seed, private=private).run(on)

    return _part(subject, face, run, on)


def _part(
    subject: Configuration | IpConfiguration,
    what: str,
    run: Callable[[int], Outcome],
    on: On = RTL,
) -> Part:
    top = Subject(subject, on).top
    return Part(f"{subject.label}, {what}", top_rtl(top).digest, run)


def _file() -> Path:
    return results_folder() / "campaigns" / "endurance.json"


def kept_endurance() -> dict[str, Endured]:
    """What was done, by the names of the parts; nothing if there is no file.

    Raises:
        InputError: the file is damaged or of another schema.
    """
    path = _file()
    return read_kept(path, _parsed) if path.exists() else {}


def _parsed(text: str) -> dict[str, Endured]:
    with parsing(text, _SCHEMA, "endurance run") as data:
        return {
            name: Endured(**{**each, "faults": tuple(each["faults"])})
            for name, each in data["parts"].items()
        }


def _write(done: Mapping[str, Endured]) -> Path:
    lines = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(vars(each))}" for name, each in done.items()
    )
    return write_kept(_file(), f'{{"schema": {_SCHEMA}, "parts": {{\n{lines}\n}}}}\n')


def endure(cycles: int) -> Iterator[tuple[str, Endured, int]]:
    """Repeat all parts in turn until so many cycles were simulated.

    Args:
        cycles: of all parts together, those of earlier runs included.

    Returns:
        After each part its name, its sums, and the cycles of all parts.

    Raises:
        InputError: the file of an earlier run is damaged.
        ToolError: a model cannot be built, an assertion of the RTL failed, or a core hangs.
    """
    every = [*parts()]
    kept = kept_endurance()
    done = {
        each.name: found
        if (found := kept.get(each.name)) and found.sources == each.sources
        else Endured(each.sources)
        for each in every
    }
    total = sum(each.cycles for each in done.values())
    for part in cycle(every):
        if total >= cycles:
            return
        before = done[part.name]
        done[part.name] = now = before.with_part(part.run(before.parts + 1))
        total += now.cycles - before.cycles
        _write(done)
        yield part.name, now, total


def table(done: Mapping[str, Endured]) -> Table:
    """The sums by design, work and face, and all together."""
    groups: dict[str, list[Endured]] = {}
    for name, each in done.items():
        subject, _, work = name.partition(", ")
        groups.setdefault(f"{subject.partition('?')[0]}, {work}", []).append(each)
    rows = [_row(name, each) for name, each in groups.items()]
    rows.append(_row("all", [*done.values()]))
    headings = ("variants", "cases", "operations", "refusals", "cycles", "faults")
    notes = [
        "variants: of parameters. Cases: keys, or malformed packets",
        "operations: each with its result compared with Python's pow; padded inputs of the engine "
        "also with OpenSSL, signatures of the IPs with cryptography",
        "refusals: bad requests, each refused with the right error code",
    ]
    shown = [Column("subject"), *columns(grouped, *headings)]
    return Table("Endurance: random operations on each core", shown, rows, notes)


def _row(name: str, each: list[Endured]) -> list[str | int]:
    sums = [
        sum(getattr(one, figure) for one in each)
        for figure in ("cases", "operations", "refusals", "cycles")
    ]
    return [name, len(each), *sums, sum(len(one.faults) for one in each)]
