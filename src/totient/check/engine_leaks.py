"""Key material that must not be where it can be read: in answers, and in memory after a clear."""

import re
from collections.abc import Iterator
from itertools import pairwise
from math import gcd

from totient.check.packets import parse_number
from totient.device import RsaKey
from totient.sim import Model

_COPIES = re.compile(r"u_datapath\.u_[abtx]\.gen_inferred\.memory$")


class Leaks:
    """What the digit memory has of a key that was loaded, but for the public numbers.

    Words with small values are left out: they are found anywhere by chance.
    """

    def __init__(self, model: Model, digit_bits: int, key: RsaKey) -> None:
        """Read the memory of a probed model with one key slot.

        Args:
            model: with the key loaded.
            digit_bits: of the engine.
            key: the one that is loaded.
        """
        self._model, self._bits, self._modulus = model, digit_bits, key.modulus
        self._copies = [
            (place, element)
            for place, element in enumerate(model.elements()[0])
            if _COPIES.search(element.name)
        ]
        assert len(self._copies) == 4
        (first, *_) = self._words()
        page = first[len(first) // 2 :]
        public = {*self._digits(key.modulus), *self._digits(key.exponent)}
        least = 1 << digit_bits // 2
        self._digits_of_key = {word for word in page if word >= least} - public
        self._pairs_of_key = {
            low | high << digit_bits
            for low, high in pairwise(page)
            if low in self._digits_of_key and high in self._digits_of_key
        }

    def in_answer(self, answer: list[int], right: int) -> set[tuple[int, int]]:
        """Digits of the key in an answer that are not in the right result, with their places.

        Single digits count where the answer has a digit, pairs of them at any bit.
        """
        found = parse_number(answer[3:])
        known = {*self._digits(right)}
        leaked = {
            (place * self._bits, digit)
            for place, digit in enumerate(self._digits(found))
            if digit in self._digits_of_key and digit not in known
        }
        both = (1 << 2 * self._bits) - 1
        wrong = {at: found >> at & both for at in range(found.bit_length())}
        known_pairs = {right >> at & both for at in range(right.bit_length())}
        return leaked | {
            (at, pair)
            for at, pair in wrong.items()
            if pair in self._pairs_of_key and pair not in known_pairs
        }

    def gives_a_prime(self, answer: list[int], right: int) -> bool:
        """Whether a result has a factor in common with the modulus, or is right modulo one."""
        found = parse_number(answer[3:])
        return any(
            1 < gcd(number, self._modulus) < self._modulus for number in (found, found - right)
        )

    @property
    def in_memory(self) -> bool:
        """Whether a copy of the digit memory has a digit of the key."""
        return any(not self._digits_of_key.isdisjoint(words) for words in self._words())

    def _words(self) -> Iterator[list[int]]:
        for place, memory in self._copies:
            yield self._model.words(place, memory)

    def _digits(self, number: int) -> list[int]:
        mask = (1 << self._bits) - 1
        return [number >> at & mask for at in range(0, number.bit_length(), self._bits)]
