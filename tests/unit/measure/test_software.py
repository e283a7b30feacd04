"""RSA in software on simulated processors: right results, time that tells no secret, figures kept."""

import json
import random
from dataclasses import replace

import pytest
from Crypto.PublicKey import RSA

from totient.common.errors import InputError, ToolError
from totient.measure import software
from totient.measure.software import (
    ASSEMBLY,
    BEARSSL15,
    BEARSSL31,
    LENGTHS,
    OPERATIONS,
    OURS,
    PRIVATE,
    PUBLIC,
    TINY,
    Figures,
    Key,
    SoftwareRecord,
    Work,
)
from totient.processor import Processor, find_processor, processors

every_processor = pytest.mark.parametrize("processor", processors(), ids=lambda each: each.name)
# Short ones; the operations that take long are in `totient bench`.
SMALL = 512


def forms(processor: Processor) -> list[str]:
    return list(dict.fromkeys(work.form for work in software.works(processor)))


def random_key(seed: int) -> Key:
    source = random.Random(seed)
    key = RSA.generate(1024, randfunc=source.randbytes)
    del key
    while True:
        p, q = (_prime(source) for _ in range(2))
        if p != q and (p * q).bit_length() == SMALL:
            return Key(p * q, 65537, pow(65537, -1, (p - 1) * (q - 1)), p, q)


def _prime(source: random.Random) -> int:
    from Crypto.Util.number import isPrime

    while True:
        candidate = source.getrandbits(SMALL // 2) | 3 << SMALL // 2 - 2 | 1
        if candidate % 65537 != 1 and isPrime(candidate):
            return candidate


@every_processor
def test_time_tells_no_secret(processor: Processor) -> None:
    """The same count for other keys and operands of the same lengths; right results, too."""
    for form in (OURS, ASSEMBLY):
        if form not in forms(processor):
            continue
        work = Work(form, PRIVATE, SMALL)
        program = software.rsa_program(processor, work, window=2)
        keys = [random_key(seed) for seed in (1, 2)]
        swapped = replace(keys[0], p=keys[0].q, q=keys[0].p)
        runs = [(key, random.Random(5).randrange(key.n)) for key in (*keys, swapped)]
        runs += [(keys[0], operand) for operand in (0, 1, keys[0].n - 1, keys[0].p)]
        found = {software.run_rsa(program, work, *each).counts for each in runs[: _runs(processor)]}
        assert len(found) == 1, found


def _runs(processor: Processor) -> int:
    return 3 if processor.name in ("msp430", "vexriscv") else 7


@every_processor
def test_the_time_of_a_public_operation_depends_on_no_operand(processor: Processor) -> None:
    work = Work(OURS, PUBLIC, SMALL)
    program = software.rsa_program(processor, work, window=0)
    key = random_key(3)
    found = {software.run_rsa(program, work, key, each).counts for each in (0, 1, key.n - 1)}
    assert len(found) == 1, found
