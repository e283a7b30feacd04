"""What was routed for a board: the core's clock, and whether the netlists compute.

Kept under `results/boards/`.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from totient.catalog import Configuration, IpConfiguration, System, command_words, find_subject
from totient.common.cache import digest, readable_errors, write_file
from totient.common.errors import InputError
from totient.common.progress import bar
from totient.flow import has_chain
from totient.flow.bitstream import bitstream, routed_rtl
from totient.flow.boards import Board, find_board
from totient.flow.trellis import board_target
from totient.measure.record import NetlistRuns, Provenance, computing, netlist_json, parsed_netlist
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
        registers: of a design, whether it is behind its AXI4-Lite registers.
        clock_mhz: the core's clock in the bitstream.
        fmax_mhz: the most that each route takes, by its seed, by nextpnr's figure.
        provenance: how it came about.
        netlist: what was run of the routes through the board's pins; `None`: nothing has been.
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
        """What is on the board.

        Raises:
            InputError: the catalog no longer has it.
        """
        found = find_subject(self.design, **self.parameters)
        assert not isinstance(found, System)  # none is routed for a board here
        return found

    @property
    def label(self) -> str:
        """What is on the board, in words."""
        return self.subject.label + (" behind registers" if self.registers else "")

    @property
    def computes(self) -> bool | None:
        """Whether the netlist of every route computes; `None`: not all of them have been run."""
        return computing(self.netlist, self.fmax_mhz)

    def to_text(self) -> str:
        """The JSON as it is kept."""
        data = {
            **vars(self),
            "fmax_mhz": {str(seed): mhz for seed, mhz in self.fmax_mhz.items()},
            "provenance": vars(self.provenance),
            "netlist": netlist_json(self.netlist) if self.netlist else None,
        }
        return json.dumps({"schema": _SCHEMA, **data}, indent=1) + "\n"

    @classmethod
    def from_text(cls, text: str) -> "BoardRecord":
        """What `to_text` gave.

        Raises:
            InputError: damaged, or of another schema.
        """
        try:
            data: dict[str, Any] = json.loads(text)
            schema = data.pop("schema")
            if schema != _SCHEMA:
                raise InputError(f"Record of a board of schema {schema}, allowed is {_SCHEMA}")
            kept, netlist = data.pop("provenance"), data.pop("netlist")
            return cls(
                fmax_mhz={int(seed): mhz for seed, mhz in data.pop("fmax_mhz").items()},
                provenance=Provenance(**{**kept, "seeds": tuple(kept["seeds"])}),
                netlist=parsed_netlist(netlist) if netlist else None,
                **data,
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"damaged Record of a board: {error!r}") from error


def measure_board(
    board: Board, subject: Configuration | IpConfiguration, registers: bool = False
) -> BoardRecord:
    """Place and route a board by all seeds, each once, and pack the best one.

    Args:
        board: with an ECP5.
        subject: what is on it, as it suits the board's device.
        registers: of a design, behind its AXI4-Lite registers.

    Raises:
        InputError: it does not fit.
        ToolError: a tool failed.
    """
    words, behind = command_words(subject), " --registers" if registers else ""
    sources, flow = _digests(board, subject, registers)
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
            tools=tools(subject, board_target(board)),
            seeds=tuple(made.by_seed),
            sources=sources,
            flow=flow,
            commit=rtl_commit(routed_rtl(board, subject, registers=registers)),
        ),
    )


def _digests(
    board: Board, subject: Configuration | IpConfiguration, registers: bool
) -> tuple[str, str]:
    """Of the RTL of a board's top, and of what it is routed by."""
    rtl, target = routed_rtl(board, subject, registers=registers), board_target(board)
    floor = [repr(target.floor)] if has_chain(rtl) else []
    return rtl.digest, digest(board.constraints, repr(board.device), repr(target), *floor)


def is_stale_board(record: BoardRecord) -> bool:
    """Whether RTL, board, target or tool versions are no longer those of the Record."""
    kept = record.provenance
    try:
        board, subject = find_board(record.board), record.subject
    except InputError:
        return True
    now = (*_digests(board, subject, record.registers), tools(subject, board_target(board)))
    return (kept.sources, kept.flow, dict(kept.tools)) != now


def board_file(board: Board, subject: Configuration | IpConfiguration, registers: bool) -> Path:
    """Where the Record is kept."""
    name = file_name(subject, board_target(board), dsp=True)
    name = name.replace(f"-{board.target}.json", "-registers" * registers + f"-{board.name}.json")
    return results_folder() / "boards" / name


def save_board(record: BoardRecord) -> Path:
    """Write a Record over the one of the same core on the same board.

    Raises:
        ToolError: the folder cannot be written.
    """
    path = board_file(find_board(record.board), record.subject, record.registers)
    with readable_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, record.to_text().encode())
    return path


def board_records() -> Iterator[BoardRecord]:
    """Every committed Record of a board, in the order of names.

    Raises:
        InputError: a file is damaged or of another schema.
    """
    for path in sorted((results_folder() / "boards").glob("*.json")):
        try:
            yield BoardRecord.from_text(path.read_text())
        except InputError as error:
            raise InputError(f"{path.name}: {error}") from error
