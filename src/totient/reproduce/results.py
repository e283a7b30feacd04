"""The figures behind a paper's tables, the paper's and ours, as one table of results.

A result is a value by whose it is, what it is of, at which width, and its quantity.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from totient.catalog import Subject
from totient.flow import Target
from totient.measure import Record, measure
from totient.report import Value

ROUTED, UTILISED = "ecp5-85f", "artix7-100t"
"""Targets: the one of the maximum clocks, and the one of the papers' utilisation."""


@dataclass(frozen=True)
class Measurement:
    """One measurement that the tables need.

    Attributes:
        variant: of a paper's design, as the tables name it.
        subject: what is measured.
        target: on which target.
        kinds: operation kinds.
        dsp: whether multiplier blocks may be used.
    """

    variant: str
    subject: Subject
    target: Target
    kinds: tuple[str, ...]
    dsp: bool = True


Key = tuple[str, str, int]
"""Variant, source (a target, or whose paper), width in bits."""

Figures = dict[str, Value]
"""Values by quantity: `lut`, `ff`, `dsp`, `block_ram`, `mhz`; of an operation kind `cycles KIND`,
`set-up KIND`, `how KIND` and, at the maximum clock, `seconds KIND`."""


class Results(dict[Key, Figures]):
    """Figures by what they are of, with the Records that ours are of."""

    def __init__(self) -> None:
        """Nothing yet."""
        super().__init__()
        self.records: dict[Key, Record] = {}

    @property
    def tools(self) -> str:
        """Names and versions of the tools that made the Records."""
        return ", ".join(f"{name} {version}" for name, version in self.versions.items())

    @property
    def versions(self) -> dict[str, str]:
        """Versions of the tools that made the Records, by name."""
        versions: dict[str, str] = {}
        for record in self.records.values():
            versions |= record.provenance.tools
        return versions

    @property
    def seeds(self) -> str:
        """Seeds of place and route."""
        seeds = {seed for record in self.records.values() for seed in record.provenance.seeds}
        return ", ".join(map(str, sorted(seeds)))

    def measure(self, items: Iterable[Measurement]) -> None:
        """Add measurements, from `results/` and the cache where they are there.

        Raises:
            ToolError: a tool failed.
        """
        for item in items:
            record = measure(item.subject, item.target, item.kinds, dsp=item.dsp)
            key = item.variant, item.target.name, item.subject.width
            self.records[key] = record
            self[key] = dict(_figures(record))


def _figures(record: Record) -> Iterator[tuple[str, Value]]:
    use = record.utilisation
    yield from (("lut", use.lut), ("ff", use.ff), ("dsp", use.dsp), ("block_ram", use.block_ram))
    yield "mhz", of_clock(record)
    for kind, figures in record.operations.items():
        cycles = figures.cycles.mean
        yield f"cycles {kind}", cycles
        yield f"set-up {kind}", figures.setup_cycles.mean
        yield f"how {kind}", "simulated" if figures.simulated else "formula"
        if cycles < 10**300:  # T1 takes more than floating-point numbers reach
            yield f"seconds {kind}", of_clock(record, partial(at_clock, cycles))


def at_clock(cycles: int, mhz: float) -> float:
    """Seconds of so many cycles."""
    return cycles / (mhz * 1e6)


def of_clock(record: Record | None, figure: Callable[[float], Value] = lambda mhz: mhz) -> Value:
    """What follows from a Record's routed clock, as tables show it.

    Args:
        record: the Record, if there is one.
        figure: gives the figure at a clock in MHz.

    Returns:
        The figure; in words why a clock is not shown (`Record.unshown`); `None` without a clock.
    """
    if record is None:
        return None
    return record.unshown if record.shown_mhz is None else figure(record.shown_mhz)
