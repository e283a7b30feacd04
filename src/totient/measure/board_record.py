"""Records of boards: the core's clock in the bitstream, and runs of the netlists.

They are kept under `results/boards/`.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from totient.catalog import Configuration, IpConfiguration, System, command_words, find_subject
from totient.common.cache import digest
from totient.common.errors import InputError
from totient.common.progress import bar
from totient.flow import Rtl, has_chain, structure
from totient.flow.bitstream import bitstream, routed_rtl
from totient.flow.boards import Board, find_board
from totient.flow.trellis import ECP5_FLOW
from totient.measure.kept import parsing, read_kept, write_kept
from totient.measure.provenance import Provenance, Today
from totient.measure.record import NetlistRuns, computing, netlist_json, parsed_netlist
from totient.measure.rtl import rtl_commit
from totient.measure.store import file_name, results_folder, tools

_SCHEMA = 1


@dataclass(frozen=True)
class BoardRecord:
    """A design or an IP on an ECP5 board.

    Attributes:
        board: its name.
        design: name in the catalog.
        parameters: all of them, by the catalog's names.
        registers: for a design, whether it is behind its AXI4-Lite registers.
        clock_mhz: the core's clock in the bitstream.
        fmax_mhz: maximum clock of each route from nextpnr, by seed.
        provenance: command, tools and digests.
        netlist: runs of the routes through the board's pins; `None`: not run.
    """

    board: str
    design: str
    parameters: Mapping[str, int]
    registers: bool
    clock_mhz: float
    fmax_mhz: Mapping[int, float]
    provenance: Provenance
    netlist: NetlistRuns | None = field(default=None, compare=False)

    @property
    def subject(self) -> Configuration | IpConfiguration:
        """The core on the board.

        Raises:
            InputError: the catalog no longer has it.
        """
        found = find_subject(self.design, **self.parameters)
        assert not isinstance(found, System)  # no system is routed for a board here
        return found

    @property
    def label(self) -> str:
        """The core on the board, in words."""
        return self.subject.label + (" behind registers" if self.registers else "")

    @property
    def computes(self) -> bool | None:
        """Whether the netlist of every route computes; `None` unless all have been run."""
        return computing(self.netlist, self.fmax_mhz)

    def to_text(self) -> str:
        """The JSON of the file."""
        data = {
            **vars(self),
            "fmax_mhz": {str(seed): mhz for seed, mhz in self.fmax_mhz.items()},
            "provenance": vars(self.provenance),
            "netlist": netlist_json(self.netlist) if self.netlist else None,
        }
        return json.dumps({"schema": _SCHEMA, **data}, indent=1) + "\n"

    @classmethod
    def from_text(cls, text: str) -> "BoardRecord":
        """Parse the text of `to_text`.

        Raises:
            InputError: damaged, or of another schema.
        """
        with parsing(text, _SCHEMA, "Record of a board") as data:
            kept, netlist = data.pop("provenance"), data.pop("netlist")
            return cls(
                fmax_mhz={int(seed): mhz for seed, mhz in data.pop("fmax_mhz").items()},
                provenance=Provenance(**{**kept, "seeds": tuple(kept["seeds"])}),
                netlist=parsed_netlist(netlist) if netlist else None,
                **data,
            )


def measure_board(
    board: Board, subject: Configuration | IpConfiguration, registers: bool = False
) -> BoardRecord:
    """Place and route a board with each seed, and pack the best route.

    Args:
        board: with an ECP5.
        subject: the core, with the parameters for the board's device.
        registers: whether a design is behind its AXI4-Lite registers.

    Raises:
        InputError: it does not fit.
        ToolError: a tool failed.
    """
    words, behind = command_words(subject), " --registers" if registers else ""
    rtl = routed_rtl(board, subject, registers=registers)
    now = _today(board, subject, rtl)
    built = now.structure()
    with bar(f"{subject.label} on {board.name}") as progress:
        made = bitstream(board, subject, None, progress.describe, registers)
    return BoardRecord(
        board=board.name,
        design=subject.name,
        parameters=dict(subject.parameters),
        registers=registers,
        clock_mhz=made.clock_mhz,
        fmax_mhz=made.by_seed,
        provenance=Provenance(
            command=f"totient bitstream --board {board.name} --design {words}{behind}",
            tools=now.tools,
            seeds=tuple(made.by_seed),
            sources=now.sources,
            structure=built,
            flow=now.flow,
            commit=rtl_commit(rtl),
        ),
    )


def _today(board: Board, subject: Configuration | IpConfiguration, rtl: Rtl) -> Today:
    """What a Record of a core on a board, by the RTL of the board's top, would be measured of."""
    target = ECP5_FLOW.target(board)
    floor = [repr(target.floor)] if has_chain(rtl) else []
    flow = digest(board.constraints, repr(board.device), repr(target), *floor)
    return Today(rtl.digest, flow, tools(subject, target), lambda: structure(rtl, target))


def today_of(record: BoardRecord) -> Today | None:
    """The same for an existing Record; `None` if the board or the core no longer exists."""
    try:
        board, subject = find_board(record.board), record.subject
    except InputError:
        return None
    return _today(board, subject, routed_rtl(board, subject, registers=record.registers))


def is_stale_board(record: BoardRecord) -> bool:
    """Whether RTL, board, target or tool versions differ from the Record's."""
    return not record.provenance.is_of(today_of(record))


def board_file(board: Board, subject: Configuration | IpConfiguration, registers: bool) -> Path:
    """Where the Record is kept."""
    name = file_name(subject, ECP5_FLOW.target(board), dsp=True)
    name = name.replace(f"-{board.target}.json", "-registers" * registers + f"-{board.name}.json")
    return results_folder() / "boards" / name


def save_board(record: BoardRecord) -> Path:
    """Write a Record, replacing that of the same core on the same board.

    Raises:
        ToolError: the folder cannot be written.
    """
    path = board_file(find_board(record.board), record.subject, record.registers)
    return write_kept(path, record.to_text())


def board_records() -> Iterator[BoardRecord]:
    """Every committed Record of a board, sorted by name.

    Raises:
        InputError: a file is damaged or of another schema.
    """
    for path in sorted((results_folder() / "boards").glob("*.json")):
        yield read_kept(path, BoardRecord.from_text)
