"""SAIF: the activity of every net, for a vendor's power estimator.

Format: SAIF 2.0, backward (IEEE 1801-2018, annex I).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from totient.power.activity_model import NetCounts
from totient.power.nodes import Nodes

_Tree = dict[str, Any]  # instances by name, and under "" nets with ps high and transitions


def saif(nodes: Nodes, top: str, counts: NetCounts, clock_mhz: float) -> str:
    """The activity of the netlist's named nets, as SAIF.

    Names are those of the RTL, as far as synthesis keeps them: `u_modexp.u_multiply.a_q[3]` is the
    net `a_q[3]` of the instance `u_multiply`. `TC` counts all transitions, hazards included.

    Args:
        nodes: of the netlist.
        top: name of its module.
        counts: of its nets.
        clock_mhz: the clock, for the duration in nanoseconds.
    """
    cycle_ps = round(1e6 / clock_mhz)
    tree: _Tree = {}
    for name, wire in nodes.module["netnames"].items():
        if wire.get("hide_name"):
            continue
        *instances, own = name.split(".")
        at = tree
        for instance in instances:
            at = at.setdefault(instance, {})
        for net, bit in _bits(own, wire):
            if bit == nodes.clock_net:
                at.setdefault("", []).append(
                    (net, counts.cycles * cycle_ps // 2, 2 * counts.cycles)
                )
            elif bit < len(counts.timed):  # a net that no cell and no port has, has no count
                figures = (net, int(counts.high[bit]) * cycle_ps, int(counts.timed[bit]))
                at.setdefault("", []).append(figures)
    lines = [
        "(SAIFILE",
        '(SAIFVERSION "2.0")',
        '(DIRECTION "backward")',
        '(PROGRAM_NAME "totient")',
        "(DIVIDER / )",
        "(TIMESCALE 1 ps)",
        f"(DURATION {counts.cycles * cycle_ps})",
        *_instance(top, tree, counts, cycle_ps),
        ")",
    ]
    return "\n".join(lines) + "\n"


def _bits(name: str, wire: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """Each bit of a wire that is a net, with the name of the bit."""
    bits: Sequence[int | str] = wire["bits"]
    for place, bit in enumerate(bits):
        if isinstance(bit, int):
            position = place + wire.get("offset", 0)
            yield (rf"{name}\[{position}\]" if len(bits) > 1 else name), bit


def _instance(name: str, tree: _Tree, counts: NetCounts, cycle_ps: int) -> Iterator[str]:
    yield f"(INSTANCE {name}"
    if "" in tree:
        yield "(NET"
        for net, high, changes in tree[""]:
            time = f"(T0 {cycle_ps * counts.cycles - high}) (T1 {high}) (TX 0)"
            yield f"({net} {time} (TC {changes}) (IG 0))"
        yield ")"
    for child, below in tree.items():
        if child:
            yield from _instance(child, below, counts, cycle_ps)
    yield ")"
