"""The raw operations: what the device is given, and what is released."""

import dataclasses

import pytest

from tests.unit.rsa.double import Workshop
from totient.common.errors import InputError, ToolError
from totient.device import RsaKey
from totient.rsa.accelerator import Accelerator, Step
from totient.rsa.keys import private_key, public_key

ADDRESS = "tty:montgomery"


def primes(key: RsaKey) -> tuple[int, int]:
    return (key.crt.p, key.crt.q)


@pytest.mark.parametrize("crt", [True, False])
def test_private_undoes_public(workshop: Workshop, key: RsaKey, crt: bool) -> None:
    with Accelerator(ADDRESS) as accelerator:
        for value in (0, 1, 2, key.modulus - 1, primes(key)[0], 7 * primes(key)[1]):
            cipher = accelerator.public(key.public, value)
            assert cipher == pow(value, key.exponent, key.modulus)
            assert accelerator.private(key, cipher, crt=crt) == value
    assert workshop.device.closed == 1
    assert len(workshop.opened) == 1


def test_half_length_operations_with_crt(workshop: Workshop, key: RsaKey) -> None:
    accelerator = Accelerator(ADDRESS)
    accelerator.private(key, 5)
    (p, q), (by_p, by_q) = primes(key), (key.crt.d_p, key.crt.d_q)
    assert workshop.device.loads == [(p, by_p, 512), (q, by_q, 512)]
    assert accelerator.steps == [
        Step("private, modulo p", 512, 512, 512, 1024),
        Step("private, modulo q", 512, 512, 512, 1024),
    ]


def test_the_whole_exponent_without_crt(workshop: Workshop, key: RsaKey) -> None:
    for chosen in (key, dataclasses.replace(key, primes=None)):
        accelerator = Accelerator(ADDRESS)
        accelerator.private(chosen, 5, crt=chosen.primes is None)
        assert workshop.device.loads == [(key.modulus, key.d, 1024)]
        assert accelerator.steps == [Step("private", 1024, 1024, 1024, 2048)]


def test_primes_of_different_length(workshop: Workshop) -> None:
    """The core gets the length of each prime, which reveals nothing about the exponent."""
    p, q = (1 << 521) - 1, (1 << 107) - 1
    d = pow(65537, -1, (p - 1) * (q - 1))
    key = private_key(public_key(p * q, 65537), d, (p, q))
    accelerator = Accelerator("tty:montgomery?width=521")
    assert pow(accelerator.private(key, 1234), 65537, p * q) == 1234
    assert [load[2] for load in workshop.device.loads] == [521, 107]


def test_the_exponent_length_does_not_tell_its_value(workshop: Workshop) -> None:
    """A short private exponent is loaded at full length, with leading zeros."""
    p, q = (1 << 521) - 1, (1 << 127) - 1
    phi = (p - 1) * (q - 1)
    d = next(d for d in range((1 << 20) + 1, 1 << 21, 2) if pow_exists(d, phi))
    key = private_key(public_key(p * q, pow(d, -1, phi)), d, (p, q))
    for crt, lengths in ((True, [521, 127]), (False, [648])):
        accelerator = Accelerator(ADDRESS)
        accelerator.private(key, 99, crt=crt)
        assert [load[2] for load in workshop.device.loads] == lengths


def pow_exists(value: int, modulus: int) -> bool:
    try:
        pow(value, -1, modulus)
    except ValueError:
        return False
    return True


def test_the_base_is_blinded(workshop: Workshop, key: RsaKey) -> None:
    accelerator = Accelerator(ADDRESS)
    results = {accelerator.private(key, 1234567) for _ in range(8)}
    assert len(results) == 1
    bases = workshop.device.bases
    assert len(set(bases)) == len(bases) == 16
    assert not {1234567 % prime for prime in primes(key)} & set(bases)


def test_the_key_is_wiped_after_private_operations_only(workshop: Workshop, key: RsaKey) -> None:
    accelerator = Accelerator(ADDRESS)
    accelerator.public(key.public, 3)
    assert workshop.device.cleared == 0
    accelerator.private(key, 3)
    assert workshop.device.cleared == 2
    assert workshop.device.key is None


@pytest.mark.parametrize("crt", [True, False])
def test_a_fault_releases_nothing(workshop: Workshop, key: RsaKey, crt: bool) -> None:
    """One wrong bit in one exponentiation: the result would give away a prime."""
    faults = iter([1, 0])
    workshop.spoil = lambda result: result ^ next(faults)
    accelerator = Accelerator(ADDRESS)
    with pytest.raises(ToolError) as caught:
        accelerator.private(key, 42, crt=crt)
    assert str(caught.value) == (
        "the device tty:montgomery returned a wrong result: nothing was released"
    )
    assert workshop.device.key is None
    workshop.device.spoil = lambda result: result
    assert accelerator.private(key, 42) == pow(42, key.d, key.modulus)


def test_wiped_when_the_device_fails(workshop: Workshop, key: RsaKey) -> None:
    def interrupt(result: int) -> int:
        raise KeyboardInterrupt

    workshop.spoil = interrupt
    with pytest.raises(KeyboardInterrupt), Accelerator(ADDRESS) as accelerator:
        accelerator.private(key, 42)
    assert workshop.device.cleared == 1
    assert workshop.device.closed == 1


def test_a_core_that_is_too_small(workshop: Workshop, key: RsaKey) -> None:
    accelerator = Accelerator("tty:montgomery?width=512")
    accelerator.private(key, 5)
    with pytest.raises(InputError) as caught:
        accelerator.public(key.public, 5)
    assert str(caught.value) == (
        "the operation needs a core of 1024 bits, tty:montgomery?width=512 has 512"
    )
    assert accelerator.private(key, 5) == pow(5, key.d, key.modulus)


def test_a_long_exponent_counts_too(workshop: Workshop) -> None:
    accelerator = Accelerator("tty:montgomery?width=16")
    assert accelerator.exponentiate(3859, 11, 16, 500) == pow(500, 11, 3859)
    with pytest.raises(InputError) as caught:
        accelerator.exponentiate(3859, 11, 17, 500)
    assert str(caught.value) == (
        "the operation needs a core of 17 bits, tty:montgomery?width=16 has 16"
    )


def test_repeated_multiplication_takes_small_exponents_only(
    workshop: Workshop, key: RsaKey
) -> None:
    accelerator = Accelerator("tty:repeated")
    assert accelerator.public(key.public, 9) == pow(9, 65537, key.modulus)
    for crt, power in ((True, 512), (False, 1024)):
        with pytest.raises(InputError) as caught:
            accelerator.private(key, 9, crt=crt)
        assert str(caught.value) == (
            "design repeated makes one product for each unit of the exponent, up to "
            f"2^{power} here, allowed are 2^20: take T2 or T3"
        )
    # An exponent that is not secret counts by its value, not by its stated length.
    assert accelerator.exponentiate(3859, 3, 32, 500) == pow(500, 3, 3859)
    with pytest.raises(InputError, match=r"up to 2\^21 here"):
        accelerator.exponentiate(3859, 1 << 20, 21, 500)
    assert len(workshop.opened) == 1


def test_no_device_no_timing() -> None:
    with pytest.raises(ToolError, match="no device is open"):
        _ = Accelerator(ADDRESS).timing
