"""Registers and stream of an IP on a serial line (rtl/bus/packet_axil.sv).

The packets are specified in docs/contracts.md, "An IP at the end of a line".
"""

from collections.abc import Callable, Sequence

from totient.common.contract import Access, AccessStatus, BusResponse
from totient.common.errors import InputError, ToolError

_WIDEST = 1 << Access.ADDRESS.high + 1  # bytes of address space


class PacketBus:
    """Registers and stream for drivers of IPs: a `Bus` that also sends packets.

    Attributes:
        interrupt: level of the IP's interrupt at the last access.
    """

    def __init__(self, exchange: Callable[[Sequence[int]], Sequence[int]]) -> None:
        """Use a transport to the IP.

        Args:
            exchange: sends a packet of 32-bit words, and returns the words of the answer.
        """
        self._exchange = exchange
        self.interrupt = False

    def read(self, offset: int) -> int | None:
        """Read a register of 32 bits.

        Args:
            offset: in bytes, below 65536.

        Returns:
            Its value; `None` if the bus returns an error.

        Raises:
            InputError: the offset is out of range.
            ToolError: the answer violates the contract, or the line failed.
        """
        status, *value = self._ask([_checked(offset)])
        if not value and status != BusResponse.DECODE_ERROR:
            raise ToolError("the answer to a read has no word")
        return value[0] if status == BusResponse.OKAY else None

    def write(self, offset: int, value: int, lanes: int = 0b1111) -> bool:
        """Write a register of 32 bits.

        Args:
            offset: in bytes, below 65536.
            value: to write.
            lanes: byte lanes to write, the lowest first.

        Returns:
            Whether the bus returns no error.

        Raises:
            InputError, ToolError: as for `read`.
        """
        access = Access.WRITE.put(1) | Access.LANES.put(lanes) | _checked(offset)
        status, *_ = self._ask([access, value])
        return status == BusResponse.OKAY

    def exchange(self, packet: Sequence[int]) -> list[int]:
        """Send a packet to the IP's stream, and return the answer's words.

        Raises:
            InputError: the packet has no word.
            ToolError: the IP has no stream, or the line failed.
        """
        if not packet:
            raise InputError("the packet is empty, allowed are 1 word or more")
        status, *words = self._ask([Access.STREAM.put(1), *packet])
        if status != BusResponse.OKAY:
            raise ToolError("the IP at the end of the line has no stream")
        return words

    def _ask(self, packet: list[int]) -> list[int]:
        """Words of an answer. The first one is the bus response."""
        answer = list(self._exchange(packet))
        if not answer:
            raise ToolError("the answer of the IP at the end of the line is empty")
        self.interrupt = bool(AccessStatus.INTERRUPT_LEVEL.of(answer[0]))
        return [AccessStatus.RESPONSE.of(answer[0]), *answer[1:]]


def _checked(offset: int) -> int:
    if not 0 <= offset < _WIDEST:
        raise InputError(f"offset is {offset}, allowed is 0 to {_WIDEST - 1}")
    return offset
