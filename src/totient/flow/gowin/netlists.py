"""Routed netlists of Gowin devices as files for a simulator."""

from collections.abc import Mapping
from pathlib import Path

from totient.flow.extraction import extracted_files
from totient.flow.gowin.extraction import GowinExtraction
from totient.flow.target import Target


def routed_files(route: Path, top: str, target: Target) -> tuple[Path, ...]:
    """The netlist of a route, as files for `totient.sim.netlist`.

    Args:
        route: folder of the route; its configuration is the bitstream.
        top: name of its top module.
        target: the device.

    Raises:
        ToolError: something of the bitstream is not known.
    """

    def extract(text: str, cells: Mapping[str, str], folder: Path) -> dict[str, object]:
        bitstream = folder / "device.fs"
        bitstream.write_text(text)
        netlist = GowinExtraction(bitstream, target.chip).cut_out(cells, top)
        bitstream.unlink()
        return netlist

    return extracted_files(route, top, target, Path(__file__).parent, extract)
