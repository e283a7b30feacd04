"""The RSA IP with key generation: the published runs, random keys, refused input, reset."""

import random
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from Crypto.Util.number import getPrime
from tests.rtl import axi

P, Q, I_MSG, I_KEY, I_N, CONTROL, MODE = range(0x00, 0x38, 8)
DATA_MSG, DATA_ENCRYPT, DATA_DECRYPT, N_OUTPUT, CLK_COUNT, FINISH, STEPS, ID = range(0x00, 0x40, 8)
ENCRYPT, GIVEN, DECRYPT = 0, 1, 2
RESET_INVERT, RESET, START = 1, 2, 4


@dataclass(frozen=True)
class Run:
    """What the registers hold after an operation."""

    result: int
    e: int
    d: int
    n: int
    cycles: int
    error: int
    key_cycles: int
    message_cycles: int


class Bench(axi.Registers):
    """The registers behind an AXI4-Lite master."""

    words = 2

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        Clock(dut.aclk, 10, "ns").start()
        dut.aresetn.value = 0
        super().__init__(dut, dut.aclk, dut.aresetn)

    async def start(self) -> None:
        """Leave reset."""
        await ClockCycles(self.dut.aclk, 3)
        self.dut.aresetn.value = 1

    async def run(self, mode: int, **registers: int) -> Run:
        """Write what is given, start, and wait for the end."""
        addresses = {"p": P, "q": Q, "message": I_MSG, "key": I_KEY, "modulus": I_N}
        for name, value in registers.items():
            await self.write(addresses[name], value)
        await self.write(MODE, mode)
        await self.write(CONTROL, START)
        while not (state := await self.read(FINISH)) & 1:
            assert state & 0x100, "neither busy nor ended"
        steps = await self.read(STEPS)
        return Run(
            result=await self.read(DATA_MSG),
            e=await self.read(DATA_ENCRYPT),
            d=await self.read(DATA_DECRYPT),
            n=await self.read(N_OUTPUT),
            cycles=await self.read(CLK_COUNT),
            error=state >> 4 & 15,
            key_cycles=steps & 0xFFFFFFFF,
            message_cycles=steps >> 32,
        )


def test_rsa_keygen_axil(run_cocotb: Any) -> None:
    run_cocotb("totient:ip:rsa_keygen_axil", {})


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def published_runs(dut: Any) -> None:
    """Values as in the paper, and no more cycles in any step than there."""
    bench = await Bench.started(dut)
    for p, q, n, d, cipher, most in (
        (9973, 80231, 800143763, 457173463, 4782969, (501, 244, 2324)),
        (11, 13, 143, 103, pow(9, 7, 143), (341, 244, 564)),
    ):
        encrypted = await bench.run(ENCRYPT, p=p, q=q, message=9)
        dut._log.info("%s", encrypted)
        assert (encrypted.result, encrypted.e, encrypted.d) == (cipher, 7, d)
        assert (encrypted.n, encrypted.error) == (n, 0)
        decrypted = await bench.run(DECRYPT, message=cipher)
        dut._log.info("%s", decrypted)
        assert decrypted.result == 9
        assert encrypted.key_cycles == decrypted.key_cycles <= most[0]
        assert encrypted.message_cycles <= most[1]
        assert decrypted.message_cycles <= most[2]
        given = await bench.run(GIVEN, message=9, key=7, modulus=n)
        assert (given.result, given.n, given.e, given.d) == (cipher, n, 0, 0)
        given = await bench.run(GIVEN, message=cipher, key=d, modulus=n)
        assert (given.result, given.key_cycles) == (9, 0)


@cocotb.test(timeout_time=500, timeout_unit="ms")
async def random_keys(dut: Any) -> None:
    bench = await Bench.started(dut)
    draw = random.Random(4)
    for place in range(16):
        # Short keys after long ones: nothing of the key before may be seen.
        lengths = (32, 32, draw.randint(3, 32)) if place % 2 == 0 else (draw.randint(3, 16),)
        p, q = (getPrime(draw.choice(lengths), draw.randbytes) for _ in "pq")
        if p == q:
            continue
        message = draw.choice((0, 1, p * q - 1, draw.randrange(p * q)))
        encrypted = await bench.run(ENCRYPT, p=p, q=q, message=message)
        assert encrypted.d == pow(encrypted.e, -1, (p - 1) * (q - 1))
        assert encrypted.result == pow(message, encrypted.e, p * q)
        decrypted = await bench.run(DECRYPT, message=encrypted.result)
        assert decrypted.result == message
        modulus = draw.getrandbits(64) | 1 << 63 | 1
        base, key = draw.randrange(modulus), draw.getrandbits(draw.randint(1, 64)) | 1
        given = await bench.run(GIVEN, message=base, key=key, modulus=modulus)
        assert given.result == pow(base, key, modulus)


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def bad_input_is_refused(dut: Any) -> None:
    bench = await Bench.started(dut)
    for mode, registers, error in (
        (ENCRYPT, {"p": 0, "q": 13, "message": 9}, 4),
        (ENCRYPT, {"p": 12, "q": 13}, 11),
        (ENCRYPT, {"p": 13, "q": 13}, 11),
        (ENCRYPT, {"p": 11, "q": 13, "message": 143}, 8),
        (DECRYPT, {"message": (1 << 64) - 1}, 8),
        (GIVEN, {"message": 5000, "key": 17, "modulus": 3859}, 8),
        (GIVEN, {"message": 9, "key": 0}, 5),
        (GIVEN, {"key": 17, "modulus": 3858}, 6),
        (GIVEN, {"modulus": 1}, 7),
    ):
        got = await bench.run(mode, **registers)
        assert (got.error, got.result) == (error, 0), (mode, registers)
        got = await bench.run(GIVEN, message=1141, key=17, modulus=3859)
        assert (got.error, got.result) == (0, pow(1141, 17, 3859))


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def reset_ends_an_operation(dut: Any) -> None:
    bench = await Bench.started(dut)
    for control in (RESET, RESET_INVERT):
        await bench.write(P, 9973)
        await bench.write(Q, 80231)
        await bench.write(I_MSG, 9)
        await bench.write(MODE, DECRYPT)
        await bench.write(CONTROL, START)
        await ClockCycles(dut.aclk, 300)
        await bench.write(CONTROL, control)
        assert await bench.read(FINISH) == 0
        for address in (DATA_MSG, DATA_ENCRYPT, DATA_DECRYPT, N_OUTPUT):
            assert await bench.read(address) == 0
        got = await bench.run(ENCRYPT, p=9973, q=80231, message=9)
        assert got.result == 4782969
