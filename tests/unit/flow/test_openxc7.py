"""Bitstreams by openXC7: real synthesis of the board's top, and what its tools are given.

nextpnr-xilinx and Project X-Ray are in no package registry: stand-ins take their places.
"""

import json
import re
import sys
from pathlib import Path

import pytest

from totient.catalog import select
from totient.common.errors import InputError, ToolError
from totient.flow import openxc7
from totient.flow.bitstream import bitstream, board_rtl
from totient.flow.boards import BOARDS, Board, find_board
from totient.flow.synthesis import synthesised
from totient.flow.utilisation import parse_statistics

from .conftest import put_on_path

SERIES7 = [board for board in BOARDS.values() if board.is_7series]
CHOSEN = select("T2", width=8)
PART = "xc7a100tcsg324-1"

STAND_IN = """#!{python}
import json, os, re, sys
from pathlib import Path
tool, given = Path(sys.argv[0]).name, sys.argv[1:]
def after(option):
    return given[given.index(option) + 1]
if tool == "nextpnr-xilinx":
    assert Path(after("--chipdb")).read_text() == "chip"
    ports = json.loads(Path(after("--json")).read_text())["modules"]["rsa_board"]["ports"]
    bits = sum(len(port["bits"]) for port in ports.values())
    assert Path(after("--xdc")).read_text().count("PACKAGE_PIN") == bits == 7
    assert "--timing-allow-fail" in given
    for mhz in (11.0, float(os.environ["STAND_IN_MHZ"])):
        print(f"Info: Max frequency for clock 'clk_core': {{mhz:.2f}} MHz (PASS at 40.00 MHz)")
    Path(after("--fasm")).write_text("features for " + after("--freq"))
    if os.environ["STAND_IN_MHZ"] == "1":
        print("ERROR: Unable to find legal placement for cell 'x'")
        sys.exit(1)
elif tool == "fasm2frames":
    assert (Path(after("--db-root")) / after("--part") / "part.yaml").is_file()
    Path(given[-1]).write_text("frames of " + Path(given[-2]).read_text())
else:
    assert Path(after("--part_file")).is_file() and after("--part_name") == "xc7a100tcsg324-1"
    Path(after("--output_file")).write_text("bits of " + Path(after("--frm_file")).read_text())
"""


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand-ins on a path without Vivado, and empty databases."""
    folder, script = tmp_path / "bin", STAND_IN.format(python=sys.executable)
    tools = ("nextpnr-xilinx", "fasm2frames", "xc7frames2bit")
    put_on_path(folder, monkeypatch, **dict.fromkeys(tools, script))
    database = tmp_path / "database"
    (database / "artix7" / PART).mkdir(parents=True)
    (database / "artix7" / PART / "part.yaml").touch()
    (database / f"{PART}.bin").write_text("chip")
    monkeypatch.setenv("CHIPDB", str(database))
    monkeypatch.setenv("PRJXRAY_DB_DIR", str(database))
    monkeypatch.setattr("totient.flow.vivado.missing", lambda: "vivado not on the path")
    return folder


@pytest.mark.parametrize("board", SERIES7, ids=lambda board: board.name)
def test_the_top_is_synthesised(board: Board, cache: Path) -> None:
    """By Yosys alone: pads, the phase-locked loop as asked for, two clock buffers."""
    core_mhz = 40
    rtl = board_rtl(board, CHOSEN, board.loop.dividers(board.clock_mhz, core_mhz))
    target = openxc7.board_target(board)
    netlist = synthesised(rtl, target)
    cells = parse_statistics((netlist / "statistics.json").read_text(), target).cells
    assert (cells["IBUF"], cells["OBUF"]) == (3, 4)
    assert (cells["BUFG"], cells["PLLE2_BASE"]) == (2, 1)  # of the board's clock and the core's
    module = json.loads((netlist / "netlist.json").read_text())["modules"]["rsa_board"]
    (loop,) = (c for c in module["cells"].values() if c["type"] == "PLLE2_BASE")
    low, high, output, period = (
        int(loop["parameters"][name], 2)
        for name in ("DIVCLK_DIVIDE", "CLKFBOUT_MULT", "CLKOUT0_DIVIDE", "CLKIN1_PERIOD")
    )
    assert 800 <= 100 * high / low <= 1600
    assert 100 * high / low / output == pytest.approx(core_mhz) == pytest.approx(40)
    assert period == 10
    # Every port's every bit has its site, and no other has one.
    ports = module["ports"]
    names = {
        f"{name}[{place}]" if len(port["bits"]) > 1 else name
        for name, port in ports.items()
        for place in range(len(port["bits"]))
    }
    sites = re.findall(r"PACKAGE_PIN (\w+) .*\[get_ports \{(.+)\}\]$", board.constraints, re.M)
    assert {port for _, port in sites} == names
    assert len(sites) == len(names) == len({site for site, _ in sites})


def test_a_bitstream(tools: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_MHZ", "61.5")
    said: list[str] = []
    made = bitstream(find_board("arty_a7"), CHOSEN, 40, said.append)
    assert made.tools == "Yosys and openXC7"
    assert made.file.read_text() == "bits of frames of features for 40.000000"
    assert made.clock_mhz == pytest.approx(40)
    assert made.fmax_mhz == 61.5
    assert [text.split()[0] for text in said] == [
        "synthesis",
        "nextpnr-xilinx",
        "fasm2frames",
        "xc7frames2bit",
    ]


def test_timing_that_is_not_met(tools: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_MHZ", "39.5")
    with pytest.raises(InputError, match=r"--clock is 40 MHz, .* runs at 39\.5 MHz at most"):
        bitstream(find_board("arty_a7"), CHOSEN, 40)


def test_a_tool_that_fails(tools: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_MHZ", "1")
    with pytest.raises(ToolError, match=r"nextpnr-xilinx failed: Unable to find legal placement"):
        bitstream(find_board("nexys_a7"), CHOSEN, 40)


def test_what_is_missing(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board = find_board("nexys_a7")
    assert openxc7.missing(board) == ""
    (tools / "fasm2frames").unlink()
    assert openxc7.missing(board) == "fasm2frames not on the path"
    monkeypatch.setenv("PRJXRAY_DB_DIR", str(tools))
    monkeypatch.delenv("CHIPDB")
    assert openxc7.missing(board) == (
        "fasm2frames not on the path, CHIPDB is not set, which names the folder with "
        f"{PART}.bin, no artix7/{PART}/part.yaml in {tools}, which PRJXRAY_DB_DIR names"
    )
