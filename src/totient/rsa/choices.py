"""A user's choices, in a module of their own so that the help text appears quickly."""

from enum import StrEnum


class SignatureScheme(StrEnum):
    """Signature schemes of RFC 8017."""

    PSS = "pss"
    PKCS1V15 = "pkcs1v15"


class EncryptionScheme(StrEnum):
    """Encryption schemes of RFC 8017."""

    OAEP = "oaep"
    PKCS1V15 = "pkcs1v15"


class HashName(StrEnum):
    """Hash functions, by OpenSSL's names.

    SHAKE128 and SHAKE256 are for PSS only, with digests of 32 and 64 bytes (RFC 8702).
    """

    SHA1 = "sha1"
    SHA224 = "sha224"
    SHA256 = "sha256"
    SHA384 = "sha384"
    SHA512 = "sha512"
    SHA512_224 = "sha512-224"
    SHA512_256 = "sha512-256"
    SHA3_224 = "sha3-224"
    SHA3_256 = "sha3-256"
    SHA3_384 = "sha3-384"
    SHA3_512 = "sha3-512"
    SHAKE128 = "shake128"
    SHAKE256 = "shake256"

    @property
    def is_shake(self) -> bool:
        """Whether it is SHAKE128 or SHAKE256."""
        return self in (HashName.SHAKE128, HashName.SHAKE256)


class SaltLength(StrEnum):
    """Length of a PSS salt, by OpenSSL's names. Another choice is a number of bytes.

    DIGEST: that of the digest. MAX: the longest that the key allows. AUTO: the longest to sign,
    any to verify. AUTO_DIGESTMAX, the default: that of the digest to sign, or shorter if the key
    requires it; any to verify.
    """

    DIGEST = "digest"
    MAX = "max"
    AUTO = "auto"
    AUTO_DIGESTMAX = "auto-digestmax"


class KeyFormat(StrEnum):
    """Format of a PEM file.

    PKCS#1: RSAPrivateKey or RSAPublicKey. PKCS#8: PrivateKeyInfo or, its counterpart for public
    keys, SubjectPublicKeyInfo.
    """

    PKCS1 = "pkcs1"
    PKCS8 = "pkcs8"
