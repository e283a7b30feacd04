"""Cycles of engines with rings of all lengths: the program run on lengths, kept as a table.

They depend on the number of elements, on a digit's bits and on the key's length. A run takes up to
half a second, so the usual lengths are in `results/exploration/engine_cycles.json`, and private
operations of some lengths between them. `python -m totient.measure.engine_table` writes it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from totient.catalog import RsaLengths, rsa_cycles, select
from totient.common.files import project_root
from totient.common.progress import bar
from totient.measure.engine import LENGTHS

ELEMENTS = range(1, 129)
DIGIT = 18
DIGIT_BITS = (17, DIGIT)
CRT = "crt"
KINDS = (CRT, "private", "public")
"""A private operation with the primes, one without them, a public one."""
BETWEEN = (640, 768, 896, 1280, 1536, 1792, 2560)
"""Lengths for which the table has private operations with the primes and digits of 18 bits only."""

Table = Mapping[str, Mapping[str, Mapping[str, Sequence[int]]]]


def table_file() -> Path:
    """The table."""
    return project_root() / "results" / "exploration" / "engine_cycles.json"


@cache
def kept_cycles() -> Table:
    """Cycles by key length, digit's bits and kind, of 1 element and more; nothing without it."""
    try:
        return dict(json.loads(table_file().read_text()))
    except OSError:
        return {}


def cycles(bits: int, kind: str, elements: int, digit_bits: int) -> int:
    """Cycles from the table, or by the program. Arguments as of `cycles_by_program`."""
    kept = kept_cycles().get(str(bits), {}).get(str(digit_bits), {}).get(kind, [])
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


def rows() -> Iterator[tuple[int, int, str]]:
    """Key length, digit's bits and kind of each row of the table."""
    for bits in sorted((*LENGTHS, *BETWEEN)):
        if bits in BETWEEN:
            yield bits, DIGIT, CRT
        else:
            yield from ((bits, digits, kind) for digits in DIGIT_BITS for kind in KINDS)


def write_table() -> None:
    """Compute the table and write it."""
    kept: dict[int, dict[int, dict[str, list[int]]]] = {}
    every = [*rows()]
    with bar("cycles of engines", len(every)) as steps:
        for bits, digits, kind in every:
            row = [cycles_by_program(bits, kind, each, digits) for each in ELEMENTS]
            kept.setdefault(bits, {}).setdefault(digits, {})[kind] = row
            steps.advance()
    table_file().parent.mkdir(exist_ok=True)
    table_file().write_text(json.dumps(kept, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    write_table()
