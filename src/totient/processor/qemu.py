"""Programs run by QEMU, with a plugin of ours that counts executed instructions."""

import re
import subprocess
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path

from totient.common.cache import digest, produce
from totient.common.errors import ToolError
from totient.processor.program import Program
from totient.processor.simulator import failure, run_simulator
from totient.sim import toolchain

_PLUGIN = Path(__file__).with_name("qemu_count.c")


def simulate(
    emulator: str, program: Program, seconds: float
) -> tuple[str, list[int], list[Counter[str]]]:
    """Run a program that ends by semihosting.

    Args:
        emulator: the program of QEMU.
        program: what is run.
        seconds: of this machine's time that it may take.

    Returns:
        What it printed; the instructions from each begin to each end; and the same by mnemonic.

    Raises:
        ToolError: it did not end in time, or QEMU failed.
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
        # An Xtensa's calls write to the standard output, an ARM's to the device they are given.
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
        raise ToolError(f"{emulator} does not tell its version")
    return int(found[1])


def _plugin(emulator: str) -> Path:
    """The plugin, compiled now or before."""
    # The interface that a plugin states: what we use of it is the same in both.
    version = 1 if _major(emulator) < 9 else 2
    compiler = toolchain.c_compiler()
    flags = ("-std=c99", "-O2", "-fPIC", "-shared", f"-DQEMU_PLUGIN_VERSION={version}")

    def build(folder: Path) -> None:
        toolchain.run([[compiler, *flags, str(_PLUGIN), "-o", str(folder / "count.so")]], folder)

    name = digest(*toolchain.versions(), compiler, *flags, _PLUGIN.read_bytes())
    return produce("runners", name, build) / "count.so"
