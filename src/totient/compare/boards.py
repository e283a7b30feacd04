"""The boards, and the clocks that cores have in their bitstreams."""

from collections.abc import Iterator
from operator import attrgetter

from totient.catalog import Configuration, IpConfiguration, System, find_subject
from totient.flow import find_target
from totient.flow.boards import BOARDS, Board, find_board
from totient.measure import BoardRecord, board_records, netlist_verdict
from totient.report import (
    NOT_RUN,
    WRONG,
    Column,
    Report,
    Table,
    Value,
    columns,
    grouped,
    significant,
    text,
)

TABLES = ("boards", "bitstreams")
NOT_MADE = "not made"
_OPEN_FLOW = "Yosys and nextpnr"

BITSTREAMS: tuple[tuple[str, str, dict[str, int], bool], ...] = (
    ("ulx3s", "engine-64", {}, False),
    ("colorlight_i5", "engine-8", {"width": 2048}, False),
    ("ulx3s", "B1", {}, False),
    ("ulx3s", "E2", {}, False),
    ("ulx3s", "E3", {}, False),
    ("ulx3s", "D6", {}, False),
    ("ulx3s", "T3", {"width": 64}, False),
    ("ulx3s", "T3", {"width": 64}, True),
)
"""Board, what is on it with its parameters, and whether behind registers: engines, every IP, and a
design at the end of the serial line and behind `rsa_axil`."""


def needed(widest: int) -> Iterator[tuple[Board, Configuration | IpConfiguration, bool]]:
    """What a Record is kept of: board, core, whether behind registers; up to a width."""
    for name, core, parameters, registers in BITSTREAMS:
        board, subject = find_board(name), find_subject(core, **parameters)
        assert not isinstance(subject, System)
        if isinstance(subject, Configuration):
            subject = subject.suited(find_target(board.target).family)
        if subject.width <= widest:
            yield board, subject, registers


def compare() -> Report:
    """The tables `TABLES`."""
    records = list(board_records())
    tools = sorted({f"{k} {v}" for each in records for k, v in each.provenance.tools.items()})
    return Report(
        title="Boards, and the clocks of cores on them",
        command="totient boards",
        tables={"boards": _boards(), "bitstreams": _bitstreams(records)},
        findings=(),
        provenance=(
            "boards: what totient bitstream knows of them (docs/driver.md)",
            f"clocks: nextpnr's figures, of Records under results/boards/, with {', '.join(tools)}",
        ),
    )


def _boards() -> Table:
    return Table.of(
        "Boards that have bitstreams",
        (
            Column("board", of=attrgetter("name")),
            Column("what it is", of=attrgetter("title")),
            Column("clock, MHz", significant, attrgetter("clock_mhz")),
            Column("serial port, baud", grouped, attrgetter("baud")),
            Column("reached by", of=attrgetter("serial")),
            Column("made by", of=lambda b: "Vivado or openXC7" if b.is_7series else _OPEN_FLOW),
        ),
        BOARDS.values(),
    )


def _bitstreams(records: list[BoardRecord]) -> Table:
    headings = ("bitstream", "its device", "core's clock", "by seed 1, 2, 3", "its routed netlists")
    kept = {_label(each.subject, each.board, each.registers): each for each in records}
    rows: list[tuple[Value, ...]] = []
    for board, subject, registers in needed(widest=10**6):
        label = _label(subject, board.name, registers)
        record = kept.get(label)
        figures = (*_clocks(record), netlist_verdict(record)) if record else (NOT_MADE,) * 3
        rows.append((label, _device(board), *figures))
    notes = (
        "MHz, nextpnr's figure: the core's clock is the fastest one that the loop makes and the "
        "best route takes",
        *([f"{NOT_MADE}: its Record is missing (totient bench)"] if len(kept) < len(rows) else []),
    )
    return Table("Clocks of cores on boards", columns(text, *headings), rows, notes)


def _label(subject: Configuration | IpConfiguration, board: str, registers: bool) -> str:
    return f"{subject.label}{' behind registers' if registers else ''} on {board}"


def _clocks(record: BoardRecord) -> tuple[Value, Value]:
    """The bitstream's clock and that of each route, where every netlist computes."""
    if not record.computes:
        told = NOT_RUN if record.computes is None else WRONG
        return told, told
    routes = ", ".join(f"{record.fmax_mhz[seed]:.1f}" for seed in sorted(record.fmax_mhz))
    return f"{record.clock_mhz:.4g}", routes


def _device(board: Board) -> str:
    target = find_target(board.target)
    return f"{target.device}, speed {target.speed_grade}"
