"""Hash functions and masks, against Python's own."""

import hashlib
import io

import pytest

from totient.rsa import hashes
from totient.rsa.choices import HashName

DATA = b"The quick brown fox" * 100_000


def theirs(name: HashName, data: bytes) -> bytes:
    """The digest by hashlib."""
    made = hashlib.new({"sha512-224": "sha512_224", "sha512-256": "sha512_256"}.get(name, name))
    made.update(data)
    if name.is_shake:
        return made.digest(32 if name is HashName.SHAKE128 else 64)  # type: ignore[call-arg]
    return made.digest()


@pytest.mark.parametrize("name", list(HashName))
def test_digests(name: HashName) -> None:
    digest = hashes.digest_of(name, io.BytesIO(DATA))
    assert digest.digest() == digest.digest() == theirs(name, DATA)
    assert digest.digest_size == hashes.size(name) == len(digest.digest())
    again = digest.new(b"other")
    again.update(b" data")
    assert again.digest() == theirs(name, b"other data")
    assert digest.new().digest() == theirs(name, b"")


@pytest.mark.parametrize("name", [name for name in HashName if not name.is_shake])
def test_masks_are_mgf1(name: HashName) -> None:
    blocks = [theirs(name, b"seed" + bytes([0, 0, 0, index])) for index in range(10)]
    for length in (0, 1, hashes.size(name), 200):
        assert hashes.mask_function(name)(b"seed", length) == b"".join(blocks)[:length]


@pytest.mark.parametrize("name", [HashName.SHAKE128, HashName.SHAKE256])
def test_masks_of_shake_are_its_output(name: HashName) -> None:
    for length in (0, 1, 200):
        expected = hashlib.new(name, b"seed").digest(length)  # type: ignore[call-arg]
        assert hashes.mask_function(name)(b"seed", length) == expected
