"""Comparisons: the engine with other cores, processors with designs, boards; and all Records."""

from collections.abc import Iterator

from totient.reproduce import PAPERS, find_paper
from totient.reproduce.results import Measurement


def needed(widest: int) -> Iterator[Measurement]:
    """Records for the papers, the comparisons and further devices, up to a width."""
    from totient.compare import devices, engines, processors

    papers = (find_paper(name).measurements for name in PAPERS)
    ours = (each.measurements for each in (engines, processors, devices))
    for measurements in (*papers, *ours):
        yield from (each for each in measurements() if each.subject.width <= widest)


__all__ = ["needed"]
