"""The report's software, in its three forms, timed on this machine beside the stream IP.

Times of software change from run to run: they are told with their range, and no test compares them.
"""

import math
import platform
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from Crypto.Util.number import getPrime

from totient.catalog import select_ip
from totient.common.errors import ToolError
from totient.common.progress import bar
from totient.device.rsa_stream import RsaStream
from totient.reproduce.model import (
    Column,
    Table,
    Value,
    duration,
    grouped,
    rough_duration,
    rounded,
    significant,
)
from totient.reproduce.stock_rsa import make_keys, power, there_and_back
from totient.sim import Model, build_model

_ROUNDS = 15
_ROUND_SECONDS = 0.01  # at least; a shorter piece of work is done several times in a round


def random_primes(bits: int) -> tuple[int, int]:
    """Two primes for a modulus of exactly so many bits, found by Rabin-Miller (pycryptodome)."""
    while True:
        p, q = getPrime(bits // 2), getPrime(bits // 2)
        if p != q and (p * q).bit_length() == bits:
            return p, q


@dataclass(frozen=True)
class Timing:
    """Seconds of a piece of software: the median of its rounds, the least and the most."""

    median: float
    least: float
    most: float

    @property
    def range(self) -> str:
        """Least and most, for people."""
        return f"{rough_duration(self.least)} to {rough_duration(self.most)}"


def measure(work: Callable[[], object]) -> Timing:
    """Time a piece of work in several rounds."""
    start = time.perf_counter()
    work()
    once = max(time.perf_counter() - start, 1e-9)
    repeats = max(1, math.ceil(_ROUND_SECONDS / once))
    seconds = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        for _ in range(repeats):
            work()
        seconds.append((time.perf_counter() - start) / repeats)
    return Timing(statistics.median(seconds), min(seconds), max(seconds))


@dataclass(frozen=True)
class Form:
    """A form of the software, and the same work on the IP.

    Attributes:
        name: what it does.
        paper: seconds on the board's processor.
        here: the same on this machine.
        cycles: of the IP, key generation included; `None` where there is no such IP.
    """

    name: str
    paper: float | None
    here: Timing
    cycles: int | None


def forms(paper: Mapping[str, Any]) -> list[Form]:
    """Time the three forms, and simulate the IP that makes keys on the same work.

    Args:
        paper: its figures.

    Raises:
        ToolError: a model cannot be built, or has other results than the software.
    """
    one, large, text = (paper["software"][name] for name in ("one_integer", "random_keys", "text"))
    p, q = random_primes(large["bits"])
    message = int.from_bytes(large["message"].encode(), "big")
    letters = [ord(character) for character in text["message"]]
    # The report's own message is not below the modulus.
    small = (one["p"], one["q"], 0, [one["decrypted"]])
    long = (p, q, 65537, [message])
    string = (text["p"], text["q"], text["e"], letters)
    public, _ = make_keys(*string[:3])
    works: list[tuple[str, float | None, Callable[[], object]]] = [
        ("one integer", one["seconds"], lambda: there_and_back(*small)),
        (
            f"{large['bits']} bits, primes searched",
            large["seconds"],
            lambda: there_and_back(*random_primes(large["bits"]), 65537, [message]),
        ),
        (f"{large['bits']} bits, from given primes", None, lambda: there_and_back(*long)),
        (f"text of {len(letters)} characters", text["seconds"], lambda: there_and_back(*string)),
        ("the same, encryption only", None, lambda: [power(each, public) for each in letters]),
    ]
    with bar("timing software", total=len(works)) as progress:
        timings = []
        for _, _, work in works:
            timings.append(measure(work))
            progress.advance()
    whole_one, _ = _on_the_ip(32, *small)
    whole_long, _ = _on_the_ip(large["bits"] // 2, *long)
    whole_text, text_only = _on_the_ip(32, *string)
    cycles = (whole_one, None, whole_long, whole_text, text_only)
    return [
        Form(name, seconds, timing, count)
        for (name, seconds, _), timing, count in zip(works, timings, cycles, strict=True)
    ]


def _on_the_ip(prime_bits: int, p: int, q: int, e: int, messages: Sequence[int]) -> tuple[int, int]:
    """Cycles of making the key, encrypting and decrypting; and of encrypting with the key there.

    Raises:
        ToolError: the model cannot be built, or has other results than the software.
    """
    with Model(build_model(select_ip("E3", prime_bits=prime_bits).top())) as model:
        device = RsaStream(model)

        def cycles(messages: Sequence[int], expected: Sequence[int]) -> int:
            before = model.cycles
            if device.raise_all(messages) != list(expected):
                raise ToolError("the IP's results are not the software's")
            return model.cycles - before

        ciphers = there_and_back(p, q, e, messages)
        device.set_primes(p, q, e)
        there = cycles(messages, ciphers)
        device.registers.direction = 0  # an access between packets, as between all others
        again = cycles(messages, ciphers)
        device.registers.direction = 1
        return there + cycles(ciphers, messages), again


def software_table(done: Sequence[Form], clock_hz: float) -> Table:
    """The table, with the IP's times at a clock."""
    rows: list[Sequence[Value]] = []
    for form in done:
        seconds = None if form.cycles is None else form.cycles / clock_hz
        rows.append(
            (
                form.name,
                form.paper,
                form.here.median,
                form.here.range,
                form.cycles,
                seconds,
                None if seconds is None else form.here.median / seconds,
            )
        )
    return Table(
        "software",
        "Figures 6 to 8: the three forms of the software: keys, encryption and decryption",
        (
            Column("form"),
            Column("paper, on the board", duration),
            Column("software here", rough_duration),
            Column("least to most"),
            Column("IP, cycles", grouped),
            Column(f"IP at {clock_hz / 1e6:g} MHz", duration),
            Column("here / IP", lambda value: significant(rounded(value))),
        ),
        rows,
        (
            f"here: this machine, Python {platform.python_version()}, the median of {_ROUNDS} "
            "rounds; another run or machine has other times",
            "here / IP: the software's time here by the IP's; above 1 the IP is the faster one",
            "the IP's are of the simulated RTL, without the way through a processor; it is given "
            "its primes, nothing in it searches for them",
            "the paper's one integer is 5000, which is not below its modulus; here it is what that "
            "is reduced to",
        ),
    )


def software_findings(done: Sequence[Form], clock_hz: float) -> list[str]:
    """What the table says, in words, with this run's figures."""
    integer, searched, given, text, _ = done
    assert integer.cycles is not None
    assert given.cycles is not None
    assert text.cycles is not None
    assert text.paper is not None
    board = text.paper * clock_hz / text.cycles
    here = text.here.median * clock_hz / text.cycles
    search = searched.here.median - given.here.median
    ratio = given.here.median * clock_hz / given.cycles
    return [
        "Software (this run, this machine): its text takes "
        f"{rough_duration(text.here.median)}, {rounded(here):g} times as long as the IP's "
        f"{text.cycles:,} cycles at {clock_hz / 1e6:g} MHz; the paper's processor took {board:.0f} "
        "times as long, printing included.",
        "Of the software with random keys nearly all is the search for primes "
        f"({rough_duration(search)} of {rough_duration(searched.here.median)}); what the IP does "
        f"of it takes this machine {rough_duration(given.here.median)}, "
        + (
            f"{rounded(1 / ratio):g} times less than the IP's {given.cycles:,} cycles: "
            "at such lengths a processor with wide multipliers is faster than this core."
            if ratio < 1
            else f"{rounded(ratio):g} times the IP's {given.cycles:,} cycles."
        ),
    ]
