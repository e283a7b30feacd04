"""Routed netlists of iCE40 as files for a simulator."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from totient.common.errors import ToolError
from totient.flow.extraction import extracted_files
from totient.flow.ice40.configuration import differences, parse
from totient.flow.ice40.extraction import Ice40Extraction
from totient.flow.processes import Children
from totient.flow.synthesis import failure
from totient.flow.target import Target


def routed_files(route: Path, top: str, target: Target) -> tuple[Path, ...]:
    """The netlist of a route, as files for `totient.sim.netlist`.

    The configuration is packed into a bitstream, unpacked again and compared before.

    Args:
        route: folder of the route.
        top: name of its top module.
        target: the device.

    Raises:
        ToolError: the bitstream is not the configuration, or something of it is not known.
    """

    def extract(text: str, cells: Mapping[str, str], folder: Path) -> dict[str, object]:
        with tempfile.TemporaryDirectory(dir=folder) as scratch, Children() as children:
            packed_again(text, Path(scratch), children)
        return Ice40Extraction(parse(text)).cut_out(cells, top)

    return extracted_files(route, top, target, Path(__file__).parent, extract)


def packed_again(text: str, folder: Path, children: Children) -> None:
    """Pack a configuration, unpack the bitstream, and compare; and pack that once more.

    Args:
        text: of the configuration.
        folder: to work in; it has `device.bin` afterwards.
        children: to run the tools with.

    Raises:
        ToolError: a tool failed, or something differs.
    """

    def run(tool: str, *arguments: str) -> None:
        if status := children.run(tool, arguments, folder, {}):
            raise ToolError(f"{tool} failed: {failure(folder, f'{tool}-{folder.name}', status)}")

    (folder / "device.asc").write_text(text)
    run("icepack", "device.asc", "device.bin")
    run("iceunpack", "device.bin", "unpacked.asc")
    run("icepack", "unpacked.asc", "again.bin")
    differ = differences(parse(text), parse((folder / "unpacked.asc").read_text()))
    if (folder / "again.bin").read_bytes() != (folder / "device.bin").read_bytes():
        differ.append("the unpacked configuration packs to another bitstream")
    if differ:
        raise ToolError(f"the bitstream is not the configuration: {differ[0]}")
