"""Power of a design on an FPGA, estimated from its utilisation and its clock.

    power = static + clock (lut LUT + ff FF + dsp DSP + ram RAM)

with the energy of one of each per clock cycle, at the usual activity of designs. It uses neither
the design's own switching activity nor its wires: `totient.power.by_activity` does, and is to be
preferred. This estimate is for netlists that are not simulated. An error of at most `ERROR` either
way is our judgement, not measured. It is larger if long combinational paths settle in each cycle:
for the thesis' T3 the estimate is an eighth to a quarter of the figure.

Source: the energies of look-up tables and flip-flops at 28 nm fit the dynamic power that Vivado
reports for the thesis' designs T1 and T2 (results/published/thesis.toml, tables 11 and 12; `totient
compare --table calibration`). For a multiplier and a block RAM no figure is published for a
comparison. They have the order of magnitude of the figures in M. Horowitz, "Computing's energy
problem", ISSCC 2014, at 45 nm and 0.9 V: 0.2 pJ for a product of 8 bits, 3.1 pJ for one of 32
(about 1 pJ for 18 in between), 10 pJ for an access to 8 Kbyte. The multiplier is set higher, for
the registers and switches around it. Between processes, capacitance scales with the feature size,
and energy also with the square of the voltage. Not so for LUTs and flip-flops of the ECP5: their
ratio to those of the Artix-7 is that of registers measured on boards
(results/published/power.toml). The estimate ignores that a LUT has 6 inputs in one device and 4 in
the other.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from totient.common.papers import published
from totient.flow import Utilisation

ERROR = 3.0
"""Factor by which a figure may be too large or too small: our judgement."""


@dataclass(frozen=True)
class Fabric:
    """Power data of a device.

    Attributes:
        static_watts: with a stopped clock.
        lut_joules, ff_joules, dsp_joules, ram_joules: per clock cycle of a look-up table, a
            flip-flop, a multiplier block and 18 Kbit of block RAM in a design, with their wires.
        ram_blocks: blocks of 18 Kbit in one block RAM of `Utilisation`.
        source: of the static power.
    """

    static_watts: float
    lut_joules: float
    ff_joules: float
    dsp_joules: float
    ram_joules: float
    ram_blocks: int
    source: str


@dataclass(frozen=True)
class Power:
    """Power of a design on a device, in watts: an estimate.

    Attributes:
        static: of the whole device.
        dynamic: of the design at its clock.
    """

    static: float
    dynamic: float

    @property
    def total(self) -> float:
        """Both together."""
        return self.static + self.dynamic


def _fabric(
    cells: float, blocks: float, static_watts: float, ram_blocks: int, source: str
) -> Fabric:
    """A device whose LUTs and registers use `cells` times the energy of those of an Artix-7.

    Multipliers and block RAMs use `blocks` times that energy.
    """
    return Fabric(
        static_watts=static_watts,
        lut_joules=0.2e-12 * cells,
        ff_joules=0.1e-12 * cells,
        dsp_joules=3e-12 * blocks,
        ram_joules=6e-12 * blocks,
        ram_blocks=ram_blocks,
        source=source,
    )


_CHAIN = published("power")["chain"]["microwatts"]

FABRICS: Mapping[str, Fabric] = MappingProxyType(
    {
        "artix7-100t": _fabric(
            1,
            1,
            0.091,
            2,
            "the thesis of rows T1 to T3, static power by Vivado (results/published/thesis.toml)",
        ),
        "ecp5-85f": _fabric(
            _CHAIN["ecp5-85f"] / _CHAIN["artix7"],
            40 / 28 * (1.1 / 1.0) ** 2,
            212e-3 * 1.1 + 26e-3 * 2.5,
            1,
            "ECP5 datasheet (FPGA-DS-02012), typical standby current of the LFE5U-85: 212 mA of "
            "the core at 1.1 V, 26 mA of the auxiliary supply at 2.5 V",
        ),
    }
)
"""The devices, by names of targets: XC7A100T (28 nm, 1.0 V) and LFE5U-85F (40 nm, 1.1 V)."""


def estimate(target: str, utilisation: Utilisation, clock_mhz: float) -> Power:
    """Power of a design on a device.

    Args:
        target: name of the device, one of `FABRICS`.
        utilisation: of the design.
        clock_mhz: the clock, in MHz.
    """
    fabric = FABRICS[target]
    cycle = (
        fabric.lut_joules * utilisation.lut
        + fabric.ff_joules * utilisation.ff
        + fabric.dsp_joules * utilisation.dsp
        + fabric.ram_joules * utilisation.block_ram * fabric.ram_blocks
    )
    return Power(fabric.static_watts, cycle * clock_mhz * 1e6)
