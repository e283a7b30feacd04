"""Steps from primes to messages, against Python, in front of a behavioural core; clear, errors."""

import random
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge
from Crypto.Util.number import getPrime
from tests.rtl.clocked import Started, elapse, pulse, start
from tests.rtl.keygen.test_key_generator import cycles_of, words

from totient.common.contract import ErrorCode

FOLDER = Path(__file__).parent
MODEL = FOLDER.parent / "bus" / "modexp_model.sv"
ONES = 0xFFFFFFFF
INPUTS = (
    *("clear", "write", "written", "write_index", "write_word", "step_valid", "step", "p_bits"),
    *("q_bits", "exponent", "exponent_bits", "rsp_ready", "read", "read_index"),
)
REGISTERS = (
    *("error_q", "cycles_q", "place_q", "copy_index_q", "key_bits_q", "exponent_bits_q"),
    *("key_words_q", "p_bits_q", "q_bits_q", "exponent_q"),
)


class Step(IntEnum):
    """`step_e` of `keygen_pkg`."""

    GENERATE, PUBLIC, PRIVATE, GIVEN, MESSAGE = range(5)


class Write(IntEnum):
    """`written_e`."""

    P, Q, MODULUS, EXPONENT, MESSAGE = range(5)


class Read(IntEnum):
    """`read_e`."""

    MODULUS, PRIVATE, TOTIENT, RESULT = range(4)


@dataclass(frozen=True)
class Key:
    """Two primes and a public exponent."""

    p: int
    q: int
    e: int

    @property
    def n(self) -> int:
        """The modulus."""
        return self.p * self.q

    @property
    def totient(self) -> int:
        """phi(n)."""
        return (self.p - 1) * (self.q - 1)

    @property
    def d(self) -> int:
        """The private exponent."""
        return pow(self.e, -1, self.totient)

    @property
    def lengths(self) -> tuple[int, int]:
        """Bits of the primes."""
        return self.p.bit_length(), self.q.bit_length()


class Bench(Started):
    """The sequencer and the model of a core."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.width, self.most = int(dut.Width.value), int(dut.PrimeBits.value)
        self.draw = random.Random(self.width)

    async def start(self) -> None:
        """Start the clock, leave the reset, wait until the core has wiped."""
        await start(self.dut, *INPUTS)
        await self.ready()

    async def ready(self) -> None:
        """Wait for the next step, with nothing to be taken."""
        while not self.dut.step_ready_o.value:
            assert not self.dut.rsp_valid_o.value
            await FallingEdge(self.dut.clk_i)

    async def write(self, what: Write, value: int) -> None:
        """All words of a number."""
        self.dut.write_i.value, self.dut.written_i.value = 1, what
        for index in range(words(self.most if what in (Write.P, Write.Q) else self.width)):
            self.dut.write_index_i.value = index
            self.dut.write_word_i.value = value >> 32 * index & ONES
            await FallingEdge(self.dut.clk_i)
        self.dut.write_i.value = 0

    async def read(self, what: Read, bits: int) -> int:
        """A number, word by word."""
        value = 0
        self.dut.read_i.value = what
        for index in range(words(bits)):
            self.dut.read_index_i.value = index
            await FallingEdge(self.dut.clk_i)
            value |= int(self.dut.read_word_o.value) << 32 * index
        return value

    async def step(self, step: Step) -> tuple[int, int]:
        """Do a step up to its response: error and cycles, which are counted here, too."""
        await self.ready()
        self.dut.step_i.value = step
        await pulse(self.dut, "step_valid")
        cycles = 1
        while not self.dut.rsp_valid_o.value:
            assert not self.dut.step_ready_o.value
            await FallingEdge(self.dut.clk_i)
            cycles += 1
            assert cycles < 10_000, "hang"
        answer = int(self.dut.rsp_error_o.value), int(self.dut.rsp_cycles_o.value)
        assert answer[1] == cycles
        return answer

    async def does(self, step: Step, around: int, of_core: int | None = None) -> None:
        """A step without an error, in the cycles of the generator or the core and those around."""
        error, cycles = await self.step(step)
        assert error == ErrorCode.OK, step
        core = int(self.dut.core_cycles_o.value) if of_core is None else of_core
        assert cycles == core + around, step
        await pulse(self.dut, "rsp_ready")

    async def refused(self, step: Step, error: ErrorCode) -> int:
        """A step with an error; its cycles."""
        found, cycles = await self.step(step)
        assert found == error, step
        await pulse(self.dut, "rsp_ready")
        return cycles

    async def primes(self, key: Key) -> None:
        """Write two primes, and state their lengths and the exponent."""
        await self.ready()
        await self.write(Write.P, key.p)
        await self.write(Write.Q, key.q)
        self.dut.p_bits_i.value, self.dut.q_bits_i.value = key.lengths
        self.dut.exponent_i.value = key.e

    async def generates(self, key: Key) -> None:
        """Make a key, which is right."""
        await self.primes(key)
        await self.does(Step.GENERATE, 2, cycles_of(*key.lengths, [key.e]))
        assert int(self.dut.exponent_o.value) == key.e
        for read, value in (
            (Read.MODULUS, key.n),
            (Read.PRIVATE, key.d),
            (Read.TOTIENT, key.totient),
        ):
            assert await self.read(read, sum(key.lengths)) == value, read

    async def loads(self, step: Step) -> None:
        """Load one of its exponents."""
        await self.does(step, 2 * words(self.width) + 3)

    async def gives(self, modulus: int, exponent: int, message: int, wait: int = 0) -> None:
        """The power of a message, which stays until it is taken."""
        await self.ready()
        await self.write(Write.MESSAGE, message)
        error, cycles = await self.step(Step.MESSAGE)
        assert error == ErrorCode.OK
        assert cycles == int(self.dut.model.rsp_cycles.value) + 2
        await elapse(self.dut, 1 + wait)
        for _ in range(2):
            assert await self.read(Read.RESULT, self.width) == pow(message, exponent, modulus)
        assert self.dut.rsp_valid_o.value
        assert int(self.dut.rsp_cycles_o.value) == cycles
        await pulse(self.dut, "rsp_ready")

    def key(self, p_bits: int, q_bits: int) -> Key:
        """One with a small public exponent, which is coprime to the totient."""
        while True:
            p, q = (getPrime(bits, self.draw.randbytes) for bits in (p_bits, q_bits))
            key = Key(p, q, self.draw.choice((3, 5, 17, 257)))
            if p != q and key.totient % key.e:
                return key


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def keys_and_messages(dut: Any) -> None:
    """Both exponents of keys of several lengths, after a longer key, which leaves nothing."""
    bench = await Bench.started(dut)
    most, draw = bench.most, bench.draw
    for lengths in ((most, most), (most, most - 1), (most // 2, most // 2 + 1), (most, 5)):
        key = bench.key(*lengths)
        await bench.ready()
        await bench.write(Write.MODULUS, (1 << bench.width) - 1)
        await bench.write(Write.EXPONENT, (1 << bench.width) - 1)
        dut.exponent_bits_i.value = bench.width
        await bench.does(Step.GIVEN, 2)
        await bench.generates(key)
        for step, exponent in ((Step.PUBLIC, key.e), (Step.PRIVATE, key.d), (Step.PUBLIC, key.e)):
            await bench.loads(step)
            for message in (0, 1, key.n - 1, draw.randrange(key.n)):
                await bench.gives(key.n, exponent, message, draw.choice((0, 0, 7)))


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def lengths_of_exponents(dut: Any) -> None:
    """The public one is as long as it is, the private one as the modulus; a given one as stated."""
    bench = await Bench.started(dut)
    key = bench.key(bench.most, bench.most - 1)
    await bench.generates(key)
    for step, bits in ((Step.PUBLIC, key.e.bit_length()), (Step.PRIVATE, sum(key.lengths))):
        await bench.loads(step)
        assert int(dut.model.key_bits.value) == bits
    for bits in (1, 7, bench.width):
        exponent = bench.draw.getrandbits(bench.width)
        await bench.ready()
        await bench.write(Write.MODULUS, key.n)
        await bench.write(Write.EXPONENT, exponent)
        dut.exponent_bits_i.value = bits
        await bench.does(Step.GIVEN, 2)
        await bench.gives(key.n, exponent & (1 << bits) - 1, key.n // 3)


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def errors_are_passed_on(dut: Any) -> None:
    """And a key that was replaced or refused is not used."""
    bench = await Bench.started(dut)
    key = bench.key(bench.most, bench.most)
    for step in (Step.PUBLIC, Step.PRIVATE):
        assert await bench.refused(step, ErrorCode.NO_KEY) == 1
    await bench.refused(Step.MESSAGE, ErrorCode.NO_KEY)
    await bench.generates(key)
    await bench.loads(Step.PUBLIC)
    await bench.write(Write.MESSAGE, key.n)
    await bench.refused(Step.MESSAGE, ErrorCode.BASE_NOT_BELOW)
    await bench.gives(key.n, key.e, key.n - 2)
    for prime in (Write.P, Write.Q):
        await bench.write(prime, 11)
        await bench.refused(Step.PRIVATE, ErrorCode.NO_KEY)
        await bench.generates(key)
    await bench.primes(Key(key.p, key.p, key.e))
    await bench.refused(Step.GENERATE, ErrorCode.PRIME)
    await bench.refused(Step.PUBLIC, ErrorCode.NO_KEY)
    dut.exponent_bits_i.value = 0
    await bench.refused(Step.GIVEN, ErrorCode.EXPONENT_EMPTY)
    await bench.generates(key)
    await bench.loads(Step.PRIVATE)
    await bench.gives(key.n, key.d, 2)


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def writes_in_a_step_are_lost(dut: Any) -> None:
    """A prime, an operand or a message that comes while a step is done changes nothing."""
    bench = await Bench.started(dut)
    key = bench.key(bench.most, bench.most - 1)
    await bench.primes(key)
    for step, message in (
        (Step.GENERATE, None),
        (Step.PRIVATE, None),
        (Step.PUBLIC, None),
        (Step.MESSAGE, 5),
    ):
        await bench.ready()
        if message is not None:
            await bench.write(Write.MESSAGE, message)
        dut.step_i.value = step
        await pulse(dut, "step_valid")
        dut.write_i.value, dut.write_word_i.value, dut.write_index_i.value = 1, ONES, 0
        waited = 0
        while not dut.rsp_valid_o.value or waited < 20:
            dut.written_i.value = waited % len(Write)
            await FallingEdge(dut.clk_i)
            waited += 1
        dut.write_i.value = 0
        assert int(dut.rsp_error_o.value) == ErrorCode.OK, step
        if message is not None:
            assert await bench.read(Read.RESULT, bench.width) == pow(message, key.e, key.n)
        await pulse(dut, "rsp_ready")


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def clear_wipes(dut: Any) -> None:
    """At any time: no key, no register with a number, and the next key is right."""
    bench = await Bench.started(dut)
    draw = bench.draw
    for _ in range(20):
        key = bench.key(bench.most, bench.most - 1)
        step = draw.choice((*Step,))
        await bench.generates(key)
        if step == Step.MESSAGE:
            await bench.loads(Step.PRIVATE)
            await bench.write(Write.MESSAGE, 3)
        await bench.ready()
        dut.step_i.value = step
        await pulse(dut, "step_valid")
        await elapse(dut, draw.randrange(150))
        await pulse(dut, "clear")
        for name in REGISTERS:
            assert int(getattr(dut.dut, name).value) == 0, name
        await bench.ready()
        await bench.refused(Step.PRIVATE, ErrorCode.NO_KEY)
        await bench.refused(Step.MESSAGE, ErrorCode.NO_KEY)
        for read in (Read.MODULUS, Read.PRIVATE, Read.TOTIENT, Read.RESULT):
            assert await bench.read(read, sum(key.lengths)) == 0, read
    await bench.generates(key)
    await bench.loads(Step.PRIVATE)
    await bench.gives(key.n, key.d, 2)


@pytest.mark.parametrize(
    ("prime_bits", "exponent_bits", "width"), [(8, 9, 16), (32, 32, 64), (33, 17, 100), (8, 9, 200)]
)
def test_rsa_sequencer(run_cocotb: Any, prime_bits: int, exponent_bits: int, width: int) -> None:
    run_cocotb(
        "totient:keygen:rsa_sequencer",
        {"PrimeBits": prime_bits, "ExponentBits": exponent_bits, "Width": width},
        top="rsa_sequencer_bench",
        extra=[MODEL, FOLDER / "rsa_sequencer_bench.sv"],
    )
