"""The boards, and the clocks of cores in their bitstreams."""

from collections.abc import Iterator

from totient.catalog import Configuration, IpConfiguration, System, find_subject
from totient.flow import find_target
from totient.flow.boards import BOARDS, Board, find_board
from totient.measure import BoardRecord, board_records, netlist_verdict
from totient.report import Column, Report, Table, Value, columns
from totient.report.values import NOT_RUN, WRONG, grouped, significant, text

TABLES = ("boards", "bitstreams")
NOT_MADE = "not made"
_OPEN_FLOW = "Yosys and nextpnr"

BITSTREAMS: tuple[tuple[str, str, dict[str, int], bool], ...] = (
    ("ulx3s", "engine-62", {}, False),
    ("colorlight_i5", "engine-8", {"width": 2048}, False),
    ("ulx3s", "B1", {}, False),
    ("ulx3s", "E2", {}, False),
    ("ulx3s", "E3", {}, False),
    ("ulx3s", "D6", {}, False),
    ("ulx3s", "T3", {"width": 64}, False),
    ("ulx3s", "T3", {"width": 64}, True),
)
"""Board, core with its parameters, and whether it is behind registers: engines, every IP, and a
design on the serial line and behind `rsa_axil`."""


def needed(widest: int) -> Iterator[tuple[Board, Configuration | IpConfiguration, bool]]:
    """Board, core, and whether it is behind registers, of each Record up to a width."""
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
            "boards: the data of totient bitstream (docs/driver.md)",
            f"clocks: from nextpnr, Records under results/boards/, with {', '.join(tools)}",
        ),
    )


def _boards() -> Table:
    return Table.of(
        "Boards with bitstreams",
        (
            *columns(text, ("board", "name"), ("description", "title")),
            Column("clock, MHz", significant, "clock_mhz"),
            Column("serial port, baud", grouped, "baud"),
            Column("connection", of="serial"),
            Column("tools", of=lambda b: "Vivado or openXC7" if b.is_7series else _OPEN_FLOW),
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
        "MHz, from nextpnr. The core's clock is the highest one that the clock generator produces "
        "and the best route supports",
        *([f"{NOT_MADE}: its Record is missing (totient bench)"] if len(kept) < len(rows) else []),
    )
    return Table.of("Clocks of cores on boards", columns(text, *headings), rows, *notes)


def _label(subject: Configuration | IpConfiguration, board: str, registers: bool) -> str:
    return f"{subject.label}{' behind registers' if registers else ''} on {board}"


def _clocks(record: BoardRecord) -> tuple[Value, Value]:
    """The bitstream's clock and that of each route, where every netlist computes correctly."""
    if not record.computes:
        word = NOT_RUN if record.computes is None else WRONG
        return word, word
    routes = ", ".join(f"{record.fmax_mhz[seed]:.1f}" for seed in sorted(record.fmax_mhz))
    return f"{record.clock_mhz:.4g}", routes


def _device(board: Board) -> str:
    target = find_target(board.target)
    return f"{target.device}, speed {target.speed_grade}"
