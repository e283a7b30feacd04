"""Names and addresses of a stream IP in a block design for PYNQ boards.

The exported script creates the cells (`totient.export.block_design`). The overlay finds them by
their names (`totient.device.overlay`), and their addresses in the hardware description (`.hwh`).
"""

from dataclasses import dataclass

from totient.catalog.ips import Ip, IpConfiguration, ips
from totient.catalog.model import Face
from totient.common.errors import InputError

DMA_CELL = "axi_dma_0"
"""The DMA engine."""


@dataclass(frozen=True)
class Segment:
    """A range of addresses.

    Attributes:
        base: its first address, a multiple of the size.
        size: in bytes, a power of two.
    """

    base: int
    size: int

    @property
    def end(self) -> int:
        """The address behind the last one."""
        return self.base + self.size


DMA_REGISTERS = Segment(0x4040_0000, 0x1_0000)
"""Of the engine, as the processor reaches them."""

IP_REGISTERS = Segment(0x43C0_0000, 0x1_0000)
"""Of the IP, as the processor reaches them."""

MEMORY = Segment(0, 0x2000_0000)
"""The board's memory, as the engine reaches it: 512 MB."""


def ip_cell(ip: Ip) -> str:
    """Name of the IP's cell."""
    return f"{ip.module}_0"


def check_streams(subject: object, name: str) -> IpConfiguration:
    """A subject that an engine for streams can serve.

    Args:
        subject: any.
        name: as the user gave it.

    Raises:
        InputError: it is no IP with streams.
    """
    if isinstance(subject, IpConfiguration) and Face.STREAM in subject.ip.faces:
        return subject
    known = ", ".join(
        f"{ip.name} ({', '.join(ip.rows)})" for ip in ips() if Face.STREAM in ip.faces
    )
    raise InputError(f"{name} is no IP with streams, allowed are {known}")
