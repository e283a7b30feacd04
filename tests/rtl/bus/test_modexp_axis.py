"""The stream adapter in front of a behavioural core: packets, errors, clear, back-pressure."""

import itertools
from pathlib import Path
from typing import Any

import cocotb
import pytest
from cocotb.triggers import ClockCycles
from tests.rtl.stream_bench import (
    ABORTED,
    CLEAR,
    COMMAND,
    EMPTY,
    EVEN,
    EXPONENTIATE,
    INFO,
    LENGTH,
    LOAD,
    LONG,
    NO_KEY,
    NOT_BELOW,
    OK,
    SHORT,
    SMALL,
    Bench,
    exponentiate,
    load,
    number,
    words,
)

FOLDER = Path(__file__).parent


@pytest.mark.parametrize(("width", "lanes"), [(8, 1), (33, 1), (64, 1), (128, 1), (33, 3), (64, 8)])
def test_modexp_axis(run_cocotb: Any, width: int, lanes: int) -> None:
    run_cocotb(
        "totient:bus:modexp_axis",
        {"Width": width, "Lanes": lanes},
        top="modexp_axis_bench",
        extra=[FOLDER / "modexp_model.sv", FOLDER / "modexp_axis_bench.sv"],
    )


async def start(dut: Any, pauses: int | None = None) -> Bench:
    bench = Bench(dut, dut.clk_i, dut.rst_ni, pauses)
    await bench.reset()
    return bench


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def info_names_the_core(dut: Any) -> None:
    bench = await start(dut)
    command, error, body = await bench.ask([INFO])
    assert (command, error) == (INFO, OK)
    assert b"".join(word.to_bytes(4, "little") for word in body[:4]) == b"sixteen_letters!"
    assert body[4:] == [0x000100, bench.width, 1, int(dut.Lanes.value)]


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
    several = EXPONENTIATE | int(dut.Lanes.value) << 8  # a base more than there are lanes
    for first in (0, 5, 0xFF, 0x100 | INFO, 0x80000000 | LOAD, CLEAR | 1 << 31, several):
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
@cocotb.parametrize(pauses=[None, 10])
async def several_bases_at_once(dut: Any, pauses: int | None) -> None:
    bench = await start(dut, pauses)
    lanes, width = int(dut.Lanes.value), bench.width
    modulus, bits, exponent, exponent_bits = bench.key()
    await bench.loads(load(modulus, bits, exponent, exponent_bits))
    size = len(words(0, bits))
    for count in range(1, lanes + 1):
        for length in (width, bits, 1, 0):
            bases = [bench.random.getrandbits(length) % modulus for _ in range(count)]
            packet = [EXPONENTIATE | count - 1 << 8, length]
            packet += [word for base in bases for word in words(base, length)]
            command, error, body = await bench.ask(packet)
            assert (command, error, len(body)) == (EXPONENTIATE, OK, 2 + count * size)
            results = [number(body[2 + i * size :][:size]) for i in range(count)]
            assert results == [pow(base, exponent, modulus) for base in bases]
            if length:
                await bench.refuses(packet[:-1], SHORT)
                if len(packet) > 3:
                    await bench.refuses(packet[:3], SHORT)
            await bench.refuses([*packet, 0], LONG)
        for place in range(count):
            bases = [0] * count
            bases[place] = modulus
            packet = [EXPONENTIATE | count - 1 << 8, width]
            packet += [word for base in bases for word in words(base, width)]
            await bench.refuses(packet, NOT_BELOW)
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
        assert int(dut.model.waiting.value) == 0  # the wipe has ended
        assert held_bits(dut) == 0
        await bench.refuses(exponentiate(1, bench.width), NO_KEY)
    assert await bench.ask([CLEAR]) == (CLEAR, OK, [])


def held_bits(dut: Any) -> int:
    """What the adapter and the core hold of operands, their lengths and results."""
    adapter, core = dut.dut, dut.model
    held = (
        *(adapter.bits_q, adapter.exponent_bits_q, adapter.key_words_q),
        *(core.modulus, core.exponent, core.base, core.result),
    )
    value = 0
    for signal in held:
        value |= int(signal.value)
    return value


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
