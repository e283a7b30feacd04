"""RSA on processors beside the designs of the catalog and the papers' figures: what is compared.

Software is of the figures under `results/software/`, designs of the committed Records, the papers'
figures of `papers/`. Nothing is measured here. Energy is time x power: of processors by their
datasheets, of what stands on an FPGA by the estimate of `totient.power`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from totient.catalog import Configuration, designs, select
from totient.common.errors import InputError
from totient.compare.engines import engines
from totient.flow import Utilisation, find_target
from totient.measure import Record, allowed_clock, committed, lookup, subject_of
from totient.measure.cycles import cycles_by_formula
from totient.measure.engine import CRT
from totient.measure.engine import PUBLIC as ENGINE_PUBLIC
from totient.measure.software import SoftwareRecord, software_record
from totient.measure.software_programs import (
    ASSEMBLY,
    BEARSSL15,
    BEARSSL31,
    LENGTHS,
    OPERATIONS,
    OURS,
    PUBLIC,
    Figures,
    Work,
)
from totient.power import estimate
from totient.processor import Counts, Processor, processors
from totient.report import Value
from totient.reproduce.results import ROUTED, UTILISED, at_clock

FORMS = {OURS: "ours, C", ASSEMBLY: "ours, assembly", BEARSSL15: BEARSSL15, BEARSSL31: BEARSSL31}
"""Programs, by how tables name them."""

_LONGEST = 10**300
"""Cycles that floating-point numbers reach; T1's private operation takes more."""


def energy_of(seconds: Value, watts: float | None) -> Value:
    """Joules; the word that hides the time; `None` where time or power is not known."""
    if isinstance(seconds, str):
        return seconds
    return seconds * watts if seconds is not None and watts is not None else None


@dataclass(frozen=True)
class Program:
    """A program on a processor, with an operation.

    Attributes:
        processor: which one.
        work: form of the program, operation and length.
        figures: what was counted.
        watts: active power of the processor; `None`: not known.
    """

    processor: Processor
    work: Work
    figures: Figures
    watts: float | None

    @property
    def cycles(self) -> int | None:
        """Where the simulator counts them."""
        return self.figures.count if self.processor.counts is Counts.CYCLES else None

    @property
    def instructions(self) -> int | None:
        """Executed ones, where the simulator counts them."""
        return self.figures.count if self.processor.counts is Counts.INSTRUCTIONS else None

    @property
    def least_s(self) -> float | None:
        """Seconds, at least."""
        times = self.figures.seconds(self.processor.clock_hz)
        return times[0] if times else None

    @property
    def most_s(self) -> float | None:
        """Seconds at most, where instructions are counted."""
        times = self.figures.seconds(self.processor.clock_hz)
        return times[1] if times and self.processor.pace else None

    @property
    def fits(self) -> bool:
        """Whether there is a count: the program fits the chip."""
        return self.figures.count is not None


@dataclass(frozen=True)
class Hardware:
    """A design of the catalog, with an operation.

    Attributes:
        name: of the row or the engine.
        how: the operation.
        cycles: clock cycles.
        record: the committed one, if there is one that is not stale.
    """

    name: str
    how: str
    cycles: int
    record: Record | None

    def use(self, quantity: str) -> Value:
        """Cells of a kind; `None` without a Record."""
        found: Value = getattr(self.record.utilisation, quantity) if self.record else None
        return found

    @property
    def mhz(self) -> Value:
        """Maximum clock; a word where it is not shown."""
        return (self.record.shown_mhz or self.record.unshown) if self.record else None

    @property
    def _clock(self) -> float | None:
        """That which the multiplier blocks allow."""
        mhz = self.record.shown_mhz if self.record else None
        return allowed_clock(mhz, self.record.utilisation.dsp) if mhz and self.record else None

    @property
    def seconds(self) -> Value:
        """At that clock."""
        if self._clock is None:
            return self.mhz
        return at_clock(self.cycles, self._clock) if self.cycles < _LONGEST else None

    @property
    def watts(self) -> Value:
        """By the estimate."""
        if self._clock is None or self.record is None:
            return self.mhz
        return estimate(ROUTED, self.record.utilisation, self._clock).total

    @property
    def joules(self) -> Value:
        """By the estimate."""
        watts = self.watts
        return energy_of(self.seconds, watts) if isinstance(watts, float) else watts


def _power_of(processor: Processor) -> float | None:
    """Active power by the datasheet; of the soft CPU by our estimate, where there are Records.

    That is of VexRiscv with its memories and serial port: the system of row B3 without its IP.
    """
    if processor.power:
        return processor.power.watts
    use = {
        record.design: record.utilisation
        for _, record in committed()
        if record.target == UTILISED
        and record.dsp
        and record.design in ("rsa_system", "rsa_keygen")
        and not subject_of(record).own
    }
    if len(use) < 2:
        return None
    counted = ("lut", "ff", "dsp", "block_ram", "carry")
    whole, ip = use["rsa_system"], use["rsa_keygen"]
    alone = {name: getattr(whole, name) - getattr(ip, name) for name in counted}
    return estimate(UTILISED, Utilisation(**alone, cells={}), processor.clock_hz / 1e6).total


@dataclass(frozen=True)
class Comparison:
    """Processors, designs and published figures with one operation.

    Attributes:
        bits: of the modulus, one of `LENGTHS`.
        operation: `public` (65537) or `private`.
    """

    bits: int
    operation: str

    def __post_init__(self) -> None:
        """Check both; raises `InputError`."""
        if self.bits not in LENGTHS:
            allowed = " or ".join(map(str, LENGTHS))
            raise InputError(f"--bits is {self.bits}, allowed is {allowed}")
        if self.operation not in OPERATIONS:
            raise InputError(f"--op is {self.operation!r}, allowed is {' or '.join(OPERATIONS)}")

    @cached_property
    def records(self) -> Mapping[Processor, SoftwareRecord]:
        """Figures of the processors that have some."""
        found = {each: software_record(each) for each in processors()}
        return {each: record for each, record in found.items() if record is not None}

    @property
    def missing(self) -> tuple[str, ...]:
        """A note on the processors that have none."""
        lacking = [each.name for each in processors() if each not in self.records]
        if not lacking:
            return ()
        return (f"no figures of {', '.join(lacking)}: totient bench makes them",)

    @cached_property
    def watts(self) -> Mapping[Processor, float | None]:
        """Active power of every processor."""
        return {each: _power_of(each) for each in processors()}

    @cached_property
    def programs(self) -> list[Program]:
        """Those that do the operation."""
        return [
            Program(processor, work, figures, self.watts[processor])
            for processor, record in self.records.items()
            for work, figures in record.figures.items()
            if (work.operation, work.bits) == (self.operation, self.bits)
        ]

    @cached_property
    def designs(self) -> list[Hardware]:
        """The papers' exponentiators of that width, and our engines."""
        return list(self._designs())

    def _designs(self) -> Iterator[Hardware]:
        target, public = find_target(ROUTED), self.operation == PUBLIC
        rows: dict[str, Configuration] = {
            f"{row}, {design.name}": select(row, width=self.bits)
            for design in designs()
            for row in design.rows
        }
        for name, configuration in (rows | engines()).items():
            suited = configuration.suited(target.family)
            record = lookup(suited, target, True)
            kind, how = self.operation, "65537" if public else "no CRT"
            if name in engines():
                kind = f"{ENGINE_PUBLIC if public else CRT}-{self.bits}"
                how = "65537" if public else "CRT"
            figures = record.operations.get(kind) if record else None
            cycles = (figures or cycles_by_formula(suited, kind)).cycles.mean
            yield Hardware(name, how, cycles, record)
