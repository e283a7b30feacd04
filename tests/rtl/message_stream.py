"""Cocotb bench for IPs whose streams carry messages of words without a packet's header."""

import itertools
import random
from typing import Any

from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, with_timeout
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

TEXT = [ord(character) for character in "Hello, World!"]
CIPHER = [2374081, 634949, 683399, 683399, 4222941, 5390756, 6054897, 2047352, 4222941]
CIPHER += [4107156, 683399, 3812635, 469162]
"""Evantash's text, and its words raised to 65537 modulo 6103297."""


class MessageStream:
    """A source of messages and a sink of results, with pauses at both ends if a seed is given."""

    def __init__(self, dut: Any, pauses: int | None = None) -> None:
        self.dut = dut
        Clock(dut.aclk, 10, "ns").start()
        dut.aresetn.value = 0
        side = {"reset_active_level": False, "byte_size": 32}
        ends = (AxiStreamSource, "s_axis"), (AxiStreamSink, "m_axis")
        self.source, self.sink = (
            end(AxiStreamBus.from_prefix(dut, prefix), dut.aclk, dut.aresetn, **side)
            for end, prefix in ends
        )
        if pauses is not None:
            for salt, end in enumerate((self.source, self.sink)):
                chance = random.Random(pauses + salt)
                end.set_pause_generator(
                    (lambda chance: (chance.random() < 0.6 for _ in itertools.count()))(chance)
                )

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
