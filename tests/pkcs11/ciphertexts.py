"""Ciphertexts of RSA whose first bytes are 0, in the form without them."""

import os
from collections.abc import Callable

from cryptography.hazmat.primitives.asymmetric import rsa


def nonzero(count: int) -> bytes:
    """Random bytes that are not 0."""
    return bytes(byte % 255 + 1 for byte in os.urandom(count))


def padded(message: bytes, size: int) -> bytes:
    """A block of PKCS #1 v1.5 for a modulus of so many bytes, without its leading zero byte."""
    return b"\2" + nonzero(size - len(message) - 3) + b"\0" + message


def encrypted_within(private: rsa.RSAPrivateKey, block: Callable[[], bytes], bits: int) -> bytes:
    """A ciphertext of at most so many bits, without leading zero bytes.

    Blocks are made until one gives it: 2 to the power of the bits that are missing, on average.
    """
    numbers = private.public_key().public_numbers()
    while (found := pow(int.from_bytes(block()), numbers.e, numbers.n)) >> bits:
        pass
    return found.to_bytes((found.bit_length() + 7) // 8)
