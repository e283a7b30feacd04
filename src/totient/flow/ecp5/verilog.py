"""A netlist of ECP5 cells as Verilog that simulators run.

LUTs and carries become expressions, registers always-blocks, hard blocks instances of the cells'
models (`totient/flow/cells/ecp5`). An unknown value becomes `1'bx`, one for each pin: a simulator
can draw it at random. Registers and memories have no value at the start.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from totient.flow.ecp5.database import Wire
from totient.flow.ecp5.netlist import Block, CarryHalf, Lut, Mux, Netlist, RamBit, Register, Signal


@dataclass(frozen=True)
class Port:
    """A port of the module.

    Attributes:
        name: of the port.
        bits: its width.
        is_output: whether the module drives it.
    """

    name: str
    bits: int
    is_output: bool


def write_verilog(
    netlist: Netlist, top: str, ports: Sequence[Port], given: Mapping[Wire, str]
) -> str:
    """The module.

    Args:
        netlist: its outputs are named `port[bit]`.
        top: name of the module.
        ports: of the module.
        given: expression, such as `port[bit]`, of each wire that comes from outside.
    """
    return "".join(f"{line}\n" for line in _Writer(netlist, given).lines(top, ports))


def expression(table: int, inputs: Sequence[str]) -> str:
    """An expression of a look-up table.

    Args:
        table: bit i is the value where the inputs make the number i, the first one its bit 0.
        inputs: expressions, `1'b0` and `1'b1` among them; the same one may come twice.
    """
    rows = [table >> i & 1 for i in range(1 << len(inputs))]
    names = list(inputs)
    for place in reversed(range(len(names))):
        name = names[place]
        low = [row for i, row in enumerate(rows) if not i >> place & 1]
        high = [row for i, row in enumerate(rows) if i >> place & 1]
        if name == "1'b1":
            rows = high
        elif name == "1'b0" or low == high:
            rows = low
        elif name in names[:place]:
            # The same wire twice: the places are equal.
            other = names.index(name)
            rows = [high[i] if i >> other & 1 else low[i] for i in range(len(low))]
        else:
            continue
        del names[place]
    return _shannon(rows, names)


def _shannon(rows: Sequence[int], names: Sequence[str]) -> str:
    if len(set(rows)) == 1:
        return f"1'b{rows[0]}"
    half = len(rows) // 2
    low, high, name = rows[:half], rows[half:], names[-1]
    if low == high:
        return _shannon(low, names[:-1])
    zero, one = [0] * half, [1] * half
    if low == zero:
        return name if high == one else f"({name} & {_shannon(high, names[:-1])})"
    if low == one:
        return f"~{name}" if high == zero else f"(~{name} | {_shannon(high, names[:-1])})"
    below = _shannon(low, names[:-1])
    if high == zero:
        return f"(~{name} & {below})"
    if high == one:
        return f"({name} | {below})"
    if all(a != b for a, b in zip(low, high, strict=True)):
        return f"({name} ^ {below})"
    return f"({name} ? {_shannon(high, names[:-1])} : {below})"


class _Writer:
    """The text of one netlist."""

    def __init__(self, netlist: Netlist, given: Mapping[Wire, str]) -> None:
        self._netlist = netlist
        self._given = given
        self._unknowns = 0
        self._body: list[str] = []

    def lines(self, top: str, ports: Sequence[Port]) -> Iterator[str]:
        registers: dict[tuple[str, str, str], list[tuple[str, Register, str]]] = {}
        blocks: dict[int, Block] = {}
        declared = []
        for wire, cell in self._netlist.cells.items():
            name = self._name(wire)
            if isinstance(cell, Register):
                declared.append(f"reg {name};")
                self._register(name, cell, registers)
            elif isinstance(cell, RamBit):
                declared += [f"wire {name};", f"reg [15:0] {name}_m;"]
                self._ram_bit(name, cell)
            else:
                declared.append(f"wire {name};")
                if isinstance(cell, Block):
                    blocks[id(cell)] = cell
                else:
                    self._body.append(f"assign {name} = {self._combinational(cell)};")
        for number, block in enumerate(blocks.values()):
            self._block(f"block_{number}", block)
        for (event, reset, enable), group in registers.items():
            self._always(event, reset, enable, group)
        for name, signal in self._netlist.outputs.items():
            self._body.append(f"assign {name} = {self._signal(signal)};")
        yield "// Written from a routed configuration; not for editing."
        yield f"module {top} ("
        yield ",\n".join(
            f"  {'output' if port.is_output else 'input'} wire "
            f"{f'[{port.bits - 1}:0] ' if port.bits > 1 else ''}{port.name}"
            for port in ports
        )
        yield ");"
        yield from (f"  {line}" for line in declared)
        yield from (f"  wire unknown_{i} = 1'bx;" for i in range(self._unknowns))
        yield from (f"  {line}" for line in self._body)
        yield "endmodule"

    def _name(self, wire: Wire) -> str:
        return f"{wire.name.partition('_')[0].lower()}_r{wire.row}c{wire.column}" + (
            "" if wire.name.endswith("_SLICE") else f"_{wire.name.rpartition('_')[2].lower()}"
        )

    def _signal(self, signal: Signal) -> str:
        if signal is None:
            self._unknowns += 1
            return f"unknown_{self._unknowns - 1}"
        if isinstance(signal, bool):
            return f"1'b{int(signal)}"
        return self._given.get(signal) or self._name(signal)

    def _combinational(self, cell: Lut | CarryHalf | Mux) -> str:
        if isinstance(cell, Lut):
            return expression(cell.table, [self._signal(each) for each in cell.inputs])
        if isinstance(cell, Mux):
            select, high, low = (self._signal(s) for s in (cell.select, cell.high, cell.low))
            return f"{select} ? {high} : {low}"
        inputs = [self._signal(each) for each in cell.lut.inputs]
        value, carry = expression(cell.lut.table, inputs), self._signal(cell.carry)
        if not cell.is_carry:
            return value if cell.inject else f"{value} ^ {carry}"
        generated = "1'b0" if cell.inject else expression(cell.lut.table & 15, inputs[:2])
        return f"{value} ? {carry} : {generated}"

    def _register(
        self,
        name: str,
        cell: Register,
        groups: dict[tuple[str, str, str], list[tuple[str, Register, str]]],
    ) -> None:
        event = f"{'neg' if cell.falling else 'pos'}edge {self._signal(cell.clock)}"
        reset = ("~" if cell.inverted_reset else "") + self._signal(cell.reset)
        if cell.asynchronous:
            event += f" or {'neg' if cell.inverted_reset else 'pos'}edge {reset.lstrip('~')}"
        enable = ("~" if cell.inverted_enable else "") + self._signal(cell.enable)
        groups.setdefault((event, reset, enable), []).append((name, cell, self._signal(cell.data)))

    def _always(
        self, event: str, reset: str, enable: str, group: Sequence[tuple[str, Register, str]]
    ) -> None:
        lines = [f"always @({event})"]
        if reset != "1'b0":
            values = (f"{name} <= 1'b{int(cell.value)};" for name, cell, _ in group)
            lines.append(f"  if ({reset}) begin {' '.join(values)} end else")
        if enable != "1'b1":
            lines.append(f"  if ({enable})")
        lines.append("  begin")
        lines += [f"    {name} <= {data};" for name, _, data in group]
        lines.append("  end")
        self._body += lines

    def _ram_bit(self, name: str, cell: RamBit) -> None:
        def address(signals: Sequence[Signal]) -> str:
            return "{" + ", ".join(self._signal(each) for each in reversed(signals)) + "}"

        if cell.content:
            self._body.append(f"initial {name}_m = 16'h{cell.content:04x};")
        edge, clock = "negedge" if cell.falling else "posedge", self._signal(cell.clock)
        enable = ("~" if cell.inverted_enable else "") + self._signal(cell.enable)
        self._body += [
            f"assign {name} = {name}_m[{address(cell.read)}];",
            f"always @({edge} {clock}) if ({enable}) "
            f"{name}_m[{address(cell.write)}] <= {self._signal(cell.data)};",
        ]

    def _block(self, name: str, block: Block) -> None:
        parameters = ", ".join(
            f".{key}({value if _is_number(value) else chr(34) + value + chr(34)})"
            for key, value in sorted(block.parameters.items())
        )
        pins = [
            f".{pin}({'~' if pin in block.inverted else ''}{self._signal(signal)})"
            for pin, signal in block.inputs.items()
        ]
        pins += [
            f".{pin}({self._name(wire)})"
            for wire, pin in block.outputs.items()
            if wire in self._netlist.cells
        ]
        self._body.append(f"{block.kind} #({parameters}) {name} (")
        self._body.append("  " + ",\n    ".join(pins) + ");")


def _is_number(value: str) -> bool:
    return value.isdigit() or "'" in value
