"""VexRiscv alone, with memory for a program that comes over the serial line.

One simulated system serves every program: the loader in its ROM (`firmware/loader/`) takes the
program, and jumps to it.
"""

from functools import cache

from litex.build.sim import SimPlatform
from litex.soc.integration.soc_core import SoCCore
from migen import ClockDomain

from totient.litex.firmware import compile_program
from totient.litex.peripherals import ModmulMontgomery
from totient.litex.system import (
    CLOCK_HZ,
    PORTS,
    ROM_BYTES,
    SRAM_BYTES,
    Generated,
    generate_from,
    simulate,
)
from totient.sim import Model
from totient.sim.build import SERIAL_BIT_CYCLES

MEMORY, MEMORY_BYTES = 0x4000_0000, 0x2_0000
"""Where a program is put, and how much memory it has."""

COPROCESSOR = 0x9000_0000
"""Address of the Montgomery multiplier, in a system with one."""


class LoaderSystem(SoCCore):  # type: ignore[misc]
    """VexRiscv with caches of 4 KB each, ROM, memory, a serial port and a timer."""

    def __init__(self, coprocessor: str | None = None) -> None:
        """Make the system.

        Args:
            coprocessor: `modmul_montgomery`, or none.
        """
        platform = SimPlatform("SIM", PORTS)
        self.cd_sys = ClockDomain("sys")
        self.clock_domains.cd_sys = self.cd_sys
        self.comb += self.cd_sys.clk.eq(platform.request("clock"))
        self.comb += self.cd_sys.rst.eq(platform.request("reset"))
        SoCCore.__init__(
            self,
            platform,
            clk_freq=CLOCK_HZ,
            cpu_type="vexriscv",
            cpu_variant="standard",
            integrated_rom_size=ROM_BYTES,
            integrated_rom_init=[0],
            integrated_sram_size=SRAM_BYTES,
            integrated_main_ram_size=MEMORY_BYTES,
            uart_baudrate=CLOCK_HZ // SERIAL_BIT_CYCLES,
            ident="",
            timer_uptime=True,
        )
        if coprocessor is not None:
            self.submodules.multiplier = ModmulMontgomery(platform)
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
