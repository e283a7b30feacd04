"""The choice of a simulated core's width."""

import re

import pytest

from tests.unit.rsa.double import Workshop
from totient.common.errors import InputError
from totient.device import Address, RsaKey
from totient.rsa.accelerator import Accelerator
from totient.rsa.fit import fit


@pytest.mark.parametrize(
    ("address", "chosen"),
    [
        ("sim:T3", "sim:T3?width=704"),
        ("sim:montgomery", "sim:montgomery?width=704"),
        ("sim:T2?fixed_time=1", "sim:T2?fixed_time=1&width=704"),
        ("sim:T3?width=1024", "sim:T3?width=1024"),
        ("sim:T3?width=700&fixed_time=0", "sim:T3?width=700&fixed_time=0"),
        ("sim:montgomery-1024", "sim:montgomery-1024"),
        ("uio:/dev/uio0", "uio:/dev/uio0"),
    ],
)
def test_addresses(address: str, chosen: str) -> None:
    assert str(fit(Address.of(address), 700, 700)) == chosen


def test_the_smallest_core_has_eight_bits() -> None:
    assert str(fit(Address.of("sim:T3"), 2, 2)) == "sim:T3?width=32"


@pytest.mark.parametrize(
    ("address", "message"),
    [
        (
            "sim:T3?width=699",
            "the operation needs a core of 700 bits, sim:T3?width=699 has 699",
        ),
        (
            "sim:montgomery-512",
            "the operation needs a core of 700 bits, sim:montgomery-512 has 512",
        ),
        (
            "sim:T1",
            "design repeated makes one product for each unit of the exponent, up to 2^700 here, "
            "allowed are 2^20: take T2 or T3",
        ),
        ("sim:T3?width=7", "width is 7, allowed is 8 to 4096"),
        ("sim:T3?width=wide", "width is 'wide', allowed is a whole number"),
    ],
)
def test_what_cannot_work_is_refused_before_a_core_is_built(address: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        fit(Address.of(address), 700, 700)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("address", "chosen"),
    [
        ("sim:engine", "sim:engine?width=1024"),
        ("sim:engine-62", "sim:engine-62?width=1024"),
        ("sim:engine?elements=8", "sim:engine?elements=8&width=1024"),
        ("sim:engine?width=2048", "sim:engine?width=2048"),
        ("sim:T3", "sim:T3?width=512"),
    ],
)
def test_an_engine_takes_a_key_whole(address: str, chosen: str) -> None:
    assert str(fit(Address.of(address), 512, 512, 1023)) == chosen


def test_the_widths_of_engines() -> None:
    assert str(fit(Address.of("sim:engine-62"), 20, 20)) == "sim:engine-62?width=1024"
    assert str(fit(Address.of("sim:engine-62"), 3073, 3073)) == "sim:engine-62?width=4096"
    assert str(fit(Address.of("sim:engine-62"), 513, 20, 1025)) == "sim:engine-62?width=2048"
    for address, message in (
        ("sim:engine?width=1024", "a core of 1025 bits, sim:engine?width=1024 has 1024"),
        ("sim:engine?width=511", "width is 511, allowed is 1024 or 2048 or 3072 or 4096"),
    ):
        with pytest.raises(InputError, match=re.escape(message)):
            fit(Address.of(address), 512, 512, 1025)
    assert str(fit(Address.of("sim:engine-62"), 2049, 2049, 4097)) == "sim:engine-62?width=8192"
    with pytest.raises(InputError, match="a core of 8193 bits, the widest has 8192"):
        fit(Address.of("sim:engine"), 4097, 4097, 8193)


def test_unknown_designs_are_refused() -> None:
    with pytest.raises(InputError, match="unknown design 'T99'; `totient list` names"):
        fit(Address.of("sim:T99"), 8, 8)


def test_a_core_is_as_wide_as_the_operation_needs(workshop: Workshop, key: RsaKey) -> None:
    device = "sim:T3?fixed_time=1"
    accelerator = Accelerator(device)
    accelerator.private(key, 5)
    assert accelerator.address == f"{device}&width=512"
    accelerator.public(key.public, 5)
    assert accelerator.address == f"{device}&width=1024"
    accelerator.private(key, 5)
    assert [address for address, _ in workshop.opened] == [
        f"{device}&width=512",
        f"{device}&width=1024",
    ]
    assert [device.closed for _, device in workshop.opened] == [1, 0]
