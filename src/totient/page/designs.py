"""The designs of the page's picture: measured ones, the best ones, and a sample of the others."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from totient.catalog import command_words
from totient.explore.answer import Choice, choice, front
from totient.explore.models import committed_models
from totient.explore.placed import PREDICTED, Placed, place
from totient.explore.question import Limits, Question, targets_of
from totient.explore.report import question_words
from totient.explore.run import Exploration

OPERATIONS = ((2048, True), (1024, True), (4096, True), (2048, False))
"""Bits of the modulus, and whether the operation is the private one. The first one is shown first.
"""

TARGET = "ecp5-85f"
"""The device of the picture."""

LONGEST = 60.0
"""Seconds of an operation beyond which a design is not shown."""

_SAMPLE = 250
"""Designs of each kind that are shown though others are better."""

_DIGITS = 4
"""Significant digits of figures."""


def pictures(say: Callable[[str], None]) -> Iterator[dict[str, Any]]:
    """For each operation its designs, for the page's script.

    Args:
        say: called with the step.
    """
    (target,) = (each for each in targets_of(TARGET, committed_models()) if each.name == TARGET)
    for bits, private in OPERATIONS:
        question = Question(bits, private, None, [target], Limits(), "lut")
        words = question_words(question)
        say(f"designs for {words}")
        found = Exploration(question, lambda _: None)
        placed = [
            place(part, question, target, found.models, found.records) for part in found.parts
        ]
        placed = [each.at(np.flatnonzero(_shown(each, question))) for each in placed]
        chosen = {*front(placed)}
        draw = np.random.default_rng(1)
        for i, each in enumerate(placed):
            known = np.flatnonzero(each.known != PREDICTED).tolist()
            some = draw.choice(len(each), min(_SAMPLE, len(each)), replace=False).tolist()
            chosen |= {(i, j) for j in (*known, *some)}
        yield {
            "name": words,
            "designs": sum(map(len, placed)),
            "rows": [_row(choice(placed[i], j, question)) for i, j in sorted(chosen)],
        }


def _shown(placed: Placed, question: Question) -> NDArray[np.bool_]:
    """Designs that fit into the device and end within `LONGEST`."""
    seconds = placed.seconds.middle
    shown: NDArray[np.bool_] = (placed.used(question) <= 1) & (seconds <= LONGEST)
    return shown


def _row(found: Choice) -> list[Any]:
    """One design: as the page's script reads it (`page.js`)."""
    return [
        found.configuration.name,
        command_words(found.configuration),
        found.kind,
        int(found.work.crt),
        found.known,
        _rounded(found.seconds),
        _rounded(found.lut),
        _rounded(found.joules),
        _rounded(found.mhz),
        found.dsp,
        found.block_ram,
    ]


def _rounded(figure: tuple[float, float, float]) -> list[float | None] | float | None:
    """Prediction, lower and higher bound; an exact figure is one number."""
    low, middle, high = (None if each != each else float(f"{each:.{_DIGITS}g}") for each in figure)
    return middle if low == high else [middle, low, high]
