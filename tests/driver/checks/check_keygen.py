"""What libtotient has to do over the IPs with key generation: answered by Python, and the RTL."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from Crypto.Util.number import getPrime
from tests.driver.bench import (
    FILL,
    NULL,
    SETTINGS,
    Bus,
    by_registers,
    call,
    contents,
    ffi,
    lib,
    new,
    number,
    octets,
    refuses_nulls,
    room,
    simulated,
    without,
)
from tests.driver.core import D, E, N
from tests.driver.keygen_answerers import KEY_CYCLES, MESSAGE_CYCLES, RegistersIp, StreamIp
from tests.driver.models import PRIME_BITS

from totient.catalog import Work, cycle_formulas, select_ip
from totient.common.contract import VERSION
from totient.golden.keygen import tried_exponents

P, Q = 4294967291, 4294967279
PUBLIC, PRIVATE = lib.TOTIENT_PUBLIC, lib.TOTIENT_PRIVATE
POLLS = 20_000
KNOWN = {2, 4, 5, 6, 7, 8, 9, 11, 12}
"""Error codes of these IPs."""


@dataclass
class Bench:
    """An IP with key generation, and ways to it.

    Attributes:
        registers: `struct totient_registers *`.
        stream: `struct totient_transport *`; None: it has registers only.
        context: what its functions are called with.
        key_cycles: clock cycles of a key of P and Q with the first coprime exponent.
        message_cycles: of a message to it.
    """

    registers: Any
    stream: Any
    context: Any
    key_cycles: int
    message_cycles: int
    hardware: Any = None
    simulation: Any = None


@pytest.fixture
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    """An IP by its name: `python` or `rtl`, and `registers` or `stream`."""
    kind, _, face = request.param.partition("-")
    streams = face == "stream"
    if kind == "python":
        ip = StreamIp() if streams else RegistersIp()
        stream = ip.table if isinstance(ip, StreamIp) else None
        yield Bench(ip.way, stream, NULL, KEY_CYCLES, MESSAGE_CYCLES, ip)
        return
    configured = select_ip("E3" if streams else "B1")
    tried = tuple(tried_exponents((P - 1) * (Q - 1)))
    work = Work(P * Q, tried[-1].bit_length(), 32, 32, tried)
    formulas = cycle_formulas(configured.ip)
    key, message = (formulas[part].cycles(configured, work) for part in ("key", "message"))
    simulation = simulated(SETTINGS["models"][f"keygen-{face}"])
    table = ffi.addressof(lib.totient_over_simulation) if streams else None
    registers = by_registers(simulation, POLLS)
    yield Bench(registers, table, simulation, key, message, None, simulation)
    lib.totient_simulation_close(simulation)


def on(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("bench", names, indirect=True)


everywhere = on("python-registers", "python-stream", "rtl-registers", "rtl-stream")


def open_ip(handle: Any, bench: Bench, registers: Any = None) -> str:
    way = registers or bench.registers
    if bench.stream is None:
        return call(lib.totient_keygen_open, handle, way)
    return call(lib.totient_keygen_open_stream, handle, way, bench.stream, bench.context)


@dataclass
class Made:
    """What became of making a key; its numbers are 0 where there is none."""

    code: str
    n: int
    e: int
    d: int


class Ip:
    """A handle.

    Attributes:
        handle: `struct totient_keygen *`.
    """

    def __init__(self, bench: Bench, fill: int = FILL, registers: Any = None) -> None:
        self.handle = new("struct totient_keygen *", fill)
        assert open_ip(self.handle, bench, registers) == "OK"
        assert self.handle.version == (VERSION if bench.stream is None else 0)
        assert self.handle.key_bits == 0

    def make(
        self, p: int, q: int, e: int = 0, length: int = 8, sizes: tuple[int, int] = (11, 9)
    ) -> Made:
        """Make a key of primes of `length` bytes; `sizes` are those of modulus and exponent."""
        n, d = map(room, sizes)
        key = key_struct(n, sizes[0], d, sizes[1])
        primes = (octets(p, length), length, octets(q, length), length)
        code = call(lib.totient_keygen_make, self.handle, *primes, e, key)
        return Made(code, number(n), key.public_exponent, number(d))

    def makes(self, p: int, q: int, e: int = 0, length: int = 8) -> None:
        """The key is right, and messages go there and back."""
        phi = (p - 1) * (q - 1)
        made = self.make(p, q, e, length)
        e = next(odd for odd in range(e or 3, phi + 3 + e, 2) if math.gcd(odd, phi) == 1)
        assert made == Made("OK", p * q, e, pow(e, -1, phi))
        self.serves(p * q, e)

    def serves(self, n: int, e: int) -> None:
        """The key is there: messages go there, and back in buffers that are just long enough."""
        exact = (self.handle.key_bits + 7) // 8
        for message in (0, 1, 2, n - 1, 0xC0C0DBDB00DCDDC0 % n):
            cipher = pow(message, e, n)
            assert self.power(PUBLIC, message, 13, 9) == ("OK", cipher)
            assert self.power(PRIVATE, cipher, exact, exact, in_place=True) == ("OK", message)

    def power(
        self, exponent: int, message: int, length: int = 8, size: int = 8, in_place: bool = False
    ) -> tuple[str, int]:
        """Raise a message with the key that was made."""
        given = octets(message, length)
        result = given if in_place else room(size)
        arguments = (exponent, given, length, result, size)
        return call(lib.totient_keygen_raise, self.handle, *arguments), number(result)

    def power_given(self, *given: tuple[int, int], size: int = 9) -> tuple[str, int]:
        """Raise with a modulus and an exponent a message, each with its length in bytes."""
        result = room(size)
        buffers = [part for value, length in given for part in (octets(value, length), length)]
        code = call(lib.totient_keygen_raise_given, self.handle, *buffers, result, size)
        return code, number(result)

    def clear(self) -> str:
        """Wipe everything."""
        return call(lib.totient_keygen_clear, self.handle)


def key_struct(n: Any, n_length: int, d: Any, d_length: int) -> Any:
    """Where a key goes: `struct totient_key *`."""
    key = new("struct totient_key *")
    key.modulus, key.modulus_length = n, n_length
    key.exponent, key.exponent_length = d, d_length
    return key


@everywhere
@pytest.mark.parametrize("e", [0, 65537, 0xFFFFFFFD])
@pytest.mark.parametrize(
    ("p", "q"),
    [(P, Q), (11, 13), (80231, 9973), (3, 5), (65537, 3), (Q, P), (3, P)],
)
@pytest.mark.parametrize("length", [4, 17])
def test_keys(bench: Bench, p: int, q: int, e: int, length: int) -> None:
    ip = Ip(bench)
    if bench.stream is None and e:
        assert ip.make(p, q, e, length) == Made("COMMAND", 0, 0, 0)
    elif e and math.gcd(e, (p - 1) * (q - 1)) != 1:
        assert ip.make(p, q, e, length) == Made("PUBLIC_EXPONENT", 0, 0, 0)
    else:
        ip.makes(p, q, e, length)


@everywhere
def test_cycles(bench: Bench) -> None:
    ip, streams = Ip(bench), bench.stream is not None
    handle = ip.handle
    assert ip.make(P, Q).code == "OK"
    assert handle.key_bits == 64
    assert (handle.key_cycles, handle.message_cycles) == (bench.key_cycles, bench.message_cycles)
    assert ip.power(PUBLIC, 2, 1)[0] == "OK"
    assert handle.message_cycles == bench.message_cycles
    # The one without streams makes the key anew, and counts everything.
    assert handle.key_cycles == (0 if streams else bench.key_cycles)
    if streams:
        assert handle.cycles == 0
    else:
        assert handle.cycles > handle.key_cycles + handle.message_cycles


@everywhere
def test_given_keys(bench: Bench) -> None:
    """The one that was made stays."""
    ip, streams = Ip(bench), bench.stream is not None
    ip.makes(3, P)
    for n, e, message in ((N, D, N - 1), (N, E, 5), (17 * 227, 17, 1141), (3, 1, 2)):
        good = ("COMMAND", 0) if streams else ("OK", pow(message, e, n))
        assert ip.power_given((n, 13), (e, 13), (message, 13), size=13) == good
        assert ip.handle.key_bits == 34
        assert streams or ip.handle.key_cycles == 0
    phi = 2 * (P - 1)
    ip.serves(3 * P, next(odd for odd in range(3, phi, 2) if math.gcd(odd, phi) == 1))
    assert ip.clear() == "OK"
    assert ip.power(PUBLIC, 5) == ("NO_KEY", 0)


@everywhere
def test_keys_that_are_refused(bench: Bench) -> None:
    ip = Ip(bench)
    exponent = "COMMAND" if bench.stream is None else "PUBLIC_EXPONENT"
    for p, q, e, code in (
        (12, 13, 0, "PRIME"),
        (13, 12, 0, "PRIME"),
        (1, 13, 0, "PRIME"),
        (13, 13, 0, "PRIME"),
        (0, 13, 0, "PRIME"),
        (13, 0, 0, "PRIME"),
        (1 << 32 | 1, 13, 0, "LENGTH"),
        (13, 1 << 63 | 1, 0, "LENGTH"),
        (11, 13, 4, exponent),
        (11, 13, 1, exponent),
        (11, 13, 15, exponent),
    ):
        assert ip.make(11, 13).code == "OK"
        assert ip.handle.key_bits == 8
        assert ip.make(p, q, e) == Made(code, 0, 0, 0)
        assert ip.handle.key_bits == 0
        assert ip.power(PUBLIC, 9, 9, 9) == ("NO_KEY", 0)
    # Longer than any of these IPs can be given.
    assert ip.make(9, 1 << 1592 | 1, length=200) == Made("LENGTH", 0, 0, 0)
    # Buffers that are too short for the key.
    for sizes in ((1, 9), (11, 1)):
        assert ip.make(11, 257, sizes=sizes) == Made("ARGUMENT", 0, 0, 0)


@everywhere
def test_messages_that_are_refused(bench: Bench) -> None:
    ip = Ip(bench)
    assert ip.make(11, 257).code == "OK"
    assert ip.power(PUBLIC, 9, 9, 1) == ("ARGUMENT", 0)  # 12 bits
    assert ip.make(11, 13).code == "OK"
    assert ip.power(PUBLIC, 9, 9, 0) == ("ARGUMENT", 0)
    assert ip.power(2, 9, 9, 9) == ("ARGUMENT", 0)  # which exponent?
    for message in (143, 200, (1 << 32) - 1, (1 << 64) - 1):
        assert ip.power(PRIVATE, message, 9, 9) == ("BASE_NOT_BELOW", 0)
        assert ip.power(PUBLIC, 9 | 1 << 64, 9, 9) == ("BASE_NOT_BELOW", 0)
        assert ip.power(PUBLIC, 9, 9, 9) == ("OK", pow(9, 7, 143))


@everywhere
def test_given_keys_that_are_refused(bench: Bench) -> None:
    ip = Ip(bench)
    assert ip.make(11, 13).code == "OK"
    n, long = (17 * 227, 2), (1 << 64 | 1, 9)
    for modulus, exponent, message, size, code in (
        ((3858, 8), (17, 8), (9, 8), 9, "MODULUS_EVEN"),
        ((1, 8), (17, 8), (0, 8), 9, "MODULUS_SMALL"),
        ((0, 8), (17, 8), (0, 8), 9, "MODULUS_SMALL"),
        ((3859, 8), (0, 8), (9, 8), 9, "EXPONENT_EMPTY"),
        ((3859, 8), (17, 8), (5000, 8), 9, "BASE_NOT_BELOW"),
        ((3859, 8), (17, 8), ((1 << 64) - 1, 8), 9, "BASE_NOT_BELOW"),
        (long, n, (9, 9), 9, "LENGTH"),
        (n, long, (9, 9), 9, "LENGTH"),
        (n, n, long, 9, "BASE_NOT_BELOW"),
        (n, n, (9, 9), 1, "ARGUMENT"),
    ):
        refused = ("COMMAND" if bench.stream is not None else code, 0)
        assert ip.power_given(modulus, exponent, message, size=size) == refused
    ip.serves(143, 7)
    assert ip.clear() == "OK"


@everywhere
def test_null_pointers(bench: Bench) -> None:
    """Each pointer of each function, one at a time: refused, and nothing is written."""
    handle = new("struct totient_keygen *")
    if bench.stream is None:
        refuses_nulls(lib.totient_keygen_open, handle, bench.registers)
    else:
        given = (handle, bench.registers, bench.stream, bench.context)
        refuses_nulls(lib.totient_keygen_open_stream, *given, allowed=[3])
        for name in ("send", "receive"):
            part = without("struct totient_transport", bench.stream, name)
            given = (handle, bench.registers, part, bench.context)
            assert call(lib.totient_keygen_open_stream, *given) == "ARGUMENT"
    for name in ("read", "write"):
        part = without("struct totient_registers", bench.registers, name)
        assert open_ip(handle, bench, part) == "ARGUMENT"
    p, q, n, d, result = octets(11, 1), octets(13, 1), room(11), room(9), room(8)
    key = key_struct(n, 11, d, 9)
    calls = [
        (lib.totient_keygen_make, (p, 1, q, 1, 0, key)),
        (lib.totient_keygen_raise, (PUBLIC, p, 1, result, 8)),
        (lib.totient_keygen_raise_given, (p, 1, q, 1, p, 1, result, 8)),
        (lib.totient_keygen_clear, ()),
    ]
    # A handle that was not opened refuses everything.
    for function, arguments in calls:
        assert call(function, handle, *arguments) == "ARGUMENT"
    ip = Ip(bench)
    refuses_nulls(lib.totient_keygen_make, ip.handle, *calls[0][1])
    for name in ("modulus", "exponent"):
        part = without("struct totient_key", key, name)
        assert call(lib.totient_keygen_make, ip.handle, p, 1, q, 1, 0, part) == "ARGUMENT"
    assert {*contents(n), *contents(d)} == {FILL}
    assert ip.make(11, 13).code == "OK"
    for function, arguments in calls:
        refuses_nulls(function, ip.handle, *arguments)
    assert {*contents(result), *contents(n), *contents(d)} == {FILL}
    ip.serves(143, 7)  # the key is still there


@everywhere
def test_no_key_is_kept(bench: Bench) -> None:
    """In handles that had different keys of one length, but for the cycles; nor what was there."""
    used, cleared = set(), set()
    for fill, (p, q) in enumerate(((P, Q), (4294967231, 4294967197))):
        ip = Ip(bench, fill)
        assert ip.make(p, q).code == "OK"
        assert ip.power(PRIVATE, D // 3 + fill)[0] == "OK"
        ip.handle.key_cycles = ip.handle.message_cycles = ip.handle.cycles = 0
        used.add(contents(ip.handle))
        assert ip.clear() == "OK"
        cleared.add(contents(ip.handle))
    assert len(used) == len(cleared) == 1


@everywhere
def test_a_bus_that_fails(bench: Bench) -> None:
    """At any access: an error, never a hang, and the next operation is right."""
    bus = Bus.over(bench.registers)
    for after in range(1, 120):
        bus.fail_after = 0
        ip = Ip(bench, registers=bus.way)
        bus.fail_after = after
        made = ip.make(9973, 80231, length=4)
        code = made.code
        assert code == "OK" or made == Made(code, 0, 0, 0)
        if code == "OK":
            code, result = ip.power(PUBLIC, 9)
            assert result == (9**7 if code == "OK" else 0)
        if bus.fail_after == 0:
            assert (code, ip.handle.key_bits) == ("TRANSPORT", 0)
        bus.fail_after = 0
        ip.makes(9973, 80231)
        # Where clearing fails too, the next operation begins with it.
        bus.fail_after = 2
        assert ip.clear() == "TRANSPORT"
        assert ip.handle.out_of_step
        assert ip.make(9973, 80231).code == "OK"
        assert not ip.handle.out_of_step
    for after in range(1, 4):
        bus.fail_after = after
        assert open_ip(ip.handle, bench, bus.way) == "TRANSPORT"
        assert ip.clear() == "ARGUMENT"  # it was not opened
    bus.fail_after, bus.stranger = 0, True
    assert open_ip(ip.handle, bench, bus.way) == "NO_CORE"
    bus.stranger = False
    assert open_ip(ip.handle, bench, bus.way) == "OK"


@on("rtl-registers", "rtl-stream")
def test_impatience(bench: Bench) -> None:
    """An IP that is not waited for long enough: an error, and the next operation is right."""
    ip, usual = Ip(bench), bench.simulation.limit
    for _ in range(3):
        assert ip.make(11, 13).code == "OK"
        if bench.stream is None:
            bench.registers.polls = 2
        else:
            bench.simulation.limit = 20
        assert ip.power(PRIVATE, 9, 1, 1) == ("TIMEOUT", 0)
        bench.registers.polls, bench.simulation.limit = POLLS, usual
        assert ip.power(PUBLIC, 9, 1, 1) == ("NO_KEY", 0)
        assert ip.make(11, 13) == Made("OK", 143, 7, 103)
        assert ip.power(PUBLIC, 9, 1, 1) == ("OK", 48)


def makes_small(ip: Ip) -> str:
    """Make a key of 11 and 13 in buffers of one byte; it is right, or there is none."""
    made = ip.make(11, 13, length=1, sizes=(1, 1))
    good = made.code == "OK"
    assert made == (Made("OK", 143, 7, 103) if good else Made(made.code, 0, 0, 0))
    assert ip.handle.key_bits == (8 if good else 0)
    return made.code


@on("python-registers", "python-stream")
@pytest.mark.parametrize("code", range(1, 16))
def test_error_codes(bench: Bench, code: int) -> None:
    """Those that a good IP does not know are no results."""
    ip = Ip(bench)
    assert makes_small(ip) == "OK"
    bench.hardware.lie = code << 4
    name = str(ffi.string(ffi.cast("totient_result", code))).removeprefix("TOTIENT_")
    assert makes_small(ip) == (name if code in KNOWN else "PROTOCOL")


@on("python-registers")
def test_an_ip_that_does_not_end(bench: Bench) -> None:
    ip, hardware = Ip(bench), bench.hardware
    assert makes_small(ip) == "OK"
    hardware.works = 1000  # more than there are polls
    assert ip.power(PUBLIC, 9, 1, 1) == ("TIMEOUT", 0)
    assert (ip.handle.key_bits, ip.handle.out_of_step) == (0, True)
    assert makes_small(ip) == "TIMEOUT"
    hardware.works = 5
    assert makes_small(ip) == "OK"
    assert not ip.handle.out_of_step
    assert ip.power(PUBLIC, 9, 1, 1) == ("OK", 48)
    assert ip.clear() == "OK"
    assert hardware.wiping == 0
    assert not any(hardware.written[name] for name in ("P", "Q", "I_MSG", "I_KEY", "I_N"))
    assert not any(hardware.results.get(name) for name in ("DATA_MSG", "DATA_DECRYPT", "N_OUTPUT"))
    assert not hardware.results.get("DATA_ENCRYPT")


@on("python-stream")
@pytest.mark.parametrize("lie", [2, 3 << 8])
def test_a_key_that_is_not_as_told(bench: Bench, lie: int) -> None:
    """Not there, or of another length, without an error."""
    ip = Ip(bench)
    bench.hardware.lie = lie
    assert makes_small(ip) == "PROTOCOL"
    assert makes_small(ip) == "OK"


@on("python-stream")
def test_a_stream_that_does_not_answer(bench: Bench) -> None:
    ip, hardware = Ip(bench), bench.hardware
    hardware.silent = 1
    assert makes_small(ip) == "TIMEOUT"
    assert makes_small(ip) == "OK"
    hardware.silent = 1
    assert ip.power(PUBLIC, 9, 1, 1) == ("TIMEOUT", 0)
    assert ip.handle.key_bits == 0
    assert makes_small(ip) == "OK"
    assert ip.power(PUBLIC, 9, 1, 1) == ("OK", 48)
    assert ip.clear() == "OK"
    assert (hardware.wiping, hardware.key) == (0, None)
    assert not any(hardware.written[name] for name in ("PRIME1", "PRIME2"))


def test_long_primes() -> None:
    """The IP is built for primes of this length: it refuses longer ones itself."""
    draw = Random(8)
    p, q = (getPrime(PRIME_BITS, draw.randbytes) for _ in "pq")
    n, e, length = p * q, 65537, PRIME_BITS // 8
    message, cipher = (base := draw.randrange(n)), pow(base, e, n)
    simulation = simulated(SETTINGS["models"]["keygen-long"])
    table = ffi.addressof(lib.totient_over_simulation)
    bench = Bench(by_registers(simulation, POLLS), table, simulation, 0, 0)
    ip = Ip(bench)
    sizes = (2 * length, 2 * length)
    d = pow(e, -1, (p - 1) * (q - 1))
    assert ip.make(p, q, e, length, sizes) == Made("OK", n, e, d)
    assert ip.power(PUBLIC, message, *sizes) == ("OK", cipher)
    assert ip.power(PRIVATE, cipher, *sizes, in_place=True) == ("OK", message)
    longer = 1 << PRIME_BITS | p
    assert ip.make(longer, q, e, length + 1, sizes).code == "ARGUMENT"  # the buffers are too short
    assert ip.make(longer, q, e, length + 1, (sizes[0] + 1,) * 2).code == "LENGTH"
    assert ip.clear() == "OK"
    lib.totient_simulation_close(simulation)
