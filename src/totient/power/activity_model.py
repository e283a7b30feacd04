"""A netlist in event-driven simulation, as a model that `totient.device` opens."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import cffi
import numpy as np
from numpy.typing import NDArray

from totient.catalog import Top
from totient.common.cache import digest, produce
from totient.common.errors import ToolError
from totient.common.files import project_root
from totient.common.progress import bar
from totient.common.trust import check_code
from totient.power.blocks import BLOCKS
from totient.power.ice40 import ICE40
from totient.power.nodes import SOFT, Delays, Nodes
from totient.power.wires import Wires
from totient.sim import toolchain

_FOLDER = Path(__file__).with_name("activity")
_HARNESS = Path(__file__).parents[1] / "sim"
_FLAGS = ("-O2", "-fPIC", "-fvisibility=hidden", "-fno-gnu-unique")

Counts = NDArray[np.uint64]


class NetCounts(NamedTuple):
    """Counts of all nets, by number.

    Attributes:
        cycles: clock cycles that were counted.
        settled: cycles at whose end the net has another value than at the end of the one before.
        timed: all transitions, those within a cycle included.
        high: cycles at whose end the net is 1.
    """

    cycles: int
    settled: Counts
    timed: Counts
    high: Counts


def netlist_nodes(netlist: Mapping[str, Any], delays: Delays, wires: Wires, clock: str) -> Nodes:
    """The nodes of a netlist.

    Args:
        netlist: as Yosys writes it (JSON), flat.
        delays: of its fabric.
        wires: of its nets.
        clock: name of the clock's port.

    Raises:
        ToolError: a cell or a setting has no node.
    """
    nodes = Nodes(netlist, delays, wires, clock)
    makers = {**SOFT, **ICE40, **BLOCKS}
    for cell in nodes.module["cells"].values():
        # Both families have a LUT4: that of ECP5 has its output at Z.
        kind = cell["type"]
        kind = "LUT4 of ECP5" if kind == "LUT4" and "Z" in cell["connections"] else kind
        if kind not in makers:
            raise ToolError(f"no activity of the cell {kind}")
        makers[kind](nodes, cell)
    return nodes


@dataclass(frozen=True)
class ActivityModel:
    """An event-driven model.

    Attributes:
        library: its shared library, as `totient.device.transports.SimulationTransport` opens it.
    """

    library: Path

    @cached_property
    def _interface(self) -> tuple[Any, Any]:
        ffi = cffi.FFI()
        ffi.cdef(
            "void totient_activity_count(bool wanted); uint64_t totient_activity_cycles(void);"
            "void totient_activity_configure(void);"
            "void totient_activity_drive(const char *port, uint64_t value);"
            "uint64_t totient_activity_read(const char *port);"
            "size_t totient_activity_nets(void);"
            "void totient_activity_take(uint64_t *settled, uint64_t *timed, uint64_t *high);"
        )
        check_code(self.library)
        return ffi, ffi.dlopen(str(self.library))

    def configure(self) -> None:
        """Give the model that was opened last its initial values, without a reset. Inputs are 0."""
        self._interface[1].totient_activity_configure()

    def drive(self, port: str, value: int) -> None:
        """Give an input of the model that was opened last a value, from the next cycle on."""
        self._interface[1].totient_activity_drive(port.encode(), value)

    def read(self, port: str) -> int:
        """The value of an output of the model that was opened last, at the end of its cycle."""
        return int(self._interface[1].totient_activity_read(port.encode()))

    def count(self, wanted: bool) -> None:
        """Count the transitions of the model that was opened last, from zero; or stop."""
        self._interface[1].totient_activity_count(wanted)

    def counts(self) -> NetCounts:
        """The counts since `count`."""
        ffi, lib = self._interface
        found = tuple(np.zeros(lib.totient_activity_nets(), np.uint64) for _ in range(3))
        lib.totient_activity_take(*(ffi.cast("uint64_t *", each.ctypes.data) for each in found))
        return NetCounts(int(lib.totient_activity_cycles()), *found)


def build_activity_model(nodes: Nodes, top: Top) -> ActivityModel:
    """The model of a netlist, from the cache or built now.

    Args:
        nodes: of the netlist.
        top: its module, with one clock.

    Raises:
        ToolError: the compiler is missing, or the disk is full.
    """
    text, ports = nodes.text(), _port_header(nodes)
    own = [*sorted(_FOLDER.iterdir()), _HARNESS / "harness.cpp", _HARNESS / "harness.h"]
    include = project_root() / "driver" / "include"
    own.append(include / "totient" / "model.h")
    faces = [
        *(f"-DFACE_{face.upper()}" for face in sorted(top.faces)),
        *(f"-DCLOCK={top.clock}", f"-DRESET={top.reset}", f"-DRESET_LEVEL={top.reset_level}"),
        f"-DSETTLING={top.settling}",
    ]
    code = digest(*toolchain.versions(), *toolchain.contents(own), ports, *faces, *_FLAGS)

    def compile_code(folder: Path) -> None:
        (folder / "Vtop.h").write_text(ports)
        options = (
            *(*_FLAGS, *faces, f"-I{folder}", f"-I{_FOLDER}", f"-I{_HARNESS}", f"-I{include}"),
            *("-include", str(_HARNESS / "harness.h")),
        )
        units = {each: folder / f"{each}.o" for each in ("model", "kernel")}
        with bar(f"building the activity model of {top.label}"):
            toolchain.run(
                [
                    toolchain.compile_command(_FOLDER / f"{unit}.cpp", output, options)
                    for unit, output in units.items()
                ],
                folder,
            )
            toolchain.link_library([*units.values()], folder / "model.so", folder)
        for output in units.values():
            output.unlink()

    def build(folder: Path) -> None:
        compiled = produce("activity-code", code, compile_code, ["model.so"])
        shutil.copyfile(compiled / "model.so", folder / "model.so")
        (folder / "nodes.txt").write_text(text)

    name = digest(code, text)
    return ActivityModel(produce("activity", name, build, ["model.so"]) / "model.so")


def _port_header(nodes: Nodes) -> str:
    """The top as the clock loop drives it: a class with a member a port."""
    members, drives, reads, sets, gets = [], [], [], [], []
    for place, (name, port) in enumerate(nodes.module["ports"].items()):
        width = len(port["bits"])
        if width > 64:
            raise ToolError(f"port {name} has {width} bits, allowed are 64")
        kind = next(bits for bits in (8, 16, 32, 64) if width <= bits)
        members.append(f"    uint{kind}_t {name} = 0;")
        if port["direction"] == "output":
            reads.append(f"        {name} = static_cast<uint{kind}_t>(kernel.read({place}));")
            gets.append(f'        if (name == "{name}") return {name};')
        elif name != nodes.clock:  # its net is not simulated: its power is that of the registers
            drives.append(f"        kernel.drive({place}, {name});")
            sets.append(f'        if (name == "{name}") {name} = static_cast<uint{kind}_t>(value);')
    clock = nodes.clock
    return "\n".join(
        [
            "#pragma once",
            "#include <string>",
            '#include "kernel.h"',
            '#include "verilated.h"',
            "struct Vtop {",
            *members,
            "    activity::Kernel kernel;",
            "    bool high = false;",
            "    static inline Vtop* last = nullptr;",
            "    explicit Vtop(VerilatedContext* context)",
            "        : kernel(activity::nodes_file(), static_cast<uint32_t>(context->seed())) {",
            "        last = this;",
            "    }",
            "    void eval() {",
            *drives,
            f"        if ({clock} && !high) kernel.edge(); else kernel.settle();",
            f"        high = {clock} != 0;",
            *reads,
            "    }",
            "    void port(const std::string& name, uint64_t value) {",
            *sets,
            "    }",
            "    uint64_t port(const std::string& name) const {",
            *gets,
            "        return 0;",
            "    }",
            "    void final() {}",
            "};",
            "",
        ]
    )
