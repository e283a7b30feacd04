"""Writes the engine's instruction set from `instruction_set.toml`, for RTL and assembler."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from contract.languages import (
    camel,
    check_codes,
    py_constants,
    py_enum,
    py_formatted,
    sv_enum,
    sv_package,
    sv_struct,
    sv_unused,
)

SOURCE = Path(__file__).with_name("instruction_set.toml")

InstructionSet = Mapping[str, Mapping[str, Any]]

_TYPES = {
    "kinds": ("kind_e", "Kind", "Kind"),
    "word_operations": ("word_op_e", "Word", "WordOp"),
    "sums": ("sum_e", "Sum", "Sum"),
    "conditions": ("cond_e", "Cond", "Cond"),
    "unit_operations": ("unit_op_e", "Unit", "UnitOp"),
    "build_parameters": ("build_parameter_e", "Build", "BuildParameter"),
}
"""Sections: the type and the prefix of its members in SystemVerilog; the type in Python."""


def instruction_set(source: Path = SOURCE) -> InstructionSet:
    """The engine's instruction set; of a field: its bits, what it means, its type if it has one.

    Raises:
        SystemExit: numbers of one kind do not follow one another from 0, or a width is unknown.
    """
    read = tomllib.loads(source.read_text())
    for section in _TYPES:
        check_codes(source.name, read[section], _bits(read, section), first=0)
    for section in ("instruction", "immediate"):
        for field, (width, text) in read[section].items():
            try:
                named = _TYPES[width][0] if isinstance(width, str) and width in _TYPES else ""
                read[section][field] = [_bits(read, width), text, named]
            except KeyError:
                raise SystemExit(f"{source.name}: {field} has {width!r} bits") from None
    return read


def _bits(read: InstructionSet, width: int | str | Sequence[int | str]) -> int:
    """Of a field: a number, a constant, a section of which it is one, or what these add up to."""
    match width:
        case int():
            return width
        case str() if width in _TYPES:
            return (len(read[width]) - 1).bit_length()
        case str():
            return int(read["constants"][width][0])
        case _:
            return sum(_bits(read, part) for part in width)


def package(read: InstructionSet) -> str:
    """The instruction set for SystemVerilog."""
    about = (
        "The engine's instruction set, written by `make contract` from",
        "contract/instruction_set.toml: do not edit.",
    )
    lines = [
        *sv_unused(
            f"  localparam int unsigned {camel(name):<13} = {value};  // {text}"
            for name, (value, text) in read["constants"].items()
        ),
        "",
        "  typedef logic [IndexBits-1:0] index_t;",
    ]
    for section, (name, prefix, _) in _TYPES.items():
        lines += ["", *sv_enum(name, prefix, _bits(read, section), read[section])]
    counts = ("counts", "index_t [Counts-1:0]", "of an operation; or an immediate")
    for name, section, more in (
        ("instruction_t", "instruction", [counts]),
        ("immediate_t", "immediate", []),
    ):
        fields = [(of, named or bits, text) for of, (bits, text, named) in read[section].items()]
        lines += ["", *sv_struct(name, [*fields, *more])]
    return sv_package("engine_instruction_pkg", about, lines)


def python(read: InstructionSet) -> str:
    """The instruction set for Python."""
    fields = {name: bits for name, (bits, *_) in read["instruction"].items()}
    immediate = {name: bits for name, (bits, *_) in read["immediate"].items()}
    lines = [
        '"""The engine\'s instruction set, which `make contract` writes: do not edit."""',
        "",
        "from collections.abc import Mapping",
        "",
        "from totient.common.codes import Code",
        "",
        *py_constants(read["constants"]),
        f"INSTRUCTION: Mapping[str, int] = {fields}",
        '"""Fields of an instruction from the highest on, with their bits; then scalars."""',
        "",
        f"IMMEDIATE: Mapping[str, int] = {immediate}",
        '"""The same of what an instruction that is no operation has in place of the scalars."""',
        "",
    ]
    for section, (_, _, name) in _TYPES.items():
        text = f"{section.replace('_', ' ').capitalize()} of instruction_set.toml."
        lines += ["", *py_enum(name, text, read[section])]
    return py_formatted(lines)
