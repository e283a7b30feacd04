"""Malformed packets to an engine: each is answered, and the next operation is right."""

from random import Random

from totient.catalog import Configuration
from totient.check.fuzz import PacketFuzz, Words, run_fuzz
from totient.check.packets import (
    load_key_request,
    load_pair_request,
    load_rsa_key_request,
    operation_request,
)
from totient.check.rsa_keys import SHAPES, draw_primes, public_exponents
from totient.check.run import Outcome, check_drawing
from totient.common.contract import Command, PrivateOption
from totient.device import RsaKey, key_of_primes
from totient.sim import Model, build_model

BITS = 512
"""Length of the RSA keys."""

_KEYS_EVERY = 50  # rounds for each key


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
        return run_fuzz(_EngineFuzz(configuration, model, seed), configuration.label, count)


class _EngineFuzz(PacketFuzz):
    """A run on an engine."""

    def __init__(self, configuration: Configuration, model: Model, seed: int) -> None:
        draw = Random(f"totient check fuzz {configuration.label} {seed}")
        super().__init__(model, draw, longest=60_000)
        self.slots = configuration.parameters["key_slots"]
        self._exponents = public_exponents(draw)

    def round(self) -> int:
        if self.outcome.exponentiations % _KEYS_EVERY == 0:
            draw, e = self.draw, next(self._exponents)
            self._key, self._d = key_of_primes(*draw_primes(BITS, draw.choice(SHAPES), e, draw), e)
        return super().round()

    def good(self) -> None:
        self.operate(*self._good())

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

    def any(self) -> Words:
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
