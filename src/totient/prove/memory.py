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
        used: from this one of them on, they are 0.
        clear: all words from `words` to this one are 0. It may be in the next block.
    """

    value: Sum
    words: int
    used: int
    clear: int


Place = tuple[int, int]
"""The page and the block's number."""


class Memory:
    """All blocks of the digit memory.

    Attributes:
        bits: of a word.
        room: words of a block.
        most: words that were written to a block at most, in this packet.
    """

    def __init__(self, facts: Facts, bits: int, room: int) -> None:
        self.facts = facts
        self.bits = bits
        self.room = room
        self.blocks: dict[Place, Block] = {}
        self.most: dict[Place, int] = {}

    def fork(self, facts: Facts) -> Memory:
        """A copy."""
        other = Memory(facts, self.bits, self.room)
        other.blocks = dict(self.blocks)
        other.most = dict(self.most)
        return other

    def wipe(self, page: int, blocks: Iterable[int]) -> None:
        """Zeros in a page."""
        for block in blocks:
            self.blocks[page, block] = Block(Sum(), 0, 0, self.room * (2 - block % 2))

    def read(self, place: Place, words: int, signed: bool = False) -> Sum:
        """A number of this many words.

        With `signed` its value counts modulo r^words only, and may be negative.
        """
        if not words:
            return Sum()
        block = self.blocks.get(place)
        if block is None:
            raise ProofError(f"block {place} is read before anything is written to it")
        if words > max(block.words, block.clear):
            raise ProofError(f"block {place} has only {block.clear} of {words} words")
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
        self.most[place] = max(words, self.most.get(place, 0))
        before = self.blocks.get(place, Block(Sum(), 0, 0, 0))
        clear = before.clear if before.clear > words >= before.used else words
        self.blocks[place] = Block(value, words, used, clear)
        other = page, number ^ 1
        if words > self.room:
            zeros = clear - self.room if used <= self.room else 0
            self.blocks[other] = Block(Sum(), 0, 0, zeros)
        elif number % 2 and other in self.blocks:
            self._cut(other)

    def _cut(self, place: Place) -> None:
        """The second block of a number was written: what is left is in its first block."""
        block = self.blocks[place]
        value, words = block.value, min(block.words, self.room)
        if block.words > self.room:
            value = self.low(value, words)
        used, clear = min(block.used, self.room), min(block.clear, self.room)
        self.blocks[place] = Block(value, words, used, clear)
