"""Runs of programs: output and cost."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from totient.common.errors import ToolError
from totient.processor import avr, msp430, qemu, vexriscv
from totient.processor.model import Simulator
from totient.processor.program import Program


@dataclass(frozen=True)
class Run:
    """Result of a run.

    Attributes:
        output: of the program.
        counts: cycles or instructions (the processor's `counts`) from each `mark_begin` to each
            `mark_end`, without the cost of the marks.
        mixes: the same by mnemonic if instructions are counted; else empty.
        stack_bytes: deepest stack, including program start.
        status: return value of `main`, modulo 256.
    """

    output: str
    counts: tuple[int, ...]
    mixes: tuple[Mapping[str, int], ...]
    stack_bytes: int
    status: int


def run(program: Program, seconds: float = 600) -> Run:
    """Run a program to its end on its processor's simulator.

    Args:
        program: from `build`.
        seconds: time limit on this machine.

    Raises:
        ToolError: it exceeded the time limit, ended without its status, or the simulator failed.
    """
    mixes: list[Counter[str]] = []
    match program.processor.simulator:
        case Simulator.QEMU_ARM:
            output, counts, mixes = qemu.simulate("qemu-system-arm", program, seconds)
        case Simulator.QEMU_AARCH64:
            output, counts, mixes = qemu.simulate("qemu-system-aarch64", program, seconds)
        case Simulator.QEMU_XTENSA:
            output, counts, mixes = qemu.simulate("qemu-system-xtensa", program, seconds)
        case Simulator.SIMAVR:
            output, counts = avr.simulate(program, seconds)
        case Simulator.MSPDEBUG:
            output, counts = msp430.simulate(program, seconds)
        case Simulator.RTL:
            output, counts = vexriscv.simulate(program, seconds)
    end = re.fullmatch(r"(.*)\n#stack ([0-9a-f]{8})\n#status ([0-9a-f]{2})\n", output, re.DOTALL)
    if end is None or len(counts) < 2:
        last = (output.strip().splitlines() or ["nothing"])[-1]
        raise ToolError(f"the program ended without its status, after the output: {last[-60:]}")
    _, empty, *rest = counts
    return Run(
        end[1],
        tuple(each - empty for each in rest),
        tuple(dict(each - mixes[1]) for each in mixes[2:]),
        int(end[2], 16),
        int(end[3], 16),
    )
