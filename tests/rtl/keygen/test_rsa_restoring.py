"""RSA by products and restoring division, against Python: values, cycles, refusals, wipes."""

import random
from dataclasses import dataclass
from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge, RisingEdge, with_timeout
from cocotb.utils import get_sim_time
from Crypto.Util.number import getPrime, isPrime
from tests.rtl.clocked import elapse, pulse, start

from totient.common.contract import ErrorCode
from totient.golden.keygen import euclid_divisions, tried_exponents

NONE, LENGTH, EXPONENT = ErrorCode.OK, ErrorCode.LENGTH, ErrorCode.EXPONENT_EMPTY
SMALL, BASE, PRIME = ErrorCode.MODULUS_SMALL, ErrorCode.BASE_NOT_BELOW, ErrorCode.PRIME


@dataclass(frozen=True)
class Answer:
    """What the core answered."""

    error: int
    result: int
    n: int
    e: int
    d: int
    cycles: tuple[int, int]


async def ready(dut: Any) -> None:
    names = ("clear", "req_valid", "given", "decrypt", "p", "q", "message", "exponent", "modulus")
    await start(dut, *names, "rsp_ready")


async def ask(dut: Any, hold: int = 0, **inputs: int) -> Answer:
    """A request, and its answer, which is accepted `hold` cycles after it came."""
    for name in ("given", "decrypt", "p", "q", "message", "exponent", "modulus"):
        getattr(dut, f"{name}_i").value = inputs.get(name, 0)
    assert int(dut.req_ready_o.value) == 1
    await pulse(dut, "req_valid")
    # The core has its own copies.
    for name in ("p", "q", "message", "exponent", "modulus"):
        getattr(dut, f"{name}_i").value = 0
    began = get_sim_time("ns")
    assert int(dut.req_ready_o.value) == int(dut.result_o.value) == 0
    await with_timeout(RisingEdge(dut.rsp_valid_o), 2, "ms")
    await FallingEdge(dut.clk_i)
    passed = 1 + round((get_sim_time("ns") - began) / 10)
    found = [answer_of(dut)]
    for _ in range(hold):
        await FallingEdge(dut.clk_i)
        found.append(answer_of(dut))
    assert set(found) == {found[0]}, "the answer changes while it waits"
    assert found[0].error or sum(found[0].cycles) == passed
    await pulse(dut, "rsp_ready")
    return found[0]


def answer_of(dut: Any) -> Answer:
    names = ("rsp_error", "result", "modulus", "public", "private", "key_cycles", "message_cycles")
    error, result, n, e, d, *cycles = (int(getattr(dut, f"{name}_o").value) for name in names)
    return Answer(error, result, n, e, d, (cycles[0], cycles[1]))


def step_of(dut: Any) -> int:
    return 2 * int(dut.Width.value) + int(dut.Stages.value) + 2


async def makes(dut: Any, p: int, q: int, message: int, hold: int = 0) -> None:
    """A key and both directions, right, in the cycles of the header."""
    n, totient, step = p * q, (p - 1) * (q - 1), step_of(dut)
    tried = tried_exponents(totient)
    e, d = tried[-1], pow(tried[-1], -1, totient)
    keys = euclid_divisions(totient, tried) * step + int(dut.Stages.value) + 3
    for decrypt, exponent in ((0, e), (1, d)):
        got = await ask(dut, hold, decrypt=decrypt, p=p, q=q, message=message)
        cycles = keys, exponent.bit_length() * step + 1
        assert got == Answer(NONE, pow(message, exponent, n), n, e, d, cycles), (p, q, message)


async def raises(dut: Any, n: int, exponent: int, message: int, hold: int = 0) -> None:
    got = await ask(dut, hold, given=1, modulus=n, exponent=exponent, message=message)
    cycles = 0, exponent.bit_length() * step_of(dut) + 2
    expected = Answer(NONE, pow(message, exponent, n), n, 0, 0, cycles)
    assert got == expected, (n, exponent, message)


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def published(dut: Any) -> None:
    """The document's examples, where they fit."""
    await ready(dut)
    for p, q in ((9973, 80231), (11, 13)):
        if (p * q).bit_length() <= int(dut.Width.value):
            await makes(dut, p, q, 9)
            await raises(dut, p * q, 7, 9)


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def keys(dut: Any) -> None:
    """Small primes, primes of all lengths, messages at both ends, answers held back."""
    width = int(dut.Width.value)
    draw = random.Random(width)
    await ready(dut)
    small = [p for p in range(3, 24) if isPrime(p)]
    pairs = [(p, q) for p in small[:3] for q in small if p != q]
    for _ in range(4):
        bits = draw.randint(3, width - 3)
        pair = tuple(getPrime(min(b, 32), draw.randbytes) for b in (bits, width - bits))
        pairs.append((pair[0], pair[1]))
    for p, q in pairs:
        if p != q and min(p, q) > 2 and (p * q).bit_length() <= width:
            message = draw.choice((0, 1, p * q - 1, draw.randrange(p * q)))
            await makes(dut, p, q, message, draw.choice((0, 0, 3)))


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def given_keys(dut: Any) -> None:
    """Any modulus above 1, even ones too, with exponents and messages at both ends."""
    width = int(dut.Width.value)
    draw = random.Random(width)
    await ready(dut)
    top = (1 << width) - 1
    moduli = (2, 3, 4, 1 << width - 1, top, top - 1, draw.getrandbits(width) | 2, 143, 144)
    for n in moduli:
        for message in (0, 1, n - 1, draw.randrange(n)):
            exponent = draw.choice((1, 2, 3, top, draw.getrandbits(width) | 1))
            await raises(dut, n, exponent, message, draw.choice((0, 0, 2)))


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def bad_input_is_refused(dut: Any) -> None:
    """With an error and no number, and the next operation is right."""
    width = int(dut.Width.value)
    await ready(dut)
    long = [
        ({"p": 11, "q": 13, "message": 1 << width}, LENGTH),
        ({"given": 1, "modulus": 1 << width | 143, "exponent": 7, "message": 9}, LENGTH),
        ({"given": 1, "modulus": 143, "exponent": 1 << width | 7, "message": 9}, LENGTH),
    ]
    if width < 32:
        long += [({"p": 1 << width | 11, "q": 13, "message": 9}, LENGTH)]
        long += [({"p": 11, "q": 1 << width | 13, "message": 9}, LENGTH)]
    if width <= 62:
        p = (1 << (width + 1) // 2) + 1
        long += [({"p": p, "q": p + 2, "message": 9}, LENGTH)]
    for inputs, error in (
        *(long if width < 64 else ()),
        ({"p": 12, "q": 13, "message": 9}, PRIME),
        ({"p": 11, "q": 14, "message": 9}, PRIME),
        ({"p": 11, "q": 11, "message": 9}, PRIME),
        ({"p": 1, "q": 13, "message": 9}, PRIME),
        ({"p": 11, "q": 0, "message": 9}, PRIME),
        ({"p": 11, "q": 13, "message": 143}, BASE),
        ({"given": 1, "modulus": 143, "exponent": 7, "message": 143}, BASE),
        ({"given": 1, "modulus": 143, "exponent": 7, "message": 144}, BASE),
        ({"given": 1, "modulus": 143, "exponent": 0, "message": 9}, EXPONENT),
        ({"given": 1, "modulus": 1, "exponent": 7, "message": 0}, SMALL),
        ({"given": 1, "modulus": 0, "exponent": 7, "message": 0}, SMALL),
    ):
        got = await ask(dut, 1, **inputs)
        assert (got.error, got.result, got.n, got.e, got.d) == (error, 0, 0, 0, 0), inputs
    await makes(dut, 11, 13, 9)


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def an_end_in_the_middle_wipes(dut: Any) -> None:
    """By reset or clear, at any time: no register keeps a number, the next operation is right."""
    width, stages = int(dut.Width.value), int(dut.Stages.value)
    draw = random.Random(width)
    await ready(dut)
    names = (
        *("p", "q", "modulus", "totient", "public", "private", "exponent", "power", "result"),
        *("before", "divisor", "factor_before", "factor"),
    )
    for reset in (False, True) * 6:
        inputs = {"p": 11, "q": 13, "message": 9, "decrypt": 1}
        for name, value in inputs.items():
            getattr(dut, f"{name}_i").value = value
        await pulse(dut, "req_valid")
        await elapse(dut, draw.randrange(2 * (4 * step_of(dut) + stages)))
        if reset:
            dut.rst_ni.value = 0
            await FallingEdge(dut.clk_i)
            dut.rst_ni.value = 1
        else:
            await pulse(dut, "clear")
        assert int(dut.req_ready_o.value) == 1
        assert int(dut.rsp_valid_o.value) == 0
        registers = [getattr(dut, f"{name}_q") for name in names]
        for i in range(2):
            units = dut.gen_units[i]
            registers += [units.u_multiplier.x_q, units.u_multiplier.y_q]
            registers += [units.u_multiplier.product_q, units.u_divider.word_q]
            registers += [units.u_divider.rest_q]
        for register in registers:
            assert int(register.value) == 0, register
        await elapse(dut, draw.randrange(2 * stages))
        assert int(dut.rsp_valid_o.value) == 0
        await makes(dut, 11, 13, 9)


@pytest.mark.parametrize(("width", "stages"), [(8, 2), (32, 14), (33, 5), (64, 32)])
def test_rsa_restoring(run_cocotb: Any, width: int, stages: int) -> None:
    run_cocotb("totient:keygen:rsa_restoring", {"Width": width, "Stages": stages})
