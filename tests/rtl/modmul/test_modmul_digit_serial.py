"""The digit-serial multipliers, in each structure, against golden models and their schedule."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from tests.rtl.clocked import Started

from totient.golden.digit_serial import ArraySchedule, DigitSerialMultiplier


class Bench(Started):
    """Drives all slots of the array in lockstep, operation after operation without a gap."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        # The conventional multiplier has no such parameters, and no `first_i`.
        self.separated = hasattr(dut, "DigitBits")
        self.digit_bits = int(dut.DigitBits.value) if self.separated else 1
        self.slots = int(dut.Slots.value) if self.separated else 1
        links = int(dut.Links.value) if self.separated else 0
        self.width = int(dut.Width.value)
        self.model = DigitSerialMultiplier(self.width, self.digit_bits)
        schedule = ArraySchedule(self.model, self.slots, links)
        self.lag = schedule.row_lag
        self.result_lag = schedule.result_lag
        self.steps = self.model.steps_a_product + schedule.fill
        if self.separated:
            assert schedule.fill == int(dut.Fill.value)
        self.random = random.Random(self.width * 64 + self.digit_bits)
        self.shown: list[int] = []  # product_o of each cycle
        self.a: dict[int, int] = {}  # a_i by cycle
        self.entering: dict[tuple[int, int], int] = {}  # bits of chain_i by cycle and row

    def when(self, start: int, slot: int, place: int, lag: int = 0) -> tuple[int, int]:
        """Cycle and row of an operand's bit, for an operation that started in cycle `start`."""
        step, row = divmod(place, self.digit_bits)
        return start + step * self.slots + slot + self.lag(row) + lag, row

    async def start(self) -> None:
        """Start the clock, and clear the array as its header says."""
        Clock(self.dut.clk_i, 10, "ns").start()
        await FallingEdge(self.dut.clk_i)
        for load_modulus in (False, False, True):
            await self.operate([0] * self.slots, [0] * self.slots, load_modulus, low=False)

    async def operate(
        self,
        a: list[int],
        b_after: list[int] | None = None,
        load_modulus: bool = False,
        low: bool = True,
    ) -> int:
        """Run one operation of each slot; return the cycle in which it started.

        Args:
            a: serial operands, one a slot.
            b_after: what is shifted in as the next b; without it, the products.
            load_modulus: make this operation's b the modulus.
            low: whether quotient bits are to be found.
        """
        start, digits = len(self.shown), self.model.digits
        for slot, value in enumerate(a):
            for place in range(self.model.radix_bits):
                cycle, row = self.when(start, slot, place)
                self.a[cycle] = self.a.get(cycle, 0) | (value >> place & 1) << row
        for slot, value in enumerate(b_after or []):
            for place in range(self.model.radix_bits):
                cycle, row = self.when(start + digits * self.slots, slot, place, self.result_lag)
                self.entering[cycle, row] = value >> place & 1
        first_shift = self.steps - -(-(self.width + 1) // self.digit_bits)
        for step in range(self.steps):
            for _ in range(self.slots):
                if self.separated:
                    self.dut.first_i.value = int(step == 0)
                self.dut.low_i.value = int(low and step < digits)
                self.dut.shift_i.value = int(step >= first_shift)
                self.dut.load_modulus_i.value = int(load_modulus and step == 0)
                await self.tick()
        return start

    async def tick(self) -> None:
        """One clock cycle. The product does not depend on this cycle's inputs."""
        cycle = len(self.shown)
        shown = self.dut.product_o.value
        product = int(shown) if shown.is_resolvable else 0
        self.shown.append(product)
        chain = 0
        for row in range(self.digit_bits):
            chain |= self.entering.pop((cycle, row), product >> row & 1) << row
        self.dut.chain_i.value = chain
        self.dut.a_i.value = self.a.pop(cycle, 0)
        await FallingEdge(self.dut.clk_i)

    def expected(self, a: int, b: int, m: int) -> int:
        """The product that the golden model finds."""
        if self.separated:
            return self.model.product(a, b, m)
        *_, last = self.model.interleaved(a, b, m)
        return last.p

    def product(self, start: int, slot: int) -> int:
        """The product of an operation that started in cycle `start`, which must have come out."""
        found = 0
        for place in range(-self.model.radix_bits, self.model.radix_bits):
            cycle, row = self.when(
                start + self.model.digits * self.slots, slot, place, self.result_lag
            )
            bit = self.shown[cycle] >> row & 1
            assert place >= 0 or not bit, "the low half does not cancel"
            found |= bit << place if place >= 0 else 0
        return found


def operands(bench: Bench, m: int) -> list[int]:
    """An operand below 2 m for each slot: corners and random ones."""
    corners = [0, 1, m - 1, m, m + 1, 2 * m - 1]
    return [
        bench.random.choice([*corners, *(bench.random.randrange(2 * m) for _ in range(6))])
        for _ in range(bench.slots)
    ]


@cocotb.test()
async def chains_of_products(dut: Any) -> None:
    """Moduli of all lengths; products of loaded operands, and products that go back in."""
    bench = await Bench.started(dut)
    none, width = [0] * bench.slots, bench.width
    top = 1 << (width - 1)
    for m in (3, top + 1, 2 * top - 1, top | bench.random.getrandbits(width - 1) | 1):
        await bench.operate(none, [m] * bench.slots, low=False)
        b = operands(bench, m)
        await bench.operate(none, b, load_modulus=True, low=False)
        started = []
        for _ in range(5):
            a = operands(bench, m)
            started.append((await bench.operate(a), a))
        await bench.operate(none, low=False)
        for start, a in started:
            for slot in range(bench.slots):
                expected = bench.expected(a[slot], b[slot], m)
                assert bench.product(start, slot) == expected, (
                    f"slot {slot}: {a[slot]} * {b[slot]} mod {m}"
                )
                b[slot] = expected


STRUCTURES = {
    "serial": {},
    "systolic": {"Slots": 2, "Links": 1},
    "retimed": {"Links": 2},
    "retimed-4": {"Links": 4},
    "two-slots": {"Slots": 2},
    "two-bit": {"DigitBits": 2},
    "two-bit-two-slots": {"DigitBits": 2, "Slots": 2},
    "two-bit-retimed": {"DigitBits": 2, "Slots": 2, "Links": 2},
    "two-bit-three-slots": {"DigitBits": 2, "Slots": 3, "Links": 1},
    "three-bit-three-links": {"DigitBits": 3, "Slots": 3, "Links": 3},
    "four-bit": {"DigitBits": 4},
    "four-bit-two-slots": {"DigitBits": 4, "Slots": 2},
    "four-bit-systolic": {"DigitBits": 4, "Slots": 8, "Links": 1},
    "four-bit-local": {"DigitBits": 4, "Slots": 11, "Links": 1},
    "five-bit-retimed": {"DigitBits": 5, "Slots": 7, "Links": 2},
    "sixteen-bit": {"DigitBits": 16},
    "sixteen-bit-local": {"DigitBits": 16, "Slots": 47, "Links": 1},
}


CASES = [
    *((structure, 33) for structure in STRUCTURES),
    *((structure, 16) for structure in ("systolic", "retimed", "two-bit", "sixteen-bit-local")),
    *((structure, 127) for structure in ("serial", "two-bit-retimed", "four-bit-local")),
]


@pytest.mark.parametrize(("structure", "width"), CASES)
def test_modmul_digit_serial(run_cocotb: Any, structure: str, width: int) -> None:
    run_cocotb("totient:modmul:modmul_digit_serial", {"Width": width, **STRUCTURES[structure]})


@pytest.mark.parametrize("width", [16, 33, 127])
def test_modmul_bit_serial(run_cocotb: Any, width: int) -> None:
    run_cocotb("totient:modmul:modmul_bit_serial", {"Width": width})
