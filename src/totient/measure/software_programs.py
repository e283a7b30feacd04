"""Programs counted on processors: build, run, check of results."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from functools import cache
from statistics import mean

from totient.common.cache import digest
from totient.common.errors import ToolError
from totient.common.files import project_root
from totient.common.papers import published
from totient.device import RsaKey, key_of_primes
from totient.golden.keygen import tried_exponents
from totient.processor import Processor, Program, Run, build, find_processor, run
from totient.processor.bearssl import source

PUBLIC, PRIVATE = "public", "private"


OPERATIONS = (PUBLIC, PRIVATE)


LENGTHS = (1024, 2048)


TINY = ("key-generation", "encryption", "decryption")
"""Parts of the small example of the paper of row B4."""


TINY_MEAN = "tiny_rsa_mean"
"""Folder of the program that runs the small example several times."""


OURS, ASSEMBLY, BEARSSL15, BEARSSL31 = "C", "assembly", "BearSSL i15", "BearSSL i31"


_WINDOWS = (5, 4, 3, 2, 1)


# A counted program takes some minutes at most, except on the slowest simulators.
_SECONDS = 3600.0


@dataclass(frozen=True)
class Work:
    """An operation in one form.

    Attributes:
        form: `C`, `assembly` (ours, with inner loops in assembly), `BearSSL i15`, `BearSSL i31`.
        operation: `public` (65537), `private` (CRT), or a part of the small example.
        bits: of the modulus.
    """

    form: str
    operation: str
    bits: int


@dataclass(frozen=True)
class Figures:
    """Cost of an operation on a processor.

    Attributes:
        count: cycles or instructions, according to the processor; `None` if the program does not
            fit the usual chip. The bytes are then those on a larger chip.
        code_bytes: program memory of the whole program, with start-up and output of the result.
        data_bytes: static data in RAM: key, operand, workspace.
        stack_bytes: deepest stack.
        window: bits of the exponent in one step, for our private operations; else 0.
        cycles: least and most clock cycles of the instructions from the manual, if instructions
            counted.
    """

    count: int | None
    code_bytes: int
    data_bytes: int
    stack_bytes: int
    window: int
    cycles: tuple[int, int] | None = None

    def seconds(self, clock_hz: int) -> tuple[float, float] | None:
        """Least and most time. Equal if cycles are counted; `None` without a count."""
        if self.count is None:
            return None
        least, most = self.cycles or (self.count, self.count)
        return least / clock_hz, most / clock_hz

    @property
    def ram_bytes(self) -> int:
        """All RAM."""
        return self.data_bytes + self.stack_bytes


def private_key(p: int, q: int, e: int) -> RsaKey:
    """A key with its primes and its private exponent."""
    key, d = key_of_primes(p, q, e)
    return replace(key, private_exponent=d)


@cache
def key_of(bits: int) -> RsaKey:
    """The key behind all figures of a length: primes just above fixed numbers.

    Counts depend on its lengths only. This key is the same on every machine.
    """
    e = 65537
    first = 3 * 2 ** (bits // 2 - 2) + int(digest("totient", str(bits)), 16)
    p = _prime_from(first, e)
    q = _prime_from(p + (int(digest("software", str(bits)), 16) << bits // 4), e)
    return private_key(p, q, e)


def _prime_from(first: int, e: int) -> int:
    from Crypto.Util.number import isPrime

    candidate = first | 1
    while not isPrime(candidate) or candidate % e == 1:
        candidate += 2
    return candidate


def measure_work(processor: Processor, work: Work) -> Figures:
    """Build a program, run it, check its result, and return its cost.

    Args:
        processor: to run it on.
        work: the operation; our own private operations use the widest window that fits.

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
        # If memory is short, first measure how much is required.
        most = _measure(find_processor(processor.larger or processor.name), work, window)
        if most.ram_bytes <= processor.ram_bytes and most.code_bytes <= processor.flash_bytes:
            return _measure(processor, work, window) if processor.larger else most
    return replace(most, count=None)


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
        ToolError: as for `build`; or BearSSL cannot be downloaded.
    """
    firmware = project_root() / "firmware"
    options = [f"-DMODULUS_BYTES={work.bits // 8}"]
    if work.operation == PRIVATE:
        options.append(f"-DPRIME_BYTES={work.bits // 16}")
    if work.form in (OURS, ASSEMBLY):
        sources = [*sorted((firmware / "rsa").glob("*.c")), firmware / "rsa_counted" / "main.c"]
        options.append(f"-DWINDOW={window}")
        if work.form == ASSEMBLY:
            sources.append(firmware / "rsa" / processor.assembly)
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
    # Its portable C: it has assembly for one of the processors only. Its warnings are ignored.
    options += [f"-DBEARSSL={words}", "-DBR_ARMEL_CORTEXM_GCC=0", "-w"]
    return build(processor, sources, [library / "inc", library / "src"], options)


def run_rsa(
    program: Program, work: Work, key: RsaKey | None = None, operand: int | None = None
) -> Run:
    """Run a program of `rsa_program` with a key, and check its result by Python's `pow`.

    Args:
        program: the program.
        work: its operation.
        key: of its length; by default that of all figures.
        operand: below the modulus; by default derived from the length.

    Returns:
        The figures of `run`.

    Raises:
        ToolError: as for `run`; or the result is wrong.
    """
    key = key or key_of(work.bits)
    operand = (key.modulus * 2 // 3) if operand is None else operand
    size, half = work.bits // 8, work.bits // 16
    values = {
        "operand": operand.to_bytes(size, "big"),
        "modulus": key.modulus.to_bytes(size, "big"),
    }
    if work.operation == PRIVATE:
        parts = zip(("p", "q", "dp", "dq", "qinv"), astuple(key.crt), strict=True)
        values |= {name: value.to_bytes(half, "big") for name, value in parts}
        # BearSSL uses only the length of the modulus.
        values = {name: content for name, content in values.items() if name in program.symbols}
    done = run(program.with_data(values), _SECONDS)
    exponent = key.d if work.operation == PRIVATE else key.exponent
    expected = f"00 {pow(operand, exponent, key.modulus).to_bytes(size, 'big').hex()}"
    if done.output != expected:
        raise ToolError(
            f"{work.form} on {program.processor.name}: wrong result of a {work.operation} "
            f"operation with {work.bits} bits"
        )
    return done


def _tiny(processor: Processor) -> dict[str, Figures]:
    """The small example of row B4: making its key, encryption, decryption.

    Where it runs several times, the mean of all counts, to the nearest whole one.
    """
    firmware = project_root() / "firmware"
    if processor.runs > 1:
        source, options = firmware / TINY_MEAN / "main.c", [f"-DRUNS={processor.runs}"]
        program = build(processor, [source], options=options)
    else:
        program = build(processor, [firmware / "tiny_rsa" / "main.c"])
    example = published("becannon")["examples"][0]
    p, q, message = example["p"], example["q"], example["message"]
    done = run(program)
    e = tried_exponents((p - 1) * (q - 1))[-1]
    d = pow(e, -1, (p - 1) * (q - 1))
    expected = [p * q, e, d, pow(message, e, p * q), message]
    if [int(word, 16) for word in done.output.split()] != expected * processor.runs:
        raise ToolError(f"the small example on {processor.name}: wrong results {done.output}")
    sizes = (program.code_bytes, program.data_bytes, done.stack_bytes, 0)
    runs = [
        [
            _figures(processor, done, pair, sizes)
            for pair in range(step, len(done.counts), len(TINY))
        ]
        for step in range(len(TINY))
    ]
    return {name: _mean(figures) for name, figures in zip(TINY, runs, strict=True)}


def _mean(runs: Sequence[Figures]) -> Figures:
    """The mean of several runs of one operation, to the nearest whole count."""
    counts = [each.count for each in runs if each.count is not None]
    ranges = [each.cycles for each in runs if each.cycles is not None]
    cycles = (
        (round(mean(least for least, _ in ranges)), round(mean(most for _, most in ranges)))
        if ranges
        else None
    )
    return replace(runs[0], count=round(mean(counts)), cycles=cycles)
