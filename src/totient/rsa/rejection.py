"""Implicit rejection of bad PKCS #1 v1.5 padding: draft-irtf-cfrg-rsa-guidance, section 7.

A service that answers bad padding in another way than good padding decrypts for anybody who asks
often enough (Bleichenbacher). With implicit rejection, bad padding gives a message, too. It depends
on the private key and the ciphertext only, and nobody without the key can tell it from a real one.
OpenSSL 3.2 and later returns the same message.
"""

import hashlib
import hmac
import math

from totient.device.rsa_key import RsaKey

_LENGTHS = 128
"""Candidates for the length of the message, of which the last one that fits is taken."""

_FIXED_OCTETS = 10
"""Octets before the separator of a padding: 0, 2 and the 8 octets that it has at least."""


def synthetic_message(key: RsaKey, ciphertext: bytes) -> bytes:
    """The message that a ciphertext with bad padding decrypts to.

    Which operations are executed depends on the key's length only. The last step is an exception:
    it copies as many bytes as the message has.

    Args:
        key: private, of 81 bits at least: a shorter one has no room for a padding.
        ciphertext: as many bytes as the modulus has.

    Returns:
        0 to `key.octets` - 11 bytes.

    Raises:
        InputError: the key is not private.
    """
    octets = key.octets
    secret = hashlib.sha256(_private_exponent(key).to_bytes(octets, "big")).digest()
    derivation = hmac.digest(secret, ciphertext, "sha256")
    lengths = _pseudorandom(derivation, b"length", 2 * _LENGTHS)
    message = _pseudorandom(derivation, b"message", octets)
    # Shorter than this. Bits that no length has are masked, so that most candidates fit.
    bound = octets - _FIXED_OCTETS
    mask = (1 << bound.bit_length()) - 1
    length = 0
    for place in range(0, len(lengths), 2):
        candidate = (lengths[place] << 8 | lengths[place + 1]) & mask
        fits = candidate - bound >> 63  # -1 or 0: all bits, or none
        length = candidate & fits | length & ~fits
    return message[octets - length :]


def _private_exponent(key: RsaKey) -> int:
    if key.private_exponent is not None or key.primes is None:
        return key.d
    p, q = key.primes.p, key.primes.q
    return pow(key.exponent, -1, math.lcm(p - 1, q - 1))


def _pseudorandom(key: bytes, label: bytes, octets: int) -> bytes:
    """The draft's pseudorandom function IRPRF: HMAC-SHA256 of a counter, a label and the length."""
    bits = (8 * octets).to_bytes(2, "big")
    blocks = (
        hmac.digest(key, count.to_bytes(2, "big") + label + bits, "sha256")
        for count in range(-(-octets // hashlib.sha256().digest_size))
    )
    return b"".join(blocks)[:octets]
