"""Comparisons: the engine with other cores, processors with designs, boards; and all Records."""

from collections.abc import Iterator

from totient.reproduce import PAPERS, find_paper
from totient.reproduce.results import Measurement


def needed(widest: int) -> Iterator[Measurement]:
    """Records for the papers, the engine's comparison and further devices, up to a width."""
    from totient.compare import devices, engines

    for name in PAPERS:
        yield from find_paper(name).measurements(widest)
    yield from engines.measurements(widest)
    yield from devices.measurements(widest)


__all__ = ["needed"]
