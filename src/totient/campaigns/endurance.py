"""Endurance: random operations on every core and each of its faces, for billions of cycles.

Each subject is checked in parts, one after the other; the number of a run is its seed.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import cycle

from totient.campaigns.sums import Part, Sums, begun, kept_sums, run_parts, sums_table
from totient.catalog import Configuration, IpConfiguration, designs, ips, select, select_ip
from totient.check import (
    Check,
    On,
    Outcome,
    Subject,
    check_core_fuzz,
    check_fuzz,
    check_ip_fuzz,
    check_wipe,
)
from totient.check.subject import RTL
from totient.flow import top_rtl
from totient.flow.boards import find_board
from totient.report.table import Table

_NAME = "endurance"
_ENGINES = ((1, 8), (4, 20), (8, 30), (16, 30), (32, 30), (62, 30))  # elements, operations
_WIDTHS = ((32, 40), (33, 40), (96, 12))  # of the other designs, cases
_FUZZ_WIDTH, _FUZZ = 33, 5000  # of the other designs; malformed packets or accesses
_BOARD = "ulx3s"
_SERIAL_CASES = 4


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
    for row in sorted({row for design in designs() for row in design.rows}):
        core = select(row, width=_FUZZ_WIDTH)
        yield _part(core, "malformed packets", partial(check_core_fuzz, core, _FUZZ))
    for each in map(select_ip, (ip.name for ip in ips())):
        yield _checked(each, 20)
        yield _part(each, "malformed input", partial(check_ip_fuzz, each, _FUZZ))
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


def kept_endurance() -> dict[str, Sums]:
    """What was done, by the names of the parts; nothing if there is no file.

    Raises:
        InputError: the file is damaged or of another schema.
    """
    return kept_sums(_NAME)


def endure(cycles: int, jobs: int = 1) -> Iterator[tuple[str, Sums, int]]:
    """Repeat all parts in turn until so many cycles were simulated.

    Args:
        cycles: of all parts together, those of earlier runs included.
        jobs: parallel processes.

    Returns:
        After each part its name, its sums, and the cycles of all parts.

    Raises:
        InputError: the file of an earlier run is damaged.
        ToolError: a model cannot be built, an assertion of the RTL failed, or a core hangs.
    """
    done = begun(_NAME, parts())
    total = sum(each.cycles for each in done.values())
    if total >= cycles:
        return
    for name, now in run_parts(_NAME, done, cycle([*done]), jobs, parts):
        total = sum(each.cycles for each in done.values())
        yield name, now, total
        if total >= cycles:
            return


def table(done: Mapping[str, Sums]) -> Table:
    """The sums by design, work and face, and all together."""
    malformed = sum(each.cases for name, each in done.items() if ", malformed " in name)
    notes = [
        "variants: of parameters. Cases: keys; or malformed packets, and for IPs accesses of their "
        "registers",
        f"{malformed:,} malformed packets and accesses in all",
        "operations: each with its result compared with Python's pow; padded inputs of the engine "
        "also with OpenSSL, signatures of the IPs with cryptography",
        "refusals: bad requests, each refused with the right error code",
    ]
    return sums_table("Endurance: random operations on each core", done, notes)
