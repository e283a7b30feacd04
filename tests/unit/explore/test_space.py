"""The space of a design: all that the catalog allows, and nothing else."""

import itertools
import random

import pytest

from totient.catalog import designs
from totient.common.errors import InputError
from totient.explore.space import space_of

DESIGNS = {design.name: design for design in designs()}


@pytest.mark.parametrize(
    ("name", "fixed"),
    [
        ("repeated", {"width": [32]}),
        ("binary", {"width": [32, 33]}),
        ("montgomery", {"width": [64]}),
        (
            "digit_serial",
            {
                "width": [16],
                "digit_bits": [1, 2],
                "links": [0, 1, 2],
                "slots": [1, 2, 6],
                "lanes": [1, 2, 3, 6, 7],
            },
        ),
        ("engine", {"elements": [1, 64, 65]}),
    ],
)
def test_a_small_space_whole(name: str, fixed: dict[str, list[int]]) -> None:
    design = DESIGNS[name]
    allowed = []
    each = [fixed.get(p.name) or p.choices or range(p.low, p.high + 1) for p in design.parameters]
    for chosen in itertools.product(*each):
        given = dict(zip((p.name for p in design.parameters), chosen, strict=True))
        try:
            allowed.append(design.configure(given).parameters)
        except InputError:
            continue
    space = space_of(design, fixed)
    assert 0 < len(allowed) == len(space)
    assert [space.at(place).parameters for place in range(len(space))] == allowed


def test_a_large_space() -> None:
    space = space_of(DESIGNS["digit_serial"], {"width": [2048]})
    assert len(space) == 159_093  # counted by hand: 159,092 with separated digits, and row N1
    draw = random.Random(1)
    for _ in range(200):
        space.at(draw.randrange(len(space)))  # refuses what is not allowed
    some = space.where(space.parameters["slots"] == 3)
    assert 0 < len(some) < len(space)
    assert {*some.parameters["slots"].tolist()} == {3}


def test_a_value_out_of_range() -> None:
    with pytest.raises(InputError, match="width is 5000"):
        space_of(DESIGNS["binary"], {"width": [5000]})
