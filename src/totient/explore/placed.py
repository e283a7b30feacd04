"""Configurations on one device: their times, energies, and how far each limit is used up."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from totient.explore.candidates import Candidates
from totient.explore.interval import NORMAL, Floats, Interval
from totient.explore.models import Models
from totient.explore.question import Question
from totient.flow import Target, find_target
from totient.measure.clocks import clock_limit
from totient.measure.record import Record

PREDICTED, ROUTED, MEASURED = range(3)
"""Whether the clock is predicted, or routed, and then whether the routed netlists compute."""

MHZ_NS = 1e3
"""Product of a clock in MHz and its period in nanoseconds."""


@dataclass(frozen=True)
class Placed:
    """Configurations on a device. Arrays have one value for each.

    Attributes:
        part: the configurations, with figures for the device family.
        target: the device.
        ns: period of the clock on this device: the question's, or the least.
        least_ns: least period, at least that of the device's multipliers.
        lut, ff: cells.
        known: `MEASURED`, `ROUTED` or `PREDICTED`.
    """

    part: Candidates
    target: Target
    ns: Interval
    least_ns: Interval
    lut: Interval
    ff: Interval
    known: NDArray[np.int8]

    def __len__(self) -> int:
        """Number of configurations."""
        return len(self.part)

    def at(self, places: NDArray[np.int64]) -> "Placed":
        """Some of them, by their places."""
        return Placed(
            self.part.at(places),
            self.target,
            self.ns.at(places),
            self.least_ns.at(places),
            self.lut.at(places),
            self.ff.at(places),
            self.known[places],
        )

    @cached_property
    def seconds(self) -> Interval:
        """Time of the operation."""
        return Interval(*(self.part.cycles * each * 1e-9 for each in self.ns))

    @cached_property
    def joules(self) -> Interval:
        """Dynamic energy of the operation."""
        return Interval(*(self.part.cycles * each for each in self.part.cycle_joules))

    def limited(
        self, question: Question, *, worst: bool = False
    ) -> dict[str, tuple[Floats, float]]:
        """The figures with a limit, and the limit: those of the question and the device's cells.

        Args:
            question: with the limits.
            worst: the higher bounds of the figures, not their middle.
        """
        asked, device, part = question.limits, self.target.available, self.part

        def bound(figures: Interval) -> Floats:
            return figures.high if worst else figures.middle

        limits: dict[str, tuple[Floats, float]] = {}
        if asked.seconds:
            limits["time"] = part.cycles * bound(self.ns) * 1e-9, asked.seconds
        if asked.joules:
            limits["energy"] = part.cycles * bound(part.cycle_joules), asked.joules
        if question.clock_mhz and self.target.can_route:
            limits["clock"] = bound(self.least_ns), MHZ_NS / question.clock_mhz
        return limits | {
            "lut": (bound(self.lut), min(device.lut, asked.lut or device.lut)),
            "ff": (bound(self.ff), device.ff),
            "dsp": (part.dsp, device.dsp),
            "block_ram": (part.block_ram, device.block_ram),
        }

    def used(self, question: Question, *, worst: bool = False) -> Floats:
        """The largest share of a limit that is used up; above 1 a limit is missed.

        A figure that is unknown misses its limit.

        Args:
            question: with the limits.
            worst: of the higher bounds of the figures, not of their middle.
        """
        most = np.zeros(len(self))
        for figures, limit in self.limited(question, worst=worst).values():
            np.maximum(most, figures / limit, out=most)  # an unknown share stays unknown
        most[np.isnan(most)] = np.inf
        return most


def place(
    part: Candidates,
    question: Question,
    target: Target,
    models: Models,
    records: Iterable[Record],
) -> Placed:
    """Configurations on a device.

    Args:
        part: with figures for the device family.
        question: for its clock.
        target: the device.
        models: for the device's speed.
        records: measured designs.
    """
    ns = _periods(part, target, models)
    known = np.full(len(part), PREDICTED, np.int8)
    luts: dict[int, float] = {}
    ffs: dict[int, float] = {}
    periods: dict[int, float] = {}
    for record in records:
        if (record.design, record.dsp) != (part.space.design.name, True):
            continue
        if find_target(record.target).family != target.family:
            continue
        for here in same(part, record):
            # Synthesis is the same for every device of a family.
            luts[here], ffs[here] = record.utilisation.lut, record.utilisation.ff
            if record.target == target.name and record.fmax_mhz:
                periods[here] = MHZ_NS / record.fmax_mhz
                known[here] = MEASURED if record.computes else ROUTED
    lut, ff, ns = part.lut.but(luts), part.ff.but(ffs), ns.but(periods)
    # The multipliers have a limit of their own, which nextpnr does not know.
    if part.dsp.any():
        least = np.where(part.dsp > 0, MHZ_NS / _multiplier_limit(), 0)
        ns = Interval(*(np.maximum(each, least) for each in ns))
    used = ns
    if question.clock_mhz:
        used = Interval.exactly(np.full(len(part), MHZ_NS / question.clock_mhz))
    return Placed(part, target, used, ns, lut, ff, known)


@cache
def _multiplier_limit() -> float:
    return clock_limit()


def _periods(part: Candidates, target: Target, models: Models) -> Interval:
    """Predicted periods of the clock in nanoseconds."""
    speed = models.speeds.get(target.name)
    if speed is None:
        return Interval.exactly(np.full(len(part), np.nan))
    spread = float(np.exp(NORMAL * speed.deviation))
    bounds = (speed.factor / spread, speed.factor, speed.factor * spread)
    return Interval(*(each * factor for each, factor in zip(part.ns, bounds, strict=True)))


def same(part: Candidates, record: Record) -> list[int]:
    """Places of a Record's configuration: one, or none."""
    parameters = part.space.parameters
    if record.parameters["width"] != parameters["width"][0]:
        return []
    # First a parameter with many values: it leaves few places. Of a part all widths are equal.
    most = {each.name: each.high for each in part.space.design.parameters if each.name != "width"}
    names = sorted(record.parameters, key=lambda name: -most.get(name, 0))
    places = np.flatnonzero(parameters[names[0]] == record.parameters[names[0]])
    for name in names[1:]:
        places = places[parameters[name][places] == record.parameters[name]]
    found: list[int] = places.tolist()
    return found
