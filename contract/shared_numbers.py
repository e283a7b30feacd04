"""Writes what is generated from `contract.toml` and from the engine's `instruction_set.toml`.

SystemVerilog, C, Python, and the tables of docs/contracts.md.

`make contract` runs it; a test runs it into another folder and compares.
"""

import argparse
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from contract import engine_instructions
from contract.languages import (
    Entries,
    c_enum,
    c_enumerators,
    camel,
    check_codes,
    markdown_table,
    py_constants,
    py_enum,
    py_formatted,
    sentence,
    sv_enum,
    sv_package,
    sv_struct,
    sv_unused,
)

ROOT = Path(__file__).parents[1]
SOURCE = Path(__file__).with_name("contract.toml")

Contract = Mapping[str, Any]

ERROR_BITS, COMMAND_BITS, TIMING_BITS = 4, 8, 2
"""Of a core's error output, of a packet's first byte, and of a timing class."""


def contract(source: Path) -> Contract:
    """The numbers, as a file has them.

    Raises:
        SystemExit: numbers of one kind do not follow one another, or do not fit their bits, or
            parts of a word overlap or are not in order.
    """
    read = tomllib.loads(source.read_text())
    results = _results(read, "modexp", "engine")
    for entries, bits in (
        (read["commands"], COMMAND_BITS),
        (read["timing"], TIMING_BITS),
        (results, ERROR_BITS),
        (read["key_forms"], 8),
        (read["verdicts"], 2),
    ):
        check_codes(source.name, entries, bits)
    for name, parts in read["words"].items():
        above = 0
        for part, (high, low, _) in parts.items():
            if not above <= low <= high < 32:
                raise SystemExit(f"{source.name}: bits {high} to {low} of {name}.{part}")
            above = high + 1
    return read


def _results(read: Contract, *groups: str) -> Entries:
    """Results of some groups, or of all."""
    results = read["results"]
    return {name: each for group in groups or results for name, each in results[group].items()}


def _version(read: Contract) -> int:
    major, minor, patch = read["hardware"]["version"]
    return int(major) << 16 | int(minor) << 8 | int(patch)


_FROM = "written by `make contract` from contract/contract.toml: do not edit."


# SystemVerilog


def _package(read: Contract) -> str:
    """The numbers for SystemVerilog, which every core uses."""
    errors = _results(read, "modexp", "engine")
    major, minor, patch = read["hardware"]["version"]
    max_bits, of_what = read["limits"]["max_bits"]
    about = (
        "The contract's numbers, written by `make contract` from contract/contract.toml: do not",
        "edit.",
    )
    lines = [
        "  // What became of a request: 0 to 10 of every core, the others of keys and the engine.",
        *sv_enum(
            "error_e",
            "Err",
            ERROR_BITS,
            {("none" if n == "ok" else n): v for n, v in errors.items()},
        ),
        "",
        "  // First byte of a request packet, and of its response.",
        *sv_enum("command_e", "Cmd", COMMAND_BITS, read["commands"]),
        "",
        "  // What a core's time depends on: the info packet reports it.",
        *sv_enum("timing_e", "Time", TIMING_BITS, read["timing"]),
        "",
        "  /* verilator lint_off UNUSEDPARAM */  // no design uses all constants",
        "  // Hardware version, as the info packet has it: major, minor, patch in a byte each.",
        f"  localparam logic [23:0] Version = 24'h{major:02x}_{minor:02x}_{patch:02x};",
        f"  localparam int unsigned MaxBits = {max_bits};  // {of_what}",
        "  /* verilator lint_on UNUSEDPARAM */",
    ]
    return sv_package("contract_pkg", about, lines)


def _packet_package(read: Contract) -> str:
    """The words of packets and the bytes of frames for SystemVerilog, which `rtl/bus` uses."""
    lines: list[str] = []
    for name, parts in read["words"].items():
        fields, above = [], 32
        for part, (high, low, text) in reversed(parts.items()):
            if high + 1 < above:
                fields.append((f"zero_{high + 1}", above - high - 1, "0"))
            fields.append((part, high - low + 1, text))
            above = low
        if above:
            fields.append(("zero_0", above, "0"))
        lines += [*sv_struct(f"{name}_word_t", fields), ""]
    lines += [
        "  // Responses of AXI.",
        *sv_enum("bus_response_e", "Bus", 2, read["bus_responses"]),
        "",
        *sv_unused(
            f"  localparam logic [7:0] Frame{camel(name):<13} = 8'h{code:02X};  // {text}"
            for name, (code, text) in read["frame"].items()
        ),
        "",
        "  // What became of a frame. A frame of this one byte tells its sender.",
        *sv_enum("verdict_e", "Verdict", 2, read["verdicts"]),
    ]
    return sv_package("packet_pkg", (f"Packets and frames, {_FROM}",), lines)


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
        *c_enumerators("TOTIENT_", _results(read)),
        "} totient_result;",
        "",
        "/** How many of them every core has, and how many an engine. */",
        f"#define TOTIENT_MODEXP_RESULTS {len(_results(read, 'modexp'))}",
        f"#define TOTIENT_ENGINE_RESULTS {len(_results(read, 'modexp', 'engine'))}",
        "",
        *c_enum(
            "totient_timing", "What a core's time depends on.", "TOTIENT_TIME_", read["timing"]
        ),
        *c_enum(
            "totient_command",
            "Commands: the first byte of a request and of its response.",
            "TOTIENT_CMD_",
            read["commands"],
        ),
        *c_enum(
            "totient_key_form",
            "Option of the command that loads an RSA key: its numbers.",
            "TOTIENT_KEY_",
            read["key_forms"],
        ),
        *c_enum(
            "totient_private_option",
            "Options of a private operation.",
            "TOTIENT_",
            read["private_options"],
        ),
        *c_enum(
            "totient_frame_byte",
            "Bytes of a serial line that mark frames (RFC 1055).",
            "TOTIENT_FRAME_",
            read["frame"],
            "#x",
        ),
        "/** Lowest bits of the parts of a packet's first word. */",
        "enum totient_header {",
        *_c_values(
            (f"TOTIENT_{word.upper()}_{part.upper()}_bp", low)
            for word in ("request", "response")
            for part, (_, low, _) in read["words"][word].items()
        ),
        "};",
        "",
        *(
            line
            for name, (value, text) in read["limits"].items()
            for line in (f"/** {sentence(text)} */", f"#define TOTIENT_{name.upper()} {value}")
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


def _version_header(read: Contract) -> str:
    """The version for C. The build of libtotient reads it, too."""
    numbers = read["hardware"]["version"]
    names = ("MAJOR", "MINOR", "PATCH")
    lines = [
        "/* SPDX-License-Identifier: Apache-2.0 */",
        "/* The version, written by `make contract` from contract/contract.toml: do not edit. */",
        "#ifndef TOTIENT_VERSION_H",
        "#define TOTIENT_VERSION_H",
        "",
        *(f"#define TOTIENT_VERSION_{name} {n}" for name, n in zip(names, numbers, strict=True)),
        "/** To compare: 0x00MMmmpp. */",
        f"#define TOTIENT_VERSION 0x{_version(read):06X}",
        f'#define TOTIENT_VERSION_TEXT "{".".join(map(str, numbers))}"',
        "",
        "#endif",
    ]
    return "\n".join(lines) + "\n"


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


_PYTHON_WORDS = {
    "request": "first word of a request",
    "response": "first word of a response",
    "access": "word that asks for an access to an IP at the end of a line",
    "access_status": "word that answers an access",
}


def _python(read: Contract) -> str:
    """The numbers for Python."""
    lines = [
        '"""Numbers of the contract, which `make contract` writes: do not edit."""',
        "",
        "from totient.common.codes import Code, Part",
        "",
        f"VERSION = 0x{_version(read):06X}",
        '"""Of the hardware: major, minor, patch in a byte each."""',
        "",
        *py_constants(read["limits"]),
        "",
    ]
    for name, text, entries, base in (
        ("ErrorCode", "What became of a request.", _results(read, "modexp", "engine"), "d"),
        ("Command", "First byte of a request and of its response.", read["commands"], "d"),
        ("TimingClass", "What a core's time depends on.", read["timing"], "d"),
        ("KeyForm", "Option of `LOAD_RSA_KEY`: the key's numbers.", read["key_forms"], "d"),
        ("PrivateOption", "Option bits of `PRIVATE`.", read["private_options"], "d"),
        ("BusResponse", "Responses of AXI.", read["bus_responses"], "d"),
        ("FrameByte", "Bytes of a serial line that mark frames.", read["frame"], "#x"),
        ("FrameVerdict", "What became of a frame on a serial line.", read["verdicts"], "d"),
    ):
        lines += py_enum(name, text, entries, base)
    for word, parts in read["words"].items():
        rows = parts.items()
        lines += [
            f"class {camel(word)}:",
            f'    """Parts of the {_PYTHON_WORDS[word]}."""',
            "",
            *(f"    {part.upper()} = Part({high}, {low})" for part, (high, low, _) in rows),
            "",
            "",
        ]
    return py_formatted(lines)


# The document


def _document(read: Contract, text: str) -> str:
    """docs/contracts.md with its tables of numbers as the contract has them."""
    tables = {
        "results": _codes("code", "meaning", _results(read)),
        "commands": _codes("command", "what it is about", read["commands"]),
        "timing": _codes("class", "the time", read["timing"]),
        "limits": markdown_table(
            ("limit", "value", "of what"),
            ((name, value, text) for name, (value, text) in read["limits"].items()),
        ),
        "key_forms": _codes("option", "numbers of the packet", read["key_forms"]),
        "private_options": _codes("option", "effect", read["private_options"]),
        "frame": _codes("byte", "meaning", read["frame"], "02X"),
        "verdicts": _codes("byte", "why the frame was refused", read["verdicts"]),
        "bus_responses": _codes("response", "meaning", read["bus_responses"]),
    }
    for word, parts in read["words"].items():
        rows = (
            (f"{h}:{low}" if h > low else h, name, text) for name, (h, low, text) in parts.items()
        )
        tables[word] = markdown_table(("bits", "part", "meaning"), rows)
    for name, table in tables.items():
        begin = f"<!-- contract {name} -->\n"
        pattern = re.escape(begin) + r".*?(?=<!-- end -->)"
        found = re.findall(pattern, text, re.DOTALL)
        if len(found) != 1:
            raise SystemExit(f"docs/contracts.md has {len(found)} tables {name}, allowed is 1")
        text = text.replace(found[0], begin + table)
    return text


def _codes(column: str, meaning: str, entries: Entries, base: str = "d") -> str:
    rows = ((f"{code:{base}}", name, text) for name, (code, text) in entries.items())
    return markdown_table((column, "name", meaning), rows)


def generate(target: Path, source: Path = SOURCE) -> None:
    """Write every generated file below `target`, which is laid out like the project."""
    read = contract(source)
    engine = engine_instructions.instruction_set()
    written = {
        "rtl/common/contract_pkg.sv": _package(read),
        "rtl/bus/packet_pkg.sv": _packet_package(read),
        "rtl/engine/engine_instruction_pkg.sv": engine_instructions.package(engine),
        "src/totient/engine/instruction_set.py": engine_instructions.python(engine),
        "driver/include/totient/contract.h": _header(read),
        "driver/include/totient/version.h": _version_header(read),
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
