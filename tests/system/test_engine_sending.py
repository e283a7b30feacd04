"""One flipped bit while the engine receives or sends: no wrong result, and no word of a key."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from tests.engines import ENGINE
from totient.check.engine_faults import RIGHT, VOID, answer_or_none
from totient.check.engine_flips import check_flips
from totient.check.packets import (
    error_of,
    load_rsa_key_request,
    operation_request,
    parse_number,
)
from totient.check.rsa_keys import SHAPES, draw_primes
from totient.common.contract import Command
from totient.device import key_of_primes
from totient.sim import Model, build_model

BITS, EXPONENT = 512, 65537
# Registers around the transfer of a number: those of the packet unit, and the addresses, tags and
# words of the memory's two copies.
UNIT = "u_packet_io."
PORTS = ("u_issue.u_a.", "u_issue.u_t.", "u_issue.read_q", "u_datapath.read_q", "u_datapath.tag_q")
WORDS = ("u_datapath.a_word", "u_datapath.t_word", "u_a.gen_inferred.read_q", "u_t.gen_inferred.")
ADDRESSES = ("u_packet_io.u_access.address_o", "u_fetch.gen_", "u_access.index_q", "read_address")


@pytest.fixture
def model() -> Iterator[Model]:
    with Model(build_model(ENGINE.top(), probed=True)) as opened:
        yield opened


@pytest.mark.parametrize("name", ["waits_q", "armed_q", "answers_q"])
def test_an_answer_that_has_begun_does_not_give_way(model: Model, name: str) -> None:
    """To a clear packet that a flip announces, or that waits and is not seen but for a flip."""
    draw = Random(3)
    key, _ = key_of_primes(*draw_primes(BITS, SHAPES[0], EXPONENT, Random(1)), EXPONENT)
    (place,) = (
        place
        for place, each in enumerate(model.elements()[0])
        if each.name.endswith(f"u_watch.{name}")
    )

    def loaded() -> None:
        model.reset()
        model.seed_randomness(5)
        assert not error_of(model.exchange(load_rsa_key_request(key)))

    loaded()
    before = model.cycles
    model.exchange(operation_request(Command.PUBLIC, [1], BITS))
    cycles = model.cycles - before
    for sends_clear in (False, True):
        for moment in range(-110, 0):
            loaded()
            value = draw.randrange(key.modulus)
            model.send(operation_request(Command.PUBLIC, [value], BITS))
            model.advance(cycles + moment - 20)
            if sends_clear:
                model.send([Command.CLEAR])
            model.advance(20)
            model.flip(place, 0, 0)
            right = pow(value, EXPONENT, key.modulus)
            assert parse_number(answer_or_none(model)[3:]) == right
            if sends_clear:
                assert answer_or_none(model) == [Command.CLEAR]


def flips(phases: dict[str, list[str]], where: tuple[str, ...], count: int) -> Counter[str]:
    """Outcomes of flips in the phases of an operation, without a fault."""
    done = check_flips(ENGINE, BITS, count, 1, only=phases, where=where)
    assert done.faults == []
    return sum(done.outcomes.values(), Counter())


def test_a_flip_while_sending() -> None:
    """Registers of the unit and of the memory."""
    seen = flips({"public": ["send"]}, (UNIT, *PORTS, *WORDS), 600)
    assert seen[RIGHT]
    assert seen[VOID]


def test_a_flipped_address_while_sending() -> None:
    """Every bit of an address, the page's among them."""
    assert flips({"public": ["send"]}, ADDRESSES, 300)[VOID]


def test_a_flip_while_receiving() -> None:
    """From the request's first word on, until its number has been read again."""
    seen = flips({"private": ["receive"]}, (UNIT, *PORTS, *WORDS, "u_results."), 200)
    assert seen[RIGHT]
    assert len(seen) > 1
