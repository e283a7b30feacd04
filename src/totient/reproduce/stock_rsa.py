"""Textbook RSA in Python: keys from two primes, messages raised to an exponent."""

import math
from collections.abc import Sequence

from totient.golden.keygen import tried_exponents

Key = tuple[int, int]
"""Exponent and modulus."""


def make_keys(p: int, q: int, e: int = 0) -> tuple[Key, Key]:
    """Public key (e, n) and private key (d, n) of two primes.

    Args:
        p: a prime.
        q: another prime.
        e: public exponent; 0 selects the first coprime one from 3 upwards.

    Raises:
        ValueError: e has a common factor with the totient.
    """
    totient = (p - 1) * (q - 1)
    e = e or tried_exponents(totient)[-1]
    if math.gcd(e, totient) != 1:
        raise ValueError(f"e = {e} has a common factor with the totient {totient}")
    return (e, p * q), (pow(e, -1, totient), p * q)


def power(message: int, key: Key) -> int:
    """Raise a message to a key's exponent, by Python's `pow`.

    Raises:
        ValueError: the message is not below the modulus.
    """
    _check_below(message, key)
    return pow(message, *key)


def power_in_full(message: int, key: Key) -> int:
    """The same with the whole power before its remainder: `bits of n` times the exponent long.

    Raises:
        ValueError: the message is not below the modulus.
    """
    _check_below(message, key)
    exponent, n = key
    return int(message**exponent % n)


def _check_below(message: int, key: Key) -> None:
    if not 0 <= message < key[1]:
        raise ValueError(f"the message {message} is not below the modulus {key[1]}")


def there_and_back(p: int, q: int, e: int, messages: Sequence[int]) -> list[int]:
    """Make keys, encrypt, decrypt; return the ciphers.

    Raises:
        ValueError: as for `make_keys` and `power`; or the decrypted messages differ.
    """
    public, private = make_keys(p, q, e)
    ciphers = [power(message, public) for message in messages]
    if [power(cipher, private) for cipher in ciphers] != list(messages):
        raise ValueError("the decrypted messages differ")
    return ciphers
