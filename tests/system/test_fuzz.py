"""Malformed packets, register accesses and bytes: the next correct operation is right, each time.

More than 45,000 together, the same ones every time.
"""

import random

import pytest

from tests.faces import (
    CLEARING,
    CONTROL,
    EVENTS,
    LIMIT,
    REQUEST,
    REQUEST_LAST,
    RESPONSE,
    STATUS,
    WAYS,
    SerialWay,
    Words,
)
from tests.rtl.serial_frames import END, frame, payload_of
from totient.catalog import Face, select
from totient.check.packets import exponentiate_request, load_key_request, parse_number
from totient.common.errors import ToolError
from totient.sim import Model, open_model

WIDTH = 32


class Keys:
    """Correct operations, drawn at random."""

    def __init__(self, draw: random.Random) -> None:
        self.modulus = draw.getrandbits(WIDTH) | 1 | 2
        self.exponent = draw.getrandbits(draw.randint(1, 8))
        self.base = draw.randrange(self.modulus)

    @property
    def packets(self) -> tuple[Words, Words]:
        """Requests: a key, and an exponentiation with it."""
        bits = max(1, self.exponent.bit_length())
        return (
            load_key_request(self.modulus, self.exponent, bits),
            exponentiate_request([self.base], self.modulus.bit_length()),
        )

    def check(self, loaded: Words, raised: Words) -> None:
        """Both answers are right."""
        assert loaded[0] == 2 | 2 << 16
        words = -(-self.modulus.bit_length() // 32)
        assert raised[0] == 3 | 2 + words << 16
        assert parse_number(raised[3:]) == pow(self.base, self.exponent, self.modulus)


def malformed(draw: random.Random) -> Words:
    """A packet that is wrong, or at least strange."""
    good = draw.choice(Keys(draw).packets)
    return draw.choice(
        (
            [draw.getrandbits(32) for _ in range(draw.randint(1, 12))],
            good[: draw.randint(1, len(good))],
            good + [draw.getrandbits(32) for _ in range(draw.randint(1, 5))],
            [word ^ (1 << draw.randrange(32)) * draw.choice((0, 1)) for word in good],
            [draw.choice((1, 2, 3, 4)), *(draw.choice((0, 1, 31, 32, 33)) for _ in range(4))],
        )
    )


def stream_round(model: Model, draw: random.Random) -> None:
    """Each packet is answered by one; clear requests are among them."""
    for _ in range(draw.randint(1, 4)):
        answer = model.exchange(malformed(draw), limit=LIMIT)
        assert answer[0] >> 16 == len(answer) - 1


def registers_round(model: Model, draw: random.Random) -> None:
    """Any access is answered; after a clear the face is as new."""
    for _ in range(draw.randint(1, 12)):
        offset = draw.choice((draw.randrange(0, 64, 4), REQUEST, REQUEST_LAST, RESPONSE, CONTROL))
        if draw.random() < 0.5:
            model.read(offset)
        else:
            lanes = draw.choice((15, 15, 15, draw.randrange(16)))
            model.write(offset, draw.choice(malformed(draw)), lanes)
    assert model.write(CONTROL, 1)
    while (model.read(STATUS) or 0) & CLEARING:
        pass
    assert model.write(EVENTS, 0xFFFFFFFF)


def serial_round(model: Model, draw: random.Random) -> None:
    """Noise, damaged frames and wrong packets; a packet after them is answered after them."""
    for _ in range(draw.randint(1, 3)):
        whole = bytearray(frame(payload_of(malformed(draw))))
        for _ in range(draw.choice((0, 1, 1, 5))):
            whole[draw.randrange(len(whole))] = draw.getrandbits(8)
        model.send_bytes(bytes(whole[: draw.choice((len(whole), draw.randint(1, len(whole))))]))
    # The sender of a new request does not know what is under way: it clears first.
    model.send_bytes(bytes([END]))
    while model.receive_bytes(20_000):
        pass
    way = SerialWay(model)
    way.send([4])
    while way.payload() != payload_of([4]):
        pass


# About 2.5 packets, 6.5 accesses and 2 frames a round.
ROUNDS = {
    Face.STREAM: (stream_round, 8000),
    Face.REGISTERS: (registers_round, 4000),
    Face.SERIAL: (serial_round, 800),
}


@pytest.mark.parametrize("face", Face)
def test_the_next_operation_is_right(face: Face) -> None:
    play, rounds = ROUNDS[face]
    draw = random.Random(f"fuzz {face}")
    with open_model(select("binary", width=WIDTH), face, checked=True) as model:
        for number in range(rounds):
            model.pause_at_random(number % 3)
            try:
                play(model, draw)
                keys = Keys(draw)
                keys.check(*map(WAYS[face](model).ask, keys.packets))
            except (AssertionError, ToolError) as error:
                raise AssertionError(f"round {number}") from error
