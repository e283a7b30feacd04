"""Power and energy of a design from the switching activity of its netlist."""

from collections.abc import Mapping
from dataclasses import dataclass

from totient.flow import Target
from totient.power.fabrics import weights_of
from totient.power.switching import Switching

_OF_KIND = {
    "table": "logic",
    "carry": "logic",
    "register": "registers",
    "multiplier": "multipliers",
    "block memory": "block memories",
    "memory": "distributed memories",
    "port": "ports",
}
_BLOCKS = ("multiplier", "block memory")
_NETWORK = "clock network"


@dataclass(frozen=True)
class CycleEnergy:
    """Dynamic energy of a clock cycle, an estimate.

    Attributes:
        by_kind: in joules: of the clock's network, and of the nets behind each kind of cell; for
            multipliers and block memories also inside them.
        blocks: the part of it inside multipliers and block memories, in joules.
        error: factor by which the sum may be too large or too small.
    """

    by_kind: Mapping[str, float]
    blocks: float
    error: float

    @property
    def total(self) -> float:
        """In joules."""
        return sum(self.by_kind.values())

    def times(self, factor: float) -> "CycleEnergy":
        """With `factor` times the transitions. The clock's network takes the same."""
        grown = {
            kind: joules * (1 if kind == _NETWORK else factor)
            for kind, joules in self.by_kind.items()
        }
        return CycleEnergy(grown, self.blocks * factor, self.error)


def cycle_energy(switching: Switching, target: Target) -> CycleEnergy:
    """Dynamic energy of a clock cycle during the operation that was counted.

    Args:
        switching: of the design's netlist.
        target: its device.

    Raises:
        InputError: the target's fabric has no weights.
    """
    weights = weights_of(target)
    found = {_NETWORK: weights.network}
    blocks = 0.0
    for kind, transitions in switching.transitions.items():
        joules = transitions.timed_wires * weights.transition
        if kind in _BLOCKS:
            inside = transitions.settled * weights.block
            blocks += inside / switching.cycles
            joules += inside
        name = _OF_KIND[kind]
        found[name] = found.get(name, 0) + joules / switching.cycles
    share = blocks / sum(found.values())
    error = weights.error + (weights.block_error - weights.error) * share
    return CycleEnergy(found, blocks, error)


def told_apart(one: float, other: float, error: float) -> bool:
    """Whether two estimates differ by more than their error, a factor."""
    low, high = sorted((one, other))
    return high > low * error
