"""The RSA IP with key generation: values, cycles, and area, alone and in its system.

The paper's figures are of its core's own cycle counter on an Artix-7; so are ours, of the simulated
RTL, through the same registers.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import lcm
from typing import Any

from totient.catalog import SYSTEM, select_ip
from totient.common.errors import MissingExtraError
from totient.common.papers import published
from totient.device.rsa_keygen import Mode, RsaKeygen, Run
from totient.flow import find_target
from totient.measure import Record, kinds_of
from totient.reproduce.measurements import Measurement, of_clock, records
from totient.reproduce.model import (
    Column,
    Reproduction,
    Table,
    Value,
    duration,
    grouped,
    significant,
)
from totient.sim import Model, build_model

TABLES = ("values", "cycles", "area")
"""Names of the tables, in order."""

_STEPS = ("keys", "encrypt", "decrypt")
_UTILISED, _ROUTED = "artix7-100t", "ecp5-85f"
_CORE, _CORE_NO_DSP = "core and registers", "core and registers, no DSP"
_SYSTEM = "system"

_Records = Mapping[tuple[str, int, str], Record]


def measurements(widest: int) -> Iterator[Measurement]:
    """Everything that the tables need up to a width: the IP, and the system around it."""
    subject = select_ip("B1")
    if subject.width > widest:
        return
    for target in (_UTILISED, _ROUTED):
        for variant, dsp in ((_CORE, True), (_CORE_NO_DSP, False)):
            yield Measurement(variant, subject, find_target(target), kinds_of(subject), dsp)
    yield Measurement(_SYSTEM, SYSTEM, find_target(_UTILISED), ())


def reproduce() -> Reproduction:
    """Run the paper's examples on our IP.

    Raises:
        ToolError: a tool failed.
    """
    paper = published("becannon")
    with Model(build_model(select_ip("B1").top())) as model:
        device = RsaKeygen(model)
        runs = [_example(device, example) for example in paper["examples"]]
    needed = list(measurements(SYSTEM.width))
    found = records(item for item in needed if item.variant != _SYSTEM)
    without = ""
    try:
        found |= records(item for item in needed if item.variant == _SYSTEM)
    except MissingExtraError as error:
        without = str(error)
    last = list(found.values())[-1]
    versions = ", ".join(f"{name} {version}" for name, version in last.provenance.tools.items())
    return Reproduction(
        title=f"{paper['author']}: {paper['title']}, {paper['source']}",
        command="totient reproduce becannon",
        tables=(_values(paper, runs), _cycles(paper, runs), _area(paper, found, without)),
        findings=_findings(paper, runs, found),
        provenance=(
            "values and cycles: the RTL in simulation, through the paper's registers; cycles by "
            "its own counters",
            f"area: the IP with its registers, and the system, synthesis; maximum clock: routed on "
            f"{_ROUTED}, median of three seeds",
            f"tools: {versions}",
        ),
    )


def _example(device: RsaKeygen, example: Mapping[str, Any]) -> dict[str, Run]:
    message = example["message"]
    encrypted = device.run(Mode.ENCRYPT, p=example["p"], q=example["q"], i_msg=message)
    decrypted = device.run(Mode.DECRYPT, i_msg=encrypted.result)
    given = device.run(Mode.GIVEN, i_msg=message, i_key=encrypted.e, i_n=encrypted.n)
    return {"encrypt": encrypted, "decrypt": decrypted, "given": given}


def _values(paper: Mapping[str, Any], runs: Sequence[Mapping[str, Run]]) -> Table:
    rows: list[Sequence[Value]] = []
    for example, done in zip(paper["examples"], runs, strict=True):
        name = f"p = {example['p']}, q = {example['q']}"
        rows.append(
            (
                name,
                "paper",
                example["e"],
                example.get("n"),
                example.get("d"),
                example["message"],
                example.get("cipher"),
                example["message"],
            )
        )
        encrypted, decrypted = done["encrypt"], done["decrypt"]
        rows.append(
            (
                name,
                "ours",
                encrypted.e,
                encrypted.n,
                encrypted.d,
                example["message"],
                encrypted.result,
                decrypted.result,
            )
        )
    return Table(
        "values",
        "Keys and messages",
        (
            Column("primes"),
            Column("whose"),
            *(Column(name) for name in ("e", "n", "d", "message", "cipher", "decrypted")),
        ),
        rows,
        ("the paper prints no n, d and cipher for its second example",),
    )


def _step_cycles(done: Mapping[str, Run]) -> dict[str, int]:
    return {
        "keys": done["encrypt"].key_cycles,
        "encrypt": done["encrypt"].message_cycles,
        "decrypt": done["decrypt"].message_cycles,
    }


def _cycles(paper: Mapping[str, Any], runs: Sequence[Mapping[str, Run]]) -> Table:
    clock = paper["clock_mhz"] * 1e6
    rows: list[Sequence[Value]] = []
    for example, done in zip(paper["examples"], runs, strict=True):
        ours = _step_cycles(done)
        for step in _STEPS:
            theirs = example["cycles"][step]
            rows.append(
                (
                    f"p = {example['p']}, q = {example['q']}",
                    {"keys": "key generation", "encrypt": "encryption", "decrypt": "decryption"}[
                        step
                    ],
                    example["microseconds"][step] / 1e6,
                    theirs,
                    ours[step],
                    ours[step] / clock,
                    theirs / ours[step],
                )
            )
    return Table(
        "cycles",
        f"Cycles of the steps, and times at {paper['clock_mhz']:g} MHz",
        (
            Column("primes"),
            Column("step"),
            Column("paper, time", duration),
            Column("paper, cycles", grouped),
            Column("ours, cycles", grouped),
            Column("ours, time", duration),
            Column("times faster", significant),
        ),
        rows,
        ("the paper's cycles are its times at its clock",),
    )


def _area(paper: Mapping[str, Any], found: _Records, without: str) -> Table:
    def theirs(part: str) -> Sequence[Value]:
        area = paper["area"][part]
        counts = (area[name] for name in ("lut", "ff", "block_ram", "dsp"))
        return (part, "paper, XC7A100T", *counts, None)

    def ours(*parts: str) -> list[Sequence[Value]]:
        return [
            (
                variant,
                f"ours, {target}",
                *(record.utilisation.lut, record.utilisation.ff),
                *(record.utilisation.block_ram, record.utilisation.dsp),
                of_clock(record),
            )
            for (variant, _, target), record in found.items()
            if variant in parts
        ]

    rows = [theirs("core"), *ours(_CORE, _CORE_NO_DSP), theirs(_SYSTEM), *ours(_SYSTEM)]
    return Table(
        "area",
        "Area (figure 12)",
        (
            Column("what"),
            Column("whose"),
            Column("LUT", grouped),
            Column("FF", grouped),
            Column("block RAM", significant),
            Column("DSP", grouped),
            Column("max MHz", significant),
        ),
        rows,
        (
            "the paper's soft CPU is a MicroBlaze, ours a VexRiscv with caches, a serial port, a "
            "timer, 64 KB of ROM with its program and 32 KB of RAM",
            *((f"our system is left out: {without}",) if without else ()),
        ),
    )


def _findings(
    paper: Mapping[str, Any],
    runs: Sequence[Mapping[str, Run]],
    found: _Records,
) -> list[str]:
    """Where we agree with the paper and where not, computed from the figures."""
    findings = []
    right = []
    for example, done in zip(paper["examples"], runs, strict=True):
        encrypted, decrypted = done["encrypt"], done["decrypt"]
        totient = (example["p"] - 1) * (example["q"] - 1)
        right.append(
            encrypted.e == example["e"]
            and encrypted.n == example.get("n", example["p"] * example["q"])
            and encrypted.d == example.get("d", pow(example["e"], -1, totient))
            and encrypted.result == pow(example["message"], encrypted.e, encrypted.n)
            and decrypted.result == example["message"]
            and done["given"].result == encrypted.result
        )
    findings.append(
        "Values: "
        + (
            "every key, cipher and decrypted message is the paper's, or follows from its primes."
            if all(right)
            else "WRONG: a key or a message differs from the paper's."
        )
    )
    ratios = [
        example["cycles"][step] / _step_cycles(done)[step]
        for example, done in zip(paper["examples"], runs, strict=True)
        for step in _STEPS
    ]
    findings.append(
        f"Cycles: ours needs fewer in {sum(ratio > 1 for ratio in ratios)} of {len(ratios)} steps, "
        f"{min(ratios):.2f} to {max(ratios):.2f} times fewer."
    )
    example = paper["examples"][0]
    period = lcm(example["p"] - 1, example["q"] - 1)
    findings.append(
        "The paper says that decryption takes longer with longer primes, and so it does: the "
        "private exponent is as long as the modulus. Its encryption takes the same for both keys, "
        f"as e is 7 in both; {example['d']:,} could be {example['d'] % period:,}, the inverse "
        "modulo the least common multiple, which neither uses."
    )
    by_part = {(name, target): each.utilisation for (name, _, target), each in found.items()}
    ours = by_part[_CORE, _UTILISED]
    core, system = paper["area"]["core"], paper["area"]["system"]
    findings.append(
        f"Area: the paper's {core['dsp']} DSP blocks are those of its complex multiplier; ours has "
        f"{ours.dsp}, {ours.lut:,} LUT (paper {core['lut']:,}) and {ours.ff:,} FF "
        f"(paper {core['ff']:,}), registers of 64 bits each way included."
    )
    if whole := by_part.get((_SYSTEM, _UTILISED)):
        findings.append(
            f"System: ours has {whole.lut:,} LUT (paper {system['lut']:,}), {whole.ff:,} FF (paper "
            f"{system['ff']:,}), {whole.block_ram:g} block RAM (paper {system['block_ram']}) and "
            f"{whole.dsp} DSP (paper {system['dsp']}). Ours is counted by Yosys, with two small "
            "functions never in one LUT; the paper's is Vivado's count."
        )
    return findings
