"""Numbers that have a meaning: codes, and parts of words. `make contract` writes their values."""

from enum import IntEnum
from typing import NamedTuple, Self


class Code(IntEnum):
    """A code. A member is defined by its number and its meaning.

    Attributes:
        words: the meaning.
    """

    _value_: int
    words: str

    def __new__(cls, code: int, words: str = "") -> Self:
        """A member of this number."""
        member = int.__new__(cls, code)
        member._value_ = code
        member.words = words
        return member


class Part(NamedTuple):
    """Bits of a word: the highest and the lowest one."""

    high: int
    low: int

    def of(self, word: int) -> int:
        """Its value in a word."""
        return word >> self.low & (1 << self.high - self.low + 1) - 1

    def put(self, value: int) -> int:
        """A word that has the value there, and 0 elsewhere.

        Raises:
            ValueError: it has more bits.
        """
        if not 0 <= value < 1 << self.high - self.low + 1:
            raise ValueError(f"{value} has no room in bits {self.high} to {self.low}")
        return value << self.low
