"""Montgomery multiplication bit by bit (rtl/modmul/modmul_montgomery_radix2)."""

from dataclasses import dataclass

OVERHEAD_CYCLES = 6
"""Cycles of a product besides its steps: two comparisons, b + n, p - n, selection, handshake."""
REFUSAL_CYCLES = 4
"""Cycles of an operation with refused operands."""


def montgomery_product(a: int, b: int, n: int) -> int:
    """Return `a * b / 2^L mod n`, L the bits of n, computed as in the multiplier.

    Args:
        a: the scanned operand, lowest bit first, `0 <= a < n`.
        b: the other operand, `0 <= b < n`.
        n: odd modulus.
    """
    p = 0
    for place in range(n.bit_length()):
        p += b * (a >> place & 1)
        p = (p + n * (p & 1)) >> 1
    return p - n if p >= n else p


@dataclass(frozen=True)
class Radix2Multiplier:
    """A multiplier for moduli of up to `width` bits.

    Attributes:
        width: bits of the modulus.
        bits_per_cycle: steps per clock cycle, 1 or 2.
    """

    width: int
    bits_per_cycle: int = 1

    def cycles(self, a: int, b: int, n: int) -> int:
        """Clock cycles until there is a product, or an error.

        Args:
            a: operand, of any value.
            b: the other one.
            n: modulus, of any value.
        """
        if n % 2 == 0 or max(a, b) >= n:
            return REFUSAL_CYCLES
        return -(-n.bit_length() // self.bits_per_cycle) + OVERHEAD_CYCLES
