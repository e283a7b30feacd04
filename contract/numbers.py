"""Writes what is generated from `contract.toml` and from the engine's `engine.toml`.

SystemVerilog, C, Python, and the tables of docs/contracts.md.

`make contract` runs it; a test runs it into another folder and compares.
"""

import argparse
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SOURCE = Path(__file__).with_name("contract.toml")
ENGINE = Path(__file__).with_name("engine.toml")

Contract = Mapping[str, Mapping[str, Any]]
Entries = Mapping[str, Sequence[Any]]
"""By name: a number, and what it means."""

ERROR_BITS, COMMAND_BITS, TIMING_BITS = 4, 8, 2
"""Of a core's error output, of a packet's first byte, and of a timing class."""


def contract(source: Path) -> Contract:
    """The numbers, as a file has them.

    Raises:
        SystemExit: numbers of one kind do not follow one another, or do not fit their bits.
    """
    read = tomllib.loads(source.read_text())
    results = _results(read, "modexp", "engine")
    for entries, bits in (
        (read["commands"], COMMAND_BITS),
        (read["timing"], TIMING_BITS),
        (results, ERROR_BITS),
    ):
        _check_codes(source.name, entries, bits)
    return read


def instruction_set(source: Path) -> Contract:
    """The engine's instruction set; of a field: its bits, what it means, its type if it has one.

    Raises:
        SystemExit: numbers of one kind do not follow one another from 0, or a width is unknown.
    """
    read = tomllib.loads(source.read_text())
    for section in _TYPES:
        _check_codes(source.name, read[section], _bits(read, section), first=0)
    for section in ("instruction", "immediate"):
        for field, (width, text) in read[section].items():
            try:
                named = _TYPES[width][0] if isinstance(width, str) and width in _TYPES else ""
                read[section][field] = [_bits(read, width), text, named]
            except KeyError:
                raise SystemExit(f"{source.name}: {field} has {width!r} bits") from None
    return read


def _bits(read: Contract, width: int | str | Sequence[int | str]) -> int:
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


def _check_codes(file: str, entries: Entries, bits: int, first: int | None = None) -> None:
    codes = [code for code, _ in entries.values()]
    first = codes[0] if first is None else first
    if codes != list(range(first, first + len(codes))):
        raise SystemExit(f"{file}: {codes} do not follow one another")
    if codes[-1] >= 1 << bits:
        raise SystemExit(f"{file}: {codes[-1]} has no room in {bits} bits")


def _results(read: Contract, *groups: str) -> Entries:
    """Results of some groups, or of all."""
    results = read["results"]
    return {name: each for group in groups or results for name, each in results[group].items()}


def _version(read: Contract) -> int:
    major, minor, patch = read["hardware"]["version"]
    return int(major) << 16 | int(minor) << 8 | int(patch)


# SystemVerilog


def _package(read: Contract) -> str:
    """The numbers for SystemVerilog, which every core uses."""
    errors = _results(read, "modexp", "engine")
    major, minor, patch = read["hardware"]["version"]
    max_bits, of_what = read["limits"]["max_bits"]
    lines = [
        "// SPDX-License-Identifier: Apache-2.0",
        "// The contract's numbers, written by `make contract` from contract/contract.toml: do not",
        "// edit.",
        "`default_nettype none",
        "",
        "package contract_pkg;",
        "",
        "  // What became of a request: 0 to 10 of every core, the others of keys and the engine.",
        *_members(
            "error_e",
            "Err",
            ERROR_BITS,
            {("none" if n == "ok" else n): v for n, v in errors.items()},
        ),
        "",
        "  // First byte of a request packet, and of its response.",
        *_members("command_e", "Cmd", COMMAND_BITS, read["commands"]),
        "",
        "  // What a core's time depends on: the info packet reports it.",
        *_members("timing_e", "Time", TIMING_BITS, read["timing"]),
        "",
        "  /* verilator lint_off UNUSEDPARAM */  // no design uses all constants",
        "  // Hardware version, as the info packet has it: major, minor, patch in a byte each.",
        f"  localparam logic [23:0] Version = 24'h{major:02x}_{minor:02x}_{patch:02x};",
        f"  localparam int unsigned MaxBits = {max_bits};  // {of_what}",
        "  /* verilator lint_on UNUSEDPARAM */",
        "",
        "endpackage",
        "",
        "`default_nettype wire",
    ]
    return "\n".join(lines) + "\n"


def _members(name: str, prefix: str, bits: int, entries: Entries) -> Iterator[str]:
    """An enumerated type."""
    yield f"  typedef enum logic [{bits - 1}:0] {{"
    names = [prefix + _camel(member) for member in entries]
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


_TYPES = {
    "kinds": ("kind_e", "Kind", "Kind"),
    "word_operations": ("word_op_e", "Word", "WordOp"),
    "sums": ("sum_e", "Sum", "Sum"),
    "conditions": ("cond_e", "Cond", "Cond"),
    "unit_operations": ("unit_op_e", "Unit", "UnitOp"),
    "build_parameters": ("build_parameter_e", "Build", "BuildParameter"),
}
"""Of engine.toml: the type and the prefix of its members in SystemVerilog; the type in Python."""


def _engine_package(read: Contract) -> str:
    """The engine's instruction set for SystemVerilog."""
    constants = read["constants"]
    counts = (0, "of an operation; or an immediate", "index_t [Counts-1:0]")
    fields = [*read["instruction"].items(), ("counts", counts)]
    lines = [
        "// SPDX-License-Identifier: Apache-2.0",
        "// The engine's instruction set, written by `make contract` from contract/engine.toml: do",
        "// not edit.",
        "`default_nettype none",
        "",
        "package engine_instruction_pkg;",
        "",
        "  /* verilator lint_off UNUSEDPARAM */  // no module uses all of them",
        *(
            f"  localparam int unsigned {_camel(name):<13} = {value};  // {text}"
            for name, (value, text) in constants.items()
        ),
        "  /* verilator lint_on UNUSEDPARAM */",
        "",
        "  typedef logic [IndexBits-1:0] index_t;",
    ]
    for section, (name, prefix, _) in _TYPES.items():
        bits = (len(read[section]) - 1).bit_length()
        lines += ["", *_members(name, prefix, bits, read[section])]
    for name, members in (("instruction_t", fields), ("immediate_t", read["immediate"].items())):
        lines += ["", "  typedef struct packed {"]
        for field, (bits, text, named) in members:
            kind = named or ("logic" if bits == 1 else f"logic [{bits - 1}:0]")
            lines.append(f"    {kind:<20} {f'{field};':<12}  // {text}")
        lines.append(f"  }} {name};")
    return "\n".join([*lines, "", "endpackage", "", "`default_nettype wire"]) + "\n"


def _camel(name: str) -> str:
    return "".join(map(str.capitalize, name.split("_")))


# C


def _header(read: Contract) -> str:
    """The numbers for C, which every file of the driver uses."""
    lines = [
        "/* SPDX-License-Identifier: Apache-2.0 */",
        "/* The contract's numbers, written by `make contract` from contract/contract.toml: do not",
        "   edit. */",
        "#ifndef TOTIENT_CONTRACT_H",
        "#define TOTIENT_CONTRACT_H",
        "",
        "/** What became of a call. Codes below 64 are the core's own (docs/contracts.md). */",
        "typedef enum totient_result {",
        *_enumerators("TOTIENT_", _results(read)),
        "} totient_result;",
        "",
        "/** How many of them every core has, and how many an engine. */",
        f"#define TOTIENT_MODEXP_RESULTS {len(_results(read, 'modexp'))}",
        f"#define TOTIENT_ENGINE_RESULTS {len(_results(read, 'modexp', 'engine'))}",
        "",
        "/** What a core's time depends on. */",
        "enum totient_timing {",
        *_enumerators("TOTIENT_TIME_", read["timing"]),
        "};",
        "",
        "/** Commands: the first byte of a request and of its response. */",
        "enum totient_command {",
        *_enumerators("TOTIENT_CMD_", read["commands"]),
        "};",
        "",
        "/** Lowest bits of the parts of a packet's first word. */",
        "enum totient_header {",
        *_c_values(
            (f"TOTIENT_{word.upper()}_{part.upper()}_bp", low)
            for word in ("request", "response")
            for part, (_, low) in read[word].items()
        ),
        "};",
        "",
        *(
            line
            for name, (value, text) in read["limits"].items()
            for line in (f"/** {_sentence(text)} */", f"#define TOTIENT_{name.upper()} {value}")
        ),
        "",
        "/** What a result means, in English: X(name, text) for each. */",
        "#define TOTIENT_RESULTS(X) \\",
        *_continued(
            f'    X({name.upper()}, "{text}")' for name, (_, text) in _results(read).items()
        ),
        "",
        "#endif",
    ]
    return "\n".join(lines) + "\n"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _enumerators(prefix: str, entries: Entries) -> Iterator[str]:
    for number, (name, (code, text)) in enumerate(entries.items(), 1):
        yield f"    /** {_sentence(text)} */"
        yield f"    {prefix}{name.upper()} = {code}{',' * (number < len(entries))}"


def _c_values(values: Iterator[tuple[str, int]]) -> Iterator[str]:
    listed = list(values)
    for number, (name, value) in enumerate(listed, 1):
        yield f"    {name} = {value}{',' * (number < len(listed))}"


def _continued(lines: Iterator[str]) -> Iterator[str]:
    """Lines of a macro."""
    listed = list(lines)
    yield from (f"{line} \\" for line in listed[:-1])
    yield listed[-1]


# Python


def _python(read: Contract) -> str:
    """The numbers for Python."""
    enumerations = {
        "ErrorCode": _results(read, "modexp", "engine"),
        "Command": read["commands"],
        "TimingClass": read["timing"],
    }
    lines = [
        '"""Numbers of the contract, which `make contract` writes: do not edit."""',
        "",
        "from collections.abc import Mapping, Sequence",
        "from enum import IntEnum",
        "from typing import NamedTuple",
        "",
        f"VERSION = 0x{_version(read):06X}",
        '"""Of the hardware: major, minor, patch in a byte each."""',
        "",
        "",
        "class _Named(IntEnum):",
        "    @property",
        "    def words(self) -> str:",
        '        """What it means."""',
        "        return _WORDS[type(self)][self - min(type(self))]",
        "",
        "",
        *_enumeration("ErrorCode", "What became of a request.", enumerations["ErrorCode"]),
        *_enumeration("Command", "First byte of a request and of its response.", read["commands"]),
        *_enumeration("TimingClass", "What a core's time depends on.", read["timing"]),
        "class Part(NamedTuple):",
        '    """Bits of a word: the highest and the lowest one."""',
        "",
        "    high: int",
        "    low: int",
        "",
        "    def of(self, word: int) -> int:",
        '        """Its value in a word."""',
        "        return word >> self.low & (1 << self.high - self.low + 1) - 1",
        "",
        "    def put(self, value: int) -> int:",
        '        """A word that has the value there, and 0 elsewhere.',
        "",
        "        Raises:",
        "            ValueError: it has more bits.",
        '        """',
        "        if not 0 <= value < 1 << self.high - self.low + 1:",
        '            raise ValueError(f"{value} has no room in bits {self.high} to {self.low}")',
        "        return value << self.low",
    ]
    for word in ("request", "response"):
        lines += [
            "",
            "",
            f"class {word.capitalize()}:",
            f'    """Parts of the first word of a {word}."""',
            "",
            *(
                f"    {part.upper()} = Part({high}, {low})"
                for part, (high, low) in read[word].items()
            ),
        ]
    lines += ["", ""]
    for name, (value, text) in read["limits"].items():
        lines += [f"{name.upper()} = {value}", f'"""{_sentence(text)}"""', ""]
    lines.append("_WORDS: Mapping[type[IntEnum], Sequence[str]] = {")
    for name, entries in enumerations.items():
        texts = ", ".join(f'"{text}"' for _, text in entries.values())
        lines.append(f"    {name}: ({texts}),")
    lines.append("}")
    return _formatted("\n".join(lines) + "\n")


def _engine_python(read: Contract) -> str:
    """The engine's instruction set for Python."""
    fields = {name: bits for name, (bits, *_) in read["instruction"].items()}
    immediate = {name: bits for name, (bits, *_) in read["immediate"].items()}
    lines = [
        '"""The engine\'s instruction set, which `make contract` writes: do not edit."""',
        "",
        "from collections.abc import Mapping",
        "from enum import IntEnum",
        "",
    ]
    for name, (value, text) in read["constants"].items():
        lines += [f"{name.upper()} = {value}", f'"""{_sentence(text)}"""', ""]
    lines += [
        f"INSTRUCTION: Mapping[str, int] = {fields}",
        '"""Fields of an instruction from the highest on, with their bits; then scalars."""',
        "",
        f"IMMEDIATE: Mapping[str, int] = {immediate}",
        '"""The same of what an instruction that is no operation has in place of the scalars."""',
        "",
    ]
    for section, (_, _, name) in _TYPES.items():
        text = f"{section.replace('_', ' ').capitalize()} of engine.toml."
        lines += ["", *_enumeration(name, text, read[section], "IntEnum")]
    return _formatted("\n".join(lines) + "\n")


def _formatted(text: str) -> str:
    """Python as `ruff format` leaves it."""
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", "contract.py", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd=ROOT)
    return done.stdout


def _enumeration(name: str, text: str, entries: Entries, base: str = "_Named") -> Iterator[str]:
    yield f"class {name}({base}):"
    yield f'    """{text}"""'
    yield ""
    for member, (code, meaning) in entries.items():
        yield f"    {member.upper()} = {code}"
        yield f'    """{_sentence(meaning)}"""'
    yield ""
    yield ""


# The document


def _document(read: Contract, text: str) -> str:
    """docs/contracts.md with its tables of numbers as the contract has them."""
    tables = {
        "results": _table(
            ("code", "name", "meaning"),
            ((code, name, text) for name, (code, text) in _results(read).items()),
        ),
        "commands": _table(
            ("command", "name", "what it is about"),
            ((code, name, text) for name, (code, text) in read["commands"].items()),
        ),
        "timing": _table(
            ("class", "name", "the time"),
            ((code, name, text) for name, (code, text) in read["timing"].items()),
        ),
        "limits": _table(
            ("limit", "value", "of what"),
            ((name, value, text) for name, (value, text) in read["limits"].items()),
        ),
    }
    for name, table in tables.items():
        begin = f"<!-- contract {name} -->\n"
        pattern = re.escape(begin) + r".*?(?=<!-- end -->)"
        text, count = re.subn(pattern, lambda _, new=begin + table: new, text, flags=re.DOTALL)
        if count != 1:
            raise SystemExit(f"docs/contracts.md has {count} tables {name}, allowed is 1")
    return text


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def generate(target: Path, source: Path = SOURCE) -> None:
    """Write every generated file below `target`, which is laid out like the project."""
    read = contract(source)
    engine = instruction_set(ENGINE)
    written = {
        "rtl/common/contract_pkg.sv": _package(read),
        "rtl/engine/engine_instruction_pkg.sv": _engine_package(engine),
        "src/totient/engine/instruction_set.py": _engine_python(engine),
        "driver/include/totient/contract.h": _header(read),
        "src/totient/common/contract.py": _python(read),
        "docs/contracts.md": _document(read, (ROOT / "docs" / "contracts.md").read_text()),
    }
    for name, text in written.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write what is generated from the contract.")
    parser.add_argument(
        "target", nargs="?", type=Path, default=ROOT, help="folder; that of the project by default"
    )
    generate(parser.parse_args().target)
