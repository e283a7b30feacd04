"""Additions and subtractions word by word: both streams' numbers in turn, against integers."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from tests.rtl.clocked import elapse, pulse

from totient.engine.instruction_set import WordOp


class Bench:
    """Runs jobs; knows the sign of each stream's last result."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.bits = int(dut.Bits.value)
        self.negative = [0, 0]
        self.zero = [0, 0]

    async def forget(self) -> None:
        """Clear the signs."""
        await pulse(self.dut, "clear")
        self.negative = [0, 0]
        assert int(self.dut.negative_o.value) == 0

    def expected(self, action: WordOp, stream: int, u: int, v: int, place: int) -> int:
        """The number before it is cut to words."""
        before = self.negative[stream]
        return {
            WordOp.ADD: u + v,
            WordOp.SUBTRACT: u - v,
            WordOp.DOUBLE: 2 * u + (v if before else -v),
            WordOp.RESTORE: u + (v if before else 0),
            WordOp.POWER: 1 << self.bits * place,
            WordOp.QUARTER: 1 << self.bits * (place + 1) - 2,
        }[action]

    async def run(
        self, action: WordOp, stream: int, u: int, v: int, words: int, place: int
    ) -> None:
        """A job, its result and its flags; those of the other stream stay."""
        dut, digit = self.dut, (1 << self.bits) - 1
        whole = self.expected(action, stream, u, v, place) % (1 << self.bits * words)
        dut.stream_i.value, dut.action_i.value = stream, action
        await FallingEdge(dut.clk_i)
        result = 0
        for cycle in range(words + 4):
            inside = cycle < words
            if inside:
                dut.u_i.value = u >> self.bits * cycle & digit
                dut.v_i.value = v >> self.bits * cycle & digit
            dut.first_i.value = int(cycle == 0)
            dut.last_i.value = int(cycle == words - 1)
            dut.behind_i.value = int(cycle == place)
            await FallingEdge(dut.clk_i)
            if 1 <= cycle <= words:
                result |= int(dut.word_o.value) << self.bits * (cycle - 1)
        assert result == whole, (action, stream, words)
        self.negative[stream] = whole >> self.bits * words - 1
        self.zero[stream] = int(whole == 0)
        for s in range(2):
            assert int(dut.negative_o.value) >> s & 1 == self.negative[s], (action, s)
            if s == stream:
                assert int(dut.zero_o.value) >> s & 1 == self.zero[s], (action, s)


@cocotb.test()
async def numbers(dut: Any) -> None:
    """All actions, one after the other in any order, carries through all words among them."""
    Clock(dut.clk_i, 10, "ns").start()
    bench = Bench(dut)
    for name in ("clear", "first", "last", "stream", "action", "behind", "u", "v"):
        getattr(dut, f"{name}_i").value = 0
    await elapse(dut, 8)
    await bench.forget()
    draw = random.Random(bench.bits)
    signs = set()
    for _ in range(400):
        words = draw.randint(1, 6)
        length = bench.bits * words
        u, v = (draw.getrandbits(length) for _ in range(2))
        u, v = draw.choice(((u, v), (u, u), ((1 << length) - 1, 1), (0, v & 1), (u, 0)))
        action = WordOp(draw.randrange(6))
        if action >= WordOp.POWER:
            # They read nothing of A and B but where A ends.
            u = v = draw.getrandbits(length)
        stream, place = draw.randrange(2), draw.randrange(words)
        signs.add((action, bench.negative[stream]))
        await bench.run(action, stream, u, v, words, place)
        if draw.random() < 0.1:
            await bench.forget()
    assert len(signs) == 12


@pytest.mark.parametrize("bits", [17, 18])
def test_engine_word_unit(run_cocotb: Any, bits: int) -> None:
    core = "totient:engine:engine_datapath"
    run_cocotb(core, {"Bits": bits}, top="engine_word_unit")
