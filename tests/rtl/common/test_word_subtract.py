"""A word of a subtraction: against Python's integers, all operands of few bits, corners of many."""

from itertools import product
from typing import Any

import cocotb
import pytest
from cocotb.triggers import Timer


@cocotb.test()
async def words(dut: Any) -> None:
    bits = int(dut.Bits.value)
    corners = {0, 1, 2, 3, (1 << bits - 1) - 1, 1 << bits - 1, (1 << bits) - 2, (1 << bits) - 1}
    operands = range(1 << bits) if bits < 6 else sorted(corners)
    for minuend, subtrahend, borrow in product(operands, operands, (0, 1)):
        dut.minuend_i.value, dut.subtrahend_i.value = minuend, subtrahend
        dut.borrow_i.value = borrow
        await Timer(1, "ns")
        difference = minuend - subtrahend - borrow
        assert int(dut.difference_o.value) == difference % (1 << bits)
        assert bool(dut.borrow_o.value) == (difference < 0)


@pytest.mark.parametrize("bits", [1, 4, 16, 32, 33])
def test_word_subtract(run_cocotb: Any, bits: int) -> None:
    run_cocotb("totient:common:word_subtract", {"Bits": bits})
