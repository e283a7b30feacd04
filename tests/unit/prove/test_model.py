"""The symbolic machine against the machine on integers: its bounds and residues are true."""

import random
from collections.abc import Mapping

import pytest
from Crypto.Util.number import getPrime

from totient.check.packets import header, load_rsa_key_request, number_words
from totient.common.contract import Command, KeyForm
from totient.device import Primes, RsaKey
from totient.engine.machine import Machine
from totient.engine.program import engine_program
from totient.prove.algebra import TWO, Sum
from totient.prove.facts import Facts
from totient.prove.memory import Block
from totient.prove.operations import Build, Lengths, key_packet, machine_of, up_to, valid_key


def evaluated(value: Sum, symbols: dict[str, int], modulus: int) -> int | None:
    """A sum for given values; None if one is not given."""
    total = 0
    for monomial, (m, k) in value.terms.items():
        term = m * pow(2, k, modulus)
        for name, exponent in monomial:
            if name not in symbols:
                return None
            to = exponent if isinstance(exponent, int) else exact(exponent, symbols)
            term = term * pow(symbols[name], to, modulus)
        total += term
    return total % modulus


def exact(value: Sum, symbols: dict[str, int]) -> int:
    """A sum of integers, for given values."""
    numerator = 0
    scale = max((-k for _, k in value.terms.values()), default=0)
    scale = max(0, scale)
    for monomial, (m, k) in value.terms.items():
        term = m << k + scale
        for name, exponent in monomial:
            assert isinstance(exponent, int)
            term *= symbols[name] ** exponent
        numerator += term
    assert numerator % (1 << scale) == 0
    return numerator >> scale


@pytest.mark.parametrize(("elements", "digit_bits"), [(8, 18), (3, 17)])
def test_bounds_and_residues_hold_for_integers(elements: int, digit_bits: int) -> None:
    """Each block after loading a key and after a private operation with all blinding."""
    chance = random.Random(elements)
    lengths = Lengths(512, 256, 17)
    while True:
        p, q = (getPrime(256, chance.randbytes) for _ in range(2))
        if (p * q).bit_length() == 512 and (p - 1) % 65537 and (q - 1) % 65537:
            break
    e = 65537
    d_p, d_q = pow(e, -1, p - 1), pow(e, -1, q - 1)
    key = RsaKey(p * q, e, primes=Primes(p, q, d_p, d_q, pow(q, -1, p)))
    program = engine_program()
    drawn: list[int] = []

    def draw(bits: int) -> int:
        drawn.append(chance.getrandbits(bits))
        return drawn[-1]

    known = Machine(program, elements, draw, digit_bits, 1024)
    symbolic = machine_of(program, Build(elements, digit_bits, 1024))
    valid_key(symbolic, KeyForm.PRIMES)
    known.exchange(load_rsa_key_request(key))
    (symbolic,) = symbolic.paths(key_packet(lengths, KeyForm.PRIMES, 1))
    symbols = {"n": p * q, "p": p, "q": q, "e": e, "dP": d_p, "dQ": d_q, "qInv": pow(q, -1, p)}
    symbols[TWO] = 2
    assert compared(known, symbolic.facts, symbolic.memory.blocks, symbols, digit_bits) > 20

    c = chance.randrange(p * q)
    known.exchange([header(Command.PRIVATE, 2), 512, *number_words(c, 512)])
    paths = symbolic.paths([header(Command.PRIVATE, 2), 512, up_to("c", 512)])
    (path,) = (each for each in paths if all(one.holds for one in each.assumed))
    symbols["c"] = c
    randoms = sorted(
        (name for name in path.facts.ranges if name.startswith("random")),
        key=lambda name: int(name.removeprefix("random")),
    )
    symbols |= dict(zip(randoms, drawn, strict=True))
    assert compared(known, path.facts, path.memory.blocks, symbols, digit_bits) > 30


def compared(
    known: Machine,
    facts: Facts,
    blocks: Mapping[tuple[int, int], Block],
    symbols: dict[str, int],
    bits: int,
) -> int:
    """Check all blocks that were written; the number of residues that were compared."""
    count = 0
    for (page, number), block in blocks.items():
        value, words = block.value, block.words
        if not words:
            continue
        found = known._blocks.get((page, number), 0) % (1 << bits * words)
        if facts.lower(value) >= 0:
            assert facts.lower(value) <= found <= facts.upper(value), (page, number)
        for modulus in facts.moduli:
            wanted = evaluated(facts.canonical(value, modulus), symbols, symbols[modulus])
            if wanted is not None and facts.lower(value) >= 0:
                assert found % symbols[modulus] == wanted, (page, number, modulus)
                count += 1
    return count
