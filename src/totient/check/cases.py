"""The operands of a check: corners first, then random ones. Equal seeds give equal operands."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from Crypto.Util.number import getPrime

# The number of products in repeated multiplication is the exponent's value: those of a check take
# about this many cycles a case.
_SHORT_CYCLES = 200_000


@dataclass(frozen=True)
class Case:
    """A key load and one exponentiation; `exponent < 2 ** exponent_bits`, `base < modulus`."""

    modulus: int
    exponent: int
    exponent_bits: int
    base: int


def cases(
    width: int,
    count: int,
    seed: int,
    *,
    exponent_bits: int | None = None,
    short_exponents: bool = False,
) -> Iterator[Case]:
    """Yield `count` cases for a core of `width` bits.

    Moduli are odd, from 3 to `2 ** width - 1`: corners, all lengths, and mostly the full length.
    Exponents have every length from 1 to `width` bits; half of them have the full length or nearly.
    They include 0, 1, all ones and leading zeros. Bases include 0, 1, n - 1.

    Args:
        width: of the core, in bits.
        count: cases, at least 1.
        seed: of all random draws.
        exponent_bits: maximum length of exponents; `None`: `width`.
        short_exponents: keep exponents small enough to count up to their value.
    """
    draw = Random(f"totient check {width} {seed}")
    for _ in range(count):
        modulus = _modulus(draw, width)
        bits = min(_length(draw, width), exponent_bits or width)
        if short_exponents:
            largest = max(1, _SHORT_CYCLES // width)
            exponent = min(_exponent(draw, bits), (1 << bits) - 1) % (largest + 1)
        else:
            exponent = _exponent(draw, bits)
        yield Case(modulus, exponent, bits, _base(draw, modulus))


def private_cases(width: int, count: int, seed: int) -> Iterator[Case]:
    """Yield `count` private operations of RSA keys of `width` bits, with the public exponent 65537.

    The modulus is a product of two different primes. The stated length of the private exponent is
    the full one.

    Args:
        width: of the core and of the keys, in bits, at least 16.
        count: keys, with a random base each.
        seed: of all random draws. Never derive a secret from it.
    """
    draw = Random(f"totient check private {width} {seed}")
    for _ in range(count):
        while True:
            p, q = (getPrime(bits, draw.randbytes) for bits in (width - width // 2, width // 2))
            modulus, order = p * q, (p - 1) * (q - 1)
            if p != q and modulus.bit_length() == width and math.gcd(order, 65537) == 1:
                break
        yield Case(modulus, pow(65537, -1, order), width, draw.randrange(modulus))


def _modulus(draw: Random, width: int) -> int:
    top = 1 << width
    corners = (3, top - 1, top // 2 + 1, top // 2 - 1, top - (1 << (width // 2)) + 1)
    choice = draw.random()
    if choice < 0.15:
        return draw.choice(corners)
    bits = width if choice < 0.75 else draw.randint(2, width)
    return draw.getrandbits(bits) | 1 << (bits - 1) | 1


def _length(draw: Random, width: int) -> int:
    choice = draw.random()
    if choice < 0.25:
        return width
    if choice < 0.35:
        return min(width, 17)  # the length of 65537
    return draw.randint(1, width)


def _exponent(draw: Random, bits: int) -> int:
    choice = draw.random()
    if choice < 0.2:
        return draw.choice((0, 1, (1 << bits) - 1, 1 << (bits - 1), 65537 % (1 << bits)))
    if choice < 0.4:
        return draw.getrandbits(draw.randint(1, bits))
    return draw.getrandbits(bits)


def _base(draw: Random, modulus: int) -> int:
    if draw.random() < 0.2:
        return draw.choice((0, 1, modulus - 1, modulus - 2, modulus // 2))
    return draw.randrange(modulus)
