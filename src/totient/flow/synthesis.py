"""Synthesis with Yosys: RTL to a netlist of the target's cells."""

import json
import re
import signal
from collections.abc import Sequence
from pathlib import Path

from totient.common.cache import (
    cache_folder,
    cache_root,
    digest,
    produce,
    readable_errors,
    write_file,
)
from totient.common.errors import ToolError
from totient.flow.processes import Children
from totient.flow.rtl import Rtl
from totient.flow.target import Target
from totient.flow.utilisation import Utilisation, parse_statistics
from totient.flow.versions import tool_version


def elaboration(rtl: Rtl) -> str:
    """The Yosys command that reads and elaborates a module."""
    read = ["read_slang", "--top", rtl.top, "-D", "SYNTHESIS"]
    for name, value in rtl.parameters.items():
        read += ["-G", f"{name}={value}"]
    for folder in dict.fromkeys(str(Path(header).parent) for header in rtl.headers):
        read += ["-I", folder]
    return " ".join([*read, *rtl.files])


def reading(rtl: Rtl, target: Target) -> list[str]:
    """The Yosys commands that read and elaborate a module for a device."""
    return [
        f"read_verilog -lib {target.library}",
        elaboration(rtl),
        # VexRiscv has inputs that remain open in some systems; they are 0 as in simulation.
        *(["setundef -undriven -zero"] if rtl.generated else []),
        # No wire with two drivers or none: Yosys would continue, and drop the logic behind it.
        "check -assert",
    ]


def script(rtl: Rtl, target: Target, dsp: bool) -> list[str]:
    """The Yosys commands; they write `statistics.json` and `netlist.json`."""
    return [
        *reading(rtl, target),
        f"{target.synthesis_for(dsp)} -top {rtl.top}",
        f"tee -q -o statistics.json stat -json -top {rtl.top}",
        "write_json netlist.json",
    ]


def run_yosys(rtl: Rtl, commands: Sequence[str], folder: Path, name: str) -> None:
    """Run Yosys on a module's files.

    Args:
        rtl: the module.
        commands: of Yosys, which write the outputs.
        folder: working folder, also for the files.
        name: of the work, for the name of a kept log.

    Raises:
        ToolError: Yosys failed; the message has its first error line and the place of its log.
    """
    rtl.write(folder)
    (folder / "script.json").write_text(json.dumps(commands))
    with Children() as children:
        status = children.run("yosys", ["script.json"], folder, {})
    if status:
        raise ToolError(f"Yosys failed on {rtl.top}: {failure(folder, name, status)}")


def synthesised(rtl: Rtl, target: Target, dsp: bool = True) -> Path:
    """Folder with the outputs of `script` and `log.txt`, from the cache or new.

    Raises:
        ToolError: Yosys failed; the message has its first error line and the place of its log.
    """
    commands = script(rtl, target, dsp)
    name = digest(rtl.digest, json.dumps(commands), tool_version("pyosys"))

    def build(folder: Path) -> None:
        run_yosys(rtl, commands, folder, name)

    return produce("synthesis", name, build)


def synthesise(rtl: Rtl, target: Target, dsp: bool = True) -> Utilisation:
    """Utilisation of a module on a target, from synthesis alone and out of context.

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
    """The reason for a child's failure, in one line, with the path of its log.

    Args:
        folder: its working folder, which is deleted soon.
        name: of the work, for the log's name.
        status: its exit status.
    """
    log = folder / "log.txt"
    if status < 0:
        reason = f"ended by {signal.Signals(-status).name}"
    else:
        # The first error names the cause; later ones are consequences.
        errors = error_lines(log.read_text(errors="replace"))
        reason = errors[0] if errors else f"status {status} and no error message"
    with readable_errors(cache_root() / "logs"):
        kept = cache_folder("logs") / f"{name}.log"
        write_file(kept, log.read_bytes())
    return f"{reason} (log: {kept})"


def error_lines(log: str) -> list[str]:
    """Lines that Yosys or nextpnr marked as errors, without a mark at their beginning."""
    return [
        re.sub(r"^ERROR: ", "", line) for line in log.splitlines() if re.search(r"\bERROR: ", line)
    ]
