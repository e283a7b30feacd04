"""Which variables of a design are its state, by its elaboration, and which address a memory."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from totient.catalog.sources import SourceList
from totient.sim import toolchain

WATCHED = (("ram_*", "*index_i"), ("ram_*", "write_i"), ("rom_*", "index_i"))
"""Modules and ports that are watched: all that a memory is addressed by, and when it is written."""


def probing_file(
    listing: SourceList, top: str, parameters: Mapping[str, int | str], folder: Path
) -> Path:
    """A file of options for Verilator that opens a design's state and what is watched.

    State is what is assigned with `<=`.

    Args:
        listing: the sources, dependencies first.
        top: the top module.
        parameters: values of its parameters.
        folder: where it goes.

    Raises:
        ToolError: Verilator found an error in the sources.
    """
    tree = folder / "tree.json"
    elaborated = folder / "elaborated"
    elaborated.mkdir()
    options = ("--json-only", "--json-only-output", str(tree), "-Wno-lint", "--no-assert")
    toolchain.verilate(listing, top, parameters, elaborated, options)
    state = sorted(set(_assigned(json.loads(tree.read_text()), "")))
    lines = [f'public_flat_rw -module "{module}" -var "{name}"' for module, name in state]
    lines += [f'public_flat_rd -module "{module}" -var "{name}"' for module, name in WATCHED]
    written = folder / "probing.vlt"
    written.write_text("\n".join(("`verilator_config", *lines, "")))
    return written


def _assigned(node: Any, module: str) -> Iterator[tuple[str, str]]:
    """Modules and names of what is assigned with `<=`."""
    if isinstance(node, list):
        for each in node:
            yield from _assigned(each, module)
    elif isinstance(node, dict):
        kind = node.get("type")
        if kind == "MODULE":
            module = node["origName"]
        if kind == "ASSIGNDLY":
            for name in _written(node["lhsp"]):
                yield module, name
        else:
            for each in node.values():
                yield from _assigned(each, module)


def _written(node: Any) -> Iterator[str]:
    """Names of the variables in what is assigned to."""
    if isinstance(node, list):
        for each in node:
            yield from _written(each)
    elif isinstance(node, dict):
        if node.get("type") == "VARREF" and node["access"] == "WR":
            yield node["name"]
        else:
            for each in node.values():
                yield from _written(each)
