"""The document's own algorithm (rtl/keygen/rsa_restoring.sv) beside its cycles, and its arithmetic.

Its cycles follow from two formulas. Their constants are fitted here, from its figures alone.
"""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from totient.catalog import IpConfiguration, Work, cycle_formulas, private_bits, select_ip
from totient.device.rsa_keygen import Mode, RsaKeygen, Run
from totient.golden.keygen import euclid_divisions, tried_exponents
from totient.report import Column, Table, Value, columns
from totient.report.values import grouped, text
from totient.report.words import listed
from totient.sim import Model, build_model

KEYS, ENCRYPT, DECRYPT = STEPS = ("keys", "encrypt", "decrypt")
"""Steps by their names in the paper's file."""

NAMES = dict(zip(STEPS, ("key generation", "encryption", "decryption"), strict=True))
"""The same in tables."""


@dataclass(frozen=True)
class Counts:
    """An example on an IP.

    Attributes:
        encrypted, decrypted: with a key from the primes, and with the generated key.
        given, given_back: the same two messages in message-only mode, whose time the paper's
            program prints: the counter's, all cycles.
    """

    encrypted: Run
    decrypted: Run
    given: Run
    given_back: Run

    @classmethod
    def run(cls, device: RsaKeygen, paper: Mapping[str, Any]) -> "Counts":
        """Run an example of the paper."""
        message = paper["message"]
        encrypted = device.run(Mode.ENCRYPT, p=paper["p"], q=paper["q"], i_msg=message)
        decrypted = device.run(Mode.DECRYPT, i_msg=encrypted.result)
        given = device.run(Mode.GIVEN, i_msg=message, i_key=encrypted.e, i_n=encrypted.n)
        back = device.run(Mode.GIVEN, i_msg=given.result, i_key=encrypted.d, i_n=encrypted.n)
        return cls(encrypted, decrypted, given, back)

    @property
    def made(self) -> dict[str, int]:
        """Cycles of the steps, the key made from primes."""
        runs = self.encrypted.message_cycles, self.decrypted.message_cycles
        return dict(zip(STEPS, (self.encrypted.key_cycles, *runs), strict=True))

    @property
    def message_only(self) -> dict[str, int]:
        """Cycles of the steps as the paper times them, the messages in message-only mode."""
        runs = self.given.cycles, self.given_back.cycles
        return dict(zip(STEPS, (self.encrypted.key_cycles, *runs), strict=True))

    def right(self, paper: Mapping[str, Any]) -> bool:
        """Whether all values are the paper's or, where it has none, follow from its primes."""
        made, n = self.encrypted, paper["p"] * paper["q"]
        e, n = paper["e"], paper.get("n", n)
        d = paper.get("d", pow(e, -1, (paper["p"] - 1) * (paper["q"] - 1)))
        return (
            (made.e, made.n, made.d) == (e, n, d)
            and made.result == self.given.result == pow(paper["message"], e, n)
            and self.decrypted.result == self.given_back.result == paper["message"]
        )


def run_examples(ip: IpConfiguration, examples: Sequence[Mapping[str, Any]]) -> list[Counts]:
    """Run the paper's examples on the simulated RTL of an IP.

    Raises:
        ToolError: the model cannot be built, or it hangs.
    """
    with Model(build_model(ip.top())) as model:
        device = RsaKeygen(model)
        return [Counts.run(device, each) for each in examples]


def repetitions(paper: Mapping[str, Any]) -> dict[str, int]:
    """How often each step of an example repeats its product and division.

    Divisions of Euclid's algorithm for the key; bits of the exponent for a message.
    """
    totient = (paper["p"] - 1) * (paper["q"] - 1)
    tried = tried_exponents(totient)
    e, d = paper["e"], pow(paper["e"], -1, totient)
    divisions = euclid_divisions(totient, tried)
    return dict(zip(STEPS, (divisions, e.bit_length(), d.bit_length()), strict=True))


@dataclass(frozen=True)
class Fit:
    """The paper's cycles as repetitions x a step + a constant.

    Attributes:
        step: cycles of a repetition in a message, and in making a key.
        constant: further cycles of a message, and of making a key.
        residuals: cycles of the paper that are not the fit's, over all steps of all examples.
    """

    step: tuple[int, int]
    constant: tuple[int, int]
    residuals: tuple[int, ...]

    @property
    def exact(self) -> bool:
        """Whether one step explains every figure, with whole cycles."""
        return self.step[0] == self.step[1] and not any(self.residuals)


def fit(examples: Sequence[Mapping[str, Any]]) -> Fit:
    """Fit the two formulas to two examples, and state the residuals of all their figures."""
    first, second = examples
    (k1, d1), (k2, d2) = ((each[DECRYPT], each[KEYS]) for each in map(repetitions, (first, second)))
    steps, constants = [], []
    for part, a, b in ((DECRYPT, k1, k2), (KEYS, d1, d2)):
        step = round((first["cycles"][part] - second["cycles"][part]) / (a - b))
        steps.append(step)
        constants.append(second["cycles"][part] - b * step)
    residuals = tuple(
        each["cycles"][part] - repetitions(each)[part] * steps[i] - constants[i]
        for each in examples
        for part, i in ((KEYS, 1), (ENCRYPT, 0), (DECRYPT, 0))
    )
    return Fit((steps[0], steps[1]), (constants[0], constants[1]), residuals)


def printed(cycles: int, clock_mhz: float) -> float:
    """A time in microseconds as the paper's program prints it.

    A number of single precision, of which three decimal digits are kept and the others cut.

    Args:
        cycles: of the core's counter.
        clock_mhz: its clock.
    """
    (single,) = struct.unpack("f", struct.pack("f", cycles / clock_mhz))
    return int(single * 1000) / 1000


def is_printed(paper: Mapping[str, Any], clock_mhz: float) -> bool:
    """Whether an example's times are those of its cycles, printed so.

    A key's time is the time of both steps together less that of a message.
    """
    cycles, times = paper["cycles"], paper["microseconds"]
    messages = (ENCRYPT, DECRYPT)
    differences = (
        printed(cycles[KEYS] + cycles[each], clock_mhz) - printed(cycles[each], clock_mhz)
        for each in messages
    )
    return all(printed(cycles[each], clock_mhz) == times[each] for each in messages) and any(
        abs(each - times[KEYS]) < 1e-6 for each in differences
    )


def algorithm_table(examples: Sequence[Mapping[str, Any]], ours: Sequence[Counts]) -> Table:
    """The paper's cycles, the fit to them, and the same algorithm in our RTL."""
    found, ip = fit(examples), select_ip("rsa_restoring")
    formulas = cycle_formulas(ip.ip)
    rows: list[Sequence[Value]] = []
    for paper, counts in zip(examples, ours, strict=True):
        for part in STEPS:
            many, is_key = repetitions(paper)[part], part == KEYS
            fitted = many * found.step[is_key] + found.constant[is_key]
            theirs, here = paper["cycles"][part], counts.message_only[part]
            name = f"p = {paper['p']}, q = {paper['q']}"
            rows.append((name, NAMES[part], many, theirs, fitted, here, here - theirs))
    shown = "; ".join(f"{name}: {formulas[name].text}" for name in ("key", "message"))
    tried = listed(tried_exponents((examples[0]["p"] - 1) * (examples[0]["q"] - 1)))
    return Table.of(
        "The document's own algorithm: cycles of its IP and of ours (rsa_restoring)",
        (
            *columns(text, "primes", "step"),
            *columns(grouped, "repetitions", "paper, cycles (derived)", "fitted"),
            Column("same algorithm, cycles", grouped),
            Column("difference", grouped),
        ),
        rows,
        "repetitions of a product and a division: divisions of Euclid's algorithm until the "
        f"remainder is 0, for e = {tried}; bits of the exponent. Messages are in message-only mode",
        f"fitted: {found.step[1]} cycles a division and {found.constant[1]}; {found.step[0]} a bit "
        f"of the exponent and {found.constant[0]}",
        f"rsa_restoring: {shown}; made = 0",
        f"a step of {found.step[0]} cycles leaves {found.step[0] - 2 * ip.width} beside a division "
        f"of {2 * ip.width} bits. The document does not print its multiplier's latency. Its "
        f"{ip.parameters['stages']} registers in rsa_restoring are fitted to the step",
    )


def is_formula(paper: Mapping[str, Any], ours: Counts) -> bool:
    """Whether the RTL's cycles of an example are exactly those of the catalog's formulas."""
    ip, many = select_ip("rsa_restoring"), repetitions(paper)
    n, tried = paper["p"] * paper["q"], tried_exponents((paper["p"] - 1) * (paper["q"] - 1))
    formulas = cycle_formulas(ip.ip)
    key = Work(n, many[ENCRYPT], tried=tuple(tried), divisions=many[KEYS])
    d_bits = private_bits(ip.ip, ours.encrypted.d, n.bit_length())
    stated = {
        KEYS: formulas["key"].cycles(ip, key),
        ENCRYPT: formulas["message"].cycles(ip, Work(n, many[ENCRYPT])),
        DECRYPT: formulas["message"].cycles(ip, Work(n, d_bits)),
    }
    return stated == ours.message_only
