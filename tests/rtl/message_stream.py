"""Cocotb bench for IPs whose streams carry messages of words without a packet's header."""

from typing import Any

from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, with_timeout
from cocotbext.axi import AxiStreamFrame
from tests.rtl import axi
from tests.rtl.clocked import Started

TEXT = [ord(character) for character in "Hello, World!"]
CIPHER = [2374081, 634949, 683399, 683399, 4222941, 5390756, 6054897, 2047352, 4222941]
CIPHER += [4107156, 683399, 3812635, 469162]
"""Evantash's text, and its words raised to 65537 modulo 6103297."""


class MessageStream(Started):
    """A source of messages and a sink of results, with pauses at both ends if a seed is given."""

    def __init__(self, dut: Any, pauses: int | None = None) -> None:
        self.dut = dut
        Clock(dut.aclk, 10, "ns").start()
        dut.aresetn.value = 0
        self.source = axi.source(dut, "s_axis", dut.aclk, dut.aresetn)
        self.sink = axi.sink(dut, "m_axis", dut.aclk, dut.aresetn)
        if pauses is not None:
            axi.pause_at_random((self.source, self.sink), pauses)

    async def start(self) -> None:
        """Leave reset."""
        await ClockCycles(self.dut.aclk, 3)
        self.dut.aresetn.value = 1

    async def ask(self, words: list[int]) -> list[int]:
        """Send words as one packet; the answer."""
        await self.source.send(AxiStreamFrame(words))
        return list((await with_timeout(self.sink.recv(), 50, "ms")).tdata)

    async def raises(self, messages: list[int], words: int) -> list[int]:
        """Messages and results as numbers of so many words, all in one packet."""
        given = [m >> 32 * i & 0xFFFFFFFF for m in messages for i in range(words)]
        got = await self.ask(given)
        assert len(got) == len(given)
        return [
            sum(word << 32 * i for i, word in enumerate(got[place : place + words]))
            for place in range(0, len(got), words)
        ]
