"""Switching activity of a netlist during one operation: the input of its power."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from totient.power.activity_model import Counts, NetCounts
from totient.power.nodes import Nodes

KINDS = ("table", "carry", "register", "multiplier", "block memory", "memory", "port")
"""Kinds of the cells that drive nets."""


@dataclass(frozen=True)
class Transitions:
    """Transitions of the nets behind one kind of cell, over all counted cycles.

    Attributes:
        settled: a net whose value differs between the ends of two cycles, counted once a cycle.
        timed: all, those within a cycle included.
        settled_wires, timed_wires: the same, each net weighted by its routing wires.
    """

    settled: int
    timed: int
    settled_wires: float
    timed_wires: float


@dataclass(frozen=True)
class Switching:
    """Switching activity.

    Attributes:
        cycles: clock cycles that were counted.
        registers: register bits with a clock.
        transitions: by kind of the driving cell, of `KINDS`.
        routed: whether wires and their delays are from a router; else from the nets' readers.
    """

    cycles: int
    registers: int
    transitions: Mapping[str, Transitions]
    routed: bool

    def to_json(self) -> dict[str, Any]:
        """The activity as JSON."""
        return {**vars(self), "transitions": {k: vars(v) for k, v in self.transitions.items()}}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Switching":
        """Parse the JSON of `to_json`.

        Raises:
            KeyError, TypeError: a figure is missing or malformed.
        """
        found = {kind: Transitions(**each) for kind, each in data["transitions"].items()}
        return cls(**{**data, "transitions": found})

    @property
    def total(self) -> Transitions:
        """Of all kinds together."""
        each = self.transitions.values()
        return Transitions(
            sum(kind.settled for kind in each),
            sum(kind.timed for kind in each),
            sum(kind.settled_wires for kind in each),
            sum(kind.timed_wires for kind in each),
        )


def switching(nodes: Nodes, counts: NetCounts) -> Switching:
    """The activity of a netlist.

    Args:
        nodes: of the netlist.
        counts: of its nets, over at least one cycle.
    """
    settled, timed = counts.settled, counts.timed
    members: dict[str, list[int]] = {kind: [] for kind in KINDS}
    for net in timed.nonzero()[0].tolist():
        members[nodes.kinds.get(net, "port")].append(net)
    return Switching(
        cycles=counts.cycles,
        registers=sum(kind == "register" for kind in nodes.kinds.values()),
        transitions={
            kind: _transitions(nets, nodes.wires.count, settled, timed)
            for kind, nets in members.items()
            if nets
        },
        routed=nodes.wires.routed,
    )


def _transitions(
    nets: Sequence[int], wires: Mapping[int, float], settled: Counts, timed: Counts
) -> Transitions:
    return Transitions(
        int(settled[nets].sum()),
        int(timed[nets].sum()),
        round(sum(int(settled[net]) * wires.get(net, 0) for net in nets), 1),
        round(sum(int(timed[net]) * wires.get(net, 0) for net in nets), 1),
    )
