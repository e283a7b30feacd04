"""RSA keys for attacks on an engine: unusual prime lengths, similar primes, any e."""

import math
from collections.abc import Iterator, Sequence
from random import Random
from typing import Generic, TypeVar

from Crypto.Util.number import getPrime, isPrime

Item = TypeVar("Item")

SHAPES = ("p is longer", "q is longer", "p is larger", "q is larger", "equal top halves")
"""Relations between the primes of a key."""

EXPONENTS = (3, 17, 65537, 0)
"""Public exponents; 0 stands for a random odd one of up to 32 bits."""

_UNEQUAL = 16  # maximum difference of the primes' lengths in bits


class Deck(Generic[Item]):
    """An endless deck: deals all cards in a random order, then all again. None is left out."""

    def __init__(self, cards: Sequence[Item], draw: Random) -> None:
        self._cards, self._draw = tuple(cards), draw
        self._left: list[Item] = []

    def deal(self) -> Item:
        """The next card."""
        if not self._left:
            self._left = self._draw.sample(self._cards, len(self._cards))
        return self._left.pop()


def draw_primes(bits: int, shape: str, exponent: int, draw: Random) -> tuple[int, int]:
    """Primes p and q of a modulus of exactly this length.

    Args:
        bits: of the modulus, at least 64.
        shape: one of `SHAPES`.
        exponent: odd; coprime to p - 1 and q - 1.
        draw: random draws. Never derive a secret from them.
    """
    more = draw.randrange(2 - bits % 2, _UNEQUAL + 1, 2) if "longer" in shape else bits % 2
    longer, shorter = (bits + more) // 2, (bits - more) // 2
    while True:
        p = getPrime(longer, draw.randbytes)
        alike = shape == "equal top halves"
        q = _alike(p, draw) if alike else getPrime(shorter, draw.randbytes)
        if p != q and (p * q).bit_length() == bits and _coprime(exponent, p, q):
            break
    p, q = max(p, q), min(p, q)
    return (q, p) if shape.startswith("q") else (p, q)


def _alike(prime: int, draw: Random) -> int:
    """Another prime with the same upper half of bits."""
    half = prime.bit_length() // 2
    while True:
        other = prime >> half << half | draw.getrandbits(half) | 1
        if isPrime(other, randfunc=draw.randbytes):
            return other


def _coprime(exponent: int, *primes: int) -> bool:
    return all(math.gcd(exponent, prime - 1) == 1 for prime in primes)


def public_exponents(draw: Random) -> Iterator[int]:
    """Endless public exponents, each of `EXPONENTS` in turn at random."""
    deck = Deck(EXPONENTS, draw)
    while True:
        yield deck.deal() or draw.getrandbits(draw.randint(2, 32)) | 3
