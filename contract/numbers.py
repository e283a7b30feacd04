"""Writes what is generated from `contract.toml`: C, Python, and tables of docs/contracts.md.

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

Contract = Mapping[str, Mapping[str, Any]]
Entries = Mapping[str, Sequence[Any]]
"""By name: a number, and what it means."""


def contract(source: Path) -> Contract:
    """The numbers, as a file has them.

    Raises:
        SystemExit: numbers of one kind do not follow one another.
    """
    read = tomllib.loads(source.read_text())
    for entries in (read["commands"], read["timing"], _results(read, "modexp", "engine")):
        codes = [code for code, _ in entries.values()]
        if codes != list(range(codes[0], codes[0] + len(codes))):
            raise SystemExit(f"contract.toml: {codes} do not follow one another")
    return read


def _results(read: Contract, *groups: str) -> Entries:
    """Results of some groups, or of all."""
    results = read["results"]
    return {name: each for group in groups or results for name, each in results[group].items()}


def _version(read: Contract) -> int:
    major, minor, patch = read["hardware"]["version"]
    return int(major) << 16 | int(minor) << 8 | int(patch)


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


def _formatted(text: str) -> str:
    """Python as `ruff format` leaves it."""
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", "contract.py", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd=ROOT)
    return done.stdout


def _enumeration(name: str, text: str, entries: Entries) -> Iterator[str]:
    yield f"class {name}(_Named):"
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
    written = {
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
