"""Static power of whole devices, from documents."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from totient.common.papers import published
from totient.flow import Target


class Static(NamedTuple):
    """Power of a device with a stopped clock: watts, and where the figure is from."""

    watts: float
    source: str


STATIC: Mapping[str, Static] = MappingProxyType(
    {
        "artix7-100t": Static(
            published("thesis")["power"]["static"],
            "the thesis of rows T1 to T3, static power by Vivado (results/published/thesis.toml)",
        ),
        "ecp5-85f": Static(
            212e-3 * 1.1 + 26e-3 * 2.5,
            "ECP5 datasheet (FPGA-DS-02012), typical standby current of the LFE5U-85: 212 mA of "
            "the core at 1.1 V, 26 mA of the auxiliary supply at 2.5 V",
        ),
    }
)
"""By names of targets."""


def static_watts(target: Target) -> float | None:
    """Static power of the whole device in watts; `None`: no source."""
    return STATIC[target.name].watts if target.name in STATIC else None


def device_watts(cycle_joules: float, static: float, clock_mhz: float) -> float:
    """Power of a whole device with a running design.

    Args:
        cycle_joules: dynamic energy of a cycle.
        static: power with a stopped clock, in watts.
        clock_mhz: the clock.
    """
    return static + cycle_joules * clock_mhz * 1e6
