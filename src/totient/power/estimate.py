"""Power of a design on an FPGA, estimated from what it takes of the device and from its clock.

    power = static + clock (lut LUT + ff FF + dsp DSP + ram RAM)

with the energy that one of each takes in a clock cycle, at the activity that designs usually have.
Neither the design's own switching activity nor its wires are known here. That a figure is off by
`ERROR` either way at most is our judgement, not measured; where long combinational paths settle in
each cycle it is more: of the thesis' T3 the estimate gives an eighth to a quarter.

Source: look-up tables and flip-flops of 28 nm are set so that the thesis' designs T1 and T2 come to
the dynamic power that Vivado gives for them (papers/thesis.toml, tables 11 and 12; `totient compare
--table calibration`). For a multiplier and a block RAM nothing is published that could be held
against them: they are chosen in the order of what M. Horowitz, "Computing's energy problem", ISSCC
2014, has at 45 nm and 0.9 V, which is 0.2 pJ for a product of 8 bits, 3.1 pJ for one of 32 (about
1 pJ for 18 in between), 10 pJ for an access to 8 Kbyte; the multiplier higher, for the registers
and switches around it. From one process to another capacitance goes with the feature size, energy
with the square of the voltage besides; that a LUT has 6 inputs in one device and 4 in the other is
not looked at.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from totient.flow import Utilisation

ERROR = 3.0
"""A figure may be so many times too large or too small: our judgement."""


@dataclass(frozen=True)
class Fabric:
    """What a device takes of power.

    Attributes:
        static_watts: with its clock at rest.
        lut_joules, ff_joules, dsp_joules, ram_joules: a clock cycle of a look-up table, a
            flip-flop, a multiplier block and 18 Kbit of block RAM in a design, with their wires.
        ram_blocks: of 18 Kbit in what `Utilisation` counts as one block of RAM.
        source: where the static power is from.
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


def _fabric(scale: float, static_watts: float, ram_blocks: int, source: str) -> Fabric:
    """A device whose cells take `scale` times the energy of those of 28 nm at 1.0 V."""
    return Fabric(
        static_watts=static_watts,
        lut_joules=0.2e-12 * scale,
        ff_joules=0.1e-12 * scale,
        dsp_joules=3e-12 * scale,
        ram_joules=6e-12 * scale,
        ram_blocks=ram_blocks,
        source=source,
    )


FABRICS: Mapping[str, Fabric] = MappingProxyType(
    {
        "artix7-100t": _fabric(
            1, 0.091, 2, "the thesis of rows T1 to T3, static power by Vivado (papers/thesis.toml)"
        ),
        "ecp5-85f": _fabric(
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
        utilisation: what the design takes of it.
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
