"""Comparisons: the engine with other cores, processors with designs, boards; and all Records."""

from collections.abc import Iterator

from totient.reproduce import PAPERS, find_paper
from totient.reproduce.results import Measurement


def needed(widest: int) -> Iterator[Measurement]:
    """Records for the papers, the engine's comparison and further devices, up to a width."""
    from totient.compare import devices, engines

    papers = (find_paper(name).measurements for name in PAPERS)
    for measurements in (*papers, engines.measurements, devices.measurements):
        yield from (each for each in measurements() if each.subject.width <= widest)


__all__ = ["needed"]
