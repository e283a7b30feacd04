"""The engine behind registers, at the end of a serial line and on a board.

There its random words come in packets: what becomes of them is held to `tests/engine_packets.py`.
"""

import itertools
import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.defects import Change
from tests.engine_packets import Engine, drawn_key, error_of, without_cycles
from tests.faces import CONTROL, WAYS, RegistersWay, Way, Words
from tests.system.command import openssl, openssl_verifies, serving, totient
from totient.catalog import Face, select
from totient.check.packets import header, load_rsa_key_request, operation_request
from totient.common.contract import Command, ErrorCode, Response
from totient.device import RsaKey, open_device
from totient.sim import Model, build_model

WIDTH, SLOTS, ROOM = 1024, 2, 512
POOL = 252  # words that the engine fetches ahead
FETCHED = 3000  # clock cycles in which it has done so
ENGINE = select("engine", width=WIDTH, elements=4, key_slots=SLOTS)
FACES = (Face.REGISTERS, Face.SERIAL)
CLEAR = [int(Command.CLEAR)]
SETTLED = 24_000  # clock cycles in which any wipe has ended
WATCHDOG = 1 << 20
SECRETS = 4  # a bit that depends on them is the same in all by a chance of 1 in 8, each time


def random_request(draw: random.Random, count: int) -> Words:
    """A packet of so many random words, none of them 0."""
    return [Command.RANDOM_WORDS, *(draw.randrange(1, 1 << 32) for _ in range(count))]


class Pair:
    """An engine's RTL behind a face and its model, asked the same."""

    def __init__(self, way: Way) -> None:
        self.way = way
        self.model = Engine(WIDTH, SLOTS, room=ROOM, pool=POOL)

    def ask(self, packet: Words) -> ErrorCode:
        """The error code of the answer, which has to be the same from both but for cycles."""
        answer, expected = self.way.ask(packet), self.model(packet)
        # While a packet of random words comes in, the engine fetches none.
        self.way.model.advance(FETCHED)
        shown = [hex(word) for word in packet[:4]], len(packet)
        assert len(answer) == len(expected), shown
        if packet[0] == Command.RANDOM_WORDS:
            assert answer[:1] == expected[:1], shown
            # One more fits where one waits at the output. The engine may not have fetched all that
            # fit into its pool.
            if len(answer) > 1:
                assert answer[1] + answer[2] - ROOM in (0, 1), shown
                assert expected[1] - 3 <= answer[1] <= self.model.held, shown
        else:
            assert without_cycles(answer) == without_cycles(expected), shown
        return error_of(answer)

    def fill(self, draw: random.Random, count: int) -> None:
        """Random words, until there are so many."""
        while self.model.held < count:
            packet = random_request(draw, min(math.ceil(count - self.model.held), 100))
            assert self.ask(packet) == ErrorCode.OK


@pytest.fixture(params=FACES)
def pair(request: pytest.FixtureRequest) -> Iterator[Pair]:
    with Model(build_model(ENGINE.top(request.param), checked=True)) as model:
        model.advance(SETTLED)
        yield Pair(WAYS[request.param](model))


def test_packets_of_all_sorts(pair: Pair) -> None:
    """Operations of all sorts, random words, and packets that are wrong, in any order."""
    draw = random.Random(1)
    keys = [drawn_key(draw, *lengths)[0] for lengths in ((256, 256), (300, 212), (520, 504))]
    whole, d = drawn_key(draw, 270, 270)
    keys.append(RsaKey(whole.modulus, 65537, d))
    pair.way.model.pause_at_random(3)
    for number in range(160):
        key = draw.choice(keys)
        slot = draw.randrange(SLOTS)
        if number % 8 == 0:
            pair.ask(load_rsa_key_request(key, slot))
        held = pair.model.keys.get(slot, key)
        bits = held.modulus.bit_length() if isinstance(held, RsaKey) else 512
        value = draw.getrandbits(bits - 1)
        packet = draw.choice(
            (
                random_request(draw, draw.choice((0, 1, 20, 150))),
                random_request(draw, 3),
                operation_request(Command.PRIVATE, [value], bits, slot, draw.randrange(4)),
                operation_request(Command.PUBLIC, [value], bits, slot),
                CLEAR if number % 5 == 0 else [int(Command.INFO)],
                [header(Command.RANDOM_WORDS, draw.randrange(2), draw.randrange(2)), 7, 8],
                [Command.RANDOM_WORDS | 1 << draw.randrange(8, 32), *[9] * draw.randrange(4)],
                [draw.getrandbits(32) for _ in range(draw.randint(1, 5))],
            )
        )
        if packet[0] & 0xFF == Command.PRIVATE and draw.random() < 0.3:
            packet[draw.randrange(len(packet))] ^= 1 << draw.randrange(32)
        if packet[0] & 0xFF == Command.PRIVATE:
            pair.fill(draw, 70)
        pair.ask(packet)
    pair.ask([int(Command.INFO)])
    pair.fill(draw, ROOM + POOL - 40)
    assert pair.ask(random_request(draw, 70)) == ErrorCode.LENGTH
    pair.ask(load_rsa_key_request(keys[2]))
    for _ in range(ROOM // 60):
        assert pair.ask(operation_request(Command.PRIVATE, [5], 1000, 0, 2)) == ErrorCode.OK


def test_without_random_words_it_gives_up_and_is_ready(pair: Pair) -> None:
    """Words that come too late are for the next operation; the key stays."""
    draw = random.Random(2)
    key, _ = drawn_key(draw, 256, 256)
    request = operation_request(Command.PRIVATE, [5], 512)
    pair.ask(load_rsa_key_request(key))
    for count in (0, 5):
        pair.fill(draw, count)
        before = pair.way.model.cycles
        pair.way.send(request)
        pair.way.model.advance(WATCHDOG)
        assert pair.way.receive() == pair.model(request) == [6 | ErrorCode.RANDOM << 8]
        assert pair.way.model.cycles - before < WATCHDOG + 200_000
        assert pair.ask(operation_request(Command.PRIVATE, [5], 512, 0, 1)) == ErrorCode.OK
    # Of 13 digits for each prime all bits are random.
    pair.fill(draw, 15 + 3)
    assert pair.ask(request) == ErrorCode.OK
    assert pair.model.held == 3


@pytest.mark.parametrize(("word", "option"), [(0, 2), (0, 3), (0xFFFF_FFFF, 0), (0x1234_5678, 3)])
def test_random_words_that_repeat_are_refused(pair: Pair, word: int, option: int) -> None:
    """Whatever is blinded; the key stays, and the next operation is right."""
    draw = random.Random(3)
    key, _ = drawn_key(draw, 256, 256)
    request = operation_request(Command.PRIVATE, [5], 512, option=option)
    pair.ask(load_rsa_key_request(key))
    pair.way.ask([Command.RANDOM_WORDS, *[word] * 60])
    assert pair.way.ask(request) == [6 | ErrorCode.RANDOM_REPEATS << 8]
    assert pair.ask(operation_request(Command.PRIVATE, [5], 512, 0, 1)) == ErrorCode.OK
    # A clear wipes the others.
    pair.ask(CLEAR)
    pair.ask(load_rsa_key_request(key))
    pair.fill(draw, 40)
    assert pair.ask(request) == ErrorCode.OK


def test_answers_may_be_fetched_late() -> None:
    """When there is no more room for them, the engine waits with a word, however long."""
    with Model(build_model(ENGINE.top(Face.REGISTERS), checked=True)) as model:
        way = RegistersWay(model)
        info = way.ask([int(Command.INFO)])
        for _ in range(6):
            way.send([int(Command.INFO)])
        model.advance(WATCHDOG + 10_000)
        assert all(way.receive() == info for _ in range(6))


# State after a clear ------------------------------------------------------------------------------


def by_packet(way: Way) -> None:
    """A clear request; what was under way is answered before it."""
    way.send(CLEAR)
    while way.receive()[0] & 0xFF != Command.CLEAR:
        pass


def by_register(way: Way) -> None:
    """The register."""
    way.model.write(CONTROL, 1)
    way.model.advance(SETTLED)


def by_reset(way: Way) -> None:
    """The reset."""
    way.model.reset()
    way.model.advance(SETTLED)


Clear = Callable[[Way], None]
CLEARS: dict[Face, tuple[Clear, ...]] = {
    Face.REGISTERS: (by_packet, by_register, by_reset),
    Face.SERIAL: (by_packet, by_reset),
}


def held(way: Way, draw: random.Random, request: Words) -> None:
    """Words are held."""
    way.ask(random_request(draw, 60))


def full(way: Way, draw: random.Random, request: Words) -> None:
    """As many as there is room for, and some that were refused."""
    for _ in range(5):
        way.ask(random_request(draw, 110))


def used(way: Way, draw: random.Random, request: Words) -> None:
    """Some have been used, others are left."""
    held(way, draw, request)
    assert error_of(way.ask(request)) == ErrorCode.OK


def under_way(way: Way, draw: random.Random, request: Words) -> None:
    """Some are being used."""
    held(way, draw, request)
    way.send(request)
    way.model.advance(700)


def coming(way: Way, draw: random.Random, request: Words) -> None:
    """Half of a packet with more has come."""
    held(way, draw, request)
    way.send(random_request(draw, 60)[:30], whole=False)


HISTORIES = (full, used, under_way, coming)


def left_by(library: Path, face: Face, history: Callable[..., None], clear: Clear) -> set[str]:
    """State that depends on secrets: on the key, the input and the random words."""
    left: dict[str, set[bytes]] = defaultdict(set)
    for secret in range(SECRETS):
        draw = random.Random(secret)
        key, _ = drawn_key(draw, 256, 256)
        with Model(library) as model:
            way = WAYS[face](model)
            model.advance(SETTLED)
            way.ask(load_rsa_key_request(key))
            history(way, draw, operation_request(Command.PRIVATE, [draw.getrandbits(511)], 512))
            clear(way)
            for number, element in enumerate(model.elements()[0]):
                left[element.name].add(model.peek(number, element))
            asked = way.ask([int(Command.RANDOM_WORDS)])
            assert asked == [Command.RANDOM_WORDS | Response.WORDS.put(2), 0, ROOM]
    assert any("u_random" in name and "memory" in name for name in left)
    return {name for name, values in left.items() if len(values) > 1}


@pytest.mark.parametrize("face", FACES)
def test_a_clear_leaves_nothing(face: Face) -> None:
    library = build_model(ENGINE.top(face), probed=True)
    for history in HISTORIES:
        for clear in CLEARS[face]:
            # Only a frame can be ended by another one.
            if face == Face.SERIAL or clear != by_packet or history != coming:
                left = left_by(library, face, history, clear)
                assert not left, (history.__doc__, clear.__doc__)


def test_what_is_not_wiped_is_seen(tmp_path: Path) -> None:
    forgotten = Change("random_words", "|| draw_q || wiping_q)", "|| draw_q)")
    library = forgotten.build(ENGINE.top(Face.REGISTERS), tmp_path, probed=True)
    left = left_by(library, Face.REGISTERS, held, by_register)
    assert any("u_random" in name and "memory" in name for name in left)


# As a user has it ---------------------------------------------------------------------------------


@pytest.mark.parametrize("transport", ["sim-registers", "sim-serial"])
def test_a_device(transport: str) -> None:
    """Every option of blinding, with keys of the longest primes and without primes."""
    draw = random.Random(3)
    key, d = drawn_key(draw, 520, 504)
    with open_device(f"{transport}:{ENGINE.label}", checked=True) as device:
        assert device.info.slots == SLOTS
        device.load_rsa_key(key)
        device.load_rsa_key(RsaKey(key.modulus, key.exponent, d), slot=1)
        for base, exponent in itertools.product((True, False), repeat=2):
            value = draw.randrange(key.modulus)
            found = device.private(value, blind_base=base, blind_exponent=exponent)
            assert found.result == pow(value, d, key.modulus)
        for base in (True, False):
            assert device.private(value, 1, blind_base=base).result == found.result


@pytest.mark.parametrize("transport", ["sim-registers", "sim-serial"])
def test_the_widest(transport: str) -> None:
    """A key without primes, by the public operation alone: its numbers are the longest frames."""
    draw = random.Random(4)
    modulus = draw.getrandbits(8192) | 1 << 8191 | 1
    value = draw.randrange(modulus)
    with open_device(f"{transport}:engine?width=8192&elements=32") as device:
        device.load_rsa_key(RsaKey(modulus, 65537, 3))
        assert device.public(value).result == pow(value, 65537, modulus)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a key of 1024 bits and a message."""
    made = tmp_path_factory.mktemp("faces")
    openssl("genrsa", "-out", made / "key.pem", "1024")
    openssl("rsa", "-in", made / "key.pem", "-pubout", "-out", made / "key.pub")
    (made / "message").write_text("A message.\n")
    return made


def test_a_board(folder: Path, tmp_path: Path) -> None:
    """Its top module, from pin to pin: OpenSSL verifies its signature, and encrypts for it."""
    with serving(*(tmp_path / "line", "engine-8", "--width", WIDTH, "--board", "ulx3s")) as line:
        signed = totient(
            *("sign", "--key", "key.pem", "--in", "message", "--out", "signature"),
            *("--scheme", "pkcs1v15", "--device", f"tty:{line}"),
            folder=folder,
        )
        assert (signed.status, signed.out) == (0, b""), signed.err
        cipher = openssl("pkeyutl", "-encrypt", "-inkey", folder / "key.pem", stdin=b"secret")
        plain = totient(
            *("decrypt", "--key", "key.pem", "--scheme", "pkcs1v15", "--device", f"tty:{line}"),
            folder=folder,
            stdin=cipher,
        )
        assert (plain.status, plain.out) == (0, b"secret"), plain.err
    openssl_verifies(folder / "key.pub", folder / "signature", folder / "message")
