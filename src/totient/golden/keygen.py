"""Key generation as in the RTL (rtl/keygen): the public exponent, Euclid's divisions."""

import math
from itertools import count


def tried_exponents(totient: int) -> list[int]:
    """Public exponents tried in order. The last one is coprime to the totient."""
    tried = []
    for exponent in count(3, 2):
        tried.append(exponent)
        if math.gcd(exponent, totient) == 1:
            break
    return tried


def euclid_divisions(totient: int, tried: list[int]) -> int:
    """Divisions of Euclid's algorithm until the remainder is 0, for all exponents together.

    Args:
        totient: the dividend of the first division for each exponent.
        tried: the exponents, each at least 1.
    """
    divisions = 0
    for exponent in tried:
        dividend, divisor = totient, exponent
        while divisor:
            dividend, divisor = divisor, dividend % divisor
            divisions += 1
    return divisions
