"""Netlists compiled to native models, to be run as RTL is."""

from collections.abc import Sequence
from pathlib import Path

from totient.catalog import SourceList, Top
from totient.sim.build import build_listing


def build_netlist_model(files: Sequence[Path], top: Top) -> Path:
    """Shared library that simulates a netlist behind its faces, from the cache or built now.

    Every bit that the netlist leaves unknown, and what registers and memories begin with, is random
    and stays for the run: open it with `Model(path, unknowns=seed)`.

    Args:
        files: the netlist in Verilog, with models of its cells (`totient.flow.netlist_verilog`).
        top: what it is the netlist of: its module has these ports, and no parameters.

    Raises:
        ToolError: as `totient.sim.build_model`.
    """
    return build_listing(SourceList(tuple(files), ()), top, netlist=True)
