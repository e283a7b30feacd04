"""Bitstreams of ECP5: packed from a configuration, and unpacked again to compare them.

What the text of a configuration says is turned into bits here by Project Trellis' database, on the
one hand; by ecppack, and by ecpunpack back into text, on the other.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from totient.common.errors import ToolError
from totient.flow.ecp5.configuration import Configuration, Settings, parse
from totient.flow.ecp5.database import tile_type
from totient.flow.processes import Children
from totient.flow.synthesis import failure


def packed_again(configuration: Path, folder: Path, children: Children) -> list[str]:
    """Pack a configuration, unpack the bitstream, and compare; and pack that once more.

    Args:
        configuration: its text, of a file in `folder`.
        folder: to work in; it has `device.bit` afterwards.
        children: to run the tools with.

    Returns:
        What differs, one line each; none: the bitstream is the configuration.

    Raises:
        ToolError: a tool failed.
    """
    _run(children, "ecppack", [configuration.name, "--bit", "device.bit"], folder)
    _run(children, "ecpunpack", ["device.bit", "unpacked.config"], folder)
    _run(children, "ecppack", ["unpacked.config", "--bit", "again.bit"], folder)
    found = parse((folder / "unpacked.config").read_text())
    differ = list(differences(parse(configuration.read_text()), found))
    if (folder / "again.bit").read_bytes() != (folder / "device.bit").read_bytes():
        differ.append("the unpacked configuration packs to another bitstream")
    return differ


def _run(children: Children, tool: str, arguments: list[str], folder: Path) -> None:
    if status := children.run(tool, arguments, folder, {}):
        raise ToolError(f"{tool} failed: {failure(folder, f'{tool}-{folder.name}', status)}")


def differences(given: Configuration, found: Configuration) -> Iterator[str]:
    """Tiles whose bits are not the same in two configurations, and what else differs.

    Bits are compared, not names: settings share bits, and ecpunpack takes one name of several.

    Args:
        given: as the router wrote it.
        found: as ecpunpack wrote it: all settings are those of single tiles.
    """
    if given.device != found.device:
        yield f"the device is {found.device}, not {given.device}"
    groups: dict[str, list[Settings]] = {}
    for names, settings in given.groups:
        for name in names:
            groups.setdefault(name, []).append(settings)
    for tile in sorted({*given.tiles, *found.tiles, *groups}):
        mine = _bits(tile, given.tiles.get(tile, Settings()), groups.get(tile, ()))
        theirs = _bits(tile, found.tiles.get(tile, Settings()), ())
        for bit in sorted(mine ^ theirs):
            yield f"{tile}: the bit {bit} is in one of them only"
    if given.memories != found.memories:
        yield "the contents of block RAMs differ"


def _bits(tile: str, own: Settings, groups: Iterable[Settings]) -> set[str]:
    """The bits of a tile that are 1.

    Settings share bits: those of the tile come first, then the defaults of what it does not set,
    then those of groups, of which the tile may lack some.

    Args:
        tile: its name.
        own: its own settings.
        groups: settings of groups that it is in.
    """
    kind = tile_type(tile.partition(":")[2])
    bits: set[str] = set()

    def apply(named: Iterable[str]) -> None:
        for bit in named:
            if bit.startswith("!"):
                bits.discard(bit[1:])
            else:
                bits.add(bit)

    def apply_all(settings: Settings) -> None:
        for arc in settings.arcs.items():
            apply(kind.arcs.get(arc, ()))
        for name, values in settings.words.items():
            for value, named in zip(values, kind.words.get(name, ()), strict=False):
                apply(named if value == "1" else map(_opposite, named))
        for name, value in settings.enums.items():
            apply(kind.enums.get(name, {}).get(value, ()))
        bits.update(settings.unknown)

    apply_all(own)
    for name, value in sorted(kind.defaults.items()):
        if name not in own.enums:
            apply(kind.enums[name].get(value, ()))
    for settings in groups:
        apply_all(settings)
    return bits


def _opposite(bit: str) -> str:
    return bit.removeprefix("!") if bit.startswith("!") else f"!{bit}"
