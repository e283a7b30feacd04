"""The systolic Montgomery multiplier against its golden model: values, timing, bounds."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from tests.rtl.clocked import Started, elapse

from totient.golden.montgomery import MontgomeryMultiplier, negative_inverse


class Bench(Started):
    """Drives the array; its ports are sampled at falling edges, once a cycle."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.model = MontgomeryMultiplier(int(dut.Words.value), int(dut.WordBits.value))
        self.random = random.Random(self.model.radix_bits)
        self.mask = (1 << self.model.word_bits) - 1
        self.cycle = 0
        self.words: list[tuple[int, int]] = []  # product words with their cycles

    async def start(self) -> None:
        """Start the clock and reset."""
        Clock(self.dut.clk_i, 10, "ns").start()
        names = "clear_i n_i n_prime_i load_i load_word_i a_valid_i a_word_i rst_ni"
        for name in names.split():
            getattr(self.dut, name).value = 0
        await elapse(self.dut, 2)
        self.dut.rst_ni.value = 1
        await self.tick()

    async def tick(self) -> None:
        """One clock cycle; keeps the product words that come out."""
        await FallingEdge(self.dut.clk_i)
        self.cycle += 1
        if self.dut.product_valid_o.value:
            self.words.append((int(self.dut.product_word_o.value), self.cycle))

    def split(self, value: int) -> list[int]:
        """Words of an operand, lowest first."""
        return [value >> (i * self.model.word_bits) & self.mask for i in range(self.model.words)]

    async def load(self, b: int, n: int) -> None:
        """Set the modulus and shift `b` in."""
        self.dut.n_i.value = n
        self.dut.n_prime_i.value = negative_inverse(n, self.model.word_bits)
        self.dut.load_i.value = 1
        for word in reversed(self.split(b)):
            self.dut.load_word_i.value = word
            await self.tick()
        self.dut.load_i.value = 0
        assert int(self.dut.b_o.value) == b

    async def feed(self, a: int, pause: float = 0.0) -> int:
        """Feed the words of `a` as fast as they are taken; return the first one's cycle."""
        first = 0
        for index, word in enumerate(self.split(a)):
            while self.random.random() < pause:
                await self.tick()
            self.dut.a_word_i.value = word
            self.dut.a_valid_i.value = 1
            while not self.dut.a_ready_o.value:
                await self.tick()
            if index == 0:
                first = self.cycle
            await self.tick()
            self.dut.a_valid_i.value = 0
        return first

    async def product(self) -> tuple[int, int]:
        """Wait for the next whole product; return it with its first word's cycle."""
        while len(self.words) < self.model.words:
            await self.tick()
        taken, self.words = self.words[: self.model.words], self.words[self.model.words :]
        value = sum(word << (i * self.model.word_bits) for i, (word, _) in enumerate(taken))
        first = taken[0][1]
        assert [cycle for _, cycle in taken] == [first + 2 * k for k in range(len(taken))]
        return value, first

    def modulus(self, bits: int) -> int:
        """A random odd modulus of the given length."""
        return self.random.getrandbits(bits) | 1 | 1 << (bits - 1)


@cocotb.test()
async def products(dut: Any) -> None:
    """Corner operands up to 2 n - 1 and moduli up to R / 4; every step's s is a word short."""
    bench = await Bench.started(dut)
    most = bench.model.radix_bits - 2
    moduli = [3, (1 << most) - 1, (1 << (most - 1)) + 1, bench.modulus(most), bench.modulus(9)]
    for n in moduli:
        corners = [0, 1, n - 1, n, n + 1, 2 * n - 1, bench.random.randrange(2 * n)]
        for a in corners:
            b = bench.random.choice(corners)
            await bench.load(b, n)
            first = await bench.feed(a)
            value, out = await bench.product()
            assert value == bench.model.product(a, b, n), (a, b, n)
            assert value < 2 * n
            assert out - first == 2 * bench.model.words + 2
            for _ in range(bench.model.words):
                await bench.tick()
            assert int(dut.b_o.value) == value


@cocotb.test()
async def pauses(dut: Any) -> None:
    """Words of `a` that come late change nothing but the time."""
    bench = await Bench.started(dut)
    for _ in range(10):
        n = bench.modulus(bench.model.radix_bits - 2)
        a, b = bench.random.randrange(2 * n), bench.random.randrange(2 * n)
        await bench.load(b, n)
        await bench.feed(a, pause=0.6)
        value, _ = await bench.product()
        assert value == bench.model.product(a, b, n), (a, b, n)
        for _ in range(bench.model.words):
            await bench.tick()


@cocotb.test()
async def chain(dut: Any) -> None:
    """Squarings fed back word by word keep the pace of 2 words + 2 cycles and the bound 2 n."""
    bench = await Bench.started(dut)
    n = bench.modulus(bench.model.radix_bits - 2)
    b = 2 * n - 1
    await bench.load(b, n)
    expected = bench.model.product(b, b, n)
    previous = await bench.feed(b)
    for _ in range(12):
        # The product's word k comes exactly when the array takes word k of the next operand.
        value = first = 0
        for k in range(bench.model.words):
            while not dut.product_valid_o.value:
                await bench.tick()
            assert dut.a_ready_o.value, "the array cannot take its own product"
            first = first or bench.cycle
            word = int(dut.product_word_o.value)
            value |= word << (k * bench.model.word_bits)
            dut.a_word_i.value = word
            dut.a_valid_i.value = 1
            await bench.tick()
            dut.a_valid_i.value = 0
        assert value == expected
        assert first - previous == bench.model.product_cycles
        previous = first
        expected = bench.model.product(value, value, n)


@cocotb.test()
async def clear(dut: Any) -> None:
    """A clear at any moment leaves the array empty and as good as new."""
    bench = await Bench.started(dut)
    n = bench.modulus(bench.model.radix_bits - 2)
    for wait in range(0, 4 * bench.model.words, 3):
        await bench.load(n - 1, n)
        await bench.feed(n - 2)
        for _ in range(wait):
            await bench.tick()
        dut.clear_i.value = 1
        await bench.tick()
        dut.clear_i.value = 0
        assert int(dut.b_o.value) == 0
        bench.words.clear()
        await bench.load(n - 1, n)
        await bench.feed(n - 2)
        value, _ = await bench.product()
        assert value == bench.model.product(n - 2, n - 1, n)
        for _ in range(bench.model.words):
            await bench.tick()


@pytest.mark.parametrize(
    ("words", "word_bits"), [(2, 16), (3, 16), (9, 16), (2, 8), (17, 8), (3, 32), (5, 24)]
)
def test_modmul_montgomery_systolic(run_cocotb: Any, words: int, word_bits: int) -> None:
    run_cocotb("totient:modmul:modmul_montgomery_systolic", {"Words": words, "WordBits": word_bits})
