"""Private keys of PKCS#8: the forms of RFC 5958 that are read, and the one that is written."""

import base64

import pytest
from Crypto.Util.asn1 import DerNull, DerObjectId, DerOctetString, DerSequence

from tests.unit.rsa.any_key import integers
from totient.common.errors import InputError
from totient.device import RsaKey
from totient.rsa.choices import KeyFormat
from totient.rsa.pem import parse, private_pem

ALGORITHM = DerSequence([DerObjectId("1.2.840.113549.1.1.1"), DerNull()])
ATTRIBUTES, PUBLIC_KEY = b"\xa0\x00", b"\x81\x01\x00"
DAMAGED = "the PEM is damaged: its content is no PRIVATE KEY"


def octets(key: RsaKey) -> bytes:
    """The RSAPrivateKey in DER."""
    return DerSequence(integers(key)).encode()


def info(key: RsaKey, version: int, further: tuple[bytes, ...] = ()) -> bytes:
    """PrivateKeyInfo in DER, with further elements."""
    return DerSequence([version, ALGORITHM, DerOctetString(octets(key)), *further]).encode()


def block(content: bytes) -> bytes:
    """It in PEM."""
    kind = b"PRIVATE KEY"
    lines = base64.encodebytes(content)
    return b"-----BEGIN %s-----\n%s-----END %s-----\n" % (kind, lines, kind)


@pytest.mark.parametrize(
    ("version", "further"),
    [(0, ()), (0, (ATTRIBUTES,)), (1, (PUBLIC_KEY,)), (1, (ATTRIBUTES, PUBLIC_KEY))],
)
def test_attributes_and_a_public_key_are_allowed(
    key: RsaKey, version: int, further: tuple[bytes, ...]
) -> None:
    """OneAsymmetricKey; in version 0 there is no public key."""
    assert parse(block(info(key, version, further))) == key


@pytest.mark.parametrize(
    ("version", "further"),
    [(2, ()), (0, (ATTRIBUTES, PUBLIC_KEY)), (1, (ATTRIBUTES, PUBLIC_KEY, PUBLIC_KEY))],
)
def test_other_forms_are_refused(key: RsaKey, version: int, further: tuple[bytes, ...]) -> None:
    with pytest.raises(InputError, match=DAMAGED):
        parse(block(info(key, version, further)))


def test_a_length_in_more_bytes_than_it_needs_is_refused(key: RsaKey) -> None:
    """It is BER. The lengths of the whole and of the key take two bytes."""
    content = info(key, 0)
    assert parse(block(content)) == key
    whole, inner = 0, content.index(octets(key)) - 4
    for place in (whole, inner):
        assert content[place + 1] == 0x82
        longer = bytearray(content[: place + 1] + b"\x83\x00" + content[place + 2 :])
        if place == inner:
            longer[2:4] = (int.from_bytes(content[2:4]) + 1).to_bytes(2)
        with pytest.raises(InputError, match=DAMAGED):
            parse(block(bytes(longer)))


def test_the_parameters_that_are_written_are_null(key: RsaKey) -> None:
    """They are not absent (RFC 8017, A.1)."""
    lines = private_pem(key, KeyFormat.PKCS8).splitlines()
    assert base64.b64decode(b"".join(lines[1:-1])) == info(key, 0)
