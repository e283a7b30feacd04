"""A netlist as Verilog for a simulator: its cells, with models of the device's cells.

Models of LUTs, carry chains, flip-flops, shift registers and distributed memories are Yosys' own.
`cells/` has the hard blocks. None of them comes from `rtl/prim`, so that netlists are checked
against independent models.

Unspecified values are unknown, `x`. A simulation makes each unknown bit a constant of the run
(`totient.sim.netlist`): open pins, unless a source states their value, and initial values of
registers and memories.
"""

import importlib.util
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from totient.common.cache import digest, produce
from totient.common.errors import ToolError
from totient.flow.netlist import top_module
from totient.flow.rtl import Rtl
from totient.flow.synthesis import synthesised
from totient.flow.target import CellModels, Target

_CELLS = Path(__file__).with_name("cells")

# A module of a library, and a register of it that begins with a stated value.
_MODULE = re.compile(r"^module\s+(\\?\S+?)\s*[(#;].*?^\s*endmodule\b", re.DOTALL | re.MULTILINE)
_BEGINNING = re.compile(
    r"^\s*(?:(?:if \(\w+ == 1\) )?initial \w+ <?= [^;]*;|`SB_DFF_INIT)\n", re.MULTILINE
)

# Values of open inputs of iCE40 cells, for which Yosys has macros.
_DEFAULT = re.compile(r"`ICE40_DEFAULT_ASSIGNMENT_(?:V\((.*?)\)|([01]))")


def synthesised_verilog(rtl: Rtl, target: Target, dsp: bool = True) -> tuple[Path, ...]:
    """The synthesised netlist of a module, as files for `totient.sim.netlist`.

    Args:
        rtl: the module.
        target: the device.
        dsp: whether multiplications may use the device's multiplier blocks.

    Raises:
        ToolError: Yosys failed, or the netlist has a cell without a model.
    """
    folder = synthesised(rtl, target, dsp)
    return netlist_files((folder / "netlist.json").read_text(), target)


def netlist_files(text: str, target: Target) -> tuple[Path, ...]:
    """A netlist as files of Verilog, from the cache or new: itself, and the models of its cells.

    Args:
        text: the netlist, as Yosys writes it (JSON).
        target: the device.

    Raises:
        ToolError: the netlist has a cell without a model.
    """
    assert target.models is not None
    own = [path.read_text() for path in sorted((_CELLS / target.models.folder).glob("*.v"))]
    source = Path(__file__).read_text()
    library = _library(target.models)
    name = digest(text, *own, *library.values(), repr(target.models), source)

    def build(folder: Path) -> None:
        netlist = json.loads(text)
        types = {cell["type"] for cell in top_module(netlist)["cells"].values()}
        (folder / "cells.v").write_text(models(types, target))
        (folder / "netlist.v").write_text(verilog(netlist, target))

    folder = produce("netlists", name, build)
    return folder / "netlist.v", folder / "cells.v"


def verilog(netlist: Mapping[str, Any], target: Target) -> str:
    """The top module of a netlist as Verilog: one instance a cell, one wire a net.

    Args:
        netlist: as Yosys writes it (JSON).
        target: the device, which determines the values of open pins of its cells.
    """
    assert target.models is not None
    top = top_module(netlist)
    (name,) = (name for name, module in netlist["modules"].items() if module is top)
    ports = ", ".join(top["ports"])
    lines = [f"module {_name(name)}({ports});"]
    wires: set[int] = set()
    joined = []
    for port, content in top["ports"].items():
        bits = content["bits"]
        lines.append(f"  {content['direction']} [{len(bits) - 1}:0] {_name(port)};")
        for place, bit in enumerate(bits):
            here, there = f"{_name(port)}[{place}]", _bit(bit)
            if content["direction"] == "input":
                here, there = there, here
            joined.append(f"  assign {here} = {there};")
        wires |= {bit for bit in bits if isinstance(bit, int)}
    instances = []
    for number, cell in enumerate(top["cells"].values()):
        connections = {
            port: bits for port, bits in cell["connections"].items() if any(b != "z" for b in bits)
        }
        for port, value in target.models.open_pins(
            cell["type"], _pins(cell["type"], target.models)
        ):
            connections.setdefault(port, [value])
        for bits in connections.values():
            wires |= {bit for bit in bits if isinstance(bit, int)}
        settings = ", ".join(
            f".{_name(key)}({_value(value)})" for key, value in cell["parameters"].items()
        )
        pins = ", ".join(
            f".{_name(port)}({{{', '.join(_bit(bit) for bit in reversed(bits))}}})"
            for port, bits in connections.items()
        )
        instances.append(f"  {_name(cell['type'])} #({settings}) c{number} ({pins});")
    lines += [f"  wire n{wire};" for wire in sorted(wires)]
    return "\n".join([*lines, *joined, *instances, "endmodule\n"])


def models(types: Iterable[str], target: Target) -> str:
    """Models of cells, with the modules that they instantiate.

    Args:
        types: of the cells.
        target: the device.

    Raises:
        ToolError: there is no model of one of them.
    """
    assert target.models is not None
    library = {**_library(target.models), **_own(target.models)}
    needed: dict[str, str] = {}
    left = sorted(types)
    while left:
        name = left.pop()
        if name in needed:
            continue
        if name not in library:
            raise ToolError(
                f"no model of the cell {name} of {target.name}; without multiplier blocks "
                "(--no-dsp) there may be none of it"
            )
        needed[name] = library[name]
        words = set(re.findall(r"\w+", library[name]))
        left += sorted(words & library.keys() - {name})
    return "\n\n".join(needed.values()) + "\n"


@cache
def _own(cells: CellModels) -> dict[str, str]:
    """Our own models, by module."""
    found: dict[str, str] = {}
    for path in sorted((_CELLS / cells.folder).glob("*.v")):
        found |= _modules(path.read_text())
    return found


@cache
def _library(cells: CellModels) -> dict[str, str]:
    """Yosys' models, by module. The simulator sets the initial values of registers."""
    package = importlib.util.find_spec("pyosys")
    if package is None or package.origin is None:
        raise ToolError("the Python package pyosys is missing: install totient again")
    share = Path(package.origin).with_name("share")
    found: dict[str, str] = {}
    for file in cells.files:
        found |= _modules((share / file).read_text())
    return {name: _DEFAULT.sub(_default, _BEGINNING.sub("", text)) for name, text in found.items()}


def _default(found: re.Match[str]) -> str:
    return f"= {found[1] or found[2]}"


def _modules(text: str) -> dict[str, str]:
    return {match[1]: match[0] for match in _MODULE.finditer(text)}


@cache
def _pins(cell: str, cells: CellModels) -> Sequence[str]:
    """Inputs of a cell that has a model of our own, which names each."""
    text = _own(cells).get(cell, "")
    match = re.search(r"^  input\s(.*?)^  output\s", text, re.DOTALL | re.MULTILINE)
    return re.findall(r"\w+", match[1]) if match else ()


def _bit(bit: int | str) -> str:
    return f"n{bit}" if isinstance(bit, int) else f"1'b{bit.replace('z', 'x')}"


def _name(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else f"\\{name} "


def _value(value: str | int) -> str:
    """A parameter; in a netlist a text that looks like a number ends in a space."""
    if isinstance(value, str) and re.fullmatch("[01xz]+", value):
        return f"{len(value)}'b{value}"
    if isinstance(value, str):
        return '"' + re.sub(r"^([01xz]* *) $", r"\1", value) + '"'
    return str(value)
