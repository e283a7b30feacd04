"""A synthesised netlist as nodes of the event-driven simulation (`activity/kernel.h`).

One line a node: look-up table `T`, register `F`, register whose reset does not wait for an edge of
the clock `A`, register that another register clocks `G`, multiplier `M`, memory `R`, shift register
`S`; before them the number of nets `N`, and the ports `P`. Nets 0 and 1 are the constants. An open
or unknown pin is 0. A cell or a setting that is not listed here is an error, never left out.

Functions of cells: Yosys' `cells_sim` of the families, and the vendors' documents that
`totient.flow.cells` names. `tests/unit/power` compares them with those models.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log2
from typing import Any

from totient.common.errors import ToolError
from totient.flow.netlist import Signal, top_module
from totient.power.wires import Wires

Cell = Mapping[str, Any]

_LUT6, _CARRY = 6, 4
_REGISTERS = ("FDRE", "FDSE", "FDCE", "FDPE")


@dataclass(frozen=True)
class Delays:
    """Delays of a fabric, in ns.

    Attributes:
        table: of a look-up table.
        mux: of a multiplexer behind look-up tables.
        carry: of one bit of a carry chain.
        register: from the clock to the output.
        multiplier: from an input to the product, without registers.
        memory: from the address of a memory without a clock to its word.
        wire: of a net with one routing wire, if no router states it.
        doubling: further delay of such a net for each doubling of its wires.
        source: where they are from.
    """

    table: float
    mux: float
    carry: float
    register: float
    multiplier: float
    memory: float
    wire: float
    doubling: float
    source: str


class Nodes:
    """Nodes of a netlist under construction.

    Args:
        netlist: as Yosys writes it (JSON), flat.
        delays: of its fabric.
        wires: of its nets.
        clock: name of the one clock's port.
    """

    UNIT_NS = 0.01
    MOST_UNITS = 4095  # of `activity/kernel.cpp`

    def __init__(
        self, netlist: Mapping[str, Any], delays: Delays, wires: Wires, clock: str
    ) -> None:
        self.module = top_module(netlist)
        self.wires = wires
        self._delays = delays
        self._nets = 1 + max((bit for bit in _bits(self.module) if isinstance(bit, int)), default=1)
        self.clock = clock
        (self.clock_net,) = self.module["ports"][clock]["bits"]
        self.lines: list[str] = []
        self.kinds: dict[int, str] = {}  # of the cell that drives a net

    @property
    def nets(self) -> int:
        """Number of nets, the constants included."""
        return self._nets

    def new(self) -> int:
        """A net that the netlist has no name for, inside a cell."""
        self._nets += 1
        return self._nets - 1

    def net(self, bits: Sequence[Signal] | None, place: int = 0) -> int:
        """The net at a pin; 0 for an open or unknown one."""
        bit = bits[place] if bits and place < len(bits) else 0
        return bit if isinstance(bit, int) else int(bit == "1")

    def outputs(self, cell: Cell, pin: str, width: int) -> list[int]:
        """The nets of an output; one of their own for those that are open."""
        bits = cell["connections"].get(pin) or []
        found = []
        for place in range(width):
            bit = bits[place] if place < len(bits) else "x"
            found.append(bit if isinstance(bit, int) else self.new())
        return found

    def inputs(self, cell: Cell, pin: str, width: int) -> list[int]:
        """The nets of an input."""
        bits = cell["connections"].get(pin)
        return [self.net(bits, place) for place in range(width)]

    def pin(self, cell: Cell, name: str, default: int = 0) -> int:
        """The net of an input of one bit."""
        bits = cell["connections"].get(name)
        return self.net(bits) if bits else default

    def clocked(self, cell: Cell, pin: str) -> None:
        """Raise `ToolError` unless the pin has the clock."""
        if self.pin(cell, pin) != self.clock_net:
            raise ToolError(f"a {cell['type']} has another clock than the netlist's one")

    def own_clock(self, cell: Cell, pin: str) -> int | None:
        """The net of a register's clock, if that is another register's output, not the one clock.

        Raises:
            ToolError: logic makes it.
        """
        net = self.pin(cell, pin)
        if net not in self._clocks:
            self.clocked(cell, pin)
        return net if net in self._clocks else None

    @cached_property
    def _clocks(self) -> frozenset[int]:
        """Outputs of registers of the 7 series."""
        cells = self.module["cells"].values()
        return frozenset(self.pin(each, "Q") for each in cells if each["type"] in _REGISTERS)

    @cached_property
    def _resets(self) -> frozenset[int]:
        """Constant 0, the inputs' nets, and the complements of these."""
        ports = self.module["ports"].values()
        found = {0} | {
            self.net([bit]) for p in ports if p["direction"] == "input" for bit in p["bits"]
        }
        inverters = (each for each in self.module["cells"].values() if each["type"] == "INV")
        return frozenset(
            found | {self.pin(each, "O") for each in inverters if self.pin(each, "I") in found}
        )

    def held(self, net: int) -> bool:
        """Whether a clear or a preset is a reset from outside.

        Such a one is held over clock edges. That the register does not wait for the edge makes no
        difference then.
        """
        return net in self._resets

    def delay(self, cell_ns: float, net: int | None = None) -> int:
        """A delay in units: of the cell, and of the wires behind it."""
        wire = 0.0
        if net is not None:
            wires = self.wires.count.get(net, 0)
            estimated = self._delays.wire + self._delays.doubling * log2(max(1, wires))
            wire = self.wires.delay_ns.get(net, estimated if wires else 0)
        units = max(1, round((cell_ns + wire) / self.UNIT_NS))
        if units > self.MOST_UNITS:
            raise ToolError(
                f"a net has a delay of {cell_ns + wire:.1f} ns, the simulation of activity allows "
                f"up to {self.MOST_UNITS * self.UNIT_NS:.1f} ns"
            )
        return units

    def add(self, kind: str, *words: object) -> None:
        """Add a line. A list is written as its length and its members."""
        texts = []
        for word in words:
            parts = [len(word), *word] if isinstance(word, list) else [word]
            texts += [str(int(part) if isinstance(part, bool) else part) for part in parts]
        self.lines.append(" ".join([kind, *texts]))

    def table(self, out: int, inputs: list[int], truth: int, cell_ns: float, kind: str) -> None:
        """Add a look-up table: `truth` has a bit for each value of the inputs."""
        self.kinds[out] = kind
        self.add("T", self.delay(cell_ns, out), out, inputs, f"{truth:x}")

    def register(
        self,
        out: int,
        data: int,
        enable: int,
        reset: int,
        value: int,
        initial: str,
        *,
        waits: bool = True,
        clock: int | None = None,
    ) -> None:
        """Add a register: `reset` wins, and makes it `value`, at an edge if it `waits` for one.

        `clock` is the net of its clock, if that is not the one of the netlist.
        """
        self.kinds[out] = "register"
        words = (self.delay(self._delays.register, out), out, data, enable, reset, value, initial)
        if clock is not None:
            self.add("G", *words, clock, waits)
        else:
            self.add("F" if waits else "A", *words)

    def inverted(self, net: int) -> int:
        """The complement of a net, made where it is used."""
        if net <= 1:
            return 1 - net
        out = self.new()
        self.table(out, [net], 0b01, self.UNIT_NS, "table")
        return out

    def both(self, nets: Iterable[int]) -> int:
        """The conjunction of nets, made where it is used."""
        found = [net for net in nets if net != 1]
        if 0 in found:
            return 0
        if len(found) < 2:
            return found[0] if found else 1
        out = self.new()
        self.table(out, found, 1 << (1 << len(found)) - 1, self.UNIT_NS, "table")
        return out

    @property
    def times(self) -> Delays:
        """The delays of the fabric."""
        return self._delays

    def text(self) -> str:
        """All lines."""
        ports = [
            f"P {name} {len(port['bits'])} {' '.join(str(self.net([b])) for b in port['bits'])}"
            for name, port in self.module["ports"].items()
        ]
        return "\n".join([f"N {self._nets}", *ports, *self.lines]) + "\n"


def _bits(module: Mapping[str, Any]) -> Iterable[Signal]:
    for port in module["ports"].values():
        yield from port["bits"]
    for cell in module["cells"].values():
        for bits in cell["connections"].values():
            yield from bits


def setting(cell: Cell, name: str, default: str) -> str:
    """A parameter as text, without the blank that marks a text of digits."""
    return str(cell["parameters"].get(name, default)).strip()


def whole(cell: Cell, name: str, default: int = 0) -> int:
    """A parameter that is a number: bits, or decimal."""
    value = cell["parameters"].get(name, default)
    return int(value, 2) if isinstance(value, str) and set(value) <= set("01") else int(value)


def require(cell: Cell, name: str, default: str, *allowed: str) -> str:
    """A parameter that has one of some values; `ToolError` otherwise."""
    value = setting(cell, name, default)
    if value not in allowed:
        raise ToolError(f"{cell['type']}: no activity with {name} = {value}")
    return value


def _lut(nodes: Nodes, cell: Cell) -> None:
    inputs = int(cell["type"].removeprefix("LUT"))
    out = nodes.pin(cell, "O")
    pins = [nodes.pin(cell, f"I{place}") for place in range(inputs)]
    nodes.table(out, pins, whole(cell, "INIT"), nodes.times.table, "table")


def _lut4(nodes: Nodes, cell: Cell) -> None:
    pins = [nodes.pin(cell, name) for name in "ABCD"]
    nodes.table(nodes.pin(cell, "Z"), pins, whole(cell, "INIT"), nodes.times.table, "table")


def _mux(inputs: tuple[str, str], select: str, out: str) -> Callable[[Nodes, Cell], None]:
    """A multiplexer of two inputs: the second one if `select` is 1."""

    def make(nodes: Nodes, cell: Cell) -> None:
        pins = [nodes.pin(cell, name) for name in (*inputs, select)]
        nodes.table(nodes.pin(cell, out), pins, 0b11001010, nodes.times.mux, "table")

    return make


def _inverter(nodes: Nodes, cell: Cell) -> None:
    nodes.table(nodes.pin(cell, "O"), [nodes.pin(cell, "I")], 0b01, nodes.times.table, "table")


def _carry4(nodes: Nodes, cell: Cell) -> None:
    carry = nodes.pin(cell, "CI") or nodes.pin(cell, "CYINIT")
    if nodes.pin(cell, "CI") and nodes.pin(cell, "CYINIT"):
        raise ToolError("CARRY4: no activity with both CI and CYINIT")
    sums, carries = nodes.outputs(cell, "O", _CARRY), nodes.outputs(cell, "CO", _CARRY)
    data, select = nodes.inputs(cell, "DI", _CARRY), nodes.inputs(cell, "S", _CARRY)
    for place in range(_CARRY):
        nodes.table(sums[place], [select[place], carry], 0b0110, nodes.times.carry, "carry")
        # data where select is 0, the carry where it is 1: inputs data, select, carry
        pins = [data[place], select[place], carry]
        nodes.table(carries[place], pins, 0b11100010, nodes.times.carry, "carry")
        carry = carries[place]


def _ccu2c(nodes: Nodes, cell: Cell) -> None:
    carry = nodes.pin(cell, "CIN")
    for half in (0, 1):
        inject = require(cell, f"INJECT1_{half}", "YES", "YES", "NO") == "YES"
        init = whole(cell, f"INIT{half}")
        pins = [nodes.pin(cell, f"{name}{half}") for name in "ABCD"] + [carry]
        total, following = 0, 0
        for place in range(32):
            lut4, cin = init >> (place & 15) & 1, place >> 4
            lut2 = 0 if inject else init >> (place & 3) & 1
            total |= (lut4 ^ (0 if inject else cin)) << place
            following |= ((1 - lut4) & lut2 | lut4 & cin) << place
        (out,) = nodes.outputs(cell, f"S{half}", 1)
        nodes.table(out, pins, total, nodes.times.table, "carry")
        carry = nodes.outputs(cell, "COUT", 1)[0] if half else nodes.new()
        nodes.table(carry, pins, following, nodes.times.carry, "carry")


def _fd(reset: str, value: int) -> Callable[[Nodes, Cell], None]:
    """A register with one of the inputs R, S, CLR and PRE."""

    def make(nodes: Nodes, cell: Cell) -> None:
        clock = nodes.own_clock(cell, "C")
        for pin in ("C", "D", reset):
            require(cell, f"IS_{pin}_INVERTED", "0", "0")
        net = nodes.pin(cell, reset)
        nodes.register(
            nodes.pin(cell, "Q"),
            nodes.pin(cell, "D"),
            nodes.pin(cell, "CE", 1),
            net,
            value,
            setting(cell, "INIT", "x"),
            waits=reset in ("R", "S") or nodes.held(net),
            clock=clock,
        )

    return make


def _ldce(nodes: Nodes, cell: Cell) -> None:
    """A latch: a table that reads its own output."""
    for pin in ("CLR", "G"):
        require(cell, f"IS_{pin}_INVERTED", "0", "0")
    out = nodes.pin(cell, "Q")
    pins = [nodes.pin(cell, "D"), out, nodes.pin(cell, "G"), nodes.pin(cell, "GE", 1)]
    # D where G and GE are 1, else Q; 0 where CLR is 1
    nodes.table(out, [*pins, nodes.pin(cell, "CLR")], 0xACCC, nodes.times.register, "table")


def _trellis_ff(nodes: Nodes, cell: Cell) -> None:
    nodes.clocked(cell, "CLK")
    require(cell, "CLKMUX", "CLK", "CLK")
    require(cell, "SRMODE", "LSR_OVER_CE", "LSR_OVER_CE")
    mode = require(cell, "CEMUX", "1", "1", "0", "CE", "INV")
    enable = int(mode) if mode in "01" else nodes.pin(cell, "CE", 1)
    reset = nodes.pin(cell, "LSR")
    if require(cell, "LSRMUX", "LSR", "LSR", "INV") == "INV":
        reset = nodes.inverted(reset)
    nodes.register(
        nodes.pin(cell, "Q"),
        nodes.pin(cell, "DI"),
        nodes.inverted(enable) if mode == "INV" else enable,
        reset,
        int(setting(cell, "REGSET", "RESET") == "SET"),
        "x",
    )


SOFT: Mapping[str, Callable[[Nodes, Cell], None]] = {
    **{f"LUT{inputs}": _lut for inputs in range(1, _LUT6 + 1)},
    "LUT4 of ECP5": _lut4,
    "INV": _inverter,
    "MUXF7": _mux(("I0", "I1"), "S", "O"),
    "MUXF8": _mux(("I0", "I1"), "S", "O"),
    "PFUMX": _mux(("BLUT", "ALUT"), "C0", "Z"),
    "L6MUX21": _mux(("D0", "D1"), "SD", "Z"),
    "CARRY4": _carry4,
    "CCU2C": _ccu2c,
    "FDRE": _fd("R", 0),
    "FDSE": _fd("S", 1),
    "FDCE": _fd("CLR", 0),
    "FDPE": _fd("PRE", 1),
    "LDCE": _ldce,
    "TRELLIS_FF": _trellis_ff,
}
"""Cells of logic and registers, by type."""
