"""The engine's final decision with two flipped bits: one in the result, one in the decision."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import pytest

from tests.engines import ENGINE
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
from totient.device import key_of_primes
from totient.engine.instruction_set import Cond
from totient.engine.instructions import Scalar
from totient.engine.program import engine_program
from totient.sim import Model, build_model

BITS, VALUE, SEED = 512, 5, 7
DECISIONS = (Cond.EQUAL, Cond.SIGN_0)


def decisions() -> list[int]:
    """Places of the conditional jumps of the final check."""
    program = engine_program()
    check = slice(program.labels["private.check"], program.labels["fault"])
    return [
        check.start + place
        for place, instruction in enumerate(program.instructions[check])
        if isinstance(instruction, Scalar) and instruction.when in DECISIONS
    ]


@dataclass
class Attack:
    """An engine whose private operation takes the same cycles each time."""

    model: Model
    modulus: int
    right: int
    load: list[int]

    def __post_init__(self) -> None:
        self.request = operation_request(Command.PRIVATE, [VALUE], BITS)
        self.state = self.model.elements()[0]
        self.place = self.number("u_control.place_q")
        self.jumps = self.number("u_control.jumps_q")

    def number(self, name: str) -> int:
        """Place of a register in the state."""
        (found,) = (i for i, each in enumerate(self.state) if each.name.endswith(name))
        return found

    def begin(self) -> int:
        """Request the operation with the same random words; the cycle of the request."""
        self.model.reset()
        self.model.seed_randomness(SEED)
        assert not error_of(self.model.exchange(self.load))
        self.model.send(self.request)
        return self.model.cycles

    def here(self) -> int:
        """The program counter."""
        return self.model.words(self.place, self.state[self.place])[0]

    def moments(self) -> tuple[int, dict[int, int]]:
        """Cycles from the request to an early product, and to the end of each decision."""
        began, last, left = self.begin(), self.here(), set(decisions())
        found: dict[int, int] = {}
        near = {place - more for place in left for more in range(3)}
        while left:
            # An instruction takes 16 cycles or more.
            self.model.advance(1 if last in near else 8)
            here = self.here()
            if last in left and here != last:
                # In the cycle before, the decision chose the next instruction.
                found[last] = self.model.cycles - began - 1
                left.remove(last)
            last = here
        self.model.receive()
        return min(found.values()) // 2, found

    def outcome(self, flips: dict[int, tuple[int, int, int]]) -> str:
        """Run the operation with a flip in each of these cycles."""
        began = self.begin()
        for cycle, flip in sorted(flips.items()):
            self.model.advance(cycle - (self.model.cycles - began))
            self.model.flip(*flip)
        answer = answer_or_none(self.model)
        if not answer:
            return "silent"
        if error_of(answer):
            return "error"
        if answer[0] >> 16 != len(answer) - 1 or len(answer) != 3 + len(number_words(0, BITS)):
            return "void"
        return "right" if parse_number(answer[3:]) == self.right else "WRONG"


@pytest.fixture(scope="module")
def attack() -> Iterator[Attack]:
    key, d = key_of_primes(*draw_primes(BITS, SHAPES[0], 65537, Random(1)), 65537)
    with Model(build_model(ENGINE.top(), probed=True)) as model:
        right = pow(VALUE, d, key.modulus)
        yield Attack(model, key.modulus, right, load_rsa_key_request(key))


def test_a_flipped_decision_releases_no_wrong_result(attack: Attack) -> None:
    """One flip makes the result wrong, the other one is on any of the decisions."""
    early, moments = attack.moments()
    product = next(i for i, each in enumerate(attack.state) if each.name.endswith("product_q"))
    spoil = {early: (product, 0, 20)}
    assert attack.outcome({}) == "right"
    assert attack.outcome(spoil) == "error"
    assert len(moments) >= 4
    safe = "error", "void", "silent"
    for place, moment in moments.items():
        assert attack.outcome({**spoil, moment: (attack.jumps, 0, 0)}) in safe, place


def test_a_flipped_decision_harms_no_right_result(attack: Attack) -> None:
    _, moments = attack.moments()
    outcomes = {attack.outcome({moment: (attack.jumps, 0, 0)}) for moment in moments.values()}
    assert "error" in outcomes
    assert outcomes <= {"right", "error", "void", "silent"}
