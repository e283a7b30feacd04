"""The netlists that `totient bench` runs, with the checks of their RTL."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from totient.check import Outcome

_TARGETS = ("ecp5-85f", "artix7-100t")

# Widths of the thesis' designs and of the digit-serial structures, with numbers of cases.
ROWS = ("T1", "T2", "T3", *(f"N{number}" for number in range(1, 9)))
WIDTHS = ((64, 20), (256, 5))
WIDE = (("T3", 1024, 2),)
# Engines as the catalog has them; lengths of RSA keys and numbers of operations.
ENGINES = ("engine-1", "engine-8", "engine-64")
LENGTHS = ((1024, 5), (2048, 5))
IPS = (("B1", 5), ("E2", 5), ("E3", 5), ("D6", 20))
# What is routed on a board and run through its pins: each IP, and a design at the end of the line
# (`rsa_uart`'s logic) and behind registers (`rsa_axil`).
BOARD = "ulx3s"
CORE = ("T3", 64, 10)


def netlists(widest: int, only: str | None = None) -> Iterator[tuple[str, Callable[[], "Outcome"]]]:
    """What is run on which netlist: names, and what does it.

    Args:
        widest: leave out what is wider.
        only: of this design or IP alone.
    """
    from totient.catalog import select, select_ip
    from totient.check import Netlist, Stage, check, check_ip, check_rsa
    from totient.flow import SEEDS, find_target
    from totient.flow.boards import find_board

    for target in map(find_target, _TARGETS):
        netlist = Netlist(Stage.SYNTHESISED, target)
        cases = [(row, width, count) for width, count in WIDTHS for row in ROWS]
        for row, width, count in (*cases, *WIDE):
            chosen = select(row, width=width).suited(target.family)
            if width <= widest and only in (None, chosen.name):
                run = partial(check, chosen, count, 1, netlist=netlist)
                yield f"{chosen.label}, {netlist.told}", run
        for name in ENGINES:
            engine = select(name).suited(target.family)
            for bits, count in LENGTHS:
                if bits <= widest and only in (None, engine.name):
                    label = f"{engine.label}, {netlist.told}, RSA of {bits} bits"
                    yield label, partial(check_rsa, engine, count, 1, bits=bits, netlist=netlist)
        for row, count in IPS:
            ip = select_ip(row)
            if only in (None, ip.name):
                run = partial(check_ip, ip, count, 1, netlist=netlist)
                yield f"{ip.label}, {netlist.told}", run
    board = find_board(BOARD)
    for seed in SEEDS:
        netlist = Netlist(Stage.ROUTED, find_target(board.target), seed)
        for row, count in IPS:
            ip = select_ip(row)
            if only in (None, ip.name):
                run = partial(check_ip, ip, count, 1, netlist=netlist, board=board)
                yield f"{ip.label} on {BOARD}, {netlist.told}", run
        row, width, count = CORE
        core = select(row, width=width).suited(netlist.target.family)
        for registers in (False, True):
            if only in (None, core.name):
                run = partial(
                    check, core, count, 1, netlist=netlist, board=board, registers=registers
                )
                behind = " behind registers" if registers else ""
                yield f"{core.label}{behind} on {BOARD}, {netlist.told}", run
