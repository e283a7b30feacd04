"""Signatures and encryption of RFC 8017, with modular exponentiations on a device.

The paddings are pycryptodome's, on a key object with our raw operations.
"""

from collections.abc import Callable
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, BinaryIO

from Crypto.Signature import pkcs1_15, pss

from totient.common.errors import InputError
from totient.device.rsa_key import RsaKey
from totient.rsa import hashes
from totient.rsa.accelerator import Accelerator
from totient.rsa.choices import EncryptionScheme, HashName, SignatureScheme
from totient.rsa.parameters import (
    Hashes,
    Salt,
    choose,
    message_room,
    refuse_salt,
    salt_to_sign,
    salts_to_verify,
    signature_room,
    words,
)
from totient.rsa.rejection import synthetic_message


def _padding_key(
    key: RsaKey,
    public: Callable[[int], int] | None = None,
    private: Callable[[int], int] | None = None,
) -> Any:
    """What pycryptodome's paddings use of its key object, which takes long to import."""

    def decrypt_to_bytes(ciphertext: int) -> bytes:
        assert private is not None
        return private(ciphertext).to_bytes(key.octets, "big")

    return SimpleNamespace(
        n=key.modulus,
        size_in_bytes=lambda: key.octets,
        _encrypt=public,
        _decrypt_to_bytes=decrypt_to_bytes,
    )


def sign(
    accelerator: Accelerator,
    key: RsaKey,
    message: BinaryIO,
    scheme: SignatureScheme,
    hash_name: HashName | None = None,
    *,
    mgf_hash: HashName | None = None,
    salt_length: Salt | None = None,
    crt: bool = True,
) -> bytes:
    """Sign a message, read to its end.

    Args:
        accelerator: computes.
        key: the private key. An RSASSA-PSS key signs with PSS only, within its limits.
        message: the message.
        scheme: the padding.
        hash_name: hash function. By default the key's own, or SHA-256.
        mgf_hash: hash function of the mask of PSS. By default the key's own, or `hash_name`.
        salt_length: of PSS, in bytes, from 0 to the longest that the key allows, or a
            `SaltLength`. By default an RSASSA-PSS key's own, else that of the digest, or shorter if
            the key requires it.
        crt: see `Accelerator.private`.

    Raises:
        InputError: the key is too short for the hash or the salt, or the key or the scheme does not
            allow them; see also `Accelerator.private`.
    """
    chosen = choose(key, scheme, hash_name, mgf_hash)
    refuse_salt(scheme, salt_length)
    signature_room(key, scheme, chosen.message)
    salt_bytes = 0
    if scheme is SignatureScheme.PSS:
        salt_bytes = salt_to_sign(key, chosen.message, salt_length)
    digest: Any = hashes.digest_of(chosen.message, message)
    encoded = 0

    def private(value: int) -> int:
        nonlocal encoded
        encoded = value
        return accelerator.private(key, value, crt=crt)

    # The paddings would check the signature with the public exponent. `Accelerator.private` has
    # done so: only it releases a result.
    padding_key = _padding_key(key, public=lambda _: encoded, private=private)
    if scheme is SignatureScheme.PSS:
        mask = hashes.mask_function(chosen.mask)
        return pss.new(padding_key, mask_func=mask, salt_bytes=salt_bytes).sign(digest)
    return pkcs1_15.new(padding_key).sign(digest)


def verify(
    accelerator: Accelerator,
    key: RsaKey,
    message: BinaryIO,
    signature: bytes,
    scheme: SignatureScheme,
    hash_name: HashName | None = None,
    *,
    mgf_hash: HashName | None = None,
    salt_length: Salt | None = None,
) -> bool:
    """Whether a signature is valid.

    By default a PSS salt may have any length, as with OpenSSL; from an RSASSA-PSS key with limits
    the key's shortest or more. A PKCS#1 v1.5 signature is valid only if its whole encoded message
    is the one that `sign` makes: DigestInfo in DER, with NULL.

    Args:
        accelerator: computes.
        key: the public key. An RSASSA-PSS key verifies PSS only, within its limits.
        message: the message.
        signature: the signature.
        scheme: the padding.
        hash_name: hash function. By default the key's own, or SHA-256.
        mgf_hash: hash function of the mask of PSS. By default the key's own, or `hash_name`.
        salt_length: the one that is valid, in bytes, or a `SaltLength`.

    Raises:
        InputError: the key is too short for the hash or the salt, or the key or the scheme does not
            allow them; see also `Accelerator.public`.
    """
    chosen = choose(key, scheme, hash_name, mgf_hash)
    refuse_salt(scheme, salt_length)
    signature_room(key, scheme, chosen.message)
    salts = range(0)
    if scheme is SignatureScheme.PSS:
        salts = salts_to_verify(key, chosen.message, salt_length)
    value = int.from_bytes(signature, "big")
    if len(signature) != key.octets or value >= key.modulus:
        return False
    digest: Any = hashes.digest_of(chosen.message, message)
    encoded = accelerator.public(key, value)
    if scheme is SignatureScheme.PKCS1V15:
        return encoded.to_bytes(key.octets, "big") == _pkcs1v15_encoding(key, digest)
    padding_key = _padding_key(key, public=lambda _: encoded)
    mask = hashes.mask_function(chosen.mask)
    try:
        salt_bytes = _salt_bytes(encoded, key.bits - 1, digest.digest_size, mask)
        pss.new(padding_key, mask_func=mask, salt_bytes=salt_bytes).verify(digest, signature)
    except ValueError:
        return False
    return salt_bytes in salts


def encrypt(
    accelerator: Accelerator,
    key: RsaKey,
    message: bytes,
    scheme: EncryptionScheme,
    hash_name: HashName | None = None,
    *,
    mgf_hash: HashName | None = None,
    label: bytes = b"",
) -> bytes:
    """Encrypt a message.

    Args:
        accelerator: computes.
        key: the public key, not an RSASSA-PSS key.
        message: of at most `max_message` bytes.
        scheme: the padding. PKCS#1 v1.5 uses no hash.
        hash_name: hash function of OAEP. By default SHA-256.
        mgf_hash: hash function of its mask. By default `hash_name`.
        label: of OAEP. Decryption requires the same one.

    Raises:
        InputError: the message is too long, or the key or the scheme does not allow the parameters;
            see also `Accelerator.public`.
    """
    chosen = choose(key, scheme, hash_name, mgf_hash)
    _check_label(scheme, label)
    most = message_room(key, scheme, chosen.message)
    if len(message) > most:
        raise InputError(
            f"the message has {len(message)} bytes, a {key.bits}-bit key takes at most {most} "
            f"with {words(scheme, chosen.message)}"
        )
    padding_key = _padding_key(key, public=lambda value: accelerator.public(key, value))
    return bytes(_encryption(padding_key, scheme, chosen, label).encrypt(message))


def decrypt(
    accelerator: Accelerator,
    key: RsaKey,
    ciphertext: bytes,
    scheme: EncryptionScheme,
    hash_name: HashName | None = None,
    *,
    mgf_hash: HashName | None = None,
    label: bytes = b"",
    crt: bool = True,
    unsafe_padding_error: bool = False,
) -> bytes:
    """Decrypt a ciphertext.

    With OAEP, every invalid ciphertext gives the same error. It does not reveal to an attacker how
    much of the padding was right.

    With PKCS #1 v1.5, bad padding gives no error, but a message that nobody without the private
    key can tell from a real one (`totient.rsa.rejection`). A protocol must reject it later, as and
    when it rejects any wrong message. New protocols should use OAEP.

    Args:
        accelerator: computes.
        key: the private key, not an RSASSA-PSS key.
        ciphertext: as many bytes as the modulus has, below the modulus.
        scheme: see `encrypt`.
        hash_name: see `encrypt`.
        mgf_hash: see `encrypt`.
        label: see `encrypt`.
        crt: whether primes are used, see `Accelerator.private`.
        unsafe_padding_error: whether bad PKCS #1 v1.5 padding is an error. Whoever sees the error
            can decrypt any ciphertext with some 10,000 questions or more (Bleichenbacher). For
            ciphertexts of nobody else only.

    Raises:
        InputError: decryption failed, the key is too short for the hash or for a padding, or the
            key or the scheme does not allow the parameters; see also `Accelerator.private`.
    """
    chosen = choose(key, scheme, hash_name, mgf_hash)
    _check_label(scheme, label)
    message_room(key, scheme, chosen.message)
    failed = InputError(
        "decryption failed: wrong key, scheme, hash or label, or a damaged ciphertext"
    )
    value = int.from_bytes(ciphertext, "big")
    if len(ciphertext) != key.octets or value >= key.modulus:
        raise failed
    encoded = accelerator.private(key, value, crt=crt)
    padding = _encryption(_padding_key(key, private=lambda _: encoded), scheme, chosen, label)
    plain: bytes | None = None
    if scheme is EncryptionScheme.PKCS1V15:
        # The selection by pycryptodome, in C, is in constant time if both are bytes.
        instead = None if unsafe_padding_error else synthetic_message(key, ciphertext)
        plain = padding.decrypt(ciphertext, instead)
    else:
        with suppress(ValueError):
            plain = padding.decrypt(ciphertext)
    if plain is None:
        raise failed
    return plain


def max_message(key: RsaKey, scheme: EncryptionScheme, hash_name: HashName) -> int:
    """Longest message in bytes that a key encrypts.

    Raises:
        InputError: the key is too short for the hash, or the key or the scheme does not allow it.
    """
    return message_room(key, scheme, choose(key, scheme, hash_name, None).message)


def _encryption(key: Any, scheme: EncryptionScheme, chosen: Hashes, label: bytes) -> Any:
    """The padding of a scheme, by pycryptodome."""
    if scheme is EncryptionScheme.PKCS1V15:
        from Crypto.Cipher import PKCS1_v1_5

        return PKCS1_v1_5.new(key)
    from Crypto.Cipher import PKCS1_OAEP

    digest: Any = hashes.new(chosen.message)
    return PKCS1_OAEP.new(key, digest, hashes.mask_function(chosen.mask), label)


def _check_label(scheme: EncryptionScheme, label: bytes) -> None:
    if label and scheme is not EncryptionScheme.OAEP:
        raise InputError(f"the label has {len(label)} bytes, allowed with oaep only")


def _pkcs1v15_encoding(key: RsaKey, digest: Any) -> bytes:
    """EMSA-PKCS1-v1_5 of a digest: pycryptodome's signature, made without an exponentiation.

    Its verification also accepts a DigestInfo without NULL. RFC 8017 (appendix B.1) does not
    allow that in a signature, and OpenSSL refuses it.
    """
    return pkcs1_15.new(
        _padding_key(key, public=lambda value: value, private=lambda value: value)
    ).sign(digest)


def _salt_bytes(encoded: int, bits: int, digest_bytes: int, mask: hashes.MaskFunction) -> int:
    """Length of the salt in an encoded PSS message of `bits` bits.

    OpenSSL uses the longest salt that fits by default, others one as long as the digest. The
    length follows from the encoding: zeros and a one precede the salt.

    Raises:
        ValueError: it is not a PSS encoding.
    """
    octets = (bits + 7) // 8
    if encoded.bit_length() > bits:
        raise ValueError("too large")
    data = encoded.to_bytes(octets, "big")
    masked = data[: octets - digest_bytes - 1]
    pad = mask(data[len(masked) : -1], len(masked))
    block = int.from_bytes(masked, "big") ^ int.from_bytes(pad, "big")
    # The bits above the encoding's length were cleared after masking.
    block &= (1 << (bits - 8 * (octets - len(masked)))) - 1
    salt_bits = block.bit_length() - 1
    if salt_bits < 0 or salt_bits % 8:
        raise ValueError("no separator before the salt")
    return salt_bits // 8
