"""Wrong programs: one instruction is dropped or changed. Their proofs must fail.

`python -m totient.prove.mutations` changes each instruction and lists what is still proved.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from totient.engine.assembler import Program
from totient.engine.instruction_set import Cond, Sum, UnitOp, WordOp
from totient.engine.instructions import Instruction, Product, Scalar, Unit, Words
from totient.engine.program import engine_program
from totient.prove.facts import ProofError
from totient.prove.instructions import place
from totient.prove.machine import Symbolic
from totient.prove.program import Case, quick

_OPPOSITE = {
    Cond.ZERO: Cond.NOT_ZERO,
    Cond.NEGATIVE: Cond.NOT_NEGATIVE,
    Cond.ALWAYS: Cond.NEVER,
    Cond.SIGN_0: Cond.SIGN_1,
}
_OPPOSITE |= {value: key for key, value in _OPPOSITE.items()}
_OF_SUM = (Cond.ZERO, Cond.NOT_ZERO, Cond.NEGATIVE, Cond.NOT_NEGATIVE)
_PAIRED = (UnitOp.GET, UnitOp.PUT, UnitOp.SEND, UnitOp.DIGEST, UnitOp.TABLE_GATHER)
_NO_OPERANDS = (UnitOp.VALUE, UnitOp.READ_RESTART_CAUSE)
_MOST_STEPS = 10_000  # of a packet; those of these proofs take less than half of them
_NOTHING = Scalar("none", "zero")


@dataclass(frozen=True)
class Mutant:
    """A changed instruction.

    Attributes:
        at: its number.
        what: the change in words.
        instruction: the changed one.
    """

    at: int
    what: str
    instruction: Instruction


def mutants(program: Program) -> Iterator[Mutant]:
    """All changes of all instructions, in order."""
    for at, op in enumerate(program.instructions):
        if op == _NOTHING:
            continue
        yield Mutant(at, "dropped", _NOTHING)
        match op:
            case Product():
                changed = _of_product(op)
            case Words():
                changed = _of_words(op)
            case Scalar():
                changed = _of_scalar(op)
            case Unit():
                changed = _of_unit(op)
        for what, instruction in changed:
            if instruction != op:
                yield Mutant(at, what, instruction)


def _with(op: Instruction, name: str, value: object) -> Instruction:
    """An instruction with another field."""
    return type(op)(**{**vars(op), name: value})


Changed = Iterator[tuple[str, Instruction]]


def _of_product(op: Product) -> Changed:
    # What the window unit has gathered is in the place of A.
    unused = ("a", "a_words") if op.window else ()
    for name in ("d", "a", "b", "t", "x"):
        block = getattr(op, name)
        if block is not None and name not in unused:
            yield f"block {name}", _with(op, name, block ^ 2)
    if op.t is not None:
        yield "no t", replace(op, t=None)
    if op.x is not None:
        yield "no x", replace(op, x=None)
    if op.a_words != op.b_words:
        yield "operands", replace(op, a=op.b, b=op.a)
    for name in ("a_words", "b_words", "d_words"):
        if name not in unused:
            yield name, _with(op, name, "one" if getattr(op, name) != "one" else "two")
    yield "pair", replace(op, pair=not op.pair)


def _of_words(op: Words) -> Changed:
    yield "block d", replace(op, d=op.d ^ 2)
    yield "words", replace(op, words="two" if op.words != "two" else "one")
    yield "pair", replace(op, pair=not op.pair)
    if op.action in (WordOp.POWER, WordOp.QUARTER):
        yield "v_words", replace(op, v_words="two" if op.v_words != "two" else "one")
        yield "action", replace(op, action=WordOp(9 - op.action))
        return
    for name in ("u", "v"):
        if getattr(op, f"{name}_words") != "zero":
            yield f"block {name}", _with(op, name, getattr(op, name) ^ 2)
        length = getattr(op, f"{name}_words")
        yield f"{name}_words", _with(op, f"{name}_words", "two" if length != "two" else "one")
    if op.action not in (WordOp.ADD,):
        yield "operands", replace(op, u=op.v, v=op.u, u_words=op.v_words, v_words=op.u_words)
    yield "action", replace(op, action=WordOp((op.action + 1) % 4))


def _of_scalar(op: Scalar) -> Changed:
    if op.d != "none" or (op.when in _OF_SUM and op.how != Sum.COMMON):
        yield "one more", replace(op, add=op.add + 1)
        yield "one less", replace(op, add=op.add - 1)
    if op.how == Sum.MINUS:
        yield "operands", replace(op, a=op.b, b=op.a)
    if op.when in _OPPOSITE:
        yield "condition", replace(op, when=_OPPOSITE[op.when])


def _of_unit(op: Unit) -> Changed:
    if op.does in (UnitOp.NUMBER, UnitOp.DIGEST, UnitOp.RANDOM, UnitOp.WIPE, UnitOp.SEND):
        yield "block", replace(op, block=op.block ^ 1)
    if op.first != op.second and op.does not in _NO_OPERANDS:
        yield "operands", replace(op, first=op.second, second=op.first)
    if op.does in _PAIRED:
        yield "pair", replace(op, pair=not op.pair)


def changed(program: Program, mutant: Mutant) -> Program:
    """The program with one other instruction."""
    other = Program(program.slot_scalars)
    other.instructions = list(program.instructions)
    other.instructions[mutant.at] = mutant.instruction
    other.labels = dict(program.labels)
    return other


def killed(program: Program, mutant: Mutant, cases: Sequence[tuple[Case, set[int]]]) -> str:
    """Why the first proof fails; empty if all proofs that execute the instruction succeed."""
    before, Symbolic.most_steps = Symbolic.most_steps, _MOST_STEPS
    try:
        return _first_failure(changed(program, mutant), mutant, cases)
    finally:
        Symbolic.most_steps = before


def _first_failure(wrong: Program, mutant: Mutant, cases: Sequence[tuple[Case, set[int]]]) -> str:
    for case, covered in cases:
        if mutant.at not in covered:
            continue
        try:
            case.prove(wrong)
        except ProofError as error:
            return f"{case.operation}: {error}"
        except (AssertionError, ArithmeticError, LookupError, ValueError) as error:
            return f"{case.operation}: {type(error).__name__} {error}"
    return ""


def covered_cases(program: Program, cases: Iterator[Case]) -> list[tuple[Case, set[int]]]:
    """Cases with the instructions that each executes, from the fastest one on."""
    found = []
    for case in cases:
        began = time.perf_counter()
        run = case.prove(program)
        found.append((time.perf_counter() - began, case, run.covered))
    return [(case, covered) for _, case, covered in sorted(found, key=lambda each: each[0])]


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Change the program; see which proofs fail.")
    parser.add_argument("--sample", type=int, default=0, help="so many, else all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", default="0/1", help="i/k: each k-th one from the i-th on")
    parser.add_argument("--verbose", action="store_true", help="print why each proof fails")
    given = parser.parse_args()
    program = engine_program()
    cases = covered_cases(program, quick())
    every = set().union(*(covered for _, covered in cases))
    chosen = [each for each in mutants(program) if each.at in every]
    if given.sample:
        chosen = random.Random(given.seed).sample(chosen, given.sample)
    part, parts = map(int, given.part.split("/"))
    chosen = chosen[part::parts]
    left = 0
    for mutant in chosen:
        why = killed(program, mutant, cases)
        if given.verbose:
            print(f"{mutant.at} {mutant.what}: {why[:160]}")
        if not why:
            left += 1
            print(f"{place(program, mutant.at)}: {mutant.what}", flush=True)
    print(f"{len(chosen) - left} of {len(chosen)} changes make a proof fail")
    return 0


if __name__ == "__main__":
    sys.exit(main())
