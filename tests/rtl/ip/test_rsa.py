"""The complete IPs behind their streams, with every assertion of core and adapter on."""

from typing import Any

import cocotb
import pytest
from cocotb.triggers import ClockCycles
from tests.rtl.stream_bench import (
    ABORTED,
    CLEAR,
    EMPTY,
    EVEN,
    EXPONENTIATE,
    INFO,
    LENGTH,
    LOAD,
    NO_KEY,
    NOT_BELOW,
    OK,
    SHORT,
    SMALL,
    Bench,
    exponentiate,
    load,
    number,
)

from totient.catalog import Operation, select
from totient.common.contract import TimingClass

CASES = [
    *(
        (name, {"Width": width})
        for name in ("repeated", "binary", "montgomery")
        for width in (8, 33)
    ),
    ("repeated", {"Width": 12, "BitsPerCycle": 2, "EarlyEnd": 1}),
    ("binary", {"Width": 16, "BitsPerCycle": 2, "FixedTime": 1}),
    ("montgomery", {"Width": 16, "FixedTime": 0}),
    ("digit_serial", {"Width": 16}),
    ("digit_serial", {"Width": 33, "DigitBits": 2, "Slots": 2, "Links": 2, "Multipliers": 1}),
    ("digit_serial", {"Width": 20, "DigitBits": 3, "Slots": 3, "Lanes": 3}),
]


@pytest.mark.parametrize(("name", "parameters"), CASES)
def test_rsa(run_cocotb: Any, name: str, parameters: dict[str, int]) -> None:
    run_cocotb(f"totient:ip:rsa_{name}", parameters)


def configuration(dut: Any) -> Any:
    """The catalog's entry for the design under test."""
    design = select(dut._name.removeprefix("rsa_")).design
    values = {p.name: int(getattr(dut, p.rtl).value) for p in design.parameters}
    return design.configure(values)


async def start(dut: Any, pauses: int | None = None) -> Bench:
    bench = Bench(dut, dut.aclk, dut.aresetn, pauses, exponent_bits=8)
    await bench.reset()
    return bench


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def info(dut: Any) -> None:
    bench = await start(dut)
    command, error, body = await bench.ask([INFO])
    assert (command, error) == (INFO, OK)
    name = b"".join(word.to_bytes(4, "little") for word in body[:4]).rstrip(b"\0")
    assert f"rsa_{name.decode()}" == dut._name
    chosen = configuration(dut)
    assert body[5:] == [bench.width, chosen.timing, chosen.lanes]
    assert body[6] in list(TimingClass)


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(pauses=[None, 1])
async def results_and_cycles(dut: Any, pauses: int | None) -> None:
    bench = await start(dut, pauses)
    chosen = configuration(dut)
    for bits in (2, 5, bench.width - 1, bench.width):
        modulus, bits, exponent, exponent_bits = bench.key(bits)
        setup = await bench.loads(load(modulus, bits, exponent, exponent_bits))
        assert setup == chosen.setup_cycles(modulus, exponent_bits)
        for base in (0, 1, modulus - 1, bench.random.randrange(modulus)):
            key = (modulus, bits, exponent)
            cycles = await bench.gives(exponentiate(base, bits), key)
            operation = Operation(modulus, exponent, exponent_bits, base)
            assert cycles == chosen.operation_cycles(operation)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def refusals(dut: Any) -> None:
    bench = await start(dut, pauses=2)
    width = bench.width
    modulus, bits, exponent, exponent_bits = bench.key()
    key = load(modulus, bits, exponent, exponent_bits)
    await bench.refuses(exponentiate(1, width), NO_KEY)
    for packet, error in (
        (load(0, 0, 1, 1), SMALL),
        (load(1, width, 1, 1), SMALL),
        (load(6, width, 1, 1), EVEN),
        (load(5, width, 0, 0), EMPTY),
        (load(5, width, 1, width + 1), LENGTH),
        (load(5, width + 1, 1, 1), LENGTH),
        (key[:-1], SHORT),
    ):
        await bench.loads(key)
        await bench.refuses(packet, error)
        await bench.refuses(exponentiate(1, width), NO_KEY)
    await bench.loads(key)
    for base in (modulus, (1 << width) - 1):
        await bench.refuses(exponentiate(base, width), NOT_BELOW)
    await bench.gives(exponentiate(modulus - 1, width), (modulus, bits, exponent))


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def clear_at_each_moment(dut: Any) -> None:
    bench = await start(dut)
    width = bench.width
    modulus, bits, _, _ = bench.key()
    exponent, exponent_bits = 5, 3
    key = load(modulus, bits, exponent, exponent_bits)
    await bench.loads(key)
    operation = Operation(modulus, exponent, exponent_bits, 2)
    chosen = configuration(dut)
    outcomes = set()
    for packet, cycles in (
        (key, chosen.setup_cycles(modulus, exponent_bits)),
        (exponentiate(2, width), chosen.operation_cycles(operation)),
    ):
        # Each of the first and of the last moments, and a sample in between.
        step = max(cycles // 20, 1)
        moments = {*range(1, 12), *range(12, cycles, step), *range(max(cycles - 8, 1), cycles + 64)}
        for moment in sorted(moments):
            if packet is not key:
                await bench.loads(key)
            await bench.send(packet)
            await bench.source.wait()
            await ClockCycles(dut.aclk, moment)
            await bench.send([CLEAR])
            command, error, body = await bench.receive()
            assert command == packet[0]
            assert error in (OK, ABORTED)
            if error == OK and command == EXPONENTIATE:
                assert number(body[2:]) == pow(2, exponent, modulus)
            assert await bench.receive() == (CLEAR, OK, [])
            await bench.refuses(exponentiate(1, width), NO_KEY)
            outcomes.add((command, error))
    assert outcomes == {(LOAD, OK), (LOAD, ABORTED), (EXPONENTIATE, OK), (EXPONENTIATE, ABORTED)}
    await bench.works()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def reset_mid_operation(dut: Any) -> None:
    bench = await start(dut)
    modulus, bits, exponent, exponent_bits = bench.key()
    for delay in (1, 3, 7, 20, 50, 120, 300):
        await bench.send(load(modulus, bits, exponent, exponent_bits))
        await bench.send(exponentiate(1, bench.width))
        await ClockCycles(dut.aclk, delay)
        await bench.reset(1)
        bench.source.clear()
        bench.sink.clear()
        await bench.refuses(exponentiate(1, bench.width), NO_KEY)
        await bench.works()
