"""A block design for a Zynq board: the processor, a DMA engine, a stream IP, as a Tcl script.

The structure is that of figure 5 of N. Evantash's report: the processor reaches the engine and the
IP's registers through one interconnect, the engine reaches the memory through two others. The
script is for Vivado, which has not been run with it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from totient.catalog import Configuration, IpConfiguration
from totient.catalog.block_design import (
    DMA_CELL,
    DMA_REGISTERS,
    IP_REGISTERS,
    MEMORY,
    Segment,
    check_streams,
    ip_cell,
)
from totient.common.errors import InputError
from totient.export.ports import Port

MOST_MHZ = 250
"""Highest clock that the processor system gives to the logic."""

FAMILY = "AMD Artix-7"
"""Its logic is that of the board's device."""

_PROCESSOR, _RESET = "processing_system7_0", "rst_ps7_0"
_CONTROL, _SENDING, _RECEIVING = "ps7_0_axi_periph", "axi_mem_intercon", "axi_mem_intercon_1"
_TITLES = {"pynq-z2": "PYNQ-Z2"}
_PARTS = {"pynq-z2": ("xc7z020clg400-1", "tul.com.tw:pynq-z2:part0:1.0")}
_HANDOFF = "sources_1/bd/rsa/hw_handoff/rsa.hwh"
_BUSES = {"s_axis": "axis", "m_axis": "axis", "s_axil": "aximm"}
_LITE = "PROTOCOL AXI4LITE, DATA_WIDTH 32, ADDR_WIDTH {}"
_STREAM = "TDATA_NUM_BYTES 4, HAS_TLAST 1, HAS_TKEEP {}, HAS_TREADY 1"


@dataclass(frozen=True)
class BlockDesign:
    """A block design around an exported wrapper.

    Attributes:
        board: its name, from `BOARDS`.
        name: of the exported wrapper.
        chosen: the IP.
        clock_mhz: of all its logic.
        ports: of the wrapper.
        files: to compile, in order; the wrapper is the last one.
        headers: included by them.
    """

    board: str
    name: str
    chosen: IpConfiguration
    clock_mhz: float
    ports: Sequence[Port]
    files: Sequence[str]
    headers: Sequence[str]

    @property
    def cell(self) -> str:
        """The IP's cell."""
        return ip_cell(self.chosen.ip)

    @property
    def has_registers(self) -> bool:
        """Whether the IP has registers."""
        return bool(self.chosen.ip.register_map)

    @property
    def module(self) -> str:
        """Module of the IP's cell, in Verilog: Vivado accepts no other language in its place."""
        return cell_module(self.name)

    def verilog(self) -> str:
        """That module. Its attributes name the buses of its ports."""
        title = f"// {self.name} as a cell of a Vivado block design, which has to be in Verilog.\n"
        keep = Port("m_axis_tkeep", "output", 4, "")
        wires = ",\n".join(map(self._pin, (*self.ports, keep)))
        connected = ",\n".join(f"    .{each.name}({each.name})" for each in self.ports)
        return (
            f"// SPDX-License-Identifier: Apache-2.0\n{title}`default_nettype none\n\n"
            f"module {self.module} (\n{wires}\n);\n"
            "  assign m_axis_tkeep = 4'b1111; // the engine requires it: all bytes are there\n\n"
            f"  {self.name} u_ip (\n{connected}\n  );\nendmodule\n\n`default_nettype wire\n"
        )

    def _pin(self, port: Port) -> str:
        """A port of the cell with the attributes of its bus."""
        bus, _, signal = port.name.rpartition("_")
        info = f"xilinx.com:interface:{_BUSES.get(bus, '')}:1.0 {bus} {signal.upper()}"
        parameter = ""
        if port.name == "aclk":
            info = "xilinx.com:signal:clock:1.0 aclk CLK"
            names = {each.name.rpartition("_")[0] for each in self.ports}
            buses = ":".join(each for each in _BUSES if each in names)
            parameter = f"ASSOCIATED_BUSIF {buses}, ASSOCIATED_RESET aresetn"
        elif port.name == "aresetn":
            info = "xilinx.com:signal:reset:1.0 aresetn RST"
            parameter = "POLARITY ACTIVE_LOW"
        elif signal == "awaddr":
            parameter = _LITE.format(port.bits)
        elif signal == "tdata":
            parameter = _STREAM.format(int(bus == "m_axis"))
        given = f'  (* X_INTERFACE_PARAMETER = "{parameter}" *)\n' if parameter else ""
        declared = f"  {port.direction} wire {port.range}{port.name}"
        return f'  (* X_INTERFACE_INFO = "{info}" *)\n{given}{declared}'

    def tcl(self) -> str:
        """The script."""
        return "\n".join(
            [
                *self._head(),
                *self._cells(),
                *self._clocks(),
                *self._buses(),
                *self._addresses(),
                *self._end(),
                "",
            ]
        )

    def _head(self) -> Iterator[str]:
        part, board = _PARTS[self.board]
        title = f"{self.chosen.label} on a {_TITLES[self.board]}, with a DMA engine"
        yield f"# {title}. Vivado has not been run with it."
        yield f"#   vivado -mode batch -source {script_name(self.name, self.board)}"
        yield f"# makes the block design. With `-tclargs bitstream` it also writes {self.name}.bit"
        yield f"# and {self.name}.hwh, the files of a PYNQ overlay."
        yield "set here [file dirname [file normalize [info script]]]"
        yield f"create_project {self.name} [file join $here vivado] -part {part} -force"
        yield "# The board's files have the settings of its memory. Without them this script has"
        yield "# Vivado's: an overlay leaves the memory as the boot image has set it."
        yield f"set board [get_board_parts -quiet {board}]"
        yield "if {[llength $board]} { set_property board_part $board [current_project] }"
        for each in (*self.headers, *self.files, f"{self.module}.v"):
            yield f"add_files -norecurse [file join $here {each}]"
        folders = dict.fromkeys(str(PurePosixPath(each).parent) for each in self.headers)
        listed = " ".join(f"[file join $here {each}]" for each in folders)
        yield f"set_property include_dirs [list {listed}] [current_fileset]"
        yield "update_compile_order -fileset sources_1"
        yield "create_bd_design rsa"

    def _cells(self) -> Iterator[str]:
        yield f"create_bd_cell -type ip -vlnv xilinx.com:ip:processing_system7:5.5 {_PROCESSOR}"
        yield (
            "apply_bd_automation -rule xilinx.com:bd_rule:processing_system7 -config [list "
            'make_external "FIXED_IO, DDR" Master Disable Slave Disable '
            f"apply_board_preset [expr {{[llength $board] > 0}}]] [get_bd_cells {_PROCESSOR}]"
        )
        yield _configured(
            _PROCESSOR,
            PCW_FPGA0_PERIPHERAL_FREQMHZ=f"{self.clock_mhz:g}",
            PCW_USE_M_AXI_GP0=1,
            PCW_USE_S_AXI_HP0=1,
            PCW_USE_S_AXI_HP2=1,
        )
        yield f"create_bd_cell -type ip -vlnv xilinx.com:ip:proc_sys_reset:5.0 {_RESET}"
        yield f"create_bd_cell -type ip -vlnv xilinx.com:ip:axi_dma:7.1 {DMA_CELL}"
        yield _configured(
            DMA_CELL,
            c_include_sg=0,
            c_sg_include_stscntrl_strm=0,
            c_sg_length_width=26,
            c_m_axi_mm2s_data_width=32,
            c_m_axis_mm2s_tdata_width=32,
            c_m_axi_s2mm_data_width=32,
        )
        for name, masters in self._interconnects():
            yield f"create_bd_cell -type ip -vlnv xilinx.com:ip:axi_interconnect:2.1 {name}"
            yield _configured(name, NUM_SI=1, NUM_MI=masters)
        yield f"create_bd_cell -type module -reference {self.module} {self.cell}"

    def _interconnects(self) -> Iterator[tuple[str, int]]:
        """Each interconnect, and its number of masters."""
        yield _CONTROL, 1 + self.has_registers
        yield _SENDING, 1
        yield _RECEIVING, 1

    def _clocks(self) -> Iterator[str]:
        sides = [
            f"{name}/{side}"
            for name, masters in self._interconnects()
            for side in ("S00", *(f"M{place:02}" for place in range(masters)))
        ]
        whole = [name for name, _ in self._interconnects()]
        clocks = [
            *(f"{_PROCESSOR}/{port}_ACLK" for port in ("M_AXI_GP0", "S_AXI_HP0", "S_AXI_HP2")),
            f"{_RESET}/slowest_sync_clk",
            *(f"{DMA_CELL}/{port}_aclk" for port in ("s_axi_lite", "m_axi_mm2s", "m_axi_s2mm")),
            *(f"{name}/ACLK" for name in whole),
            *(f"{side}_ACLK" for side in sides),
            f"{self.cell}/aclk",
        ]
        yield _net(f"{_PROCESSOR}/FCLK_CLK0", clocks)
        yield _net(f"{_PROCESSOR}/FCLK_RESET0_N", [f"{_RESET}/ext_reset_in"])
        yield _net(f"{_RESET}/interconnect_aresetn", [f"{name}/ARESETN" for name in whole])
        resets = [f"{DMA_CELL}/axi_resetn", *(f"{side}_ARESETN" for side in sides)]
        yield _net(f"{_RESET}/peripheral_aresetn", [*resets, f"{self.cell}/aresetn"])

    def _buses(self) -> Iterator[str]:
        yield _bus(f"{_PROCESSOR}/M_AXI_GP0", f"{_CONTROL}/S00_AXI")
        yield _bus(f"{_CONTROL}/M00_AXI", f"{DMA_CELL}/S_AXI_LITE")
        if self.has_registers:
            yield _bus(f"{_CONTROL}/M01_AXI", f"{self.cell}/s_axil")
        yield _bus(f"{DMA_CELL}/M_AXI_MM2S", f"{_SENDING}/S00_AXI")
        yield _bus(f"{_SENDING}/M00_AXI", f"{_PROCESSOR}/S_AXI_HP0")
        yield _bus(f"{DMA_CELL}/M_AXI_S2MM", f"{_RECEIVING}/S00_AXI")
        yield _bus(f"{_RECEIVING}/M00_AXI", f"{_PROCESSOR}/S_AXI_HP2")
        yield _bus(f"{DMA_CELL}/M_AXIS_MM2S", f"{self.cell}/s_axis")
        yield _bus(f"{self.cell}/m_axis", f"{DMA_CELL}/S_AXIS_S2MM")

    def _addresses(self) -> Iterator[str]:
        data = f"{_PROCESSOR}/Data"
        yield _assigned(DMA_REGISTERS, data, f"{DMA_CELL}/S_AXI_LITE/Reg")
        if self.has_registers:
            yield _assigned(IP_REGISTERS, data, f"{self.cell}/s_axil/reg0")
        memory = f"{_PROCESSOR}/S_AXI_HP{{0}}/HP{{0}}_DDR_LOWOCM"
        yield _assigned(MEMORY, f"{DMA_CELL}/Data_MM2S", memory.format(0))
        yield _assigned(MEMORY, f"{DMA_CELL}/Data_S2MM", memory.format(2))

    def _end(self) -> Iterator[str]:
        made = f"$here vivado {self.name}"
        yield "validate_bd_design"
        yield "save_bd_design"
        yield "make_wrapper -files [get_files rsa.bd] -top -import"
        yield "set_property top rsa_wrapper [current_fileset]"
        yield 'if {[lindex $argv 0] eq "bitstream"} {'
        yield "  launch_runs impl_1 -to_step write_bitstream"
        yield "  wait_on_run impl_1"
        yield '  if {[get_property PROGRESS [get_runs impl_1]] ne "100%"} { error "no bitstream" }'
        yield "  if {[get_property STATS.WNS [get_runs impl_1]] < 0} {"
        yield f'    error "{self.clock_mhz:g} MHz are not met"'
        yield "  }"
        yield f"  set bit [file join {made}.runs impl_1 rsa_wrapper.bit]"
        yield f"  file copy -force $bit [file join $here {self.name}.bit]"
        yield f"  set hwh [glob -directory [file join $here vivado] {self.name}.*/{_HANDOFF}]"
        yield f"  file copy -force [lindex $hwh 0] [file join $here {self.name}.hwh]"
        yield "}"


BOARDS = tuple(_PARTS)
"""Boards that there are block designs for."""


def script_name(name: str, board: str) -> str:
    """Name of the script."""
    return f"{name}_{board.replace('-', '_')}.tcl"


def cell_module(name: str) -> str:
    """Module in Verilog around a wrapper."""
    return f"{name}_cell"


def check_block_design(
    board: str, subject: Configuration | IpConfiguration, family: str, clock_mhz: float
) -> None:
    """Check that there is a block design.

    Args:
        board: as the user gave it.
        subject: to export.
        family: of the target.
        clock_mhz: of the constraints.

    Raises:
        InputError: there is no such board, the subject has no streams of messages, the target is of
            another family, or the clock is too fast.
    """
    if board not in BOARDS:
        raise InputError(f"--block-design is {board!r}, allowed is {', '.join(BOARDS)}")
    check_streams(subject, f"--block-design is {board}, and {subject.label}")
    if family != FAMILY:
        raise InputError(f"--block-design is {board}, allowed is a --target with {FAMILY} logic")
    if clock_mhz > MOST_MHZ:
        raise InputError(f"--clock is {clock_mhz:g}, allowed on {board} is up to {MOST_MHZ}")


def _configured(cell: str, **values: object) -> str:
    pairs = " ".join(f"CONFIG.{name} {{{value}}}" for name, value in values.items())
    return f"set_property -dict [list {pairs}] [get_bd_cells {cell}]"


def _net(source: str, sinks: Sequence[str]) -> str:
    pins = " ".join(f"[get_bd_pins {each}]" for each in (source, *sinks))
    return f"connect_bd_net {pins}"


def _bus(master: str, slave: str) -> str:
    return f"connect_bd_intf_net [get_bd_intf_pins {master}] [get_bd_intf_pins {slave}]"


def _assigned(segment: Segment, space: str, slave: str) -> str:
    return (
        f"assign_bd_address -offset {segment.base:#010x} -range {segment.size:#x} "
        f"-target_address_space [get_bd_addr_spaces {space}] [get_bd_addr_segs {slave}] -force"
    )
