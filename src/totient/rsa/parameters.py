"""Parameters of the schemes: hash functions and salt lengths that a key and a scheme allow."""

from dataclasses import dataclass

from totient.common.errors import InputError
from totient.device.rsa_key import RsaKey
from totient.rsa import hashes
from totient.rsa.choices import EncryptionScheme, HashName, SaltLength, SignatureScheme
from totient.rsa.pss_key import PssKey, PssLimits

Scheme = SignatureScheme | EncryptionScheme
Salt = int | SaltLength
"""Length of a PSS salt: a number of bytes, or a choice."""

# Bytes of a DigestInfo before the digest itself.
_DIGEST_INFO_BYTES = 19
_DIGEST_INFO_BYTES_SHA1 = 15
_PADDING_BYTES = 11
"""Bytes of a PKCS#1 v1.5 padding, at least."""


@dataclass(frozen=True)
class Hashes:
    """Hash functions of an operation.

    Attributes:
        message: of the message; of OAEP, which has none, that of the label.
        mask: of the mask generation function.
    """

    message: HashName
    mask: HashName


def choose(
    key: RsaKey, scheme: Scheme, hash_name: HashName | None, mgf_hash: HashName | None
) -> Hashes:
    """The hash functions of an operation: those that were chosen, else those that the key names.

    Args:
        key: an RSASSA-PSS key allows PSS only, and with limits one pair of hash functions.
        scheme: the scheme.
        hash_name: `None` is the key's own, SHA-256 if it has none.
        mgf_hash: `None` is the key's own, that of the message if it has none.

    Raises:
        InputError: the key or the scheme does not allow them.
    """
    limits = _limits(key)
    if isinstance(key, PssKey) and scheme is not SignatureScheme.PSS:
        raise InputError(f"the scheme is {scheme}, an RSASSA-PSS key allows pss only")
    if limits is None:
        message = hash_name or HashName.SHA256
        mask = mgf_hash or message
    else:
        message = hash_name or limits.hash_name
        mask = mgf_hash or limits.mgf_hash
        for what, chosen, allowed in (
            ("hash", message, limits.hash_name),
            ("hash of the mask", mask, limits.mgf_hash),
        ):
            if chosen is not allowed:
                raise InputError(f"the {what} is {chosen}, the key allows {allowed} only")
    if is_pkcs1v15(scheme) and mgf_hash is not None:
        raise InputError(f"the hash of the mask is {mgf_hash}, pkcs1v15 has no mask")
    if scheme is not SignatureScheme.PSS and message.is_shake:
        allowed_names = ", ".join(name for name in HashName if not name.is_shake)
        raise InputError(f"the hash is {message}, {scheme} allows {allowed_names}")
    if message is not mask and (message.is_shake or mask.is_shake):
        raise InputError(
            f"the hash is {message} and that of the mask {mask}, SHAKE is allowed for both only"
        )
    return Hashes(message, mask)


def salt_to_sign(key: RsaKey, hash_name: HashName, salt_length: Salt | None) -> int:
    """Length of the salt of a new signature in bytes.

    By default it is the shortest that the key's limits allow. A key without limits: that of the
    digest, or shorter if the key requires it.

    Raises:
        InputError: the key does not allow it.
    """
    room, least = signature_room(key, SignatureScheme.PSS, hash_name), _least_salt(key)
    if salt_length is None and _limits(key):
        # As OpenSSL: by default it verifies such a key's signatures with this length only.
        length = least
    elif salt_length in (SaltLength.MAX, SaltLength.AUTO):
        length = room
    elif salt_length in (None, SaltLength.AUTO_DIGESTMAX):
        length = max(min(hashes.size(hash_name), room), least)
    else:
        length = _stated(hash_name, salt_length)
    return _checked(key, hash_name, length, room)


def salts_to_verify(key: RsaKey, hash_name: HashName, salt_length: Salt | None) -> range:
    """Lengths of the salt in bytes that a valid signature may have: by default all.

    A key with limits allows none below its shortest.

    Raises:
        InputError: the key does not allow the stated length.
    """
    room, least = signature_room(key, SignatureScheme.PSS, hash_name), _least_salt(key)
    if salt_length in (None, SaltLength.AUTO, SaltLength.AUTO_DIGESTMAX):
        return range(least, room + 1)
    length = room if salt_length is SaltLength.MAX else _stated(hash_name, salt_length)
    length = _checked(key, hash_name, length, room)
    return range(length, length + 1)


def refuse_salt(scheme: SignatureScheme, salt_length: Salt | None) -> None:
    """Raise `InputError` for the length of a salt with a scheme without one."""
    if scheme is not SignatureScheme.PSS and salt_length is not None:
        raise InputError(f"the salt length is {salt_length}, allowed with pss only")


def signature_room(key: RsaKey, scheme: SignatureScheme, hash_name: HashName) -> int:
    """The longest salt in bytes; 0 for PKCS#1 v1.5.

    Raises:
        InputError: the key is too short for the hash.
    """
    size = hashes.size(hash_name)
    if scheme is SignatureScheme.PSS:
        room = (key.bits - 1 + 7) // 8 - size - 2
        least = 8 * (size + 1) + 2
    else:
        sha1 = hash_name is HashName.SHA1
        size += _DIGEST_INFO_BYTES_SHA1 if sha1 else _DIGEST_INFO_BYTES
        room = 0 if key.octets >= size + _PADDING_BYTES else -1
        least = 8 * (size + 10) + 1
    if room < 0:
        raise _too_short(key, scheme, hash_name, least)
    return room


def message_room(key: RsaKey, scheme: EncryptionScheme, hash_name: HashName) -> int:
    """The longest message in bytes that a key encrypts.

    Raises:
        InputError: the key is too short for the hash, or with PKCS#1 v1.5 for a byte.
    """
    if scheme is EncryptionScheme.PKCS1V15:
        if key.octets <= _PADDING_BYTES:
            raise _too_short(key, scheme, hash_name, 8 * _PADDING_BYTES + 1)
        return key.octets - _PADDING_BYTES
    most = key.octets - 2 * hashes.size(hash_name) - 2
    if most < 0:
        raise _too_short(key, scheme, hash_name, 8 * (key.octets - most - 1) + 1)
    return most


def words(scheme: Scheme, hash_name: HashName) -> str:
    """The scheme, and the hash if it uses one."""
    return scheme if scheme is EncryptionScheme.PKCS1V15 else f"{scheme} and {hash_name}"


def is_pkcs1v15(scheme: Scheme) -> bool:
    """Whether it is PKCS #1 v1.5, of signatures or of encryption: it has no mask."""
    return scheme in (SignatureScheme.PKCS1V15, EncryptionScheme.PKCS1V15)


def _limits(key: RsaKey) -> PssLimits | None:
    return key.limits if isinstance(key, PssKey) else None


def _least_salt(key: RsaKey) -> int:
    limits = _limits(key)
    return limits.least_salt if limits else 0


def _stated(hash_name: HashName, salt_length: Salt | None) -> int:
    """A length that the key has no part in."""
    if salt_length is SaltLength.DIGEST:
        return hashes.size(hash_name)
    assert isinstance(salt_length, int)
    if salt_length < 0:
        raise InputError(f"the salt length is {salt_length}, allowed is 0 or more")
    return salt_length


def _checked(key: RsaKey, hash_name: HashName, length: int, room: int) -> int:
    if length > room:
        raise InputError(
            f"the salt has {length} bytes, a {key.bits}-bit key takes at most {room} with "
            f"{words(SignatureScheme.PSS, hash_name)}"
        )
    least = _least_salt(key)
    if length < least:
        raise InputError(f"the salt has {length} bytes, the key requires {least} or more")
    return length


def _too_short(key: RsaKey, scheme: Scheme, hash_name: HashName, least: int) -> InputError:
    return InputError(
        f"the key has {key.bits} bits, {words(scheme, hash_name)} needs at least {least}"
    )
