"""The crossing of clocks: every word in order at many ratios and phases, resets of either side."""

import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer
from tests.rtl.clocked import Started

# Periods of source and destination in picoseconds: equal, near, far apart, without a common factor.
PERIODS = [
    (10_000, 10_000),
    (10_000, 10_002),
    (40_000, 4_000),
    (4_000, 40_000),
    (39_998, 5_334),
    (5_006, 83_334),
    (1_000, 999_998),
]


class Bench(Started):
    """Both ends, each on its clock, and the words that have gone in and come out."""

    def __init__(self, dut: Any, periods: tuple[int, int], seed: int) -> None:
        self.dut, self.periods = dut, periods
        self.draw = random.Random(repr((periods, seed)))
        self.sent: list[int] = []
        self.got: list[int] = []
        self.offers = self.takes = 0.5  # how often
        for side, period in zip("sm", periods, strict=True):
            getattr(dut, f"{side}_rst_ni").value = 0
            cocotb.start_soon(self.clock(getattr(dut, f"{side}_clk_i"), period))
        dut.s_valid_i.value = 0
        dut.m_ready_i.value = 0

    async def clock(self, clock: Any, period: int) -> None:
        """Start a clock at any phase."""
        clock.value = 0
        await Timer(self.draw.randrange(1, period), "ps")
        Clock(clock, period, "ps").start()

    async def wait(self, slow_cycles: int) -> None:
        """Cycles of the slower clock."""
        await Timer(slow_cycles * max(self.periods), "ps")

    async def send(self) -> None:
        """Offer words, each until it is taken; what is taken in a reset is no word."""
        dut = self.dut
        word = None
        while True:
            await FallingEdge(dut.s_clk_i)
            if word is None and self.draw.random() < self.offers:
                word = self.draw.getrandbits(len(dut.s_data_i)) | 1
            dut.s_valid_i.value = word is not None
            dut.s_data_i.value = word or 0
            await Timer(1, "ps")
            if word is not None and dut.s_ready_o.value and dut.s_rst_ni.value:
                self.sent.append(word)
                word = None

    async def receive(self) -> None:
        """Take words."""
        dut = self.dut
        while True:
            await FallingEdge(dut.m_clk_i)
            ready = self.draw.random() < self.takes
            dut.m_ready_i.value = ready
            if not dut.m_valid_o.value:
                assert int(dut.m_data_o.value) == 0
            elif ready and dut.m_rst_ni.value:
                self.got.append(int(dut.m_data_o.value))

    async def start(self) -> None:
        """End the resets, and begin."""
        await self.wait(16)
        self.dut.s_rst_ni.value = self.dut.m_rst_ni.value = 1
        cocotb.start_soon(self.send())
        cocotb.start_soon(self.receive())


@cocotb.test()
@cocotb.parametrize(case=range(len(PERIODS)))
async def words_pass(dut: Any, case: int) -> None:
    """Every word once and in order, the source or the destination the slower one."""
    bench = await Bench.started(dut, PERIODS[case], 1)
    for bench.offers, bench.takes in ((0.5, 0.5), (1, 0.1), (0.1, 1), (1, 1)):
        before = len(bench.got)
        await bench.wait(60)
        assert len(bench.got) > before
    bench.offers, bench.takes = 0, 1
    await bench.wait(20)
    assert bench.got == bench.sent
    assert len(bench.got) > 20
    # Nothing of it is left.
    assert int(dut.data_q.value) == int(dut.m_data_o.value) == 0


@cocotb.test()
@cocotb.parametrize(case=range(len(PERIODS)))
async def resets_of_either_side(dut: Any, case: int) -> None:
    """At any moment, of any length, of one side or both: then only words that came after it."""
    bench = await Bench.started(dut, PERIODS[case], 2)
    for turn in range(40):
        await Timer(bench.draw.randrange(1, 12 * max(bench.periods)), "ps")
        sides = bench.draw.choice(("s", "m", "sm"))
        for side in sides:
            await FallingEdge(getattr(dut, f"{side}_clk_i"))
            getattr(dut, f"{side}_rst_ni").value = 0
        long = bench.draw.choice((1, 1, 2, 9))
        for side in sides:
            for _ in range(long):
                await FallingEdge(getattr(dut, f"{side}_clk_i"))
            getattr(dut, f"{side}_rst_ni").value = 1
        if turn % 4 == 0:
            # Both come back to empty ...
            offers, bench.offers = bench.offers, 0
            await bench.wait(24)
            assert not dut.m_valid_o.value
            assert int(dut.data_q.value) == int(dut.m_data_o.value) == 0
            # ... and pass words again.
            bench.offers = offers
            bench.sent.clear()
            bench.got.clear()
            await bench.wait(30)
            held, bench.offers, takes, bench.takes = bench.offers, 0, bench.takes, 1
            await bench.wait(24)
            assert bench.got == bench.sent
            assert bench.got
            bench.offers, bench.takes = held, takes


def test_stream_crossing(run_cocotb: Any) -> None:
    run_cocotb("totient:common:stream_crossing", {"Bits": 33})
