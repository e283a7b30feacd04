"""Digit-serial Montgomery products with R = 2 ** (n + 2), step by step (rtl/modmul).

Two algorithms for the product `a b / R mod m` of operands below `2 m`, for an odd modulus of at
most `n` bits. Neither subtracts. If `4 m <= R`, the result is below `2 m` again, so that a product
may be an operand of the next one.

- Interleaved: adds `a_i b + q_i m` and halves, bit by bit. The quotient bit makes the sum even.
- Separated: two plain multiplications run at the same time, `T = a b` and `Q = q m`. The bits of q
  are chosen so that the low half of Q is the two's complement of the low half of T; the result is
  the sum of the two high halves, and 1 where the low halves cancelled with a carry.

Source: O. Nibouche et al., Algorithms 2 and 3.
"""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class InterleavedStep:
    """State after bit i of the interleaved algorithm.

    Attributes:
        a_bit: bit i of `a`.
        quotient: the quotient bit.
        p: the partial result, below `b + m`.
    """

    a_bit: int
    quotient: int
    p: int


@dataclass(frozen=True)
class SeparatedStep:
    """State after digit i of the separated algorithm.

    Attributes:
        a_digit: digit i of `a`.
        t_digit: digit i of `T = a b`.
        complement: digit i of `-T mod R`, which is also digit i of `Q`.
        carry: 1 as long as all digits of T so far were 0 (the carry of the complement).
        quotient: digit i of `q`.
        product: `a b` without its lowest i + 1 digits, below `b` times the radix.
        reduction: the same of `q m`.
    """

    a_digit: int
    t_digit: int
    complement: int
    carry: int
    quotient: int
    product: int
    reduction: int


@dataclass(frozen=True)
class DigitSerialMultiplier:
    """A multiplier for moduli of up to `width` bits that takes `digit_bits` of `a` per step.

    Attributes:
        width: bits of the modulus, n.
        digit_bits: bits of a digit, J; the interleaved algorithm takes 1.
    """

    width: int
    digit_bits: int = 1

    @property
    def digits(self) -> int:
        """Digits of an operand: n + 2 bits, rounded up to whole digits."""
        return -(-(self.width + 2) // self.digit_bits)

    @property
    def radix_bits(self) -> int:
        """Bits of R."""
        return self.digits * self.digit_bits

    @property
    def steps_a_product(self) -> int:
        """Steps of a product: the operand's digits enter, then the result's digits leave."""
        return 2 * self.digits

    def interleaved(self, a: int, b: int, m: int) -> Iterator[InterleavedStep]:
        """The steps of the interleaved algorithm.

        Args:
            a: the serial operand, `0 <= a < 2 m`.
            b: the parallel operand, `0 <= b < 2 m`.
            m: odd modulus below `2 ** width`.
        """
        p = 0
        for i in range(self.radix_bits):
            a_bit = a >> i & 1
            quotient = (p + a_bit * b) & 1
            p = (p + a_bit * b + quotient * m) >> 1
            yield InterleavedStep(a_bit, quotient, p)

    def separated(self, a: int, b: int, m: int) -> Iterator[SeparatedStep]:
        """The steps of the separated algorithm; arguments as for `interleaved`."""
        mask = (1 << self.digit_bits) - 1
        product = reduction = 0
        carry = 1
        for i in range(self.digits):
            a_digit = a >> (i * self.digit_bits) & mask
            product += a_digit * b
            t_digit = product & mask
            product >>= self.digit_bits
            complement = (t_digit ^ mask) + carry
            carry, complement = complement >> self.digit_bits, complement & mask
            quotient, partial = 0, reduction
            for row in range(self.digit_bits):  # the lowest column selects one bit per row
                if (partial ^ complement >> row) & 1:
                    quotient |= 1 << row
                    partial += m
                partial >>= 1
            reduction = partial
            yield SeparatedStep(a_digit, t_digit, complement, carry, quotient, product, reduction)

    def product(self, a: int, b: int, m: int) -> int:
        """Return a number below `2 m` that is congruent to `a b / R` modulo `m`."""
        *_, last = self.separated(a, b, m)
        return last.product + last.reduction + 1 - last.carry


@dataclass(frozen=True)
class BitSerialMultiplier(DigitSerialMultiplier):
    """The conventional multiplier: its products are those of the interleaved algorithm."""

    def product(self, a: int, b: int, m: int) -> int:
        """Return a number below `2 m` that is congruent to `a b / R` modulo `m`."""
        *_, last = self.interleaved(a, b, m)
        return last.p


@dataclass(frozen=True)
class ArraySchedule:
    """Schedule of a digit-serial array (rtl/modmul/digit_serial_pkg.sv).

    Attributes:
        multiplier: of the array.
        slots: operations that share the array; each advances by a digit every `slots` cycles.
        links: columns between registers on a digit's path along a row; 0 for a broadcast line.
    """

    multiplier: DigitSerialMultiplier
    slots: int = 1
    links: int = 0

    def row_lag(self, row: int) -> int:
        """Delay of a row behind row 0 in cycles."""
        return min(2 * row, row * self.slots // self.multiplier.digit_bits)

    def column_lag(self, column: int) -> int:
        """Delay of a column behind column 0 in cycles."""
        if column == 0:
            return 0
        first = int(self.slots >= self.multiplier.digit_bits)
        return first + ((column - 1) // self.links if self.links else 0)

    @property
    def result_lag(self) -> int:
        """Cycles from a serial operand's digit to the product's, without the low half's steps."""
        return 3 if self.links else 1

    @property
    def parallel_digits(self) -> int:
        """Digits of the parallel operand, below `2 ** (width + 1)`."""
        return -(-(self.multiplier.width + 1) // self.multiplier.digit_bits)

    @property
    def fill(self) -> int:
        """Steps by which a product is longer than its digits, so that it can be an operand."""
        digit_bits, digits = self.multiplier.digit_bits, self.multiplier.digits
        top = (self.parallel_digits - 1) * digit_bits
        late = max(
            self.result_lag + self.row_lag(row) - self.column_lag(top + row)
            for row in range(digit_bits)
        )
        return max(0, -(-late // self.slots) - (digits - self.parallel_digits))

    @property
    def product_cycles(self) -> int:
        """Cycles from a product to the next one of the same slot."""
        return (self.multiplier.steps_a_product + self.fill) * self.slots
