"""Synthesis with Yosys: RTL to a netlist of the target's cells."""

import json
import re
import shutil
import signal
from pathlib import Path

from totient.common.cache import cache_root, digest, produce, readable_errors
from totient.common.errors import ToolError
from totient.flow.processes import Children
from totient.flow.rtl import Rtl
from totient.flow.target import Target
from totient.flow.utilisation import Utilisation, parse_statistics
from totient.flow.versions import tool_version


def script(rtl: Rtl, target: Target, dsp: bool) -> list[str]:
    """The Yosys commands; they write `statistics.json` and `netlist.json`."""
    read = ["read_slang", "--top", rtl.top, "-D", "SYNTHESIS"]
    for name, value in rtl.parameters.items():
        read += ["-G", f"{name}={value}"]
    for folder in dict.fromkeys(str(Path(header).parent) for header in rtl.headers):
        read += ["-I", folder]
    return [
        f"read_verilog -lib {target.library}",
        " ".join([*read, *rtl.files]),
        # VexRiscv has inputs that a system without what drives them leaves open; 0 as simulated.
        *(["setundef -undriven -zero"] if rtl.generated else []),
        # No wire with two drivers or none: Yosys would go on, and drop what hangs on it.
        "check -assert",
        f"{target.synthesis_for(dsp)} -top {rtl.top}",
        f"tee -q -o statistics.json stat -json -top {rtl.top}",
        "write_json netlist.json",
    ]


def synthesised(rtl: Rtl, target: Target, dsp: bool = True) -> Path:
    """Folder with what `script` writes and `log.txt`, from the cache or new.

    Raises:
        ToolError: Yosys failed; the message has its first error line and the place of its log.
    """
    commands = script(rtl, target, dsp)
    name = digest(rtl.digest, json.dumps(commands), tool_version("pyosys"))

    def build(folder: Path) -> None:
        rtl.write(folder)
        (folder / "script.json").write_text(json.dumps(commands))
        with Children() as children:
            status = children.run("yosys", ["script.json"], folder, {})
        if status:
            raise ToolError(f"Yosys failed on {rtl.top}: {failure(folder, name, status)}")

    return produce("synthesis", name, build)


def synthesise(rtl: Rtl, target: Target, dsp: bool = True) -> Utilisation:
    """Resources that a module takes on a target, from synthesis alone and out of context.

    Args:
        rtl: the module.
        target: the device.
        dsp: whether multiplications may use the device's multiplier blocks.

    Raises:
        ToolError: Yosys failed, or the netlist has a cell of unknown cost.
    """
    folder = synthesised(rtl, target, dsp)
    return parse_statistics((folder / "statistics.json").read_text(), target)


def failure(folder: Path, name: str, status: int) -> str:
    """Why a child failed, in one line, with the place where its log is kept.

    Args:
        folder: where it ran; gone soon.
        name: of the work, for the log's name.
        status: its exit status.
    """
    log = folder / "log.txt"
    if status < 0:
        reason = f"ended by {signal.Signals(-status).name}"
    else:
        # The first error names the cause; those after it say that something went wrong before.
        errors = error_lines(log.read_text(errors="replace"))
        reason = errors[0] if errors else f"status {status} and no error message"
    kept = cache_root() / "logs" / f"{name}.log"
    with readable_errors(kept):
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(log, kept)
    return f"{reason} (log: {kept})"


def error_lines(log: str) -> list[str]:
    """Lines that Yosys or nextpnr marked as errors, without the mark where it comes first."""
    return [
        re.sub(r"^ERROR: ", "", line) for line in log.splitlines() if re.search(r"\bERROR: ", line)
    ]
