"""Netlists in Yosys' format (JSON)."""

from collections.abc import Iterator, Mapping
from typing import Any

Signal = int | str
"""The connection of a pin: a net's number, or `0`, `1` or `x`."""


def top_module(netlist: Mapping[str, Any]) -> Mapping[str, Any]:
    """The top module of a netlist."""
    module: Mapping[str, Any] = netlist["modules"][_top(netlist)]
    return module


def wire_numbers(module: Mapping[str, Any]) -> Iterator[int]:
    """Numbers of the wires of a module, some more than once."""
    for part in ("ports", "netnames"):
        for wires in module[part].values():
            yield from (bit for bit in wires["bits"] if isinstance(bit, int))


def with_top_module(netlist: Mapping[str, Any], module: Mapping[str, Any]) -> dict[str, Any]:
    """A netlist with another top module. The given one is not changed, and shares parts with it."""
    return {**netlist, "modules": {**netlist["modules"], _top(netlist): module}}


class Cells:
    """Cells of a module under construction."""

    def __init__(self) -> None:
        self._cells: dict[str, dict[str, Any]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._cells

    def add(
        self,
        name: str,
        kind: str,
        settings: Mapping[str, str | int],
        pins: Mapping[str, Signal | list[Signal]],
    ) -> None:
        """Add a cell.

        Args:
            name: of the cell; a cell of that name is replaced.
            kind: its type.
            settings: its parameters: numbers, as text of bits or unchanged.
            pins: connections of each, least significant bit first.
        """
        connections = {pin: net if isinstance(net, list) else [net] for pin, net in pins.items()}
        self._cells[name] = {"type": kind, "parameters": settings, "connections": connections}

    def netlist(self, top: str, ports: Mapping[str, tuple[str, list[Signal]]]) -> dict[str, Any]:
        """The netlist with these cells.

        Args:
            top: name of the module.
            ports: direction and nets of its ports.
        """
        module = {
            "attributes": {"top": "1"},
            "ports": {n: {"direction": way, "bits": bits} for n, (way, bits) in ports.items()},
            "cells": self._cells,
            "netnames": {},
        }
        return {"modules": {top: module}}


def _top(netlist: Mapping[str, Any]) -> str:
    """Name of the top module."""
    modules = netlist["modules"].items()
    return str(next(name for name, module in modules if "top" in module["attributes"]))
