"""The table of powers, what is gathered from it, and both ways of a bit."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field

from totient.prove.algebra import TWO, Sum
from totient.prove.facts import Facts, ProofError
from totient.prove.memory import Block


@dataclass(frozen=True)
class Pattern:
    """Entries j = 0, 1, ... are `first ratio^j` modulo a modulus."""

    modulus: str
    first: Sum
    ratio: Sum


@dataclass
class Table:
    """Entries by number and stream, and what was gathered last from each stream."""

    entries: dict[tuple[int, int], Sum] = field(default_factory=dict)
    collected: list[Sum] = field(default_factory=lambda: [Sum(), Sum()])
    found: dict[tuple[int, int], tuple[list[Pattern], int]] = field(default_factory=dict)

    def fork(self) -> Table:
        """A copy."""
        other = copy(self)
        other.entries, other.collected = dict(self.entries), list(self.collected)
        other.found = dict(self.found)
        return other

    def write(self, entry: int, stream: int, value: Sum) -> None:
        """Write an entry."""
        self.entries[entry, stream] = value
        self.found.clear()

    def gather(self, facts: Facts, stream: int, digit: Sum | int, bits: int) -> list[Pattern]:
        """Collect the entry that a digit of so many bits names."""
        if isinstance(digit, int):
            self.collected[stream] = self.entries.get((digit, stream), Sum())
            return []
        if (stream, bits) not in self.found:
            self.found[stream, bits] = self._patterns(facts, stream, bits)
        patterns, high = self.found[stream, bits]
        name = facts.name("power")
        self.collected[stream] = facts.symbol(name, 0, high)
        for each in patterns:
            power = each.first * each.ratio.power(digit)
            facts.residues[name, each.modulus] = facts.residue(power, each.modulus)
        return patterns

    def _patterns(self, facts: Facts, stream: int, bits: int) -> tuple[list[Pattern], int]:
        try:
            entries = [self.entries[j, stream] for j in range(1 << bits)]
        except KeyError as error:
            raise ProofError(f"the table has no entry {error}") from error
        high = max(int(facts.upper(each)) for each in entries)
        patterns = []
        for modulus in facts.moduli:
            images = [facts.residue(each, modulus) for each in entries]
            if not all(each.single for each in images[:2]):
                continue
            ratio = quotient(facts, images[1], images[0])
            if ratio is None:
                continue
            expected = images[0]
            for each in images:
                if each != expected:
                    break
                expected = expected * ratio
            else:
                patterns.append(Pattern(modulus, images[0], ratio))
        if not patterns:
            raise ProofError("the table's entries are not the powers of a number")
        return patterns, high


def quotient(facts: Facts, a: Sum, b: Sum) -> Sum | None:
    """A product divided by another one; None if a number that may be 0 is left as a divisor."""
    result = a * b.power(-1)
    ((monomial, _),) = result.terms.items()
    for name, exponent in monomial:
        if name == TWO or name in facts.coprime:
            continue
        if (exponent if isinstance(exponent, int) else facts.lower(exponent)) < 0:
            return None
    return result


def merged(facts: Facts, clear: Block | None, is_set: Block, bit: Sum) -> Block:
    """What a block has after a part of the program that a bit chooses: N0 (N1 / N0)^bit."""
    if clear is None or clear.words != is_set.words:
        raise ProofError("a bit changes the length of a number")
    high = max(facts.upper(each.value) for each in (clear, is_set))
    if min(facts.lower(each.value) for each in (clear, is_set)) < 0:
        raise ProofError("a bit chooses a negative number")
    name = facts.name("t")
    value = facts.symbol(name, 0, int(high))
    for modulus in facts.moduli:
        images = [facts.residue(each.value, modulus) for each in (clear, is_set)]
        ratio = quotient(facts, images[1], images[0]) if all(x.single for x in images) else None
        if ratio is not None:
            power = images[0] * ratio.power(bit)
            facts.residues[name, modulus] = facts.residue(power, modulus)
    zeros = min(clear.clear, is_set.clear)
    return Block(value, is_set.words, max(clear.used, is_set.used), zeros)
