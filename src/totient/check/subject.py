"""What a check runs: the RTL, or a netlist of it."""

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
    """How far what is checked has come from the RTL towards the device."""

    SYNTHESISED = "synthesised"
    ROUTED = "routed"


@dataclass(frozen=True)
class Netlist:
    """Which netlist of a design is meant.

    Attributes:
        stage: after which step.
        target: the device.
        seed: of the placer, where it has been one.
        dsp: whether multiplications may use the device's multiplier blocks.
        unknowns: seeds of what the netlist leaves unknown: a check is run with each.
    """

    stage: Stage
    target: Target
    seed: int = 1
    dsp: bool = True
    unknowns: Sequence[int] = (1, 2)

    @property
    def is_routed(self) -> bool:
        """Whether it is what the device becomes."""
        return self.stage is Stage.ROUTED

    @property
    def told(self) -> str:
        """Which one, in words."""
        seeds = ", ".join(map(str, self.unknowns))
        route = f" by seed {self.seed}" if self.is_routed else ""
        return f"{self.stage} for {self.target.name}{route}, unknowns by seed {seeds}"

    def files(self, top: Top) -> tuple[Path, ...]:
        """The netlist in Verilog, with models of its cells.

        A routed one is what the device's configuration makes of the device.

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
    """What is checked, behind its faces.

    Attributes:
        top: a design's, an IP's or a board's.
        netlist: which netlist of it; `None`: the RTL, with the assertions in it.
        on_board: what is behind the pins of a board's top.
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
            netlist: which netlist of it; `None`: the RTL.
            board: that it is on, and reached through the pins of; `None`: its own faces.
            registers: of a design on a board, behind its AXI4-Lite registers.
        """
        if board is None:
            return cls(chosen.top(), netlist)
        on_board = OnBoard(board, chosen, registers)
        return cls(on_board.top, netlist, on_board)

    @cached_property
    def library(self) -> Path:
        """Its model, from the cache or built now.

        Raises:
            InputError: as `Netlist.files`.
            ToolError: as `Netlist.files`, or the model cannot be built.
        """
        if self.netlist is None:
            return build_model(self.top, checked=True)
        top = self.top
        if self.on_board:
            seed = self.netlist.seed if self.netlist.is_routed else None
            return build_netlist_model(self.on_board.files(seed), top)
        if Face.SERIAL in top.faces:
            # As many cycles a bit as the simulated line has.
            top = replace(top, parameters={"BitCycles": SERIAL_BIT_CYCLES, **top.parameters})
        return build_netlist_model(self.netlist.files(top), top)

    @property
    def unknowns(self) -> Sequence[int]:
        """Seeds to run a check with; of RTL, which leaves nothing unknown, one."""
        return self.netlist.unknowns if self.netlist else (1,)

    def open(self, unknowns: int = 1) -> Model | BoardModel:
        """A model; its unknown bits by this seed; errors as `library`."""
        model = Model(self.library, unknowns)
        return BoardModel(model, self.on_board) if self.on_board else model
