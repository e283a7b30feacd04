"""Cells of a configured ECP5, with their settings."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from totient.flow.ecp5.database import Wire

Signal = Wire | bool | None
"""A cell's output, a constant, or `None`: unknown."""


@dataclass(frozen=True)
class Lut:
    """A look-up table: the bit of `table` at the number that D, C, B, A make.

    Attributes:
        table: 16 bits.
        inputs: A, B, C, D.
    """

    table: int
    inputs: tuple[Signal, Signal, Signal, Signal]


@dataclass(frozen=True)
class CarryHalf:
    """One of the two places of a carry cell.

    Attributes:
        lut: it.
        inject: whether the carry is kept out of the sum.
        carry: the carry into it; a half's number, 0, or a wire.
        is_carry: whether this is the carry out, not the sum.
    """

    lut: Lut
    inject: bool
    carry: Signal
    is_carry: bool


@dataclass(frozen=True)
class Mux:
    """A multiplexer behind LUTs: `high` where `select`, else `low`."""

    low: Signal
    high: Signal
    select: Signal


@dataclass(frozen=True)
class Register:
    """A flip-flop.

    Attributes:
        data, clock, enable, reset: its inputs; all active high, the clock's rising edge.
        falling: whether the falling edge of the clock counts.
        inverted_enable, inverted_reset: whether they are active low.
        asynchronous: whether reset needs no clock.
        value: after reset.
    """

    data: Signal
    clock: Signal
    falling: bool
    enable: Signal
    inverted_enable: bool
    reset: Signal
    inverted_reset: bool
    asynchronous: bool
    value: bool


@dataclass(frozen=True)
class RamBit:
    """One bit, of 16 places, of distributed RAM.

    Attributes:
        read: its address, bit 0 first.
        write: the address to write to, bit 0 first.
        data, enable, clock: of a write.
        inverted_enable: whether the enable is active low.
        falling: whether the falling edge of the clock counts.
        content: at the start, bit i at the address i; 0 is unknown.
    """

    read: tuple[Signal, ...]
    write: tuple[Signal, ...]
    data: Signal
    enable: Signal
    inverted_enable: bool
    clock: Signal
    falling: bool
    content: int


@dataclass(frozen=True)
class Block:
    """A hard block.

    Attributes:
        kind: the cell, such as `MULT18X18D`.
        parameters: by the cell's names.
        inputs: by pin; a pin that is missing is open.
        inverted: pins of `inputs` that have an inverter in front.
        outputs: pin by wire.
    """

    kind: str
    parameters: Mapping[str, str]
    inputs: Mapping[str, Signal]
    inverted: frozenset[str]
    outputs: Mapping[Wire, str]


Cell = Lut | CarryHalf | Mux | Register | RamBit | Block


@dataclass
class Netlist:
    """Cells that outputs depend on.

    Attributes:
        outputs: what drives each output that was asked for.
        cells: by the wire that they drive; a block is there by each of its outputs in use.
        sources: outputs of cells that were given, not looked into.
    """

    outputs: dict[str, Signal] = field(default_factory=dict)
    cells: dict[Wire, Cell] = field(default_factory=dict)
    sources: set[Wire] = field(default_factory=set)


def inputs_of(cell: Cell) -> Iterable[Signal]:
    """Inputs of a cell."""
    match cell:
        case Lut():
            return cell.inputs
        case CarryHalf():
            return (*cell.lut.inputs, cell.carry)
        case Mux():
            return (cell.low, cell.high, cell.select)
        case Register():
            return (cell.data, cell.clock, cell.enable, cell.reset)
        case RamBit():
            return (*cell.read, *cell.write, cell.data, cell.enable, cell.clock)
        case Block():
            return cell.inputs.values()
