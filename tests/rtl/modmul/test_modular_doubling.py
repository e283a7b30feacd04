"""Modular doubling in memory against Python's remainder, and the x before the last doubling."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, ReadOnly
from tests.rtl.clocked import start


@cocotb.test()
async def doublings(dut: Any) -> None:
    """Corner and random moduli, starting values and counts; the time is as stated."""
    words, word_bits = int(dut.Words.value), int(dut.WordBits.value)
    mask = (1 << word_bits) - 1
    inputs = "clear write write_index write_data start count read_index modulus_word"
    await start(dut, *inputs.split())
    draw = random.Random(words)
    top = 1 << (words * word_bits - 1)
    for n in [3, top - 1, top // 2 + 1, *(draw.randrange(3, top) | 1 for _ in range(5))]:
        for x in {0, 1, n - 1, draw.randrange(n)}:
            count = draw.randint(1, 2 * word_bits)
            dut.write_i.value = 1
            for index in range(words):
                dut.write_index_i.value = index
                dut.write_data_i.value = x >> (index * word_bits) & mask
                await FallingEdge(dut.clk_i)
            dut.write_i.value = 0
            dut.start_i.value, dut.count_i.value = 1, count
            await FallingEdge(dut.clk_i)
            dut.start_i.value = 0
            cycles = before = 0
            asked = [0, 0, 0]
            while dut.busy_o.value:
                asked.append(int(dut.index_o.value))
                dut.modulus_word_i.value = n >> (asked[-4] * word_bits) & mask
                await ReadOnly()
                if dut.half_valid_o.value:
                    index = int(dut.half_index_o.value)
                    before |= int(dut.late_word_o.value) << (index * word_bits)
                await FallingEdge(dut.clk_i)
                cycles += 1
            after = 0
            for index in range(words):
                dut.read_index_i.value = index
                await FallingEdge(dut.clk_i)
                after |= int(dut.word_o.value) << (index * word_bits)
                await FallingEdge(dut.clk_i)
                assert int(dut.late_word_o.value) == int(dut.word_o.value)
            assert cycles == (count - 1) * (words + 1) + words + 4
            assert before == (x << (count - 1)) % n, (x, n, count)
            assert after == (x << count) % n, (x, n, count)


@pytest.mark.parametrize(("words", "word_bits"), [(2, 8), (3, 16), (9, 16), (4, 32)])
def test_modular_doubling(run_cocotb: Any, words: int, word_bits: int) -> None:
    run_cocotb("totient:modmul:modular_doubling", {"Words": words, "WordBits": word_bits})
