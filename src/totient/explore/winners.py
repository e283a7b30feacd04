"""The best designs of five questions, measured: `python -m totient.explore.winners`.

A question is asked, and the first design of its answer is measured on the answer's device. Both are
kept: they show whether what an answer promises is what its user gets (`totient explore --table
winners`).
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from totient.common.progress import bar
from totient.explore.answer import Choice, Figure
from totient.explore.models import committed_models
from totient.explore.points import read_rows, write_rows
from totient.explore.question import Limits, Question, targets_of
from totient.explore.report import question_words
from totient.explore.run import Exploration
from totient.flow import find_target
from totient.measure.clocks import allowed_clock
from totient.measure.job import Job
from totient.measure.record import Record
from totient.measure.renewal import renewed
from totient.report.table import Column, Table
from totient.report.values import duration, grouped, significant

QUESTIONS = (
    (2048, True, "ecp5-25f", Limits(5e-3, 20_000, 2e-3), "lut"),
    (4096, True, "ecp5-25f", Limits(40e-3), "lut"),
    (1024, False, "ecp5-25f-6", Limits(200e-6), "lut"),
    (1024, True, "ecp5-45f", Limits(None, 5_000), "time"),
    (3072, True, "ecp5-45f-7", Limits(10e-3, None, 10e-3), "energy"),
)
"""Bits, whether private, target, limits, what is best."""

FIGURES = ("seconds", "lut", "ff", "mhz")
"""Figures of an answer that are measured."""


@dataclass(frozen=True)
class Winner:
    """The first design of an answer, with its measurement.

    Attributes:
        question: in words.
        cycles: of the operation, by the answer.
        predicted: by figure.
        record: the measurement.
    """

    question: str
    cycles: int
    predicted: dict[str, Figure]
    record: Record

    @classmethod
    def of(cls, question: str, choice: Choice, record: Record) -> "Winner":
        """From the answer's first design and its measurement."""
        return cls(
            question, choice.cycles, {name: getattr(choice, name) for name in FIGURES}, record
        )

    @property
    def measured(self) -> dict[str, float]:
        """The figures, by the Record: the clock is limited to that of the multipliers."""
        use, fmax = self.record.utilisation, self.record.fmax_mhz
        assert fmax is not None
        mhz = allowed_clock(fmax, use.dsp)
        return {"seconds": self.cycles / mhz * 1e-6, "lut": use.lut, "ff": use.ff, "mhz": mhz}

    @property
    def outside(self) -> list[str]:
        """Figures that are not within their bounds."""
        found = []
        for name, value in self.measured.items():
            low, _, high = self.predicted[name]
            # Bounds are kept to six digits; where the clock is its limit, the figure is a bound.
            if not low * (1 - 1e-5) <= value <= high * (1 + 1e-5):
                found.append(name)
        return found

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        predicted = {
            name: [float(f"{each:.6g}") for each in bounds]
            for name, bounds in self.predicted.items()
        }
        return {
            "question": self.question,
            "cycles": self.cycles,
            "predicted": predicted,
            "record": self.record.to_json(),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Winner":
        """Parse the JSON of `to_json`."""
        predicted = {name: (low, mid, top) for name, (low, mid, top) in data["predicted"].items()}
        record = Record.from_text(json.dumps(data["record"]))
        return cls(data["question"], data["cycles"], predicted, record)


def winners() -> list[Winner]:
    """The committed ones. Errors as for `read_rows`."""
    return read_rows("winners.json", Winner.from_json)


def keep(found: Iterable[Winner]) -> Path:
    """Write them, one for each question.

    Raises:
        ToolError: the file cannot be written.
    """
    by_question = {each.question: each for each in found}
    return write_rows("winners.json", (each.to_json() for each in by_question.values()))


def table() -> Table:
    """What the answers promised, and what was measured."""
    return Table.of(
        "The first designs of answers, measured afterwards",
        (
            Column("question", of="question"),
            Column("design", of="record.subject.label"),
            Column("device", of="record.target"),
            *(
                column
                for name, heading, form in (
                    ("seconds", "time", duration),
                    ("lut", "LUT", grouped),
                    ("ff", "FF", grouped),
                    ("mhz", "MHz", significant),
                )
                for column in (
                    Column(f"{heading}: promised", of=_promised(name, form)),
                    Column("measured", of=_measured(name, form)),
                )
            ),
            Column("outside", of=lambda each: ", ".join(each.outside) or "none"),
        ),
        winners(),
        "promised: the bounds of the answer. Measured: the median of three seeds of place and "
        "route; the clock at most that of the multipliers",
    )


def _promised(name: str, form: Any) -> Any:
    def words(found: Winner) -> str:
        low, _, high = found.predicted[name]
        rounded = (round(low), round(high)) if form is grouped else (low, high)
        return " to ".join(dict.fromkeys(map(form, rounded)))

    return words


def _measured(name: str, form: Any) -> Any:
    return lambda found: form(found.measured[name])


def first_designs(say: Callable[[str], None]) -> Iterator[tuple[str, Choice]]:
    """The first design of each answer, with its question in words.

    Args:
        say: told what is under way.
    """
    models = committed_models()
    for bits, private, target, limits, goal in QUESTIONS:
        question = Question(bits, private, None, targets_of(target, models), limits, goal)
        (choice, *_) = Exploration(question, say).answer().choices
        yield f"{question_words(question)}, {target}, {goal}", choice


def main() -> None:
    """Ask, measure the first designs that have no measurement here, and keep them as they come."""
    known = filter(None, (renewed(each.record) for each in winners()))
    measured = {(each.subject.label, each.target): each for each in known}
    with bar("questions", len(QUESTIONS)) as progress:
        for words, choice in first_designs(progress.describe):
            device = find_target(choice.target.name)
            record = measured.get((choice.configuration.label, device.name))
            if record is None:
                record = Job.of(choice.configuration, device, (choice.kind,)).run()
            keep([*winners(), Winner.of(words, choice, record)])
            progress.advance()


if __name__ == "__main__":
    main()
