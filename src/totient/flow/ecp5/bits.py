"""Bits of a configured ECP5, by Project Trellis' database."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from totient.flow.ecp5.configuration import Configuration, Settings
from totient.flow.ecp5.database import TileType, tile_type


def tile_bits(tile: str, own: Settings, groups: Iterable[Settings]) -> set[str]:
    """The bits of a tile that are 1.

    Settings share bits: those of the tile come first, then the defaults of its missing settings,
    then those of groups, of which the tile may lack some.

    Args:
        tile: its name.
        own: its own settings.
        groups: settings of groups that it is in.
    """
    kind = tile_type(tile.partition(":")[2])
    said = _said(kind, own)
    for name, value in sorted(kind.defaults.items()):
        if name not in own.enums:
            said |= _named(kind.enums[name].get(value, ()))
    for settings in groups:
        said |= _said(kind, settings)
    return {bit for bit, value in said.items() if value}


def contradictions(configuration: Configuration) -> Iterator[str]:
    """Bits of hard blocks that two blocks say differently, or that have no name, one line each.

    Blocks share bits: two multipliers have one inverter of a clock, and what is said last counts
    for both. A bit without a name may be any setting.

    Args:
        configuration: of the device.
    """
    for tile, shared in sorted(configuration.shared().items()):
        kind = tile_type(tile.partition(":")[2])
        own = configuration.tiles.get(tile, Settings())
        yield from (f"{tile}: the bit {bit} has no name" for bit in sorted(own.unknown))
        said: dict[str, bool] = {}
        # Arcs choose a loop's feedback by bits of its settings; `extraction.py` looks at these.
        for settings in (replace(own, arcs={}), *shared):
            for bit, value in (_unset(kind, settings) | _said(kind, settings)).items():
                if said.setdefault(bit, value) != value:
                    yield f"{tile}: two blocks say differently what the bit {bit} is"


def _said(kind: TileType, settings: Settings) -> dict[str, bool]:
    """Bits that settings set or clear; of two that share a bit the later one counts."""
    said: dict[str, bool] = {}
    for arc in settings.arcs.items():
        said |= _named(kind.arcs.get(arc, ()))
    for name, values in settings.words.items():
        for value, bits in zip(values, kind.words.get(name, ()), strict=False):
            said |= _named(bits, value == "1")
    for name, value in settings.enums.items():
        said |= _named(kind.enums.get(name, {}).get(value, ()))
    return said | dict.fromkeys(settings.unknown, True)


def _unset(kind: TileType, settings: Settings) -> dict[str, bool]:
    """Bits of the values that settings do not have: 0, where their own value leaves them out."""
    return {
        bit: False
        for name, value in settings.enums.items()
        if value != "_NONE_"
        for bits in kind.enums.get(name, {}).values()
        for bit in bits
        if not bit.startswith("!")
    }


def _named(bits: Iterable[str], given: bool = True) -> dict[str, bool]:
    """Values of bits by name: one with `!` in front has the opposite value."""
    return {bit.removeprefix("!"): bit.startswith("!") != given for bit in bits}
