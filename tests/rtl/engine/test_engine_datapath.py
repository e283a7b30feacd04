"""The engine's datapath: products, word operations, windows, against Python's integers."""

import random
from dataclasses import dataclass
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge
from cocotb.utils import get_sim_time
from tests.rtl.clocked import Started, elapse, pulse, start
from tests.rtl.engine.structs import (
    DATAPATH_STATUS,
    OPERATION,
    WINDOW_REQUEST,
    WINDOW_STATUS,
    packed,
)
from tests.rtl.packed import Packed

from totient.engine.instruction_set import WordOp

_DELAY = 5


class Bench(Started):
    """Drives the datapath; numbers go in and out through the memory's outside port."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.bits = int(dut.Bits.value)
        self.elements = int(dut.Elements.value)
        shorter = int(dut.Taps.value).to_bytes(16, "little")
        self.rings = [self.elements, *(each for each in shorter if each)]
        self.block = 1 << int(dut.PlaceBits.value)
        self.digit = (1 << self.bits) - 1
        self.status = Packed(dut.status_o, DATAPATH_STATUS)
        self.window_request = Packed(dut.window_request_i, WINDOW_REQUEST)
        self.window_status = Packed(dut.window_status_o, WINDOW_STATUS)

    async def start(self) -> None:
        """Start the clock and reset; what was in the array has left it afterwards."""
        await start(
            self.dut,
            *("valid", "operation", "clear_signs", "public_only", "window_request", "write"),
            "wipe",
            *("address", "data", "read", "read_address"),
        )
        await elapse(self.dut, 3 * self.elements + 20)

    async def idle(self) -> int:
        """Wait until everything is written; cycles that it took."""
        cycles = 0
        while not self.status["idle"] or self.window_status["busy"]:
            await FallingEdge(self.dut.clk_i)
            cycles += 1
            assert cycles < 100_000
        return cycles

    async def put(self, block: int, value: int, words: int) -> None:
        """Write a number of so many words into a block."""
        dut = self.dut
        dut.write_i.value = 1
        for i in range(words):
            dut.address_i.value = block * self.block + i
            dut.data_i.value = value >> self.bits * i & self.digit
            await FallingEdge(dut.clk_i)
        dut.write_i.value = 0

    async def get(self, block: int, words: int) -> int:
        """Read a number of so many words from a block, backwards from the other copy."""
        dut, value, again = self.dut, 0, 0
        address_bits = int(dut.AddressBits.value)
        dut.read_i.value = 3
        await FallingEdge(dut.clk_i)
        for i in range(words + 4):
            if i >= 4:
                value |= int(dut.data_o.value) << self.bits * (i - 4)
                again |= int(dut.again_o.value) << self.bits * (words + 3 - i)
            one, other = (block * self.block + at for at in (min(i, words - 1), words - 1 - i))
            dut.read_address_i.value = max(other, 0) << address_bits | one
            await FallingEdge(dut.clk_i)
        dut.read_i.value = 0
        assert again == value
        return value

    async def do(self, **fields: int) -> None:
        """Hand over an operation, by default on the whole ring, as soon as it is taken."""
        self.dut.operation_i.value = packed(OPERATION, **fields)
        self.dut.valid_i.value = 1
        while not self.dut.ready_o.value:
            await FallingEdge(self.dut.clk_i)
        await FallingEdge(self.dut.clk_i)
        self.dut.valid_i.value = 0

    def product(self, words: int) -> tuple[int, dict[str, int]]:
        """Positions of a product's passes through the ring, and its fields for these words."""
        number = next((n for n, ring in enumerate(self.rings) if n and ring >= words), 0)
        ring = self.rings[number]
        passes = -(-words // ring)
        fields = {"passes": passes - 1, "words": max(words + 1, ring), "ring": number}
        return passes * ring, {**fields, **dict.fromkeys(("a_words", "b_words", "d_words"), words)}

    async def copy(self, values: list[int], words: int, **fields: int) -> None:
        """A number of each stream through the word unit, to the table or to the exponents, too."""
        for i, value in enumerate(values):
            await self.put(2 + i, value, words)
        copy = {"word": 1, "action": WordOp.ADD, "a_words": 0, "d": 6, "a": 2, "b": 2, "pair": 1}
        count = {"words": max(words, _DELAY + 1), "b_words": words, "d_words": words}
        await self.do(**copy, **count, **fields)
        await self.idle()

    async def load(self, place: int, bits: int) -> None:
        """Go to a word of the exponents, of which so many bits count."""
        self.window_request.drive(scan_load=1, scan_place=place, scan_bits=bits)
        await FallingEdge(self.dut.clk_i)
        self.window_request.drive(scan_load=0)
        assert await self.idle() == self.bits - bits + 6

    async def scan(self, bits: int) -> list[int]:
        """The windows, of so many bits."""
        self.window_request.drive(scan=1, scan_bits=bits)
        await FallingEdge(self.dut.clk_i)
        self.window_request.drive(scan=0)
        assert await self.idle() <= bits + 7
        return [self.window_status[f"window_{i}"] for i in range(2)]

    async def gather(self, pair: int, words: int) -> None:
        """Collect what the windows choose."""
        self.window_request.drive(gather=1, pair=pair, words=words)
        await FallingEdge(self.dut.clk_i)
        self.window_request.drive(gather=0)
        assert await self.idle() == 32 // int(self.dut.Banks.value) * words * (1 + pair) + 6

    async def gathered(self, buffer: int, pair: int, words: int) -> list[int]:
        """Content of a buffer: times one, and all words dropped that were put before it."""
        await self.put(8, 1, 1)
        await self.put(9, 1, 1)
        passes = -(-words // self.elements)
        lead = passes * self.elements
        assert passes == 1 or lead + words + 2 <= 2 * self.block
        await self.do(
            pair=pair,
            window=1,
            a=2 * buffer,
            b=8,
            d=6,
            passes=passes - 1,
            words=lead + words + 2,
            lead=lead,
            a_words=words,
            b_words=1,
            d_words=words,
        )
        await self.idle()
        return [await self.get(6 + i, words) for i in range(1 + pair)]


@dataclass
class Modulus:
    """A modulus in the array's form: `value u = x r^6 - 1`, with words that hold 4 of it."""

    value: int
    bits: int  # of a digit
    x: int
    full: int
    words: int

    @classmethod
    def of(cls, value: int, bits: int) -> "Modulus":
        """That of an odd number."""
        radix = 1 << bits
        u = pow(-value, -1, radix**_DELAY)
        full = value * u
        words = -(-(value.bit_length() + _DELAY * bits + 2) // bits)
        return cls(value, bits, (full + 1) // radix**_DELAY, full, words)


def montgomery(a: int, b: int, modulus: Modulus, steps: int, add: int = 0) -> int:
    """(add + a b + q full) / r^steps, with the quotient that makes it a whole number."""
    radix = 1 << modulus.bits * steps
    total = add + a * b
    return (total + (-total * pow(modulus.full, -1, radix)) % radix * modulus.full) // radix


@cocotb.test()
async def products(dut: Any) -> None:
    """Squarings in a row, single and in pairs, in one pass and in several, forwarded or not."""
    bench = await Bench.started(dut)
    rng = random.Random(bench.elements)
    sizes = {bench.block - _DELAY - 1, bench.block // 2, 2}
    for digits in sorted(sizes):
        for pair in (0, 1):
            moduli = [
                Modulus.of(rng.getrandbits(digits * bench.bits - 2) | 1, bench.bits)
                for _ in range(1 + pair)
            ]
            words = digits + _DELAY
            steps, fields = bench.product(words)
            values = [rng.randrange(2 * modulus.full) for modulus in moduli]
            fixed = [rng.randrange(2 * modulus.full) for modulus in moduli]
            for i, modulus in enumerate(moduli):
                await bench.put(2 + i, modulus.x, words)
                await bench.put(4 + i, values[i], words)
                await bench.put(6 + i, fixed[i], words)
            common = {**fields, "pair": pair, "x": 2, "reduce": 1}
            square = {**common, "d": 4, "a": 4, "b": 4}
            times = {**common, "d": 4, "a": 6, "b": 4}
            late = {**common, "d": 8, "a": 4, "b": 6}
            for kind in (square, square, times, square, late, times):
                await bench.do(**kind, sync=int(kind is square and rng.random() < 0.2))
                for i, modulus in enumerate(moduli):
                    other = {4: values[i], 6: fixed[i]}
                    result = montgomery(other[kind["a"]], other[kind["b"]], modulus, steps)
                    assert result < 2 * modulus.full
                    if kind is not late:
                        values[i] = result
                    else:
                        kept = result
            await bench.idle()
            for i in range(len(moduli)):
                assert await bench.get(4 + i, words) == values[i], (digits, pair, i)
            assert await bench.get(8 + pair, words) == kept


@cocotb.test()
async def time_of_products(dut: Any) -> None:
    """Squarings follow each other without a lost cycle: as soon as the ring or the words allow."""
    bench = await Bench.started(dut)
    for words in {min(ring, bench.block - 1) for ring in (*bench.rings[1:], bench.block)}:
        _, fields = bench.product(words)
        for pair in (0, 1):
            took = []
            for count in (3, 10):
                cycles = int(get_sim_time("ns")) // 10
                for _ in range(count):
                    await bench.do(d=4, a=4, b=4, x=2, reduce=1, pair=pair, **fields)
                await bench.idle()
                took.append(int(get_sim_time("ns")) // 10 - cycles)
            passes = fields["passes"] + 1
            around = 2 * bench.rings[fields["ring"]] + 6 + 2 * bool(fields["ring"])
            a_pass = max((1 + pair) * fields["words"], around)
            assert took[1] - took[0] == 7 * passes * a_pass, (words, pair, took, a_pass)


@cocotb.test()
async def plain_products(dut: Any) -> None:
    """Without a modulus: T r^lead + A B r^lead, the lowest `steps` words dropped."""
    bench = await Bench.started(dut)
    rng = random.Random(1)
    for _ in range(20):
        na, nb, nt = rng.randint(1, 8), rng.randint(1, 8), rng.randint(0, 12)
        number = rng.randrange(16)
        ring = bench.rings[number if number < len(bench.rings) else 0]
        passes = -(-8 // ring)
        steps = passes * ring
        lead = rng.choice((steps, max(0, steps - 7), max(0, steps - 8)))
        words = lead + 22
        if words > 2 * bench.block:
            continue
        a, b, t = (rng.getrandbits(bench.bits * count) for count in (na, nb, nt))
        for block, value in ((2, a), (4, b), (6, t)):
            await bench.put(block, rng.getrandbits(bench.bits * 30), 30)
            await bench.put(block, value, 12)
        await bench.do(
            d=8,
            a=2,
            b=4,
            t=6,
            add=1,
            passes=passes - 1,
            words=words,
            lead=lead,
            a_words=na,
            b_words=nb,
            t_words=nt,
            d_words=20,
            ring=number,
        )
        await bench.idle()
        expected = (t + a * b) << bench.bits * lead >> bench.bits * steps
        assert await bench.get(8, 20) == expected % (1 << bench.bits * 20)


@cocotb.test()
async def word_operations(dut: Any) -> None:
    """Sums, differences, doublings with the sign of the last one, powers of the radix."""
    bench = await Bench.started(dut)
    rng = random.Random(2)
    count = 9
    full = 1 << bench.bits * count

    async def do(**fields: int) -> None:
        counts = dict.fromkeys(("words", "a_words", "b_words", "d_words"), count)
        await bench.do(**{"word": 1, **counts, **fields})

    for _ in range(20):
        u, v = (rng.getrandbits(bench.bits * count - 1) for _ in range(2))
        v = rng.choice((u, v, v, v))
        await bench.put(2, u, count)
        await bench.put(4, v, count)
        await do(action=WordOp.ADD, d=6, a=4, b=2)
        await bench.idle()
        assert await bench.get(6, count) == (u + v) % full
        await do(action=WordOp.SUBTRACT, d=6, a=4, b=2)
        await bench.idle()
        assert await bench.get(6, count) == (u - v) % full
        assert bench.status["negative"] & 1 == int(u < v)
        assert bench.status["zero"] & 1 == int(u == v)
        await do(action=WordOp.RESTORE, d=6, a=4, b=6)
        await bench.idle()
        assert await bench.get(6, count) == (u - v + v * (u < v)) % full
    # 2^k mod m for two moduli at once, one bit after the other.
    moduli = [rng.getrandbits(bench.bits * (count - 1) - 2) | 1 | 1 << 60 for _ in range(2)]
    for i, modulus in enumerate(moduli):
        await bench.put(10 + i, modulus, count)
    await do(action=WordOp.QUARTER, pair=1, d=12, a=2, b=2, a_words=2)
    await bench.idle()
    values = [1 << bench.bits * 3 - 2] * 2
    for i in range(2):
        assert await bench.get(12 + i, count) == values[i]
    await pulse(dut, "clear_signs")
    for _ in range(40):
        await do(action=WordOp.DOUBLE, pair=1, d=12, a=10, b=12)
        values = [
            2 * value - modulus if value >= 0 else 2 * value + modulus
            for value, modulus in zip(values, moduli, strict=True)
        ]
    await do(action=WordOp.RESTORE, pair=1, d=12, a=10, b=12)
    await bench.idle()
    for i, (value, modulus) in enumerate(zip(values, moduli, strict=True)):
        assert await bench.get(12 + i, count) == value % modulus
    await do(action=WordOp.POWER, d=6, a=2, b=2, a_words=5)
    await bench.idle()
    assert await bench.get(6, count) == 1 << bench.bits * 5


@cocotb.test()
async def windows(dut: Any) -> None:
    """Exponents bit by bit; entries of the table by every window, for one stream and for two."""
    bench = await Bench.started(dut)
    rng = random.Random(3)
    words, count = bench.block // 2 - 5, 3
    table = [[rng.getrandbits(bench.bits * words) for _ in range(2)] for _ in range(32)]
    for entry, values in enumerate(table):
        await bench.copy(values, words, table_write=1, entry=entry)
    exponents = [rng.getrandbits(bench.bits * count) for _ in range(2)]
    await bench.copy(exponents, count, exponent=1)
    bits = bench.bits * count - 3
    await bench.load(count - 1, bench.bits - 3)
    first = True
    while bits:
        take = min(bits, rng.randint(1, 5))
        bits -= take
        chosen = [exponent >> bits & (1 << take) - 1 for exponent in exponents]
        assert await bench.scan(take) == chosen
        pair = int(bench.elements != 12 and (first or rng.random() < 0.5))
        first = False
        await bench.gather(pair, words)
        buffer = bench.window_status["buffer"]
        expected = [table[chosen[i]][i] for i in range(1 + pair)]
        assert await bench.gathered(buffer, pair, words) == expected


@cocotb.test()
async def secret_numbers(dut: Any) -> None:
    """Each port reads 0 of the upper half of a key's page while only public numbers are read."""
    bench = await Bench.started(dut)
    rng = random.Random(5)
    words = _DELAY + 2
    steps, fields = bench.product(words)
    del fields["d_words"]
    lead = {**fields, "lead": steps, "words": steps + words + 2}
    add = {"word": 1, "action": WordOp.ADD, "words": words}
    await bench.put(6, 1, words)

    async def result(**given: int) -> int:
        await bench.do(d=4, d_words=words, **given)
        await bench.idle()
        return await bench.get(4, words)

    for block in (0, 14, 16, 28, 32, 46, 48, 62):
        value = rng.getrandbits(bench.bits * words - 2) | 1
        await bench.put(block, value, words)
        for public_only in (1, 0):
            dut.public_only_i.value = public_only
            expected = 0 if public_only and block >= 48 else value
            assert await result(**add, a=block, a_words=words) == expected
            assert await result(**add, b=block, b_words=words) == expected
            added = {**lead, "a": 6, "b": 6, "a_words": 0}
            assert await result(**added, t=block, add=1, t_words=words) == expected
            # q X r^(QuotientDelay - 1) is added for each step, q being the lowest digit.
            reduced = {**fields, "a": 6, "b": 6, "x": block, "reduce": 1}
            plain = await result(**{**reduced, "reduce": 0})
            assert (await result(**reduced) != plain) == (expected != 0), (block, public_only)
    dut.public_only_i.value = 0
    power = rng.getrandbits(bench.bits * words - 2) | 1
    await bench.copy([power] * 2, words, table_write=1, entry=0)
    await bench.copy([0] * 2, words, exponent=1)
    await bench.load(words - 1, bench.bits)
    assert await bench.scan(5) == [0, 0]
    await bench.gather(0, words)
    buffer = bench.window_status["buffer"]
    assert await bench.gathered(buffer, 0, words) == [power]
    dut.public_only_i.value = 1
    await bench.put(2 * buffer, 0, words)
    assert await bench.gathered(buffer, 0, words) == [0]
    dut.public_only_i.value = 0


@cocotb.test()
async def wiping(dut: Any) -> None:
    """Zeros in memory, table, exponents and buffers when all addresses have been wiped."""
    bench = await Bench.started(dut)
    rng = random.Random(4)
    words, count = bench.block // 2 - 5, 2
    chosen = rng.sample(range(32), 6)
    for entry in chosen:
        values = [rng.getrandbits(bench.bits * words) for _ in range(2)]
        await bench.copy(values, words, table_write=1, entry=entry)

    async def choose(entry: int) -> None:
        top = bench.bits * count - 5
        await bench.copy([entry << top] * 2, count, exponent=1)
        await bench.load(count - 1, bench.bits)
        assert await bench.scan(5) == [entry] * 2

    for entry in chosen[:2]:
        await choose(entry)
        await bench.gather(0, words)
    for buffer in range(2):
        assert await bench.gathered(buffer, 0, words) != [0]
    dut.wipe_i.value = 1
    dut.data_i.value = bench.digit
    dut.write_i.value = 1
    for address in range(1 << int(dut.AddressBits.value)):
        dut.address_i.value = address
        await FallingEdge(dut.clk_i)
    dut.wipe_i.value = 0
    dut.write_i.value = 0
    await bench.idle()
    blocks = 1 << int(dut.AddressBits.value) >> int(dut.PlaceBits.value)
    for block in range(blocks):
        assert await bench.get(block, bench.block) == 0
    await bench.load(count - 1, bench.bits)
    assert await bench.scan(5) == [0, 0]
    for buffer in range(2):
        assert await bench.gathered(buffer, 0, words) == [0]
    for entry in chosen:
        await choose(entry)
        await bench.gather(0, words)
        assert await bench.gathered(bench.window_status["buffer"], 0, words) == [0]


@pytest.mark.parametrize(
    ("elements", "taps", "bits", "word_bits", "form", "banks"),
    [
        (1, (), 18, 5, 0, 1),
        (2, (), 17, 5, 0, 2),
        (4, (), 18, 5, 1, 1),
        (4, (), 17, 5, 2, 2),
        (8, (), 18, 5, 0, 4),
        (12, (9,), 18, 6, 0, 8),
        (32, (10, 20), 18, 5, 1, 8),
        (64, (20, 27, 34, 41, 48, 55, 62), 18, 6, 0, 8),
    ],
)
def test_datapath(
    run_cocotb: Any,
    elements: int,
    taps: tuple[int, ...],
    bits: int,
    word_bits: int,
    form: int,
    banks: int,
) -> None:
    run_cocotb(
        "totient:engine:engine_datapath",
        {
            "Elements": elements,
            "Taps": f"120'h{int.from_bytes(bytes(taps), 'little'):x}",
            "Bits": bits,
            "Form": form,
            "PlaceBits": word_bits,
            "AddressBits": word_bits + 6,
            "Partial": 30,
            "Banks": banks,
        },
    )
