"""Ports and parameters of a top module, as Verilator elaborates them."""

import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from totient.catalog import Top, sources
from totient.catalog.modules import parameter_texts, port_text
from totient.sim import toolchain

_LONGEST = 128
"""Bits of the longest constant that is written in decimal."""


@dataclass(frozen=True)
class Port:
    """A port.

    Attributes:
        name: of it.
        direction: `input` or `output`.
        bits: how many.
        text: its meaning.
    """

    name: str
    direction: str
    bits: int
    text: str

    @property
    def range(self) -> str:
        """The range as SystemVerilog writes it, with a blank after it; empty for one bit."""
        return f"[{self.bits - 1}:0] " if self.bits > 1 else ""


@dataclass(frozen=True)
class ModuleParameter:
    """A parameter of a module.

    Attributes:
        name: of it.
        default: as the module has it, in the words of SystemVerilog: its value, or the expression
            if that has other parameters in it.
        value: the value of that expression, with the other defaults.
        text: its meaning, with the allowed values.
    """

    name: str
    default: str
    value: str
    text: str


@dataclass(frozen=True)
class Module:
    """Ports and parameters of a module."""

    ports: tuple[Port, ...]
    parameters: tuple[ModuleParameter, ...]


@dataclass(frozen=True)
class Instance:
    """A module of an elaborated design.

    Attributes:
        module: its name.
        parameters: the values of its parameters here, texts in quotes.
    """

    module: str
    parameters: Mapping[str, int | str]


@cache
def module(core: str, name: str) -> Module:
    """Ports and parameters of a top module, at its defaults. No port's width is a parameter's.

    Args:
        core: its FuseSoC name.
        name: of the module.

    Raises:
        ToolError: the RTL does not elaborate.
    """
    elaborated = _elaborated(core, name, {})
    ranges = {
        node["addr"]: node.get("range")
        for node in _nodes(elaborated["miscsp"])
        if node.get("type") == "BASICDTYPE"
    }
    found = next(each for each in elaborated["modulesp"] if each.get("origName") == name)
    variables = [node for node in found["stmtsp"] if node.get("type") == "VAR"]
    texts, written = parameter_texts(name), _expressions(core, name)
    return Module(
        ports=tuple(
            Port(
                node["name"],
                node["direction"].lower(),
                _bits(ranges[node["dtypep"]]),
                port_text(node["name"], name),
            )
            for node in variables
            if node["direction"] in ("INPUT", "OUTPUT")
        ),
        parameters=tuple(
            ModuleParameter(
                node["name"],
                written.get(node["name"]) or _value(node["valuep"][0]["name"]),
                _value(node["valuep"][0]["name"]),
                texts[node["name"]],
            )
            for node in variables
            if node.get("isGParam")
        ),
    )


def instances(top: Top) -> tuple[Instance, ...]:
    """The modules in a top with its parameters, itself first.

    Raises:
        ToolError: the RTL does not elaborate.
    """
    found = []
    for each in _elaborated(top.core, top.module, top.parameters)["modulesp"]:
        if each.get("type") == "MODULE":
            values = {
                node["name"]: _value(node["valuep"][0]["name"])
                for node in each["stmtsp"]
                if node.get("isGParam")
            }
            found.append(Instance(each["origName"], values))
    return tuple(sorted(found, key=lambda each: each.module != top.module))


def _elaborated(core: str, name: str, parameters: Mapping[str, int | str]) -> dict[str, Any]:
    """A design with these parameters as Verilator's tree."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree.json"
        options = ("--json-only", "--json-only-output", str(tree), "-Wno-lint", "--no-assert")
        listing = sources(core, tool="verilator")
        toolchain.verilate(listing, name, parameters, Path(folder), options)
        elaborated: dict[str, Any] = json.loads(tree.read_text())
        return elaborated


def _expressions(core: str, name: str) -> dict[str, str]:
    """The defaults of a module's parameters that follow from other ones, as the RTL has them."""
    path = next(file for file in sources(core).files if file.stem == name)
    header = path.read_text().partition(f"module {name}")[2].partition("\n) (")[0]
    lines = re.findall(r"^ *parameter .*?(\w+) +=(.*)$", header, re.MULTILINE)
    given = {each: text.partition("//")[0].strip(" ,") for each, text in lines}
    return {
        each: text
        for each, text in given.items()
        if any(re.search(rf"(?<![:\w]){other}\b", text) for other in given)
    }


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """All nodes of a tree."""
    if isinstance(tree, list):
        for each in tree:
            yield from _nodes(each)
    elif isinstance(tree, dict):
        yield tree
        for each in tree.values():
            yield from _nodes(each)


def _bits(written: str | None) -> int:
    """Bits of a range: `31:0`."""
    if written is None:
        return 1
    high, _, low = written.partition(":")
    return int(high) - int(low) + 1


def _value(written: str) -> str:
    """A constant of the elaborated design in decimal, or as the text that it is; memories stay."""
    match = re.fullmatch(r"(\d+)'s?h([0-9a-f]+)", written)
    if not match or int(match[1]) > _LONGEST:
        return written
    value = int(match[2], 16)
    text = value.to_bytes((value.bit_length() + 7) // 8, "big")
    if int(match[1]) >= 64 and value and text.isascii() and text.decode().isprintable():
        return f'"{text.decode()}"'
    return str(value)
