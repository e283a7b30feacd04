"""Programs on the simulator of mspdebug, which counts clock cycles."""

import re
import tempfile
from pathlib import Path

from totient.common.errors import ToolError
from totient.processor.program import Program
from totient.processor.simulator import failure, run_simulator

# Address of the output in firmware/processor/msp430/start.S.
_OUTPUT, _OUTPUT_BYTES = 0x0A00, 0x1200
_ERASED = b"\xff"  # initial contents of the simulator's memory
_MOST_PAIRS = 64
"""Maximum number of pairs of marks in a run."""


def simulate(program: Program, seconds: float) -> tuple[str, list[int]]:
    """Run a program to its end.

    Args:
        program: to run.
        seconds: time limit on this machine.

    Returns:
        Its output, and the cycles from each begin to each end.

    Raises:
        ToolError: it exceeded the time limit or 64 pairs of marks, or mspdebug
            failed.
    """
    begin, end, stop = (
        program.symbols[name].address for name in ("mark_begin", "mark_end", "processor_stop")
    )
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "program.elf").write_bytes(program.image)
        commands = [
            *("simio add hwmult multiplier", "simio add tracer clock 2", "load program.elf"),
            *(f"setbreak {address:#x}" for address in (begin, end, stop)),
            "reset",
            *(["run", "simio info clock"] * (2 * _MOST_PAIRS + 5)),
            f"save_raw {_OUTPUT:#x} {_OUTPUT_BYTES} output",
        ]
        done = run_simulator(["mspdebug", "-n", "-q", "sim", *commands], folder, seconds)
        if not (folder / "output").exists():
            raise failure("mspdebug", done)
        output = (folder / "output").read_bytes().rstrip(_ERASED).decode(errors="replace")
    counts, since = [], 0
    said = done.stdout.decode(errors="replace")
    for address, cycles in re.findall(r"\( PC: (\w+)\).*?^MCLK: +(\d+)$", said, re.S | re.M):
        if int(address, 16) == begin:
            since = int(cycles)
        elif int(address, 16) == end:
            counts.append(int(cycles) - since)
    if len(counts) > _MOST_PAIRS + 2:
        raise ToolError(f"the program has more than {_MOST_PAIRS} pairs of marks")
    return output, counts
