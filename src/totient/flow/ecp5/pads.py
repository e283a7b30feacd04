"""Whether a board's pins are where its constraints put them, by Project Trellis' list of pads."""

import re
from collections.abc import Iterator, Mapping

from totient.flow.ecp5.configuration import Configuration
from totient.flow.ecp5.fabric import Fabric

_PIN = re.compile(r"(\w+(?:\[\d+\])?)\$tr_io")
_PAD = re.compile(r"X(\d+)/Y(\d+)/PIO([A-D])")


def pad_faults(
    configuration: Configuration,
    cells: Mapping[str, str],
    package: str,
    pins: Mapping[str, str],
    standards: Mapping[str, str],
) -> Iterator[str]:
    """Ports on another pad than theirs, or with another electrical standard, one line each.

    Args:
        configuration: of the device.
        cells: the BEL of each cell of the routed netlist by name.
        package: the vendor's name, such as `CABGA381`.
        pins: site by port.
        standards: electrical standard of each port.
    """
    fabric = Fabric(configuration)
    pads = fabric.database.pads(package)
    placed = {found[1]: bel for name, bel in cells.items() if (found := _PIN.fullmatch(name))}
    for port in [port for port in placed if f"{port}[0]" in pins]:
        # To nextpnr a vector of one bit is a bit.
        placed[f"{port}[0]"] = placed.pop(port)
    for port in sorted({*placed, *pins}):
        pad = _PAD.fullmatch(placed.get(port, ""))
        at = (int(pad[2]), int(pad[1]), pad[3]) if pad else None
        site = pads.get(at) if at else None
        if at is None or site != pins.get(port):
            yield f"{port} is on the pad {site}, not {pins.get(port)}"
            continue
        kind = fabric.pad(*at)
        if kind.partition("_")[2] != standards[port]:
            yield f"{port} is of type {kind}, not {standards[port]}"
