"""From a question to an answer: models, tables, records, and new measurements."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from totient.catalog import Configuration
from totient.common.cache import digest
from totient.explore.answer import Answer, answer
from totient.explore.candidates import Candidates, candidates, ways
from totient.explore.interval import Floats
from totient.explore.models import Models, committed_models
from totient.explore.placed import Placed, place
from totient.explore.points import own_points, points_digest, wide_points
from totient.explore.question import Question
from totient.explore.table import kept_table, table_name
from totient.flow import Target
from totient.measure.store import committed

_SAMPLE = 2_000
"""Configurations among which the most informative ones are looked for."""

_NEAR = 1.3
"""Share of a limit up to which a configuration is near enough to be worth a measurement."""


class Exploration:
    """A question with everything that answers it."""

    def __init__(self, question: Question, say: Callable[[str], None]) -> None:
        """Read models and measurements, and the table of configurations or compute it.

        Raises:
            InputError: a file of measurements is damaged.
            ToolError: a file cannot be read or written.
        """
        self.question = question
        own = list(own_points())
        records = [record for _, record in committed()]
        besides = [*own, *wide_points(records)]
        self.models = committed_models().knowing(besides, question.family)
        self.records = [*own, *records]
        self.parts: list[Candidates] = []
        known = digest(self.models.points, points_digest(besides))
        for work in ways(question.bits, question.private, question.crt):
            say(f"designs {'with' if work.crt else 'without'} CRT")
            name = table_name(work, question.family, known)
            self.parts += kept_table(name, partial(candidates, work, question.family, self.models))

    def answer(self) -> Answer:
        """The designs that meet the limits, or miss them least."""
        return answer(self.question, self.parts, self.models, self.records)

    def informative(self, count: int) -> list[tuple[Configuration, Target]]:
        """Designs whose measurement tells most: those with the widest intervals near the limits.

        After each choice the others are judged as if it had been measured.

        Args:
            count: of designs.
        """
        placed = [
            place(part, self.question, target, self.models, self.records)
            for target in self.question.targets[:1]
            for part in self.parts
        ]
        near = self._near(placed)
        chosen: list[tuple[Configuration, Target]] = []
        models = self.models
        for _ in range(min(count, sum(len(each) for each in near))):
            spreads = [_spread(each, models, self.question.family) for each in near]
            at = max(range(len(near)), key=lambda i: spreads[i].max(initial=-1))
            where = int(spreads[at].argmax())
            configuration = near[at].part.space.at(where)
            chosen.append((configuration, near[at].target))
            models = models.guessing(configuration, self.question.family)
        return chosen

    def _near(self, placed: Sequence[Placed]) -> list[Placed]:
        """A sample of the configurations without a measurement that could meet the limits."""
        draw = np.random.default_rng(1)
        found = []
        for each in placed:
            places = np.flatnonzero((each.used(self.question) <= _NEAR) & (each.known == 0))
            if len(places) > _SAMPLE:
                places = np.sort(draw.choice(places, _SAMPLE, replace=False))
            found.append(each.at(places))
        return [each for each in found if len(each)]


def _spread(placed: Placed, models: Models, family: str) -> Floats:
    """Sum of the logarithms of the intervals' factors for LUTs and clock."""
    own = models.of(family, placed.part.space.design.name)
    points = placed.part.space.parameters
    spread = np.zeros(len(placed))
    for name in ("lut", "ns"):
        if name in own:
            spread += np.log(own[name].predict(points).factor)
    return spread
