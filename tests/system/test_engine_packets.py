"""The engine's answers to all kinds of packets: word by word those of the model of its contract.

The model (`tests/engine_packets.py`) knows no cycles: they are not compared.
"""

import math
import random
from collections.abc import Iterator, Sequence

import pytest
from Crypto.Util.number import getPrime

from tests.engine_packets import Engine, Words, drawn_key, error_of, without_cycles
from totient.catalog import select
from totient.check.packets import (
    header,
    load_key_request,
    load_pair_request,
    load_rsa_key_request,
    number_words,
    operation_request,
)
from totient.check.rsa_keys import draw_primes
from totient.common.contract import Command, ErrorCode
from totient.device import Primes, RsaKey, key_of_primes
from totient.sim import Model, build_model

WIDTH, SLOTS = 1024, 3
LONGEST_HALF = WIDTH // 2 + 8
CLEAR = [Command.CLEAR.value]
LIMIT = 30_000_000
WATCHDOG = 1 << 20


class Pair:
    """An engine's RTL and its model, asked the same."""

    def __init__(self, core: Model) -> None:
        self.core = core
        self.model = Engine(WIDTH, SLOTS)
        self.ask(CLEAR)

    def ask(self, packet: Words) -> Words:
        """The answer, which has to be the same from both."""
        answer = self.core.exchange(packet, limit=LIMIT)
        expected = self.model(packet)
        shown = [hex(word) for word in packet[:6]]
        assert without_cycles(answer) == without_cycles(expected), (shown, len(packet))
        return answer

    def error(self, packet: Words) -> ErrorCode:
        """The error code of the answer."""
        return error_of(self.ask(packet))

    def private(self, key: RsaKey, value: int, slot: int = 0, option: int = 0) -> ErrorCode:
        """A private operation."""
        bits = key.modulus.bit_length()
        return self.error(operation_request(Command.PRIVATE, [value], bits, slot, option))

    def public(self, key: RsaKey, value: int, slot: int = 0) -> ErrorCode:
        """A public one."""
        bits = key.modulus.bit_length()
        return self.error(operation_request(Command.PUBLIC, [value], bits, slot))


@pytest.fixture(scope="module")
def core() -> Iterator[Model]:
    configuration = select("engine", width=WIDTH, elements=4, key_slots=SLOTS)
    with Model(build_model(configuration.top(), checked=True)) as model:
        yield model


@pytest.fixture
def pair(core: Model) -> Pair:
    return Pair(core)


@pytest.fixture(scope="module")
def key() -> RsaKey:
    draw = random.Random(1)
    return key_of_primes(*draw_primes(512, "p is larger", 65537, draw), 65537)[0]


def plain_bits() -> Iterator[int]:
    """Lengths around those of digits, words of packets, and limits."""
    yield from (2, 3, 17, 18, 31, 32, 33, 35, 36, 37, 53, 54, 63, 64, 65, 107, 108, 109)
    yield from (127, 128, 129, 519, 520, 521, 991, 992, 993, 1023, 1024)


def test_moduli_of_any_length(pair: Pair) -> None:
    """Exponents 0, 1, all ones, with leading zeros; bases up to and beyond the modulus."""
    draw = random.Random(2)
    for bits in plain_bits():
        modulus = draw.getrandbits(bits) | 1 | 1 << bits - 1
        some = (0, 0), (1, 1), (modulus - 1, bits), (modulus, bits), ((1 << WIDTH) - 1, WIDTH)
        other = draw.randrange(modulus), WIDTH
        for exponent, exponent_bits, bases in (
            (0, 1, [*some, other]),
            (1, 1, [other]),
            (0, 40, [other, (0, 0)]),
            (draw.getrandbits(33), 60, [*some, other]),
            ((1 << bits) - 1, bits, [other]),
        ):
            pair.ask(load_key_request(modulus, exponent, exponent_bits))
            for base, base_bits in bases:
                pair.ask(operation_request(Command.EXPONENTIATE, [base], base_bits))
    # All ones, the least of a length, and one that is stated longer than it is.
    for modulus, bits in (((1 << 1024) - 1, 1024), (1 << 1023 | 1, 1024), (3, 1024), (21, 45)):
        pair.ask([2, bits, 7, *number_words(modulus, bits), 0x55])
        pair.ask(operation_request(Command.EXPONENTIATE, [2], 2))


@pytest.mark.parametrize(
    ("packet", "error"),
    [
        ([2, 1, 1, 1, 1], ErrorCode.MODULUS_SMALL),
        ([2, 0, 1, 1], ErrorCode.MODULUS_SMALL),
        ([2, 3, 1, 6, 1], ErrorCode.MODULUS_EVEN),
        ([2, 3, 0, 5], ErrorCode.EXPONENT_EMPTY),
        ([2, 2, 3, 5, 1], ErrorCode.LENGTH),
        ([2, 3, 3, 5, 8], ErrorCode.LENGTH),
        ([2, WIDTH + 1, 1, 1], ErrorCode.LENGTH),
        ([2, 1 << 16 | 3, 3, 5, 1], ErrorCode.LENGTH),
        ([2, 3, 0xFFFF_FFFF, 5, 1], ErrorCode.LENGTH),
        ([header(8), LONGEST_HALF + 1, 1, 1], ErrorCode.LENGTH),
        ([header(8), 3, 3, 5, 4, 1, 1], ErrorCode.MODULUS_EVEN),
        ([header(8), 3, 3, 1, 5, 1, 1], ErrorCode.MODULUS_SMALL),
        ([header(8), 3, 0, 5, 5], ErrorCode.EXPONENT_EMPTY),
        ([header(2, 1), 3, 3, 5, 1], ErrorCode.COMMAND),
        ([header(8, 1), 3, 3, 5, 5, 1, 1], ErrorCode.COMMAND),
        ([header(5, 3)], ErrorCode.COMMAND),
        ([header(5, 2), 512, 17, 449, 63], ErrorCode.LENGTH),
    ],
)
def test_a_refused_load_leaves_no_key(pair: Pair, packet: Words, error: ErrorCode) -> None:
    """Nor does it harm the next one."""
    pair.ask([2, 5, 3, 21, 5])
    assert pair.error(packet) == error
    assert pair.error([3, 5, 2]) == ErrorCode.NO_KEY
    pair.ask([2, 5, 3, 21, 5])
    assert pair.ask([3, 5, 2])[3] == pow(2, 5, 21)


@pytest.mark.parametrize("packet", [[2 | 1 << 24, 5, 3, 21, 5], [header(2, 0, SLOTS), 5, 3, 21, 5]])
def test_a_load_to_nowhere_changes_nothing(pair: Pair, packet: Words) -> None:
    pair.ask([2, 5, 3, 21, 5])
    assert pair.error(packet) == ErrorCode.COMMAND
    assert pair.ask([3, 5, 2])[3] == pow(2, 5, 21)


def test_pairs_of_any_lengths(pair: Pair) -> None:
    draw = random.Random(3)
    for lengths in ((2, 2), (2, 520), (520, 520), (33, 519), (108, 109), (520, 18)):
        moduli = [draw.getrandbits(bits) | 1 | 1 << bits - 1 for bits in lengths]
        longest = max(lengths)
        for exponents, bits in (((0, 1), 1), ((5, draw.getrandbits(200)), 200), ((0, 1), 520)):
            pair.ask(load_pair_request(moduli, exponents, bits))
            bases = [[m - 1 for m in moduli], [0, 1], [draw.randrange(m) for m in moduli]]
            bases += [[moduli[0], 0], [0, moduli[1]]]
            for each in bases:
                pair.ask(operation_request(Command.EXPONENTIATE, each, longest, 0, 1))
        pair.ask(operation_request(Command.EXPONENTIATE, [1, 1], LONGEST_HALF, 0, 1))
        pair.ask(operation_request(Command.EXPONENTIATE, [1, 1], LONGEST_HALF + 1, 0, 1))


def test_moduli_at_the_edges_of_digits(pair: Pair) -> None:
    """Where a number takes a digit more; in a pair, two lengths apart at which doubling begins."""
    for digits in (1, 2, 9, 10, 11, 12, 28):
        for bits in (18 * digits - 2, 18 * digits - 1):
            for modulus in ((1 << bits) - 1, 1 << bits - 1 | 1):
                pair.ask(load_key_request(modulus, 11, 4))
                pair.ask(operation_request(Command.EXPONENTIATE, [modulus - 2], bits))
                for less in (18, 19, 36, 37):
                    if bits <= less + 1:
                        continue
                    moduli = modulus, 1 << bits - 1 - less | 1
                    pair.ask(load_pair_request(moduli, (11, 7), 4))
                    bases = [each - 2 for each in moduli]
                    pair.ask(operation_request(Command.EXPONENTIATE, bases, bits, 0, 1))


def test_slots_and_what_they_serve(pair: Pair, key: RsaKey) -> None:
    """Keys come and go in one slot; those in the others stay, and no kind serves another's work."""
    other = drawn_key(random.Random(4), 259, 260, 3)[0]
    last = SLOTS - 1
    works = (
        operation_request(Command.PRIVATE, [7], 512, last),
        operation_request(Command.PUBLIC, [7], 512, last),
        operation_request(Command.EXPONENTIATE, [7], 9, last),
        operation_request(Command.EXPONENTIATE, [7, 7], 9, last, 1),
        operation_request(Command.EXPONENTIATE, [7, 7, 7], 9, last, 2),
    )
    loads = (
        load_rsa_key_request(other, last),
        load_pair_request((21, 23), (5, 3), 3, last),
        [header(2, 0, last), 5, 3, 21, 5],
        load_rsa_key_request(RsaKey(other.modulus, 3), last),
        [header(9, 0, last)],
        load_rsa_key_request(RsaKey(other.modulus, 3, pow(3, -1, 2)), last),
        load_rsa_key_request(other, last)[:-1],
    )
    pair.ask(load_rsa_key_request(key))
    for number, load in enumerate(loads):
        pair.ask(load)
        for work in works:
            pair.ask(work)
        assert pair.private(key, number, option=number % 4) == ErrorCode.OK
    # Leftovers of a longer key in the slot have no effect.
    longer = load_rsa_key_request(drawn_key(random.Random(5), 520, 504, 3)[0], last)
    for load in (*loads[1:3], loads[4], longer[:-1], [header(2, 0, last), 5, 3, 20, 5]):
        pair.ask(longer)
        pair.ask(load)
        for bits in (0, 32, WIDTH):
            value = (1 << bits) - 1
            for command in (Command.PRIVATE, Command.PUBLIC, Command.EXPONENTIATE):
                pair.ask(operation_request(command, [value], bits, last))
    pair.ask(CLEAR)
    assert pair.private(key, 3) == ErrorCode.NO_KEY


def test_keys_that_are_refused(pair: Pair, key: RsaKey) -> None:
    """Over a good one, which is gone then."""
    parts = key.primes
    assert parts is not None
    n, p, q = key.modulus, parts.p, parts.q

    def load(
        *, e: int = 65537, e_bits: int = 0, n: int = n, n_bits: int = 512, **other: int
    ) -> Words:
        held = {**vars(parts), **other}
        p_bits, q_bits = other.get("p_bits", 256), other.get("q_bits", 256)
        e_bits = e_bits or e.bit_length()
        numbers = [(n, n_bits), (e, e_bits), (held["p"], p_bits), (held["q"], q_bits)]
        numbers += [(held["d_p"], p_bits), (held["d_q"], q_bits), (held["q_inverse"], p_bits)]
        words = [word for number, bits in numbers for word in number_words(number, bits)]
        return [header(5, 2), n_bits, e_bits, p_bits, q_bits, *words]

    for packet, error in (
        (load(e=1), ErrorCode.PUBLIC_EXPONENT),
        (load(e=1, e_bits=2), ErrorCode.LENGTH),
        (load(e=2), ErrorCode.PUBLIC_EXPONENT),
        (load(e=65536), ErrorCode.PUBLIC_EXPONENT),
        (load(e=1 << 512 | 1), ErrorCode.LENGTH),
        (load(n=n - 1), ErrorCode.MODULUS_EVEN),
        (load(n=n, n_bits=513), ErrorCode.LENGTH),
        (load(n=n >> 1 | 1), ErrorCode.LENGTH),
        (load(n=n - 2), ErrorCode.PRIME),
        (load(p=p - 1), ErrorCode.PRIME),
        (load(q=q - 1), ErrorCode.PRIME),
        (load(q=q ^ 2), ErrorCode.PRIME),
        (load(p=p >> 1 | 1), ErrorCode.LENGTH),
        (load(p=0), ErrorCode.LENGTH),
        (load(p_bits=257, q_bits=255, d_q=1, q=q >> 1 | 1), ErrorCode.LENGTH),
        (load(q_bits=257), ErrorCode.LENGTH),
        (load()[:-1], ErrorCode.PACKET_SHORT),
        ([*load(), 0], ErrorCode.PACKET_LONG),
    ):
        pair.ask(load())
        assert pair.error(packet) == error, packet[:5]
        assert pair.private(key, 7) == ErrorCode.NO_KEY
        assert pair.public(key, 7) == ErrorCode.NO_KEY
    pair.ask(load())
    assert pair.private(key, 7) == ErrorCode.OK


def test_keys_whose_numbers_do_not_belong_together(pair: Pair, key: RsaKey) -> None:
    """The check finds it, whatever is blinded; the public operation is right all the same."""
    draw = random.Random(5)
    parts = key.primes
    assert parts is not None
    n, p, q = key.modulus, parts.p, parts.q
    d = pow(65537, -1, (p - 1) * (q - 1))
    square = p * p
    while square.bit_length() != 512:
        square = getPrime(256, draw.randbytes) ** 2
    root = math.isqrt(square)
    d_root = pow(65537, -1, root * (root - 1))
    wrong = [
        RsaKey(n, 65537, primes=Primes(**{**vars(parts), **change}))
        for change in (
            {"d_p": 0},
            {"d_p": parts.d_p + 1},
            {"d_q": (1 << 256) - 1},
            {"q_inverse": 0},
            {"q_inverse": p - 1},
            {"p": q, "q": p},
        )
    ]
    wrong.append(RsaKey(square, 65537, primes=Primes(root, root, d_root % (root - 1), 1, 0)))
    wrong += [RsaKey(n, 65537, each) for each in (0, 1, d + 1, (1 << 512) - 1)]
    for each in wrong:
        pair.ask(load_rsa_key_request(each))
        for option in (0, 1, 2, 3) if each.primes else (0, 1):
            value = draw.randrange(2, each.modulus - 1)
            assert pair.private(each, value, option=option) == ErrorCode.FAULT
        assert pair.public(each, draw.randrange(each.modulus)) == ErrorCode.OK
        pair.ask(load_rsa_key_request(key))
        assert pair.private(key, draw.randrange(n)) == ErrorCode.OK


def right_keys(key: RsaKey, draw: random.Random) -> Iterator[RsaKey]:
    """Unusual ones, which work."""
    parts = key.primes
    assert parts is not None
    order = (parts.p - 1) * (parts.q - 1)
    e = 1 << 511 | 1
    while math.gcd(e, order) != 1:
        e += 2
    yield key_of_primes(parts.p, parts.q, e)[0]  # e is as long as n
    d = pow(65537, -1, math.lcm(parts.p - 1, parts.q - 1))
    yield RsaKey(key.modulus, 65537, d + order // 2 if d + order // 2 < 1 << 512 else d)
    for lengths in ((448, 64), (64, 448), (520, 504), (504, 520), (520, 64), (261, 260)):
        yield drawn_key(draw, *lengths)[0]
    # dP and dQ above the primes, qInv too.
    while True:
        found = drawn_key(draw, 256, 256)[0].primes
        assert found is not None
        d_p, d_q = found.d_p + found.p - 1, found.d_q + found.q - 1
        if max(d_p, d_q, found.q_inverse + found.p).bit_length() <= 256:
            more = Primes(found.p, found.q, d_p, d_q, found.q_inverse + found.p)
            yield RsaKey(found.p * found.q, 65537, primes=more)
            return


def test_unusual_keys(pair: Pair, key: RsaKey) -> None:
    """Every option of blinding; inputs 0, 1 and n - 1 among others, longer and shorter ones."""
    draw = random.Random(6)
    for each in right_keys(key, draw):
        pair.ask(load_rsa_key_request(each, 1))
        n = each.modulus
        values = draw.sample((0, 1, n - 1, draw.randrange(n)), 4)
        for option in (0, 1, 2, 3) if each.primes else (0, 1):
            assert pair.private(each, values[option], 1, option) == ErrorCode.OK
        assert pair.private(each, n, 1) == ErrorCode.BASE_NOT_BELOW
        assert pair.public(each, draw.randrange(n), 1) == ErrorCode.OK
        for bits in (9, min(n.bit_length() + 33, WIDTH)):
            value = draw.randrange(min(n, 1 << bits))
            pair.ask(operation_request(Command.PRIVATE, [value], bits, 1, 1))
            pair.ask(operation_request(Command.PUBLIC, [value], bits, 1))
        assert pair.error(operation_request(Command.PUBLIC, [0], WIDTH + 1, 1)) == ErrorCode.LENGTH


def test_packets_that_are_cut_and_long_ones(pair: Pair, key: RsaKey) -> None:
    """A packet of any length up to 64 KiB, its first words as they may be, has its one answer."""
    goods = (
        load_rsa_key_request(key),
        load_pair_request((21, 23), (5, 3), 3),
        [2, 5, 3, 21, 5],
        operation_request(Command.PRIVATE, [5], 40),
        operation_request(Command.EXPONENTIATE, [5, 5], 9, 0, 1),
    )
    for good in goods:
        for end in {1, 2, 3, 4, 5, len(good) - 1} & set(range(1, len(good))):
            assert pair.error(good[:end]) == ErrorCode.PACKET_SHORT
        assert pair.error([*good, *[7] * 3]) == ErrorCode.PACKET_LONG
    for first in (1, 2, 4, 9, header(5, 2), 8, 3, header(3, 1), 6, 7, 99, 0xFFFF_FFFF):
        pair.ask([first] * 16384)
    pair.ask([2, 5, 3, 21, 5])
    # A packet that waits behind one without its length is not taken for it.
    for first in (2, 3, header(3, 1), 5, header(5, 2), 6, 7, 8):
        answers = back_to_back(pair.core, [[first], [0x7FFF_FFFF]])
        assert list(map(error_of, answers)) == [ErrorCode.PACKET_SHORT, ErrorCode.COMMAND]
    assert back_to_back(pair.core, [[2, 5, 3, 21, 5], [3, 5, 2]])[1][3:] == [pow(2, 5, 21)]


def back_to_back(core: Model, packets: Sequence[Words]) -> list[Words]:
    """Answers to packets of which each waits already while the one before is worked on."""
    for packet in packets:
        core.send(packet)
    return [core.receive(limit=LIMIT) for _ in packets]


def test_a_clear_ends_operations_and_nothing_else(pair: Pair, key: RsaKey) -> None:
    """At once, and with the operation's own command in its answer."""
    core = pair.core
    aborted = ErrorCode.ABORTED << 8
    long_key = load_key_request((1 << 1024) - 1, (1 << 1024) - 2, 1024)
    long = operation_request(Command.EXPONENTIATE, [3], 1024)
    private = operation_request(Command.PRIVATE, [3], 512)
    for load, work in ((long_key, long), (load_rsa_key_request(key), private), ([1], [9])):
        for delay in (0, 1500, 30_000):
            core.exchange(load, limit=LIMIT)
            core.send(work)
            core.advance(delay)
            core.send(CLEAR)
            before = core.cycles
            assert core.receive(limit=LIMIT) == [work[0] | aborted], (work[0], delay)
            assert core.cycles - before < 6000
            assert core.receive(limit=LIMIT) == CLEAR
            assert core.exchange(private, limit=LIMIT) == [private[0] | ErrorCode.NO_KEY << 8]
    assert back_to_back(core, [load_rsa_key_request(key), CLEAR]) == [
        [header(5, 0) | aborted],
        CLEAR,
    ]
    # Where nothing is worked on.
    info = core.exchange([1], limit=LIMIT)
    assert back_to_back(core, [[1], CLEAR, CLEAR, CLEAR]) == [info, CLEAR, CLEAR, CLEAR]
    assert back_to_back(core, [[99], CLEAR, [7, 5], CLEAR]) == [
        [99 | ErrorCode.COMMAND << 8],
        CLEAR,
        [7 | ErrorCode.PACKET_SHORT << 8],
        CLEAR,
    ]
    # An incomplete clear, and one that names a slot, waits.
    for other, error in (([4, 7], ErrorCode.PACKET_LONG), ([header(4, 0, 1)], ErrorCode.OK)):
        loaded, answer = back_to_back(core, [[2, 5, 3, 21, 5], other])
        assert loaded[0] == 2 | 2 << 16
        assert answer == [4 | error << 8]


def test_a_clear_while_the_answer_begins(pair: Pair) -> None:
    """The answer comes whole, or the operation has been ended: nothing in between."""
    core = pair.core
    load, work = [2, 5, 3, 21, 5], [3, 5, 2]
    core.exchange(load, limit=LIMIT)
    before = core.cycles
    right = core.exchange(work, limit=LIMIT)
    cycles = core.cycles - before
    seen = set()
    for delay in range(cycles - 250, cycles + 10, 5):
        core.exchange(load, limit=LIMIT)
        core.send(work)
        core.advance(delay)
        core.send(CLEAR)
        answer = core.receive(limit=LIMIT)
        assert answer in (right, [work[0] | ErrorCode.ABORTED << 8]), delay
        assert core.receive(limit=LIMIT) == CLEAR
        assert core.exchange(work, limit=LIMIT) == [work[0] | ErrorCode.NO_KEY << 8]
        seen.add(len(answer))
    assert len(seen) == 2


def without_random_words(core: Model, load: Words) -> None:
    """No random word comes. A clear wipes those that have been fetched ahead, and the key."""
    core.give_randomness(False)
    core.exchange(CLEAR, limit=LIMIT)
    core.exchange(load, limit=LIMIT)


def test_everybody_outside_may_take_long(pair: Pair, key: RsaKey) -> None:
    """A sender may stop for ever; random words may come late, or a clear or a reset instead."""
    core, load = pair.core, load_rsa_key_request(key)
    for cut in (1, len(load) - 1):
        core.send(load[:cut], whole=False)
        core.advance(WATCHDOG + 10_000)
        core.send(load[cut:])
        assert error_of(core.receive(limit=LIMIT)) == ErrorCode.OK
    private = operation_request(Command.PRIVATE, [5], 512)
    right = core.exchange(private, limit=LIMIT)
    try:
        without_random_words(core, load)
        core.send(private)
        core.advance(WATCHDOG - 50_000)
        assert not core.answered
        core.give_randomness(True)
        assert core.receive(limit=LIMIT)[3:] == right[3:]
        without_random_words(core, load)
        core.send(private)
        core.advance(WATCHDOG // 2)
        core.send(CLEAR)
        assert core.receive(limit=LIMIT) == [private[0] | ErrorCode.ABORTED << 8]
        assert core.receive(limit=LIMIT) == CLEAR
        core.exchange(load, limit=LIMIT)
        core.send(private)
        core.advance(WATCHDOG // 2)
        assert not core.answered
        core.reset()
    finally:
        core.give_randomness(True)
    assert pair.private(key, 5) == ErrorCode.NO_KEY


def test_no_random_words(pair: Pair, key: RsaKey) -> None:
    """Blinded operations say so; what needs none goes on, and the key stays."""
    pair.core.give_randomness(False)
    pair.ask(CLEAR)
    pair.ask(load_rsa_key_request(key))
    pair.model.starved = True
    try:
        before = pair.core.cycles
        for option in (0, 2, 3):
            assert pair.private(key, 5, option=option) == ErrorCode.RANDOM
        assert pair.core.cycles - before > 3 << 20
        assert pair.private(key, 5, option=1) == ErrorCode.OK
    finally:
        pair.core.give_randomness(True)
    pair.model.starved = False
    assert pair.private(key, 5) == ErrorCode.OK


def test_anything(pair: Pair, key: RsaKey) -> None:
    """Right packets with a bit, a length or a word that is not right, both sides pausing."""
    draw = random.Random(7)
    goods = (
        load_rsa_key_request(key),
        load_rsa_key_request(key, 2),
        load_pair_request((7, 3859), (1, 17), 5),
        [2, 5, 3, 21, 5],
        *([each] for each in (1, 9, 4)),
        *(operation_request(command, [5], 512) for command in (Command.PRIVATE, Command.PUBLIC)),
        operation_request(Command.EXPONENTIATE, [5], 5),
        operation_request(Command.EXPONENTIATE, [5, 5], 5, 0, 1),
    )
    lengths = (0, 1, 2, 31, 32, 33, 511, 512, 513, 520, 521, 1024, 1025, 32767, 32768, 65536)
    pair.core.pause_at_random(3)
    try:
        for _ in range(500):
            packet = [*draw.choice(goods)]
            place = draw.randrange(len(packet))
            few = draw.randrange(min(6, len(packet)))
            match draw.randrange(7):
                case 0:
                    del packet[place + 1 :]
                case 1:
                    packet += [draw.getrandbits(32)] * draw.randint(1, 3)
                case 2:
                    packet[few] ^= 1 << draw.randrange(32)
                case 3:
                    packet[place] ^= 1 << draw.randrange(32)
                case 4:
                    masks = (0xF, 0x3FF, 0xFFFF_FFFF)
                    count = draw.randint(1, 20)
                    packet = [draw.getrandbits(32) & draw.choice(masks) for _ in range(count)]
                case 5:
                    packet[few or len(packet) - 1] = draw.choice(lengths)
            pair.ask(packet)
    finally:
        pair.core.pause_at_random(0)
