"""Addresses of simulated devices, and links in the cache by which C programs find their models."""

import os
import tempfile
from pathlib import Path

from totient.catalog.model import Face
from totient.common.cache import cache_folder, cache_root, readable_errors

SIMULATIONS = {
    "sim": Face.STREAM,
    "sim-registers": Face.REGISTERS,
    "sim-serial": Face.SERIAL,
    "sim-rtl": Face.STREAM,
}
"""Transports to simulated cores, by the face that is simulated with the core. With `sim-rtl` all of
the core is its RTL; with the others an engine's array is a program (`totient.sim.fast`)."""

_FOLDER = "addresses"
_LONGEST = 255
"""Bytes of a file's name. No program finds a model by a longer address."""


def link_model(address: str, model: Path) -> Path | None:
    """Make, or renew, the link to the model of an address.

    Args:
        address: of a simulated device, as a program writes it.
        model: its library.

    Returns:
        The link; `None` if the address is too long for a file's name.

    Raises:
        ToolError: the cache cannot be written.
    """
    if len(os.fsencode(address)) > _LONGEST or "/" in address:
        return None
    link = cache_root() / _FOLDER / address
    if link.is_symlink() and link.readlink() == model:
        return link
    with readable_errors(link):
        folder = cache_folder(_FOLDER)
        # A link in a folder of its own is moved over the old one: at each moment there is one.
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            fresh = Path(scratch) / "link"
            fresh.symlink_to(model)
            fresh.replace(folder / address)
    return link
