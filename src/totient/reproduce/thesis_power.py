"""Power and energy of the thesis' designs: Tables 11 to 14 and Figures 13 and 14.

Ours is from the activity of our netlists on the thesis' device (`totient.power`). A netlist of
another tool has another number of LUTs: ours is also scaled to the thesis' LUTs. The form of the
estimate, which says what is counted and how it is scaled, is chosen on `FITTED_SIZES` alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

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
"""Sizes that choose the form, and set the weights if sizes are held out."""

_PICO = 1e-12


@dataclass(frozen=True)
class Form:
    """Form of the estimate.

    Attributes:
        activity: what is counted, of `totient.power.switching.Transitions`.
        scale: to the thesis' netlist: no scale, or by LUTs: all of ours, or those that grow with
            the size.
    """

    activity: str
    scale: str

    @property
    def words(self) -> str:
        """The form in words."""
        what = {
            "settled": "settled transitions of nets",
            "timed": "transitions of nets",
            "settled_wires": "settled transitions of wires",
            "timed_wires": "transitions of wires",
        }
        return f"{what[self.activity]}, {_SCALES[self.scale]}"


_SCALES = {"none": "not scaled", "all": "scaled by LUTs", "growing": "scaled by growing LUTs"}

FORMS = tuple(
    Form(activity, scale)
    for activity, scale in product(("settled", "timed", "settled_wires", "timed_wires"), _SCALES)
)
"""Forms to choose from: all counts of an activity Record, with each scale."""

ESTIMATE = Form("timed_wires", "growing")
"""Form of `totient.power`."""


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
        all_lut: all of ours.
        record: activity of our netlist.
    """

    row: str
    bits: int
    watts: float
    clock_hz: float
    thesis_lut: int
    our_lut: float
    all_lut: int
    record: ActivityRecord

    @property
    def chose_form(self) -> bool:
        """Whether its figure was used to choose the form of the estimate."""
        return self.bits in FITTED_SIZES

    @property
    def vivado_pj(self) -> float:
        """Dynamic energy of a clock cycle by Vivado, in pJ."""
        return self.watts / self.clock_hz / _PICO

    @property
    def rounding_pj(self) -> float:
        """Half a milliwatt, in pJ a cycle."""
        return 0.5e-3 / self.clock_hz / _PICO

    def transitions(self, form: Form = ESTIMATE) -> float:
        """Transitions a cycle, scaled to the thesis' netlist."""
        switching = self.record.switching
        ours = {"none": self.thesis_lut, "all": self.all_lut, "growing": self.our_lut}[form.scale]
        found = getattr(switching.total, form.activity) / switching.cycles
        return float(found * self.thesis_lut / ours)

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
        used = {bits: _lut(row, bits, target) for bits in paper["bits"]}
        each_bit = _lut_a_bit(used)
        values = zip(paper["bits"], paper["power"]["dynamic"][row], paper["lut"][row], strict=True)
        for bits, watts, lut in values:
            subject, dsp = design_of(row, bits)
            subject = subject.suited(target.family)
            activity = kept_activity(subject, target, dsp)
            if activity and each_bit and (whole := used[bits]):
                clock_hz = paper["clock_mhz"] * 1e6
                yield PowerPoint(row, bits, watts, clock_hz, lut, each_bit * bits, whole, activity)


def _lut(row: str, bits: int, target: Target) -> int | None:
    """LUTs of our design; `None`: there is no Record."""
    subject, dsp = design_of(row, bits)
    record = lookup(subject.suited(target.family), target, dsp)
    return round(record.utilisation.lut) if record else None


def _lut_a_bit(used: Mapping[int, int | None]) -> float | None:
    """LUTs of our design that a further bit takes, between the smallest and the largest size.

    Our designs have a part of a constant size, for loading and conversions, which is idle in most
    cycles; at 32 bits it is more than half of T3. `None`: a Record is missing.
    """
    least, most = used[min(used)], used[max(used)]
    if least is None or most is None:
        return None
    return (most - least) / (max(used) - min(used))


@dataclass(frozen=True)
class Fit:
    """Weights fitted to Vivado's figures, in pJ.

    Attributes:
        transition: of a transition.
        network: of the clock's network in a cycle.
        form: of the estimate.
        misfit: sum of the squares of the errors; an error counts in units of a tenth of the figure,
            or of its rounding if that is larger.
    """

    transition: float
    network: float
    form: Form = ESTIMATE
    misfit: float = 0

    def ratio(self, point: PowerPoint) -> float:
        """Predicted power divided by Vivado's."""
        return (self.network + self.transition * point.transitions(self.form)) / point.vivado_pj


def fit(known: Iterable[PowerPoint], form: Form = ESTIMATE) -> Fit:
    """Weights, none negative, with the least `Fit.misfit`."""
    found = [*known]
    unit = np.array([max(0.1 * each.vivado_pj, each.rounding_pj) for each in found])
    features = np.array([[each.transitions(form), 1.0] for each in found]) / unit[:, None]
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
    return Fit(transition, network, form, best[0] ** 2)


def chosen_form(known: Iterable[PowerPoint]) -> Form:
    """The form with the least misfit."""
    found = [*known]
    return min(FORMS, key=lambda form: fit(found, form).misfit)


@dataclass(frozen=True)
class HeldOut:
    """Errors of a fit on points that it did not use.

    Attributes:
        what: was held out.
        fit: of the others.
        ratios: predicted power divided by Vivado's, by point.

    Errors are those of the points that have not chosen the form either.
    """

    what: str
    fit: Fit
    ratios: Sequence[tuple[PowerPoint, float]]

    @property
    def _errors(self) -> Sequence[float]:
        return [abs(ratio - 1) for point, ratio in self.ratios if not point.chose_form]

    @property
    def mean(self) -> float:
        """Mean absolute error, relative to Vivado's figure."""
        return sum(self._errors) / len(self._errors)

    @property
    def worst(self) -> float:
        """Largest absolute error, relative to Vivado's figure."""
        return max(self._errors)


def held_out() -> tuple[HeldOut, HeldOut]:
    """The two trials: sizes, and the design T3."""
    every = [*points()]
    form = chosen_form(each for each in every if each.chose_form)
    sizes = [each for each in every if each.bits not in FITTED_SIZES]
    third = [each for each in every if each.row == "T3"]
    trials = ((f"sizes other than {', '.join(map(str, FITTED_SIZES))}", sizes), ("T3", third))
    first, second = (
        HeldOut(what, found, [(point, found.ratio(point)) for point in out])
        for what, out in trials
        for found in [fit((each for each in every if each not in out), form)]
    )
    return first, second


def form_alone() -> tuple[Form, float]:
    """The form that T1 and T2 alone would choose, and its mean error on T3."""
    known = [each for each in points() if each.row != "T3"]
    third = [each for each in points() if each.row == "T3"]
    form = chosen_form(known)
    found = fit(known, form)
    return form, sum(abs(found.ratio(point) - 1) for point in third) / len(third)


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
