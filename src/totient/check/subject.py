"""Subject of a check: the RTL, or a netlist of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from totient.catalog import Configuration, Face, IpConfiguration, Top
from totient.check.pins import BoardModel, OnBoard
from totient.flow import Target, routed, routed_files, synthesised_verilog, top_rtl
from totient.flow.boards import Board
from totient.sim import SERIAL_BIT_CYCLES, Model, build_model, build_netlist_model


class Stage(StrEnum):
    """Stage of a netlist between the RTL and the device."""

    SYNTHESISED = "synthesised"
    ROUTED = "routed"


@dataclass(frozen=True)
class Netlist:
    """A netlist of a design.

    Attributes:
        stage: of the netlist.
        target: the device.
        seed: of the placer, for a routed netlist.
        dsp: whether multiplications may use the device's multiplier blocks.
        unknowns: seeds of the netlist's unknown values; a check runs with each.
    """

    stage: Stage
    target: Target
    seed: int = 1
    dsp: bool = True
    unknowns: Sequence[int] = (1, 2)

    @property
    def is_routed(self) -> bool:
        """Whether it is extracted from the device's configuration."""
        return self.stage is Stage.ROUTED

    @property
    def words(self) -> str:
        """Stage, device and seeds, in words."""
        seeds = ", ".join(map(str, self.unknowns))
        route = f" by seed {self.seed}" if self.is_routed else ""
        return f"{self.stage} for {self.target.name}{route}, unknowns by seed {seeds}"

    def files(self, top: Top) -> tuple[Path, ...]:
        """The netlist in Verilog, with models of its cells.

        A routed one is extracted from the device's configuration.

        Raises:
            InputError: there is no router for the target, or the design does not fit.
            ToolError: a tool failed, or there is no model of a cell.
        """
        rtl = top_rtl(top)
        if self.is_routed:
            route = routed(rtl, self.target, self.seed, self.dsp)
            return routed_files(route, rtl.top, self.target)
        return synthesised_verilog(rtl, self.target, self.dsp)


@dataclass(frozen=True)
class Subject:
    """The checked top, with its faces.

    Attributes:
        top: a design's, an IP's or a board's.
        netlist: of it; `None`: the RTL, with its assertions.
        on_board: the core behind the pins of a board's top.
    """

    top: Top
    netlist: Netlist | None = None
    on_board: OnBoard | None = None

    @classmethod
    def of(
        cls,
        chosen: Configuration | IpConfiguration,
        netlist: Netlist | None = None,
        board: Board | None = None,
        registers: bool = False,
    ) -> "Subject":
        """The subject of a check.

        Args:
            chosen: the design or IP.
            netlist: of it; `None`: the RTL.
            board: the board and its pins; `None`: the core's own faces.
            registers: for a design on a board, whether it is behind its AXI4-Lite registers.
        """
        if board is None:
            return cls(chosen.top(), netlist)
        on_board = OnBoard(board, chosen, registers)
        return cls(on_board.top, netlist, on_board)

    @cached_property
    def library(self) -> Path:
        """Its model, from the cache or a new build.

        Raises:
            InputError: as for `Netlist.files`.
            ToolError: as for `Netlist.files`, or the model cannot be built.
        """
        if self.netlist is None:
            return build_model(self.top, checked=True)
        return build_netlist_model(self.files, self._netlist_top)

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """The netlist in Verilog, with models of its cells; none of the RTL.

        Raises:
            InputError: as for `Netlist.files`.
            ToolError: as for `Netlist.files`.
        """
        if self.netlist is None:
            return ()
        if self.on_board:
            return self.on_board.files(self.netlist.seed if self.netlist.is_routed else None)
        return self.netlist.files(self._netlist_top)

    @property
    def _netlist_top(self) -> Top:
        if Face.SERIAL not in self.top.faces or self.on_board:
            return self.top
        # The bit time of the simulated line.
        return replace(self.top, parameters={"BitCycles": SERIAL_BIT_CYCLES, **self.top.parameters})

    @property
    def unknowns(self) -> Sequence[int]:
        """Seeds of a check. RTL has no unknowns, and one seed."""
        return self.netlist.unknowns if self.netlist else (1,)

    def open(self, unknowns: int = 1) -> Model | BoardModel:
        """A model with unknown bits from this seed. Errors as for `library`."""
        model = Model(self.library, unknowns)
        return BoardModel(model, self.on_board) if self.on_board else model
