"""The papers' conclusions: every template has its values, whether clocks are shown or not."""

from string import Formatter

import pytest

from tests.unit.conftest import Ran
from totient.measure import NetlistRun
from totient.reproduce import find_paper

RIGHT = NetlistRun(10, 2000, 2, 0)

ONLY_HIDDEN = {"hidden", "hardware_hidden"}
"""Templates of clocks that are not shown."""

ONLY_SOMETIMES = {"small"}
"""Templates of what need not be so."""


pytestmark = pytest.mark.usefixtures("not_stale")


@pytest.mark.parametrize("name", ["thesis", "nibouche", "diemert", "becannon"])
def test_all_are_drawn_where_all_clocks_are_shown(name: str, ran: Ran) -> None:
    ran(RIGHT)
    paper = find_paper(name)
    data = paper.load()
    values = paper.conclusions(data)
    for template, text in data.paper["conclusions"].items():
        taken = {
            field.split("[")[0].split(".")[0] for _, field, *_ in Formatter().parse(text) if field
        }
        if template in ONLY_HIDDEN:
            assert any(values[each] is None for each in taken), template
        elif template not in ONLY_SOMETIMES:
            assert all(values[each] is not None for each in taken), template


@pytest.mark.parametrize("name", ["nibouche", "diemert"])
def test_none_is_drawn_from_a_clock_that_is_not_shown(name: str, ran: Ran) -> None:
    ran(None)
    done = find_paper(name).reproduce()
    assert len([text for text in done.findings if "no conclusion is drawn" in text]) == 1
    assert not [text for text in done.findings if "WRONG" in text]


@pytest.mark.parametrize(("short", "right"), [((), True), (("T2",), False), (("T3",), False)])
def test_one_design_alone_makes_a_conclusion_wrong(
    short: tuple[str, ...], right: bool, ran: Ran, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That a full exponent takes longer is to hold for T2 and for T3."""
    ran(RIGHT)
    paper = find_paper("thesis")
    data = paper.load()
    found = type(data).cycles

    def cycles(self: object, name: str, kind: str, width: int) -> int:
        return 1 if name in short and kind == "private" else found(self, name, kind, width)

    monkeypatch.setattr(type(data), "cycles", cycles)
    told = paper.conclusions(data)["longer"]
    assert told == ("It does not" if right else "WRONG, it does")
