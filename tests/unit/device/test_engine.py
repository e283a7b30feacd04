"""An engine through the driver: what it is sent, what comes back, and every refusal in words."""

import math
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine_packets import Engine, Words
from totient.check.packets import (
    header,
    load_pair_request,
    load_rsa_key_request,
    number_words,
    operation_request,
)
from totient.common.contract import Command, ErrorCode
from totient.common.errors import DeviceError, InputError, ToolError
from totient.device import Device, Primes, RsaKey, open_device

from .packet_transport import PacketTransport

# Primes that are easy to write.
P, Q = (1 << 521) - 1, (1 << 503) - 91
E = 65537
N = P * Q
D = pow(E, -1, math.lcm(P - 1, Q - 1))
PARTS = Primes(P, Q, D % (P - 1), D % (Q - 1), pow(Q, -1, P))
FORMS = {
    "public": RsaKey(N, E),
    "exponent": RsaKey(N, E, D),
    "primes": RsaKey(N, E, primes=PARTS),
}
BITS = 1026
"""Of the engine: half of them and 8 more are P's."""


@pytest.fixture
def engine() -> Engine:
    """Answers the packets."""
    return Engine(BITS, slots=3)


@pytest.fixture
def device(engine: Engine) -> Device:
    """The driver over it."""
    return Device(PacketTransport(engine))


def test_info(device: Device) -> None:
    assert (device.info.design, device.info.max_bits, device.info.slots) == ("engine", BITS, 3)


def test_cores_that_are_none_say_so() -> None:
    with open_device("sim:binary?width=24") as device:
        assert device.info.slots == 0
        for call in (
            lambda: device.load_rsa_key(FORMS["public"]),
            lambda: device.private(1),
            lambda: device.public(1),
            lambda: device.load_pair((3, 5), (1, 1)),
            lambda: device.exponentiate_pair((1, 1)),
            device.self_test,
        ):
            with pytest.raises(InputError) as error:
                call()
            assert str(error.value) == "the core binary has no key slots, an engine has some"


@pytest.mark.parametrize("form", ["exponent", "primes"])
@pytest.mark.parametrize("slot", [0, 2])
def test_private_and_public(engine: Engine, device: Device, form: str, slot: int) -> None:
    assert device.load_rsa_key(FORMS[form], slot) == 3000
    assert engine.keys == {slot: FORMS[form]}
    for value in (0, 1, 2, 1 << 500, N - 1):
        raised = device.private(value, slot)
        assert raised == (pow(value, D, N), 200)
        assert device.public(raised.result, slot) == (value, 200)


def test_options(engine: Engine, device: Device) -> None:
    device.load_rsa_key(FORMS["primes"], 1)
    for blind_base in (True, False):
        for blind_exponent in (True, False):
            device.private(5, 1, blind_base=blind_base, blind_exponent=blind_exponent)
    asked = [option for command, option, _ in engine.requests if command == Command.PRIVATE]
    assert asked == [2, 0, 3, 1]
    device.load_rsa_key(FORMS["exponent"], 1)
    text = r"^the key in slot 1 has no primes to blind exponents with$"
    with pytest.raises(DeviceError, match=text):
        device.private(5, 1, blind_exponent=True)


def test_pairs_and_plain_keys(engine: Engine, device: Device) -> None:
    moduli, exponents = (P, Q), (D % P, 3)  # the longest
    assert device.load_pair(moduli, exponents, slot=1) == 2000
    for bases in ((0, 0), (1, 1), (moduli[0] - 1, 5), (7, moduli[1] - 1)):
        results = tuple(map(pow, bases, exponents, moduli))
        assert device.exponentiate_pair(bases, 1) == (results, 100)
    assert device.load_key(3859, 17) == 1000
    device.load_rsa_key(FORMS["public"], 2)
    assert device.exponentiate(1234) == (pow(1234, 17, 3859), 100)
    assert device.public(9, 2).result == pow(9, E, N)
    device.self_test(1)
    assert set(engine.keys) == {0, 2}
    with pytest.raises(DeviceError, match=r"^slot 1 has no pair$"):
        device.exponentiate_pair((1, 1), 1)
    device.clear()
    assert not engine.keys
    device.load_key(3859, 17)
    device.load_rsa_key(FORMS["public"], 0)  # in the place of the plain one
    with pytest.raises(DeviceError, match=r"^no key is loaded$"):
        device.exponentiate(1)


def test_the_time_of_a_request_says_nothing_of_a_value() -> None:
    sent: list[Words] = []
    engine = Engine(BITS)

    def core(packet: Words) -> Words:
        sent.append(packet)
        return engine(packet)

    device = Device(PacketTransport(core))
    device.load_rsa_key(RsaKey(N, E, 1 << 20), 1)
    device.load_pair((P >> 100, 3), (1, 1), 300, 2)
    for value in (0, 1, 2):
        device.public(value, 1)
        device.exponentiate_pair((value, 0), 2)
    lengths = {(packet[0] & 0xFF, packet[1], len(packet)) for packet in sent[4:]}
    assert lengths == {(7, 1024, 34), (3, 448, 30)}
    assert len(sent[1]) == 3 + 32 + 1 + 32  # a short exponent, stated as long as the modulus
    assert sent[2] == [10]  # the number of random words
    assert len(sent[3]) == 3 + 2 * 14 + 2 * 10


def test_random_words_where_they_are_wanted() -> None:
    """Enough for each operation that is blinded, new ones each time, as many as are missing."""
    sent: list[Words] = []
    engine = Engine(BITS, room=512)

    def core(packet: Words) -> Words:
        if packet[0] == Command.RANDOM_WORDS and len(packet) > 1:
            sent.append(packet[1:])
        return engine(packet)

    device = Device(PacketTransport(core))
    device.load_rsa_key(FORMS["primes"])
    assert not sent
    device.private(42)
    device.private(42, blind_exponent=True)
    device.private(42, blind_base=False)
    device.public(42)
    assert len(sent) == 2
    most = 2 * -(-(P.bit_length() + 2) // 17)
    assert len(sent[0]) == most > len(sent[1]) > most // 2
    assert len({word for words in sent for word in words}) > len(sent[0]) + len(sent[1]) - 3
    # As after an error: what is there is asked for anew.
    engine.held = 0
    device.private(42)
    assert len(sent[2]) == most


NOT_TAKEN = (
    f"the core takes 512 to {BITS}, with no number longer than the modulus, and primes of as many "
    f"bits together, each of 64 to {BITS // 2 + 8}"
)
Call = Callable[[Device], object]


@pytest.mark.parametrize(
    ("call", "code", "text"),
    [
        (
            lambda d: d.load_rsa_key(RsaKey((1 << 511) - 1, 3, 5), 1),
            ErrorCode.LENGTH,
            f"the key has a modulus of 511 bits, {NOT_TAKEN}",
        ),
        (
            lambda d: d.load_rsa_key(RsaKey((1 << BITS) + 1, 3), 1),
            ErrorCode.LENGTH,
            f"the key has a modulus of {BITS + 1} bits, {NOT_TAKEN}",
        ),
        (
            lambda d: d.load_rsa_key(RsaKey(N, 3, primes=Primes(P, Q >> 1 | 1, 1, 1, 1)), 1),
            ErrorCode.LENGTH,
            f"the key has a modulus of 1024 bits and primes of 521 and 502, {NOT_TAKEN}",
        ),
        (
            lambda d: d.load_rsa_key(RsaKey(N, 3, primes=Primes(P << 1 | 1, 1 << 501, 1, 1, 1)), 1),
            ErrorCode.LENGTH,
            f"the key has a modulus of 1024 bits and primes of 522 and 502, {NOT_TAKEN}",
        ),
        *(
            (
                lambda d, p=p, q=q: d.load_rsa_key(RsaKey(N, 3, primes=Primes(p, q, 1, 1, 1)), 1),
                ErrorCode.PRIME,
                "a prime is even, or the primes' product is not the modulus",
            )
            for p, q in ((P - 1, Q), (P, Q - 1), (P - 2, Q))
        ),
        (
            lambda d: d.load_rsa_key(RsaKey(N, 3, N << 1), 1),
            ErrorCode.LENGTH,
            f"the key has a modulus of 1024 bits, {NOT_TAKEN}",
        ),
        (
            lambda d: d.load_rsa_key(RsaKey(N - 1, 3), 1),
            ErrorCode.MODULUS_EVEN,
            "the modulus (1024 bits) is even, allowed is an odd one",
        ),
        *(
            (
                lambda d, e=e: d.load_rsa_key(RsaKey(N, e), 1),
                ErrorCode.PUBLIC_EXPONENT,
                f"the public exponent ({e.bit_length()} bits) is even or below 3, allowed are odd "
                "numbers from 3",
            )
            for e in (0, 1, 2, 4)
        ),
        (
            lambda d: d.load_pair((3, 1 << 521 | 1), (5, 5), slot=1),
            ErrorCode.LENGTH,
            "the pair has moduli of 2 and 522 bits and exponents of 3, the core takes at most 521",
        ),
        (
            lambda d: d.load_pair((3, 4), (5, 5), slot=1),
            ErrorCode.MODULUS_EVEN,
            "a modulus of the pair is even, allowed are odd ones",
        ),
        (
            lambda d: d.load_pair((1, 3), (5, 5), slot=1),
            ErrorCode.MODULUS_SMALL,
            "a modulus of the pair is 0 or 1, allowed is 3 or more",
        ),
        (
            lambda d: d.load_pair((3, 3), (0, 0), 0, slot=1),
            ErrorCode.EXPONENT_EMPTY,
            f"the exponent has length 0, allowed is 1 to {BITS} bits",
        ),
    ],
)
def test_keys_that_are_refused(device: Device, call: Call, code: ErrorCode, text: str) -> None:
    device.load_rsa_key(FORMS["exponent"], 0)
    device.load_rsa_key(FORMS["exponent"], 1)
    with pytest.raises(DeviceError) as error:
        call(device)
    assert (str(error.value), error.value.code) == (text, code)
    with pytest.raises(DeviceError, match=r"^slot 1 has no key for this operation$"):
        device.private(1, 1)
    assert device.private(9).result == pow(9, D, N)


@pytest.mark.parametrize(
    ("call", "code", "text"),
    [
        (
            lambda d: d.private(N, 1),
            ErrorCode.BASE_NOT_BELOW,
            "the base (1024 bits) is not below the modulus (1024 bits)",
        ),
        (
            lambda d: d.public(1 << 2000, 1),
            ErrorCode.BASE_NOT_BELOW,
            "the base (2001 bits) is not below the modulus (1024 bits)",
        ),
        (
            lambda d: d.exponentiate_pair((0, 5), 2),
            ErrorCode.BASE_NOT_BELOW,
            "a base of the pair is not below its modulus",
        ),
        (lambda d: d.exponentiate_pair((0, 0), 1), ErrorCode.NO_KEY, "slot 1 has no pair"),
        *(
            (
                lambda d, call=call, slot=slot: getattr(d, call)(1, slot),
                ErrorCode.NO_KEY,
                f"slot {slot} has no key for this operation",
            )
            for call, slot in (("private", 0), ("private", 2), ("public", 2))
        ),
    ],
)
def test_operations_that_are_refused(
    device: Device, call: Call, code: ErrorCode, text: str
) -> None:
    device.load_rsa_key(FORMS["public"], 0)
    device.load_rsa_key(FORMS["primes"], 1)
    device.load_pair((3, 5), (1, 1), slot=2)
    with pytest.raises(DeviceError) as error:
        call(device)
    assert (str(error.value), error.value.code) == (text, code)
    assert device.private(9, 1).result == pow(9, D, N)
    assert device.exponentiate_pair((2, 4), 2).results == (2, 4)


def test_what_never_reaches_the_engine(engine: Engine, device: Device) -> None:
    device.load_rsa_key(FORMS["primes"])
    asked = len(engine.requests)
    for call, text in (
        (lambda: device.load_rsa_key(RsaKey(-N, 3)), "the modulus is negative"),
        (lambda: device.load_rsa_key(RsaKey(N, 3, -5)), "the private_exponent is negative"),
        (lambda: device.private(-1), "the base is negative"),
        (lambda: device.public(1, 3), "slot is 3, allowed is 0 to 2"),
        (lambda: device.load_rsa_key(FORMS["public"], -1), "slot is -1, allowed is 0 to 2"),
        (lambda: device.load_pair((3, 5), (1, 9), 3), "exponent_bits is 3, the exponents need 4"),
        (lambda: device.load_pair((3, -5), (1, 9)), "the modulus is negative"),
        (lambda: device.exponentiate_pair((1, -1)), "the base is negative"),
    ):
        with pytest.raises(InputError) as error:
            call()
        assert str(error.value).startswith(text)
    assert len(engine.requests) == asked
    assert device.private(9).result == pow(9, D, N)


def test_no_random_numbers_and_failed_checks(engine: Engine, device: Device) -> None:
    """Nothing is released, and the keys stay."""
    device.load_rsa_key(FORMS["primes"])
    engine.starved = True
    text = r"^the core did not receive random words in time$"
    with pytest.raises(DeviceError, match=text) as error:
        device.private(9)
    assert error.value.code == ErrorCode.RANDOM
    assert device.private(9, blind_base=False).result == pow(9, D, N)
    engine.starved, engine.spoil = False, lambda value: value ^ 1
    text = r"^a check in the core failed, and it released nothing$"
    with pytest.raises(DeviceError, match=text) as error:
        device.private(9)
    assert error.value.code == ErrorCode.FAULT
    engine.spoil = lambda value: value
    assert device.private(9).result == pow(9, D, N)


def test_a_self_test_that_fails(engine: Engine) -> None:
    device = Device(
        PacketTransport(lambda packet: [9 | 14 << 8] if packet[0] == 9 else engine(packet))
    )
    with pytest.raises(DeviceError, match=r"^the core's self-test failed$"):
        device.self_test()


@pytest.mark.parametrize("damage", [lambda words: [*words, 7], lambda words: words[:-1]])
@pytest.mark.parametrize("command", [5, 6, 7])
def test_answers_of_another_length(
    engine: Engine, command: int, damage: Callable[[Words], Words]
) -> None:
    """A result that goes on behind its end is none: the core has found fault with it too late."""

    def core(packet: Words) -> Words:
        answer = engine(packet)
        return damage(answer) if packet[0] & 0xFF == command else answer

    device = Device(PacketTransport(core))
    calls: dict[int, Callable[[int, int], object]] = {6: device.private, 7: device.public}
    if command in calls:
        device.load_rsa_key(FORMS["primes"], 1)
    with pytest.raises(ToolError, match="the answer does not match the request"):
        calls[command](9, 1) if command in calls else device.load_rsa_key(FORMS["primes"], 1)
    with pytest.raises(DeviceError, match="slot 1 has no key"):
        device.private(9, 1)


@pytest.mark.parametrize("slots", [0, 257])
def test_an_engine_with_slots_that_cannot_be(slots: int) -> None:
    with pytest.raises(ToolError, match="there is no Totient core"):
        Device(PacketTransport(Engine(slots=slots)))


def test_keys_show_nothing() -> None:
    for key in FORMS.values():
        assert "object at" in repr(key)
        assert not any(str(number) in repr(key) for number in (N, D, P))
    assert "object at" in repr(PARTS)


def codes(engine: Engine, packets: Sequence[Words]) -> list[int]:
    return [engine(packet)[0] >> 8 & 0xFF for packet in packets]


def test_the_model_word_by_word(engine: Engine) -> None:
    """Requests as the contract's table has them."""
    assert engine([1])[1:] == [0x69676E65, 0x656E, 0, 0, 0x100, BITS, 1, 1, 3]
    assert engine(load_rsa_key_request(FORMS["exponent"], 1)) == [5 | 2 << 16, 3000, 0]
    request = load_rsa_key_request(FORMS["primes"], 2)
    assert request[:5] == [0x020205, 1024, 17, 521, 503]
    assert request[5:38] == [*number_words(N, 1024), E]
    lengths = (521, 503, 521, 503, 521)
    words = [number_words(n, bits) for n, bits in zip(vars(PARTS).values(), lengths, strict=True)]
    assert request[38:] == [word for each in words for word in each]
    assert engine(request) == [5 | 2 << 16, 3000, 0]
    assert engine([0x020006, 2, 2])[:3] == [6 | 34 << 16, 200, 0]
    assert engine([0x020007, 0])[3:] == [0] * 32
    assert engine(load_pair_request((7, 3859), (1, 17), 5)) == [8 | 2 << 16, 2000, 0]
    assert load_pair_request((7, 3859), (1, 17), 5) == [8, 12, 5, 7, 3859, 1, 17]
    assert engine([0x0103, 11, 6, 1141]) == [3 | 4 << 16, 100, 0, 6, pow(1141, 17, 3859)]
    assert engine([9]) == [9]
    assert engine([4]) == [4]
    assert engine([0x0103, 11, 6, 1141]) == [3 | 9 << 8]


@pytest.mark.parametrize("request_", [load_rsa_key_request(key) for key in FORMS.values()])
def test_the_model_refuses_damaged_packets(engine: Engine, request_: Words) -> None:
    """Cut anywhere, or longer; with lengths that are not exact, or a number that is longer."""
    assert set(codes(engine, [request_[:end] for end in range(1, len(request_))])) == {2}
    assert codes(engine, [[*request_, 0]]) == [3]
    for place in range(1, 5 if len(request_) > 100 else 3):
        for change in (-1, 1):
            changed = [*request_]
            changed[place] += change
            # A modulus that is stated with one bit more has a word more.
            ends = (place, change) == (1, 1) and len(request_) < 100
            assert codes(engine, [changed]) == [2 if ends else 4], (place, change)
    assert codes(engine, [request_]) == [0]


@pytest.mark.parametrize(
    ("packet", "code"),
    [
        ([0], 1),
        ([10], 1),
        ([header(5, 3)], 1),
        ([header(6, 4)], 1),
        ([header(7, 1)], 1),
        ([header(9, 0, 3)], 1),
        ([1 | 1 << 24], 1),
        ([9, 0], 3),
        ([6], 2),
        ([5, BITS + 1], 2),
        ([5, BITS + 1, 17], 4),
        ([5, 1024, 1025], 4),
        ([5, 1024, 1], 12),
        ([header(5, 2), 1024, 17, 1023, 1], 4),
        ([header(5, 2), 1024, 17, BITS // 2 + 9, 1024 - BITS // 2 - 9], 4),
        ([header(5, 2), 512, 17, 449, 63], 4),
        ([header(5, 2), 512, 17, 448, 64], 2),
        ([2, 2, 3, 5, 1], 4),
        ([2, 2, 3, 5, 1, 0], 3),
        ([2, 2, 0, 2], 5),
        ([2, 2, 1, 2, 1], 6),
        ([2, 2, 1, 1, 1], 7),
        ([6, BITS + 1], 4),
        ([6, 5, 32], 4),
        ([6, 5, 32, 0], 3),
        ([6, 5, 31], 9),
        (operation_request(Command.EXPONENTIATE, (0, 0), BITS // 2 + 9, option=1), 4),
        (operation_request(Command.EXPONENTIATE, (0, 0), 9, option=1), 9),
        (operation_request(Command.EXPONENTIATE, (0, 0, 0), 9, option=2), 1),
    ],
)
def test_the_model_refuses(engine: Engine, packet: Words, code: int) -> None:
    assert codes(engine, [packet]) == [code]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.integers(0, 0xFFFF_FFFF) | st.integers(0, 1100), min_size=1, max_size=12))
def test_the_model_answers_anything(packet: Words) -> None:
    first, *rest = Engine()(packet)
    assert first & 0xFF == packet[0] & 0xFF
    assert first >> 16 == len(rest)
    assert first >> 8 & 0xFF in list(ErrorCode)
