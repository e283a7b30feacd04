"""Every configuration of every design that can do an operation, with its predicted figures.

The figures are those on a device family, at the speed of the target with the models. They are kept
in the cache: a second question about the same operation reads them.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from totient.catalog import Design, designs
from totient.explore.blocks import block_rams, multipliers
from totient.explore.cycles import Work, cycles_of
from totient.explore.interval import Floats, Interval
from totient.explore.models import Models
from totient.explore.space import Space, space_of

INTERVALS = ("lut", "ff", "ns", "cycle_joules")
NUMBERS = ("cycles", "dsp", "block_ram")
"""Figures of `Candidates`, with bounds and without."""


@dataclass(frozen=True)
class Candidates:
    """Configurations of one design with their figures. Arrays have one value for each.

    Attributes:
        space: the configurations.
        work: the operation, and how it is done.
        cycles: of the operation, from the request to the answer.
        dsp, block_ram: blocks of the device, exact.
        lut, ff: cells.
        ns: period of the clock in nanoseconds; not a number: the family has no clock.
        cycle_joules: dynamic energy of a cycle; not a number: unknown.
    """

    space: Space
    work: Work
    cycles: Floats
    dsp: Floats
    block_ram: Floats
    lut: Interval
    ff: Interval
    ns: Interval
    cycle_joules: Interval

    def __len__(self) -> int:
        """Number of configurations."""
        return len(self.space)

    def at(self, places: Any) -> "Candidates":
        """Some of them, by their places or by a mask."""
        numbers = {name: getattr(self, name)[places] for name in NUMBERS}
        intervals = {name: getattr(self, name).at(places) for name in INTERVALS}
        return Candidates(self.space.where(places), self.work, **numbers, **intervals)


def ways(bits: int, private: bool, crt: bool | None) -> list[Work]:
    """The ways to do an operation.

    Args:
        bits: of the modulus.
        private: whether it is the private operation.
        crt: of a private one, whether with the primes; `None`: both.
    """
    if not private:
        return [Work(False, bits, False)]
    return [Work(True, bits, each) for each in (True, False) if crt in (None, each)]


def candidates(work: Work, family: str, models: Models) -> list[Candidates]:
    """All configurations that do an operation, with figures on a device family.

    Args:
        work: the operation, and how it is done.
        family: of the device, with models.
        models: the models.
    """
    asked = [(design, width) for design in designs() for width in _widths(design, work)]
    asked = [pair for pair in asked if models.of(family, pair[0].name)]
    # numpy computes without Python's lock: two parts at once use two processors.
    with ThreadPoolExecutor(2) as pool:
        found = list(
            pool.map(lambda pair: _predicted(pair[0], pair[1], work, family, models), asked)
        )
    return [each for each in found if len(each)]


def _widths(design: Design, work: Work) -> list[int]:
    """Widths that can do an operation.

    A core for halves is as wide as them, or as wide as the modulus, so that it also does public
    operations.
    """
    (width,) = (each for each in design.parameters if each.name == "width")
    if design.is_whole:
        return [each for each in width.choices if each >= work.bits]
    return [each for each in sorted({work.width, work.bits}) if width.low <= each <= width.high]


def space_on(design: Design, width: int, family: str) -> Space:
    """The space of a width. Of a parameter for certain families only this family's value."""
    suited = design.suiting.get(family, {})
    fixed = {
        each.name: [suited.get(each.name, each.default)]
        for each in design.parameters
        if each.families
    }
    return space_of(design, {**fixed, "width": [width]})


def _predicted(
    design: Design,
    width: int,
    work: Work,
    family: str,
    models: Models,
) -> Candidates:
    space = space_on(design, width, family)
    own = models.of(family, design.name)
    unknown = Interval.exactly(np.full(len(space), np.nan))
    energy = models.energies.get(family, {}).get(design.name)
    return Candidates(
        space,
        work,
        cycles_of(space, work).whole.astype(np.float64),
        multipliers(space),
        block_rams(space, family),
        lut=own["lut"].predict(space.parameters),
        ff=own["ff"].predict(space.parameters),
        ns=own["ns"].predict(space.parameters) if "ns" in own else unknown,
        cycle_joules=energy.predict(design.name, space.parameters) if energy else unknown,
    )
