"""Keys of the type RSASSA-PSS: for PSS signatures only, some with limits (RFC 4055)."""

from dataclasses import dataclass

from Crypto.Util.asn1 import DerInteger, DerNull, DerObjectId, DerSequence

from totient.common.errors import InputError
from totient.device.rsa_key import RsaKey
from totient.rsa.choices import HashName

RSASSA_PSS = "1.2.840.113549.1.1.10"
"""Algorithm of such a key in PEM files."""

_MGF1 = "1.2.840.113549.1.1.8"
_HASHES = {
    "1.3.14.3.2.26": HashName.SHA1,
    "2.16.840.1.101.3.4.2.1": HashName.SHA256,
    "2.16.840.1.101.3.4.2.2": HashName.SHA384,
    "2.16.840.1.101.3.4.2.3": HashName.SHA512,
    "2.16.840.1.101.3.4.2.4": HashName.SHA224,
    "2.16.840.1.101.3.4.2.5": HashName.SHA512_224,
    "2.16.840.1.101.3.4.2.6": HashName.SHA512_256,
    "2.16.840.1.101.3.4.2.7": HashName.SHA3_224,
    "2.16.840.1.101.3.4.2.8": HashName.SHA3_256,
    "2.16.840.1.101.3.4.2.9": HashName.SHA3_384,
    "2.16.840.1.101.3.4.2.10": HashName.SHA3_512,
}
_DEFAULT_SALT_BYTES = 20
_MOST_SALT_BYTES = 1 << 16  # more than any modulus has
# In order: hash function, mask generation function, length of the salt, trailer.
_HASH, _MASK, _SALT, _TRAILER = range(4)
_EXPLICIT = 0xA0


@dataclass(frozen=True)
class PssLimits:
    """Limits of a key's signatures.

    Attributes:
        hash_name: hash function of the message.
        mgf_hash: hash function of MGF1.
        least_salt: shortest salt in bytes.
    """

    hash_name: HashName
    mgf_hash: HashName
    least_salt: int


@dataclass(frozen=True, repr=False)
class PssKey(RsaKey):
    """A key that signs and verifies with PSS only.

    Attributes:
        limits: of its signatures; `None`: none.
    """

    limits: PssLimits | None = None


def pss_key(key: RsaKey, parameters: bytes | None) -> PssKey:
    """An RSASSA-PSS key of the values of a plain one.

    Args:
        key: its values.
        parameters: RSASSA-PSS-params in DER, from the key's AlgorithmIdentifier; `None`: absent.

    Raises:
        ValueError: the parameters are damaged.
        InputError: they name a function that is not supported, or a salt that no key takes.
    """
    limits = None if parameters is None else _limits(parameters)
    return PssKey(key.modulus, key.exponent, key.private_exponent, key.primes, limits)


def _limits(parameters: bytes) -> PssLimits:
    sequence = DerSequence().decode(parameters, strict=True)
    fields: dict[int, bytes] = {}
    for index in range(len(sequence)):
        element = sequence[index]
        if isinstance(element, int):
            raise ValueError("no RSASSA-PSS-params")
        field = element[0] - _EXPLICIT
        if field not in range(4) or any(other >= field for other in fields):
            raise ValueError("no RSASSA-PSS-params")
        fields[field] = element
    hash_name = mgf_hash = HashName.SHA1
    if _HASH in fields:
        hash_name = _hash(DerSequence(explicit=_HASH).decode(fields[_HASH], strict=True))
    if _MASK in fields:
        mask = DerSequence(explicit=_MASK).decode(fields[_MASK], strict=True, nr_elements=2)
        identifier = DerObjectId().decode(mask[0]).value
        if identifier != _MGF1:
            raise InputError(f"the key's mask is of algorithm {identifier}, allowed is MGF1")
        mgf_hash = _hash(DerSequence().decode(mask[1], strict=True))
    least_salt = _integer(fields, _SALT, _DEFAULT_SALT_BYTES)
    if least_salt < 0 or _integer(fields, _TRAILER, 1) != 1:
        raise ValueError("no RSASSA-PSS-params")
    if least_salt > _MOST_SALT_BYTES:
        raise InputError(f"the key requires a salt of more than {_MOST_SALT_BYTES} bytes")
    return PssLimits(hash_name, mgf_hash, least_salt)


def _hash(algorithm: DerSequence) -> HashName:
    """The hash function of an AlgorithmIdentifier, whose parameters are NULL or absent."""
    identifier, parameters = algorithm_identifier(algorithm)
    if parameters is not None and parameters != DerNull().encode():
        raise ValueError("no AlgorithmIdentifier of a hash function")
    if identifier not in _HASHES:
        names = ", ".join(_HASHES.values())
        raise InputError(f"the key's hash is of algorithm {identifier}, allowed are {names}")
    return _HASHES[identifier]


def algorithm_identifier(sequence: DerSequence) -> tuple[str, bytes | None]:
    """The identifier of an AlgorithmIdentifier, and its parameters in DER; `None`: absent.

    Raises:
        ValueError: it is damaged.
    """
    elements = [sequence[index] for index in range(len(sequence))]
    if len(elements) not in (1, 2) or any(isinstance(each, int) for each in elements):
        raise ValueError("no AlgorithmIdentifier")
    identifier = DerObjectId().decode(elements[0], strict=True).value
    return identifier, elements[1] if len(elements) == 2 else None


def _integer(fields: dict[int, bytes], field: int, default: int) -> int:
    if field not in fields:
        return default
    return int(DerInteger(explicit=field).decode(fields[field], strict=True).value)
