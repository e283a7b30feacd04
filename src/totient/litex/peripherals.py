"""Our IPs as modules for LiteX: AXI4-Lite peripherals that any SoC can add.

from totient.litex import RsaCore

self.rsa = RsaCore(platform, "montgomery", width=2048)
self.rsa.attach(self, "rsa", 0x9000_0000)
"""

from collections.abc import Mapping
from typing import Any

from litex.gen import LiteXModule
from litex.soc.integration.soc import SoCRegion
from litex.soc.interconnect import axi
from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel
from migen import ClockSignal, Instance, ResetSignal, Signal

from totient.catalog import Face, Top, select, select_ip, sources

REGION_BYTES = 0x1000
"""Size of a peripheral's region in the memory map; its registers are at the beginning."""


class _Peripheral(LiteXModule):  # type: ignore[misc]
    """A top of ours behind AXI4-Lite, with its sources.

    Attributes:
        bus: its AXI4-Lite port.
    """

    def __init__(self, platform: Any, top: Top, address_bits: int, interrupt: bool) -> None:
        self.bus = axi.AXILiteInterface(data_width=32, address_width=32)
        listing = sources(top.core)
        for folder in listing.include_folders:
            platform.add_verilog_include_path(str(folder))
        for file in listing.files:
            platform.add_source(str(file), language="systemverilog")
        ports: dict[str, Any] = {
            "i_aclk": ClockSignal("sys"),
            "i_aresetn": ~ResetSignal("sys"),
            **_channel("aw", self.bus.aw, ("ready",), ("valid",), address_bits),
            **_channel("ar", self.bus.ar, ("ready",), ("valid",), address_bits),
            **_channel("w", self.bus.w, ("ready",), ("valid", "data", "strb")),
            **_channel("b", self.bus.b, ("valid", "resp"), ("ready",)),
            **_channel("r", self.bus.r, ("valid", "data", "resp"), ("ready",)),
        }
        if interrupt:
            self.ev = EventManager()
            self.ev.done = EventSourceLevel()
            self.ev.finalize()
            ports["o_irq"] = self.ev.done.trigger
        parameters = {f"p_{name}": value for name, value in top.parameters.items()}
        self.specials += Instance(top.module, **parameters, **ports)

    def attach(self, soc: Any, name: str, origin: int) -> None:
        """Put the peripheral on a SoC's bus, and its interrupt, if it has one, on the CPU's.

        Args:
            soc: a LiteX SoC of which this is a submodule called `name`.
            name: of the region.
            origin: address, a multiple of `REGION_BYTES`.
        """
        region = SoCRegion(origin=origin, size=REGION_BYTES, cached=False)
        soc.bus.add_slave(name, self.bus, region=region)
        if hasattr(self, "ev"):
            soc.irq.add(name, use_loc_if_exists=True)


class RsaCore(_Peripheral):
    """A core of the catalog behind `regs/stream_registers.rdl`, which libtotient drives."""

    def __init__(self, platform: Any, design: str = "montgomery", **parameters: int) -> None:
        """Add a core.

        Args:
            platform: of the SoC.
            design: a design, a named configuration or a paper's row.
            parameters: as in the catalog, for instance `width=2048`.
        """
        super().__init__(platform, select(design, **parameters).top(Face.REGISTERS), 6, True)


class RsaKeygen(_Peripheral):
    """The RSA IP with key generation behind `regs/rsa_keygen_registers.rdl`."""

    def __init__(self, platform: Any) -> None:
        """Add the IP to a platform."""
        super().__init__(platform, select_ip("rsa_keygen").top(), 6, False)


def _channel(
    prefix: str,
    channel: Any,
    given: tuple[str, ...],
    taken: tuple[str, ...],
    address_bits: int = 0,
) -> Mapping[str, Any]:
    """Ports of an AXI4-Lite channel: what the IP gives, and what it takes."""
    ports = {f"o_s_axil_{prefix}{name}": getattr(channel, name) for name in given}
    ports |= {f"i_s_axil_{prefix}{name}": getattr(channel, name) for name in taken}
    if address_bits:
        ports[f"i_s_axil_{prefix}addr"] = channel.addr[:address_bits]
        ports[f"i_s_axil_{prefix}prot"] = Signal(3)
    return ports
