"""Key generation as the RTL does it (rtl/keygen/key_generator.sv): the public exponent."""

import math
from itertools import count


def tried_exponents(totient: int) -> list[int]:
    """Public exponents that are tried, the last one of which is coprime to the totient."""
    tried = []
    for exponent in count(3, 2):
        tried.append(exponent)
        if math.gcd(exponent, totient) == 1:
            break
    return tried
