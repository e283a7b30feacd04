"""Programs on QEMU, with our plugin that counts executed instructions."""

import re
import subprocess
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path

from totient.common.errors import ToolError
from totient.processor.program import Program
from totient.processor.simulator import failure, run_simulator
from totient.sim.toolchain import compile_c

_PLUGIN = Path(__file__).with_name("qemu_count.c")


def simulate(
    emulator: str, program: Program, seconds: float
) -> tuple[str, list[int], list[Counter[str]]]:
    """Run a program that ends by semihosting.

    Args:
        emulator: the program of QEMU.
        program: to run.
        seconds: time limit on this machine.

    Returns:
        Its output; the instructions from each begin to each end; and the same by mnemonic.

    Raises:
        ToolError: it exceeded the time limit, or QEMU failed.
    """
    # A Thumb address is odd in the symbol table.
    begin, end = (program.symbols[name].address & ~1 for name in ("mark_begin", "mark_end"))
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "program.elf").write_bytes(program.image)
        command = [
            *(emulator, *program.processor.machine, "-nographic", "-monitor", "none"),
            *("-serial", "none", "-chardev", "file,id=text,path=output"),
            *("-semihosting-config", "enable=on,target=native,chardev=text"),
            *("-plugin", f"{_plugin(emulator)},begin={begin:#x},end={end:#x},out=counts"),
            *("-kernel", "program.elf"),
        ]
        done = run_simulator(command, folder, seconds)
        if not (folder / "counts").exists():
            raise failure(emulator, done)
        # On Xtensa, semihosting calls write to the standard output, on ARM to the given device.
        output = (folder / "output").read_bytes() or done.stdout
        text = output.decode(errors="replace")
        lines = [line.split() for line in (folder / "counts").read_text().splitlines()]
        mixes = [
            Counter(
                {name: int(count) for name, _, count in (each.rpartition(":") for each in rest)}
            )
            for _, *rest in lines
        ]
        return text, [int(line[0]) for line in lines], mixes


@cache
def _major(emulator: str) -> int:
    shown = subprocess.run([emulator, "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"version (\d+)", shown.stdout)
    if found is None:
        raise ToolError(f"{emulator} does not state its version")
    return int(found[1])


def _plugin(emulator: str) -> Path:
    """The plugin, from the cache or compiled now."""
    # The plugin interface states its version. The part that we use is the same in both.
    version = 1 if _major(emulator) < 9 else 2
    flags = ("-std=c99", "-O2", "-fPIC", "-shared", f"-DQEMU_PLUGIN_VERSION={version}")
    return compile_c("runners", "count.so", [_PLUGIN], flags)
