"""RSA keys in DER, and what is almost one, byte by byte."""

from typing import NamedTuple

from Crypto.Util.number import getPrime


def element(tag: int, content: bytes) -> bytes:
    """An element, its length in the shortest form."""
    length = len(content)
    if length < 0x80:
        return bytes([tag, length]) + content
    size = length.to_bytes(-(-length.bit_length() // 8))
    return bytes([tag, 0x80 | len(size)]) + size + content


def sequence(*parts: bytes) -> bytes:
    """A sequence of elements."""
    return element(0x30, b"".join(parts))


def number(content: bytes) -> bytes:
    """A number with any content."""
    return element(0x02, content)


def integer(value: int) -> bytes:
    """A number that is not negative, in its shortest form."""
    return number(value.to_bytes(value.bit_length() // 8 + 1))


ALGORITHM = sequence(bytes.fromhex("06092a864886f70d010101"), b"\x05\x00")
"""rsaEncryption, with the parameters that it must have."""


class Numbers(NamedTuple):
    """The numbers of a private key, in the order of PKCS #1."""

    n: int
    e: int
    d: int
    p: int
    q: int
    d_p: int
    d_q: int
    q_inverse: int

    @classmethod
    def of(cls, p: int, q: int, e: int) -> "Numbers":
        """The key of two primes."""
        d = pow(e, -1, (p - 1) * (q - 1))
        return cls(p * q, e, d, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p))


def made(bits: int, e: int) -> Numbers:
    """A random key of a length."""
    while True:
        p, q = getPrime(bits // 2), getPrime(bits // 2)
        if (p * q).bit_length() == bits and p != q and (p - 1) * (q - 1) % e:
            return Numbers.of(p, q, e)


def pkcs1(key: Numbers) -> bytes:
    """A private key of PKCS #1."""
    return sequence(*map(integer, (0, *key)))


def pkcs1_public(n: int, e: int) -> bytes:
    """A public key of PKCS #1."""
    return sequence(integer(n), integer(e))


def pkcs8(key: bytes, version: int = 0, more: bytes = b"", algorithm: bytes = ALGORITHM) -> bytes:
    """A key of PKCS #8."""
    return sequence(integer(version), algorithm, element(0x04, key), more)


def spki(key: bytes, algorithm: bytes = ALGORITHM) -> bytes:
    """A public key of X.509."""
    return sequence(algorithm, element(0x03, b"\x00" + key))
