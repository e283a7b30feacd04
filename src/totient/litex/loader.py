"""VexRiscv alone, with memory for a program that comes over the serial line.

One simulated system serves every program: the loader in its ROM (`firmware/loader/`) takes the
program, and jumps to it.
"""

from functools import cache

from totient.litex.firmware import compile_program
from totient.litex.peripherals import ModmulMontgomery
from totient.litex.soft_cpu import CLOCK_HZ, SoftCpu
from totient.litex.system import Generated, generate_from, simulate
from totient.sim import Model
from totient.sim.build import SERIAL_BIT_CYCLES

MEMORY, MEMORY_BYTES = 0x4000_0000, 0x2_0000
"""Where a program is put, and how much memory it has."""

COPROCESSOR = 0x9000_0000
"""Address of the Montgomery multiplier, in a system with one."""


class LoaderSystem(SoftCpu):
    """The soft CPU with memory for a program, and our multiplier if it is to have one."""

    def __init__(self, coprocessor: str | None = None) -> None:
        """Make the system.

        Args:
            coprocessor: `modmul_montgomery`, or none.
        """
        super().__init__(CLOCK_HZ // SERIAL_BIT_CYCLES, memory_bytes=MEMORY_BYTES)
        if coprocessor is not None:
            self.submodules.multiplier = ModmulMontgomery(self.platform)
            self.multiplier.attach(self, "multiplier", COPROCESSOR)


def open_loader(coprocessor: str | None = None) -> Model:
    """The system in simulation, waiting for a program: its length in four bytes, then itself.

    Args:
        coprocessor: `modmul_montgomery`, or none.

    Raises:
        ToolError: a tool is missing or failed.
    """
    return simulate(_generated(coprocessor))


@cache
def _generated(coprocessor: str | None) -> Generated:
    return generate_from(
        lambda: LoaderSystem(coprocessor), lambda header: compile_program("loader", header)
    )
