"""Montgomery multiplication by words, without subtraction, and its constants."""

from collections.abc import Iterator
from dataclasses import dataclass


def negative_inverse(n: int, word_bits: int) -> int:
    """Return `-1/n mod 2 ** word_bits`, found bit by bit as in rtl/modmul/montgomery_inverse.

    Args:
        n: odd.
        word_bits: bits of a word, at least 1.
    """
    product = inverse = 0
    for place in range(word_bits):
        if not product >> place & 1:
            product += n << place
            inverse |= 1 << place
    return inverse


def doubled(x: int, n: int, count: int) -> int:
    """Return `2 ** count * x mod n` by doubling and subtracting, `0 <= x < n`."""
    for _ in range(count):
        x *= 2
        if x >= n:
            x -= n
    return x


@dataclass(frozen=True)
class Step:
    """One step of a product: the word of `a`, the quotient word, the sum after it."""

    a_word: int
    quotient: int
    s: int


@dataclass(frozen=True)
class MontgomeryMultiplier:
    """The word-systolic multiplier (rtl/modmul/modmul_montgomery_systolic).

    Attributes:
        words: words of an operand; `R = 2 ** (words * word_bits)`.
        word_bits: bits of a word.
    """

    words: int
    word_bits: int

    @classmethod
    def for_width(cls, width: int, word_bits: int) -> "MontgomeryMultiplier":
        """The smallest multiplier with `R > 4 n` for every modulus of `width` bits."""
        return cls(max(2, -(-(width + 2) // word_bits)), word_bits)

    @property
    def radix_bits(self) -> int:
        """Bits of R."""
        return self.words * self.word_bits

    @property
    def product_cycles(self) -> int:
        """Clock cycles of each product in a chain of products."""
        return 2 * self.words + 2

    def steps(self, a: int, b: int, n: int) -> Iterator[Step]:
        """The steps of one product, each with the array's value after it.

        Args:
            a: taken word by word, `0 <= a < 2 * n`.
            b: held by the array, `0 <= b < 2 * n`.
            n: odd modulus with `4 * n < R`.
        """
        mask = (1 << self.word_bits) - 1
        n_prime = negative_inverse(n, self.word_bits)
        s = 0
        for i in range(self.words):
            a_word = a >> (i * self.word_bits) & mask
            quotient = ((s & mask) + (a_word * b & mask)) * n_prime & mask
            s = (s + a_word * b + quotient * n) >> self.word_bits
            yield Step(a_word, quotient, s)

    def product(self, a: int, b: int, n: int) -> int:
        """Return a number below `2 n` that is congruent to `a * b / R` modulo `n`."""
        s = 0
        for step in self.steps(a, b, n):
            s = step.s
        return s
