"""What is known of a processor that software is counted on."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from totient.common.errors import ToolError


class Counts(StrEnum):
    """What a simulator counts exactly."""

    CYCLES = "cycles"
    INSTRUCTIONS = "instructions"


class Simulator(StrEnum):
    """How programs for a processor are run."""

    QEMU_ARM = "QEMU (qemu-system-arm)"
    QEMU_XTENSA = "QEMU (qemu-system-xtensa)"
    SIMAVR = "simavr"
    MSPDEBUG = "mspdebug"
    RTL = "RTL (Verilator)"


@dataclass(frozen=True)
class Power:
    """Active power of a processor.

    Attributes:
        watts: running from its usual memory at its usual clock, everything else off.
        source: where the figure is from, and how it follows from that.
    """

    watts: float
    source: str


@dataclass(frozen=True)
class Pace:
    """Clock cycles of instructions, where only those are counted: from a manual, least and most.

    Attributes:
        cycles: patterns of mnemonics with the least and the most cycles, of which the first that
            fits a whole mnemonic counts.
        source: the manual.
    """

    cycles: Sequence[tuple[str, int, int]]
    source: str

    def range(self, mix: Mapping[str, int]) -> tuple[int, int]:
        """Least and most cycles of a mix of instructions, with memory that never waits.

        Raises:
            ToolError: the manual's table has no such mnemonic.
        """
        least = most = 0
        for mnemonic, count in mix.items():
            low, high = self._of(mnemonic)
            least += low * count
            most += high * count
        return least, most

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
        board: on which people meet it, whose clock and memories are stated.
        simulator: what runs its programs.
        machine: options of the simulator that choose the processor; of the RTL the coprocessor
            beside it.
        counts: what the simulator counts.
        clock_hz: the usual clock.
        power: at that clock; `None` of a soft CPU, whose power the FPGA decides.
        pace: cycles of instructions; `None` where cycles are counted.
        compiler: the program that compiles and links; `ziglang`: that of the Python package.
        flags: its options, for every program.
        linker: the program that links, and its options; the compiler, where it is empty.
        folder: of start code and linker script, below `firmware/processor/`.
        c_library: whether the compiler's package brings one; else `library` in
            `firmware/processor/` has what compilers call.
        packages: the Debian packages that hold compiler and simulator.
        ram_bytes: RAM of the usual chip.
        flash_bytes: program memory of the usual chip.
        larger: name of a processor with the same core and more memory, if there is one.
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
    c_library: bool
    packages: Sequence[str]
    ram_bytes: int
    flash_bytes: int
    larger: str = ""
