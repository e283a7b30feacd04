"""What every system of ours on a soft CPU has: VexRiscv, ROM, memory, a serial port and a timer."""

from litex.build.generic_platform import Pins, Subsignal
from litex.build.sim import SimPlatform
from litex.soc.integration.soc_core import SoCCore
from migen import ClockDomain

CLOCK_HZ = 100_000_000
"""Clock of a system where no other is stated."""

ROM_BYTES = 0x1_0000
SRAM_BYTES = 0x8000

_PORTS = [
    ("clock", 0, Pins(1)),
    ("reset", 0, Pins(1)),
    ("serial", 0, Subsignal("tx", Pins(1)), Subsignal("rx", Pins(1))),
]


class SoftCpu(SoCCore):  # type: ignore[misc]
    """VexRiscv with caches of 4 KB each, with one clock and one reset from outside."""

    def __init__(self, baud: int, clock_hz: int = CLOCK_HZ, memory_bytes: int = 0) -> None:
        """Make the system.

        Args:
            baud: rate of the serial port.
            clock_hz: clock of the system.
            memory_bytes: of its main memory, for programs that are loaded.
        """
        platform = SimPlatform("SIM", _PORTS)
        self.cd_sys = ClockDomain("sys")
        self.clock_domains.cd_sys = self.cd_sys
        self.comb += self.cd_sys.clk.eq(platform.request("clock"))
        self.comb += self.cd_sys.rst.eq(platform.request("reset"))
        SoCCore.__init__(
            self,
            platform,
            clk_freq=clock_hz,
            cpu_type="vexriscv",
            cpu_variant="standard",
            integrated_rom_size=ROM_BYTES,
            integrated_rom_init=[0],
            integrated_sram_size=SRAM_BYTES,
            integrated_main_ram_size=memory_bytes,
            uart_baudrate=baud,
            ident="",
            timer_uptime=True,
        )
