"""RSA on processors, on the catalog's designs and in papers: the compared data.

Software figures are from `results/software/`, designs from the committed Records, the papers'
figures from `results/published/`. Nothing is measured here. Energy: of processors time x power from
datasheets, of FPGA designs from the switching activity of their netlists (`results/activity/`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from totient.catalog import Configuration, designs, select
from totient.common.errors import InputError
from totient.compare.engines import Recorded, engines
from totient.flow import Utilisation, find_target
from totient.measure import committed, lookup
from totient.measure.cycles import cycles_by_formula
from totient.measure.engine import CRT
from totient.measure.engine import PUBLIC as ENGINE_PUBLIC
from totient.measure.power import KeptEnergy, kept_energy
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
from totient.power.by_cells import ERROR, dynamic_watts
from totient.power.static import device_watts, static_watts
from totient.processor import Counts, Processor, processors
from totient.processor.model import Simulator
from totient.report import Value
from totient.report.values import product
from totient.reproduce.results import ROUTED, UTILISED, Measurement, of_allowed_clock

WIDE = 2048
"""Width in bits of the papers' exponentiators that stand beside processors only."""

FORMS = {OURS: "ours, C", ASSEMBLY: "ours, assembly", BEARSSL15: BEARSSL15, BEARSSL31: BEARSSL31}
"""Programs, by their names in tables."""


def exponentiators(bits: int) -> dict[str, Configuration]:
    """The papers' exponentiators of a width, by row and name."""
    return {
        f"{row}, {design.name}": select(row, width=bits)
        for design in designs()
        for row in design.rows
    }


def measurements() -> Iterator[Measurement]:
    """Records of the exponentiators that no paper's table has."""
    target = find_target(ROUTED)
    for name, configuration in exponentiators(WIDE).items():
        yield Measurement(name, configuration.suited(target.family), target, OPERATIONS)


@dataclass(frozen=True)
class Program:
    """A program on a processor, with an operation.

    Attributes:
        processor: it runs on.
        work: form of the program, operation and length.
        figures: the counts.
        watts: active power of the processor; `None` if unknown.
    """

    processor: Processor
    work: Work
    figures: Figures
    watts: float | None

    def counted(self, what: Counts) -> int | None:
        """Number of cycles or of executed instructions, if the simulator counts these."""
        return self.figures.count if self.processor.counts is what else None

    @property
    def least_s(self) -> float | None:
        """Least time in seconds."""
        times = self.figures.seconds(self.processor.clock_hz)
        return times[0] if times else None

    @property
    def most_s(self) -> float | None:
        """Most time in seconds; `None` unless instructions are counted."""
        times = self.figures.seconds(self.processor.clock_hz)
        return times[1] if times and self.processor.pace else None


@dataclass(frozen=True)
class Hardware(Recorded):
    """A design of the catalog, with an operation.

    Attributes:
        how: the operation.
        cycles: clock cycles.
        activity: dynamic energy of a cycle; `None`: no activity Record.
    """

    how: str
    cycles: int
    activity: KeptEnergy | None

    @property
    def time(self) -> Value:
        """Seconds at the maximum clock, limited to that of the multiplier blocks."""
        return self.at_limit(self.cycles)

    @property
    def watts(self) -> Value:
        """Estimated power at that clock, with the static power of the device."""
        return self._watts(1)

    @property
    def joules(self) -> Value:
        """Estimated energy."""
        return product(self.time, self.watts)

    @property
    def least_joules(self) -> Value:
        """The same with the dynamic part as much smaller as its error allows."""
        return product(self.time, self._watts(1 / self.error))

    @property
    def most_joules(self) -> Value:
        """The same with the dynamic part as much larger."""
        return product(self.time, self._watts(self.error))

    @property
    def error(self) -> float:
        """Factor by which the dynamic part may be off; 1 without an estimate."""
        return self.activity.energy.error if self.activity else 1

    def _watts(self, factor: float) -> Value:
        static, activity = static_watts(find_target(ROUTED)), self.activity
        if activity is None or static is None:
            return None
        cycle = factor * activity.energy.total
        return of_allowed_clock(self.record, lambda mhz: device_watts(cycle, static, mhz))


def _power_of(processor: Processor) -> float | None:
    """Active power from the datasheet; for the soft CPU our estimate, if there are Records.

    The soft CPU is VexRiscv with its memories and serial port: the system of row B3 without its IP.
    """
    if processor.power:
        return processor.power.watts
    if processor.simulator is not Simulator.RTL:
        return None
    use = {
        record.design: record.utilisation
        for _, record in committed()
        if record.target == UTILISED
        and record.dsp
        and record.design in ("rsa_system", "rsa_keygen")
        and not record.subject.own
    }
    if len(use) < 2:
        return None
    counted = ("lut", "ff", "dsp", "block_ram", "carry")
    whole, ip = use["rsa_system"], use["rsa_keygen"]
    alone = {name: getattr(whole, name) - getattr(ip, name) for name in counted}
    dynamic = dynamic_watts(Utilisation(**alone, cells={}), processor.clock_hz / 1e6)
    return _soft_static() + dynamic


def _soft_static() -> float:
    """Static power in watts of the device that holds the soft CPU."""
    watts = static_watts(find_target(UTILISED))
    assert watts is not None
    return watts


def estimated_range(joules: float, seconds: float) -> tuple[float, float]:
    """Least and most energy of the soft CPU: only its dynamic part is an estimate from cells.

    Args:
        joules: the estimate, with static power.
        seconds: of the operation.
    """
    static = _soft_static() * seconds
    dynamic = joules - static
    return static + dynamic / ERROR, static + dynamic * ERROR


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
        """Programs with the operation."""
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
        for name, configuration in (exponentiators(self.bits) | engines()).items():
            suited = configuration.suited(target.family)
            record = lookup(suited, target, True)
            kind, how = self.operation, "65537" if public else "no CRT"
            if name in engines():
                kind = f"{ENGINE_PUBLIC if public else CRT}-{self.bits}"
                how = "65537" if public else "CRT"
            figures = record.operations.get(kind) if record else None
            cycles = (figures or cycles_by_formula(suited, kind)).cycles.mean
            yield Hardware(name, record, how, cycles, kept_energy(suited, target))
