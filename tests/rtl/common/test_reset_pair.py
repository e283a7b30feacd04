"""Resets of two clocks: always both, the following side's within the leading side's."""

import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import First, RisingEdge, Timer, with_timeout
from tests.rtl.clocked import Started

# Periods of the leading and the following clock in picoseconds.
PERIODS = [(40_000, 40_000), (40_000, 40_002), (40_000, 2_500), (40_000, 400_002), (83_334, 1_000)]


class Bench(Started):
    """Both clocks at any phase, and how often each side was reset."""

    def __init__(self, dut: Any, case: int) -> None:
        self.dut = dut
        self.lead, self.follow = PERIODS[case]
        self.draw = random.Random(case)
        self.resets = {"lead": 0, "follow": 0}
        dut.request_i.value = 1

    async def start(self) -> None:
        """Power-up with a request for 16 cycles of the slower clock."""
        dut = self.dut
        Clock(dut.lead_clk_i, self.lead, "ps").start()
        await Timer(self.draw.randrange(1, self.lead), "ps")
        Clock(dut.follow_clk_i, self.follow, "ps").start()
        await Timer(16 * max(self.lead, self.follow), "ps")
        assert not dut.lead_rst_no.value
        assert not dut.follow_rst_no.value
        dut.request_i.value = 0
        await self.released()
        cocotb.start_soon(self.watch())

    async def watch(self) -> None:
        """Count resets; the following side's begins and ends within the leading side's."""
        dut = self.dut
        while True:
            before = int(dut.lead_rst_no.value), int(dut.follow_rst_no.value)
            await First(dut.lead_rst_no.value_change, dut.follow_rst_no.value_change)
            lead, follow = int(dut.lead_rst_no.value), int(dut.follow_rst_no.value)
            assert follow or not lead
            self.resets["lead"] += before[0] and not lead
            self.resets["follow"] += before[1] and not follow

    async def released(self) -> None:
        """Until the leading side's reset is over, which is the last."""
        if not self.dut.lead_rst_no.value:
            slow = max(self.lead, self.follow)
            await with_timeout(RisingEdge(self.dut.lead_rst_no), 100 * slow, "ps")


@cocotb.test()
@cocotb.parametrize(case=range(len(PERIODS)))
async def a_pulse_of_any_length_resets_both_or_none(dut: Any, case: int) -> None:
    bench = await Bench.started(dut, case)
    for _ in range(200):
        await Timer(bench.draw.randrange(1, 60 * max(bench.lead, bench.follow)), "ps")
        for _ in range(bench.draw.choice((1, 1, 3))):  # a contact may bounce
            for level in (1, 0):
                dut.request_i.value = level
                await Timer(bench.draw.randrange(1, bench.draw.choice((2, 30)) * bench.lead), "ps")
    await Timer(10 * bench.lead, "ps")
    await bench.released()
    assert bench.resets["lead"] > 10
    assert bench.resets["follow"] >= bench.resets["lead"]


@cocotb.test()
@cocotb.parametrize(case=range(len(PERIODS)))
async def a_request_of_a_cycle_is_seen(dut: Any, case: int) -> None:
    """And lasts 16 cycles of each side's clock."""
    bench = await Bench.started(dut, case)
    for turn in range(1, 6):
        dut.request_i.value = 1
        await Timer(bench.lead + 1, "ps")
        dut.request_i.value = 0
        await with_timeout(RisingEdge(dut.follow_rst_no), 100 * max(PERIODS[case]), "ps")
        await bench.released()
        await Timer(40 * bench.lead, "ps")
        assert bench.resets == {"lead": turn, "follow": turn}


@cocotb.test()
async def both_last_while_the_following_clock_stands(dut: Any) -> None:
    """As the loop's does before it locks."""
    Clock(dut.lead_clk_i, 40_000, "ps").start()
    dut.request_i.value = 1
    dut.follow_clk_i.value = 0
    await Timer(20 * 40_000, "ps")
    dut.request_i.value = 0
    await Timer(100 * 40_000, "ps")
    assert not dut.lead_rst_no.value
    Clock(dut.follow_clk_i, 5_000, "ps").start()
    await with_timeout(RisingEdge(dut.lead_rst_no), 100 * 40_000, "ps")
    assert dut.follow_rst_no.value


def test_reset_pair(run_cocotb: Any) -> None:
    run_cocotb("totient:common:reset_pair", {})
