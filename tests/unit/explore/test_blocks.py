"""Multipliers and block RAMs by formula: those of every synthesis that was kept."""

import itertools
import math

import numpy as np
import pytest

from totient.catalog import designs
from totient.common.errors import InputError
from totient.explore.blocks import block_rams, multipliers
from totient.explore.fitting import BASES, suited
from totient.explore.points import training_points
from totient.explore.space import Space
from totient.flow import find_target

DESIGNS = {design.name: design for design in designs()}


@pytest.mark.parametrize("name", sorted(DESIGNS))
def test_as_every_synthesis_has_them(name: str) -> None:
    points = [
        each
        for each in training_points()
        if each.design == name and find_target(each.target).family in BASES and suited(each)
    ]
    assert len({tuple(each.parameters.items()) for each in points}) >= 20
    for point in points:
        at = {key: np.array([value]) for key, value in point.parameters.items()}
        space, family = Space(DESIGNS[name], at), find_target(point.target).family
        found = multipliers(space)[0], block_rams(space, family)[0]
        use = point.utilisation
        assert found == (use.dsp, use.block_ram), point.subject.label


@pytest.mark.parametrize("form", [1, 2])
def test_an_engine_is_allowed_where_its_memories_fit(form: int) -> None:
    """A digit memory of blocks has 14 address bits at most; counted as in rsa_engine.sv."""
    engine = DESIGNS["engine"]
    for width, digit_bits in ((1024, 17), (2048, 17), (3072, 17), (4096, 17), (4096, 18)):
        if form == 2 and digit_bits == 18:
            continue
        for elements, slots in itertools.product(range(1, 65), (1, 2, 3)):
            words = -(-(width // 2 + 10) // digit_bits) + 5
            before = -(-6 // elements) * elements - 5 if elements < 6 else 0
            steps = -(-(-(-(width + 2) // digit_bits) + 5) // elements) * elements
            place_bits = math.ceil(math.log2(max(words + before, elements, steps / 2)))
            fits = place_bits + 5 + math.ceil(math.log2(slots + 1)) <= 14
            values = {
                "width": width,
                "elements": elements,
                "digit_bits": digit_bits,
                "key_slots": slots,
                "form": form,
            }
            if fits:
                engine.configure(values)
                continue
            with pytest.raises(InputError, match=rf"key_slots is {slots}, allowed is 1 with"):
                engine.configure(values)
