"""Programs on simavr, cycle for cycle."""

import tempfile
from pathlib import Path

from totient.processor.program import Program
from totient.processor.simulator import failure, run_simulator
from totient.sim.toolchain import compile_c

_RUNNER = Path(__file__).with_name("avr_count.c")
_FLAGS = ("-std=gnu99", "-O2")


def simulate(program: Program, seconds: float) -> tuple[str, list[int]]:
    """Run a program to its end.

    Args:
        program: to run.
        seconds: time limit on this machine.

    Returns:
        Its output, and the cycles from each begin to each end.

    Raises:
        ToolError: it exceeded the time limit or crashed, or the runner cannot be built.
    """
    begin, end = (program.symbols[name].address for name in ("mark_begin", "mark_end"))
    processor = program.processor
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "program.elf").write_bytes(program.image)
        runner = compile_c(
            "runners", "avr_count", [_RUNNER], _FLAGS, libraries=("-lsimavr", "-lelf")
        )
        command = [
            *(str(runner), *processor.machine, str(processor.clock_hz), "program.elf"),
            *(f"{begin:#x}", f"{end:#x}", "output", "counts"),
        ]
        done = run_simulator(command, folder, seconds)
        if done.returncode:
            raise failure("simavr", done)
        output = (folder / "output").read_text(errors="replace")
        return output, [int(line) for line in (folder / "counts").read_text().split()]
