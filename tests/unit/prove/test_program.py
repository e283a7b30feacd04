"""Proofs of the engine's program; and of changed programs, where they must fail."""

import re

import pytest

from totient.engine.assembler import Program
from totient.engine.program import engine_program
from totient.prove.instructions import place
from totient.prove.mutations import covered_cases
from totient.prove.program import Case, long, quick, standard

Covered = list[tuple[Case, set[int]]]

# Instructions that only a fault of the hardware reaches, or no key that is allowed.
NEVER = {
    "longer.14 + 2": "the longer prime of 512 bits or more has more than 11 digits",
    "newton.33 + 9": "a number modulo n has room for each step",
    "self_test.done + 3": "the self-test fails",
    "right.114 + 2": "the self-test fails",
    "fits.71 + 7": "a base of no words, which the machine on integers has (tests/unit/engine)",
    "fits.71 + 8": "the same",
    "fits.71 + 9": "its block is not 0",
    "private.check + 3": "the result is not below n",
}


@pytest.fixture(scope="module")
def program() -> Program:
    """The whole one."""
    return engine_program()


@pytest.fixture(scope="module")
def proofs(program: Program) -> Covered:
    """All quick proofs, with the instructions that each executes."""
    return covered_cases(program, quick())


def where(program: Program, at: int) -> str:
    """An instruction's label and distance."""
    found = re.search(r"\((.*?)\)", place(program, at))
    assert found
    return found[1]


def test_each_instruction_is_part_of_a_proof(program: Program, proofs: Covered) -> None:
    covered = set().union(*(each for _, each in proofs))
    left = [at for at in range(len(program.instructions)) if at not in covered]
    assert {where(program, at) for at in left} == set(NEVER)


@pytest.mark.slow
@pytest.mark.parametrize("case", [*standard(), *long()], ids=str)
def test_more_builds_and_lengths(program: Program, case: Case) -> None:
    """Up to 8192 bits."""
    case.prove(program)
