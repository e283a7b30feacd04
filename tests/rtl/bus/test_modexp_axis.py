"""The stream adapter in front of a behavioural core: packets, errors, clear, back-pressure."""

import itertools
from pathlib import Path
from typing import Any

import cocotb
import pytest
from cocotb.triggers import ClockCycles
from tests.rtl.stream_bench import ABORTABLE, Bench, Key, exponentiate, load

from totient.check.packets import number_words, parse_number
from totient.common.contract import VERSION, Command, ErrorCode, Request

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
    command, error, body = await bench.ask([Command.INFO])
    assert (command, error) == (Command.INFO, ErrorCode.OK)
    assert b"".join(word.to_bytes(4, "little") for word in body[:4]) == b"sixteen_letters!"
    assert body[4:] == [VERSION, bench.width, 1, int(dut.Lanes.value)]


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(pauses=[None, 1, 2])
async def results_are_right(dut: Any, pauses: int | None) -> None:
    bench = await start(dut, pauses)
    for bits in {2, 5, bench.width // 2 + 1, bench.width - 1, bench.width}:
        drawn = bench.key(bits)
        stated = bench.random.randint(bits, bench.width)  # lengths need not be tight
        key = Key(drawn.modulus, stated, drawn.exponent, drawn.exponent_bits)
        await bench.loads(key.load)
        for base in (0, 1, key.modulus - 1, bench.random.randrange(key.modulus)):
            length = bench.random.randint(base.bit_length(), bench.width)
            await bench.gives(exponentiate(base, length), key)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def cycles_are_the_cores(dut: Any) -> None:
    bench = await start(dut)
    drawn = bench.key()
    for exponent_bits in (1, bench.width // 2, bench.width):
        exponent = bench.random.getrandbits(exponent_bits)
        key = Key(drawn.modulus, drawn.bits, exponent, exponent_bits)
        setup = await bench.loads(key.load)
        spent = await bench.gives(exponentiate(2, bench.width), key)
        assert spent - setup == exponent_bits  # the model takes one cycle a bit


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def requests_may_queue(dut: Any) -> None:
    bench = await start(dut, pauses=3)
    key = bench.key()
    bases = [bench.random.randrange(key.modulus) for _ in range(4)]
    await bench.send(key.load)
    for base in bases:
        await bench.send(exponentiate(base, bench.width))
    await bench.send([Command.INFO])
    assert (await bench.receive())[:2] == (Command.LOAD_KEY, ErrorCode.OK)
    for base in bases:
        command, error, body = await bench.receive()
        assert (command, error) == (Command.EXPONENTIATE, ErrorCode.OK)
        assert parse_number(body[2:]) == key.power(base)
    assert (await bench.receive())[:2] == (Command.INFO, ErrorCode.OK)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def wrong_commands_are_refused(dut: Any) -> None:
    bench = await start(dut, pauses=4)
    several = Command.EXPONENTIATE | Request.OPTION.put(
        int(dut.Lanes.value)
    )  # a base more than there are lanes
    for first in (
        0,
        5,
        0xFF,
        0x100 | Command.INFO,
        0x80000000 | Command.LOAD_KEY,
        Command.CLEAR | 1 << 31,
        several,
    ):
        await bench.refuses([first], ErrorCode.COMMAND)
        await bench.refuses([first, 1, 2, 3], ErrorCode.COMMAND)
        await bench.works()


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def truncated_packets_are_refused(dut: Any) -> None:
    bench = await start(dut, pauses=5)
    key = bench.key()
    whole = key.load
    for end in range(1, len(whole)):
        await bench.loads(whole)
        await bench.refuses(whole[:end], ErrorCode.PACKET_SHORT)
        await bench.has_no_key()
    await bench.loads(whole)
    base = exponentiate(key.modulus - 1, bench.width)
    for end in range(1, len(base)):
        await bench.refuses(base[:end], ErrorCode.PACKET_SHORT)
        await bench.gives(base, key)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def over_long_packets_are_refused(dut: Any) -> None:
    bench = await start(dut, pauses=6)
    key = bench.key()
    whole = key.load
    for tail in ([0], [1] * 40):
        await bench.refuses([Command.INFO, *tail], ErrorCode.PACKET_LONG)
        await bench.refuses([Command.CLEAR, *tail], ErrorCode.PACKET_LONG)
        await bench.loads(whole)
        await bench.refuses(exponentiate(1, bench.width) + tail, ErrorCode.PACKET_LONG)
        await bench.refuses(exponentiate(0, 0) + tail, ErrorCode.PACKET_LONG)
        await bench.gives(exponentiate(1, bench.width), key)
        await bench.refuses(whole + tail, ErrorCode.PACKET_LONG)
        await bench.has_no_key()
        await bench.refuses([Command.LOAD_KEY, 0, 0, *tail], ErrorCode.PACKET_LONG)
    await bench.works()


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def wrong_lengths_are_refused(dut: Any) -> None:
    bench = await start(dut, pauses=7)
    width = bench.width
    key = bench.key()
    for beyond in (width + 1, 2 * width, 1 << 16, 1 << 31, 0xFFFFFFFF):
        for tail in ([], [1], [1] * 300):
            await bench.loads(key.load)
            await bench.refuses([Command.EXPONENTIATE, beyond, *tail], ErrorCode.LENGTH)
            await bench.gives(exponentiate(1, width), key)
            await bench.refuses([Command.LOAD_KEY, beyond, *tail], ErrorCode.LENGTH)
            await bench.refuses([Command.LOAD_KEY, width, beyond, *tail], ErrorCode.LENGTH)
            await bench.has_no_key()
    for length in {1, width // 2, width - 1, width}:
        if length % 32 == 0:
            continue
        for place in {length, length | 31}:  # the bit above, and the last of the word
            await bench.refuses(load(1 | 1 << place, length, 1, 1), ErrorCode.LENGTH)
            await bench.refuses(load(key.modulus, key.bits, 1 << place, length), ErrorCode.LENGTH)
            await bench.loads(key.load)
            await bench.refuses(exponentiate(1 << place, length), ErrorCode.LENGTH)
            await bench.gives(exponentiate(1, width), key)


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(pauses=[None, 10])
async def several_bases_at_once(dut: Any, pauses: int | None) -> None:
    bench = await start(dut, pauses)
    lanes, width = int(dut.Lanes.value), bench.width
    key = bench.key()
    await bench.loads(key.load)
    size = len(number_words(0, key.bits))
    for count in range(1, lanes + 1):
        for length in (width, key.bits, 1, 0):
            bases = [bench.random.getrandbits(length) % key.modulus for _ in range(count)]
            packet = [Command.EXPONENTIATE | Request.OPTION.put(count - 1), length]
            packet += [word for base in bases for word in number_words(base, length)]
            command, error, body = await bench.ask(packet)
            assert (command, error, len(body)) == (
                Command.EXPONENTIATE,
                ErrorCode.OK,
                2 + count * size,
            )
            results = [parse_number(body[2 + i * size :][:size]) for i in range(count)]
            assert results == [key.power(base) for base in bases]
            if length:
                await bench.refuses(packet[:-1], ErrorCode.PACKET_SHORT)
                if len(packet) > 3:
                    await bench.refuses(packet[:3], ErrorCode.PACKET_SHORT)
            await bench.refuses([*packet, 0], ErrorCode.PACKET_LONG)
        for place in range(count):
            bases = [0] * count
            bases[place] = key.modulus
            packet = [Command.EXPONENTIATE | Request.OPTION.put(count - 1), width]
            packet += [word for base in bases for word in number_words(base, width)]
            await bench.refuses(packet, ErrorCode.BASE_NOT_BELOW)
    await bench.gives(exponentiate(1, width), key)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def the_cores_errors_come_through(dut: Any) -> None:
    bench = await start(dut, pauses=8)
    width = bench.width
    await bench.has_no_key()
    await bench.refuses(load(0, 0, 1, 1), ErrorCode.MODULUS_SMALL)
    await bench.refuses(load(0, width, 1, 1), ErrorCode.MODULUS_SMALL)
    await bench.refuses(load(1, width, 1, 1), ErrorCode.MODULUS_SMALL)
    await bench.refuses(load(6, width, 1, 1), ErrorCode.MODULUS_EVEN)
    await bench.refuses([Command.LOAD_KEY, 0, 0], ErrorCode.EXPONENT_EMPTY)
    await bench.refuses(load(5, width, 0, 0), ErrorCode.EXPONENT_EMPTY)
    key = Key(5, 3, 0, 1)
    await bench.loads(key.load)  # an exponent of value 0 gives 1
    await bench.gives(exponentiate(3, width), key)
    await bench.gives(exponentiate(0, 0), key)  # 0 to the 0 is 1
    for base in (5, 6, (1 << width) - 1):
        await bench.refuses(exponentiate(base, width), ErrorCode.BASE_NOT_BELOW)
    await bench.gives(exponentiate(4, width), key)
    await bench.refuses(load(6, width, 1, 1), ErrorCode.MODULUS_EVEN)
    await bench.has_no_key()


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def a_shorter_number_leaves_nothing_of_a_longer_one(dut: Any) -> None:
    bench = await start(dut)
    top = (1 << bench.width) - 1
    key, short = Key(top, bench.width, top, bench.width), Key(7, 3, 3, 2)
    await bench.loads(key.load)
    await bench.gives(exponentiate(top - 1, bench.width), key)
    await bench.gives(exponentiate(1, 1), key)
    await bench.gives(exponentiate(0, 0), key)
    await bench.loads(short.load)
    await bench.gives(exponentiate(5, 3), short)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def clear_forgets_the_key(dut: Any) -> None:
    bench = await start(dut)
    for pause in (0, 1, 30):
        await bench.works()
        await ClockCycles(dut.clk_i, pause + 1)
        assert await bench.ask([Command.CLEAR]) == (Command.CLEAR, ErrorCode.OK, [])
        assert int(dut.model.waiting.value) == 0  # the wipe has ended
        assert held_bits(dut) == 0
        await bench.has_no_key()
    assert await bench.ask([Command.CLEAR]) == (Command.CLEAR, ErrorCode.OK, [])


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
    drawn = bench.key()
    exponent_bits = min(bench.width, 40)
    exponent = drawn.exponent & (1 << exponent_bits) - 1
    key = Key(drawn.modulus, drawn.bits, exponent, exponent_bits)
    outcomes = set()
    for packet, delay in itertools.product((key.load, exponentiate(2, bench.width)), range(75)):
        outcomes.add(await bench.clears(packet, key, delay))
        assert held_bits(dut) == 0
        await bench.has_no_key()
    assert outcomes == ABORTABLE
    await bench.works()


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def only_a_whole_clear_aborts(dut: Any) -> None:
    bench = await start(dut)
    key = bench.key()
    await bench.loads(key.load)
    base = key.modulus // 2
    reserved = [[Command.CLEAR | 1 << place] for place in range(8, 32)]
    others: list[tuple[list[int], tuple[int, ErrorCode]]] = [
        ([Command.INFO], (Command.INFO, ErrorCode.OK)),
        ([Command.CLEAR, 0], (Command.CLEAR, ErrorCode.PACKET_LONG)),
        *((word, (Command.CLEAR, ErrorCode.COMMAND)) for word in reserved),
    ]
    for other, answer in others:
        await bench.send(exponentiate(base, bench.width))
        await bench.send(other)
        command, error, body = await bench.receive()
        assert (command, error) == (Command.EXPONENTIATE, ErrorCode.OK)
        assert parse_number(body[2:]) == key.power(base)
        assert (await bench.receive())[:2] == answer


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def two_clears_behind_an_operation(dut: Any) -> None:
    bench = await start(dut)
    key = bench.key()
    await bench.send(key.load)
    await bench.send([Command.CLEAR])
    await bench.send([Command.CLEAR])
    assert await bench.receive() == (Command.LOAD_KEY, ErrorCode.ABORTED, [])
    assert await bench.receive() == (Command.CLEAR, ErrorCode.OK, [])
    assert await bench.receive() == (Command.CLEAR, ErrorCode.OK, [])
    await bench.works()


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def reset_at_each_moment(dut: Any) -> None:
    bench = await start(dut)
    key = bench.key()
    for delay in range(1, len(key.load) + 24):
        await bench.forgets(key, delay)
        assert int(dut.m_axis_tvalid.value) == 0
        assert held_bits(dut) == 0
        await bench.has_no_key()
    await bench.works()
