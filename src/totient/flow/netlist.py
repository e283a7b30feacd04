"""Netlists as Yosys writes them (JSON)."""

from collections.abc import Mapping
from typing import Any


def top_module(netlist: Mapping[str, Any]) -> Mapping[str, Any]:
    """The top module of a netlist."""
    module: Mapping[str, Any] = netlist["modules"][_top(netlist)]
    return module


def with_top_module(netlist: Mapping[str, Any], module: Mapping[str, Any]) -> dict[str, Any]:
    """A netlist with another top module; the one given is not changed, and shares parts with it."""
    return {**netlist, "modules": {**netlist["modules"], _top(netlist): module}}


def _top(netlist: Mapping[str, Any]) -> str:
    """Name of the top module."""
    modules = netlist["modules"].items()
    return str(next(name for name, module in modules if "top" in module["attributes"]))
