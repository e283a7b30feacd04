"""Salts, masks, labels and key types: what is chosen, accepted and refused."""

import io
from typing import cast

import pytest
from Crypto.PublicKey import RSA
from Crypto.Signature import pss
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes as their_hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from tests.unit.rsa.double import Workshop
from totient.common.errors import InputError
from totient.device import RsaKey
from totient.rsa import hashes, schemes
from totient.rsa.accelerator import Accelerator
from totient.rsa.choices import (
    EncryptionScheme,
    HashName,
    KeyFormat,
    SaltLength,
    SignatureScheme,
)
from totient.rsa.keys import generate
from totient.rsa.parameters import Salt
from totient.rsa.pem import private_pem
from totient.rsa.pss_key import PssKey, PssLimits

ADDRESS = "tty:montgomery"
TEXT = b"text"
SHORTEST_20 = PssLimits(HashName.SHA256, HashName.SHA1, 20)
LONGEST = 94  # of a 1024-bit key with SHA-256


def sign(
    key: RsaKey,
    hash_name: HashName | None = None,
    scheme: SignatureScheme = SignatureScheme.PSS,
    mgf_hash: HashName | None = None,
    salt_length: Salt | None = None,
) -> bytes:
    accelerator, message = Accelerator(ADDRESS), io.BytesIO(TEXT)
    return schemes.sign(
        accelerator, key, message, scheme, hash_name, mgf_hash=mgf_hash, salt_length=salt_length
    )


def verify(
    key: RsaKey,
    signature: bytes,
    hash_name: HashName | None = None,
    scheme: SignatureScheme = SignatureScheme.PSS,
    mgf_hash: HashName | None = None,
    salt_length: Salt | None = None,
) -> bool:
    return schemes.verify(
        Accelerator(ADDRESS),
        key.public,
        io.BytesIO(TEXT),
        signature,
        scheme,
        hash_name,
        mgf_hash=mgf_hash,
        salt_length=salt_length,
    )


def refusal(call: object, *arguments: object, **named: object) -> str:
    with pytest.raises(InputError) as caught:
        call(*arguments, **named)  # type: ignore[operator]
    return str(caught.value)


def restricted(key: RsaKey, limits: PssLimits | None) -> PssKey:
    return PssKey(key.modulus, key.exponent, key.private_exponent, key.primes, limits)


def peer_of(key: RsaKey) -> rsa.RSAPrivateKey:
    """The same key for `cryptography`."""
    text = private_pem(key, KeyFormat.PKCS8)
    return cast("rsa.RSAPrivateKey", load_pem_private_key(text, password=None))


def salt_of(key: RsaKey, signature: bytes, mgf_hash: HashName = HashName.SHA256) -> int:
    """Length of the salt of a signature with SHA-256, by another library: one is valid."""
    theirs, mask = RSA.construct((key.modulus, key.exponent)), hashes.mask_function(mgf_hash)
    found = []
    for length in range(LONGEST + 1):
        try:
            digest = hashes.digest_of(HashName.SHA256, io.BytesIO(TEXT))
            pss.new(theirs, mask_func=mask, salt_bytes=length).verify(digest, signature)  # type: ignore[arg-type]
        except ValueError:
            continue
        found.append(length)
    (length,) = found
    return length


@pytest.mark.parametrize(
    ("salt_length", "length"),
    [
        (None, 32),
        (SaltLength.AUTO_DIGESTMAX, 32),
        (SaltLength.DIGEST, 32),
        (SaltLength.AUTO, LONGEST),
        (SaltLength.MAX, LONGEST),
        (0, 0),
        (20, 20),
        (LONGEST, LONGEST),
    ],
)
def test_salts_of_signatures(
    workshop: Workshop, key: RsaKey, salt_length: Salt | None, length: int
) -> None:
    assert salt_of(key, sign(key, salt_length=salt_length)) == length


@pytest.mark.parametrize(
    ("salt_length", "valid"),
    [
        (None, {0, 20, 32, LONGEST}),
        (SaltLength.AUTO, {0, 20, 32, LONGEST}),
        (SaltLength.AUTO_DIGESTMAX, {0, 20, 32, LONGEST}),
        (SaltLength.DIGEST, {32}),
        (SaltLength.MAX, {LONGEST}),
        (0, {0}),
        (20, {20}),
        (21, set()),
    ],
)
def test_salts_that_are_valid(
    workshop: Workshop, key: RsaKey, salt_length: Salt | None, valid: set[int]
) -> None:
    found = {
        length
        for length in (0, 20, 32, LONGEST)
        if verify(key, sign(key, salt_length=length), salt_length=salt_length)
    }
    assert found == valid


def test_salts_that_are_refused(workshop: Workshop, key: RsaKey) -> None:
    long = "the salt has 95 bytes, a 1024-bit key takes at most 94 with pss and sha256"
    assert refusal(sign, key, salt_length=95) == long
    assert refusal(verify, key, bytes(128), salt_length=95) == long
    negative = "the salt length is -1, allowed is 0 or more"
    assert refusal(sign, key, salt_length=-1) == negative
    assert refusal(verify, key, bytes(128), salt_length=-1) == negative
    digest = "the salt has 64 bytes, a 1024-bit key takes at most 62 with pss and sha512"
    assert refusal(sign, key, HashName.SHA512, salt_length=SaltLength.DIGEST) == digest
    for salt_length in (20, SaltLength.AUTO):
        absent = f"the salt length is {salt_length}, allowed with pss only"
        scheme = SignatureScheme.PKCS1V15
        assert refusal(sign, key, scheme=scheme, salt_length=salt_length) == absent
        arguments = (key, bytes(128), None, scheme)
        assert refusal(verify, *arguments, salt_length=salt_length) == absent
    assert not workshop.opened


def encoded(key: RsaKey, info: str, pad: int | None = None, end: bytes = b"") -> bytes:
    """A signature of the PKCS#1 v1.5 kind with any DigestInfo, made with the private exponent."""
    content = bytes.fromhex(info) + hashes.digest_of(HashName.SHA256, io.BytesIO(TEXT)).digest()
    ones = b"\xff" * (key.octets - 3 - len(content) - len(end) if pad is None else pad)
    block = (b"\0\1" + ones + b"\0" + content + end).ljust(key.octets, b"\0")
    return pow(int.from_bytes(block, "big"), key.d, key.modulus).to_bytes(key.octets, "big")


@pytest.mark.parametrize(
    ("signature", "valid"),
    [
        (("3031300d060960864801650304020105000420",), True),
        # Without NULL, and in BER.
        (("302f300b0609608648016503040201" + "0420",), False),
        (("308131300d060960864801650304020105000420",), False),
        (("3080300d060960864801650304020105000420",), False),
        # SHA-384's identifier.
        (("3031300d060960864801650304020205000420",), False),
        # A short padding, with bytes after the digest.
        (("3031300d060960864801650304020105000420", 8), False),
        (("3031300d060960864801650304020105000420", None, b"\0\0"), False),
        # Only the digest.
        (("",), False),
    ],
)
def test_one_encoding_of_pkcs1v15_is_valid(
    workshop: Workshop, key: RsaKey, signature: tuple[str], valid: bool
) -> None:
    """As with another library, which calls OpenSSL."""
    claimed = encoded(key, *signature)
    assert verify(key, claimed, scheme=SignatureScheme.PKCS1V15) == valid
    public = peer_of(key).public_key()
    try:
        public.verify(claimed, TEXT, padding.PKCS1v15(), their_hashes.SHA256())
    except InvalidSignature:
        assert not valid
    else:
        assert valid


def test_another_hash_for_the_mask(workshop: Workshop, key: RsaKey) -> None:
    peer = peer_of(key)
    theirs = padding.PSS(padding.MGF1(their_hashes.SHA1()), padding.PSS.AUTO)
    signature = sign(key, mgf_hash=HashName.SHA1)
    peer.public_key().verify(signature, TEXT, theirs, their_hashes.SHA256())
    assert not verify(key, signature)
    assert not verify(key, signature, mgf_hash=HashName.SHA224)
    longest = padding.PSS(padding.MGF1(their_hashes.SHA1()), padding.PSS.MAX_LENGTH)
    signature = peer.sign(TEXT, longest, their_hashes.SHA256())
    assert verify(key, signature, mgf_hash=HashName.SHA1)
    assert not verify(key, signature)


@pytest.mark.parametrize("label", [b"", b"\0", b"a label", bytes(100_000)])
@pytest.mark.parametrize("mgf_hash", [HashName.SHA1, HashName.SHA256])
def test_labels_and_masks_of_oaep(
    workshop: Workshop, key: RsaKey, label: bytes, mgf_hash: HashName
) -> None:
    accelerator, peer = Accelerator(ADDRESS), peer_of(key)
    their_hash = {HashName.SHA1: their_hashes.SHA1(), HashName.SHA256: their_hashes.SHA256()}
    theirs = padding.OAEP(padding.MGF1(their_hash[mgf_hash]), their_hashes.SHA256(), label)
    named = {"mgf_hash": mgf_hash, "label": label}
    arguments = (EncryptionScheme.OAEP, HashName.SHA256)
    cipher = schemes.encrypt(accelerator, key.public, b"secret", *arguments, **named)  # type: ignore[arg-type]
    assert peer.decrypt(cipher, theirs) == b"secret"
    cipher = peer.public_key().encrypt(b"secret", theirs)
    assert schemes.decrypt(accelerator, key, cipher, *arguments, **named) == b"secret"  # type: ignore[arg-type]
    failed = "decryption failed: wrong key, scheme, hash or label, or a damaged ciphertext"
    for other in ({**named, "label": label + b"."}, {**named, "mgf_hash": HashName.SHA224}):
        assert refusal(schemes.decrypt, accelerator, key, cipher, *arguments, **other) == failed


@pytest.mark.parametrize("name", [HashName.SHAKE128, HashName.SHAKE256])
def test_shake_is_for_pss_with_its_own_mask(
    workshop: Workshop, key: RsaKey, name: HashName
) -> None:
    signature = sign(key, name)
    assert verify(key, signature, name, salt_length=min(hashes.size(name), 62))
    assert verify(key, signature, name, mgf_hash=name)
    other = next(each for each in HashName if each.is_shake and each is not name)
    assert not verify(key, signature, other)
    for message, mask in ((name, HashName.SHA256), (HashName.SHA256, name), (name, other)):
        assert refusal(sign, key, message, mgf_hash=mask) == (
            f"the hash is {message} and that of the mask {mask}, SHAKE is allowed for both only"
        )
    allowed = (
        "sha1, sha224, sha256, sha384, sha512, sha512-224, sha512-256, sha3-224, sha3-256, "
        "sha3-384, sha3-512"
    )
    assert refusal(sign, key, name, SignatureScheme.PKCS1V15) == (
        f"the hash is {name}, pkcs1v15 allows {allowed}"
    )
    arguments = (Accelerator(ADDRESS), key, b"", EncryptionScheme.OAEP, name)
    for call in (schemes.encrypt, schemes.decrypt):
        assert refusal(call, *arguments) == f"the hash is {name}, oaep allows {allowed}"


def test_pkcs1v15_has_no_mask_and_no_label(workshop: Workshop, key: RsaKey) -> None:
    words = "the hash of the mask is sha1, pkcs1v15 has no mask"
    scheme = SignatureScheme.PKCS1V15
    assert refusal(sign, key, scheme=scheme, mgf_hash=HashName.SHA1) == words
    assert refusal(verify, key, b"", scheme=scheme, mgf_hash=HashName.SHA1) == words
    arguments = (Accelerator(ADDRESS), key, b"", EncryptionScheme.PKCS1V15)
    for call in (schemes.encrypt, schemes.decrypt):
        assert refusal(call, *arguments, mgf_hash=HashName.SHA1) == words
        assert refusal(call, *arguments, label=b"abc") == (
            "the label has 3 bytes, allowed with oaep only"
        )
    assert not workshop.opened


@pytest.mark.parametrize("limits", [None, SHORTEST_20])
def test_a_pss_key_is_for_pss_only(
    workshop: Workshop, key: RsaKey, limits: PssLimits | None
) -> None:
    limited, accelerator = restricted(key, limits), Accelerator(ADDRESS)
    words = "the scheme is pkcs1v15, an RSASSA-PSS key allows pss only"
    assert refusal(sign, limited, scheme=SignatureScheme.PKCS1V15) == words
    signature = sign(key, scheme=SignatureScheme.PKCS1V15)
    assert refusal(verify, limited, signature, scheme=SignatureScheme.PKCS1V15) == words
    for scheme in EncryptionScheme:
        words = f"the scheme is {scheme}, an RSASSA-PSS key allows pss only"
        assert refusal(schemes.encrypt, accelerator, limited.public, b"", scheme) == words
        assert refusal(schemes.decrypt, accelerator, limited, bytes(128), scheme) == words
        hash_name = HashName.SHA256
        assert refusal(schemes.max_message, limited.public, scheme, hash_name) == words
    assert verify(limited, sign(limited))


def test_a_pss_key_without_limits_takes_every_parameter(workshop: Workshop, key: RsaKey) -> None:
    free = restricted(key, None)
    signature = sign(free, HashName.SHA384, mgf_hash=HashName.SHA1, salt_length=0)
    assert verify(free, signature, HashName.SHA384, mgf_hash=HashName.SHA1)
    assert salt_of(key, sign(free)) == 32


def test_the_limits_of_a_pss_key_are_enforced(workshop: Workshop, key: RsaKey) -> None:
    limited = restricted(key, SHORTEST_20)
    # The key's hashes and its shortest salt are the default.
    assert salt_of(key, sign(limited), HashName.SHA1) == 20
    assert verify(limited, sign(limited), salt_length=20)
    assert verify(limited, sign(limited), HashName.SHA256, mgf_hash=HashName.SHA1)
    digest = sign(limited, salt_length=SaltLength.AUTO_DIGESTMAX)
    assert salt_of(key, digest, HashName.SHA1) == 32
    for salt_length in (20, 21, LONGEST):
        assert verify(limited, sign(limited, salt_length=salt_length))
    short = sign(key, mgf_hash=HashName.SHA1, salt_length=19)
    for choice in (None, SaltLength.AUTO, SaltLength.AUTO_DIGESTMAX):
        assert not verify(limited, short, salt_length=choice)
    words = "the salt has 19 bytes, the key requires 20 or more"
    assert refusal(sign, limited, salt_length=19) == words
    assert refusal(verify, limited, short, salt_length=19) == words
    words = "the hash is sha1, the key allows sha256 only"
    assert refusal(sign, limited, HashName.SHA1) == words
    assert refusal(verify, limited, short, HashName.SHA1) == words
    words = "the hash of the mask is sha256, the key allows sha1 only"
    assert refusal(sign, limited, mgf_hash=HashName.SHA256) == words
    assert refusal(verify, limited, short, mgf_hash=HashName.SHA256) == words


def test_a_pss_key_whose_salt_does_not_fit(workshop: Workshop) -> None:
    limited = restricted(generate(512), PssLimits(HashName.SHA256, HashName.SHA256, 31))
    words = "the salt has 31 bytes, a 512-bit key takes at most 30 with pss and sha256"
    assert refusal(sign, limited) == words
    assert not verify(limited, bytes(64))
