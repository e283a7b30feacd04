"""Records of boards: the core's clock in the bitstream, and runs of the netlists."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from totient.catalog import Configuration, IpConfiguration, System, find_subject
from totient.flow.boards import find_board
from totient.measure.kept import parsing
from totient.measure.netlists import NetlistRuns, computing
from totient.measure.provenance import Provenance
from totient.measure.record import Record

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

    dsp: ClassVar[bool] = True

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
    def target(self) -> str:
        """Name of the board's device."""
        return find_board(self.board).target

    @property
    def label(self) -> str:
        """The core on the board, in words."""
        return self.subject.label + (" behind registers" if self.registers else "")

    @property
    def place(self) -> dict[str, str | bool]:
        """The board, and how the core is on it."""
        return {"board": self.board, "registers": self.registers}

    @property
    def routes(self) -> Mapping[int, float]:
        """Maximum clock of each route, by seed."""
        return self.fmax_mhz

    @property
    def computes(self) -> bool | None:
        """Whether the netlist of every route computes; `None` unless all have been run."""
        return computing(self.netlist, self.routes)

    def to_text(self) -> str:
        """The JSON of the file."""
        data = {
            **vars(self),
            "fmax_mhz": {str(seed): mhz for seed, mhz in self.fmax_mhz.items()},
            "provenance": self.provenance.to_json(),
            "netlist": self.netlist.to_json() if self.netlist else None,
        }
        return json.dumps({"schema": _SCHEMA, **data}, indent=1) + "\n"

    @classmethod
    def from_text(cls, text: str) -> "BoardRecord":
        """Parse the text of `to_text`.

        Raises:
            InputError: damaged, or of another schema.
        """
        with parsing(text, _SCHEMA, "Record of a board") as data:
            return cls(
                fmax_mhz={int(seed): mhz for seed, mhz in data.pop("fmax_mhz").items()},
                provenance=Provenance.from_json(data.pop("provenance")),
                netlist=NetlistRuns.from_json(data.pop("netlist")),
                **data,
            )


RoutedRecord = Record | BoardRecord
"""A Record that may have routes, of a core alone or on a board."""
