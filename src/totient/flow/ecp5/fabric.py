"""The wires of a configured ECP5: from a cell's input back to its driver."""

import re

from totient.common.errors import ToolError
from totient.flow.ecp5.bits import contradictions
from totient.flow.ecp5.configuration import Configuration, Settings
from totient.flow.ecp5.database import Database, Wire, place, tile_type

# Outputs of cells, where a way ends. Clock buffers pass their clock on.
_OUTPUT = re.compile(
    r"[FQ][0-7]_SLICE|F5[A-D]_SLICE|FX[A-D]_SLICE|FCO[A-C]?_SLICE|W(A?)DO\dC_SLICE"
    r"|JP\d+_MULT18|JDO[AB]\d+_EBR|JPADDI[A-D]_PIO|J(CLKO[PS]\d?|LOCK)_PLL|G_JOSC_OSC"
)
_TIE = re.compile(r"J([A-D]|CE|CLK|LSR)\d")
_BUFFER = re.compile(r"G_CLKO_(.*DCC.*)")
_MOST_STEPS = 10_000

# Settings of what a simulation does not show, with their only value and what another one means.
_ONLY = (
    (re.compile(r"DCC_\w+\.MODE"), "NONE", "a clock may be stopped"),
    (re.compile(r"GSR\.GSRMODE"), "NONE", "a signal may reset all registers"),
    (re.compile(r"PIO[A-D]\.DATAMUX_\w+"), "PADDO", "a pad is not driven by the fabric"),
    (re.compile(r"PIO[A-D]\.TRIMUX_TSREG"), "PADDT", "a pad is not driven by the fabric"),
    (re.compile(r"PIO[A-D]\.OPENDRAIN"), "OFF", "a pad is not driven high"),
)

# Tiles of a hard block: half a row of multipliers, a block RAM, a loop.
_GROUP_TILE = re.compile(r"^.*:")
_FIRST_HALF, _SECOND_HALF = (
    " ".join(f"MIB_DSP{i} MIB2_DSP{i}" for i in range(k, k + 5)) for k in (0, 4)
)
# Where a clock's spine or multiplexer is, a block's first or last tile has another name.
_HALVES = (_FIRST_HALF, _SECOND_HALF.replace("MIB_DSP8", r"(MIB_DSP8|DSP_SPINE_U[LR]\d)"))
_MEMORIES = (
    r"(MIB_EBR0|EBR_CMUX_[UL]R(_25K)?) MIB_EBR1",
    "MIB_EBR2 MIB_EBR3 MIB_EBR4",
    "MIB_EBR4 MIB_EBR5 MIB_EBR6",
    r"MIB_EBR6 MIB_EBR7 (MIB_EBR8|EBR_SPINE_[UL][LR]\d|EBR_CMUX_[UL]L(_25K)?)",
)
_GROUPS = [re.compile(each) for each in (*_HALVES, *_MEMORIES, r"PLL0_(\w\w) (PLL1_\1|BANKREF8)")]

# Blocks have the number of the tile where their pins are; block RAMs begin at every second tile.
_BLOCK_TILE = re.compile(r":(?:MIB_(?:DSP|EBR)(\d)|EBR_CMUX_[UL]R)")
_MEMORY_OF_TILE = {"0": "0", "2": "1", "4": "2", "6": "3"}


class Fabric:
    """Wires of a configured device.

    Args:
        configuration: what is configured.
    """

    def __init__(self, configuration: Configuration) -> None:
        self.database = Database(configuration.device)
        self._last_column = max(column for _, column in self.database.tiles)
        self._arcs: dict[Wire, Wire] = {}
        self._tiles: dict[tuple[int, int], list[Settings]] = {}
        for name, settings in configuration.tiles.items():
            _check_settings(name, settings)
            at = place(name)
            self._tiles.setdefault(at, []).append(settings)
            for sink, source in settings.arcs.items():
                ends = self.database.wire(*at, sink), self.database.wire(*at, source)
                if ends[0] is None or ends[1] is None:
                    raise ToolError(f"{configuration.device} has no arc {sink} {source} in {name}")
                if self._arcs.setdefault(ends[0], ends[1]) != ends[1]:
                    raise ToolError(f"{_told(ends[0])} is driven from two sources")
        self._groups: dict[tuple[int, int], list[Settings]] = {}
        for names, settings in configuration.groups:
            check_group(names, settings)
            _check_settings(names[0], settings)
            for at in {place(name) for name in names}:
                self._groups.setdefault(at, []).append(settings)
        for contradiction in contradictions(configuration):
            raise ToolError(contradiction)
        self._memories = configuration.memories
        self._found: dict[Wire, Wire | bool | None] = {}

    def enum(self, row: int, column: int, name: str) -> str:
        """The value of a setting of the tiles at a place.

        Raises:
            ToolError: the tiles there have no such setting.
        """
        found = self._given(row, column, name)
        if found is not None:
            return found
        for tile in self.database.tiles.get((row, column), ()):
            made = tile_type(tile.partition(":")[2])
            if name in made.defaults:
                return made.defaults[name]
        raise ToolError(f"row {row}, column {column} has no setting {name}")

    def word(self, row: int, column: int, name: str) -> int | None:
        """The bits of a setting of the tiles at a place; `None`: it is not set."""
        for settings in self._tiles.get((row, column), ()):
            if name in settings.words:
                return int(settings.words[name][::-1], 2)
        return None

    def _given(self, row: int, column: int, name: str) -> str | None:
        for settings in self._tiles.get((row, column), ()):
            if name in settings.enums:
                return settings.enums[name]
        return None

    def driver(self, wire: Wire) -> Wire | bool | None:
        """The driver of a wire: a cell's output, a constant, or `None`: the wire is open.

        Raises:
            ToolError: two sources drive it, or a way goes in a circle.
        """
        way = []
        here: Wire | bool | None = wire
        while isinstance(here, Wire) and here not in self._found:
            way.append(here)
            if len(way) > _MOST_STEPS:
                raise ToolError(f"{_told(wire)} is driven by a circle of wires")
            if _OUTPUT.fullmatch(here.name):
                break
            here = self._before(here)
        found = self._found.get(here) if isinstance(here, Wire) and here in self._found else here
        for each in way:
            self._found[each] = found
        return found

    def _before(self, wire: Wire) -> Wire | bool | None:
        """One step back."""
        if wire in self._arcs:
            return self._arcs[wire]
        if _TIE.fullmatch(wire.name):
            tie = self._given(wire.row, wire.column, f"CIB.{wire.name}MUX")
            if tie in ("0", "1"):
                # Of clocks and resets the database has one tie, named 0. nextpnr puts an inverter
                # behind it where it needs a 0, in every design with block RAM: it reads 1.
                return tie == "1" or wire.name.startswith(("JCLK", "JLSR"))
        buffer = _BUFFER.fullmatch(wire.name)
        if buffer:
            return Wire(0, 0, f"G_CLKI_{buffer[1]}")
        found = self.database.resting(wire)
        if len(found) > 1:
            # Forms of a block share wires to the fabric; one form is there.
            found = {each for each in found if self.driver(each) is not None} or {found.pop()}
        if len(found) > 1:
            raise ToolError(f"{_told(wire)} has several connections: {sorted(map(_told, found))}")
        return found.pop() if found else self.database.tree(wire)

    def arcs_to(self, wire: Wire) -> list[tuple[Wire, Wire]]:
        """Arcs on the way to a wire, sink and source, the nearest first."""
        found = []
        here: Wire | bool | None = wire
        while isinstance(here, Wire) and not _OUTPUT.fullmatch(here.name):
            before = self._before(here)
            if here in self._arcs:
                found.append((here, self._arcs[here]))
            here = before
        return found

    def arc(self, wire: Wire) -> Wire | None:
        """The wire that an arc connects to a wire; `None` without an arc."""
        return self._arcs.get(wire)

    def block(self, row: int, column: int, prefix: str, *modes: str) -> tuple[str, Settings]:
        """Name and settings of a hard block.

        Args:
            row: of its pins.
            column: of its pins.
            prefix: of names of this kind of block, such as `MULT18_`.
            modes: what its setting MODE may be.

        Raises:
            ToolError: there is none, or it has another mode.
        """
        number = next(
            (
                found[1] or "0"
                for tile in self.database.tiles.get((row, column), ())
                if (found := _BLOCK_TILE.search(tile))
            ),
            "",
        )
        name = prefix + (_MEMORY_OF_TILE.get(number, "") if prefix == "EBR" else number)
        for settings in self._groups.get((row, column), ()):
            if settings.enums.get(f"{name}.MODE") in modes:
                return name, settings
        allowed = " or a ".join(modes)
        raise ToolError(f"row {row}, column {column} has no {name} that is a {allowed}")

    def pad(self, row: int, column: int, letter: str) -> str:
        """Type of a pad, such as `OUTPUT_LVCMOS33`; `NONE`: it is off.

        Two tiles say it. Where they are: nextpnr, ecp5/bitstream.cc.
        """
        beside = column + (letter == "B")
        if column in (0, self._last_column):
            places = [(row + 1, column), (row + 2 * (letter in "CD"), column)]
        elif row == 0:
            places = [(0, beside), (1, beside)]
        else:
            places = [(row, beside)]
        types = {self._given(*at, f"PIO{letter}.BASE_TYPE") or "NONE" for at in places}
        return types.pop() if len(types) == 1 else "NONE"

    def loop(self, row: int, column: int) -> Settings:
        """Settings of the phase-locked loop whose pins are at a place.

        Raises:
            ToolError: there is none that is in use.
        """
        near = [
            settings
            for (there, beside), found in self._groups.items()
            if abs(there - row) <= 1 and abs(beside - column) <= 1
            for settings in found
            if settings.enums.get("MODE") == "EHXPLLL"
        ]
        if not near or any(each is not near[0] for each in near):
            raise ToolError(f"row {row}, column {column} has no phase-locked loop that is in use")
        return near[0]

    def content(self, number: int) -> dict[str, str]:
        """Initial content of a block RAM, as parameters of its cell; none if it is all zero.

        Word i of 18 bits is at bit 20 i of 320 bits, and so on in the next parameter.
        """
        words = self._memories.get(number, ())
        if not any(words):
            return {}
        made = {}
        for place_ in range(64):
            here = words[32 * place_ : 32 * place_ + 32]
            pairs = (here[2 * i] | here[2 * i + 1] << 9 for i in range(16))
            value = sum(pair << 20 * i for i, pair in enumerate(pairs))
            made[f"INITVAL_{place_:02X}"] = f"320'h{value:080x}"
        return made


def check_group(names: tuple[str, ...], settings: Settings) -> None:
    """Check that a group is a hard block, with all of its tiles, and that it joins no wires.

    Raises:
        ToolError: it is not.
    """
    kinds = tuple(_GROUP_TILE.sub("", name) for name in names)
    columns = [place(name)[1] for name in names]
    whole = any(form.fullmatch(" ".join(kinds)) for form in _GROUPS)
    if settings.arcs or settings.unknown or not whole or max(columns) - min(columns) > len(names):
        raise ToolError(f"the settings of {' '.join(names)} are not those of one hard block")


def _check_settings(tile: str, settings: Settings) -> None:
    for enum, value in settings.enums.items():
        for name, only, meaning in _ONLY:
            if name.fullmatch(enum) and value not in (only, "_NONE_"):
                raise ToolError(f"{tile}: {enum} is {value}, and {meaning}")


def _told(wire: Wire) -> str:
    return f"R{wire.row}C{wire.column}_{wire.name}"
