"""Location of the engine's numbers: blocks of its digit memory, and the scalars of a key."""

from dataclasses import dataclass

from totient.engine.instructions import KEY


@dataclass(frozen=True)
class ModulusSet:
    """Numbers modulo a pair of primes or modulo n: blocks of their constants, and lengths.

    Attributes:
        name: of the scalars.
        pair: two streams.
        m, x, k, q: blocks of the modulus, of X, of the factor for Montgomery form, of -1/M.
    """

    name: str
    pair: bool
    m: int
    x: int
    k: int
    q: int

    def __getattr__(self, scalar: str) -> str:
        """Name of a scalar of this kind."""
        if scalar.startswith("_"):
            raise AttributeError(scalar)
        return f"{self.name}_{scalar}"


# Blocks. A number modulo n takes two, like a pair. Of what is written to PARTIAL, all memories but
# one are never read: the numbers of PARTIAL and C differ in two bits, so that no flipped bit of an
# address changes C in just these. For the same reason n and e are two bits apart. The secret
# numbers of a key are in the upper half of its page, which a public operation reads as 0.
BASE, ACC, PARTIAL, V, U, C, RANDOM_BASE = range(0, 14, 2)
G, AFTER, RESULT, ONE, TWO, LONGER, SHIFT = range(14, 28, 2)
WHOLE = ModulusSet("whole", False, KEY + 2, KEY + 4, KEY + 6, KEY + 8)
PUBLIC = KEY + G
SECRET = KEY + 16
PRIMES = ModulusSet("prime", True, *range(SECRET, SECRET + 8, 2))
EXPONENT, FIRST, SECOND, Q_INVERSE = range(SECRET + 8, SECRET + 16, 2)

# Contents of a slot: nothing, or the key of a command with its parts. Three bits tell any two
# apart. Those of RSA keys are in the order of their parts, and above the others.
LOADED_PLAIN, LOADED_PAIR, LOADED_TEST = 0b0000111, 0b0011001, 0b0011110
LOADED_PUBLIC, LOADED_WHOLE, LOADED_PRIMES = 0b0101010, 0b0110100, 0b1001011

CLEARED_SCALARS = ("loaded", "exponent_bits", "p_bits", "q_bits", "digits")
"""Scalars of a load that tell a key's kind and the lengths of its primes."""

KEY_SCALARS = (
    *(
        f"{kind}_{name}"
        for kind in ("prime", "whole")
        for name in (
            *("digits", "words", "digits_and_one", "ring", "positions", "passes", "steps"),
            *("entering", "divide_positions", "random_words", "bits", "answer_words"),
        )
    ),
    *("key", "exponent_place", "exponent_top", "exponent_words", "first_bits", "windows"),
    *("public_bits", "public_place", "public_top", "public_words"),
)
"""Scalars that belong to a key."""
