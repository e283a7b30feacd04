"""A device's configuration as text, as nextpnr writes it and ecpunpack reads it off a bitstream.

Source: Project Trellis, "Textual Configuration".
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from totient.common.errors import ToolError

_MEMORY_WORDS = 2048


@dataclass
class Settings:
    """Settings of a tile, or of a group of tiles.

    Attributes:
        arcs: source by sink: names of wires, relative to the tile.
        enums: values by name; `_NONE_` leaves the bits as other settings have them.
        words: bits by name, the first is bit 0.
        unknown: bits that Project Trellis has no name for, such as `F12B3`. The router's base
            configuration has some, in tiles of the edge.
    """

    arcs: dict[str, str] = field(default_factory=dict)
    enums: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Configuration:
    """A configuration.

    Attributes:
        device: the vendor's name.
        tiles: settings by the tile's name, such as `R45C12:PLC2`.
        groups: settings that several tiles share, with the names of these.
        memories: contents of block RAMs by number (`EBR.WID`), 2048 words of 9 bits each.
    """

    device: str
    tiles: Mapping[str, Settings]
    groups: tuple[tuple[tuple[str, ...], Settings], ...]
    memories: Mapping[int, tuple[int, ...]]

    def shared(self) -> dict[str, list[Settings]]:
        """Settings of groups, by the names of their tiles."""
        found: dict[str, list[Settings]] = {}
        for names, settings in self.groups:
            for name in names:
                found.setdefault(name, []).append(settings)
        return found

    def text(self) -> str:
        """The configuration as ecppack reads it."""
        return "".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f".device {self.device}\n\n"
        for name, settings in self.tiles.items():
            yield f".tile {name}\n{_settings_text(settings)}\n"
        for number, words in self.memories.items():
            yield f".bram_init {number}\n"
            for start in range(0, len(words), 8):
                yield " ".join(f"{word:03x}" for word in words[start : start + 8]) + "\n"
            yield "\n"
        for tiles, settings in self.groups:
            yield f".tile_group {' '.join(tiles)}\n{_settings_text(settings)}\n"


def _settings_text(settings: Settings) -> str:
    lines = [f"arc: {sink} {source}" for sink, source in settings.arcs.items()]
    lines += [f"word: {name} {bits[::-1]}" for name, bits in settings.words.items()]
    lines += [f"enum: {name} {value}" for name, value in settings.enums.items()]
    lines += [f"unknown: {bit}" for bit in sorted(settings.unknown)]
    return "".join(f"{line}\n" for line in lines)


def parse(text: str) -> Configuration:
    """A configuration from its text.

    Raises:
        ToolError: it is no configuration, or two arcs of a tile have one sink.
    """
    device = ""
    tiles: dict[str, Settings] = {}
    groups: list[tuple[tuple[str, ...], Settings]] = []
    memories: dict[int, list[int]] = {}
    settings: Settings | None = None
    memory: list[int] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        kind, _, rest = line.partition(" ")
        if not line:
            continue
        if kind == ".device":
            device = rest
        elif kind == ".tile":
            settings, memory = tiles.setdefault(rest, Settings()), None
        elif kind == ".tile_group":
            settings, memory = Settings(), None
            groups.append((tuple(rest.split()), settings))
        elif kind == ".bram_init":
            memory = memories.setdefault(int(rest), [])
        elif kind in (".comment", ".sysconfig"):
            continue
        elif memory is not None and re.fullmatch("[0-9a-f]+( [0-9a-f]+)*", line):
            memory += [int(word, 16) for word in line.split()]
        elif settings is None or not _set(settings, kind, rest):
            raise ToolError(f"the configuration cannot be read: line {number}: {line}")
    if not device or any(len(words) != _MEMORY_WORDS for words in memories.values()):
        raise ToolError("the configuration cannot be read: no device, or a memory cut off")
    return Configuration(
        device, tiles, tuple(groups), {number: tuple(words) for number, words in memories.items()}
    )


def _set(settings: Settings, kind: str, rest: str) -> bool:
    """Take a line of a tile; whether it is one."""
    name, _, value = rest.partition(" ")
    if kind == "arc:":
        if settings.arcs.setdefault(name, value) != value:
            raise ToolError(f"the configuration drives {name} from two sources")
    elif kind == "word:":
        settings.words[name] = value[::-1]
    elif kind == "enum:":
        settings.enums[name] = value
    elif kind == "unknown:":
        settings.unknown.add(name)
    else:
        return False
    return True
