"""The schemes: limits, refusals and answers; test_vectors.py has the published values."""

import io
from functools import partial
from typing import Any

import pytest
from Crypto.Hash import SHA256
from Crypto.PublicKey import RSA
from Crypto.Signature import pss
from hypothesis import HealthCheck, given, settings, strategies

from tests.unit.rsa.double import Workshop
from totient.common.errors import InputError
from totient.device import RsaKey
from totient.rsa import hashes, schemes
from totient.rsa.accelerator import Accelerator
from totient.rsa.choices import EncryptionScheme, HashName, SignatureScheme
from totient.rsa.keys import generate

ADDRESS = "tty:montgomery"
FAILED = "decryption failed: wrong key, scheme, hash or label, or a damaged ciphertext"


def sign(
    key: RsaKey,
    message: bytes,
    scheme: SignatureScheme,
    hash_name: HashName = HashName.SHA256,
) -> bytes:
    return schemes.sign(Accelerator(ADDRESS), key, io.BytesIO(message), scheme, hash_name)


def verify(
    key: RsaKey,
    message: bytes,
    signature: bytes,
    scheme: SignatureScheme,
    hash_name: HashName = HashName.SHA256,
) -> bool:
    accelerator = Accelerator(ADDRESS)
    return schemes.verify(accelerator, key, io.BytesIO(message), signature, scheme, hash_name)


def refusal(call: object, *arguments: object) -> str:
    with pytest.raises(InputError) as caught:
        call(*arguments)  # type: ignore[operator]
    return str(caught.value)


@pytest.mark.parametrize("scheme", list(SignatureScheme))
def test_a_signature_is_valid_for_its_message_key_scheme_and_hash_only(
    workshop: Workshop, key: RsaKey, scheme: SignatureScheme
) -> None:
    message = b"attack at dawn" * 100_000
    signature = sign(key, message, scheme)
    assert len(signature) == key.octets
    assert verify(key.public, message, signature, scheme)
    other = next(name for name in SignatureScheme if name is not scheme)
    assert not verify(key.public, message + b".", signature, scheme)
    assert not verify(key.public, message, signature, other)
    assert not verify(key.public, message, signature, scheme, HashName.SHA384)
    assert not verify(generate(1024).public, message, signature, scheme)


@pytest.mark.parametrize("scheme", list(SignatureScheme))
def test_what_is_no_signature_is_not_valid(
    workshop: Workshop, key: RsaKey, scheme: SignatureScheme
) -> None:
    signature = sign(key, b"text", scheme)
    modulus = key.modulus
    for claimed in (
        b"",
        signature[:-1],
        signature + b"\0",
        b"\0" + signature,
        bytes(128),
        modulus.to_bytes(128, "big"),
        (int.from_bytes(signature, "big") + modulus).to_bytes(129, "big"),
        b"\xff" * 128,
    ):
        assert not verify(key.public, b"text", claimed, scheme)
    for position in range(0, 1024, 37):
        spoilt = int.from_bytes(signature, "big") ^ 1 << position
        assert not verify(key.public, b"text", spoilt.to_bytes(128, "big"), scheme)


@pytest.mark.parametrize("bits", [1025, 1026, 1032, 1033])
def test_an_encoding_that_no_pss_message_has(workshop: Workshop, bits: int) -> None:
    """One bit longer than a PSS encoding; of a modulus of 8 k + 1 bits also one octet longer."""
    key = generate(bits)
    n = key.modulus
    for encoded in (1 << bits - 1, n - 1, n - 2, (1 << bits - 1) + 0xBC, n - n % 256 - 256 + 0xBC):
        assert 1 << bits - 1 <= encoded < n
        claimed = pow(encoded, key.d, n).to_bytes(key.octets, "big")
        assert not verify(key.public, b"text", claimed, SignatureScheme.PSS)
    whole = sign(key, b"text", SignatureScheme.PSS)
    assert pow(int.from_bytes(whole, "big"), key.exponent, n).bit_length() < bits
    assert verify(key.public, b"text", whole, SignatureScheme.PSS)


def test_the_device_does_the_work(workshop: Workshop, key: RsaKey) -> None:
    """A wrong device makes a valid signature invalid, and no wrong signature valid."""
    signature = sign(key, b"text", SignatureScheme.PSS)
    workshop.spoil = lambda result: result ^ 1
    assert not verify(key.public, b"text", signature, SignatureScheme.PSS)


@pytest.mark.parametrize("salt_bytes", [0, 1, 20, 32, 94])
def test_pss_with_any_salt_is_accepted(workshop: Workshop, key: RsaKey, salt_bytes: int) -> None:
    theirs = RSA.construct(
        (
            key.modulus,
            key.exponent,
            key.d,
            key.crt.p,
            key.crt.q,
        )
    )
    signature = pss.new(theirs, salt_bytes=salt_bytes).sign(SHA256.new(b"text"))
    assert verify(key.public, b"text", signature, SignatureScheme.PSS)


@pytest.mark.parametrize(
    ("bits", "hash_name", "salt_bytes"),
    [
        (512, HashName.SHA1, 20),
        (512, HashName.SHA256, 30),
        (512, HashName.SHA384, 14),
        (522, HashName.SHA512, 0),
        (1024, HashName.SHA512, 62),
        (1032, HashName.SHA512, 63),
        (2048, HashName.SHA512, 64),
    ],
)
def test_the_salt_is_as_long_as_the_digest_or_as_fits(
    workshop: Workshop, bits: int, hash_name: HashName, salt_bytes: int
) -> None:
    key = generate(bits)
    signature = sign(key, b"text", SignatureScheme.PSS, hash_name)
    theirs = RSA.construct((key.modulus, key.exponent))
    digest: Any = hashes.digest_of(hash_name, io.BytesIO(b"text"))
    pss.new(theirs, salt_bytes=salt_bytes).verify(digest, signature)


def test_keys_too_short_for_a_signature(workshop: Workshop) -> None:
    key = generate(512)
    cases = {
        (SignatureScheme.PSS, HashName.SHA512): "pss and sha512 needs at least 522",
        (SignatureScheme.PKCS1V15, HashName.SHA384): "pkcs1v15 and sha384 needs at least 617",
        (SignatureScheme.PKCS1V15, HashName.SHA512): "pkcs1v15 and sha512 needs at least 745",
    }
    for (scheme, hash_name), words in cases.items():
        message = f"the key has 512 bits, {words}"
        assert refusal(sign, key, b"", scheme, hash_name) == message
        assert refusal(verify, key.public, b"", bytes(64), scheme, hash_name) == message
    assert not workshop.opened


@pytest.mark.parametrize(
    ("bits", "scheme", "hash_name"),
    [
        (522, SignatureScheme.PSS, HashName.SHA512),
        (617, SignatureScheme.PKCS1V15, HashName.SHA384),
        (745, SignatureScheme.PKCS1V15, HashName.SHA512),
        (512, SignatureScheme.PKCS1V15, HashName.SHA256),
    ],
)
def test_the_shortest_keys_sign(
    workshop: Workshop, bits: int, scheme: SignatureScheme, hash_name: HashName
) -> None:
    key = generate(bits)
    signature = sign(key, b"text", scheme, hash_name)
    assert verify(key.public, b"text", signature, scheme, hash_name)


@pytest.mark.parametrize(
    ("bits", "scheme", "hash_name", "most"),
    [
        (512, EncryptionScheme.OAEP, HashName.SHA1, 22),
        (1024, EncryptionScheme.OAEP, HashName.SHA256, 62),
        (1025, EncryptionScheme.OAEP, HashName.SHA256, 63),
        (521, EncryptionScheme.OAEP, HashName.SHA256, 0),
        (512, EncryptionScheme.PKCS1V15, HashName.SHA256, 53),
        (1024, EncryptionScheme.PKCS1V15, HashName.SHA512, 117),
    ],
)
def test_messages_up_to_the_longest(
    workshop: Workshop, bits: int, scheme: EncryptionScheme, hash_name: HashName, most: int
) -> None:
    key = generate(bits)
    accelerator = Accelerator(ADDRESS)
    assert schemes.max_message(key.public, scheme, hash_name) == most
    for length in (0, most):
        message = bytes(range(length))
        cipher = schemes.encrypt(accelerator, key.public, message, scheme, hash_name)
        assert len(cipher) == key.octets
        assert schemes.decrypt(accelerator, key, cipher, scheme, hash_name) == message
    words = "pkcs1v15" if scheme is EncryptionScheme.PKCS1V15 else f"oaep and {hash_name}"
    text = bytes(most + 1)
    assert refusal(schemes.encrypt, accelerator, key.public, text, scheme, hash_name) == (
        f"the message has {most + 1} bytes, a {bits}-bit key takes at most {most} with {words}"
    )


def test_keys_too_short_for_oaep(workshop: Workshop) -> None:
    key = generate(512)
    message = "the key has 512 bits, oaep and sha256 needs at least 521"
    arguments = (EncryptionScheme.OAEP, HashName.SHA256)
    accelerator = Accelerator(ADDRESS)
    assert refusal(schemes.encrypt, accelerator, key.public, b"", *arguments) == message
    assert refusal(schemes.decrypt, accelerator, key, bytes(64), *arguments) == message
    assert not workshop.opened


@pytest.mark.parametrize("scheme", list(EncryptionScheme))
def test_every_failure_to_decrypt_looks_the_same(
    workshop: Workshop, key: RsaKey, scheme: EncryptionScheme
) -> None:
    """Otherwise the answers would let an attacker decrypt step by step.

    Bad padding of PKCS #1 v1.5 is an error with the unsafe option only (`test_rejection.py`).
    """
    accelerator = Accelerator(ADDRESS)
    decrypt = partial(schemes.decrypt, unsafe_padding_error=True)
    modulus, exponent = key.modulus, key.exponent
    good = schemes.encrypt(accelerator, key.public, b"secret", scheme)

    def of(block: bytes) -> bytes:
        return pow(int.from_bytes(block, "big"), exponent, modulus).to_bytes(128, "big")

    for cipher in (
        b"",
        good[:-1],
        good + b"\0",
        modulus.to_bytes(128, "big"),
        b"\xff" * 128,
        bytes(128),
        # Well formed in neither scheme: no zero after the padding.
        of(b"\0\2" + b"\xff" * 126),
        of(b"\0\2" + bytes(126)),
        of(b"\0\1" + b"\xff" * 100 + b"\0" + b"x" * 25),
        of(b"\0\2" + b"\xff" * 7 + b"\0" + b"x" * 118),
        of(b"\0\3" + b"\xff" * 100 + b"\0" + b"x" * 25),
        of(b"\1" + bytes(127)),
    ):
        assert refusal(decrypt, accelerator, key, cipher, scheme) == FAILED
    assert decrypt(accelerator, key, good, scheme) == b"secret"


def test_oaep_with_another_hash_fails(workshop: Workshop, key: RsaKey) -> None:
    accelerator = Accelerator(ADDRESS)
    cipher = schemes.encrypt(accelerator, key.public, b"secret", EncryptionScheme.OAEP)
    arguments = (accelerator, key, cipher, EncryptionScheme.OAEP, HashName.SHA1)
    assert refusal(schemes.decrypt, *arguments) == FAILED


@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(message=strategies.binary(max_size=62), crt=strategies.booleans())
def test_what_was_encrypted_is_decrypted(
    workshop: Workshop, key: RsaKey, message: bytes, crt: bool
) -> None:
    accelerator = Accelerator(ADDRESS)
    for scheme in EncryptionScheme:
        cipher = schemes.encrypt(accelerator, key.public, message, scheme)
        assert schemes.decrypt(accelerator, key, cipher, scheme, crt=crt) == message
