"""The RSA IP with key generation: values, cycles, and area, alone and in its system.

The paper's figures come from its core's cycle counter on an Artix-7. Ours come from the same
registers of the simulated RTL.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import lcm
from typing import Any

from totient.catalog import SYSTEM, select_ip
from totient.common.errors import MissingExtraError
from totient.common.papers import marked
from totient.flow import find_target
from totient.measure import kinds_of
from totient.report import Column, Table, Value, columns
from totient.report.values import duration, grouped, significant, text
from totient.report.words import factor
from totient.reproduce import figures
from totient.reproduce.becannon_algorithm import (
    DECRYPT,
    KEYS,
    NAMES,
    STEPS,
    Counts,
    algorithm_table,
    fit,
    is_formula,
    is_printed,
    run_examples,
)
from totient.reproduce.becannon_rows import ROWS_OF_PAPER
from totient.reproduce.becannon_text import of_exponents, registers_table, shares, shares_table
from totient.reproduce.paper import Paper, Sources
from totient.reproduce.results import ROUTED, UTILISED, Measurement

_PAPER = "paper, XC7A100T"
_CORE, _CORE_NO_DSP = "core and registers", "core and registers, no DSP"
_OWN = {
    f"the paper's algorithm, n of {bits} bits": select_ip("rsa_restoring", width=bits)
    for bits in (32, 64)
}
_SYSTEM = "system"


def measurements() -> Iterator[Measurement]:
    """Measurements for the tables: the IP, and the system around it."""
    subject = select_ip("B1")
    for target in (UTILISED, ROUTED):
        for variant, dsp in ((_CORE, True), (_CORE_NO_DSP, False)):
            yield Measurement(variant, subject, find_target(target), kinds_of(subject), dsp)
    for variant, own in _OWN.items():
        yield Measurement(variant, own, find_target(UTILISED), kinds_of(own), True)
    yield Measurement(_SYSTEM, SYSTEM, find_target(UTILISED), ())


class _Ip(Sources):
    """The paper's figures and ours."""

    def __init__(self) -> None:
        """Run the paper's examples, and measure the system if its tools are installed."""
        *ip, system = measurements()
        super().__init__("becannon", ip)
        self.examples: list[Mapping[str, Any]] = self.paper["examples"]
        self.ours = run_examples(select_ip("B1"), self.examples)
        self.same = run_examples(select_ip("rsa_restoring"), self.examples)
        self.without = ""
        try:
            self.results.measure([system])
        except MissingExtraError as error:
            self.without = str(error)

    @property
    def runs(self) -> Iterator[tuple[str, Mapping[str, Any], Counts, Counts]]:
        """Each example: its primes, the paper's figures, ours, and the same algorithm."""
        for paper, ours, same in zip(self.examples, self.ours, self.same, strict=True):
            yield f"p = {paper['p']}, q = {paper['q']}", paper, ours, same


def _values(data: _Ip) -> Table:
    rows: list[Sequence[Value]] = []
    for name, paper, ours, same in data.runs:
        message = paper["message"]
        theirs = (paper["e"], paper.get("n"), paper.get("d"), message, paper.get("cipher"), message)
        rows.append((name, "paper", *theirs))
        for whose, each in (("ours", ours), ("the same algorithm", same)):
            made = each.encrypted
            values = (made.e, made.n, made.d, message, made.result, each.decrypted.result)
            rows.append((name, whose, *values))
    return Table.of(
        "Keys and messages",
        columns(text, "primes", "whose", "e", "n", "d", "message", "cipher", "decrypted"),
        rows,
        "the paper prints no n, d and cipher for its second example",
    )


def _cycles(data: _Ip) -> Table:
    clock_hz, first = data.paper["clock_mhz"] * 1e6, data.examples[0]
    rows: list[Sequence[Value]] = []
    for name, paper, ours, same in data.runs:
        for part in STEPS:
            seconds, theirs = paper["microseconds"][part] / 1e6, paper["cycles"][part]
            alone, here = ours.message_only[part], ours.made[part]
            like = same.message_only[part]
            figures = (seconds, theirs, like, here, None if part == KEYS else alone)
            rows.append((name, NAMES[part], *figures, here / clock_hz, theirs / here))
    return Table.of(
        f"Cycles of the steps, and times at {data.paper['clock_mhz']:g} MHz",
        (
            *columns(text, "primes", "step"),
            Column("paper, time", duration),
            Column(marked(data.paper, "examples.cycles", "paper, cycles"), grouped),
            *columns(grouped, "same algorithm, cycles"),
            *columns(grouped, "ours, cycles", "ours, key given"),
            Column("ours, time", duration),
            Column("times faster", significant),
        ),
        rows,
        "the paper's cycles are its times at its clock; it prints times only",
        f"the paper's {first['microseconds'][DECRYPT]} µs (its figure 11) is of message-only mode. "
        "So are the messages of the same algorithm (rsa_restoring) and of ours, key given; ours, "
        "cycles: the key made from the primes, in a time that depends on no secret",
    )


def _area(data: _Ip) -> Table:
    items: list[Mapping[str, Value]] = []
    for part, variants in (("core", (_CORE, _CORE_NO_DSP, *_OWN)), (_SYSTEM, (_SYSTEM,))):
        items.append({"what": part, "whose": _PAPER, **data.paper["area"][part]})
        for (variant, target, _), found in data.results.items():
            if variant in variants:
                items.append({"what": variant, "whose": f"ours, {target}", **found})
    return Table.of(
        "Area (figure 12)",
        (
            *columns(text, ("what", "what"), ("whose", "whose")),
            *columns(grouped, ("LUT", "lut"), ("FF", "ff")),
            Column("block RAM", significant, "block_ram"),
            Column("DSP", grouped, "dsp"),
            Column("max MHz", significant, "mhz"),
        ),
        items,
        "the paper's soft CPU is a MicroBlaze. Ours is a VexRiscv with caches, a serial port, "
        "a timer, 64 KB of ROM with its program and 32 KB of RAM",
        *((f"our system is left out: {data.without}",) if data.without else ()),
    )


def _conclusions(data: _Ip) -> Mapping[str, object]:
    """Values of the conclusions' templates."""
    ratios = [
        paper["cycles"][part] / ours.made[part] for _, paper, ours, _ in data.runs for part in STEPS
    ]
    first = data.examples[0]
    period = lcm(first["p"] - 1, first["q"] - 1)
    utilised = {
        variant: found for (variant, target, _), found in data.results.items() if target == UTILISED
    }
    return {
        "values": "every key, cipher and decrypted message is the paper's, or follows from its "
        "primes"
        if all(ours.right(paper) and same.right(paper) for _, paper, ours, same in data.runs)
        else "WRONG: a key or a message differs from the paper's",
        "quicker": sum(ratio > 1 for ratio in ratios),
        "steps": len(ratios),
        "least": factor(1, min(ratios)),
        "most": factor(1, max(ratios)),
        **of_exponents(data.examples, [ours.made[DECRYPT] for ours in data.ours]),
        "d": first["d"],
        "reduced": first["d"] % period,
        "paper": data.paper["area"],
        "core": utilised[_CORE],
        "system": utilised.get(_SYSTEM),
        **_of_algorithm(data),
        **shares(data.examples, data.paper["printed"]),
    }


def _of_algorithm(data: _Ip) -> Mapping[str, object]:
    """Values on the paper's cycles and those of the same algorithm."""
    found = fit(data.examples)
    differences = {
        part: sorted(
            {paper["cycles"][part] - same.message_only[part] for _, paper, _, same in data.runs}
        )
        for part in STEPS
    }
    clock = data.paper["clock_mhz"]
    return {
        "explained": "explains every one of its" if found.exact else "does NOT explain all of its",
        "count": len(data.examples) * len(STEPS),
        "fit": found,
        "stated": "equal the stated formula"
        if all(is_formula(paper, same) for _, paper, _, same in data.runs)
        else "DIFFER from the stated formula",
        "less_key": " or ".join(map(str, differences[KEYS])),
        "less_message": " or ".join(map(str, differences[DECRYPT])),
        "modulus": found.step[0] // 2,
        "paper_bits": data.paper["prime_bits"],
        "longest": 4 * data.paper["prime_bits"],
        "printed_so": "are its counts in single precision, cut after three digits; a key's is the "
        "time of both steps less a message's"
        if all(is_printed(paper, clock) for paper in data.examples)
        else "are NOT its counts, cut after three digits",
    }


PAPER = Paper(
    "becannon",
    _Ip,
    {
        "values": _values,
        "cycles": _cycles,
        "algorithm": lambda data: algorithm_table(data.examples, data.same),
        "shares": lambda data: shares_table(data.examples, data.paper["printed"], data.ours),
        "registers": lambda data: registers_table(data.paper["registers"]),
        "area": _area,
    },
    _conclusions,
    (
        "values and cycles: the RTL in simulation, through the paper's registers; cycles from its "
        "own counters",
        "area: the IP with its registers, and the system, from synthesis. Maximum clock: routed "
        f"on {ROUTED}, median of three seeds",
    ),
    figures.becannon,
    measurements,
    ROWS_OF_PAPER,
)
