"""Comparisons: the engine beside the field, processors beside designs, boards; and all Records."""

from collections.abc import Iterator

from totient.reproduce import PAPERS, find_paper
from totient.reproduce.results import Measurement


def needed(widest: int) -> Iterator[Measurement]:
    """Records of the papers, the comparison of the engine and further devices, up to a width."""
    from totient.compare import devices, engines

    for name in PAPERS:
        yield from find_paper(name).measurements(widest)
    yield from engines.measurements(widest)
    yield from devices.measurements(widest)


__all__ = ["needed"]
