"""Programs run by simavr, cycle for cycle."""

import tempfile
from pathlib import Path

from totient.common.cache import digest, produce
from totient.processor.program import Program
from totient.processor.simulator import failure, run_simulator
from totient.sim import toolchain

_RUNNER = Path(__file__).with_name("avr_count.c")


def simulate(program: Program, seconds: float) -> tuple[str, list[int]]:
    """Run a program to its end.

    Args:
        program: what is run.
        seconds: of this machine's time that it may take.

    Returns:
        What it printed, and the cycles from each begin to each end.

    Raises:
        ToolError: it did not end in time or crashed, or the runner cannot be built.
    """
    begin, end = (program.symbols[name].address for name in ("mark_begin", "mark_end"))
    processor = program.processor
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "program.elf").write_bytes(program.image)
        command = [
            *(str(_runner()), *processor.machine, str(processor.clock_hz), "program.elf"),
            *(f"{begin:#x}", f"{end:#x}", "output", "counts"),
        ]
        done = run_simulator(command, folder, seconds)
        if done.returncode:
            raise failure("simavr", done)
        output = (folder / "output").read_text(errors="replace")
        return output, [int(line) for line in (folder / "counts").read_text().split()]


def _runner() -> Path:
    """The runner, compiled now or before."""
    compiler = toolchain.c_compiler()
    flags = ("-std=gnu99", "-O2")

    def build(folder: Path) -> None:
        output = str(folder / "avr_count")
        toolchain.run([[compiler, *flags, str(_RUNNER), "-o", output, "-lsimavr", "-lelf"]], folder)

    name = digest(*toolchain.versions(), compiler, *flags, _RUNNER.read_bytes())
    return produce("runners", name, build) / "avr_count"
