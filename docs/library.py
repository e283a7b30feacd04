"""Writes the tables of docs/libtotient.md: all functions, and the sizes of the library.

`make documents` runs it. A test compares.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from contract.languages import markdown_table
from docs.headers import functions
from elftools.elf.elffile import ELFFile

from totient.common.files import project_root
from totient.processor import find_processor

DOCUMENT = project_root() / "docs" / "libtotient.md"
DRIVER = project_root() / "driver"

PARTS: Mapping[str, Sequence[str]] = {
    "a core behind registers": ("totient", "packet", "registers"),
    "a core on a serial line": ("totient", "packet", "serial"),
    "in addition: an engine": ("engine", "random"),
    "in addition: keys in DER": ("der",),
    "in addition: IPs that make keys": ("keygen",),
    "in addition: the Montgomery multiplier": ("modmul",),
    "everything, with transports of POSIX": ("*",),
}
"""Parts of the library, with their files."""

_WRITE, _ALLOC = 1, 2  # flags of a section


@dataclass(frozen=True)
class Size:
    """What `size` states: bytes of text with constants, of data, of bss."""

    text: int
    data: int
    bss: int


@dataclass(frozen=True)
class Target:
    """A compiler, with its options.

    Attributes:
        name: of the column.
        command: the compiler and its options; constants of the project's firmware, but for size.
        version: argument that makes it state its version.
        hosted: whether it has POSIX.
    """

    name: str
    command: tuple[str, ...]
    hosted: bool = False

    @property
    def version(self) -> str:
        """Its version, in words."""
        words = [*self.command[: 4 if self.command[0] == sys.executable else 1], "--version"]
        first = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        return first.splitlines()[0]


def _bare(name: str, label: str) -> Target:
    """A processor of the project's firmware."""
    found = find_processor(name)
    compiler = found.compiler
    start = (sys.executable, "-m", "ziglang", "cc") if compiler == "ziglang" else (compiler,)
    flags = ["-Os" if each == "-O2" else each for each in found.flags if each != "-nostdlib"]
    library = project_root() / "firmware" / "processor" / "library"
    return Target(label, (*start, *flags, f"-I{library}"))


def targets() -> list[Target]:
    """Compilers whose sizes are stated."""
    return [
        Target("x86-64", ("gcc", "-std=c99", "-Os"), hosted=True),
        _bare("vexriscv", "RISC-V (RV32IM)"),
        _bare("cortex-m3", "ARM Cortex-M3"),
    ]


def measure(target: Target, names: Sequence[str]) -> Size:
    """The sizes of files of the library together."""
    files = [DRIVER / "src" / f"{name}.c" for name in names]
    if names == ("*",):
        files = sorted((DRIVER / "src").glob("*.c"))
    sizes = [0, 0, 0]
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "x.o"
        for file in files:
            words = [*target.command, f"-I{DRIVER / 'include'}", "-c", str(file), "-o", str(made)]
            subprocess.run(words, check=True)
            with made.open("rb") as opened:
                for section in ELFFile(opened).iter_sections():
                    flags = section["sh_flags"]
                    if flags & _ALLOC:
                        kind = (1 + (section["sh_type"] == "SHT_NOBITS")) if flags & _WRITE else 0
                        sizes[kind] += section["sh_size"]
    return Size(*sizes)


def sizes_table(chosen: Sequence[Target]) -> str:
    """Bytes of text, data and bss of each part, by compiler, whose version is in the last row."""
    rows: list[list[str]] = []
    for part, names in PARTS.items():
        cells = []
        for target in chosen:
            if names == ("*",) and not target.hosted:
                cells.append("-")
                continue
            size = measure(target, names)
            cells.append(f"{size.text:,} / {size.data} / {size.bss}")
        rows.append([part, *cells])
    versions = [target.version for target in chosen]
    rows.append(["compiler", *versions])
    return markdown_table(("part", *(target.name for target in chosen)), rows).rstrip()


def functions_table() -> str:
    """Every function, in the order of the headers."""
    rows = []
    for each in functions():
        (threads,), (fork,) = each.stated("threads"), each.stated("fork")
        words = " ".join(each.about.split("\n\n")[0].split())
        first = re.split(r"(?<=\.) |[:;] ", words)[0].rstrip(".:;")
        rows.append(
            (f"`{each.name}`", f"`{each.header}.h`", first.replace("|", "/"), threads, fork)
        )
    table = markdown_table(("function", "header", "what it does", "threads", "fork"), rows)
    return table.rstrip()


def written(text: str, name: str, table: str) -> str:
    """A text with another table between its marks."""
    pattern = re.compile(rf"(<!-- libtotient {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    if len(pattern.findall(text)) != 1:
        raise SystemExit(f"{DOCUMENT.name} has not one table {name}")
    return pattern.sub(lambda found: f"{found[1]}{table}\n{found[2]}", text)


def table_in(text: str, name: str) -> str:
    """The table between marks."""
    (found,) = re.findall(rf"<!-- libtotient {name} -->\n(.*?)\n<!-- end -->", text, re.DOTALL)
    return str(found)


def main() -> None:
    """Write both tables."""
    text = DOCUMENT.read_text()
    text = written(text, "functions", functions_table())
    text = written(text, "sizes", sizes_table(targets()))
    if text != DOCUMENT.read_text():
        DOCUMENT.write_text(text)
        print(DOCUMENT.relative_to(project_root()))


if __name__ == "__main__":
    main()
