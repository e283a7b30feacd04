"""Keys in PEM with any values."""

from collections.abc import Sequence

from Crypto.IO import PEM
from Crypto.Util.asn1 import DerSequence

from totient.device import RsaKey


def integers(key: RsaKey) -> list[int]:
    """The values of an RSAPrivateKey: version, n, e, d, p, q, d_p, d_q, q_inverse."""
    parts = key.crt
    head = [0, key.modulus, key.exponent, key.d]
    return [*head, parts.p, parts.q, parts.d_p, parts.d_q, parts.q_inverse]


def pkcs1(values: Sequence[int], kind: str = "PRIVATE") -> bytes:
    """An RSAPrivateKey, or an RSAPublicKey of modulus and exponent."""
    return PEM.encode(DerSequence(values).encode(), f"RSA {kind} KEY").encode()
