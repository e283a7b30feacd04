"""Runs for the stream IPs' tables: the report's text, longer keys, the report's software.

Software times vary between runs: they are shown with their range, and no test compares them.
"""

import math
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from Crypto.Util.number import getPrime

from totient.catalog import Work, cycle_formulas, select_ip
from totient.check.openssl import private_key, signature, verifies
from totient.common.errors import ToolError
from totient.common.progress import bar
from totient.device.overlay import open_overlay, run_kernel
from totient.device.rsa_stream import RsaStream
from totient.report.values import rough_duration
from totient.reproduce.stock_rsa import make_keys, power, there_and_back
from totient.rsa.keys import generate
from totient.sim import Model, build_model

SIZES = (512, 1024, 2048)
"""Bits of the moduli of the longer keys, beyond the report's limit."""

EXPONENT = 65537
ROUNDS = 15
_ROUND_SECONDS = 0.01  # at least; shorter work is repeated within a round


@dataclass(frozen=True)
class Made:
    """A key that the IP made.

    Attributes:
        n, e, d: the key.
        cycles: of the key generation.
    """

    n: int
    e: int
    d: int
    cycles: int


@dataclass(frozen=True)
class TextRuns:
    """Results of the simulated IPs for the report's text.

    Attributes:
        fixed, generated: ciphers of the two IPs.
        overlay_fixed, overlay: the same by the host's side (row E4): DMA, registers by name.
        software, software_fixed: ciphers of the text of the report's software, by ours in Python
            and by the IP with the fixed key.
        decrypted: result of the IP with generated keys for its cipher.
        key: that it generated.
        fixed_cycles, generated_cycles: from the text's first word in to its last one out. As in the
            report, the second includes key generation and leaves out the text's last character.
        word_cycles: of one word, from its last word in to its result's first one.
        searched: keys of the report's two pairs of primes if the IP searches e itself.
        refused: the report's failing case: result and error code.
        reduced: result for its message after reduction.
    """

    fixed: list[int]
    overlay_fixed: list[int]
    overlay: list[int]
    software: list[int]
    software_fixed: list[int]
    generated: list[int]
    decrypted: list[int]
    key: Made
    fixed_cycles: int
    generated_cycles: int
    word_cycles: int
    searched: tuple[Made, Made]
    refused: tuple[int, int]
    reduced: int


def _made(device: RsaStream) -> Made:
    """The key in the IP."""
    return Made(*device.key, device.registers.key_cycles)


def _counted(
    model: Model, send: Callable[[Sequence[int]], list[int]], messages: Sequence[int]
) -> tuple[list[int], int]:
    """Results for messages, and the model's cycles for them."""
    before = model.cycles
    results = send(messages)
    return results, model.cycles - before


def _by_overlay(
    words: Sequence[int], primes: Sequence[int] = (), design: str = "E3", **parameters: int
) -> list[int]:
    """Ciphers by the overlay on a simulated IP, as the report's notebook calls it."""
    with open_overlay("", design, **parameters) as overlay:
        for name, prime in zip(("prime1", "prime2"), primes, strict=False):
            setattr(overlay.rsa.register_map, name, prime)
        return run_kernel(overlay, words)


def run_text(paper: Mapping[str, Any]) -> TextRuns:
    """Send the report's text through both IPs.

    Raises:
        ToolError: a model cannot be built.
    """
    key = paper["key"]
    text, other = (
        [ord(character) for character in each["text"]]
        for each in (paper["words"], paper["words"]["software"])
    )
    fixed = select_ip("E2", modulus=key["n"], exponent=key["e"])
    with Model(build_model(fixed.top())) as model:
        model.exchange(text[:1])  # the key is loaded after reset
        fixed_words, fixed_cycles = _counted(model, model.exchange, text)
        other_words = model.exchange(other)
    with Model(build_model(select_ip("E3").top())) as model:
        device = RsaStream(model)
        registers = device.registers
        device.set_primes(key["p"], key["q"], key["e"])
        _, cycles = _counted(model, device.raise_all, text[:-1])
        words = device.raise_all(text)
        made = _made(device)
        word_cycles = registers.message_cycles
        registers.direction = 1
        decrypted = device.raise_all(words)
        case = paper["software"]["one_integer"]
        registers.direction = 0
        device.set_primes(key["p"], key["q"], 0)
        device.raise_all(text[:1])
        searched = _made(device)
        device.set_primes(case["p"], case["q"], 0)
        (refused,) = device.raise_all([case["message"]])
        error = device.error
        (reduced,) = device.raise_all([case["message"] % case["n"]])
        searched_case = _made(device)
    return TextRuns(
        fixed=fixed_words,
        overlay_fixed=_by_overlay(text, design="E2", modulus=key["n"], exponent=key["e"]),
        overlay=_by_overlay(text, (key["p"], key["q"])),
        software=there_and_back(key["p"], key["q"], key["e"], other),
        software_fixed=other_words,
        generated=words,
        decrypted=decrypted,
        key=made,
        fixed_cycles=fixed_cycles,
        generated_cycles=cycles,
        word_cycles=word_cycles,
        searched=(searched, searched_case),
        refused=(refused, error),
        reduced=reduced,
    )


@dataclass(frozen=True)
class Size:
    """Results of the IP for random primes.

    Attributes:
        bits: of the modulus.
        key, load, encrypt, decrypt: clock cycles from its own counters; those of the load from
            the time of a packet.
        right: whether OpenSSL accepted the generated key, and the signature made with it.
        exact: whether all cycles equal the catalog's formula.
    """

    bits: int
    key: int
    load: int
    encrypt: int
    decrypt: int
    right: bool
    exact: bool


def sizes() -> list[Size]:
    """For each length make a key from new random primes, encrypt and sign with it.

    Raises:
        ToolError: a model cannot be built.
    """
    done = []
    with bar("longer keys", total=len(SIZES)) as progress:
        for bits in SIZES:
            done.append(_run_size(bits))
            progress.advance()
    return done


def _run_size(bits: int) -> Size:
    made = generate(bits, EXPONENT).crt
    p, q = made.p, made.q
    chosen = select_ip("E3", prime_bits=bits // 2)
    text = b"A text that the IP signs with the key that it made."
    with Model(build_model(chosen.top())) as model:
        device = RsaStream(model)
        registers = device.registers

        def raise_one(message: int) -> tuple[int, int, int]:
            """Result, cycles of the message, cycles of the packet."""
            (result,), cycles = _counted(model, device.raise_all, [message])
            return result, registers.message_cycles, cycles

        device.set_primes(p, q, EXPONENT)
        _, encrypt, _ = raise_one(2)
        key_cycles, (n, e, d) = registers.key_cycles, device.key
        try:
            key = private_key(n, e, d)
        except ValueError:
            return Size(bits, key_cycles, 0, encrypt, 0, right=False, exact=False)
        signed = signature(key, text)
        block, encrypt, alone = raise_one(signed)
        registers.direction = 1
        result, decrypt, packet = raise_one(block)
    load = packet - decrypt - (alone - encrypt)
    right = (n, e) == (p * q, EXPONENT) and result == signed and verifies(key, text, result)
    work = Work(n, e.bit_length(), p.bit_length(), q.bit_length(), (e,))
    private = Work(n, bits, p.bit_length(), q.bit_length(), (e,))
    formulas = cycle_formulas(chosen.ip)
    steps = (("key", work), ("load", work), ("message", work), ("message", private))
    expected = [formulas[name].cycles(chosen, each) for name, each in steps]
    exact = expected == [key_cycles, load, encrypt, decrypt]
    return Size(bits, key_cycles, load, encrypt, decrypt, right, exact)


def random_primes(bits: int) -> tuple[int, int]:
    """Two primes for a modulus of exactly this length, found by Rabin-Miller (pycryptodome)."""
    while True:
        p, q = getPrime(bits // 2), getPrime(bits // 2)
        if p != q and (p * q).bit_length() == bits:
            return p, q


@dataclass(frozen=True)
class Timing:
    """Seconds of a piece of software: median of its rounds, least and most."""

    median: float
    least: float
    most: float

    @property
    def range(self) -> str:
        """Least and most, for people."""
        return f"{rough_duration(self.least)} to {rough_duration(self.most)}"


def time_rounds(work: Callable[[], object]) -> Timing:
    """Time a piece of work in several rounds."""
    start = time.perf_counter()
    work()
    once = max(time.perf_counter() - start, 1e-9)
    repeats = max(1, math.ceil(_ROUND_SECONDS / once))
    seconds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(repeats):
            work()
        seconds.append((time.perf_counter() - start) / repeats)
    return Timing(statistics.median(seconds), min(seconds), max(seconds))


@dataclass(frozen=True)
class Form:
    """A form of the software, and the IP on the same work.

    Attributes:
        name: of the work.
        paper: seconds on the board's processor.
        here: seconds on this machine.
        cycles: of the IP, key generation included; `None` if there is no such IP.
    """

    name: str
    paper: float | None
    here: Timing
    cycles: int | None


def forms(paper: Mapping[str, Any]) -> list[Form]:
    """Time the three forms, and simulate the IP that generates keys on the same work.

    Args:
        paper: the paper's figures.

    Raises:
        ToolError: a model cannot be built, or its results differ from the software's.
    """
    one, large, text = (paper["software"][name] for name in ("one_integer", "random_keys", "text"))
    p, q = random_primes(large["bits"])
    message = int.from_bytes(large["message"].encode(), "big")
    letters = [ord(character) for character in text["message"]]
    # The report's own message is not below the modulus.
    small = (one["p"], one["q"], 0, [one["decrypted"]])
    long = (p, q, EXPONENT, [message])
    string = (text["p"], text["q"], text["e"], letters)
    public, _ = make_keys(*string[:3])
    whole_one, _ = _on_the_ip(32, *small)
    whole_long, _ = _on_the_ip(large["bits"] // 2, *long)
    whole_text, text_only = _on_the_ip(32, *string)

    def searched() -> list[int]:
        return there_and_back(*random_primes(large["bits"]), EXPONENT, [message])

    def encrypted() -> list[int]:
        return [power(each, public) for each in letters]

    long_name, text_name = f"{large['bits']} bits", f"text of {len(letters)} characters"
    works: list[tuple[str, float | None, int | None, Callable[[], object]]] = [
        ("one integer", one["seconds"], whole_one, partial(there_and_back, *small)),
        (f"{long_name}, primes searched", large["seconds"], None, searched),
        (f"{long_name}, from given primes", None, whole_long, partial(there_and_back, *long)),
        (text_name, text["seconds"], whole_text, partial(there_and_back, *string)),
        ("the same, encryption only", None, text_only, encrypted),
    ]
    done = []
    with bar("timing software", total=len(works)) as progress:
        for name, seconds, cycles, work in works:
            done.append(Form(name, seconds, time_rounds(work), cycles))
            progress.advance()
    return done


def _on_the_ip(prime_bits: int, p: int, q: int, e: int, messages: Sequence[int]) -> tuple[int, int]:
    """Cycles to generate the key, encrypt and decrypt; and to encrypt with the loaded key.

    Raises:
        ToolError: the model cannot be built, or its results differ from the software's.
    """
    with Model(build_model(select_ip("E3", prime_bits=prime_bits).top())) as model:
        device = RsaStream(model)

        def cycles(messages: Sequence[int], expected: Sequence[int]) -> int:
            results, taken = _counted(model, device.raise_all, messages)
            if results != list(expected):
                raise ToolError("the IP's results differ from the software's")
            return taken

        ciphers = there_and_back(p, q, e, messages)
        device.set_primes(p, q, e)
        there = cycles(messages, ciphers)
        device.registers.direction = 0  # an access between packets
        again = cycles(messages, ciphers)
        device.registers.direction = 1
        return there + cycles(ciphers, messages), again
