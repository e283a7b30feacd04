"""Checks of netlists: of whole designs, through their faces."""

from pathlib import Path

import pytest

from totient.catalog import select
from totient.check import Netlist, On, Stage, check, subject
from totient.common.errors import InputError
from totient.flow import TARGETS
from totient.flow.boards import find_board
from totient.sim import Model

SMALL = select("T2", width=8)


@pytest.mark.parametrize("target", ["ecp5-85f", "artix7-100t"])
def test_the_netlist_of_a_design_passes(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same checks as of the RTL, the same cycles, on another model."""
    rtl = check(SMALL, count=10, seed=3)
    monkeypatch.setattr(subject, "build_model", lambda *_, **__: pytest.fail("RTL was run"))
    opened = []

    def opening(library: Path, unknowns: int) -> Model:
        opened.append(unknowns)
        return Model(library, unknowns)

    monkeypatch.setattr(subject, "Model", opening)
    netlist = Netlist(Stage.SYNTHESISED, TARGETS[target], unknowns=(1, 2))
    outcome = check(SMALL, count=10, seed=3, on=On(netlist))
    assert outcome.faults == []
    assert opened == [1, 2]
    for name in ("cases", "exponentiations", "refusals", "cycles"):
        assert getattr(outcome, name) == 2 * getattr(rtl, name), name


def test_a_routed_netlist_passes() -> None:
    """The netlist of the device's configuration, with different unknowns each time."""
    rtl = check(SMALL, count=10, seed=3)
    netlist = Netlist(Stage.ROUTED, TARGETS["ecp5-85f"], seed=2, unknowns=(1, 2))
    assert netlist.words == "routed for ecp5-85f by seed 2, unknowns by seed 1, 2"
    outcome = check(SMALL, count=10, seed=3, on=On(netlist))
    assert outcome.faults == []
    assert outcome.cycles == 2 * rtl.cycles
    assert outcome.exponentiations == 2 * rtl.exponentiations


@pytest.mark.parametrize(("registers", "starts"), [(False, 2), (True, 1)])
def test_the_synthesised_netlist_of_a_board_passes(registers: bool, starts: int) -> None:
    """Through the pins, the serial line, and the AXI4-Lite registers if there are any."""
    rtl = check(SMALL, count=1, seed=3)
    netlist = Netlist(Stage.SYNTHESISED, TARGETS["artix7-100t"], unknowns=range(starts))
    outcome = check(SMALL, count=1, seed=3, on=On(netlist, find_board("arty_a7"), registers))
    assert outcome.faults == []
    assert (outcome.exponentiations, outcome.cycles) == (
        starts * rtl.exponentiations,
        starts * rtl.cycles,
    )


def test_there_is_no_routed_netlist_without_a_router() -> None:
    netlist = Netlist(Stage.ROUTED, TARGETS["artix7-100t"])
    with pytest.raises(InputError, match="no place and route for target artix7-100t"):
        check(SMALL, count=1, seed=1, on=On(netlist))
