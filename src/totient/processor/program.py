"""Bare-metal programs: C and assembly to an ELF file, its sizes, its symbols, its input."""

import io
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from totient.common.cache import digest, produce
from totient.common.errors import InputError, ToolError
from totient.common.files import project_root
from totient.processor.model import Processor
from totient.processor.packages import require
from totient.sim.processes import reason

_WRITE, _ALLOC = 1, 2  # flags of a section


@dataclass(frozen=True)
class Symbol:
    """A function or a variable of a program: address, size in bytes, place in the file."""

    address: int
    size: int
    offset: int | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Program:
    """A program for a processor, with its static properties.

    Attributes:
        processor: to run on.
        image: the ELF file.
        code_bytes: program memory: instructions, constants, initial values of data.
        data_bytes: RAM of static data; the stack is known after a run.
        symbols: functions and variables by name.
    """

    processor: Processor
    image: bytes = field(repr=False)
    code_bytes: int
    data_bytes: int
    symbols: Mapping[str, Symbol] = field(repr=False)

    def with_data(self, values: Mapping[str, bytes]) -> "Program":
        """The same program with other initial values of variables.

        Args:
            values: contents by variable name; each variable must have an initial value other than
                zero in C (so that it is in the file), and be at least as long as the content.

        Raises:
            InputError: there is no such variable, or it is too short or not in the file.
        """
        image = bytearray(self.image)
        for name, content in values.items():
            symbol = self.symbols.get(name)
            if symbol is None or symbol.offset is None:
                raise InputError(f"the program has no initialised variable {name!r}")
            if len(content) > symbol.size:
                raise InputError(f"{name} has {symbol.size} bytes, given are {len(content)}")
            image[symbol.offset : symbol.offset + len(content)] = content
        return Program(self.processor, bytes(image), self.code_bytes, self.data_bytes, self.symbols)


def build(
    processor: Processor,
    sources: Sequence[Path],
    includes: Sequence[Path] = (),
    options: Sequence[str] = (),
) -> Program:
    """Compile a program with the run-time system of its processor (`firmware/processor/`).

    Args:
        processor: to run on.
        sources: its C and assembly files.
        includes: folders of its headers.
        options: of the compiler, after the processor's own, such as `-O3` or `-DBITS=64`.

    Raises:
        ToolError: the compiler is missing, or it found an error.
    """
    require(processor)
    base = project_root() / "firmware" / "processor"
    own = base / processor.folder
    script = own / "memory.ld"
    files = [*sources, base / "processor.c", *_sources_in(own)]
    folders = [base, own, *includes]
    if not processor.c_library:
        files += _sources_in(base / "library")
        folders.append(base / "library")
    headers = sorted({each for folder in folders for each in folder.rglob("*.h")})
    compiler = _command(processor.compiler)
    flags = [*processor.flags, "-Wall", "-Wextra", *options]
    name = digest(
        processor.name,
        *(_version(tool) for tool in (compiler, *([processor.linker] if processor.linker else []))),
        *flags,
        *processor.linker,
        *(part for each in files for part in (each.name, each.read_bytes())),
        *(part for each in headers for part in (each.name, each.read_bytes())),
        script.read_bytes() if script.exists() else b"",
    )

    def compile_into(folder: Path) -> None:
        objects = []
        for number, each in enumerate(files):
            objects.append(str(folder / f"{number}.o"))
            paths = (f"-I{path}" for path in folders)
            _tool([*compiler, *flags, *paths, "-c", str(each), "-o", objects[-1]])
        command = [*processor.linker] or [*compiler, *flags]
        if script.exists():
            command += ["-T", str(script)]
        libraries = [] if processor.linker or compiler[1:] else ["-lgcc"]
        collect = "--gc-sections" if processor.linker else "-Wl,--gc-sections"
        _tool([*command, collect, *objects, *libraries, "-o", str(folder / "program.elf")])
        for each in folder.glob("*.o"):
            each.unlink()

    folder = produce("programs", name, compile_into)
    return _read(processor, (folder / "program.elf").read_bytes())


def _tool(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        name = Path(command[0]).name if len(command) < 2 or command[1] != "-m" else command[2]
        error = ToolError(f"{name} failed: {reason(done.stderr)}")
        error.add_note(done.stderr)
        raise error


def _sources_in(folder: Path) -> list[Path]:
    return sorted(each for each in folder.iterdir() if each.suffix in (".c", ".S"))


def _command(compiler: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "ziglang", "cc") if compiler == "ziglang" else (compiler,)


@cache
def _version(command: tuple[str, ...]) -> str:
    shown = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False)
    if shown.returncode:
        raise ToolError(f"the compiler {command[-1]} does not run: {reason(shown.stderr)}")
    return shown.stdout.splitlines()[0]


def _read(processor: Processor, image: bytes) -> Program:
    elf = ELFFile(io.BytesIO(image))
    code = data = 0
    sections = list(elf.iter_sections())
    for section in sections:
        if not section["sh_flags"] & _ALLOC:
            continue
        in_file, size = section["sh_type"] != "SHT_NOBITS", int(section["sh_size"])
        code += size if in_file else 0
        data += size if section["sh_flags"] & _WRITE else 0
    symbols = {}
    for table in (each for each in sections if isinstance(each, SymbolTableSection)):
        for symbol in table.iter_symbols():
            place = symbol["st_shndx"]
            if not symbol.name or not isinstance(place, int):
                continue
            within = sections[place]
            at = int(symbol["st_value"])
            offset = None
            if within["sh_type"] == "SHT_PROGBITS":
                offset = int(within["sh_offset"]) + at - int(within["sh_addr"])
            symbols[symbol.name] = Symbol(at, int(symbol["st_size"]), offset)
    return Program(processor, image, code, data, symbols)
