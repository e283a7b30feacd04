"""The exponentiators: order of squarings and multiplications (rtl/modexp)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from totient.golden.montgomery import doubled


class Multiplier(Protocol):
    """A Montgomery multiplier, by words or by digits."""

    @property
    def radix_bits(self) -> int:
        """Bits of R."""

    def product(self, a: int, b: int, n: int, /) -> int:
        """Return a number below `2 n` that is congruent to `a * b / R` modulo `n`."""


@dataclass(frozen=True)
class Product:
    """One modular product of an exponentiation: the scanned operand and the result."""

    scanned: int
    result: int


def repeated_products(base: int, exponent: int, n: int) -> Iterator[Product]:
    """The products of repeated multiplication: `exponent - 1` of them, the base scanned in each.

    Args:
        base: below `n`.
        exponent: any value at least 0.
        n: modulus, at least 2.
    """
    c = base
    for _ in range(exponent - 1):
        c = c * base % n
        yield Product(base, c)


def binary_products(
    base: int, exponent: int, exponent_bits: int, n: int, fixed_time: bool
) -> Iterator[Product]:
    """The products of left-to-right binary exponentiation, squarings and multiplications.

    Args:
        base: below `n`.
        exponent: below `2 ** exponent_bits`.
        exponent_bits: stated length, at least 1.
        n: modulus, at least 2.
        fixed_time: square and multiply for every bit but the first.
    """
    length = exponent_bits if fixed_time else exponent.bit_length()
    c = base if length and exponent >> (length - 1) & 1 else 1
    for place in reversed(range(max(length - 1, 0))):
        square = c * c % n
        yield Product(c, square)
        c = square
        if fixed_time or exponent >> place & 1:
            product = base * square % n
            yield Product(base, product)
            c = product if exponent >> place & 1 else square


@dataclass(frozen=True)
class MontgomeryConstants:
    """Constants of a key for a Montgomery exponentiator.

    Attributes:
        one: `R mod n`, below `n`.
        squared: congruent to `R ** 2` modulo `n`, below `2 n`.
    """

    one: int
    squared: int


def montgomery_constants(n: int, multiplier: Multiplier) -> MontgomeryConstants:
    """Constants of the odd modulus `n`, at least 3, computed as in rtl/modexp/modexp_montgomery.

    R mod n is the top power of two below n, doubled. R^2 mod n is 2 ** (bits of R) in Montgomery
    form, by the core's own exponentiation.
    """
    length = n.bit_length()
    one = doubled(1 << (length - 1), n, multiplier.radix_bits - length + 1)
    two = doubled(one, n, 1)
    return MontgomeryConstants(
        one, _right_to_left(one, two, one, multiplier.radix_bits, n, multiplier)
    )


def montgomery_power(
    base: int, exponent: int, exponent_bits: int, n: int, multiplier: Multiplier
) -> int:
    """Return `base ** exponent mod n` by right-to-left Montgomery exponentiation.

    Args:
        base: below `n`.
        exponent: below `2 ** exponent_bits`.
        exponent_bits: stated length, at least 1.
        n: odd modulus, at least 3.
        multiplier: wide enough for `n`.
    """
    constants = montgomery_constants(n, multiplier)
    result = _right_to_left(
        1, constants.squared, base, exponent, n, multiplier, constants.one, exponent_bits
    )
    return result - n if result >= n else result


def _right_to_left(
    product: int,
    scanned: int,
    held: int,
    exponent: int,
    n: int,
    multiplier: Multiplier,
    one: int | None = None,
    bits: int | None = None,
) -> int:
    """Right-to-left exponentiation of `scanned * held / R`; multiplies by `one` for 0 bits."""
    power = multiplier.product(scanned, held, n)
    for place in range(exponent.bit_length() if bits is None else bits):
        if place:
            power = multiplier.product(power, power, n)
        if exponent >> place & 1:
            product = multiplier.product(power, product, n)
        elif one is not None:
            product = multiplier.product(one, product, n)
    return product
