"""Packets over the AXI4-Lite registers of a core (contract/stream_registers.rdl), word by word."""

from collections.abc import Sequence

from totient.catalog.ips import registers
from totient.device.register_map import Bus, RegisterMap

_POLLS = 1_000_000


class RegisterStream:
    """Packets to a core behind registers."""

    def __init__(self, bus: Bus) -> None:
        self._registers = RegisterMap(bus, registers("stream_registers"))

    def exchange(self, packet: Sequence[int], *, limit: int | None = None) -> list[int]:
        """Send a packet's words, and return those of the answer.

        Args:
            packet: 32-bit words, 1 or more.
            limit: maximum number of status reads for a word.

        Raises:
            ToolError: no answer within this number of reads, or the bus failed.
        """
        own, most = self._registers, limit or _POLLS
        failure = f"no answer of the core behind registers in {most} reads of its status"
        for word in packet[:-1]:
            own.wait("status", "request_ready", most, failure)
            own.request = word
        own.wait("status", "request_ready", most, failure)
        own.request_last = packet[-1]
        answer, last = [], False
        while not last:
            status = own.wait("status", "response_valid", most, failure)
            last = bool(status["response_last"])
            answer.append(own.response)
        return answer
