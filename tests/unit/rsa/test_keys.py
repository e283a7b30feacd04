"""Keys: what is refused, and what generation gives."""

import secrets
from collections.abc import Callable
from itertools import cycle

import pytest
from Crypto.PublicKey import RSA
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from totient.common.errors import InputError
from totient.device import RsaKey
from totient.rsa.choices import KeyFormat
from totient.rsa.keys import generate, private_key, public_key
from totient.rsa.pem import parse, private_pem, public_pem

ODD_512 = (1 << 511) + 1


@pytest.mark.parametrize(
    ("modulus", "exponent", "message"),
    [
        (0, 65537, "the modulus has 0 bits, allowed are 512 to 8192"),
        (1, 65537, "the modulus has 1 bits, allowed are 512 to 8192"),
        (ODD_512 >> 1, 65537, "the modulus has 511 bits, allowed are 512 to 8192"),
        ((1 << 8192) + 1, 65537, "the modulus has 8193 bits, allowed are 512 to 8192"),
        (ODD_512 + 1, 65537, "the modulus is even, an RSA modulus is odd"),
        (ODD_512, 0, "the public exponent is 0, allowed are odd numbers from 3"),
        (ODD_512, 1, "the public exponent is 1, allowed are odd numbers from 3"),
        (ODD_512, 65536, "the public exponent is 65536, allowed are odd numbers from 3"),
        (ODD_512, 1 << 80, "the public exponent is even, allowed are odd numbers from 3"),
        (ODD_512, ODD_512, "the public exponent is not below the modulus"),
    ],
)
def test_public_values_are_checked(modulus: int, exponent: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        public_key(modulus, exponent)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d, p, q: (0, (p, q)), "the private exponent is 0"),
        (lambda d, p, q: (-d, (p, q)), "the private exponent is not below the modulus"),
        (lambda d, p, q: (p * q, (p, q)), "the private exponent is not below the modulus"),
        (
            lambda d, p, q: (d ^ 2, (p, q)),
            "the private exponent does not belong to the public exponent",
        ),
        (
            lambda d, p, q: (d ^ 2, None),
            "the private exponent does not belong to the public exponent",
        ),
        (lambda d, p, q: (d, (p, q + 2)), "the product of the primes is not the modulus"),
        (lambda d, p, q: (d, (p * q, 1)), "the product of the primes is not the modulus"),
        (lambda d, p, q: (d, (-p, -q)), "the product of the primes is not the modulus"),
    ],
)
def test_private_values_are_checked(
    key: RsaKey,
    change: Callable[[int, int, int], tuple[int, tuple[int, int] | None]],
    message: str,
) -> None:
    exponent, primes = change(key.d, key.crt.p, key.crt.q)
    with pytest.raises(InputError) as caught:
        private_key(key.public, exponent, primes)
    assert str(caught.value) == message


def test_equal_primes_are_refused(key: RsaKey) -> None:
    p, _ = (key.crt.p, key.crt.q)
    with pytest.raises(InputError, match="the primes are not different"):
        private_key(public_key(p * p, 65537), pow(65537, -1, p * (p - 1)), (p, p))


def test_a_private_key_shows_nothing_of_itself(key: RsaKey) -> None:
    shown = f"{key!r} {key}"
    for secret in (key.d, key.crt.p, key.crt.q):
        assert str(secret) not in shown
        assert f"{secret:x}" not in shown


@pytest.mark.parametrize(
    ("bits", "exponent"), [(512, 65537), (513, 3), (520, 17), (1031, 65537), (2048, (1 << 32) - 1)]
)
def test_generated_keys_have_the_exact_size(bits: int, exponent: int) -> None:
    key = generate(bits, exponent)
    assert key.bits == bits
    assert key.exponent == exponent
    # The library checks that the factors are prime and that all values belong together.
    RSA.construct(
        (key.modulus, exponent, key.d, key.crt.p, key.crt.q),
        consistency_check=True,
    )


TOYS = (32, 33, 64, 128, 255, 256, 319, 320, 511)


@pytest.mark.parametrize("bits", TOYS)
@pytest.mark.parametrize("exponent", [3, 65537])
def test_toy_keys(bits: int, exponent: int) -> None:
    """Keys that protect nothing, only if they are asked for. OpenSSL reads them."""
    key = generate(bits, exponent, toy=True)
    assert (key.bits, key.exponent) == (bits, exponent)
    RSA.construct((key.modulus, exponent, key.d, key.crt.p, key.crt.q), consistency_check=True)
    for form in KeyFormat:
        text = private_pem(key, form)
        assert parse(text, toy=True) == key
        assert parse(public_pem(key, form), toy=True) == key.public
        read = load_pem_private_key(text, None)
        assert isinstance(read, rsa.RSAPrivateKey)
        assert read.private_numbers().d == key.d
        for data in (text, public_pem(key, form)):
            with pytest.raises(InputError, match=f"the modulus has {bits} bits, allowed are 512"):
                parse(data)
    with pytest.raises(InputError, match=f"key size is {bits} bits, allowed are 512 to 8192"):
        generate(bits, exponent)


def test_toy_keys_have_different_primes(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = cycle([65521, 65521, 65519])
    monkeypatch.setattr(secrets, "randbits", lambda bits: next(drawn))
    made = generate(32, toy=True).crt
    assert (made.p, made.q) == (65521, 65519)


def test_the_shortest_toy_key() -> None:
    for bits in (0, 31):
        with pytest.raises(InputError, match=f"key size is {bits} bits, allowed are 32 to 8192"):
            generate(bits, toy=True)
    with pytest.raises(InputError, match="the modulus has 12 bits, allowed are 32 to 8192"):
        public_key(3859, 3, toy=True)


def test_generated_keys_differ() -> None:
    assert generate(512).public.modulus != generate(512).public.modulus


@pytest.mark.parametrize(
    ("bits", "exponent", "message"),
    [
        (0, 65537, "key size is 0 bits, allowed are 512 to 8192"),
        (511, 65537, "key size is 511 bits, allowed are 512 to 8192"),
        (8193, 65537, "key size is 8193 bits, allowed are 512 to 8192"),
        (512, 4, "the public exponent is 4, allowed are odd numbers from 3"),
        (512, -1, "the public exponent is -1, allowed are odd numbers from 3"),
        (512, 2**32 + 1, "the public exponent has 33 bits, a new key takes at most 32"),
    ],
)
def test_generation_limits(bits: int, exponent: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        generate(bits, exponent)
    assert str(caught.value) == message
