"""Soft cells of extracted ECP5 netlists beside Yosys' models of the same cells.

All settings of all kinds, on the same random inputs. Cells with one setting changed are beside
them: each such change has to be seen, or the inputs would not tell the settings apart.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from totient.catalog import SourceList, Top
from totient.common.errors import ToolError
from totient.flow import TARGETS
from totient.flow.ecp5.database import Wire
from totient.flow.ecp5.netlist import CarryHalf, Cell, Lut, Mux, Netlist, RamBit, Register, Signal
from totient.flow.ecp5.verilog import Port, write_verilog
from totient.flow.netlist_verilog import models
from totient.sim import Model, build_listing

# What drives all cells. The first bits of the data are the address of every write.
PINS = [Wire(0, column, "PIN_SLICE") for column in range(26)]
DATA, CARRY, CLOCKS, ENABLES, RESETS = PINS[:19], PINS[19], PINS[20:22], PINS[22:24], PINS[24:]
BOTH = (False, True)
STEPS = 4000

BENCH = """
module bench (input wire aclk, input wire aresetn);
  reg [25:0] steps [0:{last}];
  reg [25:0] pins = 0;
  integer step = 0, i;
  wire [{outputs}:0] netlist, models;
  wire [{changes}:0] changed, unchanged;
  reg [{changes}:0] seen = 0;
  extracted u_netlist (.pins, .outputs(netlist), .changed, .unchanged);
  yosys u_models (.pins, .outputs(models));
  initial $readmemh("{steps}", steps);
  always @(posedge aclk) begin
    if (step > {prelude}) begin  // all registers and memories are known
      for (i = 0; i <= {outputs}; i = i + 1)
        assert (netlist[i] == models[i]) else $error("step %0d: output %0d differs", step, i);
      seen <= seen | changed ^ unchanged;
    end
    if (step == {last} + 1)
      for (i = 0; i <= {changes}; i = i + 1)
        assert (seen[i]) else $error("change %0d is not seen", i);
    if (step <= {last}) begin
      pins <= steps[step];
      step <= step + 1;
    end
  end
endmodule
"""


class Cells:
    """A netlist, and the same cells as instances of Yosys' models."""

    def __init__(self) -> None:
        self.draw = Random(1)
        self.netlist = Netlist()
        self.given = {wire: f"pins[{wire.column}]" for wire in PINS}
        self.names = dict(self.given)  # beside the models
        self.instances: list[str] = []
        self.output: list[str] = []  # what each one is
        self.change: list[str] = []

    def wire(self, cell: Cell) -> Wire:
        """The output of a new cell of the netlist."""
        wire = Wire(1 + len(self.netlist.cells), 0, "F0_SLICE")
        self.netlist.cells[wire] = cell
        return wire

    def compare(self, kind: str, pins: dict[str, Sequence[Signal]], **settings: str | int) -> None:
        """Compare what drives Z, S0, S1, COUT, Q and DO among the pins with a cell of Yosys."""
        text = ", ".join(
            f'.{key}("{value}")' if isinstance(value, str) else f".{key}(64'h{value:x})"
            for key, value in settings.items()
        )
        joined = []
        for pin, signals in pins.items():
            for wire in signals:
                if pin in ("Z", "S0", "S1", "COUT", "Q", "DO") and isinstance(wire, Wire):
                    self.names[wire] = name = f"outputs[{len(self.output)}]"
                    self.netlist.outputs[name] = wire
                    self.output.append(f"{pin} of {kind} {text}: {self.netlist.cells[wire]}")
            bits = [self.names[s] if isinstance(s, Wire) else f"1'b{s:b}" for s in signals[::-1]]
            joined.append(f".{pin}({{{', '.join(bits)}}})")
        self.instances.append(f"{kind} #({text}) c{len(self.instances)} ({', '.join(joined)});")

    def changes(self, wire: Wire, *settings: dict[str, Any]) -> None:
        """Expect that each of these changes of a cell is seen."""
        cell = self.netlist.cells[wire]
        for each in settings:
            self.netlist.outputs[f"changed[{len(self.change)}]"] = self.wire(replace(cell, **each))
            self.netlist.outputs[f"unchanged[{len(self.change)}]"] = wire
            self.change.append(f"{each} of {cell}")

    def table(self, inputs: int = 4) -> int:
        """A random one, often of a simple form in some inputs."""
        if inputs == 0:
            return self.draw.getrandbits(1)
        half = 1 << inputs - 1
        low, ones = self.table(inputs - 1), (1 << half) - 1
        high = self.draw.choice([0, ones, low, low ^ ones, *[self.table(inputs - 1)] * 3])
        return low << half | high if self.draw.getrandbits(1) else high << half | low

    def lut(self) -> Lut:
        """A random one; half of them have constants, or one wire twice."""
        pool: list[Signal] = [*DATA[:2], *BOTH]
        some, wires = self.draw.choices(pool, k=4), self.draw.sample(DATA, 4)
        a, b, c, d = some if self.draw.getrandbits(1) else wires
        return Lut(self.table(), (a, b, c, d))

    def flipped(self, lut: Lut) -> list[Lut]:
        """With another bit of the table, where all of its bits count."""
        other = replace(lut, table=lut.table ^ 1 << self.draw.randrange(16))
        return [other] if len({*lut.inputs} & {*DATA}) == 4 else []

    def luts(self) -> None:
        """Of all forms that an expression may have."""
        for _ in range(300):
            lut = self.lut()
            out, pins = self.wire(lut), {p: [s] for p, s in zip("ABCD", lut.inputs, strict=True)}
            self.compare("LUT4", {**pins, "Z": [out]}, INIT=lut.table)
            self.changes(out, *({"table": other.table} for other in self.flipped(lut)))

    def muxes(self) -> None:
        """Of F0 (BLUT) and F1 (ALUT) of a slice, and of FXA (D0) and FXB (D1)."""
        pool: list[Signal] = [*DATA[:3], *BOTH]
        for low, high, select in product(pool, repeat=3):
            five, six = (self.wire(Mux(low, high, select)) for _ in range(2))
            self.compare("PFUMX", {"BLUT": [low], "ALUT": [high], "C0": [select], "Z": [five]})
            self.compare("L6MUX21", {"D0": [low], "D1": [high], "SD": [select], "Z": [six]})
            if len({low, high, select} & {*DATA}) == 3:
                self.changes(five, {"low": high, "high": low}, {"select": low})

    def carries(self) -> None:
        """Of two halves, where the first one's carry is the second one's; and chains of them."""
        chain: Signal = False
        for injects in list(product(BOTH, repeat=2)) * 60:
            carry = self.draw.choice([*BOTH, CARRY, CARRY, chain, chain])
            pins: dict[str, list[Signal]] = {"CIN": [carry]}
            settings: dict[str, str | int] = {}
            for half, inject in enumerate(injects):
                lut, given = self.lut(), carry
                value, carry = (self.wire(CarryHalf(lut, inject, given, each)) for each in BOTH)
                pins |= {f"{p}{half}": [s] for p, s in zip("ABCD", lut.inputs, strict=True)}
                pins[f"S{half}"] = [value]
                settings |= {f"INIT{half}": lut.table, f"INJECT1_{half}": ("NO", "YES")[inject]}
                if given == CARRY:
                    self.changes(value, {"inject": not inject})
                    for other in self.flipped(lut):
                        self.changes(value, {"lut": other})
                        self.changes(carry, {"lut": other})
            self.compare("CCU2C", {**pins, "COUT": [carry]}, **settings)
            chain = carry

    def registers(self) -> None:
        """The later ones take their data from those before that have a reset."""
        sources: list[Signal] = []
        for later, falling, how, inverted, is_async, value, fixed in product(
            BOTH, BOTH, ("CE", "INV", "0", "1"), BOTH, BOTH, BOTH, (None, *BOTH)
        ):
            if how == "0" and fixed is inverted:
                continue  # neither loaded nor reset
            clock, enable = self.draw.choice(CLOCKS), self.draw.choice(ENABLES)
            given = how == "1" if how in "01" else enable, how == "INV"
            reset = self.draw.choice(RESETS) if fixed is None else fixed
            data = self.draw.choice(sources if later else DATA)
            cell = Register(data, clock, falling, *given, reset, inverted, is_async, value)
            out = self.wire(cell)
            self.compare(
                "TRELLIS_FF",
                {"CLK": [clock], "CE": [enable], "LSR": [reset], "DI": [data], "Q": [out]},
                CLKMUX=("CLK", "INV")[falling],
                CEMUX=how,
                LSRMUX=("LSR", "INV")[inverted],
                SRMODE=("LSR_OVER_CE", "ASYNC")[is_async],
                REGSET=("RESET", "SET")[value],
            )
            if fixed is None and not later:
                sources.append(out)
                flags = ["value"]  # the only one of a register that is never loaded
                flags += ["falling", "inverted_reset", "asynchronous"] if how != "0" else []
                flags += ["inverted_enable"] if how not in "01" else []
                self.changes(out, *({flag: not getattr(cell, flag)} for flag in flags))

    def memories(self) -> None:
        """Four bits have one address; the contents are seen where nothing is written."""
        for falling, how, _ in product(BOTH, ("WRE", "INV", "0", "1"), range(3)):
            clock, enable = self.draw.choice(CLOCKS), self.draw.choice(ENABLES)
            read, write, data = (self.draw.sample(each, 4) for each in (DATA, DATA[:4], DATA[4:]))
            words = [self.draw.getrandbits(4) for _ in range(16)]
            given = how == "1" if how in "01" else enable, how == "INV", clock, falling
            tables = [sum((w >> bit & 1) << i for i, w in enumerate(words)) for bit in range(4)]
            both = tuple(read), tuple(write)
            cells = [RamBit(*both, data[bit], *given, tables[bit]) for bit in range(4)]
            out = [self.wire(cell) for cell in cells]
            pins = {"RAD": read, "WAD": write, "DI": data, "WRE": [enable], "WCK": [clock]}
            self.compare(
                "TRELLIS_DPR16X4",
                {**pins, "DO": out},
                WCKMUX=("WCK", "INV")[falling],
                WREMUX=how,
                INITVAL=sum(word << 4 * i for i, word in enumerate(words)),
            )
            self.changes(out[0], {"read": both[0][::-1]})
            if how == "0":
                self.changes(out[1], {"content": tables[1] ^ 1 << self.draw.randrange(16)})
            else:
                self.changes(out[1], {"write": both[1][::-1]}, {"falling": not falling})
                self.changes(out[2], {"inverted_enable": how != "INV"})

    def prelude(self) -> Iterator[int]:
        """Values of the pins that write all words, and load or reset all registers, twice."""
        for _, reset, enable, address in product(BOTH, (0, 3), (0, 3), range(16)):
            pins = reset << 24 | enable << 22 | self.draw.getrandbits(16) << 4 | address
            yield from (pins | clock << 20 for clock in (0, 1, 0, 2, 0))

    def steps(self) -> Iterator[int]:
        """Random values: another clock, enable or reset, or other data, never two of these."""
        pins = 0
        for _ in range(STEPS):
            change = self.draw.choices([CLOCKS, ENABLES, RESETS, DATA], [5, 1, 1, 3])[0]
            pins ^= (
                self.draw.getrandbits(20)
                if change is DATA
                else 1 << self.draw.choice(change).column
            )
            yield pins


def bench(cells: Cells, folder: Path) -> SourceList:
    """Netlist, models, and what drives and compares them."""
    prelude, steps = list(cells.prelude()), list(cells.steps())
    outputs, changes = len(cells.output), len(cells.change)
    ports = [Port("pins", len(PINS), False), Port("outputs", outputs, True)]
    ports += [Port("changed", changes, True), Port("unchanged", changes, True)]
    kinds = {line.partition(" ")[0] for line in cells.instances}
    head = f"module yosys (input wire [25:0] pins, output wire [{outputs - 1}:0] outputs);"
    texts = {
        "extracted.v": write_verilog(cells.netlist, "extracted", ports, cells.given),
        "yosys.v": "\n".join([head, *cells.instances, "endmodule\n"]),
        "models.v": models(kinds, TARGETS["ecp5-85f"]),
        "bench.sv": BENCH.format(
            outputs=outputs - 1,
            changes=changes - 1,
            prelude=len(prelude),
            last=len(prelude) + len(steps) - 1,
            steps=folder / "steps.hex",
        ),
        "steps.hex": "".join(f"{pins:x}\n" for pins in prelude + steps),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    return SourceList(tuple(folder / name for name in texts if name != "steps.hex"), ())


def test_cells_of_a_netlist_do_as_those_of_yosys(cache: Path, tmp_path: Path) -> None:
    cells = Cells()
    for make in (cells.luts, cells.muxes, cells.carries, cells.registers, cells.memories):
        make()
    top = Top("", "bench", {}, frozenset(), "the cells of a netlist")
    library = build_listing(bench(cells, tmp_path), top, checked=True, netlist=True)
    with Model(library) as model:
        try:
            model.advance(STEPS + 1000)
        except ToolError as error:
            found = re.search(r"(output|change) (\d+)", str(error))
            told = getattr(cells, found[1])[int(found[2])] if found else ""
            pytest.fail(f"{error}: {told}")
