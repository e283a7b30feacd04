"""Malformed packets to an engine: each is answered, and the next operation is right."""

from collections.abc import Sequence
from random import Random

from totient.catalog import Configuration
from totient.check.packets import (
    error_of,
    load_key_request,
    load_pair_request,
    load_rsa_key_request,
    operation_request,
    parse_number,
)
from totient.check.rsa_keys import SHAPES, draw_primes, public_exponents
from totient.check.run import Outcome, check_drawing, work_until
from totient.common.contract import Command, ErrorCode, PrivateOption
from totient.device import RsaKey, key_of_primes
from totient.sim import Model, build_model

BITS = 512
"""Length of the RSA keys."""

_LIMIT = 100_000_000  # clock cycles, longer than any answer takes
_KEYS_EVERY = 50  # rounds for each key
_STRANGE = (0, 1, 2, 31, 32, 33, 64, 65, 255, 256, 511, 512, 513, 0x7FFF, 0x8000, 0xFFFFFFFF)

Words = list[int]


def check_fuzz(configuration: Configuration, count: int, seed: int) -> Outcome:
    """Send an engine wrong or unusual packets, with operations between them.

    Packets are truncated, too long, random, or have flipped bits or unusual lengths. One round in
    eight is interrupted by a reset or by a clear that waits behind it. Every packet must get one
    answer of the stated length with a known error code. After each round a key is loaded, and a
    private operation must be right. Both sides of both streams pause at random in two rounds of
    three. The model includes the assertions of the RTL.

    Args:
        configuration: of the engine.
        count: minimum number of wrong packets; a round has several.
        seed: of all random draws except the random words.

    Raises:
        InputError: count or seed out of range.
        ToolError: the model cannot be built, an assertion of the RTL failed, or the engine hangs.
    """
    check_drawing(count, seed)
    with Model(build_model(configuration.top(), checked=True)) as model:
        run = _Run(configuration, model, seed)
        work_until(f"fuzz of {configuration.label}", count, run.round)
        run.outcome.cycles = model.cycles
    return run.outcome


class _Run:
    """A fuzz run in progress."""

    def __init__(self, configuration: Configuration, model: Model, seed: int) -> None:
        self.model, self.slots = model, configuration.parameters["key_slots"]
        self.draw = Random(f"totient check fuzz {configuration.label} {seed}")
        # A case is a packet, an exponentiation is that after a round.
        self.outcome = Outcome(
            checked="every packet is answered, and the operations after them are right"
        )
        self._exponents = public_exponents(self.draw)

    def round(self) -> int:
        """A few packets, then an operation; returns the number of all packets."""
        draw, model = self.draw, self.model
        if self.outcome.exponentiations % _KEYS_EVERY == 0:
            self._keys()
        model.pause_at_random(self.outcome.exponentiations % 3)
        for _ in range(draw.randint(1, 4)):
            self._malformed(self._strange())
        if draw.random() < 1 / 8:
            self._broken_off()
        self.outcome.exponentiations += 1
        load, operation, right = self._good()
        loaded = model.exchange(load, limit=_LIMIT)
        self._expect("key load: first word", loaded[0] >> 8, 2 << 8)
        answer = model.exchange(operation, limit=_LIMIT)
        self._expect("result", parse_number(answer[3:]), right)
        return self.outcome.cases

    def _keys(self) -> None:
        draw, e = self.draw, next(self._exponents)
        self._key, self._d = key_of_primes(*draw_primes(BITS, draw.choice(SHAPES), e, draw), e)

    def _good(self) -> tuple[Words, Words, int]:
        """A key, a private operation and its result."""
        draw, key = self.draw, self._key
        slot, n = draw.randrange(self.slots), key.modulus
        option = draw.randrange(4)
        if draw.random() < 0.2:
            key, option = RsaKey(n, key.exponent, self._d), option & PrivateOption.NO_BASE_BLINDING
        value = draw.choice((0, 1, n - 1, draw.randrange(n)))
        operation = operation_request(Command.PRIVATE, [value], BITS, slot, option)
        return load_rsa_key_request(key, slot), operation, pow(value, self._d, n)

    def _any(self) -> Words:
        """A correct packet."""
        draw = self.draw
        load, private, _ = self._good()
        bits = draw.choice((2, 31, 33, 200))
        moduli = [draw.getrandbits(bits) | 1 for _ in range(2)]
        exponents = [draw.getrandbits(bits) for _ in range(2)]
        values = [draw.getrandbits(bits) for _ in range(2)]
        slot = draw.randrange(self.slots)
        return draw.choice(
            (
                load,
                private,
                operation_request(Command.PUBLIC, [draw.getrandbits(BITS)], BITS, slot),
                load_key_request(moduli[0], exponents[0], bits),
                load_pair_request(moduli, exponents, bits, slot),
                operation_request(Command.EXPONENTIATE, values[:1], bits, slot),
                operation_request(Command.EXPONENTIATE, values, bits, slot, option=1),
                [int(draw.choice((Command.INFO, Command.CLEAR, Command.SELF_TEST)))],
            )
        )

    def _strange(self) -> Words:
        """A wrong or unusual packet."""
        draw, good = self.draw, self._any()
        lengths = [*good]
        lengths[draw.randrange(min(len(good), 5))] = draw.choice(_STRANGE)
        flipped = [*good]
        flipped[draw.randrange(len(good))] ^= 1 << draw.randrange(32)
        return draw.choice(
            (
                [draw.getrandbits(32) for _ in range(draw.randint(1, 12))],
                [draw.randrange(1, 10), *(draw.choice(_STRANGE) for _ in range(draw.randrange(9)))],
                good[: draw.randint(1, len(good))],
                good + [draw.getrandbits(32) for _ in range(draw.randint(1, 5))],
                lengths,
                flipped,
                [word ^ (1 << draw.randrange(32)) * draw.choice((0, 1)) for word in good],
            )
        )

    def _malformed(self, packet: Words) -> None:
        self.outcome.cases += 1
        self._check(packet, self.model.exchange(packet, limit=_LIMIT))

    def _check(self, packet: Words, answer: Sequence[int]) -> None:
        error = error_of(answer)
        self.outcome.refusals += bool(error)
        what = f"answer to {packet[0]:#x}"
        self._expect(f"{what}: command", answer[0] & 0xFF, packet[0] & 0xFF)
        self._expect(f"{what}: words", len(answer) - 1, answer[0] >> 16)
        self._expect(f"{what}: error", error in list(ErrorCode), True)

    def _expect(self, what: str, found: object, expected: object) -> None:
        self.outcome.expect(self.outcome.exponentiations, what, found, expected)

    def _broken_off(self) -> None:
        """A reset in the middle, or a clear behind an operation."""
        draw, model = self.draw, self.model
        packet = self._any()
        self.outcome.cases += 1
        if draw.random() < 0.5:
            cut = draw.random() < 0.5
            model.send(packet[: draw.randint(1, len(packet))] if cut else packet, whole=not cut)
            model.advance(draw.randrange(60_000))
            model.reset()
            return
        model.send(packet)
        model.advance(draw.randrange(60_000))
        clear = [int(Command.CLEAR)]
        model.send(clear)
        for request in (packet, clear):
            self._check(request, model.receive(limit=_LIMIT))
