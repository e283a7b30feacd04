"""RSA in software on simulated processors: right results, time that tells no secret, figures."""

import random
from dataclasses import replace

import pytest
from Crypto.Util.number import isPrime

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
    Key,
    SoftwareRecord,
    Work,
)
from totient.processor import Processor, find_processor, processors

every_processor = pytest.mark.parametrize("processor", processors(), ids=lambda each: each.name)
# Short ones; the operations that take long are in `totient bench`.
SMALL = 512


def own_forms(processor: Processor) -> list[str]:
    forms = dict.fromkeys(work.form for work in software.works(processor))
    return [form for form in forms if form in (OURS, ASSEMBLY)]


def random_key(seed: int) -> Key:
    source = random.Random(seed)
    while True:
        p, q = (_prime(source) for _ in range(2))
        if p != q and (p * q).bit_length() == SMALL:
            return Key(p * q, 65537, pow(65537, -1, (p - 1) * (q - 1)), p, q)


def _prime(source: random.Random) -> int:
    while True:
        candidate = source.getrandbits(SMALL // 2) | 3 << SMALL // 2 - 2 | 1
        if candidate % 65537 != 1 and isPrime(candidate):
            return candidate


@every_processor
def test_time_tells_no_secret(processor: Processor) -> None:
    """The same count for other keys and operands of the same lengths; right results, too."""
    if processor.larger:
        return  # the same core with the same programs, whose test is the other's
    slow = processor.name in ("msp430", "vexriscv")
    keys = [random_key(seed) for seed in (1, 2)]
    swapped = replace(keys[0], p=keys[0].q, q=keys[0].p)
    runs = [(key, random.Random(5).randrange(key.n)) for key in (*keys, swapped)]
    runs += [(keys[0], operand) for operand in (0, 1, keys[0].n - 1, keys[0].p)]
    for form in own_forms(processor):
        work = Work(form, PRIVATE, SMALL)
        program = software.rsa_program(processor, work, window=2)
        found = {software.run_rsa(program, work, *each).counts for each in runs[: 3 if slow else 7]}
        assert len(found) == 1, found


@every_processor
def test_corner_operands(processor: Processor) -> None:
    """Words of ones everywhere, which carry the most; the time of all of them is the same."""
    odd = random.Random(7).getrandbits(SMALL) | 1 << SMALL - 1 | 1
    for form in own_forms(processor):
        work = Work(form, PUBLIC, SMALL)
        program = software.rsa_program(processor, work, window=0)
        found = set()
        for n in (2**SMALL - 1, 2 ** (SMALL - 1) + 1, 2**SMALL - 2**64 + 1, odd):
            for operand in (n - 1, n >> 1, 0, 1):
                key = Key(n, 65537, 0, 0, 0)
                found.add(software.run_rsa(program, work, key, operand).counts)
        assert len(found) == 1, found


def test_a_wrong_result_is_told() -> None:
    work = Work(OURS, PUBLIC, SMALL)
    program = software.rsa_program(find_processor("cortex-m3"), work, window=0)
    wrong = replace(random_key(1), e=3)
    with pytest.raises(ToolError, match="cortex-m3: wrong result of a public operation"):
        software.run_rsa(program, work, wrong, 5)


@every_processor
def test_figures_are_committed_for_all_that_is_promised(processor: Processor) -> None:
    record = software.software_record(processor)
    assert record is not None
    assert list(record.figures) == list(software.works(processor))
    assert not software.is_stale(record, processor), "totient bench makes them anew"
    assert SoftwareRecord.from_text(record.to_text()) == record


@every_processor
def test_figures_are_reproduced_to_the_count(processor: Processor) -> None:
    """The short ones, measured again; with other versions of the tools they are near."""
    record = software.software_record(processor)
    assert record is not None
    same = dict(record.tools) == software.tools(processor)
    # A public operation of the slow simulators takes seconds.
    sample = [work for work in record.figures if work.operation in TINY]
    if processor.name not in ("msp430", "vexriscv"):
        sample += [Work(form, PUBLIC, 1024) for form in (*own_forms(processor), BEARSSL15)]
    for work in sample:
        again, kept = software.measure_work(processor, work), record.figures[work]
        if same or kept.count is None or again.count is None:
            assert again == kept, work
        else:
            assert abs(again.count / kept.count - 1) < 0.25, work


@every_processor
def test_ours_is_no_slower_than_the_library(processor: Processor) -> None:
    """In C with the same flags, by the counts; and assembly is faster than C."""
    record = software.software_record(processor)
    assert record is not None
    for bits in LENGTHS:
        for operation in OPERATIONS:
            count = {
                form: found.count
                for form in (OURS, ASSEMBLY, BEARSSL15, BEARSSL31)
                if (found := record.figures.get(Work(form, operation, bits)))
            }
            ours = count[OURS]
            for form in (BEARSSL15, BEARSSL31):
                theirs = count.get(form)
                assert ours is None or theirs is None or ours <= theirs, (operation, bits, count)
            faster = count.get(ASSEMBLY)
            assert ours is None or faster is None or faster < 0.8 * ours, (operation, bits, count)


def test_what_does_not_fit_has_its_bytes() -> None:
    record = software.software_record(find_processor("atmega328p"))
    assert record is not None
    large = record.figures[Work(OURS, PRIVATE, 2048)]
    assert large.count is None
    assert large.ram_bytes > 2048
    small = record.figures[Work(ASSEMBLY, PRIVATE, 1024)]
    assert small.count
    assert small.ram_bytes <= 2048


def test_damaged_figures_are_refused() -> None:
    text = (software.software_record(find_processor("cortex-m3")) or pytest.fail()).to_text()
    for damaged in (
        text[:-9],
        text.replace('"schema": 1', '"schema": 0'),
        text.replace("form", "f"),
    ):
        with pytest.raises(InputError):
            SoftwareRecord.from_text(damaged)
