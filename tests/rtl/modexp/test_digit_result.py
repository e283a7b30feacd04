"""Results that come in digits: joined, reduced, kept or not, read; against Python's integers."""

import random
from collections import deque
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly
from tests.rtl.clocked import start

MODULUS_LATE = 3  # cycles after its index
END_LATE = 5  # cycles from the last word's last digit to its end


def word(number: int, index: int) -> int:
    return number >> 32 * index & 0xFFFFFFFF


@cocotb.test()
async def results(dut: Any) -> None:
    """Numbers one after another, with and without pauses; the result is that of the last kept."""
    words, digit_bits = int(dut.Words.value), int(dut.DigitBits.value)
    draw = random.Random(100 * words + digit_bits)
    inputs = ("wipe", "wipe_index", "valid", "first", "keep", "last", "digit", "elsewhere")
    await start(dut, *inputs, "modulus_word", "read_index")
    digits = -(-32 * words // digit_bits)
    modulus = 0
    result: int | None = 0
    asked: deque[int] = deque([0] * MODULUS_LATE, MODULUS_LATE)
    written: list[tuple[int, int]] = []
    ends = 0

    async def cycle() -> None:
        """Look at the outputs, then give the modulus word of three cycles ago."""
        nonlocal ends
        await ReadOnly()
        if dut.write_o.value:
            written.append((int(dut.write_index_o.value), int(dut.word_o.value)))
        ends += int(dut.end_o.value)
        asked.append(int(dut.index_o.value))
        await FallingEdge(dut.clk_i)
        dut.modulus_word_i.value = word(modulus, asked[0])

    async def read() -> int:
        number = 0
        for index in range(words):
            dut.read_index_i.value = index
            await ReadOnly()
            number |= int(dut.read_word_o.value) << 32 * index
            await FallingEdge(dut.clk_i)
        return number

    seen = set()
    for _ in range(100):
        # p < 2 n fits in the words: n has at most one bit less.
        modulus = draw.getrandbits(draw.randint(2, 32 * words - 1)) | 1
        dut.elsewhere_i.value = elsewhere = draw.random() < 0.2
        pause = draw.choice((0, 0, 0.5))
        written.clear()
        ends = 0
        expected = []
        for number in range(count := draw.randint(1, 3)):
            p = draw.choice((0, modulus - 1, modulus, 2 * modulus - 1, draw.randrange(2 * modulus)))
            keep, last = draw.random() < 0.3, number == count - 1
            for place in range(digits):
                while draw.random() < pause:
                    # What is not valid counts for nothing.
                    dut.valid_i.value = 0
                    dut.digit_i.value = draw.getrandbits(digit_bits)
                    dut.first_i.value = draw.getrandbits(1)
                    await cycle()
                dut.valid_i.value = 1
                dut.first_i.value = int(place == 0)
                dut.keep_i.value = keep if place == 0 else draw.getrandbits(1)
                dut.last_i.value = last if place == 0 else draw.getrandbits(1)
                dut.digit_i.value = p >> digit_bits * place & (1 << digit_bits) - 1
                await cycle()
            dut.valid_i.value = 0
            if not keep:
                expected += [(index, word(p, index)) for index in range(words)]
                result = None if elsewhere else p % modulus
            seen.add((keep, elsewhere, p >= modulus))
        for late in range(1, END_LATE + 1):
            assert ends == 0, (late, "an end too early")
            await cycle()
        assert ends == 1
        assert written == expected
        if result is not None:
            assert await read() == result
    assert len(seen) == 8
    dut.wipe_i.value = 1
    for index in range(words):
        dut.wipe_index_i.value = index
        await FallingEdge(dut.clk_i)
    dut.wipe_i.value = 0
    assert await read() == 0


@pytest.mark.parametrize(("words", "digit_bits"), [(1, 1), (2, 4), (3, 7), (5, 16), (33, 3)])
def test_digit_result(run_cocotb: Any, words: int, digit_bits: int) -> None:
    run_cocotb("totient:modexp:digit_result", {"Words": words, "DigitBits": digit_bits})
