"""What the answers must be, in terms of the packets' numbers: RFC 8017 and docs/contracts.md.

Nothing here knows Montgomery form, windows, blocks or blinding factors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from totient.common.contract import Command, ErrorCode, Response
from totient.prove.algebra import Sum
from totient.prove.facts import ONE, Facts, ProofError
from totient.prove.machine import Symbolic
from totient.prove.units import CYCLES, Assumed, Sent


def require(holds: bool, what: str) -> None:
    """Fail the proof unless a statement holds."""
    if not holds:
        raise ProofError(what)


def error_answer(command: int, error: ErrorCode) -> list[int]:
    """The only word of a refusal."""
    return [Response.COMMAND.put(command) | Response.ERROR.put(error)]


def loaded_answer(command: int) -> list[int | str]:
    """Of a key: the cycles, low and high word."""
    return [Response.COMMAND.put(command) | Response.WORDS.put(2), CYCLES, 0]


def results(path: Symbolic, command: int, bits: int, count: int = 1) -> list[Sum]:
    """The numbers of an answer with as many, each of so many bits."""
    words = 2 + count * -(-bits // 32)
    head = [Response.COMMAND.put(command) | Response.WORDS.put(words), CYCLES, 0]
    require(path.sent[:3] == head, f"the answer begins with {path.sent[:3]} instead of {head}")
    numbers = [each for each in path.sent[3:] if isinstance(each, Sent)]
    require(len(path.sent) == 3 + count == 3 + len(numbers), "another number of results")
    require(all(each.bits == bits for each in numbers), "a result has another length")
    return [each.value for each in numbers]


def is_residue(facts: Facts, value: Sum, modulus: str) -> None:
    """A result is at least 0 and below the modulus."""
    require(facts.lower(value) >= 0, "the result may be negative")
    require(facts.upper(value - Sum.symbol(modulus)) < 0, f"the result may be {modulus} or more")


def is_power(facts: Facts, value: Sum, base: Sum, exponent: Sum, modulus: str) -> None:
    """A result is congruent to a power."""
    difference = value - base.power(facts.number(exponent).simple())
    if not facts.vanishes(difference, modulus):
        found = facts.canonical(value, modulus)
        raise ProofError(f"the result modulo {modulus} is {found}"[:300])


def decryption_with_primes(facts: Facts, value: Sum, base: Sum) -> None:
    """RFC 8017, 5.1.2, 2.b: m = m_2 + q ((m_1 - m_2) qInv mod p).

    There, m_1 = c^dP mod p and m_2 = c^dQ mod q. For n = p q and q qInv = 1 mod p it is the number
    below n with these two residues.
    """
    is_residue(facts, value, "n")
    is_power(facts, value, base, Sum.symbol("dP"), "p")
    is_power(facts, value, base, Sum.symbol("dQ"), "q")


def power_modulo_n(exponent: str) -> Callable[[Facts, Sum, Sum], None]:
    """RFC 8017, 5.1.1 and 5.1.2, 2.a: c^e mod n, or c^d mod n."""

    def check(facts: Facts, value: Sum, base: Sum) -> None:
        is_residue(facts, value, "n")
        is_power(facts, value, base, Sum.symbol(exponent), "n")

    return check


def each_path(
    paths: Iterable[Symbolic],
    command: int,
    bases: Mapping[str, str],
    right: Callable[[Symbolic], None],
    fresh: Symbolic | None = None,
) -> None:
    """Answers of an operation on bases, by their moduli.

    The answer has results on the only path on which each base is below its modulus. Other paths
    end with the error that a base is not. With `fresh`, a machine after reset, the key's numbers
    may be any: a path may also end with the error of the check, if the check did not hold.
    """
    below = {base: Sum.symbol(base) - Sum.symbol(modulus) for base, modulus in bases.items()}
    answered = 0
    for path in paths:
        require(path.key_numbers() == path.before, "a number of the key was changed")
        given = [each for each in path.assumed if each.value in below.values()]
        more = [each for each in path.assumed if each not in given]
        require(fresh is not None or not more, "the answer depends on another decision")
        if any(not each.holds for each in given):
            require(not more, "another decision after that a base is too large")
            refused = error_answer(command, ErrorCode.BASE_NOT_BELOW)
            require(path.sent == refused, f"a base that is too large is answered {path.sent}")
        elif path.sent == error_answer(command, ErrorCode.FAULT):
            require(any(_denies(each) for each in more), "a fault without a reason")
            assert fresh is not None
            is_wiped(path, fresh)
        else:
            require(len(given) == len(bases), "a base may be too large")
            right(path)
            answered += 1
    require(answered == 1, f"{answered} paths end with an answer")


def _denies(each: Assumed) -> bool:
    """It says that a difference is not 0."""
    return each.holds == (each.what == "negative")


def is_wiped(path: Symbolic, fresh: Symbolic) -> None:
    """The working page is as after reset: it has no number of any packet."""
    pages = [
        {place: block for place, block in machine.memory.blocks.items() if not place[0]}
        for machine in (path, fresh)
    ]
    require(pages[0] == pages[1], "the working page is not as after reset")


def is_checked(path: Symbolic, result: Sum, base: Sum, exponent: str) -> None:
    """result^e = c modulo n on this path; decided twice, from two differences (docs/engine.md).

    Nothing is used here of the key's numbers, but that n is odd and has its stated length.
    """
    facts = path.facts
    wanted = base - result.power(facts.number(Sum.symbol(exponent)).simple())
    is_residue(facts, result, "n")
    differences = [
        value for what, value in path.asked if what == "zero" and _same(facts, value, wanted)
    ]
    others = [
        value for what, value in path.asked if what == "zero" and _same(facts, -value, wanted)
    ]
    require(bool(differences and others), "the result is not checked by two differences")
    for value in (differences[0], others[0]):
        require(("negative", value) in path.asked, "the sign of a difference is not looked at")
    zero = any(
        each.what == "zero" and each.holds and _same(facts, each.value, wanted)
        for each in path.assumed
    )
    require(zero or facts.vanishes(wanted, "n"), "the answer does not depend on the check")


def _same(facts: Facts, value: Sum, wanted: Sum) -> bool:
    """Congruent modulo n without any rule of primes, and the base appears as it is."""
    return not facts.residue(value - wanted, "n")


def is_blinded(path: Symbolic, base: bool, exponent: bool) -> None:
    """The powers that were taken are of c r^e for a random r, with exponents d + k (p - 1)."""
    require(bool(path.gathered), "no power was taken")
    masks = set()
    for stream, scanned, patterns in path.gathered:
        name = ("p", "q")[stream]
        randoms = {each for each in scanned.symbols() if each.startswith("random")}
        order = sum((Sum.symbol(each) for each in randoms), Sum()) * (Sum.symbol(name) - ONE)
        require(len(randoms) == exponent, "the exponent is not blinded")
        if exponent:
            require(scanned - order == Sum.symbol(f"d{name.upper()}") - ONE, "another exponent")
        for pattern in patterns:
            used = {each for each in pattern.ratio.symbols() if each.startswith("random")}
            require(len(used) == base, "the base is not blinded")
            masks |= {(stream, *used)}
    require(len({each[1:] for each in masks}) == len({each[0] for each in masks}) or not base, "r")


__all__ = ["Command", "each_path", "is_blinded", "is_checked", "require"]
