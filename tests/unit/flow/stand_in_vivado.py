"""A stand-in for Vivado: takes the scripts that Edalize writes, and checks what is in them.

It writes no real bitstream. `STAND_IN_SLACKS` holds the setup, hold and pulse width slack that its
timing summary states, in nanoseconds; `STAND_IN_PROJECT` the file that it leaves the project in.
"""

import json
import os
import re
import sys
from pathlib import Path

HEADING = (
    "    WNS(ns)      TNS(ns)  TNS Failing Endpoints  TNS Total Endpoints      WHS(ns)      THS(ns)"
    "  THS Failing Endpoints  THS Total Endpoints     WPWS(ns)     TPWS(ns)  TPWS Failing Endpoints"
    "  TPWS Total Endpoints  "
)
BITSTREAM = b"\x00\x09\x0f\xf0 a stand-in for a bitstream"


def summary(setup: str, hold: str, pulse: str) -> str:
    """A timing summary as Vivado 2021.2 writes it, without its details."""
    dashes = " ".join("-" * len(name) for name in HEADING.split())
    values = f"      {setup}  0.000  0  863  {hold}  0.000  0  863  {pulse}  0.000  0  654  "
    return (
        "Copyright 1986-2021 Xilinx, Inc. All Rights Reserved.\n"
        "| Tool Version      : Vivado v.2021.2 (lin64) Build 3367213\n\n"
        "| Design Timing Summary\n| ---------------------\n\n"
        f"{HEADING}\n    {dashes}\n{values}\n\n\n"
        f"| Intra Clock Table\n\nClock             {HEADING.strip()}\n"
    )


def read_project(script: str) -> dict[str, object]:
    """Part, top, parameters and files of a project script; every file must be there."""
    (part,) = re.findall(r"^set_property part (\S+) \[current_project\]$", script, re.M)
    (top,) = re.findall(r"^set_property top (\S+) \[current_fileset\]$", script, re.M)
    (generic,) = re.findall(r"^set_property generic \{(.*?)\} \[get_filesets", script, re.M)
    (folders,) = re.findall(r"^set_property include_dirs \[list (.*?)\] \[get_fil", script, re.M)
    project: dict[str, object] = {
        "part": part,
        "top": top,
        "parameters": dict(pair.split("=", 1) for pair in generic.split()),
        "sources": re.findall(r"^read_verilog -sv \{(.*?)\}$", script, re.M),
        "constraints": re.findall(r"^read_xdc \{(.*?)\}$", script, re.M),
        "folders": folders.split(),
        "root": str(Path.cwd()),
    }
    for kind in ("sources", "constraints"):
        files = project[kind]
        assert isinstance(files, list)
        project[f"{kind}_texts"] = {file: Path(file).read_text() for file in files}
    project["headers"] = {
        str(file): file.read_text()
        for folder in folders.split()
        for file in sorted(Path(folder).glob("*.svh"))
    }
    return project


def main(words: list[str]) -> int:
    """Arguments of the command line."""
    if words == ["-version"]:
        print("Vivado v2021.2 (64-bit), a stand-in")
        return 0
    assert words[:4] == ["-notrace", "-mode", "batch", "-source"], words
    if words[4:] == ["board.tcl"]:
        project = read_project(Path("board.tcl").read_text())
        Path("board.xpr").write_text(json.dumps(project))
        Path(os.environ["STAND_IN_PROJECT"]).write_text(json.dumps(project))
        return 0
    assert words[4:] == ["board_synth.tcl", "board_run.tcl", "board.xpr"], words
    if os.environ["STAND_IN_SLACKS"] == "error":
        print("ERROR: [Synth 8-439] module 'nowhere' not found")
        return 1
    assert "-to_step write_bitstream" in Path("board_run.tcl").read_text()
    top = json.loads(Path("board.xpr").read_text())["top"]
    runs = Path("board.runs/impl_1")
    runs.mkdir(parents=True)
    if os.environ["STAND_IN_SLACKS"] != "none":
        report = summary(*os.environ["STAND_IN_SLACKS"].split())
        (runs / f"{top}_timing_summary_routed.rpt").write_text(report)
    Path("board.bit").write_bytes(BITSTREAM)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
