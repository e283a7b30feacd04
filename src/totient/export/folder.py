"""The exported folder: what is in it, and how it is written."""

import importlib.metadata
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from string import Template

from totient.catalog import Configuration, Face, IpConfiguration, Top, sources
from totient.catalog.modules import FACE_REGISTERS
from totient.common.errors import InputError
from totient.common.files import project_root
from totient.export.constraints import lpf, xdc
from totient.export.datasheet import datasheet
from totient.export.ipxact import component, sized_bits
from totient.export.ports import Module, Port, module
from totient.export.registers import register_page
from totient.export.steps import steps
from totient.export.testbench import bench
from totient.export.waveform import Recording, draw, transaction
from totient.flow import Target

EXAMPLE_TOP = "example_top"
_LICENCE = "LICENSE"
_RANDOM = """
Private operations want random words at `random_*`: fresh, uniform and independent, from a source
that is yours. The test bench gives made-up ones, which protect nothing.
"""


_FAMILIES = ("Lattice ECP5", "AMD Artix-7")
"""Those that an example top has constraints for."""


@dataclass(frozen=True)
class Export:
    """What is exported.

    Attributes:
        subject: a design or an IP.
        face: of a design; of an IP it is of no consequence.
        target: the device that it is for.
        clock_mhz: of the constraints.
    """

    subject: Configuration | IpConfiguration
    face: Face
    target: Target
    clock_mhz: float

    @property
    def suited(self) -> Configuration | IpConfiguration:
        """The subject with what suits the target."""
        if isinstance(self.subject, Configuration):
            return self.subject.suited(self.target.family)
        return self.subject

    @property
    def top(self) -> Top:
        """The IP that is wrapped."""
        suited = self.suited
        return suited.top(self.face) if isinstance(suited, Configuration) else suited.top()

    @property
    def name(self) -> str:
        """The wrapper's name, which is also that of its files."""
        face = f"_{self.face}" if isinstance(self.subject, Configuration) else ""
        return f"totient_{self.subject.name}{'' if face == '_stream' else face}"

    @property
    def register_map(self) -> str:
        """Name of the register map; empty where there are no registers."""
        if isinstance(self.subject, IpConfiguration):
            return self.subject.ip.register_map
        return FACE_REGISTERS.get(self.top.module, "")


def export(what: Export, folder: Path, *, force: bool = False) -> list[str]:
    """Write the folder, whole or not at all.

    Args:
        what: to be exported.
        folder: where to.
        force: also where something is there, which is removed.

    Returns:
        Names of the files.

    Raises:
        InputError: there are no constraints for the target, or the folder is not empty or cannot
            be written.
        ToolError: the RTL does not elaborate.
    """
    if not what.target.family.startswith(_FAMILIES):
        raise InputError(
            f"target is {what.target.name}, allowed are those of {' and '.join(_FAMILIES)}"
        )
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--out is {folder}, a file; allowed is a folder that is empty or new")
    if folder.is_dir() and any(folder.iterdir()) and not force:
        raise InputError(
            f"--out is {folder}, which is not empty; allowed is an empty or a new folder, "
            "or --force, which replaces what is there"
        )
    if not folder.absolute().parent.is_dir():
        raise InputError(f"--out is {folder}, in a folder that does not exist")
    recording = transaction(what.subject, what.face)
    files = _files(what, recording)
    try:
        scratch = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.absolute().parent))
        try:
            scratch.chmod(0o755)
            _write(files, what, scratch)
            if recording:
                draw(recording, scratch / f"{what.name}.svg")
            if folder.is_dir():
                shutil.rmtree(folder)
            scratch.rename(folder)
        except BaseException:
            shutil.rmtree(scratch, ignore_errors=True)
            raise
    except OSError as error:
        raise InputError(f"cannot write {folder}: {error.strerror}") from error
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def _sources(what: Export) -> dict[Path, bool]:
    """Sources in the order of compilation, by their paths below `rtl`; true: an included file.

    With models of the vendors' cells: what the RTL instantiates there has to be known to
    simulators, and its parameters to Yosys.
    """
    listing = sources(what.top.core, tool="verilator")
    root = project_root() / "rtl"
    files = [(path, True) for path in listing.headers] + [(path, False) for path in listing.files]
    return {path.resolve().relative_to(root.resolve()): header for path, header in files}


def _write(files: dict[str, str], what: Export, folder: Path) -> None:
    for name, text in files.items():
        (folder / name).write_text(text)
    for source in _sources(what):
        path = folder / "rtl" / source
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(project_root() / "rtl" / source, path)
    licence = project_root() / _LICENCE
    if licence.exists():
        shutil.copyfile(licence, folder / _LICENCE)
    if what.register_map:
        header = f"{what.register_map}.h"
        shutil.copyfile(project_root() / "driver" / "include" / "totient" / header, folder / header)


def _template(name: str) -> Template:
    """The text of a file with what is put into it, such as `$name`."""
    return Template((Path(__file__).with_name("templates") / f"{name}.in").read_text())


def _files(what: Export, recording: Recording | None) -> dict[str, str]:
    """The text of every file that is made, by its name."""
    top, name = what.top, what.name
    found = module(top.core, top.module)
    listed = _sources(what)
    folders = dict.fromkeys(f"rtl/{path.parent}" for path, header in listed.items() if header)
    headers = [f"rtl/{path}" for path, header in listed.items() if header]
    compiled = [f"rtl/{path}" for path, header in listed.items() if not header]
    own = [f"{name}.sv"]
    values = {"name": name, "example": EXAMPLE_TOP, "label": what.suited.label}
    version = importlib.metadata.version("totient")
    values |= {"target": what.target.name, "version": version}
    files = {
        "files.f": "".join(
            [*(f"+incdir+{each}\n" for each in folders), *(f"{f}\n" for f in [*compiled, *own])]
        ),
        f"{name}.core": _template("ip.core").substitute(
            values,
            files="".join(
                [
                    *(f"      - {each}: {{is_include_file: true}}\n" for each in headers),
                    *(f"      - {each}\n" for each in [*compiled, *own]),
                ]
            ),
        ),
        f"{name}.sv": _template("wrapper.sv").substitute(
            values,
            module=top.module,
            ports=_declared(found.ports),
            parameters=_given(top, found),
        ),
        f"{EXAMPLE_TOP}.sv": _template("example.sv").substitute(
            values,
            ports=_declared(_example_ports(found)),
            connected=",\n".join(f"    .{p.name}" for p in _example_ports(found)[2:]),
        ),
        "testbench.sv": bench(found, EXAMPLE_TOP, top),
        "steps.hex": "".join(step.text for step in steps(what.suited, what.face)),
        "Makefile": _template("Makefile").substitute(values),
        "README.md": _template("README.md").substitute(
            values,
            clock=f"{what.clock_mhz:g}",
            device=f"{what.target.family} {what.target.device}",
            random=_RANDOM if any(p.name == "random_tdata" for p in found.ports) else "",
        ),
        f"{name}.md": datasheet(
            what.suited,
            what.face,
            what.target,
            (recording.title, f"{name}.svg") if recording else None,
        ),
    }
    write = xdc if what.target.family.startswith("AMD") else lpf
    suffix = "xdc" if write is xdc else "lpf"
    files[f"{EXAMPLE_TOP}.{suffix}"] = write(what.clock_mhz, _example_ports(found))
    sets = {
        "rtl": [
            *((each, True) for each in headers),
            *((each, False) for each in [*compiled, *own]),
        ],
        "example": [(f"{EXAMPLE_TOP}.sv", False), (f"{EXAMPLE_TOP}.{suffix}", False)],
        "testbench": [("testbench.sv", False), ("steps.hex", False)],
    }
    if what.register_map:
        files[f"{what.register_map}.md"] = register_page(what.register_map)
        sets["software"] = [(f"{what.register_map}.h", False)]
    by_name = {parameter.name: parameter for parameter in found.parameters}
    files[f"{name}.xml"] = component(
        name=name,
        version=version,
        description=f"{what.suited.label} for {what.target.name}",
        ports=found.ports,
        parameters=[(by_name[each], value) for each, value in top.parameters.items()],
        register_map=what.register_map,
        files=sets,
    )
    return files


def _example_ports(found: Module) -> list[Port]:
    """Ports of the example: the wrapper's, but for clock and reset."""
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
        written = f'"{value}"' if text else int_text(value)
        comma = "," if place < len(top.parameters) - 1 else ""
        lines.append(f"    // {texts[name]}\n    .{name}({written}){comma}\n")
    return "".join(lines)


def int_text(value: int | str) -> str:
    """A number, or the text of one, as SystemVerilog writes it."""
    return value if isinstance(value, str) else str(int(value))
