"""Keys and signatures of our hardware, checked with OpenSSL through the package cryptography."""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import load_pem_private_key

SIGNING_BITS = 496
"""Shortest modulus for a signature with SHA-256."""


def private_key(n: int, e: int, d: int) -> rsa.RSAPrivateKey:
    """A key from its numbers.

    Args:
        n: modulus.
        e: public exponent.
        d: private exponent.

    Raises:
        ValueError: the numbers are no RSA key.
    """
    p, q = rsa.rsa_recover_prime_factors(n, e, d)
    public = rsa.RSAPublicNumbers(e, n)
    crt = rsa.rsa_crt_dmp1(d, p), rsa.rsa_crt_dmq1(d, q), rsa.rsa_crt_iqmp(p, q)
    return rsa.RSAPrivateNumbers(p, q, d, *crt, public).private_key()


def read_key(text: bytes) -> rsa.RSAPrivateKey:
    """A private key from its PEM text, checked by OpenSSL.

    Raises:
        ValueError: OpenSSL refuses it.
        TypeError: it is encrypted, or no RSA key.
    """
    key = load_pem_private_key(text, None)
    if not isinstance(key, rsa.RSAPrivateKey):
        raise TypeError("no RSA key")
    return key


def signature(key: rsa.RSAPrivateKey, text: bytes) -> int:
    """RSASSA-PKCS1-v1_5 with SHA-256. Raised to e it gives the padded digest, for us to sign."""
    return int.from_bytes(key.sign(text, padding.PKCS1v15(), hashes.SHA256()), "big")


def verifies(key: rsa.RSAPrivateKey, text: bytes, signed: int) -> bool:
    """Whether OpenSSL accepts a signature of that kind."""
    octets = signed.to_bytes(-(-key.key_size // 8), "big")
    try:
        key.public_key().verify(octets, text, padding.PKCS1v15(), hashes.SHA256())
    except InvalidSignature:
        return False
    return True
