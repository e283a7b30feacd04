"""Activity Records for the tables of power: the thesis' designs, and the catalog."""

from collections.abc import Iterator
from dataclasses import dataclass

from totient.catalog import Configuration, find_subject
from totient.catalog.engine import ELEMENTS
from totient.common.papers import published
from totient.flow import Target, find_target
from totient.power.by_activity import cycle_energy
from totient.report.values import percent
from totient.reproduce.results import ROUTED, UTILISED
from totient.reproduce.thesis_power import DESIGNS, design_of, points

ENGINES = tuple(f"engine-{elements}" for elements in ELEMENTS)
STRUCTURES = tuple(f"N{number}" for number in range(1, 9))
_WIDTHS = {UTILISED: 1024, ROUTED: 256}
"""Widths of the catalog's designs: an ECP5's wires need a route, which takes long at 1,024 bits."""

_GROWTH = 256, 1024
"""Widths between which energy in proportion to the width is compared with the simulated one."""


@dataclass(frozen=True)
class Wanted:
    """An activity Record.

    Attributes:
        name: of the design in tables.
        subject: the design, with the parameters for the target.
        target: the device.
        dsp: whether the tools may use multiplier blocks.
    """

    name: str
    subject: Configuration
    target: Target
    dsp: bool


def wanted(widest: int) -> Iterator[Wanted]:
    """The activity Records, up to a width."""
    made = (*_of_thesis(), *_of_catalog())
    yield from (each for each in made if each.subject.width <= widest)


def _of_thesis() -> Iterator[Wanted]:
    for width in published("thesis")["bits"]:
        for row in DESIGNS:
            subject, dsp = design_of(row, width)
            yield _wanted(row if dsp else f"{row}, no DSP", subject, UTILISED, dsp)


def _of_catalog() -> Iterator[Wanted]:
    for target, width in _WIDTHS.items():
        # T1 and T2 at 1,024 bits on the thesis' device are above.
        rows = ("T3", *STRUCTURES) if target == UTILISED else (*DESIGNS, *STRUCTURES)
        for name in rows:
            subject = find_subject(name, width=width)
            assert isinstance(subject, Configuration)
            yield _wanted(name, subject, target, True)
        for name in ENGINES:
            subject = find_subject(name)
            assert isinstance(subject, Configuration)
            yield _wanted(name, subject, target, True)


def _wanted(name: str, subject: Configuration, target_name: str, dsp: bool) -> Wanted:
    target = find_target(target_name)
    return Wanted(name, subject.suited(target.family), target, dsp)


def growth_error() -> float:
    """How far energy in proportion to the width is off, from 256 to 1,024 bits.

    Returns:
        The greatest error of T1, T2 and T3 (without multiplier blocks) on the thesis' device, as a
        fraction of one.
    """
    found = {
        (point.row, point.bits): cycle_energy(point.record.switching, find_target(UTILISED))
        for point in points()
    }
    narrow, wide = _GROWTH
    return max(
        abs(found[row, narrow].times(wide / narrow).total / found[row, wide].total - 1)
        for row in DESIGNS
    )


def growth_note() -> str:
    """What a table says about an energy that is in proportion to the width."""
    narrow, wide = _GROWTH
    return (
        "in proportion to the width, but for the clock's network, which takes the same. For T1 to "
        f"T3 on an Artix-7, from {narrow} to {wide:,} bits, that is off by at most "
        f"{percent(growth_error())}"
    )
