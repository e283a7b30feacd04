"""The digit memory with symbolic numbers. Numbers modulo n take two blocks, as in the hardware."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from totient.prove.algebra import Sum
from totient.prove.facts import Facts, ProofError


@dataclass(frozen=True)
class Block:
    """What a block has.

    Attributes:
        value: congruent to the lowest `words` words, modulo r^words. It may be negative.
        words: that were written.
        top: from this word on, all are 0 up to the end of the block. The second half of a number
            modulo n has its own, in the block that it is in.
    """

    value: Sum
    words: int
    top: int


Place = tuple[int, int]
"""The page and the block's number."""


class Memory:
    """All blocks of the digit memory.

    Attributes:
        bits: of a word.
        room: words of a block.
    """

    def __init__(self, facts: Facts, bits: int, room: int) -> None:
        self.facts = facts
        self.bits = bits
        self.room = room
        self.blocks: dict[Place, Block] = {}

    def fork(self, facts: Facts) -> Memory:
        """A copy."""
        other = Memory(facts, self.bits, self.room)
        other.blocks = dict(self.blocks)
        return other

    def wipe(self, page: int, blocks: Iterable[int]) -> None:
        """Zeros in a page."""
        for block in blocks:
            self.blocks[page, block] = Block(Sum(), self.room, 0)

    def read(self, place: Place, words: int, signed: bool = False) -> Sum:
        """A number of this many words.

        With `signed` its value counts modulo r^words only, and may be negative.
        """
        if not words:
            return Sum()
        block = self.blocks.get(place)
        if block is None:
            raise ProofError(f"block {place} is read before anything is written to it")
        if words > block.words and self._top(place, words) > block.words:
            raise ProofError(f"block {place} has only {block.words} of {words} words")
        if words > self.room * (2 - place[1] % 2):
            raise ProofError(f"block {place} has no room for {words} words")
        value, known = block.value, min(words, block.words)
        if self.facts.within(value, self.bits * known):
            return value
        if signed and words <= block.words:
            return value
        return self.low(value, known)

    def low(self, value: Sum, words: int) -> Sum:
        """The number modulo r^words, which is not negative."""
        bits = self.bits * words
        facts = self.facts
        if facts.within(value, bits):
            return value
        found = facts.lows.get((value, bits))
        if found is None:
            name = facts.name("low")
            found = facts.lows[value, bits] = facts.symbol(name, 0, (1 << bits) - 1)
            facts.residues[name, bits] = facts.residue(value, bits)
        return found

    def write(self, place: Place, value: Sum, words: int) -> None:
        """Write the lowest words of a number; those above them stay."""
        page, number = place
        if words > self.room * (2 - number % 2):
            raise ProofError(f"block {place} has no room for {words} words")
        if self.facts.lower(value) >= 0:
            if self.facts.upper(value) >= 1 << self.bits * words:
                value = self.low(value, words)
            used = min(words, -(-int(self.facts.upper(value)).bit_length() // self.bits))
        else:
            used = words
        self.blocks[place] = Block(value, words, self._left(place, words, used))
        other = page, number ^ 1
        if words > self.room:
            left = self._left(other, words - self.room, max(0, used - self.room))
            self.blocks[other] = Block(Sum(), 0, left)
        elif number % 2 and other in self.blocks and self.blocks[other].words > self.room:
            before = self.blocks[other]
            self.blocks[other] = Block(self.low(before.value, self.room), self.room, before.top)

    def _left(self, place: Place, words: int, used: int) -> int:
        """The new top of a block, of which the lowest words are written."""
        before = self.blocks.get(place)
        top = self.room if before is None else before.top
        return top if top > words else min(used, self.room)

    def _top(self, place: Place, words: int) -> int:
        """The word from which on a number has zeros."""
        top = self.blocks[place].top
        if words <= self.room:
            return top
        second = self.blocks.get((place[0], place[1] + 1))
        if second is None:
            return 2 * self.room
        return self.room + second.top if second.top else top
