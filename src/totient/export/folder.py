"""The exported folder: its contents, and how it is written."""

import importlib.metadata
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from string import Template

from totient.catalog import SERIAL_BAUD, Configuration, Face, IpConfiguration, Top, sources
from totient.catalog.modules import register_map
from totient.common.errors import InputError
from totient.common.files import project_root
from totient.export.block_design import (
    BlockDesign,
    cell_module,
    check_block_design,
    script_name,
)
from totient.export.constraints import lpf, xdc
from totient.export.datasheet import datasheet
from totient.export.ipxact import component, sized_bits
from totient.export.names import check_name
from totient.export.placing import check_place, put_in_place
from totient.export.ports import Module, Port, module
from totient.export.registers import register_page
from totient.export.steps import steps
from totient.export.testbench import bench
from totient.export.waveform import Recording, draw, transaction
from totient.flow import TARGETS, Target
from totient.flow.boards import bit_parameters, check_baud
from totient.measure.measurement import check_family

EXAMPLE_TOP = "example_top"
MODELS = "models.f"
"""List of models of a vendor's cells, if there are any."""
_LICENCE, _CONTRACTS = "LICENSE", "docs/contracts.md"
_MODELS = (
    f"| `{MODELS}` | models of the vendor's cells: for simulators and Yosys, not for Vivado |\n"
)
_REGISTERS = "| `{0}.md`, `{0}.h` | the registers as a table, and for C |\n"
_BLOCKS = (
    "| `{0}`, `{1}.v` | a block design with the processor and a DMA engine for Vivado, which has "
    "not been run with it, and the IP's cell in it |\n"
)
_RANDOM = """
Private operations require random words at `random_*`: fresh, uniform and independent, from your own
source. Those of the test bench are made up and protect nothing.
"""


_FAMILIES = ("Lattice ECP5", "AMD Artix-7")
"""Device families with constraints for an example top."""


@dataclass(frozen=True)
class Export:
    """An export.

    Attributes:
        subject: a design or an IP.
        face: of a design; ignored for an IP.
        target: its device.
        clock_mhz: of the constraints, and of a serial line.
        baud: rate of a serial line.
        given_name: of the wrapper; empty: after the subject.
        board: of a block design; empty: none.
    """

    subject: Configuration | IpConfiguration
    face: Face
    target: Target
    clock_mhz: float
    baud: int = SERIAL_BAUD
    given_name: str = ""
    board: str = ""

    @property
    def suited(self) -> Configuration | IpConfiguration:
        """The subject with the parameters for the target."""
        return self.subject.suited(self.target.family)

    @property
    def top(self) -> Top:
        """The wrapped IP."""
        top = self.suited.top(self.face)
        if Face.SERIAL not in top.faces:
            return top
        bits = bit_parameters(self.clock_mhz, self.baud)
        return replace(top, parameters={**top.parameters, **bits})

    @property
    def name(self) -> str:
        """The wrapper's name, which is also that of its files."""
        if self.given_name:
            return self.given_name
        face = f"_{self.face}" if isinstance(self.subject, Configuration) else ""
        return f"totient_{self.subject.name}{'' if face == '_stream' else face}"

    @property
    def constraints(self) -> str:
        """Name of the file with the constraints of the example."""
        return f"{EXAMPLE_TOP}.{'xdc' if self.target.family.startswith('AMD') else 'lpf'}"

    @property
    def register_map(self) -> str:
        """Name of the register map; empty without registers."""
        return register_map(self.top.module)


def find_export_target(name: str) -> Target:
    """The target of this name.

    Raises:
        InputError: there is none, or there are no constraints for it.
    """
    allowed = [each for each in TARGETS.values() if each.family.startswith(_FAMILIES)]
    for target in allowed:
        if target.name == name:
            return target
    raise InputError(f"--target is {name!r}, allowed is {', '.join(each.name for each in allowed)}")


def export(what: Export, folder: Path, *, force: bool = False) -> list[str]:
    """Write the folder, whole or not at all.

    Args:
        what: to export.
        folder: destination.
        force: replace the files of an earlier export; all other files stay.

    Returns:
        Names of the files.

    Raises:
        InputError: there are no constraints for the target, a parameter is for another device
            family, there is no such block design, the name is not allowed, the folder is not empty
            (with `force`: and not an earlier export), a file of the user's is in the way, or it
            cannot be written.
        ToolError: the RTL does not elaborate.
    """
    find_export_target(what.target.name)
    if Face.SERIAL in what.top.faces:
        check_baud(what.baud, what.clock_mhz, f"a clock of {what.clock_mhz:g} MHz")
    check_family(what.suited, what.target)
    if what.board:
        check_block_design(what.board, what.suited, what.target.family, what.clock_mhz)
    if what.given_name:
        others = ("README", "LICENSE", "MANIFEST", EXAMPLE_TOP, "testbench", what.register_map)
        check_name(
            what.given_name, (*others, *(Path(each).stem for each in _Sources.of(what).copied))
        )
    check_place(folder, force)
    recording = transaction(what.subject, what.face)
    files = _files(what, recording)
    try:
        scratch = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.absolute().parent))
        try:
            scratch.chmod(0o755)
            _write(files, what, scratch)
            if recording:
                draw(recording, scratch / f"{what.name}.svg")
            names = put_in_place(scratch, folder)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    except OSError as error:
        raise InputError(f"cannot write {folder}: {error.strerror}") from error
    return names


def _write(files: dict[str, str], what: Export, folder: Path) -> None:
    for name, text in files.items():
        (folder / name).write_text(text)
    for name in (*_Sources.of(what).copied, _LICENCE, _CONTRACTS):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(project_root() / name, folder / name)
    if what.register_map:
        header = f"{what.register_map}.h"
        shutil.copyfile(project_root() / "driver" / "include" / "totient" / header, folder / header)


def _template(name: str) -> Template:
    """The text of a template with its values, such as `$name`, filled in."""
    return Template((Path(__file__).with_name("templates") / f"{name}.in").read_text())


@dataclass(frozen=True)
class _Sources:
    """Files below `rtl/` in the order of compilation, and the wrapper.

    Attributes:
        headers: included by others.
        compiled: RTL.
        models: of a vendor's cells: for simulators, and for Yosys, which requires their parameters.
            Vivado does not get them: it has the cells themselves.
    """

    headers: Sequence[str]
    compiled: Sequence[str]
    models: Sequence[str]

    @classmethod
    def of(cls, what: Export) -> "_Sources":
        """The sources of an export."""
        root = (project_root() / "rtl").resolve()

        def below(paths: Iterable[Path]) -> list[str]:
            return [f"rtl/{path.resolve().relative_to(root)}" for path in paths]

        listing = sources(what.top.core, tool="verilator")
        for_vivado = below(sources(what.top.core, tool="vivado").files)
        files = below(listing.files)
        compiled = [each for each in files if each in for_vivado]
        models = [each for each in files if each not in for_vivado]
        return cls(below(listing.headers), [*compiled, f"{what.name}.sv"], models)

    @property
    def copied(self) -> list[str]:
        """All but the wrapper."""
        return [*self.headers, *self.compiled[:-1], *self.models]

    @property
    def files_f(self) -> str:
        """The list for tools that take one."""
        folders = dict.fromkeys(str(Path(header).parent) for header in self.headers)
        return "".join(
            [*(f"+incdir+{each}\n" for each in folders), *(f"{f}\n" for f in self.compiled)]
        )

    @property
    def core(self) -> str:
        """The list for FuseSoC."""
        return "".join(
            [
                *(f"      - {each}: {{is_include_file: true}}\n" for each in self.headers),
                *(f'      - "!tool_vivado? ({each})"\n' for each in self.models),
                *(f"      - {each}\n" for each in self.compiled),
            ]
        )


def _files(what: Export, recording: Recording | None) -> dict[str, str]:
    """The text of every generated file, by its name."""
    top, name = what.top, what.name
    found, listed = module(top.core, top.module), _Sources.of(what)
    values = {"name": name, "example": EXAMPLE_TOP, "label": what.suited.label}
    values |= {"target": what.target.name, "version": importlib.metadata.version("totient")}
    picture = (recording.title, f"{name}.svg") if recording else None
    models = {MODELS: "".join(f"{each}\n" for each in listed.models)} if listed.models else {}
    files = {
        "files.f": listed.files_f,
        f"{name}.core": _template("ip.core").substitute(values, files=listed.core),
        **_modules(what, found, values),
        **models,
        **_pages(what, found, values, bool(models)),
        f"{name}.md": datasheet(what.suited, what.face, what.target, picture, top),
    }
    write = xdc if what.constraints.endswith("xdc") else lpf
    files[what.constraints] = write(what.clock_mhz, _example_ports(found))
    if what.register_map:
        files[f"{what.register_map}.md"] = register_page(what.register_map)
    files |= _block_design(what, found, listed)
    files[f"{name}.xml"] = _ip_xact(what, found, listed, values["version"])
    return files


def _block_design(what: Export, found: Module, listed: _Sources) -> dict[str, str]:
    """The block design's files, if there is one."""
    if not what.board:
        return {}
    assert isinstance(what.suited, IpConfiguration)
    design = BlockDesign(
        what.board,
        what.name,
        what.suited,
        what.clock_mhz,
        found.ports,
        listed.compiled,
        listed.headers,
    )
    return {
        script_name(what.name, what.board): design.tcl(),
        f"{design.module}.v": design.verilog(),
    }


def _modules(what: Export, found: Module, values: Mapping[str, str]) -> dict[str, str]:
    """The wrapper, the example around it, and the testbench of that."""
    top, ports = what.top, _example_ports(found)
    return {
        f"{what.name}.sv": _template("wrapper.sv").substitute(
            values,
            module=top.module,
            ports=_declared(found.ports),
            parameters=_given(top, found),
        ),
        f"{EXAMPLE_TOP}.sv": _template("example.sv").substitute(
            values,
            ports=_declared(ports),
            connected=",\n".join(f"    .{p.name}" for p in ports[2:]),
        ),
        "testbench.sv": bench(found, EXAMPLE_TOP, top),
        "steps.hex": "".join(step.text for step in steps(what.suited, what.face)),
    }


def _pages(what: Export, found: Module, values: Mapping[str, str], models: bool) -> dict[str, str]:
    """The file with the first steps for a user."""
    lists = f"-F {MODELS} -F files.f" if models else "-F files.f"
    return {
        "Makefile": _template("Makefile").substitute(values, lists=lists),
        "README.md": _template("README.md").substitute(
            values,
            clock=f"{what.clock_mhz:g}",
            device=f"{what.target.family} {what.target.device}",
            lists=lists,
            models=_MODELS if models else "",
            registers=_REGISTERS.format(what.register_map) if what.register_map else "",
            blocks=_BLOCKS.format(script_name(what.name, what.board), cell_module(what.name))
            if what.board
            else "",
            constraints=what.constraints,
            random=_RANDOM if any(p.name == "random_tdata" for p in found.ports) else "",
        ),
    }


def _ip_xact(what: Export, found: Module, listed: _Sources, version: str) -> str:
    """The description of the wrapper in IP-XACT."""
    sets = {
        "rtl": [
            *((each, True) for each in listed.headers),
            *((each, False) for each in listed.compiled),
        ],
        **({"models": [(each, False) for each in listed.models]} if listed.models else {}),
        "example": [(f"{EXAMPLE_TOP}.sv", False), (what.constraints, False)],
        "testbench": [("testbench.sv", False), ("steps.hex", False)],
        **(
            {
                "block_design": [
                    (f"{cell_module(what.name)}.v", False),
                    (script_name(what.name, what.board), False),
                ]
            }
            if what.board
            else {}
        ),
        **({"software": [(f"{what.register_map}.h", False)]} if what.register_map else {}),
    }
    by_name = {parameter.name: parameter for parameter in found.parameters}
    return component(
        name=what.name,
        version=version,
        description=f"{what.suited.label} for {what.target.name}",
        ports=found.ports,
        parameters=[(by_name[each], value) for each, value in what.top.parameters.items()],
        register_map=what.register_map,
        files=sets,
    )


def _example_ports(found: Module) -> list[Port]:
    """Ports of the example: the wrapper's except clock and reset."""
    clock = Port("clk", "input", 1, "clock")
    reset = Port("reset_n", "input", 1, "reset, asynchronous, active low")
    return [clock, reset, *(p for p in found.ports if p.name not in ("aclk", "aresetn"))]


def _declared(ports: tuple[Port, ...] | list[Port]) -> str:
    """Port declarations, each with its meaning."""
    lines = []
    for place, port in enumerate(ports):
        kind = "input  wire logic" if port.direction == "input" else "output logic"
        comma = "," if place < len(ports) - 1 else ""
        lines.append(f"  // {port.text}\n  {kind} {port.range}{port.name}{comma}\n")
    return "".join(lines)


def _given(top: Top, found: Module) -> str:
    """Values of the parameters, each with its meaning."""
    texts = {parameter.name: parameter.text for parameter in found.parameters}
    lines = []
    for place, (name, value) in enumerate(top.parameters.items()):
        text = isinstance(value, str) and not sized_bits(value)
        written = f'"{value}"' if text else str(value)
        comma = "," if place < len(top.parameters) - 1 else ""
        lines.append(f"    // {texts[name]}\n    .{name}({written}){comma}\n")
    return "".join(lines)
