"""Ports and parameters of a top module, as Verilator elaborates them."""

import json
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from totient.catalog import sources
from totient.catalog.modules import parameter_texts, port_text
from totient.sim import toolchain


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
        default: as the module has it, in the words of SystemVerilog.
        text: its meaning, with the allowed values.
    """

    name: str
    default: str
    text: str


@dataclass(frozen=True)
class Module:
    """Ports and parameters of a module."""

    ports: tuple[Port, ...]
    parameters: tuple[ModuleParameter, ...]


@cache
def module(core: str, name: str) -> Module:
    """Ports and parameters of a top module, at its defaults. No port's width is a parameter's.

    Args:
        core: its FuseSoC name.
        name: of the module.

    Raises:
        ToolError: the RTL does not elaborate.
    """
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree.json"
        options = ("--json-only", "--json-only-output", str(tree), "-Wno-lint", "--no-assert")
        toolchain.verilate(sources(core, tool="verilator"), name, {}, Path(folder), options)
        elaborated = json.loads(tree.read_text())
    ranges = {
        node["addr"]: node.get("range")
        for node in _nodes(elaborated["miscsp"])
        if node.get("type") == "BASICDTYPE"
    }
    found = next(each for each in elaborated["modulesp"] if each.get("origName") == name)
    variables = [node for node in found["stmtsp"] if node.get("type") == "VAR"]
    texts = parameter_texts(name)
    return Module(
        ports=tuple(
            Port(
                node["name"],
                node["direction"].lower(),
                _bits(ranges[node["dtypep"]]),
                port_text(node["name"]),
            )
            for node in variables
            if node["direction"] in ("INPUT", "OUTPUT")
        ),
        parameters=tuple(
            ModuleParameter(node["name"], _value(node["valuep"][0]["name"]), texts[node["name"]])
            for node in variables
            if node.get("isGParam")
        ),
    )


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
    """A constant of the elaborated design in decimal, or as the text that it is."""
    match = re.fullmatch(r"(\d+)'s?h([0-9a-f]+)", written)
    if not match:
        return written
    value = int(match[2], 16)
    text = value.to_bytes((value.bit_length() + 7) // 8, "big")
    if int(match[1]) >= 64 and value and text.isascii() and text.decode().isprintable():
        return f'"{text.decode()}"'
    return str(value)
