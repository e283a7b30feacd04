"""Ends of AXI4-Stream and a master of AXI4-Lite, for benches with words of 32 bits."""

import itertools
import random
from collections.abc import Iterable, Iterator
from typing import Any

from cocotbext.axi import (
    AxiLiteBus,
    AxiLiteMaster,
    AxiResp,
    AxiStreamBus,
    AxiStreamSink,
    AxiStreamSource,
)
from tests.rtl.clocked import Started


def source(dut: Any, prefix: str, clock: Any, reset: Any) -> AxiStreamSource:
    """A source for a stream of the design, which its active-low reset stops."""
    return _end(AxiStreamSource, dut, prefix, clock, reset)


def sink(dut: Any, prefix: str, clock: Any, reset: Any) -> AxiStreamSink:
    """A sink for a stream of the design, likewise."""
    return _end(AxiStreamSink, dut, prefix, clock, reset)


def _end(kind: Any, dut: Any, prefix: str, clock: Any, reset: Any) -> Any:
    bus = AxiStreamBus.from_prefix(dut, prefix)
    return kind(bus, clock, reset, reset_active_level=False, byte_size=32)


def channels(lite: Any) -> list[Any]:
    """All channels of an end of AXI4-Lite."""
    read, write = lite.read_if, lite.write_if
    writing = [write.aw_channel, write.w_channel, write.b_channel]
    return [*writing, read.ar_channel, read.r_channel]


def pause_at_random(ends: Iterable[Any], seed: int, chance: float = 0.6) -> None:
    """Let ends of streams and channels pause, each by itself."""
    for salt, end in enumerate(ends):
        end.set_pause_generator(_pauses(100 * seed + salt, chance))


def _pauses(seed: int, chance: float) -> Iterator[bool]:
    draw = random.Random(seed)
    return (draw.random() < chance for _ in itertools.count())


class Registers(Started):
    """Who writes and reads registers behind `s_axil`, each access answered with OKAY.

    Attributes:
        master: the master.
        words: of a register, where it is not said.
    """

    words = 1

    def __init__(self, dut: Any, clock: Any, reset: Any) -> None:
        bus = AxiLiteBus.from_prefix(dut, "s_axil")
        self.master = AxiLiteMaster(bus, clock, reset, reset_active_level=False)

    async def write(self, address: int, value: int, words: int | None = None) -> None:
        """Write a register."""
        data = value.to_bytes(4 * (words or self.words), "little")
        answer = await self.master.write(address, data)
        assert answer.resp == AxiResp.OKAY, hex(address)

    async def read(self, address: int, words: int | None = None) -> int:
        """Read a register."""
        answer = await self.master.read(address, 4 * (words or self.words))
        assert answer.resp == AxiResp.OKAY, hex(address)
        return int.from_bytes(answer.data, "little")
