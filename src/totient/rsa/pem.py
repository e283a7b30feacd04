"""RSA keys in PEM files: PKCS#1 and PKCS#8, private and public."""

import base64
import binascii
import math
import re
from collections.abc import Callable
from dataclasses import astuple
from pathlib import Path

from Crypto.Util.asn1 import (
    DerBitString,
    DerNull,
    DerObjectId,
    DerOctetString,
    DerSequence,
)

from totient.common.errors import InputError
from totient.device.rsa_key import RsaKey
from totient.rsa.choices import KeyFormat
from totient.rsa.keys import private_key, public_key
from totient.rsa.pss_key import RSASSA_PSS, PssKey, algorithm_identifier, pss_key

_RSA = "1.2.840.113549.1.1.1"
_BLOCK = re.compile(r"-----BEGIN ([^-\n]+)-----(.*?)(?:-----END \1-----|\Z)", re.DOTALL)
# A key of 8192 bits is below 8 kB; a longer file is no key.
_MAX_FILE_BYTES = 1 << 20
_DER_SEQUENCE = b"\x30"
_SSH_PUBLIC = b"ssh-rsa "
_SSH_PUBLIC_KEY = (
    "a public key of OpenSSH, make it PEM: ssh-keygen -e -m PKCS8 -f KEY.pub > KEY.pem"
)
_OTHER_BLOCKS = {
    "OPENSSH PRIVATE KEY": "make a copy of it PEM: cp KEY KEY.pem; ssh-keygen -p -m PEM -f KEY.pem",
    "CERTIFICATE": "take its key out: openssl x509 -in CERTIFICATE.pem -noout -pubkey > KEY.pem",
    "EC PRIVATE KEY": "a key on an elliptic curve, allowed are RSA keys",
    "DSA PRIVATE KEY": "a key of DSA, allowed are RSA keys",
}
"""Other PEM blocks: their type, or the command that converts them."""
_WRONG_CRT = "the CRT values do not belong to the private exponent and the primes"


def read_private(path: Path, *, toy: bool = False) -> RsaKey:
    """Read a private key.

    Args:
        path: of the file.
        toy: whether moduli below 512 bits are allowed, too.

    Raises:
        InputError: the file cannot be read, is no PEM file of an RSA private key, is damaged or
            encrypted, or its values are out of range or inconsistent.
    """
    key = _read(path, toy)
    if not key.is_private:
        raise InputError(f"{path}: holds a public key, this needs the private one")
    return key


def read_public(path: Path, *, toy: bool = False) -> RsaKey:
    """Read a public key, or the public half of a private one.

    Arguments and errors are those of `read_private`.
    """
    key = _read(path, toy)
    return key.public


def private_pem(key: RsaKey, form: KeyFormat) -> bytes:
    """PEM text of a private key with primes: RSAPrivateKey (PKCS#1) or PrivateKeyInfo (PKCS#8).

    Raises:
        InputError: the key has no primes, or is of the type RSASSA-PSS.
    """
    _check_plain(key)
    if key.primes is None:
        raise InputError("a key without its primes cannot be written")
    values = [0, key.modulus, key.exponent, key.d, *astuple(key.crt)]
    content = DerSequence(values).encode()
    if form is KeyFormat.PKCS1:
        return _pem(content, "RSA PRIVATE KEY")
    algorithm = DerSequence([DerObjectId(_RSA), DerNull()])
    info = DerSequence([0, algorithm, DerOctetString(content)])
    return _pem(info.encode(), "PRIVATE KEY")


def public_pem(key: RsaKey, form: KeyFormat) -> bytes:
    """PEM text of a public key: RSAPublicKey (PKCS#1) or SubjectPublicKeyInfo (PKCS#8's pair).

    Raises:
        InputError: the key is of the type RSASSA-PSS.
    """
    _check_plain(key)
    content = DerSequence([key.modulus, key.exponent]).encode()
    if form is KeyFormat.PKCS1:
        return _pem(content, "RSA PUBLIC KEY")
    algorithm = DerSequence([DerObjectId(_RSA), DerNull()])
    return _pem(DerSequence([algorithm, DerBitString(content)]).encode(), "PUBLIC KEY")


def _check_plain(key: RsaKey) -> None:
    if isinstance(key, PssKey):
        raise InputError("an RSASSA-PSS key cannot be written")


def _pem(content: bytes, label: str) -> bytes:
    # Imported here, because its encryption is not used and takes long to import.
    from Crypto.IO import PEM

    return PEM.encode(content, label).encode() + b"\n"


def _read(path: Path, toy: bool) -> RsaKey:
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_FILE_BYTES)
    except OSError as error:
        raise InputError(f"cannot read the key {path}: {error.strerror}") from error
    try:
        return parse(data, toy=toy)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def parse(data: bytes, *, toy: bool = False) -> RsaKey:
    """The RSA key in a PEM text. Text around the block is allowed, as OpenSSL writes it.

    Args:
        data: the text.
        toy: whether moduli below 512 bits are allowed, too.

    Raises:
        InputError: see `read_private`.
    """
    text = data.decode("ascii", errors="replace")
    blocks = [(match[1], match[2], match[0]) for match in _BLOCK.finditer(text)]
    # OpenSSL writes the curve in a separate block before an elliptic key.
    blocks = [block for block in blocks if not block[0].endswith("PARAMETERS")]
    if not blocks and data[:1] == _DER_SEQUENCE:
        raise InputError(
            "holds a binary (DER) key, make it PEM: openssl pkey -inform DER -in KEY.der -out "
            "KEY.pem (a public one with -pubin)"
        )
    if not blocks and data.startswith(_SSH_PUBLIC):
        raise InputError(f"holds {_SSH_PUBLIC_KEY}")
    if not blocks:
        raise InputError("holds no PEM key (a line -----BEGIN ... KEY-----)")
    label, body, whole = blocks[0]
    if label == "ENCRYPTED PRIVATE KEY" or "Proc-Type: 4,ENCRYPTED" in body:
        raise InputError(
            "the key is encrypted, decrypt it first: openssl pkey -in ENCRYPTED.pem -out KEY.pem"
        )
    readers: dict[str, Callable[[bytes, bool], RsaKey]] = {
        "RSA PRIVATE KEY": _rsa_private_key,
        "PRIVATE KEY": _private_key_info,
        "RSA PUBLIC KEY": _rsa_public_key,
        "PUBLIC KEY": _subject_public_key_info,
    }
    if label in _OTHER_BLOCKS:
        raise InputError(f"holds a PEM block {label!r}: {_OTHER_BLOCKS[label]}")
    if label not in readers:
        raise InputError(f"holds a PEM block {label[:40]!r}, allowed are {', '.join(readers)}")
    if not whole.endswith("-----END " + label + "-----"):
        raise InputError(f"the PEM is damaged: no line -----END {label}-----")
    try:
        content = base64.b64decode("".join(body.split()), validate=True)
    except binascii.Error as error:
        raise InputError("the PEM is damaged: its content is not base64") from error
    try:
        return readers[label](content, toy)
    except (ValueError, TypeError, IndexError) as error:
        raise InputError(f"the PEM is damaged: its content is no {label}") from error


def _rsa_private_key(content: bytes, toy: bool) -> RsaKey:
    sequence = DerSequence().decode(content, strict=True)
    if int(sequence[0]) == 1:
        return _multi_prime_key(sequence, toy)
    values = _integers(content)
    version, n, e, d, p, q, *crt = values
    if version != 0 or len(crt) != 3:
        raise ValueError("not an RSAPrivateKey")
    # Zeros stand for unknown values.
    primes = (p, q) if p or q else None
    key = private_key(public_key(n, e, toy=toy), d, primes)
    if key.primes and crt != [key.crt.d_p, key.crt.d_q, key.crt.q_inverse]:
        raise InputError(_WRONG_CRT)
    return key


def _multi_prime_key(sequence: DerSequence, toy: bool) -> RsaKey:
    """A key of three or more primes (RFC 8017, A.1.2, version 1): checked, used without them."""
    values = [int(sequence[index]) for index in range(9)]
    if len(sequence) != 10:
        raise ValueError("not an RSAPrivateKey")
    if min(values) < 0:
        raise ValueError("not an RSAPrivateKey")
    _, n, e, d, p, q, d_p, d_q, q_inverse = values
    others = DerSequence().decode(sequence[9], strict=True)
    further = [_integers(others[index]) for index in range(len(others))]
    primes = [p, q, *(prime for prime, _, _ in further)]
    if not further or min(primes) < 3:
        raise ValueError("not an RSAPrivateKey")
    if math.prod(primes) != n:
        raise InputError("the product of the primes is not the modulus")
    key = private_key(public_key(n, e, toy=toy), d, None)
    if e * d % math.lcm(*(prime - 1 for prime in primes)) != 1:
        raise InputError("the private exponent does not belong to the public exponent")
    # Of each prime after the first: the product whose inverse is stored.
    inverted = [(q, p, q_inverse)]
    inverted += [
        (math.prod(primes[: index + 2]), prime, inverse)
        for index, (prime, _, inverse) in enumerate(further)
    ]
    exponents = zip(primes, [d_p, d_q, *(exponent for _, exponent, _ in further)], strict=True)
    if any(exponent != d % (prime - 1) for prime, exponent in exponents) or any(
        inverse >= prime or inverse * product % prime != 1 for product, prime, inverse in inverted
    ):
        raise InputError(_WRONG_CRT)
    return key


def _rsa_public_key(content: bytes, toy: bool) -> RsaKey:
    n, e = _integers(content)
    return public_key(n, e, toy=toy)


def _integers(content: bytes) -> list[int]:
    sequence = DerSequence().decode(content, strict=True, only_ints_expected=True)
    return [int(sequence[index]) for index in range(len(sequence))]


def _private_key_info(content: bytes, toy: bool) -> RsaKey:
    """A key of PrivateKeyInfo, whose attributes and public key (RFC 5958) are not used."""
    sequence = DerSequence().decode(content, strict=True, nr_elements=(3, 4, 5))
    version, algorithm, octets = (sequence[index] for index in range(3))
    if version not in (0, 1) or (version == 0 and len(sequence) == 5):
        raise ValueError("not a PrivateKeyInfo")
    identifier, parameters = algorithm_identifier(DerSequence().decode(algorithm, strict=True))
    key = DerOctetString().decode(octets, strict=True).payload
    return _of_algorithm(identifier, parameters, lambda: _rsa_private_key(key, toy))


def _subject_public_key_info(content: bytes, toy: bool) -> RsaKey:
    sequence = DerSequence().decode(content, strict=True, nr_elements=2)
    identifier, parameters = algorithm_identifier(DerSequence().decode(sequence[0], strict=True))
    key = DerBitString().decode(sequence[1]).value
    return _of_algorithm(identifier, parameters, lambda: _rsa_public_key(key, toy))


def _of_algorithm(identifier: str, parameters: bytes | None, read: Callable[[], RsaKey]) -> RsaKey:
    """A key of the type that its AlgorithmIdentifier states."""
    if identifier == RSASSA_PSS:
        return pss_key(read(), parameters)
    if identifier != _RSA:
        raise InputError(f"not an RSA key (algorithm {identifier})")
    return read()
