"""Bitstreams by Vivado: the project it is given, and what comes of its timing; on a stand-in."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.unit.flow import stand_in_vivado
from tests.unit.flow.stand_in_vivado import BITSTREAM, summary
from totient.catalog import SourceList
from totient.cli import main
from totient.common.errors import ToolError
from totient.common.files import project_root
from totient.flow.boards import BOARDS, find_board
from totient.flow.vivado import fmax_mhz
from totient.sim import toolchain

from .conftest import put_on_path

SERIES7 = [board.name for board in BOARDS.values() if board.is_7series]
WORDS = ["--design", "T2", "--width", "16", "--clock", "40"]


@pytest.fixture
def vivado(
    tmp_path: Path, empty_cache: Path, monkeypatch: pytest.MonkeyPatch, slacks: str = "1 0.1 2"
) -> Path:
    """The stand-in on the path; the file in which it leaves the project."""
    script = f'#!/bin/sh\nexec "{sys.executable}" "{stand_in_vivado.__file__}" "$@"\n'
    put_on_path(tmp_path / "bin", monkeypatch, vivado=script)
    monkeypatch.setenv("STAND_IN_SLACKS", slacks)
    monkeypatch.setenv("STAND_IN_PROJECT", str(tmp_path / "project.json"))
    return tmp_path / "project.json"


@pytest.mark.parametrize("name", SERIES7)
def test_the_project(
    name: str, vivado: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Vivado gets sources that Verilator elaborates with these parameters, and every pin once."""
    out = tmp_path / "x.bit"
    assert main(["bitstream", "--board", name, *WORDS, "--out", str(out), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["tools"] == "Vivado"
    assert said["clock_mhz"] == pytest.approx(40)
    assert said["fmax_mhz"] == pytest.approx(1e3 / (25 - 1))
    assert said["load"] == find_board(name).load.format(file=out)
    assert out.read_bytes() == BITSTREAM
    project = json.loads(vivado.read_text())
    assert project["part"] == "xc7a100tcsg324-1"
    assert project["top"] == "rsa_board"
    given = project["parameters"]
    assert given["Design"] == f"128'h{b'binary'.hex()}"
    assert (given["Width"], given["Family"], given["PeriodPs"]) == ("16", "1", "10000")
    assert (given["ButtonActive"], given["LedActive"]) == ("0", "1")
    loop = [int(given[f"{part}Divider"]) for part in ("Input", "Feedback", "Output")]
    assert 100 / loop[0] * loop[1] / loop[2] == pytest.approx(40)
    bit = int(given["BitCycles"]) + int(given["BitSixteenths"]) / 16
    assert 100e6 / bit == pytest.approx(3e6, rel=0.01)
    elaborate(project, tmp_path)
    bounds = re.findall(
        r"^set_max_delay -datapath_only -from (.+) -to (.+) ([\d.]+)$",
        "".join(project["constraints_texts"].values()),
        re.M,
    )
    # Between the clocks: a period of the one that takes, of 40 and of 100 MHz.
    board_clock, core_clock = "[get_clocks clk]", "$core_clock"
    assert bounds == [
        (board_clock, core_clock, "25.000"),
        (core_clock, board_clock, "10.000"),
    ]
    pins = check_constraints(project)
    assert pins == find_board(name).pins


def elaborate(project: dict[str, Any], folder: Path) -> None:
    """Let Verilator take the project's own files, with its parameters and the vendor's cells."""
    texts = {**project["sources_texts"], **project["headers"]}
    for name, text in texts.items():
        file = folder / "again" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    assert not {"PLLE2_BASE.sv", "BUFG.sv", "EHXPLLL.sv"} & {Path(name).name for name in texts}
    cells = tuple(
        project_root() / "rtl" / "prim" / f"{cell}.sv"
        for cell in ("PLLE2_BASE", "BUFG", "EHXPLLL", "CARRY4")
    )
    files = tuple(folder / "again" / name for name in project["sources"])
    headers = tuple(folder / "again" / name for name in project["headers"])
    listing = SourceList((*cells, *files), headers)
    work = folder / "elaborated"
    work.mkdir()
    values = {
        name: int(text) if text.isdigit() else text for name, text in project["parameters"].items()
    }
    toolchain.verilate(listing, project["top"], values, work, ("--lint-only",))


def check_constraints(project: dict[str, Any]) -> dict[str, str]:
    """Site of each port, which is placed once, as 3.3 V CMOS; one clock, of 100 MHz."""
    lines = "".join(project["constraints_texts"].values()).splitlines()
    placed = [
        re.fullmatch(
            r"set_property -dict \{PACKAGE_PIN (\w+) IOSTANDARD LVCMOS33\} "
            r"\[get_ports \{(.+)\}\]",
            line,
        )
        for line in lines
        if "PACKAGE_PIN" in line
    ]
    pins = [(found[2], found[1]) for found in placed if found]
    assert len(pins) == len(placed) == len(dict(pins)) == len({site for _, site in pins})
    assert "create_clock -period 10.000 [get_ports {clk}]" in lines
    assert sum("create_clock" in line for line in lines) == 1
    assert "set_property CONFIG_VOLTAGE 3.3 [current_design]" in lines
    return dict(pins)


@pytest.mark.parametrize(
    ("slacks", "said"),
    [
        ("-0.5 0.1 2", "--clock is 40 MHz, this design on nexys_a7 runs at 39.2 MHz at most"),
        ("1 -0.03 2", "a hold time or a pulse width violated (by 0.03 ns)"),
        ("1 0.1 -0.2", "a hold time or a pulse width violated (by 0.2 ns)"),
        ("NA NA NA", "Vivado's timing summary cannot be read"),
        ("error", "Vivado failed: [Synth 8-439] module 'nowhere' not found"),
        ("none", "Vivado has not written board.runs/impl_1/rsa_board_timing_summary_routed.rpt"),
    ],
)
def test_no_bitstream_without_its_timing(
    slacks: str,
    said: str,
    vivado: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("STAND_IN_SLACKS", slacks)
    out = tmp_path / "x.bit"
    assert main(["bitstream", "--board", "nexys_a7", *WORDS, "--out", str(out)]) == 2
    shown = capsys.readouterr().err.splitlines()[-1]
    assert said in shown
    assert not out.exists()


def test_a_kept_bitstream_is_not_made_again(
    vivado: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["bitstream", "--board", "arty_a7", *WORDS, "--out", str(tmp_path / "x.bit")]
    assert main(words) == 0
    monkeypatch.setenv("STAND_IN_SLACKS", "error")
    assert main(words) == 0
    assert main([*words[:-4], "--clock", "50", *words[-2:]]) == 2


def test_the_timing_summary() -> None:
    assert fmax_mhz(summary("0.000", "0.042", "2.225"), 100) == pytest.approx(100)
    assert fmax_mhz(summary("-10.000", "0.042", "2.225"), 100) == pytest.approx(50)
    with pytest.raises(ToolError, match="cannot be read"):
        fmax_mhz("All user specified timing constraints are met.", 100)


def test_what_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither Vivado nor openXC7: one line, and no work before it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHIPDB", raising=False)
    monkeypatch.delenv("PRJXRAY_DB_DIR", raising=False)
    for name in SERIES7:
        assert main(["bitstream", "--board", name, *WORDS, "--out", str(tmp_path / "x.bit")]) == 2
        (shown,) = capsys.readouterr().err.splitlines()
        assert shown.startswith(
            f"totient: a bitstream for {name} requires Vivado or openXC7: install one of them ("
        )
        for part in (
            "vivado and make not on the path",
            "nextpnr-xilinx, fasm2frames, xc7frames2bit not on the path",
            "CHIPDB is not set, which names the folder with xc7a100tcsg324-1.bin",
            "PRJXRAY_DB_DIR is not set, which names the folder with artix7/",
        ):
            assert part in shown
    # Errors of the request itself come first.
    assert main(["bitstream", "--board", SERIES7[0], "--design", "T9"]) == 2
    assert "unknown design 'T9'" in capsys.readouterr().err
