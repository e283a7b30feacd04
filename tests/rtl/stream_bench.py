"""Cocotb bench for everything that keeps the stream contract, with pauses at both ends."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotbext.axi import AxiStreamFrame
from tests.rtl import axi

from totient.check.packets import number_words, parse_number
from totient.common.contract import Command, ErrorCode


def load(modulus: int, bits: int, exponent: int, exponent_bits: int) -> list[int]:
    return [
        Command.LOAD_KEY,
        bits,
        exponent_bits,
        *number_words(modulus, bits),
        *number_words(exponent, exponent_bits),
    ]


def exponentiate(base: int, bits: int) -> list[int]:
    return [Command.EXPONENTIATE, bits, *number_words(base, bits)]


@dataclass(frozen=True)
class Key:
    """A key with the stated lengths of its numbers."""

    modulus: int
    bits: int
    exponent: int
    exponent_bits: int

    @property
    def load(self) -> list[int]:
        """Request to load it."""
        return load(self.modulus, self.bits, self.exponent, self.exponent_bits)

    def power(self, base: int) -> int:
        """What a base becomes."""
        return pow(base, self.exponent, self.modulus)


class Bench:
    """A core's stream with a source of requests and a sink of responses.

    Args:
        dut: the design.
        clock: its clock.
        reset: its active-low reset.
        pauses: seed of random pauses at both ends; `None` for none.
        exponent_bits: longest exponent of the keys that the bench makes up; the width without.
    """

    def __init__(
        self,
        dut: Any,
        clock: Any,
        reset: Any,
        pauses: int | None = None,
        exponent_bits: int | None = None,
    ) -> None:
        self.clock, self.reset_n = clock, reset
        self.width = int(dut.Width.value)
        self.exponent_bits = exponent_bits or self.width
        self.random = random.Random(self.width)
        Clock(clock, 10, "ns").start()
        self.source = axi.source(dut, "s_axis", clock, reset)
        self.sink = axi.sink(dut, "m_axis", clock, reset)
        if pauses is not None:
            axi.pause_at_random((self.source, self.sink), pauses)

    async def reset(self, cycles: int = 2) -> None:
        """Reset the design, not what waits in the source."""
        self.reset_n.value = 0
        await ClockCycles(self.clock, cycles)
        self.reset_n.value = 1
        await RisingEdge(self.clock)

    async def send(self, packet: Sequence[int]) -> None:
        """Queue a request."""
        await self.source.send(AxiStreamFrame(list(packet)))

    async def receive(self) -> tuple[int, int, list[int]]:
        """Command, error code and body of the next response, whose header must be right."""
        frame = await with_timeout(self.sink.recv(), 200, "us")
        header, *body = list(frame.tdata)
        assert header >> 16 == len(body)
        return header & 0xFF, header >> 8 & 0xFF, body

    async def ask(self, packet: list[int]) -> tuple[int, int, list[int]]:
        """Response to a request."""
        await self.send(packet)
        return await self.receive()

    async def refuses(self, packet: list[int], error: int) -> None:
        """Hold the response to this error and no body."""
        assert await self.ask(packet) == (packet[0] & 0xFF, error, []), packet

    async def loads(self, packet: list[int]) -> int:
        """Load a good key; set-up cycles."""
        command, error, body = await self.ask(packet)
        assert (command, error, len(body)) == (Command.LOAD_KEY, ErrorCode.OK, 2)
        return parse_number(body)

    async def gives(self, packet: list[int], key: Key) -> int:
        """Exponentiate and hold the answer to `pow`; cycles."""
        command, error, body = await self.ask(packet)
        assert (command, error) == (Command.EXPONENTIATE, ErrorCode.OK)
        assert len(body) == 2 + (key.bits + 31) // 32
        assert parse_number(body[2:]) == key.power(parse_number(packet[2:]))
        return parse_number(body[:2])

    async def clears(self, packet: list[int], key: Key, delay: int) -> tuple[int, int]:
        """A clear so many cycles behind a request: command and error code of what was asked.

        It is either aborted or right. A request but that for the key is made with the key loaded.
        """
        if packet != key.load:
            await self.loads(key.load)
        await self.send(packet)
        await self.source.wait()
        if delay:
            await ClockCycles(self.clock, delay)
        await self.send([Command.CLEAR])
        command, error, body = await self.receive()
        assert command == packet[0]
        assert error in (ErrorCode.OK, ErrorCode.ABORTED)
        assert bool(body) == (error == ErrorCode.OK)
        if body and command == Command.EXPONENTIATE:
            assert parse_number(body[2:]) == key.power(parse_number(packet[2:]))
        assert await self.receive() == (Command.CLEAR, ErrorCode.OK, [])
        return command, error

    async def forgets(self, key: Key, delay: int) -> None:
        """A reset so many cycles after a key and a base have begun to come."""
        await self.send(key.load)
        await self.send(exponentiate(1, self.width))
        await ClockCycles(self.clock, delay)
        await self.reset(1)
        self.source.clear()
        self.sink.clear()

    async def has_no_key(self) -> None:
        """No key is loaded."""
        await self.refuses(exponentiate(1, self.width), ErrorCode.NO_KEY)

    def key(self, bits: int | None = None) -> Key:
        """A key of so many bits; of the design's width without."""
        bits = bits or self.width
        exponent_bits = self.random.randint(1, self.exponent_bits)
        modulus = self.random.getrandbits(bits) | 1 << bits - 1 | 1
        return Key(modulus, bits, self.random.getrandbits(exponent_bits), exponent_bits)

    async def works(self) -> None:
        """A whole key and operation, right."""
        key = self.key()
        await self.loads(key.load)
        await self.gives(exponentiate(self.random.randrange(key.modulus), self.width), key)


ABORTABLE = {
    (command, error)
    for command in (Command.LOAD_KEY, Command.EXPONENTIATE)
    for error in (ErrorCode.OK, ErrorCode.ABORTED)
}
"""What `Bench.clears` gives, of all moments together."""
