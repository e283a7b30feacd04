"""The stream adapter in front of a behavioural core: packets, errors, clear, back-pressure."""

import itertools
import random
from pathlib import Path
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

INFO, LOAD, EXPONENTIATE, CLEAR = 1, 2, 3, 4
OK, COMMAND, SHORT, LONG, LENGTH, EMPTY, EVEN, SMALL, NOT_BELOW, NO_KEY, ABORTED = range(11)

FOLDER = Path(__file__).parent


@pytest.mark.parametrize("width", [8, 33, 64, 128])
def test_modexp_axis(run_cocotb: Any, width: int) -> None:
    run_cocotb(
        "totient:bus:modexp_axis",
        {"Width": width},
        top="modexp_axis_bench",
        extra=[FOLDER / "modexp_model.sv", FOLDER / "modexp_axis_bench.sv"],
    )


def words(value: int, bits: int) -> list[int]:
    """Words of a number of stated length, least significant first (bits above are kept)."""
    return [(value >> shift) & 0xFFFFFFFF for shift in range(0, bits, 32)]


def number(given: list[int]) -> int:
    return sum(word << 32 * i for i, word in enumerate(given))


def load(modulus: int, bits: int, exponent: int, exponent_bits: int) -> list[int]:
    return [LOAD, bits, exponent_bits, *words(modulus, bits), *words(exponent, exponent_bits)]


def exponentiate(base: int, bits: int) -> list[int]:
    return [EXPONENTIATE, bits, *words(base, bits)]


class Bench:
    """The adapter with a source of requests and a sink of responses."""

    def __init__(self, dut: Any, pauses: int | None = None) -> None:
        self.dut = dut
        self.width = int(dut.Width.value)
        self.random = random.Random(self.width)
        Clock(dut.clk_i, 10, "ns").start()
        side = {
            "clock": dut.clk_i,
            "reset": dut.rst_ni,
            "reset_active_level": False,
            "byte_size": 32,
        }
        self.source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), **side)
        self.sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), **side)
        if pauses is not None:
            for end, salt in ((self.source, 0), (self.sink, 1)):
                chance = random.Random(pauses + salt)
                end.set_pause_generator(chance.random() < 0.6 for _ in itertools.count())

    async def reset(self, cycles: int = 2) -> None:
        """Reset the design, not what waits in the source."""
        self.dut.rst_ni.value = 0
        await ClockCycles(self.dut.clk_i, cycles)
        self.dut.rst_ni.value = 1
        await RisingEdge(self.dut.clk_i)

    async def send(self, packet: list[int]) -> None:
        """Queue a request."""
        await self.source.send(AxiStreamFrame(packet))

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
        assert (command, error, len(body)) == (LOAD, OK, 2)
        return number(body)

    async def gives(self, packet: list[int], key: tuple[int, int, int]) -> int:
        """Exponentiate and hold the answer to `pow`; the key is modulus, its bits, exponent."""
        modulus, bits, exponent = key
        command, error, body = await self.ask(packet)
        assert (command, error) == (EXPONENTIATE, OK)
        assert len(body) == 2 + (bits + 31) // 32
        assert number(body[2:]) == pow(number(packet[2:]), exponent, modulus)
        return number(body[:2])

    def key(self, bits: int | None = None) -> tuple[int, int, int, int]:
        """Modulus, its bits, exponent, its bits."""
        bits = bits or self.width
        exponent_bits = self.random.randint(1, self.width)
        modulus = self.random.getrandbits(bits) | 1 << bits - 1 | 1
        return modulus, bits, self.random.getrandbits(exponent_bits), exponent_bits

    async def works(self) -> None:
        """A whole key and operation, right."""
        modulus, bits, exponent, exponent_bits = self.key()
        await self.loads(load(modulus, bits, exponent, exponent_bits))
        base = self.random.randrange(modulus)
        await self.gives(exponentiate(base, self.width), (modulus, bits, exponent))


async def start(dut: Any, pauses: int | None = None) -> Bench:
    bench = Bench(dut, pauses)
    await bench.reset()
    return bench


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def info_names_the_core(dut: Any) -> None:
    bench = await start(dut)
    command, error, body = await bench.ask([INFO])
    assert (command, error) == (INFO, OK)
    assert b"".join(word.to_bytes(4, "little") for word in body[:4]) == b"sixteen_letters!"
    assert body[4:] == [0x000100, bench.width, 1]


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(pauses=[None, 1, 2])
async def results_are_right(dut: Any, pauses: int | None) -> None:
    bench = await start(dut, pauses)
    for bits in {2, 5, bench.width // 2 + 1, bench.width - 1, bench.width}:
        modulus, bits, exponent, exponent_bits = bench.key(bits)
        stated = bench.random.randint(bits, bench.width)  # lengths need not be tight
        await bench.loads(load(modulus, stated, exponent, exponent_bits))
        for base in (0, 1, modulus - 1, bench.random.randrange(modulus)):
            length = bench.random.randint(base.bit_length(), bench.width)
            await bench.gives(exponentiate(base, length), (modulus, stated, exponent))


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def cycles_are_the_cores(dut: Any) -> None:
    bench = await start(dut)
    modulus, bits, exponent, _ = bench.key()
    for exponent_bits in (1, bench.width // 2, bench.width):
        exponent = bench.random.getrandbits(exponent_bits)
        setup = await bench.loads(load(modulus, bits, exponent, exponent_bits))
        spent = await bench.gives(exponentiate(2, bench.width), (modulus, bits, exponent))
        assert spent - setup == exponent_bits  # the model takes one cycle a bit


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def requests_may_queue(dut: Any) -> None:
    bench = await start(dut, pauses=3)
    modulus, bits, exponent, exponent_bits = bench.key()
    bases = [bench.random.randrange(modulus) for _ in range(4)]
    await bench.send(load(modulus, bits, exponent, exponent_bits))
    for base in bases:
        await bench.send(exponentiate(base, bench.width))
    await bench.send([INFO])
    assert (await bench.receive())[:2] == (LOAD, OK)
    for base in bases:
        command, error, body = await bench.receive()
        assert (command, error) == (EXPONENTIATE, OK)
        assert number(body[2:]) == pow(base, exponent, modulus)
    assert (await bench.receive())[:2] == (INFO, OK)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def wrong_commands_are_refused(dut: Any) -> None:
    bench = await start(dut, pauses=4)
    for first in (0, 5, 0xFF, 0x100 | INFO, 0x80000000 | LOAD, CLEAR | 1 << 31):
        await bench.refuses([first], COMMAND)
        await bench.refuses([first, 1, 2, 3], COMMAND)
        await bench.works()


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def truncated_packets_are_refused(dut: Any) -> None:
    bench = await start(dut, pauses=5)
    modulus, bits, exponent, exponent_bits = bench.key()
    whole = load(modulus, bits, exponent, exponent_bits)
    for end in range(1, len(whole)):
        await bench.loads(whole)
        await bench.refuses(whole[:end], SHORT)
        await bench.refuses(exponentiate(1, bench.width), NO_KEY)
    await bench.loads(whole)
    base = exponentiate(modulus - 1, bench.width)
    for end in range(1, len(base)):
        await bench.refuses(base[:end], SHORT)
        await bench.gives(base, (modulus, bits, exponent))


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def over_long_packets_are_refused(dut: Any) -> None:
    bench = await start(dut, pauses=6)
    modulus, bits, exponent, exponent_bits = bench.key()
    whole = load(modulus, bits, exponent, exponent_bits)
    for tail in ([0], [1] * 40):
        await bench.refuses([INFO, *tail], LONG)
        await bench.refuses([CLEAR, *tail], LONG)
        await bench.loads(whole)
        await bench.refuses(exponentiate(1, bench.width) + tail, LONG)
        await bench.refuses(exponentiate(0, 0) + tail, LONG)
        await bench.gives(exponentiate(1, bench.width), (modulus, bits, exponent))
        await bench.refuses(whole + tail, LONG)
        await bench.refuses(exponentiate(1, bench.width), NO_KEY)
        await bench.refuses([LOAD, 0, 0, *tail], LONG)
    await bench.works()


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def wrong_lengths_are_refused(dut: Any) -> None:
    bench = await start(dut, pauses=7)
    width = bench.width
    modulus, bits, exponent, exponent_bits = bench.key()
    good = load(modulus, bits, exponent, exponent_bits)
    for beyond in (width + 1, 2 * width, 1 << 16, 1 << 31, 0xFFFFFFFF):
        for tail in ([], [1], [1] * 300):
            await bench.loads(good)
            await bench.refuses([EXPONENTIATE, beyond, *tail], LENGTH)
            await bench.gives(exponentiate(1, width), (modulus, bits, exponent))
            await bench.refuses([LOAD, beyond, *tail], LENGTH)
            await bench.refuses([LOAD, width, beyond, *tail], LENGTH)
            await bench.refuses(exponentiate(1, width), NO_KEY)
    for length in {1, width // 2, width - 1, width}:
        if length % 32 == 0:
            continue
        for place in {length, length | 31}:  # the bit above, and the last of the word
            await bench.refuses(load(1 | 1 << place, length, 1, 1), LENGTH)
            await bench.refuses(load(modulus, bits, 1 << place, length), LENGTH)
            await bench.loads(good)
            await bench.refuses(exponentiate(1 << place, length), LENGTH)
            await bench.gives(exponentiate(1, width), (modulus, bits, exponent))


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def the_cores_errors_come_through(dut: Any) -> None:
    bench = await start(dut, pauses=8)
    width = bench.width
    await bench.refuses(exponentiate(1, width), NO_KEY)
    await bench.refuses(load(0, 0, 1, 1), SMALL)
    await bench.refuses(load(0, width, 1, 1), SMALL)
    await bench.refuses(load(1, width, 1, 1), SMALL)
    await bench.refuses(load(6, width, 1, 1), EVEN)
    await bench.refuses([LOAD, 0, 0], EMPTY)
    await bench.refuses(load(5, width, 0, 0), EMPTY)
    await bench.loads(load(5, 3, 0, 1))  # an exponent of value 0 gives 1
    await bench.gives(exponentiate(3, width), (5, 3, 0))
    await bench.gives(exponentiate(0, 0), (5, 3, 0))  # 0 to the 0 is 1
    for base in (5, 6, (1 << width) - 1):
        await bench.refuses(exponentiate(base, width), NOT_BELOW)
    await bench.gives(exponentiate(4, width), (5, 3, 0))
    await bench.refuses(load(6, width, 1, 1), EVEN)
    await bench.refuses(exponentiate(1, width), NO_KEY)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def a_shorter_number_leaves_nothing_of_a_longer_one(dut: Any) -> None:
    bench = await start(dut)
    top = (1 << bench.width) - 1
    await bench.loads(load(top, bench.width, top, bench.width))
    await bench.gives(exponentiate(top - 1, bench.width), (top, bench.width, top))
    await bench.gives(exponentiate(1, 1), (top, bench.width, top))
    await bench.gives(exponentiate(0, 0), (top, bench.width, top))
    await bench.loads(load(7, 3, 3, 2))
    await bench.gives(exponentiate(5, 3), (7, 3, 3))


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def clear_forgets_the_key(dut: Any) -> None:
    bench = await start(dut)
    for pause in (0, 1, 30):
        await bench.works()
        await ClockCycles(dut.clk_i, pause + 1)
        assert await bench.ask([CLEAR]) == (CLEAR, OK, [])
        assert held_bits(dut) == 0
        await bench.refuses(exponentiate(1, bench.width), NO_KEY)
    assert await bench.ask([CLEAR]) == (CLEAR, OK, [])


def held_bits(dut: Any) -> int:
    """What the adapter and the core hold of operands and results."""
    adapter, core = dut.dut, dut.model
    held = (
        *(adapter.number_q, adapter.exponent_q),
        *(core.modulus, core.exponent, core.base, core.result),
    )
    value = 0
    for signal in held:
        value |= int(signal.value)
    return value


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def operands_stay_no_longer_than_needed(dut: Any) -> None:
    bench = await start(dut)
    await bench.works()
    assert int(dut.dut.number_q.value) == int(dut.dut.exponent_q.value) == 0
    modulus, bits, exponent, exponent_bits = bench.key()
    await bench.send(load(modulus, bits, exponent, exponent_bits))
    await RisingEdge(dut.model.running)
    await ClockCycles(dut.clk_i, 1)
    assert int(dut.dut.number_q.value) == int(dut.dut.exponent_q.value) == 0
    assert (await bench.receive())[:2] == (LOAD, OK)
    await bench.refuses(load(modulus, bits, exponent, exponent_bits)[:-1], SHORT)
    assert int(dut.dut.number_q.value) == int(dut.dut.exponent_q.value) == 0


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(pauses=[None, 9])
async def clear_at_each_moment(dut: Any, pauses: int | None) -> None:
    """A clear `delay` cycles behind an operation: aborted while it runs, in order afterwards."""
    bench = await start(dut, pauses)
    width = bench.width
    modulus, bits, exponent, _ = bench.key()
    exponent_bits = min(width, 40)
    exponent &= (1 << exponent_bits) - 1
    key = load(modulus, bits, exponent, exponent_bits)
    outcomes = set()
    for packet, delay in itertools.product((key, exponentiate(2, width)), range(75)):
        if packet is not key:
            await bench.loads(key)
        await bench.send(packet)
        await bench.source.wait()
        if delay:
            await ClockCycles(dut.clk_i, delay)
        await bench.send([CLEAR])
        command, error, body = await bench.receive()
        assert command == packet[0]
        assert error in (OK, ABORTED)
        assert bool(body) == (error == OK)
        if error == OK and command == EXPONENTIATE:
            assert number(body[2:]) == pow(2, exponent, modulus)
        assert await bench.receive() == (CLEAR, OK, [])
        assert held_bits(dut) == 0
        await bench.refuses(exponentiate(1, width), NO_KEY)
        outcomes.add((command, error))
    assert outcomes == {(LOAD, OK), (LOAD, ABORTED), (EXPONENTIATE, OK), (EXPONENTIATE, ABORTED)}
    await bench.works()


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def only_a_whole_clear_aborts(dut: Any) -> None:
    bench = await start(dut)
    modulus, bits, exponent, exponent_bits = bench.key()
    await bench.loads(load(modulus, bits, exponent, exponent_bits))
    base = modulus // 2
    for other, answer in (
        ([INFO], (INFO, OK)),
        ([CLEAR, 0], (CLEAR, LONG)),
        ([CLEAR | 0x100], (CLEAR, COMMAND)),
    ):
        await bench.send(exponentiate(base, bench.width))
        await bench.send(other)
        command, error, body = await bench.receive()
        assert (command, error) == (EXPONENTIATE, OK)
        assert number(body[2:]) == pow(base, exponent, modulus)
        assert (await bench.receive())[:2] == answer


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def two_clears_behind_an_operation(dut: Any) -> None:
    bench = await start(dut)
    modulus, bits, exponent, exponent_bits = bench.key()
    await bench.send(load(modulus, bits, exponent, exponent_bits))
    await bench.send([CLEAR])
    await bench.send([CLEAR])
    assert await bench.receive() == (LOAD, ABORTED, [])
    assert await bench.receive() == (CLEAR, OK, [])
    assert await bench.receive() == (CLEAR, OK, [])
    await bench.works()


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def reset_at_each_moment(dut: Any) -> None:
    bench = await start(dut)
    modulus, bits, exponent, exponent_bits = bench.key()
    key = load(modulus, bits, exponent, exponent_bits)
    for delay in range(1, len(key) + 24):
        await bench.send(key)
        await bench.send(exponentiate(1, bench.width))
        await ClockCycles(dut.clk_i, delay)
        await bench.reset(1)
        bench.source.clear()
        bench.sink.clear()
        assert int(dut.m_axis_tvalid.value) == 0
        assert held_bits(dut) == 0
        await bench.refuses(exponentiate(1, bench.width), NO_KEY)
    await bench.works()
