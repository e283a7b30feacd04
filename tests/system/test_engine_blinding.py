"""What the window unit of the RTL holds while a private operation scans its exponents."""

from collections.abc import Iterator

import pytest

from totient.catalog import select
from totient.check.packets import load_rsa_key_request, operation_request
from totient.common.contract import Command, PrivateOption, Request
from totient.device import Primes
from totient.measure.engine import rsa_key
from totient.sim import Model, build_model

BITS = 512
ENGINES = {"8": select("engine", width=1024, elements=8), "1": select("engine-1", width=1024)}


def exponents(model: Model, digit_bits: int) -> tuple[int, int]:
    """Both streams' numbers in the memory of exponents."""
    state, _ = model.elements()
    ((place, memory),) = [
        (i, each)
        for i, each in enumerate(state)
        if "u_window.u_exponents" in each.name and each.words > 1
    ]
    words = model.words(place, memory)
    half = len(words) // 2
    first, second = (
        sum(word << digit_bits * i for i, word in enumerate(each))
        for each in (words[:half], words[half:])
    )
    return first, second


def scanned(model: Model, option: int, digit_bits: int) -> Iterator[tuple[int, int]]:
    """The same at the middle of an operation, which is then run to its end."""
    packet = operation_request(Command.PRIVATE, [3**200], BITS)
    packet[0] |= Request.OPTION.put(option)
    before = model.cycles
    model.exchange(packet)
    whole = model.cycles - before
    for _ in range(2):
        model.send(packet)
        model.advance(whole // 2)
        yield exponents(model, digit_bits)
        assert model.receive()[0] >> 8 & 0xFF == 0


@pytest.mark.parametrize("name", ENGINES)
def test_blinded_exponents_differ(name: str) -> None:
    """They are the key's modulo the primes' orders, and longer by two random digits."""
    engine = ENGINES[name]
    digit_bits = engine.parameters["digit_bits"]
    key, _ = rsa_key(BITS)
    primes = key.primes
    assert isinstance(primes, Primes)
    given = [d - d % 2 for d in (primes.d_p, primes.d_q)]
    orders = primes.p - 1, primes.q - 1
    with Model(build_model(engine.top(), probed=True)) as model:
        model.exchange(load_rsa_key_request(key))
        below = 1 << BITS // 2 + digit_bits
        for pair in scanned(model, 0, digit_bits):
            assert [exponent % below for exponent in pair] == given
        blinded = list(scanned(model, PrivateOption.EXPONENT_BLINDING, digit_bits))
        below = 1 << BITS // 2 + 3 * digit_bits
        for pair in blinded:
            for exponent, d, order in zip(pair, given, orders, strict=True):
                assert exponent % below % order == d
                assert exponent % below // order > 1 << 10
        assert len({exponent for pair in blinded for exponent in pair}) == 4
