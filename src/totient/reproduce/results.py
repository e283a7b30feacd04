"""The figures behind a paper's tables, the paper's and ours, as one table of results.

The key of a result is its source, variant, width and quantity.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from totient.catalog import Subject
from totient.flow import Target
from totient.measure import Record, allowed_clock, measure
from totient.measure.record import seconds_of
from totient.report import Value

ROUTED, UTILISED = "ecp5-85f", "artix7-100t"
"""Targets: the one of the maximum clocks, and the one of the papers' utilisation."""


@dataclass(frozen=True)
class Measurement:
    """One measurement for the tables.

    Attributes:
        variant: of a paper's design, as named in the tables.
        subject: to measure.
        target: to measure on.
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
    """Figures by key, with the Records of ours."""

    def __init__(self) -> None:
        """Start empty."""
        super().__init__()
        self.records: dict[Key, Record] = {}

    @property
    def versions(self) -> dict[str, str]:
        """Versions of the tools that made the Records, by name."""
        versions: dict[str, str] = {}
        for record in self.records.values():
            versions |= record.provenance.tools
        return versions

    @property
    def seeds(self) -> str:
        """Seeds of the routes. One that was given up is replaced by the next number."""
        seeds = {seed for record in self.records.values() for seed in record.routes}
        return ", ".join(map(str, sorted(seeds)))

    def measure(self, items: Iterable[Measurement]) -> None:
        """Add measurements, from `results/` and the cache if they are there.

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
        yield f"seconds {kind}", of_clock(record, partial(seconds_of, cycles))


def of_clock(record: Record | None, figure: Callable[[float], Value] = lambda mhz: mhz) -> Value:
    """A figure based on a Record's routed clock, as shown in tables.

    Args:
        record: the Record, if there is one.
        figure: returns the figure at a clock in MHz.

    Returns:
        The figure; a word if the clock is not shown (`Record.unshown`); `None` without a clock.
    """
    if record is None:
        return None
    return record.unshown if record.shown_mhz is None else figure(record.shown_mhz)


def of_allowed_clock(record: Record | None, figure: Callable[[float], Value]) -> Value:
    """The same at that clock, limited to that of the device's multiplier blocks."""
    dsp = record.utilisation.dsp if record else 0
    return of_clock(record, lambda mhz: figure(allowed_clock(mhz, dsp)))
