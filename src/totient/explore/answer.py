"""The answer to a question: the designs that meet the limits, or those that miss them least.

A design meets a limit if its predicted figure does. It is sure to, if the worse bound of the figure
does, too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from totient.catalog import Configuration, command_words
from totient.explore.candidates import Candidates
from totient.explore.cycles import Work
from totient.explore.interval import Floats, Interval
from totient.explore.models import Models
from totient.explore.placed import MHZ_NS, Placed, place
from totient.explore.question import Limits, Question
from totient.flow import Target
from totient.measure.record import Record

_MISSES = 100
"""Nearest misses in an answer."""

_BEYOND = 1e30
"""Makes what does not fit into the device a farther miss than anything else."""

Figure = tuple[float, float, float]
"""Lower bound, prediction, higher bound."""


KNOWN = ("predicted", "routed", "measured")
"""Where a clock is from: a model; a route whose netlist has not been run; a Record."""


@dataclass(frozen=True)
class Choice:
    """A design on a device, with its figures.

    Attributes:
        configuration: the design.
        work: the operation, and how it is done.
        target: the device.
        cycles: of the operation.
        seconds, joules: of the operation; the energy is the dynamic one.
        mhz: the clock.
        lut, ff: cells.
        dsp, block_ram: blocks, exact.
        known: one of `KNOWN`.
        shares: of each limit that is used up; above 1 it is missed.
        sure: whether the worse bounds meet all limits, too.
    """

    configuration: Configuration
    work: Work
    target: Target
    cycles: int
    seconds: Figure
    joules: Figure
    mhz: Figure
    lut: Figure
    ff: Figure
    dsp: int
    block_ram: float
    known: str
    shares: dict[str, float]
    sure: bool

    @property
    def kind(self) -> str:
        """The operation kind of `totient measure` with the same cycles; of a half the half's."""
        if self.configuration.key_slots:
            return f"rsa-{self.work.kind}-{self.work.bits}"
        if not self.work.private:
            return "public"
        return "private-crt" if self.work.crt and self._whole else "private"

    @property
    def _whole(self) -> bool:
        """Whether the core is as wide as the modulus."""
        return self.configuration.width >= self.work.bits

    @property
    def build(self) -> str:
        """The command that writes the design's files."""
        words = command_words(self.configuration)
        return f"totient export {words} --target {self.target.name} --out DIRECTORY"

    @property
    def measure(self) -> str:
        """The command that measures the design."""
        words = command_words(self.configuration)
        return f"totient measure {words} --target {self.target.name} --op {self.kind}"

    @property
    def binding(self) -> str:
        """The limit that is used up most."""
        return max(self.shares, key=lambda name: self.shares[name])

    @property
    def missed(self) -> list[str]:
        """The limits that are missed, the worst first."""
        over = [name for name, share in self.shares.items() if not share <= 1]
        return sorted(over, key=lambda name: -self.shares[name])


@dataclass(frozen=True)
class Answer:
    """Designs, the best first.

    Attributes:
        question: the question.
        points: configurations on devices that were looked at.
        met: number of them that meet all limits.
        choices: those of them than which no other one has less time, LUTs and energy. If none meets
            the limits, those that miss them least.
    """

    question: Question
    points: int
    met: int
    choices: Sequence[Choice]


def answer(
    question: Question,
    parts: Sequence[Candidates],
    models: Models,
    records: Iterable[Record],
) -> Answer:
    """Answer a question.

    Args:
        question: the question.
        parts: all configurations, from `candidates`.
        models: for the speeds of the devices.
        records: measured designs.
    """
    known = list(records)
    placed = [
        place(part, question, target, models, known)
        for target in question.targets
        for part in parts
    ]
    used = [each.used(question) for each in placed]
    met = sum(int(np.count_nonzero(each <= 1)) for each in used)
    if met:
        fitting = [
            each.at(np.flatnonzero(share <= 1)) for each, share in zip(placed, used, strict=True)
        ]
        best = front(fitting)
        ranks = [_rank(fitting[i], question, np.array([j]))[0] for i, j in best]
        order = sorted(range(len(best)), key=ranks.__getitem__)
        choices = [choice(fitting[i], j, question) for i, j in (best[place] for place in order)]
    else:
        # Those that fit into the device come first: the others cannot be built.
        free = replace(question, limits=Limits())
        used = [
            np.where(each.used(free) <= 1, share, share * _BEYOND)
            for each, share in zip(placed, used, strict=True)
        ]
        nearest = sorted((share[j], i, j) for i, share in enumerate(used) for j in _least(share))
        choices = [choice(placed[i], j, question) for _, i, j in nearest[:_MISSES]]
    return Answer(question, sum(map(len, placed)), met, choices)


def _least(shares: Floats) -> list[int]:
    """Places of the smallest shares."""
    if len(shares) <= _MISSES:
        return list(range(len(shares)))
    found: list[int] = np.argpartition(shares, _MISSES)[:_MISSES].tolist()
    return found


def _rank(
    placed: Placed, question: Question, places: NDArray[np.int64]
) -> list[tuple[bool, float]]:
    """Sure ones first, then by the goal."""
    some = placed.at(places)
    goal = {"time": some.seconds, "lut": some.lut, "energy": some.joules}[question.goal].middle
    unsure = some.used(question, worst=True) > 1
    return [*zip(unsure.tolist(), goal.tolist(), strict=True)]


def front(placed: Sequence[Placed]) -> list[tuple[int, int]]:
    """Part and place of those than which no other one has less time, LUTs and energy."""
    rows = [
        np.stack([each.seconds.middle, each.lut.middle, each.joules.middle], axis=1)
        for each in placed
    ]
    owners = np.repeat(np.arange(len(rows)), [len(each) for each in rows])
    places = np.concatenate([np.arange(len(each)) for each in rows])
    points = np.nan_to_num(np.log(np.concatenate(rows)), nan=np.inf)
    return [(int(owners[j]), int(places[j])) for j in pareto(points)]


def pareto(points: Floats) -> list[int]:
    """Rows that no other row equals or beats in all columns; of equal rows the first."""
    left = np.lexsort((np.arange(len(points)), points.sum(axis=1)))
    found = []
    while len(left):
        first = left[0]
        found.append(int(first))
        left = left[np.any(points[left] < points[first], axis=1)]
    return found


def choice(placed: Placed, at: int, question: Question) -> Choice:
    """One of the configurations on a device, with its figures in full."""
    one = placed.at(np.array([at]))
    limited = one.limited(question)
    shares = {name: float(figures[0] / limit) for name, (figures, limit) in limited.items()}
    low, middle, high = _figure(one.ns)
    return Choice(
        configuration=one.part.space.at(0),
        work=one.part.work,
        target=one.target,
        cycles=int(one.part.cycles[0]),
        seconds=_figure(one.seconds),
        joules=_figure(one.joules),
        mhz=(MHZ_NS / high, MHZ_NS / middle, MHZ_NS / low),
        lut=_figure(one.lut),
        ff=_figure(one.ff),
        dsp=int(one.part.dsp[0]),
        block_ram=float(one.part.block_ram[0]),
        known=KNOWN[int(one.known[0])],
        shares={name: share for name, share in shares.items() if share == share},
        sure=bool(one.used(question, worst=True)[0] <= 1),
    )


def _figure(figures: Interval) -> Figure:
    """Bounds and prediction of the only configuration."""
    low, middle, high = (float(each[0]) for each in figures)
    return low, middle, high
