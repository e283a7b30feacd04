"""Windows of exponents and what they choose: right, and without a trace of which it was.

Of every word of the table all entries are read, in the same cycles whatever the windows are.
"""

import random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge
from tests.rtl.clocked import Started, elapse, start
from tests.rtl.engine.structs import WINDOW_REQUEST, WINDOW_STATUS
from tests.rtl.packed import Packed

_WINDOW = 5
_ENTRIES = 1 << _WINDOW


class Bench(Started):
    """Drives the unit; remembers the place in every memory that is read in each cycle."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.bits, self.banks = int(dut.Bits.value), int(dut.Banks.value)
        self.places = int(dut.PlaceBits.value)
        self.digit = (1 << self.bits) - 1
        self.request = Packed(dut.request_i, WINDOW_REQUEST)
        self.status = Packed(dut.status_o, WINDOW_STATUS)
        self.tables = [dut.gen_bank[b].u_table for b in range(self.banks)]
        self.rows = _ENTRIES // self.banks

    async def start(self) -> None:
        """Clock, reset, and zeros everywhere."""
        await start(
            self.dut,
            *("wipe", "wipe_index", "table_write", "exponent_write", "entry", "place", "data"),
            *("request", "read"),
        )
        await self.wipe()

    async def wipe(self) -> None:
        """Zeros in table, exponents and buffers."""
        self.dut.wipe_i.value = 1
        self.dut.data_i.value = self.digit
        for index in range(self.rows << self.places + 1):
            self.dut.wipe_index_i.value = index
            await FallingEdge(self.dut.clk_i)
        self.dut.wipe_i.value = 0
        await self.idle()

    async def write(self, number: int, words: int, stream: int, entry: int | None) -> None:
        """A number to an entry of the table; without one an exponent."""
        dut = self.dut
        dut.table_write_i.value = int(entry is not None)
        dut.exponent_write_i.value = int(entry is None)
        dut.entry_i.value = entry or 0
        for word in range(words):
            dut.place_i.value = stream << self.places | word
            dut.data_i.value = number >> self.bits * word & self.digit
            await FallingEdge(dut.clk_i)
        dut.table_write_i.value = dut.exponent_write_i.value = 0

    async def idle(self) -> list[tuple[int, ...]]:
        """Wait for the end; what is read of the table and of the exponents meanwhile."""
        seen = []
        while self.status["busy"]:
            rows = {int(table.read_index_i.value) for table in self.tables}
            exponents = int(self.dut.u_exponents.read_index_i.value)
            seen.append((*sorted(rows), exponents))
            assert len(seen) < 10_000
            await FallingEdge(self.dut.clk_i)
        return seen

    async def load(self, place: int, bits: int) -> list[tuple[int, ...]]:
        """Go to a word of the exponents, of which so many bits count."""
        seen = await self._ask("scan_load", scan_place=place, scan_bits=bits)
        assert len(seen) == self.bits - bits + 6
        return seen[1:]  # at first the place from before

    async def scan(self, bits: int) -> list[tuple[int, ...]]:
        """The next so many bits."""
        return await self._ask("scan", scan_bits=bits)

    async def gather(self, words: int, pair: int) -> list[tuple[int, ...]]:
        """Powers that the windows select."""
        return await self._ask("gather", words=words, pair=pair)

    async def _ask(self, what: str, **given: int) -> list[tuple[int, ...]]:
        self.request.drive(**{what: 1}, **given)
        await FallingEdge(self.dut.clk_i)
        self.request.drive(**{what: 0})
        return await self.idle()

    @property
    def windows(self) -> list[int]:
        """Of both streams."""
        return [self.status[f"window_{i}"] for i in range(2)]

    async def gathered(self, words: int, stream: int, buffer: int) -> int:
        """Content of a buffer for a stream."""
        number = 0
        for cycle in range(words + 2):
            word = min(cycle, words - 1)
            self.dut.read_i.value = (buffer << 1 | stream) << self.places | word
            if cycle >= 2:
                number |= int(self.dut.word_o.value) << self.bits * (cycle - 2)
            await FallingEdge(self.dut.clk_i)
        return number


@cocotb.test()
async def every_entry_is_read(dut: Any) -> None:
    """For all windows: the entry is right, what is read and when is the same."""
    bench = await Bench.started(dut)
    draw = random.Random(bench.banks)
    words = (1 << bench.places) - 3
    table = [[draw.getrandbits(bench.bits * words) for _ in range(2)] for _ in range(_ENTRIES)]
    for entry, numbers in enumerate(table):
        for stream, number in enumerate(numbers):
            await bench.write(number, words, stream, entry)
    traces: dict[int, set[tuple[Any, ...]]] = {0: set(), 1: set()}
    others = draw.sample(range(_ENTRIES), _ENTRIES)
    before: list[int] | None = None
    for entry, other in enumerate(others):
        for stream, chosen in enumerate((entry, other)):
            top = draw.getrandbits(bench.bits - _WINDOW)
            await bench.write(chosen << bench.bits - _WINDOW | top, 1, stream, None)
        scanned = (*await bench.load(0, bench.bits), *await bench.scan(_WINDOW))
        assert bench.windows == [entry, other]
        old = bench.status["buffer"]
        for pair in (1, 0):
            trace = await bench.gather(words, pair)
            assert len(trace) == bench.rows * words * (1 + pair) + 6
            traces[pair].add((*scanned, *trace))
            buffer = bench.status["buffer"]
            assert buffer != old
            for stream in range(1 + pair):
                found = await bench.gathered(words, stream, buffer)
                assert found == table[(entry, other)[stream]][stream]
            if before is not None and pair:
                # The one before is there still: a product may be reading it.
                assert await bench.gathered(words, 0, old) == before[0]
            old, before = buffer, table[entry]
    for pair, seen in traces.items():
        assert len(seen) == 1, "what is read depends on the windows"
        (reads,) = seen
        rows = {row for each in reads for row in each[:-1]}
        here = {
            stream << bench.places | word for stream in range(1 + pair) for word in range(words)
        }
        expected = {row << bench.places + 1 | place for row in range(bench.rows) for place in here}
        assert rows >= expected, "an entry is not read"


@cocotb.test()
async def exponents_bit_by_bit(dut: Any) -> None:
    """From any place down, in windows of 1 to 5 bits. The time depends on places, not on bits."""
    bench = await Bench.started(dut)
    draw = random.Random(5)
    words = 5
    for _ in range(12):
        place, bits = draw.randrange(words), draw.randint(1, bench.bits)
        left = bench.bits * place + bits
        takes: list[int] = []
        while sum(takes) < left:
            takes.append(min(left - sum(takes), draw.randint(1, _WINDOW)))
        traces = set()
        for fixed in (0, (1 << bench.bits * words) - 1, draw.getrandbits(bench.bits * words)):
            exponents = draw.sample((fixed, draw.getrandbits(bench.bits * words)), 2)
            for stream, exponent in enumerate(exponents):
                await bench.write(exponent, words, stream, None)
            trace = await bench.load(place, bits)
            rest = left
            for take in takes:
                seen = await bench.scan(take)
                assert len(seen) <= take + 7
                trace += seen
                rest -= take
                assert bench.windows == [each >> rest & (1 << take) - 1 for each in exponents]
            traces.add(tuple(trace))
        assert len(traces) == 1, "what is read depends on the exponents"


@cocotb.test()
async def nothing_stays(dut: Any) -> None:
    """After wiping no entry, no exponent and no buffer has anything; the reset wipes windows."""
    bench = await Bench.started(dut)
    words = 2
    for stream in range(2):
        for entry in range(_ENTRIES):
            await bench.write((1 << bench.bits * words) - 1, words, stream, entry)
        await bench.write((1 << bench.bits * words) - 1, words, stream, None)
    await bench.load(1, bench.bits)
    await bench.scan(_WINDOW)
    for _ in range(2):
        await bench.gather(words, 1)
    await bench.wipe()
    for buffer in range(2):
        for stream in range(2):
            assert await bench.gathered(words, stream, buffer) == 0
    assert bench.windows == [_ENTRIES - 1] * 2
    await bench.gather(words, 1)
    assert await bench.gathered(words, 1, bench.status["buffer"]) == 0
    await bench.load(1, bench.bits)
    await bench.scan(_WINDOW)
    assert bench.windows == [0, 0]
    await bench.write(bench.digit, 1, 0, None)
    await bench.load(0, bench.bits)
    await bench.scan(_WINDOW)
    assert bench.windows == [_ENTRIES - 1, 0]
    dut.rst_ni.value = 0
    await elapse(dut, 3)
    assert bench.windows == [0, 0]


@pytest.mark.parametrize(
    ("bits", "places", "banks", "form"),
    [(18, 3, 1, 0), (17, 4, 2, 2), (18, 3, 4, 1), (17, 3, 8, 0)],
)
def test_engine_window(run_cocotb: Any, bits: int, places: int, banks: int, form: int) -> None:
    parameters = {"Bits": bits, "PlaceBits": places, "Banks": banks, "Form": form}
    run_cocotb("totient:engine:engine_datapath", parameters, top="engine_window")
