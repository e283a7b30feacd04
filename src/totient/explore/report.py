"""An answer for people and programs."""

from collections.abc import Callable, Iterator
from typing import Any

from totient.explore.answer import Answer, Choice, Figure
from totient.explore.question import GOALS, Question
from totient.report.table import Column, Table, columns
from totient.report.values import duration, energy, grouped, percent, significant, text
from totient.report.words import listed

_NAMES = {
    "time": "time",
    "energy": "energy",
    "clock": "clock period",
    "lut": "LUTs",
    "ff": "flip-flops",
    "dsp": "multipliers",
    "block_ram": "block RAMs",
}
"""Of limits."""


def _between(form: Callable[[Any], str], figure: Figure) -> str:
    """A figure with its bounds, unless it is exact."""
    low, middle, high = figure
    if middle != middle:
        return "-"
    return form(middle) if low == high else f"{form(middle)} ({form(low)} to {form(high)})"


def _whole(value: float) -> str:
    return grouped(round(value))


def table(answer: Answer, count: int) -> Table:
    """The first choices of an answer."""
    question = answer.question
    title = (
        f"{question_words(question)}: {answer.met:,} of {answer.points:,} designs"
        if answer.met
        else f"{question_words(question)}: none of {answer.points:,} designs; the nearest misses"
    )
    return Table.of(
        title,
        (
            Column("design", of=lambda each: each.configuration.label),
            Column("CRT", of=lambda each: "yes" if each.work.crt else "no"),
            Column("device", of="target.name"),
            Column("time", of=lambda each: _between(duration, each.seconds)),
            Column("LUT", of=lambda each: _between(_whole, each.lut)),
            Column("FF", of=lambda each: _between(_whole, each.ff)),
            *columns(grouped, ("DSP", "dsp")),
            *columns(significant, ("block RAM", "block_ram")),
            Column("MHz", of=lambda each: _between(significant, each.mhz)),
            Column("energy", of=lambda each: _between(energy, each.joules)),
            Column("clock", text, "known"),
            Column("tightest limit" if answer.met else "missed", of=_limits),
            Column("sure", of=lambda each: "yes" if each.sure else "no"),
        ),
        answer.choices[:count],
        *_notes(answer, count),
    )


def _limits(choice: Choice) -> str:
    names = choice.missed or [choice.binding]
    return ", ".join(f"{_NAMES[name]} {percent(choice.shares[name])}" for name in names)


def question_words(question: Question) -> str:
    """The question in a few words."""
    limits = question.limits
    asked = [
        *([f"in {duration(limits.seconds)}"] if limits.seconds else []),
        *([f"{limits.lut:,} LUT"] if limits.lut else []),
        *([energy(limits.joules)] if limits.joules else []),
        *([f"at {question.clock_mhz:g} MHz"] if question.clock_mhz else []),
    ]
    how = "private" if question.private else "public"
    return f"RSA-{question.bits} {how}" + (f", {', '.join(asked)}" if asked else "")


def _notes(answer: Answer, count: int) -> Iterator[str]:
    question = answer.question
    if len(answer.choices) > count:
        yield f"the first {count} of {len(answer.choices)} (--count)"
    yield (
        "in brackets: bounds that hold nine of ten measurements. Without brackets: measured, or "
        "exact"
    )
    yield (
        "predicted: by the models (docs/explore.md). routed: the clock is measured, the netlist "
        "has not been run. measured: a Record"
    )
    if answer.met:
        yield (
            "no other design has less time, LUTs and energy than one shown. Order: sure ones, then "
            f"{GOALS[question.goal]}. Sure: the worse bounds meet all limits, too"
        )
    yield "energy: dynamic, an estimate (docs/power.md). A limit's percentage is the share used up"


def data(answer: Answer, count: int) -> dict[str, Any]:
    """An answer for programs, with its first choices."""
    question, limits = answer.question, answer.question.limits
    return {
        "question": {
            "bits": question.bits,
            "operation": "private" if question.private else "public",
            "crt": question.crt,
            "targets": [target.name for target in question.targets],
            "deadline_s": limits.seconds,
            "lut": limits.lut,
            "energy_j": limits.joules,
            "best": question.goal,
            "clock_mhz": question.clock_mhz,
        },
        "points": answer.points,
        "met": answer.met,
        "designs": [row(each) for each in answer.choices[:count]],
    }


def row(choice: Choice) -> dict[str, Any]:
    """A choice for programs: each figure as low, predicted and high."""
    return {
        "design": choice.configuration.name,
        "parameters": dict(choice.configuration.parameters),
        "crt": choice.work.crt,
        "target": choice.target.name,
        "cycles": choice.cycles,
        "seconds": _bounds(choice.seconds),
        "mhz": _bounds(choice.mhz),
        "lut": _bounds(choice.lut),
        "ff": _bounds(choice.ff),
        "joules": _bounds(choice.joules),
        "dsp": choice.dsp,
        "block_ram": choice.block_ram,
        "clock": choice.known,
        "limits": choice.shares,
        "tightest": choice.binding,
        "missed": choice.missed,
        "sure": choice.sure,
        "build": choice.build,
        "measure": choice.measure,
    }


def _bounds(figure: Figure) -> list[float | None]:
    return [None if each != each else each for each in figure]


def advice(answer: Answer) -> list[str]:
    """Lines below the table: the commands for the first design, or what is missed."""
    first = answer.choices[0]
    if not answer.met:
        worst = listed(
            f"{_NAMES[name]} ({first.shares[name]:.3g} times the limit)" for name in first.missed
        )
        return [
            f"Nothing meets all limits. The nearest, {first.configuration.label}, misses {worst}."
        ]
    return [f"Build the first:   {first.build}", f"Measure the first: {first.measure}"]
