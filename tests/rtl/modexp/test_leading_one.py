"""The highest 1 of numbers that pass word by word, against Python's bit_length."""

import random
from collections.abc import Iterator
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly
from tests.rtl.clocked import start


def numbers(bits: int, draw: random.Random) -> Iterator[int]:
    """0, each power of two with anything below it, all ones, and random ones of any length."""
    yield 0
    for place in range(bits):
        yield 1 << place | draw.getrandbits(place) if place else 1
    yield (1 << bits) - 1
    yield 0
    for _ in range(20):
        yield draw.getrandbits(draw.randrange(1, bits + 1))


@cocotb.test()
async def highest_ones(dut: Any) -> None:
    """Place and power of numbers one after another, with pauses between words."""
    words, word_bits = int(dut.Words.value), int(dut.WordBits.value)
    draw = random.Random(words * word_bits)
    await start(dut, "clear", "valid", "index", "word")
    for number in numbers(words * word_bits, draw):
        # Words in reverse order, each followed by up to two cycles without one; then 3 cycles.
        sent: list[int | None] = []
        for index in reversed(range(words)):
            sent += [index, *[None] * draw.randrange(3)]
        while sent[-1] is None:
            sent.pop()
        power, came = 0, []
        for place in [*sent, None, None, None]:
            dut.valid_i.value = int(place is not None)
            dut.index_i.value = draw.randrange(words) if place is None else place
            word = draw.getrandbits(word_bits) if place is None else number >> place * word_bits
            dut.word_i.value = word & (1 << word_bits) - 1
            await ReadOnly()
            if dut.valid_o.value:
                came.append(int(dut.index_o.value))
                power |= int(dut.power_o.value) << came[-1] * word_bits
            await FallingEdge(dut.clk_i)
        assert came == list(reversed(range(words)))
        assert int(dut.place_o.value) == max(number.bit_length() - 1, 0), hex(number)
        assert power == (1 << number.bit_length() >> 1), hex(number)


@pytest.mark.parametrize(("words", "word_bits"), [(1, 8), (2, 8), (3, 16), (5, 32)])
def test_leading_one(run_cocotb: Any, words: int, word_bits: int) -> None:
    run_cocotb("totient:modexp:leading_one", {"Words": words, "WordBits": word_bits})
