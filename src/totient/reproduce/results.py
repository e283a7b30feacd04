"""What the tables of a paper need to be measured."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from totient.catalog import Subject
from totient.flow import Target
from totient.measure import Record, measure
from totient.reproduce.model import Value


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


def of_clock(record: Record | None, figure: Callable[[float], Value] = lambda mhz: mhz) -> Value:
    """What follows from a Record's routed clock, as tables show it.

    Args:
        record: the Record, if there is one.
        figure: gives the figure at a clock in MHz.

    Returns:
        The figure; in words why a clock is not shown (`Record.unshown`); `None` without a clock.
    """
    if record is None:
        return None
    return record.unshown if record.shown_mhz is None else figure(record.shown_mhz)


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
