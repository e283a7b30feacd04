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
from totient.common.errors import InputError

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
        """Put the peripheral on a SoC's bus, and its interrupt on the CPU's where both have one.

        Args:
            soc: a LiteX SoC of which this is a submodule called `name`.
            name: of the region.
            origin: address, a multiple of `REGION_BYTES` in what the CPU does not cache.

        Raises:
            InputError: the address is another, or it or the name is taken.
        """
        _check_region(soc.bus, name, origin)
        region = SoCRegion(origin=origin, size=REGION_BYTES, cached=False)
        soc.bus.add_slave(name, self.bus, region=region)
        # A SoC without a CPU has nobody to interrupt.
        if hasattr(self, "ev") and soc.irq.enabled:
            soc.irq.add(name, use_loc_if_exists=True)


class RsaCore(_Peripheral):
    """A core of the catalog behind `contract/stream_registers.rdl`, which libtotient drives."""

    def __init__(self, platform: Any, design: str = "montgomery", **parameters: int) -> None:
        """Add a core.

        Args:
            platform: of the SoC.
            design: a design, a named configuration or a paper's row.
            parameters: as in the catalog, for instance `width=2048`.
        """
        super().__init__(platform, select(design, **parameters).top(Face.REGISTERS), 6, True)


class RsaKeygen(_Peripheral):
    """The RSA IP with key generation behind `contract/rsa_keygen_registers.rdl`."""

    def __init__(self, platform: Any) -> None:
        """Add the IP to a platform."""
        super().__init__(platform, select_ip("rsa_keygen").top(), 6, False)


class ModmulMontgomery(_Peripheral):
    """The Montgomery multiplier behind `contract/modmul_registers.rdl`, a coprocessor."""

    def __init__(self, platform: Any, **parameters: int) -> None:
        """Add the IP to a platform.

        Args:
            platform: of the SoC.
            parameters: as in the catalog, for instance `bits_per_cycle=2`.
        """
        super().__init__(platform, select_ip("modmul_montgomery", **parameters).top(), 6, True)


def _check_region(bus: Any, name: str, origin: int) -> None:
    """Raise `InputError` where LiteX would log an error and raise one without a text."""
    if not isinstance(name, str) or not name.isidentifier():
        raise InputError(f"the region's name is {name!r}, allowed is a Python identifier")
    if name in {*bus.regions, *bus.io_regions, *bus.slaves}:
        raise InputError(f"the region's name {name!r} is taken, allowed is another one")
    if not isinstance(origin, int) or origin % REGION_BYTES or origin < 0:
        shown = f"{origin:#x}" if isinstance(origin, int) else repr(origin)
        raise InputError(f"the address is {shown}, allowed are multiples of {REGION_BYTES:#x}")
    end = origin + REGION_BYTES
    spaces = [(0, 1 << bus.address_width)]
    if bus.io_regions_check:
        spaces = [(each.origin, each.origin + each.size) for each in bus.io_regions.values()]
    if not any(first <= origin and end <= last for first, last in spaces):
        allowed = ", ".join(f"{first:#x} to {last - 1:#x}" for first, last in spaces)
        raise InputError(f"the address is {origin:#x}, allowed are those of {allowed}")
    for other, region in bus.regions.items():
        if origin < region.origin + region.size_pow2 and region.origin < end:
            raise InputError(
                f"the address is {origin:#x}, where {other} is from {region.origin:#x} to "
                f"{region.origin + region.size_pow2 - 1:#x}, allowed is one beside it"
            )


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
