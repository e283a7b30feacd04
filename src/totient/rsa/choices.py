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
    """Hash functions; PSS and OAEP use the same one for their mask."""

    SHA1 = "sha1"
    SHA256 = "sha256"
    SHA384 = "sha384"
    SHA512 = "sha512"


class KeyFormat(StrEnum):
    """Format of a PEM file.

    PKCS#1: RSAPrivateKey or RSAPublicKey. PKCS#8: PrivateKeyInfo or, its counterpart for public
    keys, SubjectPublicKeyInfo.
    """

    PKCS1 = "pkcs1"
    PKCS8 = "pkcs8"
