"""Cycles of engines: the program run on lengths, kept as a table.

They depend on the number of elements, on a digit's bits and on the key's length. A run takes up to
half a second, so the usual lengths are in `results/exploration/engine_cycles.json`.
`python -m totient.explore.engine_cycles` writes it.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

from totient.catalog import RsaLengths, rsa_cycles, select
from totient.catalog.engine import words_around
from totient.common.files import project_root
from totient.common.progress import bar
from totient.explore.space import Integers, Space
from totient.measure.engine import LENGTHS

ELEMENTS = range(1, 129)
DIGIT_BITS = (17, 18)
KINDS = ("crt", "private", "public")
"""A private operation with the primes, one without them, a public one."""


def table_file() -> Path:
    """The table of the usual lengths."""
    return project_root() / "results" / "exploration" / "engine_cycles.json"


def engine_cycles(space: Space, bits: int, kind: str) -> Integers:
    """Cycles of an operation as a user of an engine sees it, for each configuration.

    From the handshake of the request's first word to that of the answer's last one.

    Args:
        space: configurations of the engine.
        bits: of the modulus.
        kind: one of `KINDS`.
    """
    elements, digits = space.parameters["elements"], space.parameters["digit_bits"]
    found = np.empty(len(space), np.int64)
    for pair in {*zip(elements.tolist(), digits.tolist(), strict=True)}:
        where = (elements == pair[0]) & (digits == pair[1])
        found[where] = _cycles(bits, kind, *pair)
    return found + words_around(bits, public=kind == "public")


@cache
def _kept() -> Mapping[str, Mapping[str, Mapping[str, list[int]]]]:
    """Cycles by key length, digit's bits and kind, of 1 element and more."""
    try:
        return dict(json.loads(table_file().read_text()))
    except OSError:
        return {}


def _cycles(bits: int, kind: str, elements: int, digit_bits: int) -> int:
    """Cycles from the table, or by the program."""
    kept = _kept().get(str(bits), {}).get(str(digit_bits), {}).get(kind, [])
    return kept[elements - 1] if kept else cycles_by_program(bits, kind, elements, digit_bits)


def cycles_by_program(bits: int, kind: str, elements: int, digit_bits: int) -> int:
    """Cycles from the last word of a request to the first one of its answer.

    Args:
        bits: of the modulus.
        kind: one of `KINDS`.
        elements: of the engine.
        digit_bits: bits of its digits.
    """
    built = select("engine", elements=elements, digit_bits=digit_bits).parameters
    half = bits // 2
    primes = None if kind == "private" else (bits - half, half)
    _, private, public = rsa_cycles(built, RsaLengths(bits, prime_bits=primes))
    return public if kind == "public" else private


def write_table() -> None:
    """Compute the table and write it."""
    kept: dict[int, dict[int, dict[str, list[int]]]] = {}
    with bar("cycles of engines", len(LENGTHS) * len(DIGIT_BITS) * len(KINDS)) as steps:
        for bits in LENGTHS:
            for digits in DIGIT_BITS:
                for kind in KINDS:
                    row = [cycles_by_program(bits, kind, each, digits) for each in ELEMENTS]
                    kept.setdefault(bits, {}).setdefault(digits, {})[kind] = row
                    steps.advance()
    table_file().parent.mkdir(exist_ok=True)
    table_file().write_text(json.dumps(kept, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    write_table()
