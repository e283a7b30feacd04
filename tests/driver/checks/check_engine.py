"""What libtotient has to do over an engine, and with a core that is none."""

from collections.abc import Callable
from functools import partial
from operator import xor
from typing import Any

import pytest
from tests.driver.answerers import ENGINE_BITS, ENGINE_SLOTS, Answerer
from tests.driver.bench import (
    FILL,
    NULL,
    RsaNumbers,
    WayError,
    call,
    callback,
    contents,
    ffi,
    lib,
    new,
    octets,
    refuses_nulls,
    room,
)
from tests.driver.core import (
    KEY_BYTES,
    PAIR_BITS,
    PRIME_BYTES,
    Bench,
    Core,
    E,
    N,
    numbers,
    rsa_key,
    rsa_keys,
)

from totient.common.contract import LONGER_HALF_BITS, RANDOM_WORD_DIGIT_BITS, ErrorCode

KEYS = rsa_keys()
KEY, OTHER = KEYS
LAST = ENGINE_SLOTS - 1
SIZE_MAX = (1 << 64) - 1
MESSAGE = N % (1 << 56)
NO_BASE_BLINDING, EXPONENT_BLINDING = lib.TOTIENT_NO_BASE_BLINDING, lib.TOTIENT_EXPONENT_BLINDING
PAIR = [(KEY.p, PRIME_BYTES), (KEY.q, PRIME_BYTES)]
EXPONENTS = [(part, PRIME_BYTES) for part in KEY.parts[:2]]
MODULI, D_PAIR = numbers(PAIR), numbers(EXPONENTS)

on_engines = pytest.mark.parametrize("bench", ["engine-registers", "engine-serial"], indirect=True)
on_cores = pytest.mark.parametrize(
    "bench", ["core-registers", "rtl-stream", "rtl-registers", "rtl-serial"], indirect=True
)


@pytest.fixture(params=[0, 52], ids=["own-random", "random-by-packets"])
def core(bench: Bench, request: pytest.FixtureRequest) -> Core:
    """An engine with random words of its own, and one that gets them."""
    bench.hardware.engine.room = request.param
    return Core(bench)


def is_empty(core: Core, slot: int) -> bool:
    """No key is in a slot, and nothing of an operation comes out."""
    nothing = ("NO_KEY", 0)
    return (
        core.private(slot, KEY.message) == nothing
        and core.public(slot, KEY.message) == nothing
        and core.power_pair(slot, KEY.pair, 32) == ("NO_KEY", (0, 0))
    )


def raises(core: Core, slot: int, key: RsaNumbers, options: int = 0) -> bool:
    return core.private(slot, key.message, options) == ("OK", key.privately)


def inverts(core: Core, slot: int, key: RsaNumbers) -> bool:
    return core.public(slot, key.privately) == ("OK", key.message)


def takes_a_plain_key(core: Core) -> bool:
    """By the requests that every core takes."""
    loaded = core.load_public(N, E)
    return (loaded, core.power(MESSAGE, 7)) == ("OK", ("OK", pow(MESSAGE, E, N)))


@on_engines
def test_forms_of_a_key(core: Core) -> None:
    handle = core.handle
    assert handle.slots == ENGINE_SLOTS
    assert all(is_empty(core, slot) for slot in range(ENGINE_SLOTS))
    for key in KEYS:
        assert core.load_rsa(LAST, key, "public") == "OK"
        assert handle.slot_bits[LAST] == 8 * KEY_BYTES
        assert handle.cycles
        assert inverts(core, LAST, key)
        assert handle.cycles
        assert core.private(LAST, key.message) == ("NO_KEY", 0)
        assert core.load_rsa(LAST, key, "exponent") == "OK"
        assert raises(core, LAST, key)
        assert inverts(core, LAST, key)
        # It needs the primes.
        assert core.private(LAST, key.message, EXPONENT_BLINDING) == ("COMMAND", 0)
        assert core.load_rsa(LAST, key) == "OK"
        assert all(raises(core, LAST, key, options) for options in range(4))
        assert inverts(core, LAST, key)
    assert is_empty(core, 0)


@on_engines
def test_two_keys_and_lengths_of_buffers(core: Core) -> None:
    """Longer buffers, in place, and zeros before the result; 0 and 1 stay what they are."""
    assert core.load_rsa(0, KEY) == core.load_rsa(LAST, OTHER) == "OK"
    assert raises(core, 0, KEY)
    assert raises(core, LAST, OTHER)
    longer = KEY_BYTES + 3
    assert core.public(0, KEY.message, longer, longer, in_place=True) == ("OK", KEY.publicly)
    assert core.private(0, KEY.publicly, 0, longer, longer, in_place=True) == ("OK", KEY.message)
    for value in (0, 1):
        assert core.private(0, value, length=1, size=longer) == ("OK", value)


@on_engines
def test_keys_of_another_kind(core: Core) -> None:
    """They do not serve a request; a plain key takes slot 0 only, and gives it back."""
    assert core.load_rsa(0, KEY) == core.load_rsa(LAST, OTHER) == "OK"
    assert core.power_pair(LAST, KEY.pair, KEY_BYTES) == ("NO_KEY", (0, 0))
    assert core.power(KEY.message, KEY_BYTES, KEY_BYTES) == ("NO_KEY", 0)
    assert core.load_pair_of(0, KEY) == "OK"
    assert core.handle.cycles
    assert core.private(0, KEY.pair[0]) == core.public(0, KEY.pair[0]) == ("NO_KEY", 0)
    assert core.power(KEY.pair[0], PRIME_BYTES, KEY_BYTES) == ("NO_KEY", 0)
    assert core.power_pair(0, KEY.pair, in_place=True) == ("OK", KEY.pair_raised)
    assert core.handle.cycles
    # Of an engine of 512 bits the longest one that it takes.
    assert core.load_pair_of(0, OTHER) == "OK"
    assert core.power_pair(0, OTHER.pair) == ("OK", OTHER.pair_raised)
    assert takes_a_plain_key(core)
    assert is_empty(core, 0)
    assert raises(core, LAST, OTHER)
    assert core.handle.modulus_bits
    assert core.load_rsa(0, KEY) == "OK"
    assert core.handle.modulus_bits == 0
    assert core.power(MESSAGE, 7) == ("NO_KEY", 0)
    assert raises(core, 0, KEY)


@on_engines
def test_self_tests_and_clear(core: Core) -> None:
    assert core.load_rsa(0, KEY) == core.load_rsa(LAST, OTHER) == "OK"
    assert core.self_test(0) == "OK"
    assert is_empty(core, 0)
    assert inverts(core, LAST, OTHER)
    assert takes_a_plain_key(core)
    assert core.self_test(0) == "OK"
    assert core.handle.modulus_bits == 0
    assert core.self_test(LAST) == "OK"
    assert is_empty(core, LAST)
    assert core.load_rsa(0, KEY) == "OK"
    assert raises(core, 0, KEY)
    assert core.clear() == "OK"
    assert all(is_empty(core, slot) for slot in range(ENGINE_SLOTS))
    assert core.self_test(0) == "OK"


def ones(length: int) -> tuple[int, int]:
    """So many bytes of ones."""
    return (1 << 8 * length) - 1, length


LONGEST = ENGINE_BITS // 8 + 1
"""Bytes; longer than the engine takes."""
HALF = (ENGINE_BITS // 2 + LONGER_HALF_BITS) // 8
SHORT = {name: ones(1) for name in ("d_p", "d_q", "q_inverse")}
REFUSED: dict[str, tuple[str, str, dict[str, Any]]] = {
    "even": ("exponent", "MODULUS_EVEN", {"modulus": (KEY.n ^ 1, KEY_BYTES)}),
    "511 bits": (
        "exponent",
        "LENGTH",
        {"modulus": (KEY.n & ~(1 << 511) | 1 << 510, KEY_BYTES), "private_exponent": (KEY.e, 4)},
    ),
    "no modulus": ("exponent", "LENGTH", {"modulus": (0, 0)}),
    "longer modulus": ("exponent", "LENGTH", {"modulus": ones(LONGEST)}),
    "longer e": ("exponent", "LENGTH", {"public_exponent": ones(LONGEST)}),
    "longer d": ("exponent", "LENGTH", {"private_exponent": ones(KEY_BYTES + 1)}),
    "shorter primes": ("primes", "LENGTH", {"p": ones(31), "q": ones(31), **SHORT}),
    "longer primes": ("primes", "LENGTH", {"p": ones(33), "q": ones(32), **SHORT}),
    "longer half": (
        "primes",
        "LENGTH",
        {"modulus": ones(ENGINE_BITS // 8), "p": ones(HALF + 1), "q": ones(KEY_BYTES - HALF - 1)},
    ),
    "longest prime": (
        "primes",
        "LENGTH",
        {"modulus": ones(ENGINE_BITS // 8), "p": ones(LONGEST), "q": ones(KEY_BYTES - HALF - 1)},
    ),
    "q is p": ("primes", "PRIME", {"q": (KEY.p, PRIME_BYTES)}),
    **{
        f"e = {e}": ("exponent", "PUBLIC_EXPONENT", {"public_exponent": (e, 1)})
        for e in (0, 1, 2, 4)
    },
    **{
        f"longer {name}": ("primes", "LENGTH", {name: ones(PRIME_BYTES)})
        for name in ("d_p", "d_q", "q_inverse")
    },
    **{
        f"{name} ^ {change}": ("primes", "PRIME", {name: (getattr(KEY, name) ^ change, 33)})
        for name in ("p", "q")
        for change in (1, 2)
    },
}


@on_engines
@pytest.mark.parametrize("refused", REFUSED)
def test_keys_that_are_refused(core: Core, refused: str) -> None:
    """None is left in its slot, but in another one."""
    form, result, changes = REFUSED[refused]
    assert core.load_rsa(0, KEY) == core.load_rsa(1, KEY, "public") == "OK"
    assert core.load_rsa(1, KEY, form, **changes) == result
    assert is_empty(core, 1)
    assert inverts(core, 0, KEY)


@on_engines
def test_parts_of_a_key_that_are_missing(core: Core) -> None:
    """The key that is there stays; the length of nothing is not read."""
    assert core.load_rsa(0, KEY) == "OK"
    for name in ("p", "q", "d_p", "d_q", "q_inverse"):
        assert core.load_rsa(0, KEY, "primes", **{name: None}) == "ARGUMENT", name
    struct = rsa_key(KEY)
    struct.p.bytes, struct.p.length = NULL, SIZE_MAX
    assert core.call("engine_load_key", 1, struct) == "ARGUMENT"
    assert raises(core, 0, KEY)


@on_engines
def test_messages_that_are_refused(core: Core) -> None:
    assert core.load_rsa(0, KEY) == "OK"
    assert core.private(0, KEY.n) == core.public(0, KEY.n) == ("BASE_NOT_BELOW", 0)
    assert core.public(0, *ones(KEY_BYTES + 1)) == ("BASE_NOT_BELOW", 0)
    assert core.public(0, KEY.message, size=KEY_BYTES - 1) == ("ARGUMENT", 0)
    assert raises(core, 0, KEY)


@on_engines
def test_options_and_slots_that_are_refused(core: Core) -> None:
    nothing = ("ARGUMENT", 0)
    assert core.load_rsa(0, KEY) == "OK"
    for options in (4, 8, 0x100, 0x80000000, 0xFFFFFFFF):
        assert core.private(0, KEY.message, options) == nothing, options
    for slot in (ENGINE_SLOTS, lib.TOTIENT_MAX_SLOTS, 0x100, 0xFFFFFFFF):
        assert core.load_rsa(slot, KEY) == core.load_pair_of(slot, KEY) == "ARGUMENT"
        assert core.self_test(slot) == "ARGUMENT"
        assert core.public(slot, KEY.message) == core.private(slot, KEY.message) == nothing
        assert core.power_pair(slot, KEY.pair) == ("ARGUMENT", (0, 0))
    assert raises(core, 0, KEY)


@on_engines
@pytest.mark.parametrize("place", [0, 1])
def test_pairs_that_are_refused(core: Core, place: int) -> None:
    for number, result in (
        ((PAIR[place][0] ^ 1, PRIME_BYTES), "MODULUS_EVEN"),
        ((1, 1), "MODULUS_SMALL"),
        ((0, 0), "MODULUS_SMALL"),
        (ones(HALF + 1), "LENGTH"),
        (ones(LONGEST), "LENGTH"),
    ):
        assert core.load_pair_of(1, KEY) == "OK"
        pair = [number if place == each else PAIR[each] for each in (0, 1)]
        assert core.load_pair(1, pair, EXPONENTS, 256) == result
        assert is_empty(core, 1)
    exponents = [ones(PRIME_BYTES) if place == each else EXPONENTS[each] for each in (0, 1)]
    assert core.load_pair(1, PAIR, exponents, 256) == "LENGTH"


@on_engines
def test_lengths_and_messages_of_pairs(core: Core) -> None:
    assert core.load_pair(1, PAIR, EXPONENTS, 8) == "LENGTH"
    assert core.load_pair(1, PAIR, EXPONENTS, SIZE_MAX) == "LENGTH"
    assert core.load_pair(1, PAIR, [(0, 0), (0, 0)], 0) == "EXPONENT_EMPTY"
    assert is_empty(core, 1)
    assert core.load_pair_of(1, KEY) == "OK"
    refused = ("BASE_NOT_BELOW", (0, 0))
    assert core.power_pair(1, (KEY.pair[0], KEY.q), in_place=True) == refused  # the second one only
    assert core.power_pair(1, [ones(PRIME_BYTES)[0]] * 2, in_place=True) == refused
    assert core.power_pair(1, KEY.pair, 31) == ("ARGUMENT", (0, 0))
    assert core.power_pair(1, KEY.pair) == ("OK", KEY.pair_raised)
    assert core.handle.slot_pair[1]
    assert core.handle.slot_bits[1] == KEY.p.bit_length()
    assert core.clear() == "OK"
    assert (core.handle.slot_pair[1], core.handle.slot_bits[1]) == (False, 0)


@on_engines
def test_null_pointers(bench: Bench) -> None:
    """Each pointer of each function, one at a time: refused, and nothing is written."""
    handle = new("struct totient *")
    message, pair, result = octets(KEY.message, KEY_BYTES), room(2 * PRIME_BYTES), room(128)
    calls: list[tuple[Any, tuple[Any, ...], tuple[int, ...]]] = [
        (lib.totient_engine_load_key, (0, rsa_key(KEY)), ()),
        (lib.totient_engine_private, (0, 0, message, KEY_BYTES, result, KEY_BYTES), ()),
        (lib.totient_engine_private_unchecked, (0, 0, message, KEY_BYTES, result, KEY_BYTES), ()),
        (lib.totient_engine_public, (0, message, KEY_BYTES, result, KEY_BYTES), ()),
        (lib.totient_engine_load_pair, (1, MODULI, D_PAIR, PAIR_BITS), ()),
        (lib.totient_engine_raise_pair, (1, pair, PRIME_BYTES, result, PRIME_BYTES), ()),
        (lib.totient_engine_self_test, (2,), ()),
        (lib.totient_engine_random_source, (NULL, NULL), (2,)),
    ]
    # A handle that was not opened refuses everything.
    assert call(lib.totient_open, handle, NULL, bench.context) == "ARGUMENT"
    for function, arguments, _ in calls:
        assert call(function, handle, *arguments) == "ARGUMENT"
    core = Core(bench)
    assert core.load_rsa(0, KEY) == core.load_pair_of(1, KEY) == "OK"
    for function, arguments, allowed in calls:
        refuses_nulls(function, core.handle, *arguments, allowed=allowed)
    for name in ("modulus", "public_exponent"):
        assert core.load_rsa(0, KEY, "primes", **{name: None}) == "ARGUMENT"
    for place in (0, 1):
        pair_without = [None if each == place else PAIR[each] for each in (0, 1)]
        assert core.load_pair(1, pair_without, EXPONENTS) == "ARGUMENT"
        assert core.load_pair(1, PAIR, pair_without) == "ARGUMENT"
    assert contents(result) == bytes([FILL]) * 128
    # The keys are still there: none of this went to the core.
    assert raises(core, 0, KEY)
    assert core.power_pair(1, KEY.pair) == ("OK", KEY.pair_raised)


@on_engines
def test_nothing_is_kept(bench: Bench) -> None:
    """As of any core. Without primes, the two keys have as many words."""
    seen = set()
    for key in KEYS:
        core = Core(bench)
        assert core.load_rsa(1, key, "exponent") == "OK"
        assert raises(core, 1, key)
        assert core.private(1, key.n) == ("BASE_NOT_BELOW", 0)
        used = contents(bench.context)
        assert core.clear() == "OK"
        seen.add((used, contents(bench.context), contents(core.handle)))
    assert len(seen) == 1


@on_cores
def test_no_engine(bench: Bench) -> None:
    """A core that is none says so, and is not sent what it does not know."""
    core = Core(bench)
    asked = bench.answerer.requests if bench.answerer else 0
    assert core.handle.slots == 0
    assert core.load_rsa(0, KEY, "public") == core.load_pair_of(0, KEY) == "COMMAND"
    assert core.load_rsa(1, KEY) == core.load_pair_of(2, KEY) == "COMMAND"
    assert core.self_test(0) == core.call("engine_random_source", NULL, NULL) == "COMMAND"
    for slot in (0, 1):
        assert core.private(slot, KEY.message) == core.public(slot, KEY.message) == ("COMMAND", 0)
        assert core.power_pair(slot, KEY.pair) == ("COMMAND", (0, 0))
    assert (bench.answerer.requests if bench.answerer else 0) == asked
    assert takes_a_plain_key(core)


# What an engine is asked, with the result of a good one and how many words its answer has.
Ask = Callable[[Core], Any]
REQUESTS: dict[str, tuple[Ask, Any, int]] = {
    "load_rsa": (lambda core: core.load_rsa(1, KEY), "OK", 2),
    "private": (lambda core: core.private(1, KEY.message), ("OK", KEY.privately), 18),
    "public": (lambda core: core.public(1, KEY.message), ("OK", KEY.publicly), 18),
    "self_test": (lambda core: core.self_test(0), "OK", 0),
    "load_pair": (lambda core: core.load_pair_of(2, KEY), "OK", 2),
    "power_pair": (lambda core: core.power_pair(2, KEY.pair), ("OK", KEY.pair_raised), 18),
}
LOADS = {"load_rsa": "private", "load_pair": "power_pair"}
"""What a key is loaded for."""


def ask(core: Core, request: str) -> Any:
    return REQUESTS[request][0](core)


def well(core: Core, *requests: str) -> bool:
    """Whether all goes well."""
    return all(ask(core, request) == REQUESTS[request][1] for request in requests)


def failed(result: str, request: str) -> Any:
    """What a request gives that fails: nothing but zeros."""
    good = REQUESTS[request][1]
    if isinstance(good, str):
        return result
    return result, (0, 0) if request == "power_pair" else 0


def prepared(bench: Bench, request: str) -> Core:
    """Everything in order, up to but without a request."""
    core = Core(bench)
    before = list(REQUESTS)[: list(REQUESTS).index(request)]
    assert well(core, *(each for each in before if each in LOADS))
    return core


@on_engines
@pytest.mark.parametrize("request_", REQUESTS)
def test_refusals_without_a_reason(bench: Bench, request_: str) -> None:
    """The keys are still there; one that was not loaded is not."""
    for code in (ErrorCode.RANDOM, ErrorCode.FAULT):
        core = prepared(bench, request_)
        bench.hardware.refusal = code
        assert ask(core, request_) == failed(code.name, request_)
        if request_ in LOADS:
            assert ask(core, LOADS[request_]) == failed("NO_KEY", LOADS[request_])
        assert well(core, request_)


@on_engines
@pytest.mark.parametrize("kind", ["further", "more"])
@pytest.mark.parametrize("request_", REQUESTS)
def test_answers_of_another_length(bench: Bench, request_: str, kind: str) -> None:
    """Cut or longer, whether they say so or not; the keys are wiped with the way."""
    words = REQUESTS[request_][2]
    for change in range(-words, 3):
        core = prepared(bench, request_)
        setattr(bench.hardware, kind, change)
        if change == 0:
            assert well(core, request_)
            continue
        assert ask(core, request_) == failed("PROTOCOL", request_), change
        for operation in LOADS.values():
            assert ask(core, operation) == failed("NO_KEY", operation)
        assert well(core, "self_test", "load_rsa", "public")


@on_engines
@pytest.mark.parametrize("request_", REQUESTS)
def test_no_answer(bench: Bench, request_: str) -> None:
    core = prepared(bench, request_)
    bench.hardware.silent = 1
    assert ask(core, request_) == failed("TIMEOUT", request_)
    assert well(core, "load_rsa", "public")


@on_engines
def test_faults_and_options(bench: Bench) -> None:
    """A fault in its arithmetic: the engine's own check finds it. Options arrive."""
    core, hardware = prepared(bench, "power_pair"), bench.hardware
    hardware.lie = True
    assert ask(core, "private") == failed("FAULT", "private")
    for options in range(4):
        assert raises(core, 1, KEY, options)
        assert hardware.engine.requests[-1][1] == options
    assert core.clear() == "OK"
    assert not hardware.engine.keys
    assert well(core, "load_pair")
    assert core.self_test(2) == "OK"
    assert not hardware.engine.keys


@on_engines
@pytest.mark.parametrize("form", ["primes", "exponent"])
def test_a_private_result_is_checked(bench: Bench, form: str) -> None:
    """A fault behind the engine's check is not released, at any place, also in place."""
    core, hardware = Core(bench), bench.hardware
    for key in KEYS:
        assert core.load_rsa(1, key, form) == "OK"
        assert core.private_checked(1, key.message) == ("OK", key.privately)
        assert core.handle.cycles
        for place in range(0, 8 * KEY_BYTES, 31):
            hardware.engine.release = partial(xor, 1 << place)
            # A result that is not below the modulus is refused by the engine.
            result = "WRONG_RESULT" if key.privately ^ 1 << place < key.n else "BASE_NOT_BELOW"
            in_place = bool(place % 2)
            assert core.private_checked(1, key.message, in_place=in_place) == (result, 0)
        # The unchecked one lets it out.
        hardware.engine.release = partial(xor, 1)
        assert core.private(1, key.message) == ("OK", key.privately ^ 1)
        hardware.engine.release = partial(xor, 0)
        assert core.private_checked(1, key.message) == ("OK", key.privately), "the key stays"


@on_engines
def test_buffers_of_a_checked_operation(bench: Bench) -> None:
    """Longer than any modulus, shorter than the message's bytes, in place; values at the ends."""
    core = prepared(bench, "private")
    for longer in (KEY_BYTES + 3, 513, 1000):
        for length, size in ((longer, KEY_BYTES), (KEY_BYTES, longer)):
            checked = core.private_checked(1, KEY.message, 0, length, size)
            assert checked == ("OK", KEY.privately)
        checked = core.private_checked(1, KEY.message, 0, longer, longer, in_place=True)
        assert checked == ("OK", KEY.privately)
    for value, length in ((0, 0), (0, 1), (1, 1), (KEY.n - 1, KEY_BYTES)):
        raised = pow(value, KEY.d, KEY.n)
        assert core.private_checked(1, value, length=length) == ("OK", raised)
    for value in (KEY.n, KEY.message + (1 << 8 * KEY_BYTES), KEY.message + (1 << 8 * 600)):
        assert core.private_checked(1, value, length=700) == ("BASE_NOT_BELOW", 0)
    assert core.private_checked(1, KEY.message, size=KEY_BYTES - 1) == ("ARGUMENT", 0)
    assert core.private_checked(1, KEY.message, 4) == ("ARGUMENT", 0)
    assert core.private_checked(0, KEY.message) == ("NO_KEY", 0)
    assert core.load_rsa(0, KEY, "public") == "OK"
    assert core.private_checked(0, KEY.message) == ("NO_KEY", 0)
    assert core.private_checked(ENGINE_SLOTS, KEY.message) == ("ARGUMENT", 0)


@on_engines
@pytest.mark.parametrize(
    ("fault", "value", "result"),
    [
        ("silent", 1, "TIMEOUT"),
        ("refusal", ErrorCode.FAULT, "FAULT"),
        ("refusal", ErrorCode.NO_KEY, "NO_KEY"),
        ("more", -1, "PROTOCOL"),
    ],
)
def test_a_check_that_fails_releases_nothing(
    bench: Bench, fault: str, value: int, result: str
) -> None:
    """The private operation goes well, the public one does not."""
    core, hardware = prepared(bench, "private"), bench.hardware
    for in_place in (False, True):
        assert core.load_rsa(1, KEY) == "OK"
        assert core.private(1, KEY.message, NO_BASE_BLINDING) == ("OK", KEY.privately)
        setattr(hardware, fault, value)
        hardware.delay, asked = 1, hardware.requests
        checked = core.private_checked(1, KEY.message, NO_BASE_BLINDING, in_place=in_place)
        assert checked == (result, 0)
        assert not hardware.delay
        assert hardware.requests >= asked + 2


@on_engines
def test_cycles_of_a_checked_operation(bench: Bench) -> None:
    """Those of the private operation alone."""
    core = prepared(bench, "private")
    assert well(core, "private")
    cycles = core.handle.cycles
    assert well(core, "public")
    assert core.handle.cycles != cycles
    assert core.private_checked(1, KEY.message) == ("OK", KEY.privately)
    assert core.handle.cycles == cycles


@on_engines
def test_what_is_not_sent(bench: Bench) -> None:
    """Longer than the core takes, than can be counted, or for a key of another kind."""
    core, hardware = prepared(bench, "private"), bench.hardware
    asked = hardware.requests
    assert core.load_pair(2, PAIR, PAIR, ENGINE_BITS + 1) == "LENGTH"
    assert core.load_pair(2, PAIR, PAIR, SIZE_MAX) == "LENGTH"
    assert core.power_pair(1, KEY.pair, KEY_BYTES // 2) == ("NO_KEY", (0, 0))
    assert hardware.requests == asked
    assert well(core, "load_pair")
    assert core.public(2, KEY.pair[0], PRIME_BYTES) == ("NO_KEY", 0)
    assert hardware.requests == asked + 1


@on_engines
@pytest.mark.parametrize("slots", [255, 256, 257])
def test_slots(bench: Bench, slots: int) -> None:
    """As many as a request can name, and no more; the handle has room for some of them."""
    bench.hardware.engine.slots = slots
    handle = new("struct totient *")
    opened = call(lib.totient_open, handle, bench.table, bench.context)
    good = ("OK", lib.TOTIENT_MAX_SLOTS)
    assert (opened, handle.slots) == (good if slots <= 256 else ("NO_CORE", 0))


@on_engines
@pytest.mark.parametrize("request_", ["load_rsa", "self_test", "load_pair"])
def test_resets_that_fail(bench: Bench, request_: str) -> None:
    """Nothing is asked before the way has begun anew."""
    to_fail = 0

    def reset(context: Any) -> None:
        nonlocal to_fail
        if to_fail:
            to_fail -= 1
            raise WayError("TRANSPORT")
        assert call(bench.table.reset, context) == "OK"

    table = new("struct totient_transport *", 0)
    table[0], kept = bench.table[0], callback("void *", reset)
    table.reset = kept
    core = Core(bench, table)
    assert well(core, "load_rsa")
    bench.hardware.silent, to_fail = 1, 2
    assert ask(core, "public") == failed("TIMEOUT", "public")
    assert core.handle.out_of_step
    assert ask(core, "public") == failed("NO_KEY", "public")
    assert ask(core, request_) == failed("TRANSPORT", request_)
    assert core.handle.out_of_step
    assert well(core, request_)
    assert not core.handle.out_of_step


# Random words of an operation, with primes of 256 bits: at most, and without blinded exponents.
WANTED = 2 * -(-(256 + 2) // RANDOM_WORD_DIGIT_BITS)
TAKEN, ROOM = WANTED - 4, WANTED + 20


@pytest.fixture
def random(bench: Bench) -> tuple[Core, Answerer]:
    """An engine that gets its random words by packets, with a key in slot 1."""
    bench.hardware.engine.room = ROOM
    core = prepared(bench, "private")
    assert core.handle.random_known
    assert core.handle.random_words == ROOM
    return core, bench.hardware


@on_engines
def test_random_words(random: tuple[Core, Answerer]) -> None:
    """From the operating system: each time what is missing, fresh ones."""
    core, hardware = random
    packets = []
    for turn in range(3):
        assert well(core, "private")
        assert len(hardware.random) == (TAKEN if turn else WANTED)
        assert hardware.engine.held == WANTED - TAKEN
        packets.append(hardware.random[:TAKEN])
        assert packets[-1][0] != packets[-1][1]
        assert packets[-1][-1] != 0
    assert len({tuple(packet[: WANTED // 2]) for packet in packets}) == 3
    # Exponents are blinded, too.
    for options, held in ((2, 0), (3, TAKEN)):
        assert raises(core, 1, KEY, options)
        assert hardware.engine.held == held


@on_engines
def test_where_no_random_words_are_wanted(bench: Bench) -> None:
    """Nothing is asked for."""
    bench.hardware.engine.room = ROOM
    core = Core(bench)
    assert core.load_rsa(0, KEY, "public") == "OK"
    assert not core.handle.random_known
    assert well(core, "load_rsa")
    asked = bench.hardware.requests
    assert raises(core, 1, KEY, NO_BASE_BLINDING)
    assert well(core, "public")
    assert core.private(0, KEY.message) == ("NO_KEY", 0)
    assert bench.hardware.requests == asked + 3
    bench.hardware.engine.room = 0
    core = prepared(bench, "private")
    assert core.handle.random_known
    asked = bench.hardware.requests
    assert well(core, "private")
    assert bench.hardware.requests == asked + 1


@on_engines
def test_a_source_that_is_given(random: tuple[Core, Answerer]) -> None:
    """It fails from a count on: nothing is released, and the key stays."""
    core, hardware = random
    given = bytearray()

    def source(user: Any, data: Any, count: int) -> bool:
        for place in range(count):
            if len(given) == 4 * (TAKEN + 4):
                return False
            data[place] = (7 * len(given) + 1) % 256
            given.append(data[place])
        return True

    kept = ffi.callback("bool(void *, uint8_t *, size_t)", source)
    assert core.call("engine_random_source", kept, NULL) == "OK"
    assert well(core, "private")
    assert len(given) == 4 * WANTED
    assert b"".join(word.to_bytes(4, "little") for word in hardware.random) == given
    asked = hardware.requests
    assert ask(core, "private") == failed("NO_RANDOM", "private")
    assert hardware.requests == asked + 1
    assert core.call("engine_random_source", NULL, NULL) == "OK"
    assert well(core, "private")


@on_engines
def test_random_words_that_are_there(bench: Bench, random: tuple[Core, Answerer]) -> None:
    """A second handle finds out anew; a core that keeps fewer gets as many as it keeps."""
    hardware = random[1]
    core = Core(bench)
    assert core.load_rsa(1, KEY, "exponent") == "OK"
    assert core.handle.random_words == ROOM
    hardware.engine.held, asked = ROOM, hardware.requests
    assert well(core, "private")
    assert hardware.requests == asked + 2
    digits = -(-(8 * KEY_BYTES + 2) // RANDOM_WORD_DIGIT_BITS)
    assert hardware.engine.held == ROOM - (digits - 2)
    hardware.engine.room, hardware.engine.held = TAKEN, 0
    core = prepared(bench, "private")
    assert core.handle.random_words == TAKEN
    assert well(core, "private")
    assert len(hardware.random) == TAKEN


@on_engines
@pytest.mark.parametrize(
    ("fault", "value", "result"),
    [
        ("silent", 1, "TIMEOUT"),
        ("refusal", ErrorCode.LENGTH, "PROTOCOL"),
        ("refusal", ErrorCode.COMMAND, "PROTOCOL"),
        ("further", 1, "PROTOCOL"),
        ("more", 1, "PROTOCOL"),
        ("more", -1, "PROTOCOL"),
        ("more", -2, "PROTOCOL"),
    ],
)
def test_answers_about_random_words(
    random: tuple[Core, Answerer], fault: str, value: int, result: str
) -> None:
    core, hardware = random
    setattr(hardware, fault, value)
    assert ask(core, "private") == failed(result, "private")
    assert ask(core, "private") == failed("NO_KEY", "private")
    assert well(core, "load_rsa", "private")
