"""Keys from primes of all lengths, against Python; refused input; clear in the middle."""

import math
import random
from dataclasses import dataclass
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, with_timeout
from Crypto.Util.number import getPrime, isPrime
from tests.rtl.clocked import elapse, pulse, start

NONE, LENGTH, PRIME, EXPONENT = 0, 4, 11, 12
MODULUS, PRIVATE, TOTIENT = 0, 1, 2


@dataclass(frozen=True)
class Answer:
    """What the generator answered."""

    error: int
    cycles: int
    exponent: int


def words(bits: int) -> int:
    return -(-bits // 32)


def cycles_of(p_bits: int, q_bits: int, exponents: list[int]) -> int:
    """Of a good key, by the formula of the header."""
    both, last = p_bits + q_bits, exponents[-1].bit_length()
    return (
        words(p_bits) * words(q_bits)
        + max(words(p_bits), words(q_bits))
        + words(p_bits)
        + words(q_bits)
        + sum(both + 2 * e.bit_length() + 7 for e in exponents)
        + words(both + last)
        + both
        + last
        + 16
    )


async def write(dut: Any, prime: int, value: int) -> None:
    dut.write_i.value, dut.write_prime_i.value = 1, prime
    for index in range(words(int(dut.PrimeBits.value))):
        dut.write_index_i.value = index
        dut.write_word_i.value = value >> 32 * index & 0xFFFFFFFF
        await FallingEdge(dut.clk_i)
    dut.write_i.value = 0


async def request(dut: Any, p: int, q: int, lengths: tuple[int, int], exponent: int = 0) -> None:
    while not dut.req_ready_o.value:
        await FallingEdge(dut.clk_i)
    await write(dut, 0, p)
    await write(dut, 1, q)
    dut.p_bits_i.value, dut.q_bits_i.value = lengths
    dut.exponent_i.value = exponent
    await pulse(dut, "req_valid")


async def answer(dut: Any) -> Answer:
    cycles = 1
    while not dut.rsp_valid_o.value:
        await FallingEdge(dut.clk_i)
        cycles += 1
        assert cycles < 100_000, "hang"
    result = Answer(
        int(dut.rsp_error_o.value), int(dut.rsp_cycles_o.value), int(dut.exponent_o.value)
    )
    assert result.cycles == cycles
    await pulse(dut, "rsp_ready")
    return result


async def number(dut: Any, which: int, bits: int) -> int:
    value = 0
    for index in range(words(bits)):
        dut.number_i.value, dut.number_index_i.value = which, index
        await FallingEdge(dut.clk_i)
        value |= int(dut.number_word_o.value) << 32 * index
    return value


async def generates(
    dut: Any, p: int, q: int, exponent: int = 0, lengths: tuple[int, int] | None = None
) -> None:
    """A key, right, in the stated cycles; or the exponent is refused."""
    lengths = lengths or (p.bit_length(), q.bit_length())
    totient = (p - 1) * (q - 1)
    tried = [exponent] if exponent else [3]
    while math.gcd(tried[-1], totient) > 1 and not exponent:
        tried.append(tried[-1] + 2)
    await request(dut, p, q, lengths, exponent)
    got = await with_timeout(answer(dut), 2, "ms")
    if math.gcd(tried[-1], totient) > 1:
        assert (got.error, got.exponent) == (EXPONENT, 0)
        assert await number(dut, PRIVATE, sum(lengths)) == 0
        return
    assert (got.error, got.exponent) == (NONE, tried[-1]), (p, q, lengths)
    assert await number(dut, MODULUS, sum(lengths)) == p * q
    assert await number(dut, TOTIENT, sum(lengths)) == totient
    assert await number(dut, PRIVATE, sum(lengths)) == pow(tried[-1], -1, totient)
    assert got.cycles == cycles_of(*lengths, tried), (p, q, tried)


async def ready(dut: Any) -> None:
    names = ("clear", "write", "write_prime", "write_index", "write_word", "req_valid")
    await start(dut, *names, "p_bits", "q_bits", "exponent", "rsp_ready", "number", "number_index")


@cocotb.test(timeout_time=500, timeout_unit="ms")
async def keys(dut: Any) -> None:
    most, short = int(dut.PrimeBits.value), int(dut.ExponentBits.value)
    draw = random.Random(most)
    await ready(dut)
    primes = [p for p in range(3, 24) if isPrime(p)]
    for p in primes[:6]:
        for q in primes:
            if p != q and max(p, q).bit_length() <= most:
                await generates(dut, p, q)
    lengths = [(most, most), (most, max(most // 2, 4)), (3, most), (most, most - 1)]
    # Some 10,000 cycles a key of the longest primes.
    more = 12 if most < 1000 else 1
    lengths += [(draw.randint(3, most), draw.randint(3, most)) for _ in range(more)]
    for p_bits, q_bits in lengths:
        p = q = getPrime(p_bits, draw.randbytes)
        while p == q:
            q = getPrime(q_bits, draw.randbytes)
        stated = draw.randint(p_bits, most), draw.randint(q_bits, most)
        exponents = (0, 3, 65537 % (1 << short), (1 << short) - 1, draw.getrandbits(short) | 1)
        for exponent in exponents if most < 1000 else draw.sample(exponents, 2):
            if exponent != 1:
                await generates(dut, p, q, exponent, draw.choice((None, stated)))


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def bad_input_is_refused(dut: Any) -> None:
    """With an error code, and the next key is right."""
    most = int(dut.PrimeBits.value)
    await ready(dut)
    top = (1 << most) - 1
    for p, q, lengths, exponent, error in (
        (11, 13, (0, 4), 0, LENGTH),
        (11, 13, (4, 0), 0, LENGTH),
        (11, 13, (3, 4), 0, LENGTH),
        (11, 13, (4, 3), 0, LENGTH),
        (top, 13, (most - 1 if most % 32 != 1 else 40, 4), 0, LENGTH),
        (12, 13, (4, 4), 0, PRIME),
        (11, 14, (4, 4), 0, PRIME),
        (11, 11, (4, 4), 0, PRIME),
        (1, 13, (4, 4), 0, PRIME),
        (11, 1, (4, 4), 0, PRIME),
        (0, 13, (4, 4), 0, PRIME),
        (11, 13, (4, 4), 1, EXPONENT),
        (11, 13, (4, 4), 2, EXPONENT),
        (11, 13, (4, 4), 3, EXPONENT),
    ):
        await request(dut, p, q, lengths, exponent)
        got = await answer(dut)
        assert (got.error, got.exponent) == (error, 0), (p, q, lengths, exponent)
        for which in (MODULUS, PRIVATE, TOTIENT):
            assert await number(dut, which, 8) == 0
        await generates(dut, 11, 13)
    if (1 << int(dut.PrimeBits.value).bit_length()) - 1 > most:
        await request(dut, 11, 13, (most + 1, 4))
        assert (await answer(dut)).error == LENGTH


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def clear_wipes(dut: Any) -> None:
    """At any time: nothing is left in any register or memory, and the next key is right."""
    most = int(dut.PrimeBits.value)
    draw = random.Random(most)
    await ready(dut)
    for _ in range(25 if most < 1000 else 4):
        p, q = (draw.getrandbits(bits) | 1 << bits - 1 | 1 for bits in (most, most - 1))
        await request(dut, p, q, (most, most - 1), 0)
        await elapse(dut, draw.randrange(cycles_of(most, most - 1, [3]) + 20))
        await pulse(dut, "clear")
        while not dut.req_ready_o.value:
            assert not dut.rsp_valid_o.value
            await FallingEdge(dut.clk_i)
        for memory in (dut.u_p, dut.u_q, dut.u_n, dut.u_t, dut.u_d):
            assert not any(int(each.value) for each in memory.memory)
        for register in (
            *(dut.p_word, dut.q_word, dut.n_word, dut.t_word, dut.d_word, dut.scaled_q),
            *(dut.scaled_left_q, dut.totient_word_q, dut.factor_q, dut.exponent_q, dut.left_q),
            *(dut.u_multiplier.total_q, dut.u_multiplier.product, dut.u_divider.word_q),
            *(dut.u_divider.rest_q, dut.u_inverse.u_q, dut.u_inverse.v_q, dut.u_inverse.x_q),
        ):
            assert int(register.value) == 0, register
    await generates(dut, 11, 13)


@pytest.mark.parametrize(
    ("prime_bits", "exponent_bits"),
    [
        *((4, 4), (4, 32), (32, 32), (33, 17), (128, 32), (1031, 32)),
        pytest.param(2048, 32, marks=pytest.mark.slow),
    ],
)
def test_key_generator(run_cocotb: Any, prime_bits: int, exponent_bits: int) -> None:
    run_cocotb(
        "totient:keygen:key_generator", {"PrimeBits": prime_bits, "ExponentBits": exponent_bits}
    )
