"""Synthesised netlists that `totient bench` runs besides the Records' routed ones."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from totient.catalog import Configuration, IpConfiguration
    from totient.check import Outcome

_TARGETS = ("ecp5-85f", "artix7-100t")

ROWS = ("T1", "T2", "T3", *(f"N{number}" for number in range(1, 9)))
WIDTHS = (64, 256)
WIDE = (("T3", 1024),)
ENGINES = ("engine-1", "engine-8", "engine-62")
IPS = ("B1", "E2", "E3", "D6")


def netlists(widest: int, only: str | None = None) -> Iterator[tuple[str, Callable[[], "Outcome"]]]:
    """Labels and functions of the netlist runs.

    Args:
        widest: skip wider designs.
        only: run this design or IP only.
    """
    from totient.catalog import select, select_ip
    from totient.check import Netlist, On, Stage, netlist_checks
    from totient.flow import find_target

    cases = [(row, width) for width in WIDTHS for row in ROWS]
    subjects: list[Configuration | IpConfiguration] = [
        *(select(row, width=width) for row, width in (*cases, *WIDE)),
        *map(select, ENGINES),
        *map(select_ip, IPS),
    ]
    for target in map(find_target, _TARGETS):
        netlist = Netlist(Stage.SYNTHESISED, target)
        for subject in (each.suited(target.family) for each in subjects):
            if subject.width > widest or only not in (None, subject.name):
                continue
            for each in netlist_checks(subject):
                yield f"{each.arguments}, {netlist.words}", partial(each.run, On(netlist))
