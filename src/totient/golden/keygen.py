"""Key generation as in the RTL (rtl/keygen/key_generator.sv): the public exponent."""

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
