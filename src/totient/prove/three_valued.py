"""A simulation model of a module in which each bit of the state is 0, 1 or unknown.

Flip-flops, memories, multipliers and tables of constants are taken out of the netlist. The logic
that is left is encoded by Yosys (`xprop`), with two wires for a bit: its value, and whether it is
unknown. A module with the name and the ports of the original connects it with the state, which has
both as well. It is simulated by Verilator, like any other.

If a bit is known, it has this value for all values of the unknown bits. The reverse does not hold:
x - x is unknown if x is. A memory that is written at an unknown address, or perhaps, is unknown.
A product is unknown if a factor is, but 0 times an unknown number is 0.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from totient.catalog import SourceList, Top
from totient.common.cache import digest, produce
from totient.common.errors import ToolError
from totient.flow.rtl import Rtl
from totient.flow.synthesis import elaboration, run_yosys
from totient.flow.versions import tool_version
from totient.sim.build import build_listing

_FLATTENED = (
    *("proc", "flatten", "opt_expr", "opt_clean", "memory_collect", "memory_map -rom-only"),
    *("dffunmap", "opt_expr", "opt_clean", "check -assert", "write_json flat.json"),
)
_ARITHMETIC = "t:$add t:$sub t:$lt t:$le t:$gt t:$ge t:$shl t:$shr t:$shift t:$shiftx t:$neg"
_ENCODED = (
    *("read_json gates.json", f"techmap {_ARITHMETIC}", "techmap t:$alu t:$lcu t:$macc_v2"),
    *("techmap t:$fa", "opt_clean", "xprop -split-ports -required", "bwmuxmap", "opt_expr"),
    *("opt_merge", "opt_clean", "rename -top gates", "write_verilog -noattr gates.v"),
)
_LEAST_TABLE = 1024
"""Bits of a table of constants from which on it is taken out."""

_Bits = Sequence[int | str]


@dataclass(frozen=True)
class Register:
    """Flip-flops of the module.

    Attributes:
        name: in the RTL, with the instance path.
        bits: of a word.
        words: of a memory; 0 for flip-flops.
    """

    name: str
    bits: int
    words: int = 0


@dataclass(frozen=True)
class ThreeValued:
    """A built model.

    Attributes:
        library: for `totient.sim.Model`.
        registers: the state. Element `value{n}_q` of the model has the values of register n, and
            `unknown{n}_q` which bits are unknown; their values are 0.
    """

    library: Path
    registers: tuple[Register, ...]


def build_three_valued(listing: SourceList, top: Top) -> ThreeValued:
    """The model of a module, from the cache or built now. At first all its state is unknown.

    Args:
        listing: its sources.
        top: the module, with one clock and without vendor cells. Inputs are known.

    Raises:
        ToolError: Yosys failed, or the module has a cell that is not supported.
    """
    rtl = Rtl(listing, top.module, top.parameters)
    own = Path(__file__).read_text()
    commands = json.dumps([_FLATTENED, _ENCODED])
    name = digest(rtl.digest, commands, tool_version("pyosys"), own)

    def build(folder: Path) -> None:
        begin = [elaboration(rtl), f"hierarchy -top {rtl.top}"]
        run_yosys(rtl, [*begin, *_FLATTENED], folder, name)
        netlist = json.loads((folder / "flat.json").read_text())
        outside = _Outside(netlist["modules"][rtl.top], top.clock)
        (folder / "gates.json").write_text(json.dumps(netlist))
        run_yosys(rtl, _ENCODED, folder, name)
        (folder / "module.sv").write_text("\n".join(outside.module(rtl.top)))
        state = [vars(each) for each in outside.registers]
        (folder / "registers.json").write_text(json.dumps(state))

    folder = produce("three-valued", name, build)
    files = (folder / "gates.v", folder / "module.sv")
    bare = Top(top.core, top.module, {}, top.faces, f"{top.label} with unknown bits")
    library = build_listing(
        SourceList(files, ()), bare, probed=True, further=("-Wno-fatal", "-fno-dfg")
    )
    state = json.loads((folder / "registers.json").read_text())
    return ThreeValued(library, tuple(Register(**each) for each in state))


class _Outside:
    """What is taken out of a flat netlist: ports of the logic, and the text around it.

    Args:
        module: in Yosys' format (JSON); it becomes the logic alone.
        clock: name of its clock.
    """

    def __init__(self, module: dict[str, Any], clock: str) -> None:
        self._cells = module["cells"]
        self._ports = module["ports"]
        self._clock = self._ports[clock]["bits"]
        self._own: dict[str, tuple[str, int]] = {
            name: (port["direction"], len(port["bits"])) for name, port in self._ports.items()
        }
        self._wires = _wires(module["netnames"])
        self._pins: list[str] = []
        self._lines: list[str] = []
        self.registers: list[Register] = []
        for name in self._own:
            self._own_port(name)
        kinds = {"$dff": self._flip_flops, "$mem_v2": self._memory, "$mul": self._product}
        for name, cell in [*self._cells.items()]:
            if take := kinds.get(cell["type"]):
                take(len(self._pins), cell)
                del self._cells[name]
            elif cell["type"] == "$bmux" and _is_table(cell):
                self._table(len(self._pins), cell)
                del self._cells[name]
            elif "ff" in cell["type"] or "latch" in cell["type"]:
                raise ToolError(f"{cell['type']} has no model with unknown bits")

    def module(self, name: str) -> Iterator[str]:
        """The module around the logic."""
        yield f"module {name} ("
        yield ",\n".join(
            f"  {way} [{bits - 1}:0] {port}" for port, (way, bits) in self._own.items()
        )
        yield ");"
        yield from self._lines
        yield "  gates u_gates (\n" + ",\n".join(f"    {pin}" for pin in self._pins) + "\n  );"
        yield "endmodule\n"

    def _own_port(self, name: str) -> None:
        way, bits = self._own[name]
        if way == "input":
            self._pins.append(f".{name}_d({name}), .{name}_x({bits}'d0)")
        else:
            self._lines.append(f"  wire [{bits - 1}:0] {name}_unknown;")
            self._pins.append(f".{name}_d({name}), .{name}_x({name}_unknown)")

    def _cut(self, number: int, way: str, port: str, bits: _Bits) -> int:
        """A port of the logic, and wires for it: `v_{port}{number}` and `u_{port}{number}`."""
        name = f"{port}{number}"
        self._ports[f"cut_{name}"] = {"direction": way, "bits": [*bits]}
        self._lines.append(f"  wire [{len(bits) - 1}:0] v_{name}, u_{name};")
        self._pins.append(f".cut_{name}_d(v_{name}), .cut_{name}_x(u_{name})")
        return len(bits)

    def _register(self, register: Register) -> int:
        """The state's own number."""
        self.registers.append(register)
        return len(self.registers) - 1

    def _flip_flops(self, n: int, cell: Mapping[str, Any]) -> None:
        pins = cell["connections"]
        if pins["CLK"] != self._clock or not int(cell["parameters"]["CLK_POLARITY"], 2):
            raise ToolError("a module with unknown bits has one clock")
        bits = self._cut(n, "output", "d", pins["D"])
        self._cut(n, "input", "q", pins["Q"])
        k = self._register(Register(self._label(cell), bits))
        self._lines += [
            f"  reg [{bits - 1}:0] value{k}_q = '0, unknown{k}_q = '1;",
            f"  always @(posedge {self._clock_name}) begin",
            f"    value{k}_q <= v_d{n};",
            f"    unknown{k}_q <= u_d{n};",
            "  end",
            f"  assign v_q{n} = value{k}_q;",
            f"  assign u_q{n} = unknown{k}_q;",
        ]

    def _memory(self, n: int, cell: Mapping[str, Any]) -> None:
        settings, pins = cell["parameters"], cell["connections"]
        number = {name: int(settings[name], 2) for name in ("RD_PORTS", "WR_PORTS", "SIZE")}
        if number["RD_PORTS"] != 1 or number["WR_PORTS"] != 1:
            raise ToolError("a memory with unknown bits has one port to read, and one to write")
        if int(settings["RD_CLK_ENABLE"], 2) or pins["WR_CLK"] != self._clock:
            raise ToolError("a memory with unknown bits is read without a clock, and has one clock")
        self._cut(n, "output", "ra", pins["RD_ADDR"])
        self._cut(n, "output", "wa", pins["WR_ADDR"])
        bits = self._cut(n, "output", "wd", pins["WR_DATA"])
        self._cut(n, "output", "we", pins["WR_EN"])
        self._cut(n, "input", "rd", pins["RD_DATA"])
        words = number["SIZE"]
        k = self._register(Register(settings["MEMID"].lstrip("\\"), bits, words))
        all_unknown = f"for (int i = 0; i < {words}; i++) begin value{k}_q[i]{{}} '0; "
        all_unknown += f"unknown{k}_q[i]{{}} '1; end"
        self._lines += [
            f"  reg [{bits - 1}:0] value{k}_q [{words}], unknown{k}_q [{words}];",
            f"  initial {all_unknown.replace('{}', ' =')}",
            f"  always @(posedge {self._clock_name}) begin",
            f"    if (|u_we{n} || (|v_we{n} && |u_wa{n})) {all_unknown.replace('{}', ' <=')}",
            f"    else if (|v_we{n}) begin",
            f"      value{k}_q[v_wa{n}] <= (value{k}_q[v_wa{n}] & ~v_we{n}) | (v_wd{n} & v_we{n});",
            f"      unknown{k}_q[v_wa{n}] <= (unknown{k}_q[v_wa{n}] & ~v_we{n})",
            f"                               | (u_wd{n} & v_we{n});",
            "    end",
            "  end",
            f"  assign v_rd{n} = |u_ra{n} ? '0 : value{k}_q[v_ra{n}];",
            f"  assign u_rd{n} = |u_ra{n} ? '1 : unknown{k}_q[v_ra{n}];",
        ]

    def _product(self, n: int, cell: Mapping[str, Any]) -> None:
        settings, pins = cell["parameters"], cell["connections"]
        if int(settings["A_SIGNED"], 2) or int(settings["B_SIGNED"], 2):
            raise ToolError("a multiplier with unknown bits has factors without a sign")
        self._cut(n, "output", "a", pins["A"])
        self._cut(n, "output", "b", pins["B"])
        bits = self._cut(n, "input", "y", pins["Y"])
        self._lines += [
            f"  wire zero{n} = ~|{{v_a{n}, u_a{n}}} || ~|{{v_b{n}, u_b{n}}};",
            f"  wire unknown{n} = !zero{n} && |{{u_a{n}, u_b{n}}};",
            f"  assign v_y{n} = unknown{n} ? '0 : {bits}'(v_a{n}) * {bits}'(v_b{n});",
            f"  assign u_y{n} = {{{bits}{{unknown{n}}}}};",
        ]

    def _table(self, n: int, cell: Mapping[str, Any]) -> None:
        pins = cell["connections"]
        index = self._cut(n, "output", "s", pins["S"])
        bits = self._cut(n, "input", "y", pins["Y"])
        words = [pins["A"][bits * i : bits * (i + 1)][::-1] for i in range(1 << index)]
        # A word that the RTL leaves open is unknown.
        opens = "".join("1" if "x" in word else "0" for word in reversed(words))
        text = ("".join(map(str, word)).replace("x", "0") for word in words)
        self._lines += [
            f"  reg [{bits - 1}:0] table{n} [{len(words)}];",
            "  initial begin",
            *(f"    table{n}[{i}] = {bits}'b{word};" for i, word in enumerate(text)),
            "  end",
            f"  wire [{len(words) - 1}:0] open{n} = {len(words)}'b{opens};",
            f"  wire unknown{n} = |u_s{n} || open{n}[v_s{n}];",
            f"  assign v_y{n} = unknown{n} ? '0 : table{n}[v_s{n}];",
            f"  assign u_y{n} = {{{bits}{{unknown{n}}}}};",
        ]

    @property
    def _clock_name(self) -> str:
        return next(name for name in self._own if self._ports[name]["bits"] == self._clock)

    def _label(self, cell: Mapping[str, Any]) -> str:
        """What flip-flops are called: by the wire of the lowest one, and its place there.

        Of several wires, this is one of the file that has the flip-flops, if there is one.
        """
        bits = cell["connections"]["Q"]

        def worth(wire: _Wire) -> tuple[bool, bool, int]:
            return wire.file == _file(cell), wire.name.endswith("_q"), -len(wire.name)

        wire = max(self._wires[bits[0]], key=worth)
        whole = list(wire.bits) == bits
        return wire.name if whole else f"{wire.name}[{wire.bits.index(bits[0])}]"


@dataclass(frozen=True)
class _Wire:
    """A wire of the RTL: its name, its bits, and the file that declares it."""

    name: str
    bits: tuple[int | str, ...]
    file: str


def _wires(wires: Mapping[str, Any]) -> dict[int | str, list[_Wire]]:
    """The wires that have a bit."""
    found: dict[int | str, list[_Wire]] = defaultdict(list)
    for name, wire in wires.items():
        if not wire["hide_name"]:
            for bit in wire["bits"]:
                found[bit].append(_Wire(name, tuple(wire["bits"]), _file(wire)))
    return found


def _file(item: Mapping[str, Any]) -> str:
    """Of a cell or a wire."""
    return str(item["attributes"].get("src", "")).partition(":")[0]


def _is_table(cell: Mapping[str, Any]) -> bool:
    content = cell["connections"]["A"]
    return len(content) >= _LEAST_TABLE and all(isinstance(bit, str) for bit in content)
