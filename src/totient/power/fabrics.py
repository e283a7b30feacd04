"""Delays and energies of the fabrics whose netlists have an activity: data, each with its source.

    dynamic power = clock x (network + transition x transitions of wires
                             + block x transitions of the outputs of blocks)

with the transitions a clock cycle of `totient.power.switching`. Three weights a fabric.
`totient compare-power` compares them with the figures that set them, and with
those that did not.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from totient.common.errors import InputError
from totient.flow import Target
from totient.power.nodes import Delays

_BLOCK = (
    "board measurement of an iCE40 UP5K (github.com/tinyvision-ai-inc/ice40_power): its "
    "multiplier block and its two counters, 237 µA at 1.219 V and 12 MHz, 24.1 pJ a cycle; about 3 "
    "pJ of it in wires; 7.59 transitions a cycle of the product's bits"
)


@dataclass(frozen=True)
class Weights:
    """Energies of a fabric, in joules.

    Attributes:
        network: of the clock's network in a cycle.
        transition: of a transition of a routing wire.
        block: of a settled transition at an output of a multiplier or a block memory, inside it.
        delays: of its cells and wires.
        sources: of network, transition and block.
        error: factor by which dynamic power may be too large or too small, for designs whose
            blocks use little of it: at least 1.5, and no less than the worst comparison with a
            board (`totient compare-power --table boards`) or with a figure predicted blind
            (`--table ciphers`). Where no logic was measured, that of the family whose logic was
            predicted blind.
        block_error: the same for the energy of the blocks.
    """

    network: float
    transition: float
    block: float
    delays: Delays
    sources: tuple[str, str, str]
    error: float
    block_error: float = 3.0


_UP5K = "github.com/tinyvision-ai-inc/ice40_power, currents of the core's supply"

WEIGHTS: Mapping[str, Weights] = MappingProxyType(
    {
        "AMD Artix-7": Weights(
            network=0.0,
            transition=0.430e-12,
            block=2.8e-12,
            delays=Delays(
                table=0.124,
                mux=0.22,
                carry=0.05,
                register=0.4,
                multiplier=3.8,
                memory=0.9,
                wire=0.3,
                doubling=0.15,
                source="Artix-7 datasheet (DS181), speed grade -1; wires: our judgement",
            ),
            sources=(
                "fitted with the transitions' energy: none is left",
                "fitted to the dynamic power that Vivado states for the thesis' T1 and T2 "
                "(results/published/thesis.toml)",
                _BLOCK,
            ),
            error=2.5,
        ),
        "Lattice ECP5": Weights(
            network=53e-12,
            transition=0.107e-12,
            block=2.8e-12,
            delays=Delays(
                table=0.24,
                mux=0.15,
                carry=0.05,
                register=0.5,
                multiplier=2.0,
                memory=0.24,
                wire=0.4,
                doubling=0.2,
                source="Yosys' ecp5/cells_sim.v; wires: nextpnr",
            ),
            sources=(
                "no measurement: that of the iCE40",
                "board measurement of registers in a chain on an LFE5U-85F, 0.251 pJ a register "
                "and cycle (github.com/targeted/fpga-reg-power)",
                _BLOCK,
            ),
            error=2.5,
        ),
        "Lattice iCE40 UltraPlus": Weights(
            network=53e-12,
            transition=0.1086e-12,
            block=2.8e-12,
            delays=Delays(
                table=1.23,
                mux=0.0,
                carry=0.28,
                register=0.54,
                multiplier=7.0,
                memory=0.0,
                wire=1.2,
                doubling=0.3,
                source="nextpnr for an UP5K",
            ),
            sources=(f"{_UP5K}: 12 MHz against a halted clock", f"{_UP5K}: counters", _BLOCK),
            error=1.5,
        ),
    }
)
"""The fabrics, by the family of targets."""


def weights_of(target: Target) -> Weights:
    """Weights of a target's fabric.

    Raises:
        InputError: there are none.
    """
    if target.family not in WEIGHTS:
        raise InputError(
            f"no activity of netlists for target {target.name}, allowed are those of "
            f"{', '.join(WEIGHTS)}"
        )
    return WEIGHTS[target.family]
