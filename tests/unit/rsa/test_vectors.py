"""The published vectors, through the schemes and the raw operations."""

import io

import pytest

from tests.unit.rsa.double import Workshop
from tests.unit.rsa.vectors import Vector, assigned, headed, headed_key
from totient.device import RsaKey
from totient.rsa import schemes
from totient.rsa.accelerator import Accelerator
from totient.rsa.choices import EncryptionScheme, HashName, SignatureScheme
from totient.rsa.keys import public_key

HASHES = {name.upper(): name for name in HashName}
PKCS1_FILES = "pkcs-1v2-1d2-vec"


def message(vector: Vector, name: str) -> io.BytesIO:
    return io.BytesIO(bytes.fromhex(vector[name]))


def verifies(
    key: RsaKey, text: io.BytesIO, signature: bytes, scheme: SignatureScheme, hash_name: HashName
) -> bool:
    """Whether a signature is valid, by a device that is opened for it."""
    accelerator = Accelerator("tty:montgomery")
    return schemes.verify(accelerator, key, text, signature, scheme, hash_name)


def answer(vector: Vector, scheme: SignatureScheme) -> bool:
    """Whether the signature of a vector of FIPS 186 is valid."""
    key = public_key(int(vector["n"], 16), int(vector["e"], 16))
    signature, hash_name = bytes.fromhex(vector["S"]), HASHES[vector["SHAAlg"]]
    return verifies(key, message(vector, "Msg"), signature, scheme, hash_name)


def few(vectors: list[Vector], step: int) -> list[Vector]:
    """Every `step`-th vector: the files repeat each key many times."""
    assert len(vectors) >= step
    return vectors[::step]


def give_random(monkeypatch: pytest.MonkeyPatch, stream: bytes) -> None:
    """Let the paddings take their random bytes from a vector."""
    source = io.BytesIO(stream)

    def take(count: int) -> bytes:
        data = source.read(count)
        assert len(data) == count
        return data

    monkeypatch.setattr("Crypto.Random.get_random_bytes", take)


@pytest.mark.parametrize("crt", [True, False])
def test_pkcs1v15_signatures(workshop: Workshop, crt: bool) -> None:
    for vector in few(list(headed("pkcs1v15sign-vectors.txt", "signature")), 7):
        key = headed_key(vector)
        accelerator = Accelerator("tty:montgomery")
        text = message(vector, "message to be signed")
        signature = schemes.sign(
            accelerator, key, text, SignatureScheme.PKCS1V15, HashName.SHA1, crt=crt
        )
        assert signature == bytes.fromhex(vector["signature"])
        assert [step.name for step in accelerator.steps] == (
            ["private, modulo p", "private, modulo q"] if crt else ["private"]
        )
        text = message(vector, "message to be signed")
        assert verifies(key.public, text, signature, SignatureScheme.PKCS1V15, HashName.SHA1)


def test_pss_signatures(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    for vector in headed(f"{PKCS1_FILES}/pss-vect.txt", "signature"):
        key = headed_key(vector)
        text = message(vector, "message to be signed")
        give_random(monkeypatch, bytes.fromhex(vector["salt"]))
        signature = schemes.sign(
            Accelerator("tty:montgomery"), key, text, SignatureScheme.PSS, HashName.SHA1
        )
        assert signature == bytes.fromhex(vector["signature"])


@pytest.mark.parametrize(
    ("name", "scheme"),
    [
        ("FIPS_186-2/SigVer15_186-3.rsp", SignatureScheme.PKCS1V15),
        ("FIPS_186-2/SigVerPSS_186-3.rsp", SignatureScheme.PSS),
    ],
)
def test_verification_answers(workshop: Workshop, name: str, scheme: SignatureScheme) -> None:
    """Signatures that are valid, or spoilt in each way that the standard's test foresees."""
    answers = []
    for vector in assigned(name, "Result"):
        valid = answer(vector, scheme)
        assert valid == vector["Result"].startswith("P"), vector["Result"]
        answers.append(valid)
    assert (answers.count(True), answers.count(False)) == (75, 375)


@pytest.mark.parametrize(
    ("name", "scheme"),
    [
        ("FIPS_186-2/SigGen15_186-3.rsp", SignatureScheme.PKCS1V15),
        ("FIPS_186-2/SigGenPSS_186-3.rsp", SignatureScheme.PSS),
        ("FIPS_186-2/SigGenPSS_186-2.rsp", SignatureScheme.PSS),
    ],
)
def test_valid_signatures(workshop: Workshop, name: str, scheme: SignatureScheme) -> None:
    """Keys of 1024 to 4096 bits, each hash; PSS without a salt and with one."""
    vectors = list(assigned(name, "S"))
    assert len(vectors) == 250
    assert all(answer(vector, scheme) for vector in vectors)


@pytest.mark.parametrize(
    ("name", "scheme", "hash_name"),
    [
        (f"{PKCS1_FILES}/oaep-vect.txt", EncryptionScheme.OAEP, HashName.SHA1),
        ("oaep-custom/oaep-sha256-sha256.txt", EncryptionScheme.OAEP, HashName.SHA256),
        ("oaep-custom/oaep-sha384-sha384.txt", EncryptionScheme.OAEP, HashName.SHA384),
        ("oaep-custom/oaep-sha512-sha512.txt", EncryptionScheme.OAEP, HashName.SHA512),
        ("pkcs1v15crypt-vectors.txt", EncryptionScheme.PKCS1V15, HashName.SHA256),
    ],
)
def test_encryption(
    workshop: Workshop,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    scheme: EncryptionScheme,
    hash_name: HashName,
) -> None:
    vectors = list(headed(name, "encryption"))
    assert len(vectors) >= 30
    for vector in few(vectors, 7 if len(vectors) > 100 else 1):
        key = headed_key(vector)
        plain = bytes.fromhex(vector.get("message", vector.get("message to be encrypted", "")))
        ciphertext = bytes.fromhex(vector["encryption"])
        accelerator = Accelerator("tty:montgomery")
        assert schemes.decrypt(accelerator, key, ciphertext, scheme, hash_name) == plain
        if "seed" in vector:
            give_random(monkeypatch, bytes.fromhex(vector["seed"]))
            assert schemes.encrypt(accelerator, key.public, plain, scheme, hash_name) == ciphertext


def test_every_vector_was_given_to_the_device(workshop: Workshop) -> None:
    """The results above come from the device, not from the library under the paddings."""
    vector = next(headed("pkcs1v15crypt-vectors.txt", "encryption"))
    key = headed_key(vector)
    accelerator = Accelerator("tty:montgomery")
    schemes.decrypt(
        accelerator, key, bytes.fromhex(vector["encryption"]), EncryptionScheme.PKCS1V15
    )
    p, q = (key.crt.p, key.crt.q)
    assert workshop.device.loads == [
        (p, key.crt.d_p, p.bit_length()),
        (q, key.crt.d_q, q.bit_length()),
    ]
    assert workshop.device.cleared == 2
