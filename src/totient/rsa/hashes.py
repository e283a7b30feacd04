"""Hash functions and mask generation functions of the schemes: those of pycryptodome."""

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, BinaryIO, Protocol

from totient.rsa.choices import HashName

MaskFunction = Callable[[bytes, int], bytes]
"""Makes a mask of a seed: so many bytes."""


class Digest(Protocol):
    """The part of pycryptodome's hash objects that its paddings use."""

    @property
    def digest_size(self) -> int:
        """Length of the digest in bytes."""

    def update(self, data: bytes) -> object:
        """Hash more data."""

    def digest(self) -> bytes:
        """Return the digest. No data may follow."""

    def new(self, data: bytes | None = None) -> "Digest":
        """Start again with the same hash function."""


_MODULES: dict[HashName, tuple[str, dict[str, str]]] = {
    HashName.SHA1: ("SHA1", {}),
    HashName.SHA224: ("SHA224", {}),
    HashName.SHA256: ("SHA256", {}),
    HashName.SHA384: ("SHA384", {}),
    HashName.SHA512: ("SHA512", {}),
    HashName.SHA512_224: ("SHA512", {"truncate": "224"}),
    HashName.SHA512_256: ("SHA512", {"truncate": "256"}),
    HashName.SHA3_224: ("SHA3_224", {}),
    HashName.SHA3_256: ("SHA3_256", {}),
    HashName.SHA3_384: ("SHA3_384", {}),
    HashName.SHA3_512: ("SHA3_512", {}),
    HashName.SHAKE128: ("SHAKE128", {}),
    HashName.SHAKE256: ("SHAKE256", {}),
}
"""Modules of `Crypto.Hash` and further arguments. Each is imported when it is used."""

# RFC 8702, section 3.2.1.
_SHAKE_DIGEST_BYTES = {HashName.SHAKE128: 32, HashName.SHAKE256: 64}
_CHUNK_BYTES = 1 << 20


class _ShakeDigest:
    """SHAKE with a digest of a fixed length, as PSS uses it."""

    def __init__(self, name: HashName, data: bytes | None = None) -> None:
        self._name = name
        self._state = _module(name).new(data)
        self._digest: bytes | None = None

    @property
    def digest_size(self) -> int:
        return _SHAKE_DIGEST_BYTES[self._name]

    def update(self, data: bytes) -> None:
        self._state.update(data)

    def digest(self) -> bytes:
        # What is read is gone from the state.
        if self._digest is None:
            self._digest = bytes(self._state.read(self.digest_size))
        return self._digest

    def new(self, data: bytes | None = None) -> "_ShakeDigest":
        return _ShakeDigest(self._name, data)


def new(name: HashName) -> Digest:
    """A hash object without data."""
    if name.is_shake:
        return _ShakeDigest(name)
    _, arguments = _MODULES[name]
    made: Digest = _module(name).new(**arguments)
    return made


def size(name: HashName) -> int:
    """Length of a digest in bytes."""
    return new(name).digest_size


def digest_of(name: HashName, message: BinaryIO) -> Digest:
    """Hash a message, read to its end."""
    digest = new(name)
    while chunk := message.read(_CHUNK_BYTES):
        digest.update(chunk)
    return digest


def mask_function(name: HashName) -> MaskFunction:
    """MGF1 with a hash function; of SHAKE the function itself (RFC 8702)."""
    if name.is_shake:

        def read(seed: bytes, length: int) -> bytes:
            return bytes(_module(name).new(seed).read(length))

        return read

    from Crypto.Signature.pss import MGF1

    # pycryptodome annotates a class of its own.
    generator: Any = new(name)
    return lambda seed, length: MGF1(seed, length, generator)


def _module(name: HashName) -> ModuleType:
    return import_module(f"Crypto.Hash.{_MODULES[name][0]}")
