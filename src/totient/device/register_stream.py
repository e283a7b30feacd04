"""Packets over the AXI4-Lite registers of a core (contract/stream_registers.rdl), word by word."""

from collections.abc import Callable, Sequence

from totient.catalog.ips import registers
from totient.common.errors import ToolError
from totient.device.register_map import Bus, RegisterMap

_VALID, _LAST, _READY = 1, 2, 4  # of the register STATUS
_POLLS = 1_000_000


class RegisterStream:
    """What takes packets, behind registers."""

    def __init__(self, bus: Bus) -> None:
        self._registers = RegisterMap(bus, registers("stream_registers"))

    def exchange(
        self,
        packet: Sequence[int],
        progress: Callable[[int], None] | None = None,
        limit: int | None = None,
    ) -> list[int]:
        """Send a packet's words, and return those of the answer.

        Args:
            packet: 32-bit words, 1 or more.
            progress: not called: nobody here counts cycles.
            limit: most looks at the status register for a word.

        Raises:
            ToolError: no answer in that many looks, or the bus failed.
        """
        own, most = self._registers, limit or _POLLS
        for word in packet[:-1]:
            self._wait(_READY, most)
            own.request = word
        self._wait(_READY, most)
        own.request_last = packet[-1]
        answer = []
        last = False
        while not last:
            last = bool(self._wait(_VALID, most) & _LAST)
            answer.append(own.response)
        return answer

    def _wait(self, bit: int, most: int) -> int:
        """The status, as soon as it has this bit."""
        for _ in range(most):
            if (status := self._registers.status) & bit:
                return status
        raise ToolError(f"no answer of the core behind registers in {most} reads of its status")
