"""RSA in software on simulated processors: right results, time independent of secrets."""

import random
from dataclasses import replace

import pytest
from Crypto.Util.number import isPrime

from totient.common.errors import ToolError
from totient.device import RsaKey
from totient.measure import software
from totient.measure.software_programs import (
    ASSEMBLY,
    OURS,
    PRIVATE,
    PUBLIC,
    Work,
    private_key,
    rsa_program,
    run_rsa,
)
from totient.processor import Processor, find_processor, processors

every_processor = pytest.mark.parametrize("processor", processors(), ids=lambda each: each.name)
# Short ones; the operations that take long are in `totient bench`.
SMALL = 512
SLOW = ("msp430", "vexriscv")
# Not a larger one with the core and the programs of another one, and not the MSP430: it has the
# program of another one but for the product in software, whose time `test_corner_operands` tests.
TIMED = [each for each in processors() if not each.larger and each.name != "msp430"]


def own_forms(processor: Processor) -> list[str]:
    forms = dict.fromkeys(work.form for work in software.works(processor))
    return [form for form in forms if form in (OURS, ASSEMBLY)]


def random_key(seed: int, bits: int = SMALL) -> RsaKey:
    source = random.Random(seed)
    while True:
        p, q = (_prime(source, bits // 2) for _ in range(2))
        if p != q and (p * q).bit_length() == bits:
            return private_key(p, q, 65537)


def _prime(source: random.Random, bits: int) -> int:
    while True:
        candidate = source.getrandbits(bits) | 3 << bits - 2 | 1
        if candidate % 65537 != 1 and isPrime(candidate):
            return candidate


@pytest.mark.parametrize("processor", TIMED, ids=lambda each: each.name)
def test_time_tells_no_secret(processor: Processor) -> None:
    """The same count for other keys and operands of the same lengths; right results, too."""
    slow = processor.name in SLOW
    keys = [random_key(seed) for seed in (1, 2)]
    primes = keys[0].primes
    assert primes is not None
    swapped = private_key(primes.q, primes.p, 65537)
    runs = [(key, random.Random(5).randrange(key.modulus)) for key in (*keys, swapped)]
    runs += [(keys[0], operand) for operand in (0, 1, keys[0].modulus - 1, primes.p)]
    for form in own_forms(processor):
        work = Work(form, PRIVATE, SMALL)
        program = rsa_program(processor, work, window=2)
        found = {run_rsa(program, work, *each).counts for each in runs[: 2 if slow else 7]}
        assert len(found) == 1, found


@every_processor
def test_corner_operands(processor: Processor) -> None:
    """Words of ones everywhere, which carry the most; the time of all of them is the same."""
    odd = random.Random(7).getrandbits(SMALL) | 1 << SMALL - 1 | 1
    for form in own_forms(processor):
        work = Work(form, PUBLIC, SMALL)
        program = rsa_program(processor, work, window=0)
        found = set()
        moduli = (2**SMALL - 1, 2**SMALL - 2**64 + 1, 2 ** (SMALL - 1) + 1, odd)
        for n in moduli[:2] if processor.name in SLOW else moduli:
            for operand in (n - 1, 0) if processor.name in SLOW else (n - 1, n >> 1, 0, 1):
                key = RsaKey(n, 65537)
                found.add(run_rsa(program, work, key, operand).counts)
        assert len(found) == 1, found


@every_processor
@pytest.mark.parametrize(
    ("operation", "bits"), [(PUBLIC, 520), (PUBLIC, 536), (PUBLIC, 552), (PRIVATE, 528)]
)
def test_words_in_any_number(processor: Processor, operation: str, bits: int) -> None:
    """Loops take four words at a time: here one to three are left over, and the top is not full."""
    key = random_key(bits, bits)
    for form in own_forms(processor):
        work = Work(form, operation, bits)
        program = rsa_program(processor, work, window=2 if operation == PRIVATE else 0)
        run_rsa(program, work, key, key.modulus - 2)


def test_a_wrong_result_is_told() -> None:
    work = Work(OURS, PUBLIC, SMALL)
    program = rsa_program(find_processor("cortex-m3"), work, window=0)
    wrong = replace(random_key(1), exponent=3)
    with pytest.raises(ToolError, match="cortex-m3: wrong result of a public operation"):
        run_rsa(program, work, wrong, 5)
