"""Key generation as the RTL does it (rtl/keygen/key_generator.sv): exponents and cycles."""

import math
from itertools import count

_WORD = 32


def tried_exponents(totient: int) -> list[int]:
    """Public exponents that are tried, the last one of which is coprime to the totient."""
    tried = []
    for exponent in count(3, 2):
        tried.append(exponent)
        if math.gcd(exponent, totient) == 1:
            break
    return tried


def key_cycles(p_bits: int, q_bits: int, tried: list[int]) -> int:
    """Clock cycles of making a key.

    Args:
        p_bits: stated length of a prime.
        q_bits: of the other.
        tried: public exponents that were tried, the key's last.
    """
    both, last = p_bits + q_bits, tried[-1].bit_length()
    words = [-(-bits // _WORD) for bits in (p_bits, q_bits, both + last)]
    product = words[0] * words[1] + max(words[0], words[1]) + words[0] + words[1]
    return product + sum(_trial(both, e) for e in tried) + words[2] + both + last + 16


def _trial(bits: int, exponent: int) -> int:
    """Cycles of finding out whether an exponent is coprime to a totient of so many bits."""
    return bits + 2 * exponent.bit_length() + 7
