"""The choice of a simulated core's width."""

import pytest

from tests.unit.rsa.double import Workshop
from totient.common.errors import InputError
from totient.rsa.accelerator import Accelerator
from totient.rsa.fit import DEFAULT_DEVICE, fit
from totient.rsa.keys import PrivateKey


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
    assert fit(address, 700, 700) == chosen


def test_the_smallest_core_has_eight_bits() -> None:
    assert fit("sim:T3", 2, 2) == "sim:T3?width=32"


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
        fit(address, 700, 700)
    assert str(caught.value) == message


def test_unknown_designs_are_refused() -> None:
    with pytest.raises(InputError, match="unknown design 'T99'; `totient list` names"):
        fit("sim:T99", 8, 8)


def test_a_core_is_as_wide_as_the_operation_needs(workshop: Workshop, key: PrivateKey) -> None:
    accelerator = Accelerator(DEFAULT_DEVICE)
    accelerator.private(key, 5)
    assert accelerator.address == f"{DEFAULT_DEVICE}&width=512"
    accelerator.public(key.public, 5)
    assert accelerator.address == f"{DEFAULT_DEVICE}&width=1024"
    accelerator.private(key, 5)
    assert [address for address, _ in workshop.opened] == [
        f"{DEFAULT_DEVICE}&width=512",
        f"{DEFAULT_DEVICE}&width=1024",
    ]
    assert [device.closed for _, device in workshop.opened] == [1, 0]
