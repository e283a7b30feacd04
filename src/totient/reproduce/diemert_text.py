"""The report's optimised C (figure 3), exactly as printed, in Python."""

from random import Random

_TRIED = 500  # random operands of a length


def product(x: int, y: int, m: int) -> int:
    """The C's result for x y / 2^L mod m, in 64 bits like its compiler.

    Each step adds the modulus once for an odd sum and once for an odd addend.
    """
    t, word = 0, (1 << 64) - 1
    for place in range(m.bit_length()):
        bit = x >> place & 1
        t = (t + bit * y + ((t & 1) + bit * (y & 1)) * m & word) >> 1
    return t - m if t >= m else t


def right_share(bits: int) -> float:
    """Percent of random operands for which the report's C returns the product."""
    draw = Random(f"totient diemert share {bits}")
    right = 0
    for _ in range(_TRIED):
        m = 1 << bits - 1 | draw.getrandbits(bits) >> 1 | 1
        x, y = draw.randrange(m), draw.randrange(m)
        right += product(x, y, m) == x * y * pow(2, -bits, m) % m
    return 100 * right / _TRIED
