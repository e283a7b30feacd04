"""A question: an operation, limits, and devices."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from totient.common.errors import InputError
from totient.explore.models import Models
from totient.flow import TARGETS, Target, find_target

BITS = (512, 4096)
"""Least and most bits of a modulus."""

_TIMES = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6}
_ENERGIES = {"J": 1.0, "mJ": 1e-3, "uJ": 1e-6, "µJ": 1e-6}
_QUANTITY = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*([a-zA-Zµ]+)")

GOALS: Mapping[str, str] = MappingProxyType(
    {"lut": "fewest LUTs", "time": "least time", "energy": "least energy"}
)
"""What the best design has, by the name of the figure."""


@dataclass(frozen=True)
class Limits:
    """Upper limits; `None`: none.

    Attributes:
        seconds: of the operation.
        lut: look-up tables.
        joules: dynamic energy of the operation.
    """

    seconds: float | None = None
    lut: int | None = None
    joules: float | None = None


@dataclass(frozen=True)
class Question:
    """What somebody asks.

    Attributes:
        bits: of the modulus.
        private: whether the operation is the private one; else the public one.
        crt: of a private one, whether with the primes; `None`: both.
        targets: devices, of one family.
        limits: that a design must meet.
        goal: one of `GOALS`.
        clock_mhz: clock of all designs; those that do not reach it miss it. `None`: each design's
            own.
    """

    bits: int
    private: bool
    crt: bool | None
    targets: Sequence[Target]
    limits: Limits
    goal: str
    clock_mhz: float | None = None

    @property
    def family(self) -> str:
        """Of the devices."""
        return self.targets[0].family

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            InputError: one is out of its range.
        """
        if not BITS[0] <= self.bits <= BITS[1]:
            raise InputError(f"--bits is {self.bits}, allowed is {BITS[0]} to {BITS[1]}")
        if self.limits.lut is not None and self.limits.lut < 1:
            raise InputError(f"--lut is {self.limits.lut}, allowed is 1 or more")
        if self.clock_mhz is None and not self.targets[0].can_route:
            raise InputError(
                f"--target is {self.targets[0].name}, which has no free router to measure clocks "
                "with: --clock must state one"
            )
        if self.goal not in GOALS:
            raise InputError(f"--best is {self.goal!r}, allowed is {', '.join(GOALS)}")


def seconds_of(text: str) -> float:
    """A time such as `5ms`, in seconds.

    Raises:
        InputError: no such time.
    """
    return _quantity(text, "--deadline", _TIMES, "5ms")


def joules_of(text: str) -> float:
    """An energy such as `2mJ`, in joules.

    Raises:
        InputError: no such energy.
    """
    return _quantity(text, "--energy", _ENERGIES, "2mJ")


def _quantity(text: str, option: str, units: Mapping[str, float], example: str) -> float:
    found = _QUANTITY.fullmatch(text.strip())
    value = float(found[1]) * units.get(found[2], 0) if found else 0.0
    if not value:
        known = ", ".join(unit for unit in units if unit.isascii())
        raise InputError(
            f"{option} is {text!r}, allowed is a number above 0 with a unit ({known}), "
            f"such as {example}"
        )
    return value


def targets_of(name: str | None, models: Models) -> list[Target]:
    """The devices that a question names: one, or one die in all its speed grades.

    Args:
        name: of a target; without a speed grade all of them; `None`: every ECP5.
        models: whose families can be asked about.

    Raises:
        InputError: an unknown target, or one whose family has no models.
    """
    if name is None:
        return [each for each in TARGETS.values() if each.name.startswith("ecp5-")]
    named = find_target(name)
    if named.family not in models.models:
        known = ", ".join(each.name for each in TARGETS.values() if each.family in models.models)
        raise InputError(
            f"--target is {name}, of which too few designs are measured to predict others; "
            f"allowed is {known}"
        )
    return [
        each
        for each in TARGETS.values()
        if each.name == named.name or each.name.startswith(f"{named.name}-")
    ]
