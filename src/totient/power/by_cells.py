"""Power of an Artix-7 netlist that nobody simulates, estimated from its cells and its clock.

    dynamic power = clock (lut LUT + ff FF + dsp DSP + ram RAM)

with the energy of one of each per clock cycle, at the usual activity of designs. The soft CPU's
power is estimated by it. For a design of the catalog `totient.power.by_activity` is to be
preferred: this estimate knows neither switching activity nor wires. An error of at most `ERROR`
either way is our judgement, not measured. It is larger if long combinational paths settle in each
cycle: for the thesis' T3 the estimate is an eighth to a quarter of the figure.

Source: the energies of look-up tables and flip-flops fit the dynamic power that Vivado reports for
the thesis' designs T1 and T2 (results/published/thesis.toml, tables 11 and 12; `totient compare
--table calibration`). For a multiplier and a block RAM no figure is published for a comparison.
They have the order of magnitude of the figures in M. Horowitz, "Computing's energy problem", ISSCC
2014, at 45 nm and 0.9 V: 0.2 pJ for a product of 8 bits, 3.1 pJ for one of 32 (about 1 pJ for 18 in
between), 10 pJ for an access to 8 Kbyte. The multiplier is set higher, for the registers and
switches around it.
"""

from collections.abc import Mapping
from types import MappingProxyType

from totient.flow import Utilisation

ERROR = 3.0
"""Factor by which a figure may be too large or too small: our judgement."""

CELLS: Mapping[str, float] = MappingProxyType(
    {"lut": 0.2e-12, "ff": 0.1e-12, "dsp": 3e-12, "block_ram": 12e-12}
)
"""Energy of a clock cycle in joules, with the wires: of a look-up table, a flip-flop, a multiplier
block and a block RAM of 36 Kbit."""


def dynamic_watts(utilisation: Utilisation, clock_mhz: float) -> float:
    """Dynamic power in watts.

    Args:
        utilisation: on an Artix-7.
        clock_mhz: the clock, in MHz.
    """
    cycle: float = sum(joules * getattr(utilisation, cell) for cell, joules in CELLS.items())
    return cycle * clock_mhz * 1e6
