"""RSA keys: values, consistency checks, and generation."""

import math
import secrets
from collections.abc import Callable
from dataclasses import replace

from totient.common.contract import MAX_RSA_BITS, MIN_RSA_BITS
from totient.common.errors import InputError
from totient.device.rsa_key import RsaKey, primes_with

MIN_TOY_BITS = 32
"""Shortest modulus of a toy key. Below `MIN_RSA_BITS` a key protects nothing: it is factored."""

DEFAULT_EXPONENT = 65537
# Keys that are read may have larger public exponents. None are generated.
_MAX_NEW_EXPONENT_BITS = 32
_LEAST_GENERATED = 160  # bits of a prime that pycryptodome generates


def public_key(modulus: int, exponent: int, *, toy: bool = False) -> RsaKey:
    """A public key with checked values.

    Args:
        modulus: of 512 to 8192 bits, odd.
        exponent: odd, from 3, below the modulus.
        toy: whether moduli from 32 bits are allowed, too.

    Raises:
        InputError: a value is out of range.
    """
    bits, least = modulus.bit_length(), _least(toy)
    if not least <= bits <= MAX_RSA_BITS:
        raise InputError(f"the modulus has {bits} bits, allowed are {least} to {MAX_RSA_BITS}")
    if modulus % 2 == 0:
        raise InputError("the modulus is even, an RSA modulus is odd")
    _check_exponent(exponent)
    if exponent >= modulus:
        raise InputError("the public exponent is not below the modulus")
    return RsaKey(modulus, exponent)


def private_key(public: RsaKey, d: int, primes: tuple[int, int] | None) -> RsaKey:
    """A private key with checked values.

    Args:
        public: its public half, from `public_key`.
        d: the private exponent, 0 < d < modulus.
        primes: (p, q) with p q = modulus; `None` for a key without primes.

    Raises:
        InputError: the values are inconsistent.
    """
    if d == 0:
        raise InputError("the private exponent is 0")
    if not 0 < d < public.modulus:
        raise InputError("the private exponent is not below the modulus")
    if primes is None:
        # Without the primes the exponents can only be checked by a trial.
        consistent = pow(pow(2, public.exponent, public.modulus), d, public.modulus) == 2
    else:
        p, q = primes
        if min(p, q) < 3 or p * q != public.modulus:
            raise InputError("the product of the primes is not the modulus")
        if math.gcd(p, q) != 1:
            raise InputError("the primes are not different")
        consistent = public.exponent * d % math.lcm(p - 1, q - 1) == 1
    if not consistent:
        raise InputError("the private exponent does not belong to the public exponent")
    parts = primes_with(*primes, d) if primes else None
    return replace(public, private_exponent=d, primes=parts)


def generate(bits: int, exponent: int = DEFAULT_EXPONENT, *, toy: bool = False) -> RsaKey:
    """Generate a key as in FIPS 186-5, appendix A.1.3 (below 2048 bits in the same way).

    Its rule on the distance of the primes has no effect below 200 bits. They only differ.

    Random numbers and primality tests are pycryptodome's. Its own `RSA.generate` is not used
    because it makes no keys below 1024 bits.

    Args:
        bits: exact length of the modulus, 512 to 8192.
        exponent: public exponent, odd, 3 to 2^32 - 1.
        toy: whether lengths from 32 bits are allowed, too.

    Raises:
        InputError: `bits` or `exponent` is out of range.
    """
    least_bits = _least(toy)
    if not least_bits <= bits <= MAX_RSA_BITS:
        raise InputError(f"key size is {bits} bits, allowed are {least_bits} to {MAX_RSA_BITS}")
    _check_exponent(exponent)
    if exponent.bit_length() > _MAX_NEW_EXPONENT_BITS:
        raise InputError(
            f"the public exponent has {exponent.bit_length()} bits, "
            f"a new key takes at most {_MAX_NEW_EXPONENT_BITS}"
        )

    def prime(size: int, other: int) -> int:
        # Above 2^(size - 1/2), so that the product has exactly `bits` bits.
        least = math.isqrt(1 << (2 * size - 1))

        def fits(value: int) -> bool:
            return (
                value > least
                and math.gcd(value - 1, exponent) == 1
                and abs(value - other) > 1 << max(bits // 2 - 100, 0)
            )

        return _random_prime(size, fits)

    while True:
        p = prime(bits - bits // 2, 0)
        q = prime(bits // 2, p)
        private = pow(exponent, -1, math.lcm(p - 1, q - 1))
        if private.bit_length() > bits // 2:
            return private_key(public_key(p * q, exponent, toy=toy), private, (p, q))


def _random_prime(size: int, fits: Callable[[int], bool]) -> int:
    """A random prime of `size` bits that fits.

    Pycryptodome generates none of less than 160 bits. Such a one is drawn here and tested there.
    """
    from Crypto.Math.Primality import COMPOSITE, generate_probable_prime, test_probable_prime

    if size >= _LEAST_GENERATED:
        return int(
            generate_probable_prime(exact_bits=size, prime_filter=lambda each: fits(int(each)))
        )
    while True:
        value = secrets.randbits(size) | 1
        if fits(value) and test_probable_prime(value) != COMPOSITE:
            return value


def _least(toy: bool) -> int:
    return MIN_TOY_BITS if toy else MIN_RSA_BITS


def _check_exponent(exponent: int) -> None:
    if exponent < 3 or exponent % 2 == 0:
        shown = exponent if exponent.bit_length() <= 64 else "even"
        raise InputError(f"the public exponent is {shown}, allowed are odd numbers from 3")
