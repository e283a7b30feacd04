"""Bitstreams of ECP5: packed from a configuration, and unpacked again to compare them.

The bits of a configuration are those of `bits.py`. ecppack makes them, too, and ecpunpack makes
text of them again.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from totient.common.errors import ToolError
from totient.flow.ecp5.bits import tile_bits
from totient.flow.ecp5.configuration import Configuration, Settings, parse
from totient.flow.ecp5.database import tile_type
from totient.flow.processes import Children
from totient.flow.synthesis import failure

# Tiles of logic, and of the wires between those and hard blocks. In tiles with a loop or the
# device's own functions, ecpunpack lists ties of the empty device.
_FABRIC = re.compile(r"PLC2|CIB(_(?!PLL|EFB)\w+)?|TAP_DRIVE")


def packed_again(configuration: Path, folder: Path, children: Children) -> list[str]:
    """Pack a configuration, unpack the bitstream, and compare; and pack that once more.

    Args:
        configuration: its text, of a file in `folder`.
        folder: to work in; it has `device.bit` afterwards.
        children: to run the tools with.

    Returns:
        Differences, one line each; none: the bitstream is the configuration.

    Raises:
        ToolError: a tool failed.
    """
    _run(children, "ecppack", [configuration.name, "--bit", "device.bit"], folder)
    _run(children, "ecpunpack", ["device.bit", "unpacked.config"], folder)
    _run(children, "ecppack", ["unpacked.config", "--bit", "again.bit"], folder)
    given = parse(configuration.read_text())
    found = parse((folder / "unpacked.config").read_text())
    differ = [*differences(given, found), *read_otherwise(given, found)]
    if (folder / "again.bit").read_bytes() != (folder / "device.bit").read_bytes():
        differ.append("the unpacked configuration packs to another bitstream")
    return differ


def unpacked(file: Path, configuration: str, folder: Path, children: Children) -> list[str]:
    """Compare a bitstream with the configuration that it was packed from.

    Args:
        file: the bitstream, in `folder`.
        configuration: the text.
        folder: to work in.
        children: to run ecpunpack with.

    Returns:
        Differences, one line each.

    Raises:
        ToolError: ecpunpack failed.
    """
    _run(children, "ecpunpack", [file.name, "unpacked.config"], folder)
    text = folder / "unpacked.config"
    found = parse(text.read_text())
    text.unlink()
    return list(differences(parse(configuration), found))


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
    groups = given.shared()
    for tile in sorted({*given.tiles, *found.tiles, *groups}):
        mine = tile_bits(tile, given.tiles.get(tile, Settings()), groups.get(tile, ()))
        theirs = tile_bits(tile, found.tiles.get(tile, Settings()), ())
        for bit in sorted(mine ^ theirs):
            yield f"{tile}: the bit {bit} is in one of them only"
    if given.memories != found.memories:
        yield "the contents of block RAMs differ"


def read_otherwise(given: Configuration, found: Configuration) -> Iterator[str]:
    """Settings of the fabric that a bitstream says by another name than the router has.

    Bits have several names: an extraction that looks at one of them would not see the other. So
    what it reads in tiles of logic and of the wires around them has to be what ecpunpack reads.

    Args:
        given: as the router wrote it.
        found: as ecpunpack wrote it.
    """
    for tile in sorted({*given.tiles, *found.tiles}):
        name = tile.partition(":")[2]
        if not _FABRIC.fullmatch(name):
            continue
        kind = tile_type(name)
        mine, theirs = (each.tiles.get(tile, Settings()) for each in (given, found))
        for bit in sorted(mine.unknown | theirs.unknown):
            yield f"{tile}: the bit {bit} has no name"
        for sink, source in sorted(mine.arcs.items() ^ theirs.arcs.items()):
            # An arc without a bit need not be listed. In a carry cell bits of two arcs keep carries
            # out of sums.
            carries = sink[0] == "F" and mine.enums.get(f"SLICE{'ABCD'[int(sink[1]) // 2]}.MODE")
            if kind.arcs[sink, source] and not (carries == "CCU2" and source.startswith("F")):
                yield f"{tile}: the arc {sink} {source} is in one of them only"
        for enum in sorted({*mine.enums, *theirs.enums}):
            value = mine.enums.get(enum, kind.defaults.get(enum))
            other = theirs.enums.get(enum, kind.defaults.get(enum))
            if value not in (other, "_NONE_") and kind.enums[enum].get(value or "") != kind.enums[
                enum
            ].get(other or ""):
                yield f"{tile}: {enum} is {other}, not {value}"
        for word in sorted({*mine.words, *theirs.words}):
            rest = _rest(kind.words[word])
            if mine.words.get(word, rest) != theirs.words.get(word, rest):
                yield f"{tile}: {word} differs"


def _rest(bits: Iterable[tuple[str, ...]]) -> str:
    """A word none of whose bits is set."""
    return "".join("1" if bit and all(b.startswith("!") for b in bit) else "0" for bit in bits)
