"""Right-to-left Montgomery exponentiation against Python's `pow` and the catalog's cycles."""

from typing import Any

import cocotb
import pytest
from cocotb.triggers import FallingEdge
from tests.rtl.modexp.modexp_bench import (
    EXPONENTIATE,
    TESTS,
    Bench,
    Key,
    cases,
    random_odd,
)

CASES = cases(
    {
        "fixed": ({}, (8, 14, 15, 33, 64, 127, 258, 1031)),
        "short": ({"FixedTime": 0}, (8, 33, 64, 127)),
        "words-of-8": ({"WordBits": 8}, (8, 33, 127)),
        "words-of-8-short": ({"WordBits": 8, "FixedTime": 0}, (16,)),
        "words-of-32": ({"WordBits": 32, "FixedTime": 0}, (8, 62, 63, 127)),
    }
)


@pytest.mark.parametrize("parameters", CASES)
def test_modexp_montgomery(run_cocotb: Any, parameters: dict[str, int]) -> None:
    run_cocotb("totient:modexp:modexp_montgomery", parameters, tests=TESTS)


@cocotb.test()
async def work_of_exponents(dut: Any) -> None:
    """With a fixed time the multiplier gets a number for each bit, whatever the bit is.

    The time alone does not show it: the squarer needs as long as the multiplier.
    """
    bench = await Bench.started(dut)
    bits, n = bench.width, random_odd(bench.random, bench.width)
    words = len(dut.n_q) // int(dut.WordBits.value)
    taken = {}
    for exponent in (0, 1, 1 << bits - 1, 0b101, (1 << bits) - 1, bench.random.getrandbits(bits)):
        await bench.load_key(Key(n, exponent, bits))
        await bench.offer(EXPONENTIATE, bases=(n - 2,))
        taken[exponent] = 0
        while not bench.response["rsp_valid"]:
            await FallingEdge(dut.clk_i)
            bench.request.drive(req_valid=0)
            taken[exponent] += int(dut.multiply_valid.value) & int(dut.multiply_ready.value)
        bench.request.drive(rsp_ready=1)
        await FallingEdge(dut.clk_i)
        bench.request.drive(rsp_ready=0)
    if int(dut.FixedTime.value):
        assert set(taken.values()) == {bits * words}
    else:  # for each bit that is 1, and one for the exponent 0
        assert taken == {each: max(1, each.bit_count()) * words for each in taken}


@pytest.mark.parametrize("fixed", [0, 1])
@pytest.mark.parametrize(("width", "word_bits"), [(33, 16), (64, 8)])
def test_work_of_exponents(run_cocotb: Any, fixed: int, width: int, word_bits: int) -> None:
    run_cocotb(
        "totient:modexp:modexp_montgomery",
        {"Width": width, "WordBits": word_bits, "FixedTime": fixed},
    )
