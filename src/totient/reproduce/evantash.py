"""The stream IPs with fixed and with generated keys: words, cycles, software, lengths and area."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from totient.catalog import select_ip
from totient.common.contract import ErrorCode
from totient.common.papers import published
from totient.device.rsa_stream import RsaStream
from totient.flow import find_target
from totient.measure import Record, kinds_of
from totient.reproduce.evantash_sizes import Size, sizes, sizes_finding, sizes_table
from totient.reproduce.evantash_software import Form, forms, software_findings, software_table
from totient.reproduce.measurements import Measurement, of_clock, records
from totient.reproduce.model import (
    Column,
    Reproduction,
    Table,
    Value,
    duration,
    grouped,
    part,
    significant,
)
from totient.sim import Model, build_model

TABLES = ("words", "times", "software", "sizes", "area")
"""Names of the tables, in order."""

_CLOCK_HZ = 100e6
_UTILISED = "artix7-100t"  # the same fabric as the paper's Zynq-7020
_ROUTED = "ecp5-85f"
_ROWS = ("E2", "E3")

_Records = Mapping[tuple[str, int, str], Record]


def measurements(widest: int) -> Iterator[Measurement]:
    """Everything that the tables need up to a width: the two IPs, at their defaults."""
    for row in _ROWS:
        subject = select_ip(row)
        for target in (_UTILISED, _ROUTED) if subject.width <= widest else ():
            yield Measurement(subject.name, subject, find_target(target), kinds_of(subject))


@dataclass(frozen=True)
class _Runs:
    """What the simulated IPs did with the paper's text.

    Attributes:
        fixed, generated: ciphers of the two IPs.
        decrypted: what the IP with generated keys made of its cipher.
        key: n, e and d as it made them.
        fixed_cycles, generated_cycles: from the text's first word in to its last one out; with the
            key generation, and without the text's last character, in the second, as in the paper.
        key_cycles: of the key generation.
        word_cycles: of one word, from its last word in to its result's first one.
        refused: the paper's failing case: result and error code.
        reduced: what comes of its message when it is reduced first.
    """

    fixed: list[int]
    generated: list[int]
    decrypted: list[int]
    key: tuple[int, int, int]
    fixed_cycles: int
    generated_cycles: int
    key_cycles: int
    word_cycles: int
    refused: tuple[int, int]
    reduced: int


def reproduce() -> Reproduction:
    """Raise the paper's text on our IPs.

    Raises:
        ToolError: a tool failed.
    """
    paper = published("evantash")
    runs = _run(paper)
    software, longer = forms(paper), sizes()
    found = records(measurements(max(select_ip(row).width for row in _ROWS)))
    last = list(found.values())[-1]
    versions = ", ".join(f"{name} {version}" for name, version in last.provenance.tools.items())
    return Reproduction(
        title=f"{paper['author']}: {paper['title']}, {paper['source']}",
        command="totient reproduce evantash",
        tables=(
            _words(paper, runs),
            _times(paper, runs),
            software_table(software, _CLOCK_HZ),
            sizes_table(longer, _CLOCK_HZ),
            _area(paper, found),
        ),
        findings=_findings(paper, runs, found, software, longer),
        provenance=(
            "words and cycles: the RTL in simulation, through streams and registers",
            "software: Python on this machine, in this run; the only figures that change",
            f"area: the IP with its faces, synthesis; maximum clock: {_ROUTED}, routed, median of "
            "three seeds",
            f"tools: {versions}",
        ),
    )


def _run(paper: Mapping[str, Any]) -> _Runs:
    key = paper["key"]
    text = [ord(character) for character in paper["words"]["text"]]
    fixed = select_ip("E2", modulus=key["n"], exponent=key["e"])
    with Model(build_model(fixed.top())) as model:
        model.exchange(text[:1])  # the key is loaded after reset
        before = model.cycles
        fixed_words = model.exchange(text)
        fixed_cycles = model.cycles - before
    with Model(build_model(select_ip("E3").top())) as model:
        device = RsaStream(model)
        registers = device.registers
        device.set_primes(key["p"], key["q"], key["e"])
        before = model.cycles
        device.raise_all(text[:-1])
        cycles = model.cycles - before
        words = device.raise_all(text)
        made = device.key
        key_cycles, word_cycles = registers.key_cycles, registers.message_cycles
        registers.direction = 1
        decrypted = device.raise_all(words)
        case = paper["software"]["one_integer"]
        registers.direction = 0
        device.set_primes(case["p"], case["q"], case["e"])
        (refused,) = device.raise_all([case["message"]])
        error = device.error
        (reduced,) = device.raise_all([case["message"] % case["n"]])
    return _Runs(
        fixed_words,
        words,
        decrypted,
        made,
        fixed_cycles,
        cycles,
        key_cycles,
        word_cycles,
        (refused, error),
        reduced,
    )


def _words(paper: Mapping[str, Any], runs: _Runs) -> Table:
    words = paper["words"]
    rows = [
        (repr(character), ord(character), *values)
        for character, *values in zip(
            words["text"], words["cipher"], runs.fixed, runs.generated, runs.decrypted, strict=True
        )
    ]
    return Table(
        "words",
        f"Figures {words['figure']} and 11: the text's words and their ciphers",
        (
            Column("character"),
            Column("word"),
            Column("paper"),
            Column("ours, fixed key"),
            Column("ours, generated key"),
            Column("decrypted"),
        ),
        rows,
        ("figure 11 has the same words without the last one",),
    )


def _times(paper: Mapping[str, Any], runs: _Runs) -> Table:
    seconds, count = paper["seconds"], len(runs.fixed)
    text = paper["software"]["text"]
    rows: list[Sequence[Value]] = [
        (
            "fixed keys",
            count,
            seconds["fixed_keys"],
            runs.fixed_cycles,
            runs.fixed_cycles / _CLOCK_HZ,
        ),
        (
            "generated keys",
            count - 1,
            seconds["generated_keys"],
            runs.generated_cycles,
            runs.generated_cycles / _CLOCK_HZ,
        ),
        ("of which key generation", None, None, runs.key_cycles, runs.key_cycles / _CLOCK_HZ),
        ("of which a word", 1, None, runs.word_cycles, runs.word_cycles / _CLOCK_HZ),
        ("generated keys, optimised", count - 1, seconds["generated_keys_optimised"], None, None),
        ("software on the board, decrypts, too", len(text["message"]), text["seconds"], None, None),
    ]
    return Table(
        "times",
        "Figures 8, 9, 11 and 13: encryption of the text",
        (
            Column("what", part),
            Column("words"),
            Column("paper", duration),
            Column("ours, cycles", grouped),
            Column("ours at 100 MHz", duration),
        ),
        rows,
        (
            "the paper's times are of Python, DMA and waiting as well; ours of the IP alone",
            "a word: from its last word in to its result's first one; the next one comes 4 cycles "
            "later",
        ),
    )


def _area(paper: Mapping[str, Any], found: _Records) -> Table:
    rows: list[Sequence[Value]] = [
        (
            f"paper: {design['name']}",
            *(design[name] for name in ("lut", "ff", "dsp")),
            None,
            design["latency"],
        )
        for design in paper["designs"]
    ]
    names = {
        "rsa_fixed": "ours: fixed key of 32 bits",
        "rsa_stream": "ours: generated keys, primes of up to 32 bits",
    }
    for (name, _, target), record in found.items():
        area = record.utilisation
        label = f"{names[name]}, {target}"
        rows.append((label, area.lut, area.ff, area.dsp, of_clock(record), None))
    return Table(
        "area",
        "Table 1: area, the paper's on a 7-series device",
        (
            Column("design"),
            Column("LUT", grouped),
            Column("FF", grouped),
            Column("DSP", grouped),
            Column("max MHz", significant),
            Column("latency as printed", grouped),
        ),
        rows,
        ("the paper's are of its core with fixed keys; it names no unit of its latencies",),
    )


def _findings(
    paper: Mapping[str, Any],
    runs: _Runs,
    found: _Records,
    software: Sequence[Form],
    longer: Sequence[Size],
) -> list[str]:
    """Where we agree with the paper and where not, computed from the figures."""
    words, key = paper["words"], paper["key"]
    text = [ord(character) for character in words["text"]]
    same = (
        runs.fixed == words["cipher"]
        and runs.generated == words["cipher"]
        and runs.decrypted == text
        and runs.key == (key["n"], key["e"], key["d"])
    )
    case = paper["software"]["one_integer"]
    refused = runs.refused == (0, ErrorCode.BASE_NOT_BELOW)
    ratio = paper["seconds"]["generated_keys_optimised"] * _CLOCK_HZ / runs.generated_cycles
    lut = {
        name: each.utilisation.lut
        for (name, _, target), each in found.items()
        if target == _UTILISED
    }
    least = min(design["lut"] for design in paper["designs"])
    return [
        "Words: "
        + (
            "all ciphers are the paper's, with the fixed and with the generated key, and the IP "
            "decrypts them again; n, e and d are the paper's too."
            if same
            else "WRONG: a word or a key differs from the paper's."
        ),
        f"The paper's failing case is no fault of its arithmetic: {case['message']} is not below "
        f"{case['n']}, and {case['message']} mod {case['n']} = {case['message'] % case['n']}"
        + (
            f", whose cipher is the paper's {case['cipher']}. Ours "
            if runs.reduced == case["cipher"]
            else ". Ours "
        )
        + ("refuses it and says why." if refused else "WRONG: does not refuse it."),
        f"Time: key generation and {len(text) - 1} words take {runs.generated_cycles:,} cycles, "
        f"{runs.generated_cycles / _CLOCK_HZ * 1e6:.0f} µs at 100 MHz. The paper's "
        f"{duration(paper['seconds']['generated_keys_optimised'])} are {ratio:.0f} times that, but "
        "hold the way through Python and DMA; how much of them its IP takes, it does not say.",
        *software_findings(software, _CLOCK_HZ),
        sizes_finding(longer),
        f"Area: ours with generated keys takes {lut['rsa_stream']:,} LUT, with a fixed one "
        f"{lut['rsa_fixed']:,}; the paper's designs with fixed keys from {least:,} on. The "
        "paper could not go above 128 bits; ours is built for moduli of up to 2048 bits.",
    ]
