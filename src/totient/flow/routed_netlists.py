"""Routed netlists as files for a simulator, by the family of the device."""

from collections.abc import Callable, Mapping
from pathlib import Path

from totient.flow.ecp5 import netlists as ecp5
from totient.flow.gowin import netlists as gowin
from totient.flow.ice40 import netlists as ice40
from totient.flow.target import ECP5_ROUTER, Router, Target
from totient.flow.targets import GOWIN_ROUTER, ICE40_ROUTER

_WAYS: Mapping[Router, Callable[[Path, str, Target], tuple[Path, ...]]] = {
    ECP5_ROUTER: ecp5.routed_files,
    ICE40_ROUTER: ice40.routed_files,
    GOWIN_ROUTER: gowin.routed_files,
}


def routed_files(route: Path, top: str, target: Target) -> tuple[Path, ...]:
    """The netlist extracted from a route, as files for `totient.sim.netlist`.

    Args:
        route: folder of the route (`totient.flow.routing.routed`).
        top: name of its top module.
        target: the device.

    Raises:
        ToolError: there is no extraction for this device, or the configuration is not as
            expected.
    """
    return _WAYS[target.router](route, top, target)
