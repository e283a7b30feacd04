"""The Montgomery multiplier behind its registers: products, what is refused, clear and reset."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiResp
from tests.rtl import axi

from totient.catalog.ips import registers

MAP = registers("modmul_registers")
NAMES = ("A", "B", "MODULUS", "PRODUCT", "CONTROL", "STATUS", "CYCLES", "WIDTH", "IDENTIFICATION")
A, B, MODULUS, PRODUCT, CONTROL, STATUS, CYCLES, WIDTH, ID = (MAP[name].offset for name in NAMES)
START, CLEAR = (MAP["CONTROL"].value(**{name: 1}) for name in ("start", "clear"))
COMPLETE, BUSY = (MAP["STATUS"].value(**{name: 1}) for name in ("complete", "busy"))


def product(a: int, b: int, n: int) -> int:
    """What the multiplier has to form."""
    return a * b * pow(2, -n.bit_length(), n) % n


class Bench(axi.Registers):
    """The registers behind an AXI4-Lite master."""

    words = 2

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.width = int(dut.Width.value)
        self.steps = int(dut.BitsPerCycle.value)
        self.random = random.Random(self.width)
        Clock(dut.aclk, 10, "ns").start()
        dut.aresetn.value = 0
        super().__init__(dut, dut.aclk, dut.aresetn)

    async def start(self) -> None:
        """Leave reset."""
        await ClockCycles(self.dut.aclk, 3)
        self.dut.aresetn.value = 1
        await ClockCycles(self.dut.aclk, 2)

    async def load(self, a: int, b: int, n: int) -> None:
        """Write all operands."""
        for address, value in ((A, a), (B, b), (MODULUS, n)):
            await self.write(address, value)

    async def finish(self) -> tuple[int, int, int]:
        """Wait; product, error and cycles."""
        while not (state := await self.read(STATUS, 1)) & COMPLETE:
            assert state == BUSY
        assert not state & BUSY
        assert self.dut.irq.value
        return await self.read(PRODUCT), state >> 4 & 15, await self.read(CYCLES, 1)

    async def multiply(self, a: int, b: int, n: int) -> tuple[int, int, int]:
        """A whole product."""
        await self.load(a, b, n)
        await self.write(CONTROL, START, 1)
        return await self.finish()

    def modulus(self) -> int:
        """An odd modulus of any length."""
        length = self.random.choice((self.width, self.random.randint(1, self.width)))
        return 1 << length - 1 | self.random.getrandbits(length) >> 1 | 1

    def cycles(self, n: int) -> int:
        """Of a product modulo n."""
        return -(-n.bit_length() // self.steps) + 6


@pytest.mark.parametrize(("width", "steps"), [(64, 1), (33, 2)])
def test_modmul_montgomery_axil(run_cocotb: Any, width: int, steps: int) -> None:
    run_cocotb("totient:ip:modmul_montgomery_axil", {"Width": width, "BitsPerCycle": steps})


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def products(dut: Any) -> None:
    """With a master that takes its time: products, cycles, what the registers say."""
    bench = await Bench.started(dut)
    assert await bench.read(ID) == 0x0000_0100_4D4F_4E54
    assert await bench.read(WIDTH, 1) == bench.width
    assert await bench.read(STATUS, 1) == await bench.read(PRODUCT) == 0
    axi.pause_at_random(axi.channels(bench.master), bench.width, chance=0.4)
    for _ in range(25):
        n = bench.modulus()
        a, b = bench.random.randrange(n), bench.random.choice((n - 1, bench.random.randrange(n)))
        assert await bench.multiply(a, b, n) == (product(a, b, n), 0, bench.cycles(n))


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def bad_operands(dut: Any) -> None:
    """Each has its error; the next product is right."""
    bench = await Bench.started(dut)
    top = (1 << bench.width) - 1
    cases = [(9, 9, 142, 6), (0, 0, 0, 6), (143, 9, 143, 8), (9, top, 143, 8), (1, 0, 1, 8)]
    if bench.width < 64:
        cases += [(1 << bench.width, 9, 143, 4), (9, 1 << 63, 143, 4), (9, 9, top + 2, 4)]
    for a, b, n, error in cases:
        assert (await bench.multiply(a, b, n))[:2] == (0, error), (a, b, n)
        assert (await bench.multiply(9, 142, 143))[:2] == (product(9, 142, 143), 0)
    # No register there, or one that is only read or only written.
    for address in (A, MODULUS, CONTROL, 0x38, 0x3C):
        assert (await bench.master.read(address, 4)).resp == AxiResp.SLVERR
    for address in (PRODUCT, STATUS, WIDTH, ID, 0x3C):
        assert (await bench.master.write(address, bytes(4))).resp == AxiResp.SLVERR


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def operands_may_change(dut: Any) -> None:
    """The next operands are written while a product is formed; a start meanwhile is ignored."""
    bench = await Bench.started(dut)
    n = (1 << bench.width) - 1
    first, second = (n - 1, n - 2), (n - 2, 5)
    await bench.load(*first, n)
    await bench.write(CONTROL, START, 1)
    await bench.write(A, second[0])
    await bench.write(CONTROL, START, 1)
    await bench.write(B, second[1])
    assert await bench.finish() == (product(*first, n), 0, bench.cycles(n))
    await bench.write(CONTROL, START, 1)
    assert await bench.finish() == (product(*second, n), 0, bench.cycles(n))


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def clear_and_reset(dut: Any) -> None:
    """Either ends a product and leaves nothing of it, a start with it too; the next is right."""
    bench = await Bench.started(dut)
    n = (1 << bench.width) - 1
    for wait in (0, 5, 20, 200):
        for by in (CLEAR, START | CLEAR, None):
            await bench.load(n - 1, n - 2, n)
            await bench.write(CONTROL, START, 1)
            await ClockCycles(dut.aclk, wait)
            if by is None:
                dut.aresetn.value = 0
                await ClockCycles(dut.aclk, 2)
                dut.aresetn.value = 1
                await ClockCycles(dut.aclk, 2)
            else:
                await bench.write(CONTROL, by, 1)
            assert await bench.read(STATUS, 1) == await bench.read(PRODUCT) == 0
            assert await bench.read(CYCLES, 1) == 0
            assert not dut.irq.value
            # The modulus is gone, too.
            await bench.write(CONTROL, START, 1)
            assert (await bench.finish())[:2] == (0, 6)
            assert (await bench.multiply(9, 142, 143))[:2] == (product(9, 142, 143), 0)
