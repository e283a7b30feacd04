"""Every modulus, exponent and base of 8 bits on each exponentiator, as a proof by exhaustion."""

from collections.abc import Iterator, Mapping
from functools import partial

from totient.campaigns.sums import Part, Sums, begun, kept_sums, run_parts, sums_table
from totient.catalog import Configuration, designs, select
from totient.check import EVERY_BITS, Outcome, Subject, check_every
from totient.flow import top_rtl
from totient.report.table import Table

_NAME = "exhaustive"
_MODULI = 1 << EVERY_BITS


def _subjects() -> Iterator[Configuration]:
    """Each design in its least width, with other words and times."""
    yield select("repeated", width=8)
    for fixed_time, early_end in ((0, 0), (0, 1), (1, 0)):
        yield select("binary", width=8, fixed_time=fixed_time, early_end=early_end)
    yield select("binary", width=8, bits_per_cycle=2)
    for word_bits in (8, 16, 32):
        yield select("montgomery", width=8, word_bits=word_bits)
    yield select("montgomery", width=8, word_bits=8, fixed_time=0)
    rows = (row for design in designs() if design.name == "digit_serial" for row in design.rows)
    yield from (select(row, width=16) for row in rows)


def parts() -> list[Part]:
    """The cores; a run is a modulus."""
    return [
        Part(f"{each.label}, operations", top_rtl(Subject(each).top).digest, partial(_run, each))
        for each in {each.label: each for each in _subjects()}.values()
    ]


def _run(configuration: Configuration, number: int) -> Outcome:
    done = check_every(configuration, number - 1)
    done.faults[:] = [f"modulus {number - 1}: {fault}" for fault in done.faults]
    return done


def kept_exhaustive() -> dict[str, Sums]:
    """What was done, by the names of the parts; nothing if there is no file.

    Raises:
        InputError: the file is damaged or of another schema.
    """
    return kept_sums(_NAME)


def exhaust(jobs: int = 1) -> Iterator[tuple[str, Sums]]:
    """Run every modulus on each core. Yields a core's name and sums after each modulus.

    Args:
        jobs: parallel processes.

    Raises:
        InputError: the file of an earlier run is damaged.
        ToolError: a model cannot be built, an assertion of the RTL failed, or a core hangs.
    """
    done = begun(_NAME, parts())
    left = [name for name, each in done.items() for _ in range(_MODULI - each.parts)]
    yield from run_parts(_NAME, done, left, jobs, parts)


def table(done: Mapping[str, Sums]) -> Table:
    """The sums of each core."""
    notes = [
        f"moduli: of {_MODULI}, each with every exponent, stated as {EVERY_BITS} bits, and every "
        "base below it",
        "cases: keys. Operations: exponentiations, each with its result compared with Python's pow "
        "and its cycles with the catalog's formula",
        "refusals: keys with an even modulus or one below 3, and bases not below the modulus",
    ]
    title = f"Every modulus, exponent and base of {EVERY_BITS} bits"
    return sums_table(title, done, notes, "moduli")
