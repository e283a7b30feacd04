"""The committed figures of software: all are there, and the same again; the library beside ours."""

import pytest

from totient.common.errors import InputError
from totient.measure import software
from totient.measure.software import SoftwareRecord
from totient.measure.software_programs import (
    ASSEMBLY,
    BEARSSL15,
    BEARSSL31,
    LENGTHS,
    OPERATIONS,
    OURS,
    PRIVATE,
    PUBLIC,
    TINY,
    Work,
    measure_work,
)
from totient.processor import Processor, find_processor, processors

every_processor = pytest.mark.parametrize("processor", processors(), ids=lambda each: each.name)


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
        sample += [Work(form, PUBLIC, 1024) for form in (OURS, ASSEMBLY, BEARSSL15)]
    for work in (each for each in sample if each in record.figures):
        again, kept = measure_work(processor, work), record.figures[work]
        if same or kept.count is None or again.count is None:
            assert again == kept, work
        else:
            assert abs(again.count / kept.count - 1) < 0.25, work


@pytest.mark.parametrize(
    "processor", [each for each in processors() if not each.only_small], ids=lambda each: each.name
)
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
    text = (software.software_record(find_processor("cortex-m3")) or pytest.fail("none")).to_text()
    for damaged in (
        text[:-9],
        text.replace('"schema": 1', '"schema": 0'),
        text.replace("form", "f"),
    ):
        with pytest.raises(InputError):
            SoftwareRecord.from_text(damaged)
