"""The complete IPs behind their streams, with every assertion of core and adapter on."""

from typing import Any

import cocotb
import pytest
from tests.rtl.stream_bench import ABORTABLE, Bench, Key, exponentiate, load

from totient.catalog import Operation, select
from totient.common.contract import Command, ErrorCode, TimingClass

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
    command, error, body = await bench.ask([Command.INFO])
    assert (command, error) == (Command.INFO, ErrorCode.OK)
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
        key = bench.key(bits)
        setup = await bench.loads(key.load)
        assert setup == chosen.setup_cycles(key.modulus, key.exponent_bits)
        for base in (0, 1, key.modulus - 1, bench.random.randrange(key.modulus)):
            cycles = await bench.gives(exponentiate(base, key.bits), key)
            operation = Operation(key.modulus, key.exponent, key.exponent_bits, base)
            assert cycles == chosen.operation_cycles(operation)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def refusals(dut: Any) -> None:
    bench = await start(dut, pauses=2)
    width = bench.width
    key = bench.key()
    await bench.has_no_key()
    for packet, error in (
        (load(0, 0, 1, 1), ErrorCode.MODULUS_SMALL),
        (load(1, width, 1, 1), ErrorCode.MODULUS_SMALL),
        (load(6, width, 1, 1), ErrorCode.MODULUS_EVEN),
        (load(5, width, 0, 0), ErrorCode.EXPONENT_EMPTY),
        (load(5, width, 1, width + 1), ErrorCode.LENGTH),
        (load(5, width + 1, 1, 1), ErrorCode.LENGTH),
        (key.load[:-1], ErrorCode.PACKET_SHORT),
    ):
        await bench.loads(key.load)
        await bench.refuses(packet, error)
        await bench.has_no_key()
    await bench.loads(key.load)
    for base in (key.modulus, (1 << width) - 1):
        await bench.refuses(exponentiate(base, width), ErrorCode.BASE_NOT_BELOW)
    await bench.gives(exponentiate(key.modulus - 1, width), key)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def clear_at_each_moment(dut: Any) -> None:
    bench = await start(dut)
    drawn = bench.key()
    key = Key(drawn.modulus, drawn.bits, exponent=5, exponent_bits=3)
    operation = Operation(key.modulus, key.exponent, key.exponent_bits, 2)
    chosen = configuration(dut)
    outcomes = set()
    for packet, cycles in (
        (key.load, chosen.setup_cycles(key.modulus, key.exponent_bits)),
        (exponentiate(2, bench.width), chosen.operation_cycles(operation)),
    ):
        # Each of the first and of the last moments, and a sample in between.
        step = max(cycles // 20, 1)
        moments = {*range(1, 12), *range(12, cycles, step), *range(max(cycles - 8, 1), cycles + 64)}
        for moment in sorted(moments):
            outcomes.add(await bench.clears(packet, key, moment))
            await bench.has_no_key()
    assert outcomes == ABORTABLE
    await bench.works()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def reset_mid_operation(dut: Any) -> None:
    bench = await start(dut)
    key = bench.key()
    for delay in (1, 3, 7, 20, 50, 120, 300):
        await bench.forgets(key, delay)
        await bench.has_no_key()
        await bench.works()
