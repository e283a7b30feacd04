"""Random requests in a row to an engine, judged by Python's arithmetic and by docs/contracts.md.

A second judge of changed programs, beside the proofs: those begin each time with a new engine of
one slot, and treat numbers as symbols. The program runs on integers; a test sends the same to RTL.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from random import Random

from totient.check.packets import (
    header,
    load_pair_request,
    load_rsa_key_request,
    number_words,
    operation_request,
    parse_numbers,
)
from totient.check.rsa_keys import SHAPES, draw_primes
from totient.common.contract import Command, ErrorCode, Response
from totient.device import RsaKey, key_of_primes
from totient.engine.assembler import Program
from totient.engine.machine import Machine
from totient.prove.operations import Build

SLOTS = 2
BUILDS = (Build(8, 18, 1024), Build(1, 17, 1024), Build(31, 18, 1024), Build(62, 18, 2048))
REQUESTS = 40
_MOST_STEPS = 20_000

Words = list[int]
Exchange = Callable[[Sequence[int]], Words]
"""Sends a packet and returns the answer."""

Key = tuple[str, list[int], list[int]]
"""A kind, its moduli, and their exponents; of an RSA key e and d."""


class Wrong(AssertionError):  # noqa: N818
    """An answer that is not the expected one."""


@cache
def _pool(seed: int) -> tuple[tuple[RsaKey, int], ...]:
    """RSA keys with their private exponents."""
    draw = Random(seed)
    found = []
    for bits, exponent in ((512, 65537), (513, 3), (640, 17), (700, 65537)):
        # Primes of equal lengths have an even number of bits.
        shape = draw.choice(SHAPES[:2] if bits % 2 else SHAPES)
        p, q = draw_primes(bits, shape, exponent, draw)
        found.append(key_of_primes(p, q, exponent))
    return tuple(found)


class Session:
    """Requests to an engine with `SLOTS` slots and no key, and what they should give."""

    def __init__(self, exchange: Exchange, build: Build, seed: int) -> None:
        self.draw = Random(f"{build} {seed}")
        self.exchange = exchange
        self.most = build.max_bits
        self.keys: dict[int, Key] = {}
        self.seed = seed

    def run(self) -> None:
        """All requests; an answer that is not the expected one raises `Wrong`."""
        for _ in range(REQUESTS):
            self.draw.choice(self._rounds())()

    def _rounds(self) -> list[Callable[[], None]]:
        often = [self._load_rsa, self._load_plain, self._load_pair] + [self._operate] * 5
        return [*often, self._wrong_load, self._wrong_operation, self._wrong_packet, self._other]

    def ask(self, packet: Words, error: ErrorCode = ErrorCode.OK, words: int = 0) -> Words:
        """Send a packet; the words of the answer behind its header."""
        try:
            answer = self.exchange(packet)
        except (AssertionError, LookupError, ValueError) as fault:
            raise Wrong(f"{packet[:2]}: {fault!r}") from fault
        wanted = packet[0] & 255 | Response.ERROR.put(error) | Response.WORDS.put(words)
        if not answer or answer[0] != wanted or len(answer) != 1 + words:
            raise Wrong(f"{packet[:2]} is answered {answer[:1]}, not {wanted}")
        return answer[1:]

    def _load(self, packet: Words, slot: int, key: Key, error: ErrorCode = ErrorCode.OK) -> None:
        self.keys.pop(slot, None)
        self.ask(packet, error, 0 if error else 2)
        if not error:
            self.keys[slot] = key

    def _load_rsa(self) -> None:
        key, d = self.draw.choice(_pool(self.seed % 4))
        slot, kind = self.draw.randrange(SLOTS), self.draw.choice(("primes", "primes", "d", "e"))
        if kind == "d":
            key = RsaKey(key.modulus, key.exponent, private_exponent=d)
        elif kind == "e":
            key = RsaKey(key.modulus, key.exponent)
        self._load(load_rsa_key_request(key, slot), slot, (kind, [key.modulus], [key.exponent, d]))

    def _plain(self, n: int, bits: int, e: int, e_bits: int, slot: int) -> Words:
        first = header(Command.LOAD_KEY, 0, slot)
        return [first, bits, e_bits, *number_words(n, bits), *number_words(e, e_bits)]

    def _odd(self, bits: int) -> int:
        return self.draw.getrandbits(bits) | 1 | 1 << bits - 1

    def _load_plain(self) -> None:
        slot, bits = self.draw.randrange(SLOTS), self.draw.choice((2, 17, 64, 200, 333))
        e_bits = self.draw.choice((1, 5, 36, 64))
        n, e = self._odd(bits), self.draw.getrandbits(e_bits)
        self._load(self._plain(n, bits, e, e_bits, slot), slot, ("plain", [n], [e]))

    def _load_pair(self) -> None:
        slot, bits = self.draw.randrange(SLOTS), self.draw.choice((20, 100, 256))
        moduli = [self._odd(bits), self._odd(self.draw.choice((bits, 9)))]
        exponents = [self.draw.getrandbits(36) for _ in moduli]
        packet = load_pair_request(moduli, exponents, 36, slot)
        self._load(packet, slot, ("pair", moduli, exponents))

    def _wrong_load(self) -> None:
        """Keys that are refused, and leave the slot empty."""
        slot, n, e = self.draw.randrange(SLOTS), self._odd(100), self.draw.getrandbits(36)
        rsa, _ = self.draw.choice(_pool(self.seed % 4))
        parts = rsa.primes
        assert parts is not None
        length, even, small = ErrorCode.LENGTH, ErrorCode.MODULUS_EVEN, ErrorCode.MODULUS_SMALL
        wrong = [
            (self._plain(n ^ 1, 100, e, 36, slot), even),
            (self._plain(1, 1, e, 36, slot), small),
            (self._plain(n | 1 << 100, 100, e, 36, slot), length),
            (self._plain(n, 100, e | 1 << 36, 36, slot), length),
            (self._plain(n, 100, 0, 0, slot), ErrorCode.EXPONENT_EMPTY),
            (load_pair_request([n ^ 1, n], [e, e], 36, slot), even),
            (load_pair_request([n, n ^ 1], [e, e], 36, slot), even),
            (load_pair_request([n, 1], [e, e], 36, slot), small),
            (load_rsa_key_request(replace(rsa, exponent=1), slot), ErrorCode.PUBLIC_EXPONENT),
            (load_rsa_key_request(replace(rsa, exponent=4), slot), ErrorCode.PUBLIC_EXPONENT),
            (load_rsa_key_request(replace(rsa, modulus=rsa.modulus ^ 1), slot), even),
        ]
        for p, q in ((parts.p ^ 1, parts.q), (parts.p, parts.q ^ 1), (parts.p, parts.p)):
            if p.bit_length() + q.bit_length() == rsa.bits:
                changed = replace(rsa, primes=replace(parts, p=p, q=q))
                wrong.append((load_rsa_key_request(changed, slot), ErrorCode.PRIME))
        if rsa.bits % 32:
            longer = replace(rsa, modulus=rsa.modulus | 1 << rsa.bits)
            packet = load_rsa_key_request(longer, slot)
            packet[1] -= 1
            wrong.append((packet, length))
        packet, error = self.draw.choice(wrong)
        self._load(packet, slot, ("", [], []), error)

    def _operate(self) -> None:
        if not self.keys:
            return
        draw = self.draw
        slot = draw.choice(sorted(self.keys))
        kind, moduli, exponents = self.keys[slot]
        longest = max(n.bit_length() for n in moduli)
        bases = [draw.choice((0, 1, n - 1, draw.randrange(n), draw.randrange(n))) for n in moduli]
        if kind in ("plain", "pair"):
            command, option = Command.EXPONENTIATE, int(kind == "pair")
            bits = draw.choice((longest, max(1, *(each.bit_length() for each in bases))))
            used = exponents
        else:
            private = kind != "e" and draw.random() < 0.7
            command = Command.PRIVATE if private else Command.PUBLIC
            option = draw.randrange(4 if kind == "primes" else 2) if private else 0
            bits = draw.choice(
                (longest, longest, longest + 30, self.most, bases[0].bit_length() or 1)
            )
            used = exponents[1:] if private else exponents[:1]
        count = -(-longest // 32) * len(moduli)
        packet = operation_request(command, bases, bits, slot, option)
        words = self.ask(packet, words=count + 2)[2:]
        wanted = [pow(*each) for each in zip(bases, used, moduli, strict=True)]
        found = parse_numbers(words, len(moduli))
        if found != wanted:
            raise Wrong(f"{command.name} gives {found}, not {wanted}")

    def _wrong_operation(self) -> None:
        """Bases that are refused, keys of another kind, and slots without a key."""
        slot = self.draw.randrange(SLOTS)
        kind, moduli, _ = self.keys.get(slot, ("", [9], []))
        n = max(moduli)
        bits = n.bit_length()
        over = self.draw.choice((n, (1 << bits) - 1)) if n + 1 < 1 << bits else n
        not_below, no_key = ErrorCode.BASE_NOT_BELOW, ErrorCode.NO_KEY
        plain = kind == "plain"
        power = operation_request(Command.EXPONENTIATE, [over], bits, slot)
        public = operation_request(Command.PUBLIC, [over], bits, slot)
        private = operation_request(Command.PRIVATE, [over], bits, slot)
        wrong = [(power, not_below if plain else no_key)]
        rsa = kind in ("primes", "d", "e")
        wrong.append((public, not_below if rsa else no_key))
        wrong.append((private, not_below if kind in ("primes", "d") else no_key))
        if kind == "pair":
            at = self.draw.randrange(2)
            bases = [0, 0]
            bases[at] = moduli[at]
            first = operation_request(Command.EXPONENTIATE, bases, bits, slot, option=1)
            wrong.append((first, not_below))
        packet, error = self.draw.choice(wrong)
        self.ask(packet, error)

    def _wrong_packet(self) -> None:
        slot = self.draw.randrange(SLOTS)
        wrong = [
            ([0], ErrorCode.COMMAND),
            ([11], ErrorCode.COMMAND),
            ([header(Command.INFO, 0), 0], ErrorCode.PACKET_LONG),
            ([header(Command.PUBLIC, 0, SLOTS), 8, 1], ErrorCode.COMMAND),
            ([header(Command.PRIVATE, 4, slot), 8, 1], ErrorCode.COMMAND),
            ([header(Command.PUBLIC, 0, slot)], ErrorCode.PACKET_SHORT),
            ([header(Command.PUBLIC, 0, slot), 33, 1], ErrorCode.PACKET_SHORT),
            ([header(Command.PUBLIC, 0, slot), 8, 1, 1], ErrorCode.PACKET_LONG),
            ([header(Command.PUBLIC, 0, slot), 8, 256], ErrorCode.LENGTH),
            ([header(Command.PUBLIC, 0, slot), self.most + 1, 0], ErrorCode.LENGTH),
        ]
        self.ask(*self.draw.choice(wrong))

    def _other(self) -> None:
        command = self.draw.choice((Command.INFO, Command.SELF_TEST, Command.CLEAR))
        slot = self.draw.randrange(SLOTS) if command == Command.SELF_TEST else 0
        if command == Command.SELF_TEST:
            self.keys.pop(slot, None)
        elif command == Command.CLEAR:
            self.keys.clear()
        self.ask([header(command, 0, slot)], words=9 if command == Command.INFO else 0)


def wrong_answer(program: Program, seeds: int = 6) -> str:
    """The first wrong answer of so many sessions with each build; empty if there is none."""
    for seed in range(seeds):
        for build in BUILDS:
            sizes = (build.digit_bits, build.max_bits, SLOTS)
            engine = Machine(program, build.elements, Random(seed).getrandbits, *sizes)
            engine.most_steps = _MOST_STEPS
            try:
                Session(engine.exchange, build, seed).run()
            except Wrong as error:
                return str(error)
    return ""
