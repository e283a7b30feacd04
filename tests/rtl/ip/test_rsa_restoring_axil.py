"""The IP by restoring division behind its registers: published runs, refused input, reset."""

from typing import Any

import cocotb
import pytest
from tests.rtl.ip.test_rsa_keygen_axil import (
    CLK_COUNT,
    CONTROL,
    DATA_DECRYPT,
    DATA_ENCRYPT,
    DATA_MSG,
    DECRYPT,
    ENCRYPT,
    FINISH,
    GIVEN,
    N_OUTPUT,
    RESET,
    RESET_INVERT,
    START,
    STEPS,
    Bench,
    Run,
)

from totient.common.contract import ErrorCode
from totient.golden.keygen import euclid_divisions, tried_exponents

READ = (DATA_MSG, DATA_ENCRYPT, DATA_DECRYPT, N_OUTPUT, CLK_COUNT, STEPS)


def expected(dut: Any, p: int, q: int, message: int, mode: int) -> Run:
    step = 2 * int(dut.Width.value) + int(dut.Stages.value) + 2
    n, totient = p * q, (p - 1) * (q - 1)
    tried = tried_exponents(totient)
    e, d = tried[-1], pow(tried[-1], -1, totient)
    exponent = d if mode == DECRYPT else e
    keys = euclid_divisions(totient, tried) * step + int(dut.Stages.value) + 3
    raising = exponent.bit_length() * step + 1
    return Run(pow(message, exponent, n), e, d, n, keys + raising, 0, keys, raising)


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def published_runs(dut: Any) -> None:
    bench = await Bench.started(dut)
    examples = [(11, 13)]
    if int(dut.Width.value) >= 30:
        examples.append((9973, 80231))
    for p, q in examples:
        cipher = expected(dut, p, q, 9, ENCRYPT)
        assert await bench.run(ENCRYPT, p=p, q=q, message=9) == cipher
        plain = await bench.run(DECRYPT, message=cipher.result)
        assert plain == expected(dut, p, q, cipher.result, DECRYPT)
        assert plain.result == 9
        given = await bench.run(GIVEN, key=cipher.e, modulus=cipher.n, message=9)
        count = given.message_cycles
        assert count == cipher.message_cycles + 1
        assert given == Run(cipher.result, 0, 0, cipher.n, count, 0, 0, count)


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def refused_and_right_again(dut: Any) -> None:
    bench = await Bench.started(dut)
    for mode, registers, error in (
        (ENCRYPT, {"p": 12, "q": 13, "message": 9}, ErrorCode.PRIME),
        (ENCRYPT, {"p": 11, "q": 13, "message": 143}, ErrorCode.BASE_NOT_BELOW),
        (GIVEN, {"key": 0, "modulus": 143, "message": 9}, ErrorCode.EXPONENT_EMPTY),
        (GIVEN, {"key": 7, "modulus": 1, "message": 0}, ErrorCode.MODULUS_SMALL),
    ):
        got = await bench.run(mode, **registers)
        assert (got.error, got.result, got.n, got.e, got.d) == (error, 0, 0, 0, 0)
    even = await bench.run(GIVEN, key=7, modulus=142, message=9)
    assert (even.error, even.result) == (0, pow(9, 7, 142))
    assert await bench.run(ENCRYPT, p=11, q=13, message=9) == expected(dut, 11, 13, 9, ENCRYPT)


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def reset_ends_and_wipes(dut: Any) -> None:
    """While it works and when it has ended, by either polarity; a second start is ignored."""
    bench = await Bench.started(dut)
    for control, later, prime in (
        (RESET, 0, {"p": 11}),
        (RESET_INVERT, 0, {"q": 13}),
        (RESET, 400, {"p": 11}),
        (RESET_INVERT, 2000, {"q": 13}),
    ):
        await bench.write(CONTROL, 0)
        assert (await bench.run(GIVEN, key=7, modulus=143, message=9)).error == ErrorCode.OK
        assert await bench.run(ENCRYPT, p=11, q=13, message=9) == expected(dut, 11, 13, 9, ENCRYPT)
        await bench.write(CONTROL, START)
        assert await bench.read(FINISH) == 0x100
        await bench.write(CONTROL, START)
        for _ in range(later // 4):
            await bench.read(FINISH)
        await bench.write(CONTROL, control)
        assert await bench.read(FINISH) == 0
        for address in READ:
            assert await bench.read(address) == 0
        await bench.write(CONTROL, RESET | RESET_INVERT)
        # Each operand is gone, too: what is not written again is 0.
        assert (await bench.run(ENCRYPT, **prime)).error == ErrorCode.PRIME
        assert (await bench.run(GIVEN, key=7)).error == ErrorCode.MODULUS_SMALL
        await bench.write(CONTROL, RESET)
        await bench.write(CONTROL, 0)
        assert (await bench.run(GIVEN, modulus=143)).error == ErrorCode.EXPONENT_EMPTY
        got = await bench.run(GIVEN, key=7)
        assert (got.error, got.n, got.result) == (0, 143, 0)


@pytest.mark.parametrize(("width", "stages"), [(13, 2), (32, 14), (64, 9)])
def test_rsa_restoring_axil(run_cocotb: Any, width: int, stages: int) -> None:
    run_cocotb("totient:ip:rsa_restoring_axil", {"Width": width, "Stages": stages})
