"""Subject of a check: the RTL, or a netlist of it, alone or on a board."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from totient.catalog import Configuration, Face, IpConfiguration, Top
from totient.check.pins import BoardModel
from totient.flow import Target, routed, routed_files, synthesised_verilog, top_rtl
from totient.flow.bitstream import board_netlist, board_top
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
class On:
    """What a check runs.

    Attributes:
        netlist: to run instead of the RTL.
        board: the RTL or the netlist is this board's top, accessed through the board's pins. An
            engine's random words are then sent in packets.
        registers: for a design on a board, whether it is behind its AXI4-Lite registers.
    """

    netlist: Netlist | None = None
    board: Board | None = None
    registers: bool = False


RTL = On()
"""The RTL of a design or an IP, by its own faces."""


@dataclass(frozen=True)
class Subject:
    """The checked design or IP, and what is run of it: the RTL has its assertions."""

    chosen: Configuration | IpConfiguration
    on: On = RTL

    @property
    def top(self) -> Top:
        """The design's top, the IP's or the board's."""
        if self.on.board is None:
            return self.chosen.top()
        return board_top(self.on.board, self.chosen, self.on.registers)

    @cached_property
    def library(self) -> Path:
        """Its model, from the cache or a new build.

        Raises:
            InputError: as for `Netlist.files`.
            ToolError: as for `Netlist.files`, or the model cannot be built.
        """
        if self.on.netlist is None:
            return build_model(self.top, checked=True)
        return build_netlist_model(self.files, self._netlist_top)

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """The netlist in Verilog, with models of its cells; none of the RTL.

        Raises:
            InputError: as for `Netlist.files`.
            ToolError: as for `Netlist.files`.
        """
        netlist, board = self.on.netlist, self.on.board
        if netlist is None:
            return ()
        if board is None:
            return netlist.files(self._netlist_top)
        seed = netlist.seed if netlist.is_routed else None
        return board_netlist(board, self.chosen, seed, self.on.registers)

    @property
    def _netlist_top(self) -> Top:
        top = self.top
        if Face.SERIAL not in top.faces or self.on.board:
            return top
        # The bit time of the simulated line.
        return replace(top, parameters={"BitCycles": SERIAL_BIT_CYCLES, **top.parameters})

    @property
    def unknowns(self) -> Sequence[int]:
        """Seeds of a check. RTL has no unknowns, and one seed."""
        return self.on.netlist.unknowns if self.on.netlist else (1,)

    def open(self, unknowns: int = 1) -> Model | BoardModel:
        """A model with unknown bits from this seed. Errors as for `library`."""
        model = Model(self.library, unknowns)
        if self.on.board is None:
            return model
        return BoardModel(model, self.top, self.chosen, self.on.registers)
