"""Products of long numbers of any lengths, against Python, in the stated cycles."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly
from tests.rtl.clocked import start


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def products(dut: Any) -> None:
    most, bits = int(dut.Words.value), int(dut.WordBits.value)
    draw = random.Random(most)
    await start(dut, "clear", "start", "a_words", "b_words", "a_word", "b_word")
    for _ in range(100):
        words = draw.choice((1, most, draw.randint(1, most))), draw.randint(1, most)
        a, b = (
            draw.choice((0, (1 << bits * count) - 1, draw.getrandbits(bits * count)))
            for count in words
        )
        dut.a_words_i.value, dut.b_words_i.value = words
        dut.start_i.value = 1
        result, written, cycles = 0, [], 0
        while True:
            await ReadOnly()
            if cycles and dut.write_o.value:
                written.append(int(dut.write_index_o.value))
                result |= int(dut.word_o.value) << bits * written[-1]
            if cycles and dut.valid_o.value:
                break
            asked = int(dut.a_index_o.value), int(dut.b_index_o.value)
            await FallingEdge(dut.clk_i)
            dut.start_i.value = 0
            for port, number, index in zip(
                (dut.a_word_i, dut.b_word_i), (a, b), asked, strict=True
            ):
                port.value = number >> bits * index & (1 << bits) - 1
            cycles += 1
        assert cycles == words[0] * words[1] + 4
        assert written == list(range(sum(words)))
        assert result == a * b
        await FallingEdge(dut.clk_i)


@pytest.mark.parametrize(("words", "word_bits"), [(1, 32), (2, 8), (5, 32), (64, 32)])
def test_word_multiplier(run_cocotb: Any, words: int, word_bits: int) -> None:
    run_cocotb("totient:keygen:word_multiplier", {"Words": words, "WordBits": word_bits})
