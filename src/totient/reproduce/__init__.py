"""The papers' experiments, run again on our cores and shown beside the published figures."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from totient.common.errors import InputError
from totient.reproduce.model import Column, Reproduction, Table

if TYPE_CHECKING:
    from totient.reproduce.measurements import Measurement

PAPERS = ("thesis", "nibouche", "becannon", "evantash", "diemert")
"""Names of the papers that can be reproduced."""


@dataclass(frozen=True)
class Paper:
    """A paper that can be reproduced.

    Attributes:
        tables: names of its tables, in order.
        reproduce: computes what they need, and makes them.
        draw: the figure from the tables by name, into a file.
        measurements: Records that they need, up to a width of the modulus.
    """

    tables: tuple[str, ...]
    reproduce: Callable[[], Reproduction]
    draw: Callable[[Mapping[str, Table], Path], None]
    measurements: Callable[[int], "Iterator[Measurement]"]


def find_paper(name: str) -> Paper:
    """The paper of that name, out of `PAPERS`.

    Raises:
        InputError: there is none.
    """
    name = name.lower()
    if name not in PAPERS:
        raise InputError(f"unknown paper {name!r}, known are {', '.join(PAPERS)}")
    if name == "thesis":
        from totient.reproduce import thesis, thesis_figure

        return Paper(thesis.TABLES, thesis.reproduce, thesis_figure.draw, thesis.measurements)
    if name == "becannon":
        from totient.reproduce import becannon, becannon_figure

        return Paper(
            becannon.TABLES, becannon.reproduce, becannon_figure.draw, becannon.measurements
        )
    if name == "evantash":
        from totient.reproduce import evantash, evantash_figure

        return Paper(
            evantash.TABLES, evantash.reproduce, evantash_figure.draw, evantash.measurements
        )
    if name == "diemert":
        from totient.reproduce import diemert, diemert_figure

        return Paper(diemert.TABLES, diemert.reproduce, diemert_figure.draw, diemert.measurements)
    from totient.reproduce import nibouche, nibouche_figure

    return Paper(nibouche.TABLES, nibouche.reproduce, nibouche_figure.draw, nibouche.measurements)


def needed(widest: int) -> "Iterator[Measurement]":
    """Records of the papers, the comparison of the engine and further devices, up to a width."""
    from totient.reproduce import devices, field

    for name in PAPERS:
        yield from find_paper(name).measurements(widest)
    yield from field.measurements(widest)
    yield from devices.measurements(widest)


__all__ = ["PAPERS", "Column", "Paper", "Reproduction", "Table", "find_paper", "needed"]
