"""Writes what is generated from the register maps: SystemVerilog, C headers and HTML pages.

`make registers` runs it; a test runs it into another folder and compares. Each register map
`regs/X.rdl` gives `rtl/bus/X.sv`, `rtl/bus/X_pkg.sv`, `driver/include/totient/X.h` and a page in
`build/registers/X`, which is too large to be kept.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
_BUS = (
    "--cpuif",
    "axi4-lite-flat",
    "--default-reset",
    "rst_n",
    "--err-if-bad-addr",
    "--err-if-bad-rw",
)
# Its structs are written member by member; protection and byte addresses are not looked at, and
# whoever uses it does not need its sizes.
_LINT = "".join(
    f"/* verilator lint_off {rule} */\n" for rule in ("MULTIDRIVEN", "UNUSEDSIGNAL", "UNUSEDPARAM")
)


def _peakrdl(*arguments: str | Path) -> None:
    subprocess.run([sys.executable, "-m", "peakrdl", *map(str, arguments)], check=True)


def _c99(header: str) -> str:
    """A generated header without C11's assertions, which C99 has another form for."""
    header = header.replace("#include <assert.h>\n", "")
    return re.sub(
        r"static_assert\(sizeof\((\w+)\) == (\w+), .*\);",
        r"typedef char \1_is_packed[sizeof(\1) == \2 ? 1 : -1];",
        header,
    )


def generate(target: Path) -> None:
    """Write every generated file below `target`, which is laid out like the project."""
    for source in sorted((ROOT / "regs").glob("*.rdl")):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            _peakrdl("regblock", source, "-o", folder, *_BUS)
            rtl = target / "rtl" / "bus"
            rtl.mkdir(parents=True, exist_ok=True)
            for file in folder.iterdir():
                (rtl / file.name).write_text(_LINT + file.read_text())
        header = target / "driver" / "include" / "totient" / f"{source.stem}.h"
        header.parent.mkdir(parents=True, exist_ok=True)
        _peakrdl("c-header", source, "-o", header)
        header.write_text(_c99(header.read_text()))
        page = target / "build" / "registers" / source.stem
        shutil.rmtree(page, ignore_errors=True)
        _peakrdl("html", source, "-o", page)


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT)
