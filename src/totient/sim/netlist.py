"""Netlists compiled to native models, to run like RTL."""

from collections.abc import Sequence
from pathlib import Path

from totient.catalog import SourceList, Top
from totient.sim.build import build_listing


def build_netlist_model(files: Sequence[Path], top: Top) -> Path:
    """Shared library that simulates a netlist with its faces, from the cache or built now.

    Every unknown bit of the netlist, and the initial value of registers and memories, is random and
    constant for the run: open it with `Model(path, unknowns=seed)`.

    Args:
        files: the netlist in Verilog, with models of its cells (`totient.flow.netlist_verilog`).
        top: of the netlist: its module has these ports, and no parameters.

    Raises:
        ToolError: as for `totient.sim.build_model`.
    """
    return build_listing(SourceList(tuple(files), ()), top, netlist=True)
