"""PEM files of keys of the type RSASSA-PSS, and of keys of three and more primes."""

import math
import subprocess
from collections.abc import Sequence
from typing import Any

import pytest
from Crypto.IO import PEM
from Crypto.Math.Primality import generate_probable_prime
from Crypto.Util.asn1 import DerBitString, DerInteger, DerNull, DerObject, DerObjectId, DerSequence

from tests.unit.rsa.any_key import pkcs1
from tests.unit.rsa.vectors import data
from totient.common.errors import InputError
from totient.device import RsaKey
from totient.rsa import hashes
from totient.rsa.choices import HashName, KeyFormat
from totient.rsa.pem import parse, private_pem, public_pem
from totient.rsa.pss_key import PssKey, PssLimits

RSA_PSS = "1.2.840.113549.1.1.10"
SHA1, SHA256 = HashName.SHA1, HashName.SHA256
NO_KEY = "the PEM is damaged: its content is no PUBLIC KEY"


def refusal(text: bytes) -> str:
    """Why a PEM text is refused."""
    with pytest.raises(InputError) as caught:
        parse(text)
    return str(caught.value)


def openssl(words: str, stdin: bytes = b"") -> bytes:
    return subprocess.run(
        ["openssl", *words.split()], input=stdin, check=True, capture_output=True
    ).stdout


def explicit(number: int, content: bytes) -> bytes:
    """An element with an explicit tag."""
    return DerObject(number, content, implicit=number, constructed=True).encode()


def algorithm(identifier: str, *parameters: bytes) -> bytes:
    return bytes(DerSequence([DerObjectId(identifier).encode(), *parameters]).encode())


def integer(value: int) -> bytes:
    return bytes([2, 1, value])


def public(key: RsaKey, *parameters: bytes) -> bytes:
    """A SubjectPublicKeyInfo of an RSASSA-PSS key with these parameters."""
    content = DerSequence([key.modulus, key.exponent]).encode()
    info = DerSequence([algorithm(RSA_PSS, *parameters), DerBitString(content)]).encode()
    return PEM.encode(info, "PUBLIC KEY").encode()


def limits(*elements: bytes) -> bytes:
    return bytes(DerSequence(elements).encode())


def limits_of(text: bytes) -> PssLimits | None:
    key = parse(text)
    assert isinstance(key, PssKey)
    return key.limits


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("", None),
        ("_hash", PssLimits(SHA256, SHA1, 20)),
        ("_hash_mask", PssLimits(SHA256, SHA256, 20)),
        ("_hash_mask_diff", PssLimits(SHA256, HashName.SHA512, 20)),
        ("_hash_mask_salt", PssLimits(SHA256, SHA256, 32)),
    ],
)
def test_published_keys(name: str, expected: PssLimits | None) -> None:
    """`openssl pkey -text` prints the same limits. The public key has them, too."""
    text = data(f"PKCS8/rsa_pss_2048{name}.pem")
    key = parse(text)
    assert isinstance(key, PssKey)
    assert key.is_private
    assert key.limits == expected
    assert parse(openssl("pkey -pubout", text)) == key.public
    assert key.public.limits == expected  # type: ignore[attr-defined]
    shown = openssl("pkey -noout -text", text).decode()
    if expected is None:
        assert "No PSS parameter restrictions" in shown
    else:
        assert f"Minimum Salt Length: {expected.least_salt}" in shown


@pytest.mark.parametrize("hash_name", [each for each in HashName if not each.is_shake])
def test_limits_with_each_hash(key: RsaKey, hash_name: HashName) -> None:
    digest: Any = hashes.new(hash_name)
    named = algorithm(digest.oid, DerNull().encode())
    mask = algorithm("1.2.840.113549.1.1.8", named)
    assert limits_of(public(key, limits(explicit(0, named), explicit(1, mask)))) == (
        PssLimits(hash_name, hash_name, 20)
    )


@pytest.mark.parametrize("hash_name", list(HashName)[:7])
def test_openssl_s_limits_with_each_hash(hash_name: HashName) -> None:
    made = openssl(
        "genpkey -quiet -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:1024 "
        f"-pkeyopt rsa_pss_keygen_md:{hash_name} -pkeyopt rsa_pss_keygen_mgf1_md:{hash_name} "
        "-pkeyopt rsa_pss_keygen_saltlen:11"
    )
    assert limits_of(made) == PssLimits(hash_name, hash_name, 11)


def test_defaults_of_limits(key: RsaKey) -> None:
    sha256 = algorithm("2.16.840.1.101.3.4.2.1", DerNull().encode())
    bare = algorithm("2.16.840.1.101.3.4.2.1")
    mask = algorithm("1.2.840.113549.1.1.8", sha256)
    assert limits_of(public(key)) is None
    assert limits_of(public(key, limits())) == PssLimits(SHA1, SHA1, 20)
    assert limits_of(public(key, limits(explicit(0, bare)))) == PssLimits(SHA256, SHA1, 20)
    assert limits_of(public(key, limits(explicit(1, mask)))) == PssLimits(SHA1, SHA256, 20)
    assert limits_of(public(key, limits(explicit(2, integer(0))))) == PssLimits(SHA1, SHA1, 0)
    ended = limits(explicit(2, integer(5)), explicit(3, integer(1)))
    assert limits_of(public(key, ended)) == PssLimits(SHA1, SHA1, 5)


def test_damaged_limits(key: RsaKey) -> None:
    sha1 = algorithm("1.3.14.3.2.26", DerNull().encode())
    for parameters in (
        DerNull().encode(),
        integer(7),
        limits(integer(7)),
        limits(explicit(4, integer(1))),
        limits(explicit(3, integer(2))),
        limits(explicit(2, integer(0x80))),
        limits(explicit(2, b"")),
        limits(explicit(2, integer(1) + integer(1))),
        limits(explicit(2, integer(1)), explicit(2, integer(1))),
        limits(explicit(2, integer(1)), explicit(0, sha1)),
        limits(explicit(0, integer(1))),
        limits(explicit(0, algorithm("1.3.14.3.2.26", integer(1)))),
        limits(explicit(0, algorithm("1.3.14.3.2.26", DerNull().encode(), DerNull().encode()))),
        limits(explicit(1, algorithm("1.2.840.113549.1.1.8"))),
        limits() + b"\0",
    ):
        assert refusal(public(key, parameters)) == NO_KEY, parameters.hex()
    assert refusal(public(key, limits(), limits())) == NO_KEY


def test_limits_that_are_not_supported(key: RsaKey) -> None:
    md5 = algorithm("1.2.840.113549.2.5", DerNull().encode())
    words = (
        "the key's hash is of algorithm 1.2.840.113549.2.5, allowed are sha1, sha256, sha384, "
        "sha512, sha224, sha512-224, sha512-256, sha3-224, sha3-256, sha3-384, sha3-512"
    )
    assert refusal(public(key, limits(explicit(0, md5)))) == words
    mask = algorithm("1.2.840.113549.1.1.8", md5)
    assert refusal(public(key, limits(explicit(1, mask)))) == words
    mask = algorithm("1.2.840.113549.1.1.9", md5)
    assert refusal(public(key, limits(explicit(1, mask)))) == (
        "the key's mask is of algorithm 1.2.840.113549.1.1.9, allowed is MGF1"
    )


def test_a_salt_that_no_key_takes(key: RsaKey) -> None:
    """Its length has more digits than Python prints."""
    huge = DerInteger(1 << 20_000).encode()
    assert refusal(public(key, limits(explicit(2, huge)))) == (
        "the key requires a salt of more than 65536 bytes"
    )


def test_pss_keys_are_not_written(key: RsaKey) -> None:
    """A plain key would be written, without its limits."""
    limited = PssKey(key.modulus, key.exponent, key.private_exponent, key.primes)
    for form in KeyFormat:
        for write in (private_pem, public_pem):
            with pytest.raises(InputError, match="an RSASSA-PSS key cannot be written"):
                write(limited, form)


def values(text: bytes) -> tuple[list[int], list[list[int]]]:
    """The integers of a multi-prime RSAPrivateKey, and those of its further primes."""

    def integers(sequence: DerSequence, count: int) -> list[int]:
        return [int(sequence[index]) for index in range(count)]

    content, _, _ = PEM.decode(text.decode())
    sequence = DerSequence().decode(content)
    others = DerSequence().decode(sequence[9])
    further = [DerSequence().decode(others[index]) for index in range(len(others))]
    return integers(sequence, 9), [integers(each, 3) for each in further]


def multi_prime(head: Sequence[int], further: Sequence[Sequence[int]]) -> bytes:
    others = DerSequence([DerSequence(each).encode() for each in further]).encode()
    return PEM.encode(DerSequence([*head, others]).encode(), "RSA PRIVATE KEY").encode()


@pytest.fixture(scope="module")
def three_primes() -> bytes:
    """A key of three primes as PKCS#1."""
    return openssl("rsa -traditional", openssl("genrsa -primes 3 1024"))


@pytest.mark.parametrize(("primes", "bits"), [(3, 1024), (4, 4096)])
def test_keys_of_more_than_two_primes(primes: int, bits: int) -> None:
    made = openssl(f"genrsa -primes {primes} {bits}")
    key = parse(made)
    head, further = values(openssl("rsa -traditional", made))
    assert len(further) == primes - 2
    assert (key.modulus, key.exponent, key.d) == tuple(head[1:4])
    assert key.primes is None
    assert parse(openssl("rsa -traditional", made)) == key
    assert parse(openssl("rsa -pubout", made)) == key.public
    with pytest.raises(InputError, match="a key without its primes cannot be written"):
        private_pem(key, KeyFormat.PKCS1)


def test_damaged_keys_of_three_primes(three_primes: bytes) -> None:
    head, further = values(three_primes)
    assert parse(multi_prime(head, further)) == parse(three_primes)

    def changed(index: int, value: int) -> str:
        return refusal(multi_prime([*head[:index], value, *head[index + 1 :]], further))

    crt = "the CRT values do not belong to the private exponent and the primes"
    exponent = "the private exponent does not belong to the public exponent"
    product = "the product of the primes is not the modulus"
    damaged = "the PEM is damaged: its content is no RSA PRIVATE KEY"
    assert changed(0, 2) == damaged
    assert changed(1, head[1] + 2) == product
    assert changed(2, 3) == exponent
    assert changed(3, head[3] ^ 2) == exponent
    assert changed(3, -head[3]) == damaged
    assert changed(4, head[5]) == product
    for index in (6, 7, 8):
        assert changed(index, head[index] + 2) == crt
    # The same value of the inverse, not reduced.
    assert changed(8, head[8] + head[4]) == crt
    ((prime, part, inverse),) = further
    for other in ([prime, part + 2, inverse], [prime, part, inverse + 1]):
        assert refusal(multi_prime(head, [other])) == crt
    assert refusal(multi_prime(head, [[prime + 2, part, inverse]])) == product
    for others in ([], [[prime, part]], [[prime, part, inverse, 1]], [[1, 0, 0], *further]):
        assert refusal(multi_prime(head, others)) == damaged
    # Version 0 with further primes, version 1 without.
    assert refusal(multi_prime([0, *head[1:]], further)) == damaged
    assert refusal(pkcs1(head)) == damaged


def test_an_exponent_that_suits_the_trial_only() -> None:
    """2 is a square modulo these primes, so that half the order gives it back, too."""
    primes: list[int] = []
    while len(primes) < 3:
        made = generate_probable_prime(exact_bits=180, prime_filter=lambda each: int(each) % 8 == 7)
        primes.append(int(made))
    p, q, r = primes
    order = math.lcm(p - 1, q - 1, r - 1)
    right = pow(65537, -1, order)

    def key(d: int) -> bytes:
        head = [1, p * q * r, 65537, d, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p)]
        return multi_prime(head, [[r, d % (r - 1), pow(p * q, -1, r)]])

    assert parse(key(right)).d == right
    assert refusal(key((right + order // 2) % order)) == (
        "the private exponent does not belong to the public exponent"
    )
