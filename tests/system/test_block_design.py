"""The exported block design for a Zynq board, as far as it can be checked without Vivado.

A Tcl interpreter runs the script with stand-ins for Vivado's commands (`tests.block_designs`). The
pins of the IP are the RTL's.
"""

import itertools
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from tests.block_designs import (
    LITE,
    MAY_LACK,
    STREAM,
    VENDOR,
    Recorded,
    TclError,
    interfaces,
    kind_of,
    played,
    ports_by_yosys,
    vendor_pins,
)
from totient.catalog import SourceList, select_ip
from totient.cli import main
from totient.device.overlay import open_overlay, run_kernel
from totient.export.ports import module
from totient.flow import Rtl, find_target, synthesise
from totient.sim import Model, build_model

SMALL = {
    "E2": ["--width", "8", "--set", "modulus=143", "--set", "exponent=7"],
    "E3": ["--set", "prime_bits=11"],
}
CELLS = {"E2": "rsa_fixed_axis_0", "E3": "rsa_keygen_axis_0"}


@dataclass
class Exported:
    """An exported block design."""

    row: str
    folder: Path
    script: Path
    calls: Recorded

    @property
    def cell(self) -> str:
        """The IP's cell."""
        return CELLS[self.row]

    @property
    def verilog(self) -> Path:
        """The file of its module."""
        (path,) = self.folder.glob("*_cell.v")
        return path


@pytest.fixture(scope="module", params=SMALL)
def design(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Exported:
    row = request.param
    folder = tmp_path_factory.mktemp(row) / "made"
    words = ["--target", "artix7-100t", "--block-design", "pynq-z2", "--clock", "80"]
    assert main(["export", row, *SMALL[row], *words, "--out", str(folder)]) == 0
    (script,) = folder.glob("*.tcl")
    return Exported(row, folder, script, played(script))


def test_the_script_has_the_cells_of_the_overlay(design: Exported) -> None:
    """Figure 5's cells; the overlay looks for two of them by name."""
    calls = design.calls
    kinds = sorted(kind_of(calls, each) for each in calls.cells)
    assert kinds == sorted([*VENDOR, *["axi_interconnect"] * 3, ""])
    assert kind_of(calls, "axi_dma_0") == "axi_dma"
    assert kind_of(calls, design.cell) == ""
    assert calls.cells[design.cell] == design.verilog.stem
    assert calls.settings["axi_dma_0"]["CONFIG.c_include_sg"] == "0"  # as `pynq` drives it
    processor = calls.settings["processing_system7_0"]
    assert processor["CONFIG.PCW_FPGA0_PERIPHERAL_FREQMHZ"] == "80"
    assert {"PCW_USE_M_AXI_GP0", "PCW_USE_S_AXI_HP0", "PCW_USE_S_AXI_HP2"} <= {
        name.removeprefix("CONFIG.") for name, value in processor.items() if value == "1"
    }
    parts = [words for words in calls.rest if words[0] == "create_project"]
    assert parts[0][parts[0].index("-part") + 1] == "xc7z020clg400-1"


def test_all_sources_are_there_in_their_order(design: Exported) -> None:
    """What `files.f` lists, then the cell's module. Models of vendors' cells are not."""
    given = [str(Path(each).relative_to(design.folder)) for each in design.calls.files]
    listed = [
        line
        for line in (design.folder / "files.f").read_text().splitlines()
        if not line.startswith("+incdir+")
    ]
    headers = [each for each in given if each.endswith(".svh")]
    assert given == [*headers, *listed, design.verilog.name]
    assert all((design.folder / each).is_file() for each in given)


def test_the_cell_has_the_ports_of_the_rtl(design: Exported) -> None:
    """As Verilator elaborates them, and a constant `tkeep`, which the engine requires."""
    top = select_ip(design.row).top()
    wanted = {each.name: (each.direction, each.bits) for each in module(top.core, top.module).ports}
    ports = ports_by_yosys(design.verilog)
    assert ports == {**wanted, "m_axis_tkeep": ("output", 4)}
    buses = interfaces(design.verilog)
    named = {port for _, signals in buses.values() for port in signals.values()}
    assert named == set(ports) - {"aclk", "aresetn"}
    text = design.verilog.read_text()
    (clocked,) = re.findall(r"ASSOCIATED_BUSIF ([\w:]+),", text)
    assert set(clocked.split(":")) == set(buses)
    if design.row == "E3":
        assert "PROTOCOL AXI4LITE, DATA_WIDTH 32, ADDR_WIDTH 11" in text


def test_every_input_is_driven_once(design: Exported) -> None:
    """By an output; clocks by the clock, resets by resets."""
    calls = design.calls
    wanted = {f"{design.cell}/aclk", f"{design.cell}/aresetn"}
    outputs: set[str] = set()
    for cell in calls.cells:
        if kind_of(calls, cell):
            pins = vendor_pins(calls, cell)
            wanted |= {f"{cell}/{pin}" for pin in pins.inputs}
            outputs |= {f"{cell}/{pin}" for pin in pins.outputs}
    driven = [sink for _, *sinks in calls.nets for sink in sinks]
    assert sorted(driven) == sorted(wanted)
    assert {source for source, *_ in calls.nets} == outputs
    for source, *sinks in calls.nets:
        resets = {"reset" in sink.lower() for sink in sinks}
        assert resets == {"reset" in source.lower()}


def sides(design: Exported) -> Iterator[tuple[str, str, str]]:
    """Every bus of every cell: its name, side and kind."""
    for cell in design.calls.cells:
        if kind_of(design.calls, cell):
            for bus, (side, kind) in vendor_pins(design.calls, cell).buses.items():
                yield f"{cell}/{bus}", side, kind
    ports = ports_by_yosys(design.verilog)
    for bus, (kind, signals) in interfaces(design.verilog).items():
        valid = signals.get("TVALID") or signals["AWVALID"]
        yield f"{design.cell}/{bus}", "master" if ports[valid][0] == "output" else "slave", kind


def test_every_bus_is_connected_to_one_of_its_kind(design: Exported) -> None:
    known = {name: (side, kind) for name, side, kind in sides(design)}
    connected = [end for pair in design.calls.buses for end in pair]
    assert sorted(connected) == sorted(known)
    for master, slave in design.calls.buses:
        assert known[master][0] == "master", master
        assert known[slave][0] == "slave", slave
        assert known[master][1] == known[slave][1]


def test_the_signals_of_the_ips_buses_fit(design: Exported) -> None:
    """Equal widths, and each is driven from one side."""
    ports = ports_by_yosys(design.verilog)
    found = interfaces(design.verilog)
    assert set(found) == {"s_axis", "m_axis", *(["s_axil"] if design.row == "E3" else [])}
    for bus, (kind, signals) in found.items():
        standard = STREAM if kind == "axis" else LITE
        is_master = bus == "m_axis"
        lacking = set(standard) - set(signals)
        assert lacking <= (set() if is_master else MAY_LACK)
        for signal, port in signals.items():
            bits, by_master = standard[signal]
            direction, own = ports[port]
            assert direction == ("output" if by_master == is_master else "input"), port
            # An address has as many bits as the IP looks at.
            assert own == bits or (signal.endswith("ADDR") and own < bits), port


def test_addresses_hold_the_registers_and_do_not_overlap(design: Exported) -> None:
    """The processor reaches every slave, the engine all of the memory."""
    spaces: dict[str, list[tuple[int, int, str]]] = {}
    for space, segment, offset, size in design.calls.addresses:
        assert size & (size - 1) == 0
        assert offset % size == 0
        spaces.setdefault(space, []).append((offset, offset + size, segment))
    assert set(spaces) == {
        "processing_system7_0/Data",
        "axi_dma_0/Data_MM2S",
        "axi_dma_0/Data_S2MM",
    }
    for segments in spaces.values():
        for (_, end, _), (start, _, _) in itertools.pairwise(sorted(segments)):
            assert end <= start
    control = spaces["processing_system7_0/Data"]
    assert all(start >= 0x4000_0000 and end <= 0x8000_0000 for start, end, _ in control)  # GP0's
    slaves = {segment.rpartition("/")[0] for _, _, segment in control}
    behind = {slave for master, slave in design.calls.buses if "axi_periph/M" in master}
    assert slaves == behind
    for space, port in (("MM2S", "HP0"), ("S2MM", "HP2")):
        (memory,) = spaces[f"axi_dma_0/Data_{space}"]
        assert memory == (0, 512 << 20, f"processing_system7_0/S_AXI_{port}/{port}_DDR_LOWOCM")
    ip = select_ip(design.row).ip
    for register in ip.registers.values():
        (size,) = (end - start for start, end, segment in control if design.cell in segment)
        assert register.offset + 4 * register.words <= size


def test_the_overlay_runs_on_what_the_script_makes(
    design: Exported, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its cells by name, registers by the script's addresses, streams along its connections."""
    calls, row = design.calls, design.row
    given = {"width": 8, "modulus": 143, "exponent": 7} if row == "E2" else {"prime_bits": 11}
    bases = {
        segment.split("/")[0]: offset
        for space, segment, offset, _ in calls.addresses
        if space == "processing_system7_0/Data"
    }
    buses = dict(calls.buses)
    assert buses["axi_dma_0/M_AXIS_MM2S"] == f"{design.cell}/s_axis"
    assert buses[f"{design.cell}/m_axis"] == "axi_dma_0/S_AXIS_S2MM"
    bitstream = tmp_path / "rsa.bit"
    bitstream.touch()
    with Model(build_model(select_ip(row, **given).top())) as model:

        class Mmio:
            """A slave at an address of the processor, which the model's registers answer."""

            def __init__(self, cell: str) -> None:
                self.base = bases[cell]

            def at(self, offset: int) -> int:
                """What the IP sees of the address that the processor uses."""
                for _, segment, start, size in calls.addresses:
                    if start <= self.base + offset < start + size and design.cell in segment:
                        return (self.base + offset) & 0x7FF
                raise AssertionError(f"{self.base + offset:#x} is no address of the IP")

            def read(self, offset: int) -> int | None:
                """A word."""
                return model.read(self.at(offset))

            def write(self, offset: int, value: int) -> None:
                """A word."""
                assert model.write(self.at(offset), value)

        def receive(buffer: list[int]) -> None:
            buffer[:] = model.receive(limit=1_000_000)

        dma = SimpleNamespace(
            sendchannel=SimpleNamespace(transfer=model.send, wait=lambda: None),
            recvchannel=SimpleNamespace(transfer=receive, wait=lambda: None),
        )
        cells = {cell: Mmio(cell) for cell in bases if cell == design.cell}
        pynq = ModuleType("pynq")
        pynq.Overlay = lambda path: SimpleNamespace(axi_dma_0=dma, **cells)  # type: ignore[attr-defined]
        pynq.allocate = lambda shape, dtype: [0] * shape[0]  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "pynq", pynq)
        with open_overlay(str(bitstream), row, **given) as overlay:
            if row == "E3":
                overlay.rsa.register_map.prime1 = 2027
                overlay.rsa.register_map.prime2 = 1013
            n, e = (143, 7) if row == "E2" else (2027 * 1013, 65537)
            assert run_kernel(overlay, [72, 101]) == [pow(72, e, n), pow(101, e, n)]


def test_a_bitstream_is_copied_if_its_timing_is_met(design: Exported, tmp_path: Path) -> None:
    folder = tmp_path / "made"
    folder.mkdir()
    script = Path(shutil.copy(design.script, folder))
    name = design.script.name.removesuffix("_pynq_z2.tcl")
    files = {
        f"{name}.bit": f"{name}.runs/impl_1/rsa_wrapper.bit",
        f"{name}.hwh": f"{name}.gen/sources_1/bd/rsa/hw_handoff/rsa.hwh",
    }
    for made in files.values():
        (folder / "vivado" / made).parent.mkdir(parents=True)
        (folder / "vivado" / made).write_text(made)
    with pytest.raises(TclError, match="80 MHz are not met"):
        played(script, "bitstream", slack="-0.1")
    assert not (folder / f"{name}.bit").exists()
    calls = played(script, "bitstream", board="tul.com.tw:pynq-z2:part0:1.0")
    for copied, made in files.items():
        assert (folder / copied).read_text() == made
    assert ["set_property", "board_part", "tul.com.tw:pynq-z2:part0:1.0", ""] in calls.rest
    (automation,) = (words for words in calls.rest if words[0] == "apply_bd_automation")
    assert "apply_board_preset 1" in automation[automation.index("-config") + 1]
    (automation,) = (words for words in design.calls.rest if words[0] == "apply_bd_automation")
    assert "apply_board_preset 0" in automation[automation.index("-config") + 1]


def test_the_cell_synthesises_for_7_series(design: Exported) -> None:
    """The module of the cell with all sources, by Yosys. No wire is without a driver."""
    headers = [design.folder / each for each in design.calls.files if each.endswith(".svh")]
    files = [Path(each) for each in design.calls.files if each.endswith(".sv")]
    listed = SourceList(files=tuple(files), headers=tuple(headers))
    name = design.verilog.stem
    rtl = Rtl(listed, name, {}, {f"{name}.v": design.verilog.read_text()})
    found = synthesise(rtl, find_target("artix7-100t"))
    assert found.lut > 50
    assert found.ff > 50


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["E3", "--block-design", "zybo"], "--block-design is 'zybo', allowed is pynq-z2"),
        (
            ["T3", "--width", "64", "--block-design", "pynq-z2"],
            "and montgomery?width=64 is no IP with streams, allowed are rsa_fixed (E2), rsa_stream",
        ),
        (["B1", "--block-design", "pynq-z2"], "and rsa_keygen is no IP with streams, allowed are"),
        (
            ["E3", "--block-design", "pynq-z2", "--target", "ecp5-85f"],
            "--block-design is pynq-z2, allowed is a --target with AMD Artix-7 logic",
        ),
        (
            ["E3", "--block-design", "pynq-z2", "--clock", "251"],
            "--clock is 251, allowed on pynq-z2 is up to 250",
        ),
    ],
)
def test_what_has_no_block_design_is_told_in_one_line(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = words if "--target" in words else [*words, "--target", "artix7-100t"]
    assert main(["export", *given, "--out", str(tmp_path / "out")]) == 2
    shown = capsys.readouterr().err
    assert said in shown
    assert shown.count("\n") == 1
    assert not (tmp_path / "out").exists()
