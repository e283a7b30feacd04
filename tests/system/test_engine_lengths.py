"""Numbers that are stated longer than they are, after longer numbers in the same blocks.

The answer holds no word of an earlier number, and no valid request is refused.
"""

from collections.abc import Iterator
from random import Random

import pytest

from totient.catalog import select
from totient.check.packets import (
    error_of,
    header,
    load_rsa_key_request,
    number_words,
    operation_request,
    parse_number,
)
from totient.common.contract import Command
from totient.device import RsaKey
from totient.sim import Model, open_model

MOST = 1024
# Every bit of a block is 1 where it can be.
LONGEST = RsaKey((1 << MOST) - 1 - 2**200, 3)
MODULI = (3, 2**17 + 1, 2**200 - 1, 2**511 + 1)


@pytest.fixture(scope="module", params=[(1, 18), (4, 17), (8, 18)], ids=str)
def engine(request: pytest.FixtureRequest) -> Iterator[Model]:
    elements, digit_bits = request.param
    chosen = select("engine", width=MOST, elements=elements, digit_bits=digit_bits, key_slots=2)
    with open_model(chosen) as model:
        yield model


def fill(engine: Model) -> None:
    """A result and an input of the longest length, in slot 0."""
    assert not error_of(engine.exchange(load_rsa_key_request(LONGEST)))
    answer = engine.exchange(operation_request(Command.PUBLIC, [LONGEST.modulus - 1], MOST))
    assert parse_number(answer[3:]) == LONGEST.modulus - 1


@pytest.mark.parametrize("modulus", MODULI)
def test_a_modulus_that_is_stated_longer(engine: Model, modulus: int) -> None:
    for stated in (*range(modulus.bit_length(), MOST, 131), MOST):
        fill(engine)
        numbers = [*number_words(modulus, stated), 5]
        load = [header(Command.LOAD_KEY, slot=1), stated, 3, *numbers]
        assert not error_of(engine.exchange(load))
        base = modulus - 2
        answer = engine.exchange(operation_request(Command.EXPONENTIATE, [base], stated, slot=1))
        assert not error_of(answer)
        assert len(answer) == 3 + -(-stated // 32)
        assert parse_number(answer[3:]) == pow(base, 5, modulus), stated


@pytest.mark.parametrize("modulus", MODULI)
def test_a_pair_that_is_stated_longer(engine: Model, modulus: int) -> None:
    other = 2 ** (modulus.bit_length() - 1) | 1
    for stated in (*range(modulus.bit_length(), MOST // 2, 97), MOST // 2):
        fill(engine)
        moduli = [*number_words(modulus, stated), *number_words(other, stated)]
        load = [header(Command.LOAD_PAIR, slot=1), stated, 3, *moduli, 5, 7]
        assert not error_of(engine.exchange(load))
        bases = [modulus - 2, other - 2]
        answer = engine.exchange(
            operation_request(Command.EXPONENTIATE, bases, stated, slot=1, option=1)
        )
        words = -(-stated // 32)
        found = [parse_number(answer[3:][:words]), parse_number(answer[3:][words:])]
        assert found == [pow(bases[0], 5, modulus), pow(bases[1], 7, other)], stated


def test_an_input_that_is_stated_longer(engine: Model) -> None:
    """By up to 32 bits more than n."""
    draw = Random(3)
    for bits in (513, 545, 586, 633, 1000):
        modulus = draw.getrandbits(bits) | 1 << bits - 1 | 1
        fill(engine)
        assert not error_of(engine.exchange(load_rsa_key_request(RsaKey(modulus, 3))))
        for stated in (bits, *range(bits + 1, min(bits + 32, MOST) + 1, 3)):
            answer = engine.exchange(operation_request(Command.PUBLIC, [7], stated))
            assert parse_number(answer[3:]) == 343, (bits, stated)
            fill(engine)
            assert not error_of(engine.exchange(load_rsa_key_request(RsaKey(modulus, 3))))
