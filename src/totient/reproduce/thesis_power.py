"""Power and energy of the thesis' designs: Tables 11 to 14 and Figures 12 to 14.

Ours is from the activity of our netlists on the thesis' device (`totient.power`). A netlist of
another tool has another number of LUTs: ours is also scaled to the thesis' LUTs.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from totient.catalog import Configuration, select
from totient.common.papers import published
from totient.flow import Target, find_target
from totient.measure import lookup
from totient.measure.activity import ActivityRecord, kept_activity
from totient.measure.cycles import cycles_by_formula
from totient.power.by_activity import cycle_energy
from totient.report import Column, Table, Value, columns
from totient.report.values import energy, grouped, power
from totient.reproduce.results import UTILISED

DESIGNS = ("T1", "T2", "T3")
FITTED_SIZES = (32, 128, 512)
"""Sizes that a fit uses if sizes are held out."""

_PICO = 1e-12


def design_of(row: str, width: int) -> tuple[Configuration, bool]:
    """Our design beside the thesis', and whether with multiplier blocks: the thesis has none."""
    parameters = {"multiplier": 1} if row == "T3" else {}
    return select(row, width=width, **parameters), row != "T3"


@dataclass(frozen=True)
class PowerPoint:
    """A design of the thesis at a size.

    Attributes:
        row: T1, T2 or T3.
        bits: the size.
        watts: dynamic power that Vivado states at the thesis' clock; whole milliwatts.
        clock_hz: that clock.
        thesis_lut: look-up tables of the thesis' core.
        our_lut: look-up tables of ours that grow with the size: the size times ours a bit.
        record: activity of our netlist.
    """

    row: str
    bits: int
    watts: float
    clock_hz: float
    thesis_lut: int
    our_lut: float
    record: ActivityRecord

    @property
    def vivado_pj(self) -> float:
        """Dynamic energy of a clock cycle by Vivado, in pJ."""
        return self.watts / self.clock_hz / _PICO

    @property
    def rounding_pj(self) -> float:
        """Half a milliwatt, in pJ a cycle."""
        return 0.5e-3 / self.clock_hz / _PICO

    @property
    def transitions(self) -> float:
        """Transitions of wires a cycle, scaled to the thesis' number of LUTs."""
        switching = self.record.switching
        return switching.total.timed_wires / switching.cycles * self.thesis_lut / self.our_lut

    @cached_property
    def our_watts(self) -> float:
        """Dynamic power of our own netlist at the thesis' clock."""
        energy = cycle_energy(self.record.switching, find_target(self.record.target))
        return energy.total * self.clock_hz

    @property
    def our_joules(self) -> float:
        """Dynamic and static energy of an operation with the exponent 65537 on our netlist."""
        cycles = cycles_by_formula(self.record.subject, "public").cycles.mean
        static = published("thesis")["power"]["static"]
        return (self.our_watts + float(static)) * cycles / self.clock_hz


def points() -> Iterator[PowerPoint]:
    """Every design and size with an activity Record, by design."""
    paper = published("thesis")
    target = find_target(UTILISED)
    for row in DESIGNS:
        each_bit = _lut_a_bit(row, paper["bits"], target)
        values = zip(paper["bits"], paper["power"]["dynamic"][row], paper["lut"][row], strict=True)
        for bits, watts, lut in values:
            subject, dsp = design_of(row, bits)
            subject = subject.suited(target.family)
            activity = kept_activity(subject, target, dsp)
            if activity and each_bit:
                clock_hz = paper["clock_mhz"] * 1e6
                yield PowerPoint(row, bits, watts, clock_hz, lut, each_bit * bits, activity)


def _lut_a_bit(row: str, sizes: Sequence[int], target: Target) -> float | None:
    """LUTs of our design that a further bit takes, between the smallest and the largest size.

    Our designs have a part of a constant size, for loading and conversions, which is idle in most
    cycles; at 32 bits it is more than half of T3. `None`: a Record is missing.
    """
    lut = []
    for bits in (min(sizes), max(sizes)):
        subject, dsp = design_of(row, bits)
        record = lookup(subject.suited(target.family), target, dsp)
        if record is None:
            return None
        lut.append(record.utilisation.lut)
    return (lut[1] - lut[0]) / (max(sizes) - min(sizes))


@dataclass(frozen=True)
class Fit:
    """Weights fitted to Vivado's figures, in pJ.

    Attributes:
        transition: of a transition.
        network: of the clock's network in a cycle.
    """

    transition: float
    network: float

    def ratio(self, point: PowerPoint) -> float:
        """Predicted power divided by Vivado's."""
        return (self.network + self.transition * point.transitions) / point.vivado_pj


def fit(known: Iterable[PowerPoint]) -> Fit:
    """Weights, none negative, with the least squares of relative errors.

    An error counts in units of a tenth of the figure, or of its rounding if that is larger.
    """
    found = [*known]
    unit = np.array([max(0.1 * each.vivado_pj, each.rounding_pj) for each in found])
    features = np.array([[each.transitions, 1.0] for each in found]) / unit[:, None]
    wanted = np.array([each.vivado_pj for each in found]) / unit
    best = (float("inf"), np.zeros(2))
    for chosen in (*combinations(range(2), 1), (0, 1)):
        some, *_ = np.linalg.lstsq(features[:, chosen], wanted, rcond=None)
        error = float(np.linalg.norm(features[:, chosen] @ some - wanted))
        if (some >= 0).all() and error < best[0]:
            weights = np.zeros(2)
            weights[[*chosen]] = some
            best = (error, weights)
    transition, network = best[1].tolist()
    return Fit(transition, network)


@dataclass(frozen=True)
class HeldOut:
    """Errors of a fit on points that it did not use.

    Attributes:
        what: was held out.
        fit: of the others.
        ratios: predicted power divided by Vivado's, by point.
    """

    what: str
    fit: Fit
    ratios: Sequence[tuple[PowerPoint, float]]

    @property
    def mean(self) -> float:
        """Mean absolute error, relative to Vivado's figure."""
        return sum(abs(ratio - 1) for _, ratio in self.ratios) / len(self.ratios)

    @property
    def worst(self) -> float:
        """Largest absolute error, relative to Vivado's figure."""
        return max(abs(ratio - 1) for _, ratio in self.ratios)


def held_out() -> tuple[HeldOut, HeldOut]:
    """The two trials: sizes, and the design T3."""
    every = [*points()]
    sizes = [each for each in every if each.bits not in FITTED_SIZES]
    third = [each for each in every if each.row == "T3"]
    trials = ((f"sizes other than {', '.join(map(str, FITTED_SIZES))}", sizes), ("T3", third))
    first, second = (
        HeldOut(what, found, [(point, found.ratio(point)) for point in out])
        for what, out in trials
        for found in [fit(each for each in every if each not in out)]
    )
    return first, second


def power_table(_: object = None) -> Table:
    """Tables 11 to 14 of the thesis with our estimates, from activity Records."""
    paper = published("thesis")
    rows: list[Sequence[Value]] = []
    for each in points():
        energies = paper["energy"].get(each.row)
        place = paper["bits"].index(each.bits)
        rows.append(
            (
                each.row,
                each.bits,
                each.watts,
                each.our_watts * each.thesis_lut / each.our_lut,
                each.our_watts,
                each.thesis_lut,
                round(each.our_lut),
                energies[place] if energies else None,
                each.our_joules,
            )
        )
    static, clock = paper["power"]["static"], paper["clock_mhz"]
    return Table.of(
        f"Tables 11 to 14: dynamic power and energy at {clock:g} MHz",
        (
            Column("design"),
            Column("bits", str),
            *columns(power, "dynamic, Vivado", "ours, its LUTs", "ours, our netlist"),
            *columns(grouped, "its LUT", "our LUT, growing"),
            *columns(energy, "energy, thesis", "energy, ours"),
        ),
        rows,
        f"static power of the device: {1e3 * static:g} mW in every row (Tables 11 to 13)",
        "ours, its LUTs: our power times the thesis' LUTs over ours that grow with the size. A "
        "part of ours has a constant size and is idle in most cycles. T3: ours without multiplier "
        "blocks, as the thesis has none",
        "energy: of one operation with static power, Table 14: power times the mean latency of 40 "
        "random keys; T2 at 32 bits with the minimum instead. Ours: the exponent 65537, our "
        "netlist. T1 has no row in Table 14",
        "Vivado's power is an estimate from assumed toggle rates, in whole milliwatts: the "
        "smallest can be off by a quarter",
    )
