"""Prove the engine's program: `python -m totient.prove.program`.

Each proof is for one build of the hardware and lengths of a key, and for all values of the
numbers. The table lists them. The exit code is 1 if a proof fails.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from totient.engine.assembler import Program
from totient.engine.program import engine_program
from totient.prove.facts import ProofError
from totient.prove.instructions import place
from totient.prove.operations import (
    Build,
    Lengths,
    Run,
    prove_pair,
    prove_plain,
    prove_private,
    prove_public,
    prove_safety,
    prove_self_test,
    prove_whole,
)
from totient.prove.refusals import prove_control, prove_refusals

Proof = Callable[[Program, Build, Lengths], Run]


@dataclass(frozen=True)
class Case:
    """One proof."""

    operation: str
    build: Build
    lengths: Lengths

    def prove(self, program: Program) -> Run:
        """Run it.

        Raises:
            ProofError: it fails.
        """
        return OPERATIONS[self.operation](program, self.build, self.lengths)


OPERATIONS: dict[str, Proof] = {
    "private": prove_private,
    "safety": prove_safety,
    "whole": prove_whole,
    "public": prove_public,
    "plain": prove_plain,
    "pair": prove_pair,
    "refusals": prove_refusals,
    "control": prove_control,
    "self-test": prove_self_test,
}

_SMALL = Build(8, 18, 1024)
_NARROW = Build(1, 17, 1024)  # numbers modulo n need more than a block from 1000 bits on
_LARGE = Build(62, 18, 2048)
_LONG = Build(128, 18, 4096)
_LENGTHS = (Lengths(512, 256, 17), Lengths(520, 268, 2), Lengths(1024, 515, 3))
_NEAR = (Lengths(300, 284, 7), Lengths(300, 264, 7), Lengths(264, 300, 7))
_PLAIN = (Lengths(2, 0, 1), Lengths(100, 0, 77), Lengths(513, 0, 40), Lengths(1024, 0, 18))
_PAIRS = (Lengths(300, 200, 77), Lengths(512, 30, 5), Lengths(20, 512, 36))
# Stated longer than they are, by many digits.
_LONGER = (Lengths(2, 0, 1, 1024), Lengths(100, 0, 77, 700), Lengths(513, 0, 40, 1000))
_LONGER_PAIRS = (Lengths(2, 2, 7, 512), Lengths(50, 100, 36, 500), Lengths(264, 200, 7, 512))


def quick() -> Iterator[Case]:
    """Proofs that take some seconds together, and execute each instruction."""
    for operation in ("private", "safety", "whole", "public", "refusals", "control", "self-test"):
        yield Case(operation, _SMALL, Lengths(512, 256, 17))
    yield Case("private", _NARROW, Lengths(520, 268, 2))
    yield Case("private", _LARGE, Lengths(1300, 640, 18))
    yield Case("public", _LARGE, Lengths(1300, 650, 17))
    yield Case("public", _NARROW, Lengths(1024, 512, 17))
    yield Case("public", _NARROW, Lengths(513, 256, 17))  # one bit more than whole words
    for build in (_SMALL, _NARROW):  # a base of 32 bits more takes four digits more
        yield Case("public", build, Lengths(641, 320, 17))
    yield Case("whole", _LARGE, Lengths(1300, 650, 5))
    yield Case("whole", _NARROW, Lengths(1020, 512, 5))
    for lengths in (Lengths(2, 0, 1), Lengths(100, 0, 77)):
        yield Case("plain", _SMALL, lengths)
    for build in (_SMALL, _NARROW):
        for lengths in _LONGER:
            yield Case("plain", build, lengths)
        for lengths in _LONGER_PAIRS:
            yield Case("pair", build, lengths)
    yield Case("public", _SMALL, Lengths(512, 256, 80))  # e has one word less than a job needs
    for build in (_SMALL, _NARROW):  # a digit less than the least modulus has
        yield Case("plain", build, Lengths(10 * build.digit_bits - 2, 0, 7))
    for bits in (1024, 511):
        yield Case("plain", _NARROW, Lengths(bits, 0, 7))
    yield Case("plain", _LARGE, Lengths(1024, 0, 18))
    yield Case("plain", _LARGE, Lengths(2047, 0, 8))
    # Moduli that differ by many digits, by one and by two.
    for lengths in (Lengths(300, 200, 77), Lengths(50, 100, 36), *_NEAR):
        yield Case("pair", _SMALL, lengths)
    for lengths in (Lengths(20, 512, 36), Lengths(513, 513, 7)):
        yield Case("pair", _NARROW, lengths)
    for lengths in (Lengths(512, 30, 5), Lengths(1000, 1000, 36)):
        yield Case("pair", _LARGE, lengths)
    yield from _rings()


def _rings() -> Iterator[Case]:
    """Lengths for which each shorter ring is used, and results that have no room for the best.

    A modulus alone has fewer digits than the ring has elements.
    """
    for bits in range(256, 2049, 128):
        yield Case("plain", _LONG, Lengths(bits - 28, 0, 5))
        yield Case("pair", _LONG, Lengths(bits, bits - 100, 5))
    yield Case("pair", Build(48, 18, 4096), Lengths(2056, 2050, 5))
    yield Case("plain", Build(48, 18, 4096), Lengths(4096, 0, 5))


def standard() -> Iterator[Case]:
    """Proofs for builds with 1 to 62 elements, digits of 17 and 18 bits, keys up to 1030 bits."""
    yield from quick()
    for elements in (1, 2, 4, 8, 31, 62):
        for digit_bits in (17, 18):
            build = Build(elements, digit_bits, 1024)
            for lengths in _LENGTHS:
                for operation in ("private", "safety", "whole", "public"):
                    yield Case(operation, build, lengths)
            for lengths in (Lengths(1024, 504, 512), Lengths(544, 64, 40)):
                yield Case("private", build, lengths)
            for operation in ("private", "whole", "public"):
                yield Case(operation, Build(elements, digit_bits, 2048), Lengths(1030, 500, 64))
            for lengths in (*_PLAIN, *_LONGER):
                yield Case("plain", build, lengths)
            for lengths in (*_PAIRS, *_LONGER_PAIRS):
                yield Case("pair", build, lengths)
            for operation in ("self-test", "refusals", "control"):
                yield Case(operation, build, _LENGTHS[0])


def long() -> Iterator[Case]:
    """Proofs for keys of 2048 to 8192 bits."""
    for elements, digit_bits, bits in (
        *((62, 18, 2048), (62, 17, 4096), (8, 18, 4096), (31, 18, 4096), (1, 17, 4096)),
        *((62, 18, 8192), (16, 17, 8192)),
    ):
        build = Build(elements, digit_bits, bits)
        for operation in ("private", "safety", "whole", "public"):
            yield Case(operation, build, Lengths(bits, bits // 2 + 8, 17))
        yield Case("plain", build, Lengths(bits, 0, bits))
        yield Case("pair", build, Lengths(bits // 2 + 8, bits // 2, bits // 2))


def run(program: Program, cases: Iterable[Case]) -> tuple[set[int], int]:
    """Print a line for each proof; the instructions executed, and the number of failures."""
    covered: set[int] = set()
    failures = 0
    print("| operation | elements x digit bits, max bits | lengths | executed | covered | s |")
    print("| --- | --- | --- | ---: | ---: | ---: |")
    for case in cases:
        began = time.perf_counter()
        try:
            done = case.prove(program)
        except ProofError as error:
            failures += 1
            print(f"| {case.operation} | {case.build} | {case.lengths} | FAILED: {error} |")
            continue
        took = time.perf_counter() - began
        covered |= done.covered
        figures = f"{done.steps:,} | {len(done.covered)} | {took:.1f}"
        print(f"| {case.operation} | {case.build} | {case.lengths} | {figures} |", flush=True)
    return covered, failures


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Prove the engine's program.")
    parser.add_argument("--quick", action="store_true", help="a few configurations")
    parser.add_argument("--long", action="store_true", help="also keys of up to 8192 bits")
    given = parser.parse_args()
    program = engine_program()
    cases = list(quick() if given.quick else standard())
    if given.long:
        cases += long()
    covered, failures = run(program, cases)
    left = [at for at in range(len(program.instructions)) if at not in covered]
    print(f"{len(covered)} of {len(program.instructions)} instructions were executed")
    for at in left:
        print(f"not executed: {place(program, at)}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
