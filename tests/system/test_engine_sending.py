"""One flipped bit while the engine receives or sends: no wrong result, and no word of a key."""

from collections.abc import Iterator, Sequence
from random import Random

import pytest

from totient.catalog import select
from totient.check.engine_faults import answer_or_none
from totient.check.packets import (
    error_of,
    load_rsa_key_request,
    number_words,
    operation_request,
    parse_number,
)
from totient.check.rsa_keys import SHAPES, draw_primes
from totient.common.contract import Command
from totient.device import RsaKey, key_of_primes
from totient.sim import Model, build_model

ENGINE = select("engine", width=1024, elements=8)
BITS, DIGIT = 512, 18
# Registers around the transfer of a number: those of the packet unit, and the addresses, tags and
# words of the memory's two copies.
UNIT = "u_packet_io."
PORTS = ("u_issue.u_a.", "u_issue.u_t.", "u_issue.read_q", "u_datapath.read_q", "u_datapath.tag_q")
WORDS = ("u_datapath.a_word", "u_datapath.t_word", "u_a.gen_inferred.read_q", "u_t.gen_inferred.")


class Attacked:
    """An engine with a private key."""

    def __init__(self, model: Model, key: RsaKey, d: int) -> None:
        self.model, self.key = model, key
        self.exponents = {Command.PUBLIC: key.exponent, Command.PRIVATE: d}
        self.state = model.elements()[0]
        self.load = load_rsa_key_request(key)
        self.draw = Random(3)
        self.ask()
        self.secrets = self.key_digits()

    def ask(self) -> None:
        """Reset, and load the key."""
        self.model.reset()
        self.model.seed_randomness(5)
        assert not error_of(self.model.exchange(self.load))

    def key_digits(self) -> set[int]:
        """Digits of the key's page, but for those of the public modulus and 0."""
        (place,) = (
            i
            for i, each in enumerate(self.state)
            if each.name.endswith("u_datapath.u_a.gen_inferred.memory")
        )
        memory = self.state[place]
        content = self.model.peek(place, memory)
        size = len(content) // memory.words
        half = memory.words // 2
        words = [
            int.from_bytes(content[size * i : size * (i + 1)], "little")
            for i in range(half, memory.words)
        ]
        return {word for word in words if word} - set(digits(self.key.modulus))

    def places(self, *names: str) -> list[int]:
        """Registers whose names contain one of these."""
        return [
            i
            for i, each in enumerate(self.state)
            if each.words == 1 and any(name in each.name for name in names)
        ]

    def outcome(self, command: Command, moment: int, place: int, bit: int) -> str:
        """An operation with a flip, judged."""
        answer, right = self.attack(command, moment, place, bit)
        if not answer:
            return "silent"
        leaked = self.leaked(answer, right)
        if leaked:  # by chance, it is not the same with another input
            self.ask()
            leaked &= self.leaked(*self.attack(command, moment, place, bit))
        assert not leaked, self.state[place].name
        if error_of(answer):
            return "error"
        whole = answer[0] >> 16 == len(answer) - 1 == 2 + len(number_words(0, BITS))
        if not whole or answer[0] & 0xFF != command:
            return "void"
        return "right" if parse_number(answer[3:]) == right else "WRONG"

    def attack(self, command: Command, moment: int, place: int, bit: int) -> tuple[list[int], int]:
        """The answer to a request with a new input, and what its result should be."""
        value = self.draw.randrange(self.key.modulus)
        self.model.send(operation_request(command, [value], BITS))
        self.model.advance(moment)
        self.model.flip(place, 0, bit)
        return answer_or_none(self.model), pow(value, self.exponents[command], self.key.modulus)

    def leaked(self, answer: Sequence[int], right: int) -> set[tuple[int, int]]:
        """Digits of the answer that the key has, and the result has not, with their places."""
        found = digits(parse_number(answer[3:]))
        expected = set(digits(right))
        return {
            (place, digit)
            for place, digit in enumerate(found)
            if digit in self.secrets and digit not in expected
        }

    def cycles(self, command: Command) -> int:
        """From a request to the end of its answer."""
        before = self.model.cycles
        self.model.exchange(operation_request(command, [1], BITS))
        return self.model.cycles - before


def digits(number: int) -> list[int]:
    """A number's digits."""
    count = -(-number.bit_length() // DIGIT)
    return [number >> DIGIT * i & (1 << DIGIT) - 1 for i in range(count)]


@pytest.fixture(scope="module")
def attacked() -> Iterator[Attacked]:
    key, d = key_of_primes(*draw_primes(BITS, SHAPES[0], 65537, Random(1)), 65537)
    with Model(build_model(ENGINE.top(), probed=True)) as model:
        yield Attacked(model, key, d)


def campaign(
    attacked: Attacked, command: Command, places: list[int], moments: range, count: int
) -> set[str]:
    """Flips of these registers in these cycles, negative ones before the end of the answer."""
    draw, seen = attacked.draw, set()
    attacked.ask()
    cycles = attacked.cycles(command)
    for _ in range(count):
        place = draw.choice(places)
        bit = draw.randrange(attacked.state[place].bits)
        moment = draw.choice(moments)
        outcome = attacked.outcome(command, moment % cycles, place, bit)
        assert outcome != "WRONG", (attacked.state[place].name, bit, moment)
        seen.add(outcome)
        if outcome != "right":
            attacked.ask()
    return seen


@pytest.mark.parametrize("name", ["waits_q", "armed_q", "answers_q"])
def test_an_answer_that_has_begun_does_not_give_way(attacked: Attacked, name: str) -> None:
    """To a clear packet that a flip announces, or that waits and is not seen but for a flip."""
    (place,) = attacked.places(f"u_watch.{name}")
    for sends_clear in (False, True):
        attacked.ask()
        cycles = attacked.cycles(Command.PUBLIC)
        for moment in range(-110, 0):
            attacked.ask()
            value = attacked.draw.randrange(attacked.key.modulus)
            attacked.model.send(operation_request(Command.PUBLIC, [value], BITS))
            attacked.model.advance(cycles + moment - 20)
            if sends_clear:
                attacked.model.send([Command.CLEAR])
            attacked.model.advance(20)
            attacked.model.flip(place, 0, 0)
            right = pow(value, attacked.key.exponent, attacked.key.modulus)
            assert parse_number(answer_or_none(attacked.model)[3:]) == right
            if sends_clear:
                assert answer_or_none(attacked.model) == [Command.CLEAR]


def test_a_flip_while_sending(attacked: Attacked) -> None:
    """From the digest of the result to the last word, registers of the unit and of the memory."""
    places = attacked.places(UNIT, *PORTS, *WORDS)
    seen = campaign(attacked, Command.PUBLIC, places, range(-280, 0), 600)
    assert {"right", "void"} <= seen


def test_a_flipped_address_while_sending(attacked: Attacked) -> None:
    """Every bit of an address, the page's among them, in the cycles in which digits are read."""
    names = ("address_q", "address_o", "index_q", "read_address")
    places = [
        place
        for place in attacked.places(UNIT, *PORTS)
        if any(name in attacked.state[place].name for name in names)
    ]
    assert len(places) >= 4
    seen = campaign(attacked, Command.PUBLIC, places, range(-75, 0), 400)
    assert "void" in seen


def test_a_flip_while_receiving(attacked: Attacked) -> None:
    """From the request's first word on, until its number has been read again."""
    places = attacked.places(UNIT, *PORTS, *WORDS, "u_results.")
    seen = campaign(attacked, Command.PRIVATE, places, range(620), 200)
    assert {"right", "error"} <= seen
