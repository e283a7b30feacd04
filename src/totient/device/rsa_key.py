"""RSA keys, public and private. `repr` shows no value."""

import math
from dataclasses import dataclass, replace

from totient.common.errors import InputError


@dataclass(frozen=True, repr=False)
class Primes:
    """Values of a private operation by the Chinese remainder theorem.

    Attributes:
        p, q: the primes. Together they have as many bits as the modulus. Each has 64 bits up to
            half the core's maximum plus 8.
        d_p, d_q: private exponent modulo p - 1 and modulo q - 1.
        q_inverse: 1/q modulo p.
    """

    p: int
    q: int
    d_p: int
    d_q: int
    q_inverse: int

    @property
    def bits(self) -> int:
        """Length of the longer prime in bits."""
        return max(self.p, self.q).bit_length()


@dataclass(frozen=True, repr=False)
class RsaKey:
    """A public key, or a private one with its exponent or its primes.

    Attributes:
        modulus: odd, of 512 bits at least.
        exponent: the public one, odd, 3 or more.
        private_exponent: below the modulus; an engine does not use it beside primes.
        primes: of the modulus.

    The values are not checked here, but in `totient.rsa.keys`.
    """

    modulus: int
    exponent: int
    private_exponent: int | None = None
    primes: Primes | None = None

    @property
    def bits(self) -> int:
        """Length of the modulus in bits."""
        return self.modulus.bit_length()

    @property
    def octets(self) -> int:
        """Length of the modulus, of a signature and of a ciphertext in bytes."""
        return (self.bits + 7) // 8

    @property
    def public(self) -> "RsaKey":
        """Its public half."""
        return replace(self, private_exponent=None, primes=None)

    @property
    def d(self) -> int:
        """The private exponent; `InputError` for a key without it."""
        if self.private_exponent is None:
            raise InputError("the key holds no private exponent")
        return self.private_exponent

    @property
    def crt(self) -> Primes:
        """The primes; `InputError` for a key without them."""
        if self.primes is None:
            raise InputError("the key holds no primes")
        return self.primes

    @property
    def is_private(self) -> bool:
        """Whether the key is private."""
        return self.private_exponent is not None or self.primes is not None


def primes_with(p: int, q: int, d: int) -> Primes:
    """The CRT values of two primes and a private exponent."""
    return Primes(p, q, d % (p - 1), d % (q - 1), pow(q, -1, p))


def key_of_primes(p: int, q: int, exponent: int) -> tuple[RsaKey, int]:
    """A key with its primes and its private exponent.

    Args:
        p: a prime.
        q: another prime.
        exponent: the public one, coprime to p - 1 and q - 1.
    """
    d = pow(exponent, -1, math.lcm(p - 1, q - 1))
    return RsaKey(p * q, exponent, primes=primes_with(p, q, d)), d
