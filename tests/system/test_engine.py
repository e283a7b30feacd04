"""The engine's operations on its RTL: every configuration and option, judged by pow and OpenSSL."""

from itertools import pairwise

import pytest

from totient.catalog import request_cycles, select
from totient.catalog.engine import words_around
from totient.check.engine import check_rsa
from totient.check.packets import load_rsa_key_request, operation_request
from totient.common.contract import Command
from totient.measure.engine import count_engine_cycles, rsa_key
from totient.sim import open_model

CONFIGURATIONS = {
    "1": {"elements": 1},
    "3, digits of 17 bits": {"elements": 3, "digit_bits": 17},
    "4": {"elements": 4},
    "8, digits of 17 bits": {"elements": 8, "digit_bits": 17},
    "16": {"elements": 16},
    "32, three slots": {"elements": 32, "key_slots": 3},
    "64": {"elements": 64},
    "62": {"elements": 62},
}


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_operations(name: str) -> None:
    outcome = check_rsa(select("engine", width=1024, **CONFIGURATIONS[name]), count=18, seed=1)
    assert outcome.faults == []
    assert outcome.exponentiations == 18
    assert outcome.refusals > 0


USERS = {
    "engine-62": (select("engine-62"), 2048),
    "1": (select("engine", width=1024, elements=1), 512),
    "8, digits of 17 bits": (select("engine", width=1024, elements=8, digit_bits=17), 1024),
    "three slots": (select("engine", width=1024, elements=32, key_slots=3), 512),
}


@pytest.mark.parametrize("name", USERS)
def test_cycles_from_the_first_word_in_to_the_last_word_out(name: str) -> None:
    """Of an engine at rest; two words of the stream taken one after the other are a cycle apart."""
    engine, bits = USERS[name]
    key, d = rsa_key(bits)
    with open_model(engine) as model:
        model.exchange(load_rsa_key_request(key))
        for command, exponent in ((Command.PRIVATE, d), (Command.PUBLIC, key.exponent)):
            value = 3**200 % key.modulus
            model.advance(20_000)  # also what a load wipes afterwards
            before = model.cycles
            answer = model.exchange(operation_request(command, [value], bits))
            taken = model.cycles - before - 1
            words = answer[3:]
            result = sum(word << 32 * place for place, word in enumerate(words))
            assert result == pow(value, exponent, key.modulus)
            public = command is Command.PUBLIC
            assert taken == request_cycles(engine.parameters, bits, public=public)


BETWEEN = {
    "engine-62": (863, 171),
    "1": (436, 171),
    "8, digits of 17 bits": (588, 171),
    "three slots": (436, 171),
}


@pytest.mark.parametrize("name", USERS)
def test_the_interval_between_operations_that_follow_one_another(name: str) -> None:
    """From the last word of an answer to that of the next one, whose request has waited."""
    engine, bits = USERS[name]
    key, _ = rsa_key(bits)
    # From the last word of an answer to the next request's first one: the result is cleared, and
    # after a private operation the random number and other numbers modulo the primes.
    between = dict(zip((Command.PRIVATE, Command.PUBLIC), BETWEEN[name], strict=True))
    with open_model(engine) as model:
        model.exchange(load_rsa_key_request(key))
        for command in (Command.PRIVATE, Command.PUBLIC):
            ends = []
            for value in (3, key.modulus - 1, 0):
                model.exchange(operation_request(command, [value], bits))
                ends.append(model.cycles)
            whole = request_cycles(engine.parameters, bits, public=command is Command.PUBLIC)
            assert [after - before for before, after in pairwise(ends)] == [
                whole + between[command]
            ] * 2
    private = request_cycles(engine.parameters, bits)
    most = 1.009 if bits == 2048 else 1.042
    assert private + between[Command.PRIVATE] <= most * (private - words_around(bits))


def test_cycles_with_the_widest_blocks() -> None:
    """A number of 512 digits is more bits than the longest modulus: they are counted."""
    figures = count_engine_cycles(select("engine", width=8192, elements=32), "rsa-private-512")
    assert figures.simulated == 1
