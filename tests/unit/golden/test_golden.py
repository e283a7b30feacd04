"""The algorithms in integers against Python's own pow and products."""

from random import Random

import pytest

from totient.golden.exponentiation import (
    binary_products,
    montgomery_constants,
    montgomery_power,
    repeated_products,
)
from totient.golden.interleaved import InterleavedMultiplier
from totient.golden.montgomery import MontgomeryMultiplier, negative_inverse

WIDTHS = [8, 33, 64, 127, 1031]


def moduli(width: int, draw: Random) -> list[int]:
    """The smallest, a short, two random and the largest odd modulus of `width` bits."""
    top = 1 << (width - 1)
    drawn = [top | draw.getrandbits(width - 1) | 1 for _ in range(2)]
    return [3, 2 ** (width // 2) + 1, top + 1, *drawn, 2**width - 1]


def below(bound: int, draw: Random) -> list[int]:
    """Corner values and random ones below `bound`."""
    return [0, 1, bound - 1, bound // 2, draw.randrange(bound)]


@pytest.mark.parametrize("word_bits", [8, 16, 32])
def test_negative_inverse(word_bits: int) -> None:
    draw = Random(word_bits)
    for n in (1, 3, 2**word_bits - 1, draw.getrandbits(200) | 1):
        assert (negative_inverse(n, word_bits) * n + 1) % 2**word_bits == 0


@pytest.mark.parametrize("bits_per_cycle", [1, 2])
@pytest.mark.parametrize("width", WIDTHS)
def test_interleaved_products(width: int, bits_per_cycle: int) -> None:
    draw = Random(width)
    multiplier = InterleavedMultiplier(width, bits_per_cycle)
    for n in [1, 2, 2 ** (width - 1), *moduli(width, draw)]:
        for a in below(n, draw):
            for b in below(n, draw):
                if a < n and b < n:
                    assert multiplier.product(a, b, n) == a * b % n


def test_cycles_of_an_early_end() -> None:
    multiplier = InterleavedMultiplier(64, 2, early_end=True)
    # Whole groups of 16 zeros take a cycle each, the rest two bits a cycle, and one ends it.
    assert multiplier.cycles(2**64 - 1) == 32 + 1
    assert multiplier.cycles(2**48) == 32 + 1
    assert multiplier.cycles(2**48 - 1) == 1 + 24 + 1
    assert multiplier.cycles(0) == 4 + 1


@pytest.mark.parametrize("word_bits", [8, 16, 32])
@pytest.mark.parametrize("width", WIDTHS)
def test_montgomery_products_stay_below_two_moduli(width: int, word_bits: int) -> None:
    draw = Random(width)
    multiplier = MontgomeryMultiplier.for_width(width, word_bits)
    radix = 2**multiplier.radix_bits
    for n in moduli(width, draw):
        assert radix > 4 * n
        for a in below(2 * n, draw):
            for b in below(2 * n, draw):
                product = multiplier.product(a, b, n)
                assert product < 2 * n
                assert (product * radix - a * b) % n == 0
                for step in multiplier.steps(a, b, n):
                    assert step.s < b + n  # the bound that the array's last word is built for


@pytest.mark.parametrize("width", [8, 33, 64, 127])
def test_montgomery_constants_and_powers(width: int) -> None:
    draw = Random(width)
    multiplier = MontgomeryMultiplier.for_width(width, 16)
    for n in moduli(width, draw):
        constants = montgomery_constants(n, multiplier)
        assert constants.one == 2**multiplier.radix_bits % n
        assert constants.squared < 2 * n
        assert constants.squared % n == constants.one**2 % n
        for exponent in (0, 1, 2, n - 1, draw.getrandbits(width)):
            for base in below(n, draw):
                expected = pow(base, exponent, n)
                assert montgomery_power(base, exponent, width + 1, n, multiplier) == expected


@pytest.mark.parametrize("fixed_time", [False, True])
def test_binary_exponentiation(fixed_time: bool) -> None:
    draw = Random(5)
    for n in (2, 3, 4, 251, draw.getrandbits(64)):
        for exponent in (1, 2, 3, 2**16, 65537, draw.getrandbits(40)):
            base = draw.randrange(n)
            # Each product's operand is the base or the running power, so the last one is not
            # always the result: with fixed_time the product of a 0 bit is dropped.
            products = list(binary_products(base, exponent, 48, n, fixed_time))
            results = [product.result for product in products[-2:]] or [base]
            assert pow(base, exponent, n) in results
            if fixed_time:
                assert len(products) == 2 * 47
            else:
                assert len(products) == exponent.bit_length() + exponent.bit_count() - 2


def test_repeated_multiplication() -> None:
    for n, base, exponent in ((3859, 1141, 17), (101, 100, 5), (2, 1, 3)):
        products = list(repeated_products(base, exponent, n))
        assert len(products) == exponent - 1
        assert products[-1].result == pow(base, exponent, n)
        assert {product.scanned for product in products} == {base}
    assert not list(repeated_products(5, 1, 7))
    assert not list(repeated_products(5, 0, 7))
