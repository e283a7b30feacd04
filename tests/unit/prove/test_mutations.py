"""Changed programs: a proof must fail or an answer be wrong, or there is a reason why not."""

import random
from dataclasses import replace

import pytest

from tests.unit.prove.sessions import wrong_answer
from tests.unit.prove.survivors import reason
from totient.engine.instructions import Scalar, Words
from totient.engine.layout import RESULT
from totient.engine.program import engine_program
from totient.prove.facts import ProofError
from totient.prove.instructions import place
from totient.prove.mutations import Mutant, changed, covered_cases, killed, mutants
from totient.prove.operations import Build, Lengths
from totient.prove.program import Case, quick

SAMPLE = 15
LONG_SAMPLE = 600
NOTHING = ("zero", "zero")  # words of both operands


def sample(seed: int, count: int) -> list[Mutant]:
    """So many changes of any instructions, without those that need no proof to fail."""
    program = engine_program()
    chosen = random.Random(seed).sample(list(mutants(program)), count)
    return [each for each in chosen if not reason(program, each)]


def survivors(chosen: list[Mutant]) -> list[str]:
    """Changes with which all proofs succeed, and all answers are right."""
    program = engine_program()
    cases = covered_cases(program, quick())
    proved = [each for each in chosen if not killed(program, each, cases)]
    left = [each for each in proved if not wrong_answer(changed(program, each))]
    return [f"{place(program, each.at)}: {each.what}" for each in left]


def test_the_program_answers_random_requests_rightly() -> None:
    assert wrong_answer(engine_program()) == ""


@pytest.mark.parametrize(
    ("label", "distance"),
    [("ready", 13), ("load_plain", 3), ("load_rsa", 3)],
    ids=["the choice of the slot", "the error before a plain key", "the error before an RSA key"],
)
def test_requests_in_a_row_find_what_a_proof_does_not(label: str, distance: int) -> None:
    """A proof begins with a new engine of one slot. Without the instruction an answer is wrong."""
    program = engine_program()
    at = program.labels[label] + distance
    assert wrong_answer(changed(program, Mutant(at, "dropped", Scalar("none", "zero"))))


def test_a_changed_instruction_makes_a_proof_fail() -> None:
    assert survivors(sample(1, SAMPLE)) == []


@pytest.mark.slow
def test_more_changed_instructions_make_a_proof_fail() -> None:
    """The argued changes are left out; what is left must all be found."""
    assert survivors(sample(2, LONG_SAMPLE)) == []


def test_defects_that_were_there_make_a_proof_fail() -> None:
    """Stale upper words of a result, and an input that has no room for its last word."""
    program = engine_program()
    cleared = [
        at
        for at, each in enumerate(program.instructions)
        if isinstance(each, Words)
        and (each.d, each.u_words, each.v_words) == (RESULT, *NOTHING)
        and each.words.endswith("block_words")
    ]
    assert len(cleared) == 3, "before two operations, after the self-test"
    plain = Case("plain", Build(8, 18, 1024), Lengths(100, 0, 77, 700))
    pair = Case("pair", Build(8, 18, 1024), Lengths(50, 100, 36, 500))
    for at, case in zip(cleared[:2], (plain, pair), strict=True):
        wrong = changed(program, Mutant(at, "dropped", Scalar("none", "zero")))
        with pytest.raises(ProofError, match=r"digest: block \(0, 18\) has only"):
            case.prove(wrong)
    longer = Case("public", Build(8, 18, 1024), Lengths(641, 320, 17))
    for add in (2, 3):
        wrong = program
        for at, each in enumerate(program.instructions):
            if isinstance(each, Scalar) and (each.d, each.add) == ("read", 4):
                wrong = changed(wrong, Mutant(at, f"{add} digits", replace(each, add=add)))
        with pytest.raises(ProofError, match=r"digest: block \(0, 10\) has only"):
            longer.prove(wrong)


@pytest.mark.parametrize(
    ("label", "distance", "field", "case", "message"),
    [
        ("window.64", 1, {"first": "one"}, "plain", "more words than are collected"),
        ("window.69", 1, {"first": "one"}, "pair", "more words than are collected"),
        ("table.63", 2, {"add": -32}, "plain", "not the powers of a number"),
        ("divide.25", 5, {"add": 5}, "plain", "fewer words than a job needs"),
    ],
    ids=["words of a power", "words of two powers", "entries of the table", "words of a job"],
)
def test_what_the_hardware_needs_is_proved(
    label: str, distance: int, field: dict[str, object], case: str, message: str
) -> None:
    program = engine_program()
    at = program.labels[label] + distance
    instruction = replace(program.instructions[at], **field)  # type: ignore[arg-type]
    wrong = changed(program, Mutant(at, "", instruction))
    lengths = Lengths(100, 0, 77) if case == "plain" else Lengths(50, 100, 36)
    with pytest.raises(ProofError, match=message):
        Case(case, Build(8, 18, 1024), lengths).prove(wrong)
    assert wrong_answer(wrong)
