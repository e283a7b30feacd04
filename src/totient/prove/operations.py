"""Proofs of the engine's operations, each for one build of the hardware and lengths of a key.

Lengths, options and the build are numbers. All else is a symbol: the proof is for all values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from totient.common.contract import Command, ErrorCode, KeyForm, PrivateOption
from totient.common.header import header
from totient.engine.assembler import Program
from totient.engine.instructions import Instruction
from totient.engine.machine import Machine
from totient.prove.algebra import Sum
from totient.prove.facts import ProofError
from totient.prove.machine import Symbolic
from totient.prove.specification import (
    decryption_with_primes,
    each_path,
    error_answer,
    is_blinded,
    is_checked,
    is_power,
    is_residue,
    loaded_answer,
    power_modulo_n,
    require,
    results,
)
from totient.prove.units import Given, Part

_MOST_STEPS = 20_000  # of a self-test

Packet = list[int | Part | Given]


@dataclass(frozen=True)
class Build:
    """Of the hardware: elements, bits of a digit, bits of the longest modulus."""

    elements: int
    digit_bits: int
    max_bits: int

    def __str__(self) -> str:
        return f"{self.elements} x {self.digit_bits}, {self.max_bits}"


@dataclass(frozen=True)
class Lengths:
    """Bits of an RSA key's n, p and e. q has the rest.

    Attributes:
        stated: of a plain key or a pair, how long it is said to be; 0: as it is.
    """

    n: int
    p: int
    e: int
    stated: int = 0

    def __str__(self) -> str:
        said = f", stated {self.stated}" if self.stated else ""
        return f"n {self.n}, p {self.p}, e {self.e}{said}"


@dataclass
class Run:
    """What a proof executed."""

    steps: int = 0
    covered: set[int] = field(default_factory=set)

    def add(self, machine: Symbolic) -> None:
        """All that a machine and its forks executed."""
        self.steps += machine.steps[0]
        self.covered |= machine.executed


def exact(name: str, bits: int, odd: bool | None = True) -> Given:
    """A number whose highest bit is 1."""
    return Given(name, bits, (1 << bits - 1) + (odd is True and bits > 1), (1 << bits) - 1, odd)


def up_to(name: str, bits: int, low: int = 0) -> Given:
    """A number of at most so many bits."""
    return Given(name, bits, low, (1 << bits) - 1)


def machine_of(program: Program, build: Build, slots: int = 1) -> Symbolic:
    """After reset: it waits for a packet."""
    machine = Symbolic(program, build.elements, build.digit_bits, build.max_bits, slots)
    require(not machine.sent, "an answer without a request")
    return machine


def key_packet(lengths: Lengths, form: KeyForm, least: int) -> Packet:
    """Load an RSA key. Exponents are at least `least`."""
    n, p, q = lengths.n, lengths.p, lengths.n - lengths.p
    head: Packet = [header(Command.LOAD_RSA_KEY, form), n, lengths.e]
    public: Packet = [exact("n", n), exact("e", lengths.e)]
    if form == KeyForm.PUBLIC:
        return head + public
    if form == KeyForm.EXPONENT:
        return [*head, *public, up_to("d", n, least)]
    parts = [exact("p", p), exact("q", q), up_to("dP", p, least), up_to("dQ", q, least)]
    return [*head, p, q, *public, *parts, up_to("qInv", p)]


def valid_key(machine: Symbolic, form: KeyForm) -> None:
    """Assume that the key's numbers belong together, as RFC 8017, 3.2 has them.

    n = p q for different odd primes p and q, q qInv = 1 mod p, e dP = 1 mod p - 1, e dQ = 1 mod
    q - 1; e d = 1 modulo both. Random bases are coprime to n.
    """
    facts = machine.facts
    facts.moduli = ("n", "p", "q")
    facts.factors = {"n": ("p", "q")}
    facts.primes = frozenset("pq")
    exponents = ("dP", "dQ") if form == KeyForm.PRIMES else ("d", "d")
    facts.orders = {"p": ("e", exponents[0]), "q": ("e", exponents[1])}
    facts.residues["qInv", "p"] = Sum.symbol("q", -1)


def prove_private(program: Program, build: Build, lengths: Lengths) -> Run:
    """A key with primes: it is loaded; private with each option, and public, are RSA's."""
    run, machine = Run(), machine_of(program, build)
    valid_key(machine, KeyForm.PRIMES)
    (machine,) = machine.paths(key_packet(lengths, KeyForm.PRIMES, 1))
    require(machine.sent == loaded_answer(Command.LOAD_RSA_KEY), f"answer {machine.sent}")
    for option in range(4):
        base = not option & PrivateOption.NO_BASE_BLINDING
        more = bool(option & PrivateOption.EXPONENT_BLINDING)

        def blinded(path: Symbolic, base: bool = base, more: bool = more) -> None:
            is_blinded(path, base, more)

        ask(machine, Command.PRIVATE, option, lengths, decryption_with_primes, blinded)
    ask(machine, Command.PUBLIC, 0, lengths, power_modulo_n("e"))
    run.add(machine)
    return run


def prove_whole(program: Program, build: Build, lengths: Lengths) -> Run:
    """A key with d: private with and without blinding, and public, are RSA's."""
    run, machine = Run(), machine_of(program, build)
    valid_key(machine, KeyForm.EXPONENT)
    for name, bits in (("p", lengths.p), ("q", lengths.n - lengths.p)):
        machine.facts.symbol(name, (1 << bits - 1) + 1, (1 << bits) - 1)
    (machine,) = machine.paths(key_packet(lengths, KeyForm.EXPONENT, 1))
    require(machine.sent == loaded_answer(Command.LOAD_RSA_KEY), f"answer {machine.sent}")
    for option in (0, PrivateOption.NO_BASE_BLINDING):

        def blinded(path: Symbolic, base: bool = not option) -> None:
            is_blinded(path, base, False)

        ask(machine, Command.PRIVATE, option, lengths, power_modulo_n("d"), blinded)
    ask(machine, Command.PUBLIC, 0, lengths, power_modulo_n("e"))
    refused: Packet = [
        header(Command.PRIVATE, PrivateOption.EXPONENT_BLINDING),
        8,
        up_to("c", 8),
    ]
    (path,) = machine.paths(refused)
    require(path.sent == error_answer(Command.PRIVATE, ErrorCode.COMMAND), "blinding without p")
    run.add(machine)
    return run


def prove_public(program: Program, build: Build, lengths: Lengths) -> Run:
    """A public key: any n that is odd and has its stated length; a base of any stated length."""
    run, machine = Run(), machine_of(program, build)
    machine.facts.moduli = ("n",)
    (machine,) = machine.paths(key_packet(lengths, KeyForm.PUBLIC, 0))
    require(machine.sent == loaded_answer(Command.LOAD_RSA_KEY), f"answer {machine.sent}")
    more = (min(lengths.n + each, build.max_bits) for each in (32, 200))
    for stated in sorted({lengths.n - 9, lengths.n, *more}):
        ask(machine, Command.PUBLIC, 0, lengths, power_modulo_n("e"), stated=stated)
    run.add(machine)
    return run


def prove_safety(program: Program, build: Build, lengths: Lengths) -> Run:
    """A key whose p, q, dP, dQ and qInv are any numbers of their lengths.

    It is loaded if p q = n, else refused. An answer m of a private operation has m^e = c mod n and
    m < n. If it has not, the answer is an error, and the working memory is wiped.
    """
    run, machine = Run(), machine_of(program, build)
    machine.facts.moduli = ("n", "p", "q")
    paths = machine.paths(key_packet(lengths, KeyForm.PRIMES, 0))
    good = [path for path in paths if path.sent == loaded_answer(Command.LOAD_RSA_KEY)]
    wrong = [path for path in paths if path not in good]
    require(len(good) == len(wrong) == 1, "not one path each")
    require(set(good[0].facts.factors.get("n", ())) == set("pq"), "loaded, but p q may not be n")
    (question,) = wrong[0].assumed
    image = wrong[0].facts.residue(question.value, "n")
    product = {name for name, exponent in next(iter(image.terms))}
    require(product == set("pq") and question.what == "zero" and not question.holds, "refused")
    refused = error_answer(Command.LOAD_RSA_KEY, ErrorCode.PRIME)
    require(wrong[0].sent == refused, f"the wrong primes are answered {wrong[0].sent}")
    name, fresh = "c", machine_of(program, build)
    for option in range(4):
        name += "'"
        base = Sum.symbol(name)
        packet: Packet = [header(Command.PRIVATE, option), lengths.n, up_to(name, lengths.n)]

        def right(path: Symbolic, base: Sum = base) -> None:
            (value,) = results(path, Command.PRIVATE, lengths.n)
            is_checked(path, value, base, "e")

        found = good[0].paths(packet)
        each_path(found, Command.PRIVATE, {name: "n"}, right, fresh)
    run.add(machine)
    return run


def ask(
    machine: Symbolic,
    command: Command,
    option: int,
    lengths: Lengths,
    specified: Callable[..., None],
    more: Callable[[Symbolic], None] = lambda path: None,
    stated: int = 0,
) -> None:
    """An operation with an RSA key on any base of a stated length; a private one is checked."""
    name = machine.facts.name("c")
    stated = stated or lengths.n
    base = Sum.symbol(name)

    def right(path: Symbolic) -> None:
        (value,) = results(path, command, lengths.n)
        specified(path.facts, value, base)
        if command == Command.PRIVATE:
            is_checked(path, value, base, "e")
        more(path)

    paths = machine.paths([header(command, option), stated, up_to(name, stated)])
    bases = {name: "n"} if stated >= lengths.n else {}
    each_path(paths, command, bases, right)


def prove_plain(program: Program, build: Build, lengths: Lengths) -> Run:
    """`load key` with any odd modulus of so many bits from 3 up, any exponent of `e` bits."""
    run, machine = Run(), machine_of(program, build)
    machine.facts.moduli = ("n",)
    stated = lengths.stated or min(lengths.n + 30, build.max_bits)
    modulus = Given("n", stated, (1 << lengths.n - 1) + 1, (1 << lengths.n) - 1, True)
    packet: Packet = [Command.LOAD_KEY, stated, lengths.e, modulus, up_to("x", lengths.e)]
    (machine,) = machine.paths(packet)
    require(machine.sent == loaded_answer(Command.LOAD_KEY), f"answer {machine.sent}")

    def right(path: Symbolic) -> None:
        (value,) = results(path, Command.EXPONENTIATE, stated)
        is_residue(path.facts, value, "n")
        is_power(path.facts, value, Sum.symbol("c"), Sum.symbol("x"), "n")

    paths = machine.paths([Command.EXPONENTIATE, stated, up_to("c", stated)])
    each_path(paths, Command.EXPONENTIATE, {"c": "n"}, right)
    run.add(machine)
    return run


def prove_pair(program: Program, build: Build, lengths: Lengths) -> Run:
    """`load pair`: moduli of n and p bits, both stated alike; exponents of `e` bits.

    They are stated as the longer one, or still longer.
    """
    run, machine = Run(), machine_of(program, build)
    machine.facts.moduli = ("m0", "m1")
    stated = lengths.stated or max(lengths.n, lengths.p)
    moduli = [
        Given(f"m{i}", stated, (1 << bits - 1) + 1, (1 << bits) - 1, True)
        for i, bits in enumerate((lengths.n, lengths.p))
    ]
    exponents = [up_to(f"x{i}", lengths.e) for i in range(2)]
    (machine,) = machine.paths([Command.LOAD_PAIR, stated, lengths.e, *moduli, *exponents])
    require(machine.sent == loaded_answer(Command.LOAD_PAIR), f"answer {machine.sent}")

    def right(path: Symbolic) -> None:
        for i, value in enumerate(results(path, Command.EXPONENTIATE, stated, 2)):
            is_residue(path.facts, value, f"m{i}")
            is_power(path.facts, value, Sum.symbol(f"c{i}"), Sum.symbol(f"x{i}"), f"m{i}")

    bases = [up_to(f"c{i}", stated) for i in range(2)]
    paths = machine.paths([header(Command.EXPONENTIATE, 1), stated, *bases])
    each_path(paths, Command.EXPONENTIATE, {"c0": "m0", "c1": "m1"}, right)
    run.add(machine)
    return run


def prove_self_test(program: Program, build: Build, lengths: Lengths) -> Run:
    """It has no input: its run on integers is its proof."""
    run = Run()
    machine = Machine(program, build.elements, lambda bits: 0, build.digit_bits, build.max_bits)

    def look(instruction: Instruction) -> None:
        run.steps += 1
        if run.steps > _MOST_STEPS:
            raise ProofError("the self-test does not end")
        run.covered.add(machine._at)

    machine.trace = look
    try:
        answer = machine.exchange([Command.SELF_TEST])
    except AssertionError as error:
        raise ProofError(f"self-test: {error}") from error
    require(answer == [Command.SELF_TEST], f"the self-test answers {answer}")
    return run
