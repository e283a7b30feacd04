"""What the tables of a paper need to be measured."""

from collections.abc import Iterable
from dataclasses import dataclass

from totient.catalog import Subject
from totient.flow import Target
from totient.measure import Record, measure


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


def records(items: Iterable[Measurement]) -> dict[tuple[str, int, str], Record]:
    """Measure it all, from `results/` and the cache where it is there.

    Returns:
        The Records by variant, width and target.

    Raises:
        ToolError: a tool failed.
    """
    return {
        (item.variant, item.subject.width, item.target.name): measure(
            item.subject, item.target, item.kinds, dsp=item.dsp
        )
        for item in items
    }
