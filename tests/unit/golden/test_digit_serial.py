"""The digit-serial algorithms: both give a b / R, within their bounds, whatever the digit."""

from random import Random

import pytest

from totient.golden.digit_serial import BitSerialMultiplier, DigitSerialMultiplier


def operands(width: int) -> list[tuple[int, int, int]]:
    """Triples a, b, m: corners and random ones, moduli short, smallest and largest."""
    draw = Random(width)
    found = []
    for m in (
        3,
        2 ** (width - 1) + 1,
        2**width - 1,
        draw.getrandbits(width) | 1 << (width - 1) | 1,
    ):
        corners = [0, 1, m - 1, m, 2 * m - 1, draw.randrange(2 * m)]
        found += [(a, b, m) for a in corners for b in corners]
    return found


@pytest.mark.parametrize("digit_bits", [1, 2, 3, 4, 7, 16])
@pytest.mark.parametrize("width", [16, 33, 64, 127])
def test_separated_products(width: int, digit_bits: int) -> None:
    multiplier = DigitSerialMultiplier(width, digit_bits)
    radix = 2**multiplier.radix_bits
    for a, b, m in operands(width):
        assert 4 * m <= radix
        shown = 0
        quotient = 0
        for i, step in enumerate(multiplier.separated(a, b, m)):
            shown |= step.t_digit << (i * digit_bits)
            quotient |= step.quotient << (i * digit_bits)
            assert step.product < b << digit_bits or step.product == b == 0
            assert step.reduction <= m
            # The remaining and the shown parts make up the two plain products.
            place = 2 ** ((i + 1) * digit_bits)
            assert step.product * place + shown == (a % place) * b
            assert step.reduction * place + (-shown) % place == quotient * m
            assert step.carry == (shown == 0)
        result = multiplier.product(a, b, m)
        assert result < 2 * m
        assert result * radix == a * b + quotient * m


@pytest.mark.parametrize("width", [16, 33, 64, 127])
def test_interleaved_and_separated_products_are_equal(width: int) -> None:
    multiplier = DigitSerialMultiplier(width)
    for a, b, m in operands(width):
        p = 0
        for interleaved, separated in zip(
            multiplier.interleaved(a, b, m), multiplier.separated(a, b, m), strict=True
        ):
            assert interleaved.quotient == separated.quotient
            assert interleaved.p < b + m
            p = interleaved.p
        assert p == multiplier.product(a, b, m) == BitSerialMultiplier(width).product(a, b, m)


def test_steps_of_a_product() -> None:
    # (2 n + 4) / d of the paper, rounded up to whole digits.
    assert DigitSerialMultiplier(1024).steps_a_product == 2052
    assert DigitSerialMultiplier(1024, 2).steps_a_product == 1026
    assert DigitSerialMultiplier(1024, 4).steps_a_product == 514
