"""How SystemVerilog, C, Python and Markdown write numbers that have a name and a meaning."""

import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

Entries = Mapping[str, Sequence[Any]]
"""By name: a number, and what it means."""


def check_codes(file: str, entries: Entries, bits: int, first: int | None = None) -> None:
    """Check that codes follow one another and have room.

    Raises:
        SystemExit: they do not.
    """
    codes = [code for code, _ in entries.values()]
    first = codes[0] if first is None else first
    if codes != list(range(first, first + len(codes))):
        raise SystemExit(f"{file}: {codes} do not follow one another")
    if codes[-1] >= 1 << bits:
        raise SystemExit(f"{file}: {codes[-1]} has no room in {bits} bits")


def sentence(text: str) -> str:
    """A text as a sentence."""
    return f"{text[0].upper()}{text[1:]}."


def camel(name: str) -> str:
    """UpperCamelCase of a name in snake_case."""
    return "".join(map(str.capitalize, name.split("_")))


def sv_package(name: str, about: Sequence[str], lines: Iterable[str]) -> str:
    """A package of SystemVerilog.

    Args:
        name: of the package.
        about: lines of the comment at its top.
        lines: what it has.
    """
    head = ["// SPDX-License-Identifier: Apache-2.0", *(f"// {line}" for line in about)]
    body = ["`default_nettype none", "", f"package {name};", "", *lines, "", "endpackage", ""]
    return "\n".join([*head, *body, "`default_nettype wire"]) + "\n"


def sv_unused(lines: Iterable[str]) -> Iterator[str]:
    """Constants of which some stay unused."""
    yield "  /* verilator lint_off UNUSEDPARAM */  // no module uses all of them"
    yield from lines
    yield "  /* verilator lint_on UNUSEDPARAM */"


def sv_enum(name: str, prefix: str, bits: int, entries: Entries) -> Iterator[str]:
    """An enumerated type of SystemVerilog, its members' texts beside or above them."""
    yield f"  typedef enum logic [{bits - 1}:0] {{"
    names = [prefix + camel(member) for member in entries]
    widest, last = max(map(len, names)), len(entries)
    lines = [
        (f"    {member:<{widest}} = {bits}'d{code}{',' if number < last else ''}", text)
        for number, (member, (code, text)) in enumerate(
            zip(names, entries.values(), strict=True), 1
        )
    ]
    beside = all(len(line) + len(text) + 7 <= 100 for line, text in lines)
    ends = max(len(line) for line, _ in lines)
    for line, text in lines:
        yield from [f"{line:<{ends}}  // {text}"] if beside else [f"    // {text}", line]
    yield f"  }} {name};"


def sv_struct(name: str, fields: Iterable[tuple[str, str | int, str]]) -> Iterator[str]:
    """A packed struct of SystemVerilog.

    Args:
        name: of the type.
        fields: from the highest bit on: name, type or number of bits, meaning.
    """
    yield "  typedef struct packed {"
    for field, kind, text in fields:
        if isinstance(kind, int):
            kind = "logic" if kind == 1 else f"logic [{kind - 1}:0]"
        yield f"    {kind:<20} {f'{field};':<12}  // {text}"
    yield f"  }} {name};"


def c_enumerators(prefix: str, entries: Entries, base: str = "d") -> Iterator[str]:
    """Members of an enumeration of C, each with a comment; codes in the format `base`."""
    for number, (name, (code, text)) in enumerate(entries.items(), 1):
        yield f"    /** {sentence(text)} */"
        yield f"    {prefix}{name.upper()} = {code:{base}}{',' * (number < len(entries))}"


def c_enum(name: str, text: str, prefix: str, entries: Entries, base: str = "d") -> Iterator[str]:
    """An enumeration of C."""
    yield from (
        f"/** {text} */",
        f"enum {name} {{",
        *c_enumerators(prefix, entries, base),
        "};",
        "",
    )


def py_enum(name: str, text: str, entries: Entries, base: str = "d") -> Iterator[str]:
    """An enumeration of Python (`totient.common.codes.Code`); codes in the format `base`."""
    yield f"class {name}(Code):"
    yield f'    """{text}"""'
    yield ""
    for member, (code, meaning) in entries.items():
        yield f'    {member.upper()} = {code:{base}}, "{meaning}"'
    yield ""
    yield ""


def py_constants(entries: Entries) -> Iterator[str]:
    """Constants of Python."""
    for name, (value, text) in entries.items():
        yield from (f"{name.upper()} = {value}", f'"""{sentence(text)}"""', "")


def py_formatted(lines: Iterable[str]) -> str:
    """Python as `ruff format` leaves it."""
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", "contract.py", "-"]
    text, root = "\n".join(lines) + "\n", Path(__file__).parents[1]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd=root)
    return done.stdout


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of Markdown."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)
