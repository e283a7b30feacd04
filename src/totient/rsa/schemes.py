"""Signatures and encryption of RFC 8017, with modular exponentiations on a device.

The paddings are pycryptodome's, on a key object with our raw operations.
"""

from collections.abc import Callable
from typing import BinaryIO

from Crypto.Hash import SHA1, SHA256, SHA384, SHA512
from Crypto.PublicKey import RSA
from Crypto.Signature import pkcs1_15, pss

from totient.common.errors import InputError
from totient.device.rsa_key import RsaKey
from totient.rsa.accelerator import Accelerator
from totient.rsa.choices import EncryptionScheme, HashName, SignatureScheme
from totient.rsa.rejection import synthetic_message

Digest = SHA1.SHA1Hash | SHA256.SHA256Hash | SHA384.SHA384Hash | SHA512.SHA512Hash

_HASHES = {
    HashName.SHA1: SHA1,
    HashName.SHA256: SHA256,
    HashName.SHA384: SHA384,
    HashName.SHA512: SHA512,
}
# Bytes of a DigestInfo before the digest itself.
_DIGEST_INFO = {
    HashName.SHA1: 15,
    HashName.SHA256: 19,
    HashName.SHA384: 19,
    HashName.SHA512: 19,
}
_PADDING_OCTETS = 11
"""Octets of a PKCS #1 v1.5 padding around an encrypted message, at least."""

_CHUNK_BYTES = 1 << 20


class _PaddingKey(RSA.RsaKey):
    """The key object for pycryptodome's paddings."""

    def __init__(
        self,
        key: RsaKey,
        public: Callable[[int], int] | None = None,
        private: Callable[[int], int] | None = None,
    ) -> None:
        super().__init__(n=key.modulus, e=key.exponent)
        self._octets = key.octets
        self._public = public
        self._private = private

    def has_private(self) -> bool:
        return self._private is not None

    def _encrypt(self, plaintext: int) -> int:
        assert self._public is not None
        return self._public(plaintext)

    def _decrypt_to_bytes(self, ciphertext: int) -> bytes:
        assert self._private is not None
        return self._private(ciphertext).to_bytes(self._octets, "big")


def sign(
    accelerator: Accelerator,
    key: RsaKey,
    message: BinaryIO,
    scheme: SignatureScheme,
    hash_name: HashName = HashName.SHA256,
    *,
    crt: bool = True,
) -> bytes:
    """Sign a message, read to its end.

    A PSS salt is as long as the digest, or shorter if the key requires it.

    Raises:
        InputError: the key is too short for the hash; see also `Accelerator.private`.
    """
    room = _check_signature_size(key, scheme, hash_name)
    digest = _digest(message, hash_name)
    encoded = 0

    def private(value: int) -> int:
        nonlocal encoded
        encoded = value
        return accelerator.private(key, value, crt=crt)

    # The paddings would check the signature with the public exponent. `Accelerator.private` has
    # done so: only it releases a result.
    padding_key = _PaddingKey(key, public=lambda _: encoded, private=private)
    if scheme is SignatureScheme.PSS:
        return pss.new(padding_key, salt_bytes=min(digest.digest_size, room)).sign(digest)
    return pkcs1_15.new(padding_key).sign(digest)


def verify(
    accelerator: Accelerator,
    key: RsaKey,
    message: BinaryIO,
    signature: bytes,
    scheme: SignatureScheme,
    hash_name: HashName = HashName.SHA256,
) -> bool:
    """Whether a signature is valid. A PSS salt may have any length.

    Raises:
        InputError: the key is too short for the hash; see also `Accelerator.public`.
    """
    _check_signature_size(key, scheme, hash_name)
    value = int.from_bytes(signature, "big")
    if len(signature) != key.octets or value >= key.modulus:
        return False
    digest = _digest(message, hash_name)
    encoded = accelerator.public(key, value)
    padding_key = _PaddingKey(key, public=lambda _: encoded)
    try:
        if scheme is SignatureScheme.PSS:
            salt_bytes = _salt_bytes(encoded, key.bits - 1, digest)
            pss.new(padding_key, salt_bytes=salt_bytes).verify(digest, signature)
        else:
            pkcs1_15.new(padding_key).verify(digest, signature)
    except ValueError:
        return False
    return True


def encrypt(
    accelerator: Accelerator,
    key: RsaKey,
    message: bytes,
    scheme: EncryptionScheme,
    hash_name: HashName = HashName.SHA256,
) -> bytes:
    """Encrypt a message of at most `max_message` bytes. PKCS#1 v1.5 uses no hash.

    Raises:
        InputError: the message is too long; see also `Accelerator.public`.
    """
    from Crypto.Cipher import PKCS1_OAEP, PKCS1_v1_5

    most = max_message(key, scheme, hash_name)
    if len(message) > most:
        raise InputError(
            f"the message has {len(message)} bytes, a {key.bits}-bit key takes at most {most} "
            f"with {_words(scheme, hash_name)}"
        )
    padding_key = _PaddingKey(key, public=lambda value: accelerator.public(key, value))
    if scheme is EncryptionScheme.OAEP:
        return PKCS1_OAEP.new(padding_key, _HASHES[hash_name]).encrypt(message)
    return PKCS1_v1_5.new(padding_key).encrypt(message)


def decrypt(
    accelerator: Accelerator,
    key: RsaKey,
    ciphertext: bytes,
    scheme: EncryptionScheme,
    hash_name: HashName = HashName.SHA256,
    *,
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
        accelerator: computes the private operation.
        key: private.
        ciphertext: as many bytes as the modulus has, below the modulus.
        scheme: padding.
        hash_name: of OAEP.
        crt: whether primes are used, see `Accelerator.private`.
        unsafe_padding_error: whether bad PKCS #1 v1.5 padding is an error. Whoever sees the error
            can decrypt any ciphertext with some 10,000 questions or more (Bleichenbacher). For
            ciphertexts of nobody else only.

    Raises:
        InputError: decryption failed, or the key is too short for the hash or for a padding; see
            also `Accelerator.private`.
    """
    from Crypto.Cipher import PKCS1_OAEP, PKCS1_v1_5

    max_message(key, scheme, hash_name)
    failed = InputError("decryption failed: wrong key, scheme or hash, or a damaged ciphertext")
    value = int.from_bytes(ciphertext, "big")
    if len(ciphertext) != key.octets or value >= key.modulus:
        raise failed
    encoded = accelerator.private(key, value, crt=crt)
    padding_key = _PaddingKey(key, private=lambda _: encoded)
    plain: bytes | None
    if scheme is EncryptionScheme.PKCS1V15:
        # The selection by pycryptodome, in C, is in constant time if both are bytes.
        instead = None if unsafe_padding_error else synthetic_message(key, ciphertext)
        plain = PKCS1_v1_5.new(padding_key).decrypt(ciphertext, instead)
    else:
        try:
            plain = PKCS1_OAEP.new(padding_key, _HASHES[hash_name]).decrypt(ciphertext)
        except ValueError:
            plain = None
    if plain is None:
        raise failed
    return plain


def max_message(key: RsaKey, scheme: EncryptionScheme, hash_name: HashName) -> int:
    """Longest message in bytes that a key encrypts.

    Raises:
        InputError: the key is too short for the hash, or with PKCS #1 v1.5 for a byte.
    """
    if scheme is EncryptionScheme.PKCS1V15:
        if key.octets <= _PADDING_OCTETS:
            raise _too_short(key, scheme, hash_name, 8 * _PADDING_OCTETS + 1)
        return key.octets - _PADDING_OCTETS
    most: int = key.octets - 2 * _HASHES[hash_name].digest_size - 2
    if most < 0:
        raise _too_short(key, scheme, hash_name, 8 * (key.octets - most - 1) + 1)
    return most


def _check_signature_size(key: RsaKey, scheme: SignatureScheme, hash_name: HashName) -> int:
    """Return the longest salt in bytes (0 for PKCS#1 v1.5), or refuse a key that is too short."""
    size: int = _HASHES[hash_name].digest_size
    if scheme is SignatureScheme.PSS:
        room = (key.bits - 1 + 7) // 8 - size - 2
        least = 8 * (size + 1) + 2
    else:
        room = key.octets - (_DIGEST_INFO[hash_name] + size + 11)
        least = 8 * (_DIGEST_INFO[hash_name] + size + 10) + 1
    if room < 0:
        raise _too_short(key, scheme, hash_name, least)
    return room


def _too_short(
    key: RsaKey, scheme: SignatureScheme | EncryptionScheme, hash_name: HashName, least: int
) -> InputError:
    return InputError(
        f"the key has {key.bits} bits, {_words(scheme, hash_name)} needs at least {least}"
    )


def _words(scheme: SignatureScheme | EncryptionScheme, hash_name: HashName) -> str:
    return scheme if scheme is EncryptionScheme.PKCS1V15 else f"{scheme} and {hash_name}"


def _digest(message: BinaryIO, hash_name: HashName) -> Digest:
    digest: Digest = _HASHES[hash_name].new()
    while chunk := message.read(_CHUNK_BYTES):
        digest.update(chunk)
    return digest


def _salt_bytes(encoded: int, bits: int, digest: Digest) -> int:
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
    masked = data[: octets - digest.digest_size - 1]
    mask = pss.MGF1(data[len(masked) : -1], len(masked), digest)
    block = int.from_bytes(masked, "big") ^ int.from_bytes(mask, "big")
    # The bits above the encoding's length were cleared after masking.
    block &= (1 << (bits - 8 * (octets - len(masked)))) - 1
    salt_bits = block.bit_length() - 1
    if salt_bits < 0 or salt_bits % 8:
        raise ValueError("no separator before the salt")
    return salt_bits // 8
