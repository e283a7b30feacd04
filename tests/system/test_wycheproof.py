"""A sample of Wycheproof's RSA cases on a simulated engine."""

from collections.abc import Iterator
from random import Random

import pytest

from tests.unit.rsa import wycheproof
from totient.rsa.accelerator import Accelerator

MAX_BITS = 2048
# Cases of each kind; a private operation takes longer.
SAMPLE = {
    wycheproof.VERIFY: 8,
    wycheproof.PSS: 8,
    wycheproof.PSS_KEY: 8,
    wycheproof.SIGN: 3,
    wycheproof.OAEP: 4,
    wycheproof.DECRYPT: 4,
}


@pytest.fixture(scope="module")
def engine() -> Iterator[Accelerator]:
    with Accelerator(f"sim:engine-62?width={MAX_BITS}") as opened:
        yield opened


@pytest.mark.parametrize("kind", list(SAMPLE))
def test_a_sample(engine: Accelerator, kind: str) -> None:
    """Half of it valid. A case that the engine has no part in, such as a wrong length, is none."""
    fits = [
        case
        for case in wycheproof.cases(kind)
        if case.group.get("keySize", MAX_BITS) <= MAX_BITS
        and wycheproof.key_of(case).bits <= MAX_BITS
    ]
    count, random = SAMPLE[kind], Random(kind)
    random.shuffle(fits)
    valid = [case for case in fits if case.test["result"] != "invalid"]
    invalid = [case for case in fits if case.test["result"] == "invalid"]
    half = count // 2 if invalid else 0
    before, tried = len(engine.steps), 0
    for case in (*valid[: count - half], *invalid):
        _, failures = wycheproof.run(engine, [case])
        assert not failures
        tried = len(engine.steps) - before
        if tried == count:
            break
    assert tried == count
