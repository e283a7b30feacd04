"""VHDL to Verilog, by GHDL. The program is called, and is no part of this project."""

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from totient.common.cache import digest, produce
from totient.common.errors import ToolError

_PROGRAM, _PACKAGE = "ghdl", "ghdl"
_OPTIONS = ("--std=08", "-fsynopsys", "-frelaxed")
_ENCODING = "latin-1"

# GHDL 2.0 does not synthesise the order of two texts of bits, takes no choice that a generic
# decides, and writes a selection in Verilog without the value of its "others". They have another
# form with the same meaning, for operands of one length.
_ORDER = re.compile(r'\b(\w+)\s*<=\s*(b"[01]+")(?=\s*THEN\b)', re.IGNORECASE)
_ORDERED = (
    r'ieee.numeric_std."<="(ieee.numeric_std.unsigned(\1), ieee.numeric_std.unsigned'
    r"(std_logic_vector'(\2)))"
)
_SELECTION = re.compile(r"\bWITH\s+(\w+)\s+SELECT\b([^;]*;)", re.IGNORECASE)
_CHOICE = re.compile(
    r"""\bWHEN\s+('[01]'|b?"[01]+"|std_logic_vector\s*\(\s*to_unsigned\s*\([^()]*\)\s*\))\s*,""",
    re.IGNORECASE,
)
_OTHERS = re.compile(r"\bWHEN\s+OTHERS\b", re.IGNORECASE)

_COMMENT = re.compile(r"--.*")
_KEYWORD = re.compile(r"\b(input|output|reg)\b", re.IGNORECASE)  # of Verilog, not of VHDL

# GHDL writes initial values as non-blocking assignments, which Yosys' reader does not take, and
# gives one also to a copy of a register, which has a driver. It writes a choice that is always made
# without a default, which would be a latch in Verilog, and long constants as texts.
_COPY = re.compile(r"(= \w+; // \(isignal\)\n)\s*initial\s+\w+ <= [^;]*;\n")
_INITIAL = re.compile(r"(\binitial\s+\w+) <= ")
_BITS = re.compile(r'"([01]+)"')
_CASE = re.compile(r"(: *(\w+) <= [^;]*;\n)(\s*endcase\b)")

_ERROR = re.compile(r"\S+:\d+:\d+: *(?!\w+:)")  # a warning has a word there


def ghdl_version() -> str:
    """The version of GHDL.

    Raises:
        ToolError: it is not installed; the message names the Debian package.
    """
    if shutil.which(_PROGRAM) is None:
        raise ToolError(f"VHDL needs GHDL, which is not installed: apt-get install {_PACKAGE}")
    words = _run(["--version"], Path()).split()
    return words[1] if len(words) > 1 else "?"


def verilog(texts: Mapping[str, str], top: str) -> Path:
    """A file with the Verilog of an entity, from the cache or new.

    Args:
        texts: of VHDL files, by name. Of two with one entity the later one counts. A file that is
            not VHDL is left out.
        top: the entity.

    Raises:
        ToolError: GHDL is missing, or does not take the files.
    """
    adapted = {name: _adapted(text) for name, text in sorted(texts.items())}
    parts = (part for each in adapted.items() for part in each)
    name = digest("verilog", ghdl_version(), top, *_OPTIONS, *parts)

    def build(folder: Path) -> None:
        for number, text in enumerate(adapted.values()):
            file = f"{number}.vhd"
            (folder / file).write_text(text, encoding=_ENCODING)
            # A file that GHDL does not read is missed by the next step, if the entity needs it.
            subprocess.run(_command(["-i", file]), cwd=folder, capture_output=True, check=False)
        _run(["-m", top], folder)
        made = _run(["synth", "--out=verilog", top], folder)
        made = _INITIAL.sub(r"\1 = ", _COPY.sub(r"\1", made))
        made = _BITS.sub(lambda bits: f"{len(bits[1])}'b{bits[1]}", made)
        (folder / "design.v").write_text(_CASE.sub(r"\1default: \2 <= 'x;\n\3", made))

    return produce("verilog", name, build) / "design.v"


def _adapted(text: str) -> str:
    """The same in forms that GHDL 2.0 takes.

    Raises:
        ToolError: a choice has "others" in a form that is not known here.
    """

    def conditional(match: re.Match[str]) -> str:
        return _OTHERS.sub("", _CHOICE.sub(rf"WHEN {match[1]} = \1 ELSE", match[2]))

    text = _COMMENT.sub("", text)
    text = _KEYWORD.sub(r"\1_of_vhdl", text)
    text = _SELECTION.sub(conditional, _ORDER.sub(_ORDERED, text))
    if _OTHERS.search(text):
        raise ToolError("GHDL 2.0 writes no Verilog with the value of a choice's others")
    return text


def _command(arguments: Sequence[str]) -> list[str]:
    action, *others = arguments
    return [_PROGRAM, action, *(_OPTIONS if others else ()), *others]


def _run(arguments: Sequence[str], folder: Path) -> str:
    """What GHDL prints."""
    done = subprocess.run(
        _command(arguments), cwd=folder, capture_output=True, encoding=_ENCODING, check=False
    )
    if done.returncode:
        lines = done.stderr.splitlines() or ["no message"]
        reason = next((line for line in lines if _ERROR.match(line)), lines[0])
        raise ToolError(f"{_PROGRAM} {arguments[0]} failed: {reason}")
    return done.stdout
