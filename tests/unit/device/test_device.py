"""Devices on simulated cores: results, refusals in words, and life after each refusal."""

import random
from collections.abc import Callable, Iterator

import pytest

from totient.common.contract import ErrorCode, TimingClass
from totient.common.errors import DeviceError, InputError, ToolError
from totient.device import Device, open_device
from totient.device.transports import SimulationTransport
from totient.sim import build_model

from ..sim.conftest import ECHO, stand_in
from .packet_transport import PacketTransport, Words

WIDTH = 24
MODULUS, EXPONENT = 17 * 227, 5  # 12 bits


@pytest.fixture(params=["sim", "sim-registers", "sim-serial"])
def device(request: pytest.FixtureRequest) -> Iterator[Device]:
    """A core behind each face: what a program sees must not depend on the way to it."""
    with open_device(f"{request.param}:binary?width={WIDTH}", checked=True) as opened:
        yield opened


def check_works(device: Device) -> None:
    device.load_key(MODULUS, EXPONENT)
    assert device.exponentiate(1234).result == pow(1234, EXPONENT, MODULUS)


@pytest.mark.parametrize("way", ["sim", "sim-registers"])
@pytest.mark.parametrize("name", ["repeated", "binary", "montgomery", "digit_serial"])
def test_every_design(way: str, name: str) -> None:
    chance = random.Random(name)
    with open_device(f"{way}:{name}?width={WIDTH}", checked=True) as device:
        assert device.info.design == name
        assert device.info.version == "0.1.0"
        assert device.info.max_bits == WIDTH
        for bits in (2, 9, WIDTH):
            modulus = chance.getrandbits(bits) | 1 << bits - 1 | 1
            exponent = chance.getrandbits(8)
            device.load_key(modulus, exponent, 8)
            for base in {0, 1, modulus - 1, chance.randrange(modulus)}:
                result, cycles = device.exponentiate(base)
                assert result == pow(base, exponent, modulus)
                assert cycles > 0


def test_timing_class() -> None:
    with open_device(f"sim:binary?width={WIDTH}&fixed_time=1") as device:
        assert device.info.timing == TimingClass.EXPONENT_LENGTH
        cycles = set()
        for exponent in (1, 2, 0x5A, 0xFF):
            device.load_key(MODULUS, exponent, 8)
            cycles.add(device.exponentiate(1234).cycles)
        assert len(cycles) == 1


def test_an_exponent_of_0_gives_1(device: Device) -> None:
    device.load_key(MODULUS, 0)
    assert device.exponentiate(1234).result == 1
    assert device.exponentiate(0).result == 1


REFUSED: dict[ErrorCode, list[tuple[Callable[[Device], object], str]]] = {
    ErrorCode.BASE_NOT_BELOW: [
        (lambda d: d.exponentiate(5000), "the base (13 bits) is not below the modulus (12 bits)"),
        (
            lambda d: d.exponentiate(MODULUS),
            "the base (12 bits) is not below the modulus (12 bits)",
        ),
        (
            lambda d: d.exponentiate(1 << WIDTH),
            "the base (25 bits) is not below the modulus (12 bits)",
        ),
    ],
    ErrorCode.MODULUS_EVEN: [
        (lambda d: d.load_key(3858, 5), "the modulus (12 bits) is even, allowed is an odd one"),
    ],
    ErrorCode.MODULUS_SMALL: [
        (lambda d: d.load_key(0, 5), "the modulus is 0 or 1, allowed is 3 or more"),
        (lambda d: d.load_key(1, 5), "the modulus is 0 or 1, allowed is 3 or more"),
    ],
    ErrorCode.LENGTH: [
        (
            lambda d: d.load_key(1 << WIDTH | 1, 5),
            "the modulus has 25 bits, the core takes at most 24",
        ),
        (
            lambda d: d.load_key((1 << 4000) + 1, 5),
            "the modulus has 4001 bits, the core takes at most 24",
        ),
        (
            lambda d: d.load_key(MODULUS, 5, 25),
            "the exponent has 25 bits, the core takes at most 24",
        ),
    ],
    ErrorCode.EXPONENT_EMPTY: [
        (lambda d: d.load_key(MODULUS, 0, 0), "the exponent has length 0, allowed is 1 to 24 bits"),
    ],
}


@pytest.mark.parametrize(
    ("code", "request_", "text"), [(code, *each) for code, some in REFUSED.items() for each in some]
)
def test_refusals(
    device: Device, code: ErrorCode, request_: Callable[[Device], object], text: str
) -> None:
    device.load_key(MODULUS, EXPONENT)
    with pytest.raises(DeviceError) as error:
        request_(device)
    assert str(error.value) == text
    assert error.value.code == code
    if text.startswith("the base"):  # the key is still there
        assert device.exponentiate(1234).result == pow(1234, EXPONENT, MODULUS)
    else:
        with pytest.raises(DeviceError, match=r"^no key is loaded$"):
            device.exponentiate(1)
    check_works(device)


def test_what_never_reaches_the_core(device: Device) -> None:
    device.load_key(MODULUS, EXPONENT)
    for call in (
        lambda: device.load_key(-3, 5),
        lambda: device.load_key(3, -5),
        lambda: device.load_key(MODULUS, 5, 2),
        lambda: device.exponentiate(-1),
    ):
        with pytest.raises(InputError):
            call()
    assert device.exponentiate(1234).result == pow(1234, EXPONENT, MODULUS)


def test_no_key_at_first_and_after_clear(device: Device) -> None:
    for _ in range(2):
        with pytest.raises(DeviceError, match=r"^no key is loaded$"):
            device.exponentiate(1)
        check_works(device)
        device.clear()


def test_the_time_of_a_request_says_nothing_of_a_base(device: Device) -> None:
    lengths: set[int] = set()

    def core(packet: Words) -> Words:
        if packet[0] == 1:
            return [1 | 8 << 16, 0x78, 0, 0, 0, 0x100, 64, 0, 1]
        if packet[0] == 3:
            lengths.add(packet[1])
            return [3 | 4 << 16, 0, 0, 0, 0]
        return [2 | 2 << 16, 0, 0]

    device = Device(PacketTransport(core))
    device.load_key((1 << 64) - 1, 3)
    for base in (0, 1, 1 << 40):
        device.exponentiate(base)
    assert lengths == {64}


@pytest.mark.parametrize("answer", [[], [7], [1 | 9 << 8], [1 | 1 << 16, 0], [1]])
def test_a_stranger_at_the_other_end(answer: list[int]) -> None:
    with pytest.raises(ToolError):
        Device(PacketTransport(lambda packet: answer))


def test_an_interrupted_operation_leaves_the_device_usable() -> None:
    def interrupt(cycles: int) -> None:
        raise KeyboardInterrupt

    with open_device(f"sim:repeated?width={WIDTH}") as device:
        device.load_key((1 << WIDTH) - 3, (1 << WIDTH) - 1)  # 400 million cycles
        with pytest.raises(KeyboardInterrupt):
            device.exponentiate(2, interrupt)
        with pytest.raises(DeviceError, match=r"^no key is loaded$"):
            device.exponentiate(2)
        check_works(device)


def test_a_closed_device_says_so(device: Device) -> None:
    device.close()
    device.close()
    with pytest.raises(ToolError, match="closed"):
        device.load_key(MODULUS, EXPONENT)


def test_a_failed_assertion_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    model = build_model(stand_in(monkeypatch, ECHO).top(), checked=True)
    with SimulationTransport(model) as transport, pytest.raises(ToolError, match="a 1 came in"):
        Device(transport)
