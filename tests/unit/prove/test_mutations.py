"""Changed programs: a proof must fail, but for changes that have a reason why none does."""

import random

import pytest

from tests.unit.prove.survivors import reason
from totient.engine.program import engine_program
from totient.prove.instructions import place
from totient.prove.mutations import Mutant, covered_cases, killed, mutants
from totient.prove.program import quick

SAMPLE = 15
LONG_SAMPLE = 600


def sample(seed: int, count: int) -> list[Mutant]:
    """Changes of any instructions, without those that need no proof to fail."""
    program = engine_program()
    every = [each for each in mutants(program) if not reason(program, each)]
    return random.Random(seed).sample(every, count)


def survivors(chosen: list[Mutant]) -> list[str]:
    """Changes with which all proofs succeed."""
    program = engine_program()
    cases = covered_cases(program, quick())
    left = [each for each in chosen if not killed(program, each, cases)]
    return [f"{place(program, each.at)}: {each.what}" for each in left]


def test_a_changed_instruction_makes_a_proof_fail() -> None:
    assert survivors(sample(1, SAMPLE)) == []


@pytest.mark.slow
def test_more_changed_instructions_make_a_proof_fail() -> None:
    """The argued changes are left out; what is left must all be found."""
    assert survivors(sample(2, LONG_SAMPLE)) == []
