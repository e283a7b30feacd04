"""Formulas on arrays: the scalar formula's values, set by set."""

import random
from collections.abc import Mapping

import numpy as np
import pytest

from totient.catalog import Configuration, Design, Operation, designs
from totient.common.errors import InputError
from totient.common.formula import Formula
from totient.common.formula_arrays import values

POINTS = 3000


@pytest.mark.parametrize(
    "expression",
    [
        "(2 * s + 2) * (k + 1)",
        "-s * k - 7",
        "ceil((k + 1) * s / (s + 1)) + floor(-k / 3)",
        "bits(k) + ones(k) + bits(0)",
        "max(s, k, 5) - min(s, k)",
        "floor(k / s) if s > 0 else k",
        "1 if k == 8 else 2 if s != 3 else 3",
        "max(r - s for r in range(k + 1)) + min(r * s for r in range(k + 1))",
        "sum(r * k if r > s else 1 for r in range(s))",
        "k * k * k * k * k * k * k * k * k * k * k * k",
    ],
)
def test_each_value_is_that_of_the_formula(expression: str) -> None:
    draw = random.Random(1)
    k, s = ([draw.randrange(40) for _ in range(200)] for _ in "ks")
    formula = Formula(f"t + {expression}", {"t": "k + s"})
    found = values(formula, {"k": np.array(k), "s": np.array(s)})
    assert found.tolist() == [
        formula.value({"k": one, "s": other}) for one, other in zip(k, s, strict=True)
    ]


def test_numbers_and_arrays_of_every_size() -> None:
    formula = Formula("bits(e) + ones(e) + (e - 1) * k")
    for e in (0, 1, 2**32 - 1, 2**53 + 1, 2**63 - 1, 2**63, 2**4096 - 3):
        found = values(formula, {"e": e, "k": np.array([[0, 1], [3, 2**40]])})
        assert found.tolist() == [
            [formula.value({"e": e, "k": k}) for k in row] for row in ([0, 1], [3, 2**40])
        ]
    assert values(formula, {"e": 5, "k": 3}).item() == formula.value({"e": 5, "k": 3})


def test_what_has_no_value() -> None:
    with pytest.raises(NameError, match="k"):
        values(Formula("k + 1"), {})
    with pytest.raises(ZeroDivisionError, match="k"):
        values(Formula("floor(8 / k)"), {"k": np.array([1, 0])})
    with pytest.raises(ValueError, match="scanned"):
        values(Formula("sum(a for a in scanned)"), {})
    with pytest.raises(ValueError, match="max of nothing"):
        values(Formula("max(r for r in range(k))"), {"k": np.array([1, 0])})


def _drawn(design: Design, draw: random.Random) -> Configuration:
    """A configuration with any allowed parameters, but for `early_end`."""
    while True:
        given = {
            p.name: draw.choice(p.choices or range(p.low, p.high + 1)) for p in design.parameters
        }
        if "early_end" in given:
            given["early_end"] = 0
        if "lanes" in given:
            given |= {"slots": draw.randint(1, 3 * given["digit_bits"])}
            given |= {"lanes": draw.randint(1, given["slots"])}
        try:
            return design.configure(given)
        except InputError:
            continue


@pytest.mark.parametrize("name", ["repeated", "binary", "montgomery", "digit_serial"])
def test_cycles_of_a_design(name: str) -> None:
    draw = random.Random(2)
    (design,) = (each for each in designs() if each.name == name)
    drawn = [_drawn(design, draw) for _ in range(POINTS)]
    keys: list[Mapping[str, int]] = []
    scalar = []
    for one in drawn:
        bits = draw.randint(3, one.width)
        modulus = draw.getrandbits(bits) | 1 << bits - 1 | 1
        exponent = draw.getrandbits(draw.randint(1, 60))
        bases = draw.randint(1, one.lanes)
        stated = max(exponent.bit_length(), 1) + draw.randrange(9)
        operation = Operation(modulus, exponent, stated, 2, bases)
        keys.append({"L": bits, "k": stated, "e": exponent, "bases": bases})
        scalar.append((one.setup_cycles(modulus, stated), one.operation_cycles(operation)))
    given = {
        **{p.name: np.array([one.parameters[p.name] for one in drawn]) for p in design.parameters},
        **{symbol: np.array([key[symbol] for key in keys]) for symbol in keys[0]},
    }
    for formula, expected in zip(
        (design.setup, design.operation), zip(*scalar, strict=True), strict=True
    ):
        assert isinstance(formula, Formula)
        assert values(formula, given).tolist() == [*expected]
