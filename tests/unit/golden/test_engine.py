"""The engine's program run on integers: set-up of a key, blinded private operation with check."""

import math
import random

import pytest
from Crypto.PublicKey import RSA

from totient.golden.engine_machine import Machine
from totient.golden.engine_program import (
    C_AGAIN,
    DIVIDED,
    EXPONENT,
    FIRST,
    ONE,
    PRIMES,
    PUBLIC,
    Q_INVERSE,
    QUOTIENT_DELAY,
    RESULT,
    SECOND,
    TWO,
    WHOLE,
    Action,
    C,
    Program,
    constants,
    lengths,
    private_crt,
    recombination,
)


def digits(number: int, bits: int) -> int:
    """Digits of a number, with at least two bits of the highest one 0."""
    return -(-(number.bit_length() + 2) // bits)


def scalars(key: RSA.RsaKey, elements: int, short: int, bits: int) -> dict[str, int]:
    """What the program begins with: the engine's size and a key's lengths."""
    ring = short or elements
    passes = -(-DIVIDED // ring)
    steps = passes * ring
    whole_round = 16 // math.gcd(16, bits)
    length = max(key.p.bit_length(), key.q.bit_length())
    prime_digits = max(digits(key.p, bits), digits(key.q, bits))
    return {
        "zero": 0,
        "one": 1,
        "none": 0,
        "elements": elements,
        "short_elements": short,
        "divided": DIVIDED,
        "quotient_delay": QUOTIENT_DELAY,
        "twice_divided": 2 * DIVIDED,
        "small_short": int(short > 0),
        "small_passes": passes - 1,
        "small_steps": steps,
        "divide_lead": steps - DIVIDED,
        "inverse_lead": steps - QUOTIENT_DELAY,
        "low_positions": steps + 2 * DIVIDED + 1,
        "digit_bits": bits,
        "window_bits": 5,
        "round": whole_round,
        "round_mask": whole_round - 1,
        "round_doublings": bits * whole_round // 16,
        "prime_digits": prime_digits,
        "whole_digits": digits(key.n, bits),
        "prime_random_words": prime_digits - 2,
        "public_words": 2,
        "prime_place": length // bits,
        "prime_top": length % bits,
        "windows": -(-length // 5),
        "first_bits": (length - 1) % 5 + 1,
        "public_bits": key.e.bit_length(),
        "public_place": (key.e.bit_length() - 1) // bits,
        "public_top": (key.e.bit_length() - 1) % bits,
    }


@pytest.mark.parametrize(
    ("bits", "exponent", "elements", "short", "digit_bits"),
    [
        (1024, 65537, 64, 36, 18),
        (1024, 3, 1, 0, 18),
        (2048, 65537, 64, 36, 18),
        (1032, 17, 8, 0, 18),
    ],
)
def test_a_private_operation(
    bits: int, exponent: int, elements: int, short: int, digit_bits: int
) -> None:
    chance = random.Random(bits + elements)
    key = RSA.generate(bits, randfunc=chance.randbytes, e=exponent)
    machine = Machine(digit_bits, scalars(key, elements, short, digit_bits), chance.getrandbits)
    q_inverse = pow(key.q, -1, key.p)
    message = chance.randrange(key.n)
    machine.blocks = {
        PRIMES.m: key.p,
        PRIMES.m + 1: key.q,
        WHOLE.m: key.n,
        Q_INVERSE: q_inverse,
        EXPONENT: key.d % (key.p - 1) - 1,
        EXPONENT + 1: key.d % (key.q - 1) - 1,
        PUBLIC: key.e,
        PUBLIC + 1: key.e,
        C: message,
        C_AGAIN: message,
    }
    program = Program()
    lengths(program, PRIMES)
    lengths(program, WHOLE)
    program.words(Action.POWER, ONE, words="divided", pair=True)
    program.words(Action.ADD, TWO, ONE, ONE, "divided", "one", "one", pair=True)
    constants(program, PRIMES)
    constants(program, WHOLE)
    recombination(program)
    machine.run(program)

    radix, at = 1 << digit_bits, machine.scalars
    for kind, place, modulus in ((PRIMES, 0, key.p), (PRIMES, 1, key.q), (WHOLE, 0, key.n)):
        inverse, x, entering = (machine.blocks[block + place] for block in (kind.q, kind.x, kind.k))
        assert (inverse * modulus + 1) % radix**DIVIDED == 0
        assert x == (inverse % radix**QUOTIENT_DELAY * modulus + 1) // radix**QUOTIENT_DELAY
        steps = at[kind.steps] + at[kind.entering_steps]
        assert entering == pow(radix, steps, modulus)
    share = key.q * q_inverse
    leaving = radix ** (DIVIDED + at[PRIMES.steps])
    assert machine.blocks[FIRST] % key.n == share * leaving % key.n
    assert machine.blocks[SECOND] == (1 - share) * radix**DIVIDED % key.n

    operation = Program()
    private_crt(operation)
    machine.run(operation)
    assert machine.blocks[RESULT] == pow(message, key.d, key.n)
    assert machine.zero[0], "the check does not find it right"

    # A fault anywhere in an exponentiation does not pass the check.
    machine.blocks[PRIMES.k] ^= 1 << chance.randrange(100)
    machine.run(operation)
    assert not machine.zero[0]
