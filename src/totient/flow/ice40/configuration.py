"""A device's configuration as text, as nextpnr writes it and iceunpack reads it off a bitstream.

Source: Project IceStorm, "The ASC File Format".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from totient.common.errors import ToolError


@dataclass
class Configuration:
    """A configuration.

    Attributes:
        device: as the text names it, for instance `5k`.
        tiles: kind of a tile and its rows of bits, by x and y.
        memories: contents of block RAMs by x and y, 16 numbers of 256 bits.
        extra: bits that belong to no tile: bank, x, y.
    """

    device: str
    tiles: dict[tuple[int, int], tuple[str, list[str]]] = field(default_factory=dict)
    memories: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    extra: set[tuple[int, int, int]] = field(default_factory=set)

    def text(self) -> str:
        """The configuration as icepack reads it."""
        parts = [f".device {self.device}\n"]
        for (x, y), (kind, rows) in self.tiles.items():
            parts.append("\n".join((f".{kind}_tile {x} {y}", *rows, "\n")))
        for (x, y), words in self.memories.items():
            parts.append("\n".join((f".ram_data {x} {y}", *(f"{w:064x}" for w in words), "\n")))
        parts += [f".extra_bit {bank} {x} {y}\n" for bank, x, y in sorted(self.extra)]
        return "".join(parts)


def parse(text: str) -> Configuration:
    """A configuration from its text.

    Raises:
        ToolError: it is no configuration.
    """
    made = Configuration("")
    rows: list[str] = []
    words: list[int] = []
    kind = ""
    for number, line in enumerate(text.splitlines(), 1):
        try:
            if not line.startswith("."):
                if line and kind == "tile":
                    int(line, 2)
                    rows.append(line)
                elif line and kind == "memory":
                    words.append(int(line, 16))
                elif line and kind != "comment":
                    raise ValueError
                continue
            word, *rest = line.split()
            kind = "" if word != ".comment" else "comment"
            if word == ".device":
                (made.device,) = rest
            elif word.endswith("_tile"):
                kind, rows = "tile", []
                x, y = map(int, rest)
                made.tiles[x, y] = word[1 : -len("_tile")], rows
            elif word == ".ram_data":
                kind, words = "memory", []
                x, y = map(int, rest)
                made.memories[x, y] = words
            elif word == ".extra_bit":
                bank, x, y = map(int, rest)
                made.extra.add((bank, x, y))
            elif word not in (".comment", ".sym", ".warmboot"):
                raise ValueError
        except ValueError:
            raise ToolError(f"the configuration cannot be read: line {number}: {line}") from None
    if not made.device or not made.tiles:
        raise ToolError("the configuration cannot be read: no device, or no tiles")
    return made


def differences(given: Configuration, found: Configuration) -> list[str]:
    """Differences of two configurations, one line each; memories of zeros count as absent.

    Args:
        given: as the router wrote it.
        found: as iceunpack wrote it.
    """
    differ = [
        f"the {tile[0]} tile at {x}, {y} is another one"
        for (x, y), tile in given.tiles.items()
        if found.tiles.get((x, y)) != tile
    ]
    if given.device != found.device or given.tiles.keys() != found.tiles.keys():
        differ.append("device or tiles are others")
    if given.extra != found.extra:
        differ.append("the bits that belong to no tile are others")
    if _contents(given.memories) != _contents(found.memories):
        differ.append("the contents of block RAMs differ")
    return differ


def _contents(
    memories: Mapping[tuple[int, int], list[int]],
) -> dict[tuple[int, int], list[int]]:
    return {place: words for place, words in memories.items() if any(words)}
