"""The raw operations on an engine: whole keys and raw values, checked here all the same."""

import pytest
from Crypto.Util.number import isPrime

from tests.engine_packets import Engine
from tests.unit.device.packet_transport import PacketTransport
from totient.common.contract import Command, ErrorCode
from totient.common.errors import DeviceError, InputError, ToolError
from totient.device import Address, Device, Primes, RsaKey
from totient.rsa import accelerator
from totient.rsa.accelerator import Accelerator, Step
from totient.rsa.keys import generate, private_key, public_key

ADDRESS = "tty:engine"


@pytest.fixture
def engine() -> Engine:
    """Answers requests."""
    return Engine(1024)


@pytest.fixture
def on_engine(monkeypatch: pytest.MonkeyPatch, engine: Engine) -> Accelerator:
    """An accelerator that opens it."""
    monkeypatch.setattr(accelerator, "open_core", lambda address: Device(PacketTransport(engine)))
    return Accelerator(ADDRESS)


def asked(engine: Engine) -> list[int]:
    """Commands so far, without info and without requests for the number of random words."""
    others = (Command.INFO, Command.RANDOM_WORDS)
    return [command for command, _, _ in engine.requests if command not in others]


def by_primes(key: RsaKey) -> RsaKey:
    p, q = key.crt.p, key.crt.q
    parts = Primes(p, q, key.d % (p - 1), key.d % (q - 1), pow(q, -1, p))
    return RsaKey(key.modulus, key.exponent, primes=parts)


@pytest.mark.parametrize("crt", [True, False])
def test_private_undoes_public(
    engine: Engine, on_engine: Accelerator, key: RsaKey, crt: bool
) -> None:
    n, e = key.modulus, key.exponent
    with on_engine:
        for value in (0, 1, 2, n - 1, 7 * max(key.crt.p, key.crt.q)):
            cipher = on_engine.public(key.public, value)
            assert cipher == pow(value, e, n)
            assert on_engine.private(key, cipher, crt=crt) == value
        whole = by_primes(key) if crt else RsaKey(n, e, key.d)
        assert engine.keys == {0: whole}
    assert not engine.keys


def test_the_key_is_loaded_once(engine: Engine, on_engine: Accelerator, key: RsaKey) -> None:
    for value in (5, 6):
        on_engine.private(key, value)
    on_engine.public(key.public, 7)  # by the private key's own numbers
    assert asked(engine) == [5, 6, 6, 7]
    bits, half = key.bits, key.bits // 2
    assert on_engine.steps == [
        Step("private, modulo p and q", bits, half, 3000, 200),
        Step("private, modulo p and q", bits, half, 0, 200),
        Step("public", bits, 17, 0, 200),
    ]
    on_engine.private(key, 5, crt=False)  # another form of it
    on_engine.private(generate(512), 5)
    on_engine.public(key.public, 5)
    on_engine.public(key.public, 6)
    assert asked(engine)[4:] == [4, 5, 6, 4, 5, 6, 4, 5, 7, 7]
    other = public_key(key.modulus, 3)
    assert on_engine.public(other, 6) == 6**3
    assert on_engine.steps[3] == Step("private", bits, bits, 3000, 200)


def test_the_raw_value_is_sent(
    monkeypatch: pytest.MonkeyPatch, engine: Engine, key: RsaKey
) -> None:
    """The core blinds, not the host."""
    packets: list[list[int]] = []

    def core(packet: list[int]) -> list[int]:
        packets.append(packet)
        return engine(packet)

    monkeypatch.setattr(accelerator, "open_core", lambda address: Device(PacketTransport(core)))
    Accelerator(ADDRESS).private(key, 1234567)
    assert packets[-1] == [6, 1024, 1234567, *[0] * 31]


def test_primes_that_an_engine_does_not_take(engine: Engine, on_engine: Accelerator) -> None:
    """One too long, one too short, two with a product of one bit less: by the whole exponent."""
    for (p, q), name, bits in (
        (((1 << 521) - 1, (1 << 503) - 91), "private", 1024),
        ((next_prime(3 << 518), next_prime(3 << 502)), "private, modulo p and q", 520),
        ((next_prime(0b1000_0001 << 504), next_prime(0b1000_0011 << 504)), "private", 1023),
        ((next_prime(3 << 446), next_prime(3 << 62)), "private, modulo p and q", 448),
        ((next_prime(3 << 447), next_prime(3 << 61)), "private", 512),
    ):
        d = pow(65537, -1, (p - 1) * (q - 1))
        key = private_key(public_key(p * q, 65537), d, (p, q))
        assert on_engine.private(key, 9) == pow(9, d, p * q)
        assert on_engine.steps[-1] == Step(name, key.bits, bits, 3000, 200)
        (held,) = engine.keys.values()
        assert isinstance(held, RsaKey)
        assert (held.primes is None) == (name == "private")


def next_prime(least: int) -> int:
    return next(n for n in range(least | 1, least + (1 << 20), 2) if isPrime(n))


@pytest.mark.parametrize("crt", [True, False])
def test_a_fault_inside_releases_nothing(
    engine: Engine, on_engine: Accelerator, key: RsaKey, crt: bool
) -> None:
    """The engine finds it; the key is wiped, and loaded anew for the next operation."""
    engine.spoil = lambda result: result ^ 1
    with pytest.raises(DeviceError, match=r"^a check in the core failed") as caught:
        on_engine.private(key, 42, crt=crt)
    assert caught.value.code == ErrorCode.FAULT
    assert not engine.keys
    assert not on_engine.steps
    engine.spoil = lambda result: result
    assert on_engine.private(key, 42, crt=crt) == pow(42, key.d, key.modulus)
    assert asked(engine) == [5, 6, 4, 5, 6]


def test_a_fault_behind_the_check_releases_nothing(
    engine: Engine, on_engine: Accelerator, key: RsaKey
) -> None:
    """Results of the engine are checked here as well."""
    engine.release = lambda result: result ^ 1 << 40
    with pytest.raises(ToolError) as caught:
        on_engine.private(key, 42)
    assert (
        str(caught.value) == f"the device {ADDRESS} returned a wrong result: nothing was released"
    )
    assert not engine.keys
    engine.release = lambda result: result
    assert on_engine.private(key, 42) == pow(42, key.d, key.modulus)


def test_no_random_numbers(engine: Engine, on_engine: Accelerator, key: RsaKey) -> None:
    engine.starved = True
    with pytest.raises(DeviceError, match=r"^the core did not receive random words in time$"):
        on_engine.private(key, 42)
    assert not engine.keys


def test_a_failed_key_load_leaves_no_key(
    engine: Engine, on_engine: Accelerator, key: RsaKey
) -> None:
    on_engine.public(key.public, 42)
    engine.refusal = ErrorCode.LENGTH
    with pytest.raises(DeviceError, match="the key has a modulus of 512 bits"):
        on_engine.public(generate(512).public, 1)
    assert not engine.keys
    assert on_engine.private(key, 42) == pow(42, key.d, key.modulus)


def test_any_modulus_on_an_engine(engine: Engine, on_engine: Accelerator, key: RsaKey) -> None:
    """It takes the place of a private key, which is wiped."""
    on_engine.private(key, 42)
    assert on_engine.exponentiate(3859, 17, 5, 1141) == pow(1141, 17, 3859)
    assert asked(engine) == [5, 6, 4, 2, 3]
    on_engine.private(key, 42)
    on_engine.close()
    assert not engine.keys
    on_engine.close()
    # It is opened again, and then holds nothing.
    assert on_engine.private(key, 42) == pow(42, key.d, key.modulus)


@pytest.mark.parametrize("crt", [True, False])
def test_a_private_key_is_wiped_before_another_key(
    engine: Engine, on_engine: Accelerator, key: RsaKey, crt: bool
) -> None:
    """A public key has fewer numbers: those of a private key would outlive it in the engine."""
    other = generate(512)
    on_engine.private(key, 42, crt=crt)
    on_engine.public(other.public, 9)
    assert asked(engine) == [5, 6, 4, 5, 7]
    on_engine.public(key.public, 9)
    on_engine.close()
    assert asked(engine) == [5, 6, 4, 5, 7, 5, 7], "public keys are not wiped"
    on_engine.private(key, 42, crt=crt)
    on_engine.private(other, 9, crt=crt)  # shorter
    assert asked(engine)[7:] == [5, 6, 4, 5, 6]
    on_engine.close()
    assert asked(engine)[12:] == [4]


def test_a_key_that_was_refused_is_wiped_in_the_end(
    engine: Engine, on_engine: Accelerator, key: RsaKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its numbers were sent. A wipe that fails is done again before the device is closed."""
    on_engine.public(key.public, 1)

    def broken(self: Device) -> None:
        raise DeviceError("no answer", ErrorCode.FAULT)

    with monkeypatch.context() as patch:
        patch.setattr(Device, "clear", broken)
        engine.refusal = ErrorCode.LENGTH
        with pytest.raises(DeviceError, match="no answer"):
            on_engine.private(key, 42)
    before = len(asked(engine))
    on_engine.close()
    assert asked(engine)[before:] == [4]


def test_a_public_key_is_not_wiped(engine: Engine, on_engine: Accelerator, key: RsaKey) -> None:
    with on_engine:
        on_engine.public(key.public, 9)
    assert asked(engine) == [5, 7]


def test_an_engine_that_is_too_small(engine: Engine, on_engine: Accelerator) -> None:
    """The whole modulus counts, not the primes."""
    with pytest.raises(InputError) as caught:
        on_engine.private(generate(1026), 9)
    assert str(caught.value) == "the operation needs a core of 1026 bits, tty:engine has 1024"
    assert asked(engine) == []


def test_a_wider_engine_is_opened(monkeypatch: pytest.MonkeyPatch, key: RsaKey) -> None:
    engines: list[Engine] = []

    def open_core(address: Address) -> Device:
        engines.append(Engine(512 * (1 + len(engines))))
        return Device(PacketTransport(engines[-1]))

    monkeypatch.setattr(accelerator, "open_core", open_core)
    small = generate(512)
    with Accelerator(ADDRESS) as opened:
        assert opened.private(small, 9) == pow(9, small.d, small.modulus)
        assert opened.private(key, 9) == pow(9, key.d, key.modulus)
        assert not engines[0].keys
        assert len(engines) == 2
