"""All RSA cases of Wycheproof, with powers by Python."""

import math

import pytest

from tests.unit.rsa import wycheproof
from tests.unit.rsa.double import Workshop
from tests.unit.rsa.wycheproof import Counts
from totient.rsa.accelerator import Accelerator
from totient.rsa.pss_key import PssKey, PssLimits

# Valid, invalid, acceptable and accepted, acceptable and refused.
COUNTS: dict[str, Counts] = {
    wycheproof.VERIFY: (173, 6005, 0, 24),
    wycheproof.SIGN: (80, 0, 78, 0),
    wycheproof.PSS: (1633, 773, 0, 0),
    wycheproof.PSS_KEY: (775, 316, 0, 0),
    wycheproof.OAEP: (760, 445, 3, 0),
    wycheproof.DECRYPT: (124, 77, 0, 0),
}


@pytest.mark.parametrize("kind", list(COUNTS))
def test_cases(workshop: Workshop, kind: str) -> None:
    chosen = list(wycheproof.cases(kind))
    counts, failures = wycheproof.run(Accelerator("tty:montgomery?width=8192"), chosen)
    assert not failures
    assert counts == COUNTS[kind]
    assert sum(counts) == len(chosen)


def test_every_case_of_every_file_is_tried() -> None:
    stated = [content["numberOfTests"] for content in wycheproof.contents().values()]
    assert (len(stated), sum(stated)) == (83, 11_266)
    assert sum(map(sum, COUNTS.values())) == 11_266
    assert {group["type"] for _, group in wycheproof.groups()} == set(COUNTS)


def test_keys_in_pem() -> None:
    """Each has the values that stand beside it."""
    read = 0
    for name, group in wycheproof.groups():
        texts = [
            group[field] for field in ("publicKeyPem", "privateKeyPem", "keyPem") if field in group
        ]
        if "privateKeyPkcs8" in group:
            texts.append(wycheproof.pkcs8(group))
        values = group.get("publicKey") or group["privateKey"]
        for text in texts:
            key = wycheproof.key(text)
            read += 1
            assert key.modulus == int(values["modulus"], 16), name
            assert key.exponent == int(values["publicExponent"], 16), name
            if key.is_private:
                assert key.d == int(values["privateExponent"], 16), name
    assert read == 930


def test_keys_with_three_primes() -> None:
    """The device gets d: an engine takes two primes."""
    sizes = []
    for name, group in wycheproof.groups():
        if "three_primes" in name:
            values = group["privateKey"]
            more = [int(each[0], 16) for each in values["otherPrimeInfos"]]
            primes = [int(values["prime1"], 16), int(values["prime2"], 16), *more]
            key = wycheproof.key(wycheproof.pkcs8(group))
            assert len(primes) == 3
            assert key.modulus == math.prod(primes)
            assert key.primes is None
            assert wycheproof.key(group["privateKeyPem"]) == key
            sizes.append(key.bits)
    assert sizes == [2048, 3072, 4096]


def test_limits_of_keys() -> None:
    """The keys of one kind are of the type RSASSA-PSS, and have the parameters of their group."""
    for name, group in wycheproof.groups():
        if group["type"] == wycheproof.PSS_KEY:
            key = wycheproof.key(group["publicKeyPem"])
            assert isinstance(key, PssKey), name
            digest, mask = (wycheproof.hash_name(group[field]) for field in ("sha", "mgfSha"))
            assert key.limits == PssLimits(digest, mask, group["sLen"]), name
