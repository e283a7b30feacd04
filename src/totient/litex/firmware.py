"""Programs for the soft-CPU system, compiled by the C compiler of the `ziglang` package."""

import subprocess
import sys
import tempfile
from pathlib import Path

from totient.common.errors import ToolError
from totient.common.files import project_root
from totient.litex.soft_cpu import ROM_BYTES

_FLAGS = (
    *("-target", "riscv32-freestanding-none", "-mcpu=generic_rv32+m", "-std=c11"),
    *("-Os", "-ffreestanding", "-nostdlib", "-Wall", "-Wextra", "-Werror"),
    # The linker's own words about what it has not been told.
    "-Wno-unused-command-line-argument",
)


def compile_program(name: str, header: str) -> bytes:
    """The ROM's content.

    Args:
        name: folder of the program below `firmware/`.
        header: the system's addresses and its clock, in C.

    Raises:
        ToolError: the compiler is missing, or it found an error, or the program is too long.
    """
    root = project_root()
    common, own = root / "firmware" / "common", root / "firmware" / name
    driver = root / "driver"
    sources = [
        common / "start.S",
        *sorted(common.glob("*.c")),
        *sorted(own.glob("*.c")),
        *(driver / "src" / f"{part}.c" for part in ("totient", "packet", "registers", "keygen")),
        driver / "examples" / "sign_sha256.c",
    ]
    includes = (common, own, driver / "include", driver / "examples")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "system.h").write_text(header)
        _zig(
            *("cc", *_FLAGS, *(f"-I{path}" for path in (folder, *includes))),
            *(f"-Wl,-T,{common / 'rom.ld'}", *map(str, sources), "-o", str(folder / "program")),
        )
        _zig("objcopy", "-O", "binary", str(folder / "program"), str(folder / "rom"))
        rom = (folder / "rom").read_bytes()
    if len(rom) > ROM_BYTES:
        raise ToolError(f"the program {name} has {len(rom)} bytes, the ROM {ROM_BYTES}")
    return rom


def _zig(*words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ziglang", *words], capture_output=True, text=True, check=False
    )
    if done.returncode:
        first = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr)
        raise ToolError(f"the C compiler for RISC-V failed: {first.strip()}")
