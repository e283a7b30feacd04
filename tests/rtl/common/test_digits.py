"""Words of 32 bits to digits, and digits to words, of every size."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge
from tests.rtl.clocked import start

WORDS = 5
NUMBER_BITS = 32 * WORDS
DIGITS = (1, 3, 4, 7, 11, 13, 16)


@cocotb.test()
async def numbers_in_digits(dut: Any) -> None:
    """Numbers one after another, digits taken in every cycle or with pauses, and zeros behind."""
    bits = int(dut.DigitBits.value)
    draw = random.Random(bits)
    await start(dut, "start", "next", "word")
    for pause in (0.0, 0.6, 0.0):
        number = draw.getrandbits(NUMBER_BITS)
        taken: list[int] = []
        asked = [0, 0, 0]
        cycle = 0
        while len(taken) * bits < NUMBER_BITS + 40:
            take = cycle >= 7 and draw.random() >= pause
            if take:
                taken.append(int(dut.digit_o.value))
            dut.start_i.value = int(cycle == 0)
            dut.next_i.value = int(take)
            asked.append(int(dut.index_o.value))
            dut.word_i.value = number >> 32 * asked[-4] & 0xFFFFFFFF
            await FallingEdge(dut.clk_i)
            cycle += 1
        assert sum(digit << i * bits for i, digit in enumerate(taken)) == number


@cocotb.test()
async def digits_in_words(dut: Any) -> None:
    """Numbers one after another, also cut off, with pauses; each word 2 cycles after its digit."""
    bits = int(dut.DigitBits.value)
    draw = random.Random(bits)
    await start(dut, "valid", "first", "digit")
    due: dict[int, int] = {}
    cycle = 0
    for pause, digits in ((0.0, NUMBER_BITS // bits), (0.5, 1 + 40 // bits), (0.3, 90 // bits)):
        number = draw.getrandbits(digits * bits)
        sent = 0
        while sent < digits or cycle <= max(due, default=0):
            valid = sent < digits and draw.random() >= pause
            dut.valid_i.value = int(valid)
            dut.first_i.value = int(valid and sent == 0)
            dut.digit_i.value = number >> sent * bits & ((1 << bits) - 1) if valid else 0
            if valid:
                place = sent * bits // 32
                sent += 1
                if sent * bits // 32 > place:
                    due[cycle + 2] = number >> 32 * place & 0xFFFFFFFF
            assert int(dut.valid_o.value) == int(cycle in due)
            assert int(dut.soon_o.value) == int(cycle + 1 in due)
            assert cycle not in due or int(dut.word_o.value) == due[cycle]
            await FallingEdge(dut.clk_i)
            cycle += 1
    assert len(due) >= 2 + NUMBER_BITS // 32


@pytest.mark.parametrize("digit_bits", DIGITS)
def test_words_to_digits(run_cocotb: Any, digit_bits: int) -> None:
    parameters = {"Words": WORDS, "DigitBits": digit_bits}
    run_cocotb("totient:common:words_to_digits", parameters, testcase="numbers_in_digits")


@pytest.mark.parametrize("digit_bits", DIGITS)
def test_digits_to_words(run_cocotb: Any, digit_bits: int) -> None:
    parameters = {"DigitBits": digit_bits}
    run_cocotb("totient:common:digits_to_words", parameters, testcase="digits_in_words")
