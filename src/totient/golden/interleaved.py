"""Interleaved modular multiplication, top bit first (rtl/modmul/modmul_interleaved)."""

from dataclasses import dataclass

SKIP_BITS = 16


@dataclass(frozen=True)
class InterleavedMultiplier:
    """A multiplier for moduli of up to `width` bits.

    Attributes:
        width: bits of the modulus.
        bits_per_cycle: steps per clock cycle, 1 or 2.
        early_end: skip leading zeros of the scanned operand, `SKIP_BITS` at a time.
    """

    width: int
    bits_per_cycle: int = 1
    early_end: bool = False

    @property
    def scan_bits(self) -> int:
        """Scanned bits: the width, rounded up to whole cycles."""
        return -(-self.width // self.bits_per_cycle) * self.bits_per_cycle

    def product(self, a: int, b: int, n: int) -> int:
        """Return `a * b mod n` by shifting, adding and reducing.

        Args:
            a: the scanned operand, `0 <= a < n`.
            b: the other operand, `0 <= b < n`.
            n: modulus, at least 1 and below `2 ** width`.
        """
        p = 0
        for place in reversed(range(self.scan_bits)):
            p = 2 * p + (b if a >> place & 1 else 0)
            if p >= 2 * n:
                p -= 2 * n
            elif p >= n:
                p -= n
        return p

    def cycles(self, a: int = 0) -> int:
        """Clock cycles of a product; they depend on `a` only with `early_end`."""
        bits, skipped = self.scan_bits, 0
        if self.early_end:
            skipped = (bits - a.bit_length()) // SKIP_BITS
        return skipped + -(-(bits - skipped * SKIP_BITS) // self.bits_per_cycle) + 1
