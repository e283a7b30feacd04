"""The report's optimised C (figure 3) and the n of its hardware (section 5.2), in Python.

Figure 3 is exactly as printed. By section 5.2 the hardware's n is always 0 to 2, on a bus of two
digits, and comes from an XOR and an AND gate. Its listing is not in the text.
"""

from random import Random

_TRIED = 500  # random operands of a length


FIGURE_3, HALF_ADDER, XOR = "sum", "half adder", "exclusive or"
"""Ways to n from the lowest bits of the sum so far and of the addend: figure 3's sum of both; the
same by two gates, XOR for its low digit and AND for its high one; the XOR alone."""


def multiple(way: str, odd_sum: int, odd_addend: int) -> int:
    """n: how many times a step adds the modulus.

    Args:
        way: one of the three.
        odd_sum: lowest bit of the sum so far.
        odd_addend: lowest bit of the addend.
    """
    low = odd_sum ^ odd_addend
    if way == FIGURE_3:
        return odd_sum + odd_addend
    return low + 2 * (odd_sum & odd_addend) if way == HALF_ADDER else low


def product(x: int, y: int, m: int, way: str = FIGURE_3) -> int:
    """The report's result for x y / 2^L mod m, in 64 bits like its compiler and its buses.

    Args:
        x: a factor below m.
        y: the other one.
        m: an odd modulus of up to 64 bits.
        way: to n.
    """
    t, word = 0, (1 << 64) - 1
    for place in range(m.bit_length()):
        bit = x >> place & 1
        t = (t + bit * y + multiple(way, t & 1, bit & y & 1) * m & word) >> 1
    return t - m if t >= m else t


def right_share(bits: int, way: str = FIGURE_3) -> float:
    """Percent of random operands with moduli of this length for which the product is right.

    Args:
        bits: of the modulus, up to 64.
        way: to n, as for `product`.
    """
    draw = Random(f"totient diemert share {bits}")
    right = 0
    for _ in range(_TRIED):
        m = 1 << bits - 1 | draw.getrandbits(bits) >> 1 | 1
        x, y = draw.randrange(m), draw.randrange(m)
        right += product(x, y, m, way) == x * y * pow(2, -bits, m) % m
    return 100 * right / _TRIED
