"""After a clear nothing of a key is left: behind no face, in no register and no memory.

Each history of requests is played with several secrets whose public lengths are the same. After the
clear every bit of the simulated core has to be the same for all of them, and so has every answer to
what is asked then, with its time: so nothing depends on a secret. Beside that, no word of a secret
and of what is computed from it is found, wherever in a register or across words of a memory.

Left out is rsa_fixed_axis (row E2): its key is part of the hardware, and it knows no clear. The
engine's clear is in `test_engine_wipe.py`.
"""

import itertools
import random
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from Crypto.Util.number import getPrime

from tests.defects import Change
from tests.faces import (
    CLEARING,
    CONTROL,
    EVENTS,
    RESPONSE,
    STATUS,
    WAYS,
    RegistersWay,
    Way,
    Words,
)
from totient.catalog import (
    Configuration,
    Face,
    IpConfiguration,
    Register,
    Top,
    select,
    select_ip,
)
from totient.check.packets import (
    exponentiate_request,
    load_key_request,
    number_words,
    parse_number,
)
from totient.device.register_map import RegisterMap
from totient.golden.exponentiation import montgomery_constants
from totient.golden.montgomery import MontgomeryMultiplier
from totient.golden.montgomery_radix2 import montgomery_product
from totient.sim import Model, build_model

SECRETS = 5  # a bit that depends on them is the same in all by a chance of 1 in 16, each time
SETTLED = 3000  # clock cycles in which any wipe has ended
MADE = 8000  # in which a key of primes is made, or a message raised
RAISED = 20_000  # in which messages are raised to a short exponent, and the results are sent
DESIGNS = {
    "repeated": select("repeated", width=80),
    "binary": select("binary", width=80),
    "montgomery": select("montgomery", width=80),
    "digit_serial": select("digit_serial", width=200, links=2),
    "digit_serial-lanes": select("digit_serial", width=80, digit_bits=4, slots=2, lanes=2),
}

# Both cores are there with the other face, and both faces with other cores.
SLOW = (("digit_serial", Face.SERIAL), ("digit_serial-lanes", Face.REGISTERS))


def words_of(*numbers: int) -> set[int]:
    """32-bit words of numbers; those that are small, and so may be there by chance, left out."""
    words = {
        number >> 32 * place & 0xFFFF_FFFF
        for number in numbers
        for place in range(-(-number.bit_length() // 32))
    }
    return {word for word in words if word.bit_length() > 24}


# Remaining state ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Left:
    """State after a clear.

    Attributes:
        said: what the core said in public until then.
        state: its registers and memories.
        answers: to everything that was asked then.
    """

    said: Sequence[Any]
    state: str
    answers: Sequence[Any]


def signals(state: str) -> dict[str, str]:
    """Bits by the signal's name; words of a memory are joined, the last one in front."""
    names: dict[str, list[str]] = defaultdict(list)
    scopes: list[str] = []
    head, values = state.split("$enddefinitions $end\n")
    for line in head.splitlines():
        match line.split():
            case ["$scope", _, name, _]:
                scopes.append(name)
            case ["$upscope", _]:
                scopes.pop()
            case ["$var", _, _, code, name, *_]:
                names[code].append(".".join((*scopes, name)))
    bits: dict[str, str] = {}
    for found in re.finditer(r"^(?:b([01]+) |([01]))(\S+)$", values, re.MULTILINE):
        for name in names[found[3]]:
            bits[name] = found[1] or found[2]
    joined: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for name, value in bits.items():
        element = re.fullmatch(r"(.+)\[(\d+)\]", name)
        joined[element[1] if element else name].append((-int(element[2]) if element else 0, value))
    return {name: "".join(value for _, value in sorted(parts)) for name, parts in joined.items()}


def holders(state: str, words: set[int]) -> dict[int, set[str]]:
    """Names of the signals in which each of the words is found, at any bit."""
    names: dict[str, set[str]] = defaultdict(set)
    for name, bits in signals(state).items():
        names[bits].add(name)
    found: dict[int, set[str]] = defaultdict(set)
    for bits, word in itertools.product(names, words):
        if f"{word:032b}" in bits:
            found[word] |= names[bits]
    return found


def differences(states: Sequence[str]) -> set[str]:
    """Names of the signals that are not the same in all states."""
    first, *others = map(signals, states)
    return {name for other in others for name in first if first[name] != other[name]}


def leaks(left: Sequence[Left], words: set[int]) -> set[str]:
    """Where something of the secrets is left."""
    first = left[0]
    assert all(other.said == first.said for other in left), "the histories are not the same"
    found = set()
    if any(other.state != first.state for other in left):
        found |= differences([other.state for other in left])
    found |= {name for names in holders(first.state, words).values() for name in names}
    if any(other.answers != first.answers for other in left):
        found.add("the answers")
    if words & set(flat(first.answers)):
        found.add("a word in the answers")
    return found


def leaks_of(
    library: Path, secrets: Sequence[Any], words: set[int], play: Callable[[Model, Any], Left]
) -> set[str]:
    """Where something of secrets is left, each of which is played on a core of its own."""
    left = []
    for secret in secrets:
        with Model(library) as model:
            model.advance(SETTLED)
            left.append(play(model, secret))
    return leaks(left, words)


def reset(model: Model) -> None:
    """The reset; wiping comes after it."""
    model.reset()
    model.advance(SETTLED)


def flat(answers: Any) -> list[int]:
    """All numbers in nested answers."""
    if isinstance(answers, int):
        return [answers]
    return [number for part in answers or () for number in flat(part)]


def check(found: dict[tuple[str, str], set[str]]) -> None:
    """Nothing may be left in any case; the names alone are shown."""
    left = [
        f"{' '.join(case)}: {', '.join(sorted(names))}" for case, names in found.items() if names
    ]
    if left:
        pytest.fail("\n".join(left), pytrace=False)


# Cores that speak packets ------------------------------------------------------------------------


@dataclass(frozen=True)
class Secret:
    """A key with messages, of lengths that all secrets have."""

    width: int
    modulus: int
    exponent: int
    bases: tuple[int, ...]

    @classmethod
    def draw(cls, design: Configuration, chance: random.Random) -> "Secret":
        """A secret for a design."""
        width = design.width
        modulus = chance.getrandbits(width) | 1 << width - 1 | 1
        bases = tuple(chance.randrange(modulus) for _ in range(design.lanes))
        exponent = chance.getrandbits(width) | 1 << width - 1
        return cls(width, modulus, exponent, bases)

    @property
    def load(self) -> Words:
        """Request to load the key."""
        return load_key_request(self.modulus, self.exponent, self.width)

    @property
    def load_short(self) -> Words:
        """The same with an exponent that any core soon comes to the end of."""
        return load_key_request(self.modulus, self.short, self.short.bit_length())

    @property
    def short(self) -> int:
        """That exponent."""
        return self.exponent & 15 | 48

    @property
    def raise_(self) -> Words:
        """Request to raise the messages."""
        return exponentiate_request(self.bases, self.width)

    @property
    def words(self) -> set[int]:
        """Values that must not be found: words of the key, the messages, results and constants."""
        numbers = [self.modulus, self.exponent, *self.bases]
        numbers += [pow(base, self.short, self.modulus) for base in self.bases]
        for word_bits in (8, 16, 32):
            multiplier = MontgomeryMultiplier.for_width(self.width, word_bits)
            constants = montgomery_constants(self.modulus, multiplier)
            numbers += vars(constants).values()
            for base in self.bases:
                numbers.append((base << multiplier.radix_bits) % self.modulus)
        return words_of(*numbers)


History = Callable[[Way, Secret], Words]
Clear = Callable[[Way], Words]


def held(way: Way, secret: Secret) -> Words:
    """A key is held."""
    return way.ask(secret.load)


def unread(way: Way, secret: Secret) -> Words:
    """Messages have been raised, their results wait to be read."""
    loaded = way.ask(secret.load_short)
    way.send(secret.raise_)
    way.model.advance(RAISED)
    return loaded


def raised(way: Way, secret: Secret) -> Words:
    """Results have been read. The number of polls of a register for them reveals no secret."""
    return unread(way, secret) + way.receive()[:1]


def loading(cycles: int) -> History:
    """A key is being loaded, while another one is held, since so many cycles."""

    def history(way: Way, secret: Secret) -> Words:
        loaded = way.ask(load_key_request(3859, 17, 5))
        way.send(secret.load)
        way.model.advance(cycles)
        return loaded

    return history


def raising(cycles: int) -> History:
    """Messages are being raised since so many cycles."""

    def history(way: Way, secret: Secret) -> Words:
        loaded = way.ask(secret.load)
        way.send(secret.raise_)
        way.model.advance(cycles)
        return loaded

    return history


def half(request: str) -> History:
    """After a message has been raised, half of a request has come."""

    def history(way: Way, secret: Secret) -> Words:
        said = raised(way, secret)
        packet = getattr(secret, request)
        way.send(packet[: len(packet) - 2], whole=False)
        way.model.advance(100)
        return said

    return history


def refused(way: Way, secret: Secret) -> Words:
    """A key has been refused, which lacked its last word; one before it was too long by one."""
    said = raised(way, secret)
    for packet in ([*secret.load, 1], secret.load[:-1]):
        said += way.ask(packet)
    return said


def by_packet(way: Way) -> Words:
    """A clear request; what was under way is answered before it."""
    way.send([4])
    said = way.receive()[:1]
    while said[-1] != 4:
        said += way.receive()[:1]
    return said


def by_register(way: Way) -> Words:
    """The register, and no access after it."""
    way.model.write(CONTROL, 1)
    way.model.advance(SETTLED)
    return []


def by_libtotient(way: Way) -> Words:
    """The register, and a request that is answered when the core has ended."""
    way.model.write(CONTROL, 1)
    while (way.model.read(STATUS) or 0) & CLEARING:
        pass
    return way.ask([4])


def by_reset(way: Way) -> Words:
    """The reset."""
    reset(way.model)
    return []


HISTORIES: dict[str, History] = {
    "held": held,
    "raised": raised,
    "unread": unread,
    "refused": refused,
    **{f"loading-{cycles}": loading(cycles) for cycles in (4, 30, 150, 400)},
    **{f"raising-{cycles}": raising(cycles) for cycles in (4, 40, 170, 600, 3000)},
    "half of a key": half("load"),
    "half of a message": half("raise_"),
}
CLEARS: dict[Face, tuple[Clear, ...]] = {
    Face.STREAM: (by_packet, by_reset),
    Face.REGISTERS: (by_packet, by_register, by_libtotient, by_reset),
    Face.SERIAL: (by_packet, by_reset),
}


def possible(face: Face, name: str, clear: Clear) -> bool:
    """Only a frame can be ended by another one: a packet's half makes a clear request its rest."""
    return face == Face.SERIAL or clear != by_packet or not name.startswith("half")


def asked(way: Way) -> list[Any]:
    """A core's answers to any request afterwards; the last answer is right."""
    before = way.model.cycles
    answers: list[Any] = []
    if isinstance(way, RegistersWay):
        answers += [way.model.read(offset) for offset in (*range(0, 64, 4), RESPONSE, RESPONSE)]
        way.model.write(EVENTS, 0xFFFF_FFFF)
    for packet in (
        [1],
        [3, 0],
        [3, 8, 1],
        [3, 64, 1],
        [2],
        [2, 64],
        [2, 64, 64, 9],
        [5],
        [3, 8, 1],
    ):
        answers.append(way.ask(packet))
    answers.append(way.ask(load_key_request(3859, 17, 8)))
    answers.append(way.ask(exponentiate_request([1141])))
    assert parse_number(answers[-1][3:]) == pow(1141, 17, 3859)
    return [*answers, way.model.cycles - before]


@dataclass(frozen=True)
class CoreCase:
    """A core behind a face."""

    design: Configuration
    face: Face

    @property
    def top(self) -> Top:
        """What is built."""
        return self.design.top(self.face)

    def leaks(self, library: Path, name: str, clear: Clear) -> set[str]:
        """Where something is left of a history."""
        chance = random.Random(f"{self.design.label} {self.face} {name}")
        secrets = [Secret.draw(self.design, chance) for _ in range(SECRETS)]

        def play(model: Model, secret: Secret) -> Left:
            way = WAYS[self.face](model)
            said = HISTORIES[name](way, secret)
            said += clear(way)
            return Left(said, model.state(), asked(way))

        return leaks_of(library, secrets, set().union(*(each.words for each in secrets)), play)


@pytest.mark.parametrize(
    ("design", "face"),
    [
        pytest.param(design, face, marks=[pytest.mark.slow] if (design, face) in SLOW else [])
        for design, face in itertools.product(DESIGNS, Face)
    ],
)
def test_a_core_behind_a_face(design: str, face: Face) -> None:
    case = CoreCase(DESIGNS[design], face)
    library = build_model(case.top, checked=True, visible=True)
    found = {}
    for name, clear in itertools.product(HISTORIES, CLEARS[face]):
        if possible(face, name, clear):
            found[name, clear.__name__] = case.leaks(library, name, clear)
    assert len(found) >= 20
    check(found)


def test_a_held_key_is_seen() -> None:
    """Before a clear all words of the key are found where they lie: the search sees them."""
    design = DESIGNS["montgomery"]
    chance = random.Random(1)
    library = build_model(design.top(), checked=True, visible=True)
    states = []
    for _ in range(SECRETS):
        secret = Secret.draw(design, chance)
        with Model(library) as model:
            held(WAYS[Face.STREAM](model), secret)
            states.append(model.state())
        found = holders(states[-1], secret.words)
        for name, number in (("u_modulus", secret.modulus), ("u_exponent", secret.exponent)):
            for word in words_of(number):
                assert any(f"{name}.memory" in holder for holder in found[word]), name
        constant = montgomery_constants(
            secret.modulus, MontgomeryMultiplier.for_width(design.width, 16)
        ).one
        assert words_of(constant) <= found.keys()
    assert len(differences(states)) > 50


# IPs with key generation -------------------------------------------------------------------------


@dataclass(frozen=True)
class Primes:
    """A secret of the IPs that make keys: primes, messages, and what the keys are then."""

    p: int
    q: int
    message: int
    e: int

    @classmethod
    def draw(cls, bits: int, chance: random.Random) -> "Primes":
        """Primes of a length such that 3 is coprime to their totient, and e so the same."""
        primes: set[int] = set()
        while len(primes) < 2:
            prime = getPrime(bits, chance.randbytes)
            if prime % 3 == 2:
                primes.add(prime)
        p, q = primes
        return cls(p, q, chance.randrange(p * q), 3)

    @property
    def n(self) -> int:
        """The modulus."""
        return self.p * self.q

    @property
    def d(self) -> int:
        """The private exponent."""
        return pow(self.e, -1, (self.p - 1) * (self.q - 1))

    def words(self, word_bits: int) -> set[int]:
        """Values that must not be found."""
        numbers = [self.p, self.q, self.n, self.d, self.message, (self.p - 1) * (self.q - 1)]
        numbers += [pow(self.message, exponent, self.n) for exponent in (self.e, self.d)]
        multiplier = MontgomeryMultiplier.for_width(self.n.bit_length(), word_bits)
        return words_of(*numbers, *vars(montgomery_constants(self.n, multiplier)).values())


IpHistory = Callable[[Model, Primes], None]
IpClear = Callable[[Model], None]


def writes(model: Model, registers: dict[str, Register], **values: int) -> None:
    """Write registers by name; a value's words one after another."""
    named = RegisterMap(model, registers)
    for name, value in values.items():
        setattr(named, name, value)


@dataclass(frozen=True)
class IpCase:
    """An IP with its histories.

    Attributes:
        top: the IP.
        registers: its registers.
        bits: of the primes.
        histories, clears: by name.
        works: whether it makes a right key and result; leaves it at work no longer.
    """

    top: Top
    registers: dict[str, Register]
    bits: int
    histories: dict[str, IpHistory]
    clears: dict[str, IpClear]
    works: Callable[[Model], bool]

    def asked(self, model: Model) -> list[Any]:
        """All registers, readable or not; the next operation is right."""
        before = model.cycles
        end = max(4 * place.words + place.offset for place in self.registers.values())
        answers: list[Any] = [model.read(offset) for _ in range(2) for offset in range(0, end, 4)]
        assert self.works(model)
        return [
            answer if answer is not None else -1 for answer in [*answers, model.cycles - before]
        ]

    def leaks(self, library: Path, name: str, clear: str) -> set[str]:
        """Where something is left of a history."""
        chance = random.Random(f"{self.top.label} {name}")
        secrets = [Primes.draw(self.bits, chance) for _ in range(SECRETS)]

        def play(model: Model, secret: Primes) -> Left:
            self.histories[name](model, secret)
            self.clears[clear](model)
            return Left((), model.state(), self.asked(model))

        return leaks_of(library, secrets, set().union(*(each.words(16) for each in secrets)), play)


def keygen_axil(chosen: IpConfiguration | None = None, made: int = MADE) -> IpCase:
    """Rows B1 and B2; `made`: cycles in which any operation has ended."""
    chosen = chosen or select_ip("rsa_keygen")
    registers = dict(chosen.ip.registers)
    encrypt, given, decrypt = 0, 1, 2

    def run(mode: int, cycles: int, *, read: bool = False) -> IpHistory:
        def history(model: Model, secret: Primes) -> None:
            writes(model, registers, p=secret.p, q=secret.q, i_msg=secret.message)
            writes(model, registers, i_key=secret.d, i_n=secret.n, mode=mode, control=4)
            model.advance(cycles)
            if read:
                named = RegisterMap(model, registers)
                ended = {"mod_exp_finish": 1, "error": 0, "busy": 0}
                assert named.parts("mod_exp_finish") == ended
                expected = pow(secret.message, secret.e if mode == encrypt else secret.d, secret.n)
                assert named.data_msg == expected
                assert named.data_decrypt == (0 if mode == given else secret.d)

        return history

    def held(value: int) -> IpClear:
        def clear(model: Model) -> None:
            writes(model, registers, control=value)
            model.advance(SETTLED)

        return clear

    def pulsed(model: Model) -> None:
        writes(model, registers, control=2)
        writes(model, registers, control=0)

    def works(model: Model) -> bool:
        writes(model, registers, control=0)
        writes(model, registers, p=9973, q=80231, i_msg=9, mode=encrypt, control=4)
        model.advance(SETTLED)
        return RegisterMap(model, registers).data_msg == 4782969

    moments = (1, 3, 20, 60, 130, 200, 300, 420, 600, 1500)
    return IpCase(
        chosen.top(),
        registers,
        32,
        {
            **{f"encrypting-{moment}": run(encrypt, moment) for moment in moments},
            **{f"decrypting-{moment}": run(decrypt, moment) for moment in moments},
            **{f"given-{moment}": run(given, moment) for moment in moments},
            "encrypted": run(encrypt, made, read=True),
            "decrypted": run(decrypt, made, read=True),
            "given": run(given, made, read=True),
        },
        {
            "in reset": held(2),
            "in inverted reset": held(1),
            "reset at once": pulsed,
            "reset": reset,
        },
        works,
    )


def restoring_axil() -> IpCase:
    """Row B1 by the document's own algorithm, whose time depends on secrets."""
    return keygen_axil(select_ip("rsa_restoring", width=64), RAISED)


def keygen_axis() -> IpCase:
    """Row E3."""
    bits = 48
    chosen = select_ip("rsa_stream", prime_bits=bits)
    registers = dict(chosen.ip.registers)

    def message(number: int) -> Words:
        return number_words(number, 2 * bits)

    def primes(model: Model, secret: Primes, count: int = 4) -> None:
        for place, prime in enumerate((secret.p, secret.q)):
            for word in range(2):
                if 2 * place + word < count:
                    first = registers[f"PRIME{place + 1}"].offset
                    model.write(first + 4 * word, prime >> 32 * word & 0xFFFF_FFFF)

    def written(count: int) -> IpHistory:
        return lambda model, secret: primes(model, secret, count)

    # A message of zeros waits for what is under way: the clear does not take words from the host.
    def making(cycles: int) -> IpHistory:
        """A key is being made."""

        def history(model: Model, secret: Primes) -> None:
            writes(model, registers, exponent=0)
            primes(model, secret)
            model.send(message(0))
            model.advance(cycles)

        return history

    def loading(decrypt: int, cycles: int) -> IpHistory:
        """An exponent of the key is being loaded."""

        def history(model: Model, secret: Primes) -> None:
            making(MADE)(model, secret)
            writes(model, registers, direction=decrypt)
            model.send(message(0))
            model.advance(cycles)

        return history

    def raising(decrypt: int, cycles: int, *, read: bool = False) -> IpHistory:
        """A message is being raised, or has been."""

        def history(model: Model, secret: Primes) -> None:
            loading(decrypt, MADE)(model, secret)
            model.send(message(secret.message))
            model.advance(cycles)
            if read:
                expected = pow(secret.message, secret.d if decrypt else secret.e, secret.n)
                for number in (0, 0, expected):
                    assert model.receive(limit=1) == message(number)
                named = RegisterMap(model, registers)
                assert named.modulus == secret.n
                assert named.private == secret.d

        return history

    def partly(model: Model, secret: Primes) -> None:
        raising(1, MADE, read=True)(model, secret)
        model.send(message(secret.message)[:2], whole=False)
        model.advance(50)

    def cleared(model: Model) -> None:
        writes(model, registers, control=1)
        model.advance(SETTLED)

    def polled(model: Model) -> None:
        writes(model, registers, control=1)
        while RegisterMap(model, registers).parts("status")["busy"]:
            pass

    def works(model: Model) -> bool:
        writes(model, registers, direction=0, exponent=3)
        writes(model, registers, prime1=17, prime2=227)
        model.send([1141])
        model.advance(MADE)
        # Before it comes what left before the clear, and zeros for words that were waiting.
        while model.receive(limit=1)[-1] != pow(1141, 3, 3859):
            pass
        return True

    moments = (1, 10, 40, 100, 200, 300, 400, 600, 1000, 1500)
    return IpCase(
        chosen.top(),
        registers,
        bits,
        {
            **{f"{count} words of the primes": written(count) for count in (1, 2, 3, 4)},
            **{f"making-{moment}": making(moment) for moment in moments},
            **{f"loading-{moment}": loading(1, moment) for moment in moments},
            # From the third on the message is in.
            **{f"encrypting-{moment}": raising(0, moment) for moment in moments[2:]},
            **{f"decrypting-{moment}": raising(1, moment) for moment in moments[2:]},
            "encrypted": raising(0, MADE, read=True),
            "decrypted": raising(1, MADE, read=True),
            "half of a message": partly,
        },
        {"cleared": cleared, "polled": polled, "reset": reset},
        works,
    )


def multiplier() -> IpCase:
    """Row D6; of a key it has the modulus, of messages what is multiplied."""
    chosen = select_ip("modmul_montgomery")
    registers = dict(chosen.ip.registers)

    def written(**control: int) -> IpHistory:
        def history(model: Model, secret: Primes) -> None:
            operands = {"a": secret.message, "b": secret.d % secret.n, "modulus": secret.n}
            writes(model, registers, **operands, **control)

        return history

    def formed(cycles: int, *, read: bool = False) -> IpHistory:
        def history(model: Model, secret: Primes) -> None:
            written(control=1)(model, secret)
            model.advance(cycles)
            if read:
                expected = montgomery_product(secret.message, secret.d % secret.n, secret.n)
                assert RegisterMap(model, registers).product == expected

        return history

    def cleared(model: Model) -> None:
        writes(model, registers, control=2)
        model.advance(SETTLED)

    def works(model: Model) -> bool:
        writes(model, registers, a=9, b=142, modulus=143, control=1)
        model.advance(SETTLED)
        return RegisterMap(model, registers).product == montgomery_product(9, 142, 143)

    moments = (1, 3, 10, 30, 60)
    return IpCase(
        chosen.top(),
        registers,
        32,
        {
            "written": written(),
            **{f"forming-{moment}": formed(moment) for moment in moments},
            "formed": formed(MADE, read=True),
        },
        {"cleared": cleared, "reset": reset},
        works,
    )


@pytest.mark.parametrize("case", [keygen_axil, restoring_axil, keygen_axis, multiplier])
def test_an_ip(case: Callable[[], IpCase]) -> None:
    made = case()
    library = build_model(made.top, checked=True, visible=True)
    check(
        {
            (name, clear): made.leaks(library, name, clear)
            for name, clear in itertools.product(made.histories, made.clears)
        }
    )


# The test sees what it should --------------------------------------------------------------------


# A case, a history and a clear that show a defect, and what then keeps something.
DEFECTS: tuple[tuple[Any, str, Any, Change, str], ...] = (
    (
        CoreCase(DESIGNS["binary"], Face.STREAM),
        "raised",
        by_packet,
        Change("modexp_frontend", "write_base_q     <= wiping_o || (", "write_base_q     <= ("),
        "u_base.memory",
    ),
    (
        CoreCase(DESIGNS["montgomery"], Face.STREAM),
        "held",
        by_reset,
        Change("modexp_montgomery", ".write_i(wiping || half_valid)", ".write_i(half_valid)"),
        "u_one.memory",
    ),
    (
        CoreCase(DESIGNS["montgomery"], Face.STREAM),
        "raising-600",
        by_packet,
        Change("montgomery_element", "      b_q             <= '0;\n", ""),
        "b_q",
    ),
    (
        CoreCase(DESIGNS["digit_serial"], Face.STREAM),
        "raising-3000",
        by_packet,
        Change("modexp_digit_serial", "flush_q    <= 2'd2;", "flush_q    <= 2'd0;"),
        "u_modexp",
    ),
    (
        CoreCase(DESIGNS["binary"], Face.REGISTERS),
        "held",
        by_packet,
        Change("packet_fifo", ".write_i(take || stale)", ".write_i(take || wiping_q)"),
        "u_request.u_words.memory",
    ),
    (
        CoreCase(DESIGNS["binary"], Face.REGISTERS),
        "raised",
        by_register,
        Change("stream_registers", "axil_resp_buffer_rdata[axil_resp_rptr[0:0]] <= '0;", ""),
        "axil_resp_buffer_rdata",
    ),
    (
        CoreCase(DESIGNS["binary"], Face.SERIAL),
        "held",
        by_packet,
        Change("frame_decoder", "|| (state_q == StGive && m_axis_tready) ||", "||"),
        "u_decoder.u_words.memory",
    ),
    (
        keygen_axil(),
        "encrypted",
        "reset at once",
        Change(
            "rsa_keygen_axil",
            "status.Q.prime.hwclr                      = wipe;",
            "status.Q.prime.hwclr                      = 1'b0;",
        ),
        "field_storage.Q.prime.value",
    ),
    (
        keygen_axil(),
        "decrypted",
        "in reset",
        Change(
            "rsa_keygen_axil",
            ".clear_i(wipe),\n    .write_i(write)",
            ".clear_i(clear),\n    .write_i(write)",
        ),
        "u_generator.u_d.memory",
    ),
    (
        restoring_axil(),
        "decrypting-1500",
        "reset at once",
        Change(
            "rsa_restoring",
            "public_q, private_q, exponent_q} <= '0;\n      {power_q",
            "public_q, exponent_q} <= '0;\n      {power_q",
        ),
        "u_core.private_q",
    ),
    (
        keygen_axis(),
        "2 words of the primes",
        "cleared",
        Change("rsa_keygen_axis", "prime_take || (wiping_q && !written_q[copy_q])", "prime_take"),
        "u_primes.memory",
    ),
)


@pytest.mark.parametrize(("case", "history", "clear", "change", "where"), DEFECTS)
def test_what_is_not_wiped_is_seen(
    case: Any, history: str, clear: Any, change: Change, where: str, tmp_path: Path
) -> None:
    library = change.build(case.top, tmp_path, visible=True)
    assert any(where in name for name in case.leaks(library, history, clear))
