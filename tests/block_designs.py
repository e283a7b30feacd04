"""Stand-ins for Vivado: they run an exported block design's script, and record its calls.

The pins of the vendor's cells stand here, as its guides list them (PG021, PG059, PG164, UG585).
"""

import itertools
import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

try:
    import tkinter
except ImportError as error:  # no skip: the script would pass unread
    raise ImportError(
        "this Python has no Tcl interpreter, in which block designs run: apt-get install python3-tk"
    ) from error

TclError = tkinter.TclError
"""An error that a script raises."""

# A signal of a bus: its bits, and whether the master drives it.
Signals = dict[str, tuple[int, bool]]
STREAM: Signals = {
    "TDATA": (32, True),
    "TKEEP": (4, True),
    "TLAST": (1, True),
    "TVALID": (1, True),
    "TREADY": (1, False),
}
LITE: Signals = {
    **{f"{way}VALID": (1, True) for way in ("AW", "AR")},
    **{f"{way}READY": (1, False) for way in ("AW", "AR", "W")},
    **{f"{way}PROT": (3, True) for way in ("AW", "AR")},
    **{f"{way}ADDR": (32, True) for way in ("AW", "AR")},
    "WVALID": (1, True),
    "WDATA": (32, True),
    "WSTRB": (4, True),
    "BVALID": (1, False),
    "BRESP": (2, False),
    "BREADY": (1, True),
    "RVALID": (1, False),
    "RDATA": (32, False),
    "RRESP": (2, False),
    "RREADY": (1, True),
}
MAY_LACK = {"TKEEP"}  # a slave of a stream may ignore it


class Pins(NamedTuple):
    """Pins of a cell: inputs and outputs; its buses with their side and kind."""

    inputs: Sequence[str]
    outputs: Sequence[str]
    buses: Mapping[str, tuple[str, str]]


VENDOR = {
    "processing_system7": Pins(
        ("M_AXI_GP0_ACLK", "S_AXI_HP0_ACLK", "S_AXI_HP2_ACLK"),
        ("FCLK_CLK0", "FCLK_RESET0_N"),
        {
            "M_AXI_GP0": ("master", "aximm"),
            "S_AXI_HP0": ("slave", "aximm"),
            "S_AXI_HP2": ("slave", "aximm"),
        },
    ),
    "proc_sys_reset": Pins(
        ("slowest_sync_clk", "ext_reset_in"), ("interconnect_aresetn", "peripheral_aresetn"), {}
    ),
    "axi_dma": Pins(
        ("s_axi_lite_aclk", "m_axi_mm2s_aclk", "m_axi_s2mm_aclk", "axi_resetn"),
        (),
        {
            "S_AXI_LITE": ("slave", "aximm"),
            "M_AXI_MM2S": ("master", "aximm"),
            "M_AXI_S2MM": ("master", "aximm"),
            "M_AXIS_MM2S": ("master", "axis"),
            "S_AXIS_S2MM": ("slave", "axis"),
        },
    ),
}
"""Cells of the vendor, as far as the design uses them; an interconnect depends on its masters."""


@dataclass
class Recorded:
    """Calls of a script."""

    files: list[str] = field(default_factory=list)
    cells: dict[str, str] = field(default_factory=dict)
    settings: dict[str, dict[str, str]] = field(default_factory=dict)
    nets: list[list[str]] = field(default_factory=list)
    buses: list[tuple[str, str]] = field(default_factory=list)
    addresses: list[tuple[str, str, int, int]] = field(default_factory=list)
    rest: list[list[str]] = field(default_factory=list)


NAMED = {"get_bd_pins", "get_bd_intf_pins", "get_bd_cells", "get_bd_addr_spaces"}
NAMED |= {"get_bd_addr_segs", "get_files", "get_runs"}
OTHER = {"create_project", "current_project", "current_fileset", "update_compile_order"}
OTHER |= {"create_bd_design", "apply_bd_automation", "validate_bd_design", "save_bd_design"}
OTHER |= {"make_wrapper", "launch_runs", "wait_on_run"}


def played(script: Path, *arguments: str, slack: str = "0.1", board: str = "") -> Recorded:
    """Run a script with stand-ins for Vivado's commands. An unknown command is an error."""
    done = Recorded()
    tcl = tkinter.Tcl()

    def call(name: str, *words: str) -> str:
        options = dict(itertools.pairwise(words))
        if name in NAMED:
            return words[-1]
        if name == "get_board_parts":
            return board
        if name == "get_property":
            return {"PROGRESS": "100%", "STATS.WNS": slack}[words[0]]
        if name == "add_files":
            done.files.append(words[-1])
        elif name == "create_bd_cell":
            done.cells[words[-1]] = options.get("-vlnv") or options["-reference"]
        elif name == "set_property" and words[0] == "-dict":
            pairs = tcl.splitlist(words[1])
            done.settings[words[2]] = dict(zip(pairs[::2], pairs[1::2], strict=True))
        elif name == "connect_bd_net":
            done.nets.append(list(words))
        elif name == "connect_bd_intf_net":
            one, other = words
            done.buses.append((one, other))
        elif name == "assign_bd_address":
            offset, size = (int(options[each], 0) for each in ("-offset", "-range"))
            space, segment = options["-target_address_space"], words[-2]
            done.addresses.append((space, segment, offset, size))
        elif name in OTHER or name == "set_property":
            done.rest.append([name, *words])
        else:
            raise ValueError(f"unknown command {name}")
        return ""

    tcl.createcommand("unknown", call)
    tcl.eval(f"set argv [list {' '.join(arguments)}]")
    tcl.eval(f"info script {{{script}}}")
    tcl.eval(script.read_text())
    return done


def ports_by_yosys(path: Path) -> dict[str, tuple[str, int]]:
    """Direction and bits of the ports of a module in Verilog."""
    script = (
        "from pyosys import libyosys as ys\nfound = ys.Design()\n"
        f"ys.run_pass('read_verilog {path.name}', found)\n"
        "ys.run_pass('write_json cell.json', found)\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=path.parent, check=True, capture_output=True)
    (found,) = json.loads((path.parent / "cell.json").read_text())["modules"].values()
    (path.parent / "cell.json").unlink()
    return {name: (each["direction"], len(each["bits"])) for name, each in found["ports"].items()}


def interfaces(path: Path) -> dict[str, tuple[str, dict[str, str]]]:
    """Kind of each bus of a cell's module, and the port of each of its signals."""
    pattern = r'X_INTERFACE_INFO = "xilinx\.com:interface:(\w+):1\.0 (\w+) (\w+)" \*\)'
    pattern += r"(?:\s*\(\*.*?\*\))?\s*(?:input|output) wire (?:\[\d+:0\] )?(\w+)"
    found: dict[str, tuple[str, dict[str, str]]] = {}
    for kind, bus, signal, port in re.findall(pattern, path.read_text()):
        found.setdefault(bus, (kind, {}))[1][signal] = port
    return found


def kind_of(calls: Recorded, cell: str) -> str:
    """Name of the vendor's IP in a cell; empty for ours."""
    parts = calls.cells[cell].split(":")
    return parts[2] if len(parts) == 4 else ""


def vendor_pins(calls: Recorded, cell: str) -> Pins:
    """Pins of a vendor's cell."""
    kind = kind_of(calls, cell)
    if kind != "axi_interconnect":
        return VENDOR[kind]
    sides = ["S00", *(f"M{m:02}" for m in range(int(calls.settings[cell]["CONFIG.NUM_MI"])))]
    return Pins(
        ["ACLK", "ARESETN", *(f"{side}_{pin}" for side in sides for pin in ("ACLK", "ARESETN"))],
        (),
        {f"{side}_AXI": ("slave" if side == "S00" else "master", "aximm") for side in sides},
    )
