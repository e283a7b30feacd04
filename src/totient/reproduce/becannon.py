"""The RSA IP with key generation: values, cycles of its steps, and area.

The paper's figures are of its core's own cycle counter on an Artix-7; so are ours, of the simulated
RTL, through the same registers.
"""

from collections.abc import Mapping, Sequence
from math import lcm
from typing import Any

from totient.catalog import find_ip, sources
from totient.common.progress import bar
from totient.device.rsa_keygen import Mode, RsaKeygen, Run
from totient.flow import Rtl, Utilisation, find_target, synthesise
from totient.measure.store import tools
from totient.reproduce.model import (
    Column,
    Reproduction,
    Table,
    Value,
    duration,
    grouped,
    significant,
)
from totient.reproduce.papers import published
from totient.sim import Model, build_model

TABLES = ("values", "cycles", "area")
"""Names of the tables, in order."""

_STEPS = ("keys", "encrypt", "decrypt")
_TARGETS = ("artix7-100t", "ecp5-85f")


def reproduce() -> Reproduction:
    """Run the paper's examples on our IP.

    Raises:
        ToolError: a tool failed.
    """
    paper = published("becannon")
    ip = find_ip("B1")
    assert ip is not None
    with Model(build_model(ip.top())) as model:
        device = RsaKeygen(model)
        runs = [_example(device, example) for example in paper["examples"]]
    rtl = Rtl(sources(ip.core), ip.module, {})
    areas = {}
    with bar("synthesis", total=2 * len(_TARGETS)) as progress:
        for target in _TARGETS:
            for dsp in (True, False):
                areas[target, dsp] = synthesise(rtl, find_target(target), dsp)
                progress.advance()
    versions = ", ".join(f"{name} {version}" for name, version in tools().items())
    return Reproduction(
        title=f"{paper['author']}: {paper['title']}, {paper['source']}",
        command="totient reproduce becannon",
        tables=(_values(paper, runs), _cycles(paper, runs), _area(paper, areas)),
        findings=_findings(paper, runs, areas),
        provenance=(
            "values and cycles: the RTL in simulation, through the paper's registers; cycles by "
            "its own counters",
            "area: the IP with its registers, synthesis",
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


def _area(paper: Mapping[str, Any], areas: Mapping[tuple[str, bool], Utilisation]) -> Table:
    core = paper["area"]["core"]
    rows: list[Sequence[Value]] = [
        ("core", "paper, XC7A100T", core["lut"], core["ff"], core["block_ram"], core["dsp"])
    ]
    for (target, dsp), area in areas.items():
        name = f"ours, {target}" + ("" if dsp else ", no DSP")
        rows.append(("core and registers", name, area.lut, area.ff, area.block_ram, area.dsp))
    system = paper["area"]["system"]
    rows.append(
        ("system", "paper, XC7A100T", *(system[name] for name in ("lut", "ff", "block_ram", "dsp")))
    )
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
        ),
        rows,
    )


def _findings(
    paper: Mapping[str, Any],
    runs: Sequence[Mapping[str, Run]],
    areas: Mapping[tuple[str, bool], Utilisation],
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
    ours = areas[_TARGETS[0], True]
    core = paper["area"]["core"]
    findings.append(
        f"Area: the paper's {core['dsp']} DSP blocks are those of its complex multiplier; ours has "
        f"{ours.dsp}, {ours.lut:,} LUT (paper {core['lut']:,}) and {ours.ff:,} FF "
        f"(paper {core['ff']:,}), registers of 64 bits each way included."
    )
    return findings
