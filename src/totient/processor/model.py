"""Descriptions of the processors that software is counted on."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from totient.common.errors import ToolError


class Counts(StrEnum):
    """Exact count of a simulator."""

    CYCLES = "cycles"
    INSTRUCTIONS = "instructions"


class Simulator(StrEnum):
    """Runner of a processor's programs."""

    QEMU_ARM = "QEMU (qemu-system-arm)"
    QEMU_AARCH64 = "QEMU (qemu-system-aarch64)"
    QEMU_XTENSA = "QEMU (qemu-system-xtensa)"
    SIMAVR = "simavr"
    MSPDEBUG = "mspdebug"
    RTL = "RTL (Verilator)"


@dataclass(frozen=True)
class Power:
    """Active power of a processor.

    Attributes:
        watts: running from its usual memory at its usual clock, everything else off.
        source: origin of the figure, and its derivation.
    """

    watts: float
    source: str


@dataclass(frozen=True)
class Pace:
    """Clock cycles per instruction from a manual, least and most, if only these are counted.

    Attributes:
        cycles: patterns of mnemonics with the least and the most cycles; the first pattern that
            matches the whole mnemonic applies.
        source: the manual.
        issue: instructions that may begin in one cycle.
    """

    cycles: Sequence[tuple[str, int, int]]
    source: str
    issue: int = 1

    def range(self, mix: Mapping[str, int]) -> tuple[int, int]:
        """Least and most cycles of a mix of instructions, without wait states.

        Raises:
            ToolError: the manual's table has no such mnemonic.
        """
        least = most = 0
        for mnemonic, count in mix.items():
            low, high = self._of(mnemonic)
            least += low * count
            most += high * count
        return -(-least // self.issue), most

    def _of(self, mnemonic: str) -> tuple[int, int]:
        for pattern, least, most in self.cycles:
            if re.fullmatch(pattern, mnemonic):
                return least, most
        raise ToolError(f"no cycles are known of the instruction {mnemonic!r}")


@dataclass(frozen=True)
class Processor:
    """A processor, its simulator and its compiler.

    Attributes:
        name: for programs and files.
        title: for people.
        board: a common one, for the clock and memories.
        simulator: of its programs.
        machine: options of the simulator that select the processor; for RTL, the coprocessor next
            to it.
        counts: unit of the simulator's counts.
        clock_hz: the usual clock.
        power: at that clock; `None` for a soft CPU, whose power depends on the FPGA.
        pace: cycles of instructions; `None` if cycles are counted.
        compiler: the program that compiles and links; `ziglang`: that of the Python package.
        flags: its options, for every program.
        linker: the program that links, and its options; if empty, the compiler.
        folder: of start code and linker script, below `firmware/processor/`.
        c_library: whether the compiler's package has one; otherwise `library` in
            `firmware/processor/` has the functions that compilers call.
        packages: the Debian packages that hold compiler and simulator.
        tools: the Python packages that do.
        ram_bytes: RAM of the usual chip.
        flash_bytes: program memory of the usual chip.
        larger: name of a processor with the same core and more memory, if there is one.
        assembly: file of our inner loops in `firmware/rsa/`, where they are written for it.
        multiplies_words: whether it has products of 64 bits, which words of 31 bits want.
        runs: of the small example of row B4, whose mean is stated.
        only_small: whether only that example is counted.
    """

    name: str
    title: str
    board: str
    simulator: Simulator
    machine: Sequence[str]
    counts: Counts
    clock_hz: int
    power: Power | None
    pace: Pace | None
    compiler: str
    flags: Sequence[str]
    linker: tuple[str, ...]
    folder: str
    packages: Sequence[str]
    tools: Sequence[str]
    ram_bytes: int
    flash_bytes: int
    c_library: bool = False
    larger: str = ""
    assembly: str = ""
    multiplies_words: bool = False
    runs: int = 1
    only_small: bool = False
