"""Multipliers and block RAMs of a configuration: exact, from the RTL's own parameters.

They are those of synthesis. A test compares them with every Record and every measured point.
"""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from totient.catalog.engine import BLOCK_WORDS
from totient.common.formula import Formula
from totient.common.formula_arrays import values
from totient.explore.interval import Floats
from totient.explore.shapes import SYSTOLIC_ELEMENTS
from totient.explore.space import Space


def _memory(bits: str, address_bits: str) -> str:
    """Blocks of 18 Kbit of a memory (`ram_registered.sv`). In a deep one their words are narrow."""
    words = "18 if {0} <= 10 else 9 if {0} == 11 else 4 if {0} == 12 else 2 if {0} == 13 else 1"
    return f"ceil({bits} / ({words.format(address_bits)}))"


_ENGINE = {
    # Names and formulas of rsa_engine.sv.
    "place_bits": f"bits({BLOCK_WORDS} - 1)",
    "banks": "2 if elements <= 8 else 4 if elements <= 16 else 8",
    # Address bits of a copy of the digit memory, of a bank of powers, of the exponents.
    "digits": "place_bits + 5 + bits(key_slots)",
    "powers": "place_bits + 1 + 5 - bits(banks - 1)",
    "exponents": "place_bits + 1",
}
_ENGINE_BLOCKS = Formula(
    f"4 * {_memory('digit_bits', 'digits')} + banks * {_memory('digit_bits', 'powers')}"
    f" + {_memory('digit_bits', 'exponents')} + {_memory('digit_bits', '(exponents + 1)')}"
    # The scalars, and the program with its 7 blocks.
    " + 1 + 7",
    _ENGINE,
)
_MULTIPLIERS: Mapping[str, Formula] = MappingProxyType(
    {
        # Blocks of 18 x 18 or 25 x 18 bits: a product of 32 bits takes four.
        "montgomery": Formula(
            f"0 if multiplier == 1 else 2 * ({SYSTOLIC_ELEMENTS}) * (4 if word_bits == 32 else 1)"
        ),
        "engine": Formula("2 * elements"),
    }
)


_OF_18_KBIT: Mapping[str, float] = MappingProxyType({"Lattice ECP5": 1, "AMD Artix-7": 0.5})
"""Block RAMs for 18 Kbit, by device family."""


def multipliers(space: Space) -> Floats:
    """Multiplier blocks of each configuration, where the tools may use them."""
    return _counted(space, _MULTIPLIERS.get(space.design.name))


def block_rams(space: Space, family: str) -> Floats:
    """Block RAMs of each configuration, as the targets of a device family count them.

    Args:
        space: configurations; an engine's with the form of the family.
        family: of the device.
    """
    return _OF_18_KBIT[family] * _counted(space, _ENGINE_BLOCKS if space.design.is_whole else None)


def _counted(space: Space, formula: Formula | None) -> Floats:
    if formula is None:
        return np.zeros(len(space))
    return np.asarray(values(formula, space.parameters), np.float64)
