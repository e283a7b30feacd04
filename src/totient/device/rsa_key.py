"""RSA keys as an engine takes them; `repr` shows nothing of them."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, repr=False)
class Primes:
    """What a private operation by the Chinese remainder theorem needs.

    Attributes:
        p, q: the primes; together they have as many bits as the modulus, and each 64 to half as
            many as the core takes and 8 more.
        d_p, d_q: private exponent modulo p - 1 and modulo q - 1.
        q_inverse: 1/q modulo p.
    """

    p: int
    q: int
    d_p: int
    d_q: int
    q_inverse: int


@dataclass(frozen=True, repr=False)
class RsaKey:
    """A public key, or a private one by its exponent or by its primes.

    Attributes:
        modulus: odd, of 512 bits at least.
        exponent: the public one, odd, 3 or more.
        private_exponent: below the modulus; not used beside primes.
        primes: of the modulus.
    """

    modulus: int
    exponent: int
    private_exponent: int | None = None
    primes: Primes | None = None

    @property
    def is_private(self) -> bool:
        """Whether it serves private operations."""
        return self.private_exponent is not None or self.primes is not None


def key_of_primes(p: int, q: int, exponent: int) -> tuple[RsaKey, int]:
    """A key with its primes, and its private exponent beside it.

    Args:
        p: a prime.
        q: another one.
        exponent: the public one, coprime to p - 1 and q - 1.
    """
    d = pow(exponent, -1, math.lcm(p - 1, q - 1))
    primes = Primes(p, q, d % (p - 1), d % (q - 1), pow(q, -1, p))
    return RsaKey(p * q, exponent, primes=primes), d
