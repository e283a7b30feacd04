"""Modular inverse and gcd: all small operands, corners and random ones, against Python."""

import math
import random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge
from tests.rtl.clocked import elapse, pulse, start


async def invert(dut: Any, value: int, modulus: int) -> None:
    """One inverse, right, in the cycles that the header states."""
    dut.value_i.value, dut.modulus_i.value = value, modulus
    dut.modulus_bits_i.value = modulus.bit_length()
    await pulse(dut, "start")
    cycles = 1
    while not dut.valid_o.value:
        await FallingEdge(dut.clk_i)
        cycles += 1
    assert cycles == 2 * modulus.bit_length() + 2
    gcd = math.gcd(value, modulus)
    assert int(dut.gcd_o.value) == gcd
    assert bool(dut.coprime_o.value) == (gcd == 1)
    if gcd == 1:
        assert int(dut.inverse_o.value) == pow(value, -1, modulus)


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def inverses(dut: Any) -> None:
    width = int(dut.Width.value)
    draw = random.Random(width)
    await start(dut, "clear", "start", "value", "modulus", "modulus_bits")
    for modulus in range(3, min(1 << width, 64), 2):
        for value in range(modulus):
            await invert(dut, value, modulus)
    for _ in range(60):
        modulus = draw.choice(
            ((1 << width) - 1, 1 << width - 1 | 1, draw.getrandbits(draw.randint(2, width)) | 1, 3)
        )
        for value in {0, 1, modulus - 1, modulus // 2, draw.randrange(modulus)}:
            await invert(dut, value, max(modulus, 3))


@cocotb.test()
async def clear_wipes(dut: Any) -> None:
    await start(dut, "clear", "start", "value", "modulus", "modulus_bits")
    top = (1 << int(dut.Width.value)) - 1
    for cycles in range(6):
        dut.value_i.value, dut.modulus_i.value = top - 1, top
        dut.modulus_bits_i.value = int(dut.Width.value)
        await pulse(dut, "start")
        await elapse(dut, cycles)
        await pulse(dut, "clear")
        for _ in range(3 * int(dut.Width.value)):
            registers = (dut.u_q, dut.v_q, dut.x_q, dut.y_q, dut.valid_o)
            assert not any(int(each.value) for each in registers)
            await FallingEdge(dut.clk_i)
    await invert(dut, 2, top)


@pytest.mark.parametrize("width", [2, 5, 32, 33])
def test_modular_inverse(run_cocotb: Any, width: int) -> None:
    run_cocotb("totient:keygen:modular_inverse", {"Width": width})
