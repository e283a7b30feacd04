"""The RSA IP with key generation: values, cycles, and area, alone and in its system.

The paper's figures come from its core's cycle counter on an Artix-7. Ours come from the same
registers of the simulated RTL.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import lcm
from typing import Any

from totient.catalog import SYSTEM, select_ip
from totient.common.errors import MissingExtraError
from totient.common.papers import marked
from totient.device.rsa_keygen import Mode, RsaKeygen, Run
from totient.flow import find_target
from totient.measure import kinds_of
from totient.report import Column, Table, Value, columns
from totient.report.values import duration, grouped, significant, text
from totient.report.words import factor
from totient.reproduce import figures
from totient.reproduce.paper import Paper, Sources
from totient.reproduce.results import ROUTED, UTILISED, Measurement
from totient.sim import Model, build_model

_PAPER = "paper, XC7A100T"
_CORE, _CORE_NO_DSP = "core and registers", "core and registers, no DSP"
_SYSTEM = "system"


def measurements() -> Iterator[Measurement]:
    """Measurements for the tables: the IP, and the system around it."""
    subject = select_ip("B1")
    for target in (UTILISED, ROUTED):
        for variant, dsp in ((_CORE, True), (_CORE_NO_DSP, False)):
            yield Measurement(variant, subject, find_target(target), kinds_of(subject), dsp)
    yield Measurement(_SYSTEM, SYSTEM, find_target(UTILISED), ())


@dataclass(frozen=True)
class _Example:
    """One of the paper's examples, and the results of our IP.

    Attributes:
        paper: its primes, values and cycles.
        encrypted, decrypted, given: with a key from the primes, with the generated key, and with
            that key loaded again.
    """

    paper: Mapping[str, Any]
    encrypted: Run
    decrypted: Run
    given: Run

    @classmethod
    def run(cls, device: RsaKeygen, paper: Mapping[str, Any]) -> "_Example":
        """Run an example."""
        message = paper["message"]
        encrypted = device.run(Mode.ENCRYPT, p=paper["p"], q=paper["q"], i_msg=message)
        decrypted = device.run(Mode.DECRYPT, i_msg=encrypted.result)
        given = device.run(Mode.GIVEN, i_msg=message, i_key=encrypted.e, i_n=encrypted.n)
        return cls(paper, encrypted, decrypted, given)

    @property
    def name(self) -> str:
        """Its primes."""
        return f"p = {self.paper['p']}, q = {self.paper['q']}"

    @property
    def steps(self) -> list[tuple[str, float, int, int]]:
        """Each step: its name, the paper's seconds and cycles, and our cycles."""
        names = ("key generation", "encryption", "decryption")
        runs = self.encrypted, self.decrypted
        ours = (self.encrypted.key_cycles, *(run.message_cycles for run in runs))
        seconds = (each / 1e6 for each in self.paper["microseconds"].values())
        return [*zip(names, seconds, self.paper["cycles"].values(), ours, strict=True)]

    @property
    def right(self) -> bool:
        """Whether all values are the paper's or, where it has none, follow from its primes."""
        paper, encrypted = self.paper, self.encrypted
        n, totient = paper["p"] * paper["q"], (paper["p"] - 1) * (paper["q"] - 1)
        e, n, d = paper["e"], paper.get("n", n), paper.get("d", pow(paper["e"], -1, totient))
        return (
            (encrypted.e, encrypted.n, encrypted.d) == (e, n, d)
            and encrypted.result == self.given.result == pow(paper["message"], e, n)
            and self.decrypted.result == paper["message"]
        )


class _Ip(Sources):
    """The paper's figures and ours."""

    def __init__(self) -> None:
        """Run the paper's examples, and measure the system if its tools are installed."""
        *ip, system = measurements()
        super().__init__("becannon", ip)
        with Model(build_model(select_ip("B1").top())) as model:
            device = RsaKeygen(model)
            self.examples = [_Example.run(device, each) for each in self.paper["examples"]]
        self.without = ""
        try:
            self.results.measure([system])
        except MissingExtraError as error:
            self.without = str(error)


def _values(data: _Ip) -> Table:
    rows: list[Sequence[Value]] = []
    for each in data.examples:
        paper, made = each.paper, each.encrypted
        message = paper["message"]
        theirs = (paper["e"], paper.get("n"), paper.get("d"), message, paper.get("cipher"), message)
        ours = (made.e, made.n, made.d, message, made.result, each.decrypted.result)
        rows += [(each.name, "paper", *theirs), (each.name, "ours", *ours)]
    return Table.of(
        "Keys and messages",
        columns(text, "primes", "whose", "e", "n", "d", "message", "cipher", "decrypted"),
        rows,
        "the paper prints no n, d and cipher for its second example",
    )


def _cycles(data: _Ip) -> Table:
    clock_hz = data.paper["clock_mhz"] * 1e6
    return Table.of(
        f"Cycles of the steps, and times at {data.paper['clock_mhz']:g} MHz",
        (
            *columns(text, "primes", "step"),
            Column("paper, time", duration),
            Column(marked(data.paper, "examples.cycles", "paper, cycles"), grouped),
            Column("ours, cycles", grouped),
            Column("ours, time", duration, lambda row: row[-1] / clock_hz),
            Column("times faster", significant, lambda row: row[-2] / row[-1]),
        ),
        [(each.name, *step) for each in data.examples for step in each.steps],
        "the paper's cycles are its times at its clock",
    )


def _area(data: _Ip) -> Table:
    items: list[Mapping[str, Value]] = []
    for part, variants in (("core", (_CORE, _CORE_NO_DSP)), (_SYSTEM, (_SYSTEM,))):
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
    ratios = [theirs / ours for each in data.examples for _, _, theirs, ours in each.steps]
    first = data.examples[0].paper
    period = lcm(first["p"] - 1, first["q"] - 1)
    utilised = {
        variant: found for (variant, target, _), found in data.results.items() if target == UTILISED
    }
    return {
        "values": "every key, cipher and decrypted message is the paper's, or follows from its "
        "primes"
        if all(each.right for each in data.examples)
        else "WRONG: a key or a message differs from the paper's",
        "quicker": sum(ratio > 1 for ratio in ratios),
        "steps": len(ratios),
        "least": factor(1, min(ratios)),
        "most": factor(1, max(ratios)),
        "d": first["d"],
        "reduced": first["d"] % period,
        "paper": data.paper["area"],
        "core": utilised[_CORE],
        "system": utilised.get(_SYSTEM),
    }


PAPER = Paper(
    "becannon",
    _Ip,
    {"values": _values, "cycles": _cycles, "area": _area},
    _conclusions,
    (
        "values and cycles: the RTL in simulation, through the paper's registers; cycles from its "
        "own counters",
        "area: the IP with its registers, and the system, from synthesis. Maximum clock: routed "
        f"on {ROUTED}, median of three seeds",
    ),
    figures.becannon,
    measurements,
)
