"""Compile a design with our clock loop to a shared library."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from totient.catalog import Face, SourceList, Top, sources
from totient.common.cache import digest, produce
from totient.common.files import project_root
from totient.common.progress import bar
from totient.sim import toolchain
from totient.sim.probing import probing_file

_HARNESS = Path(__file__).with_name("harness.cpp")
_PRINT = Path(__file__).with_name("harness.h")
_PROBE = Path(__file__).with_name("probe.h")
_UNKNOWNS = Path(__file__).with_name("unknowns.h")
_PROBING = Path(__file__).with_name("probing.py")

# Measured on three designs at 64 to 4096 bits. Unknown values are 0: faster than random ones, and
# the same in every run. Splitting always-blocks would repeat their conditions for each register,
# which makes the code of a systolic array twice as long and slow. Functions are split, as the
# compiler's time grows faster than their length.
_OPTIONS = (
    *("-O3", "-Wno-lint", "-fno-split", "--inline-mult", "1"),
    *("--output-split", "8000", "--output-split-cfuncs", "3000"),
)
_UNKNOWN_IS_ZERO = ("--x-assign", "fast", "--x-initial", "fast")

# In a netlist each unknown bit is a random constant of the run. Cells are tens of thousands of
# modules: all are merged. The dataflow optimisation gains nothing there, and took more than 20
# minutes on a systolic array of 256 bits with 11 lanes.
_NETLIST_OPTIONS = (
    *("--x-assign", "unique", "--x-initial", "unique", "--flatten", "-fno-dfg"),
    "-Wno-fatal",  # in the models of Yosys
)
_RUNTIME = ("verilated", "verilated_threads")

# Options that expose a model's state: a waveform of everything, unions and long memories included.
_VISIBLE_OPTIONS = (
    *("--trace-vcd", "--trace-structs"),
    *("--trace-max-array", "65536", "--trace-max-width", "1048576"),
)
_VISIBLE_RUNTIME = ("verilated_vcd_c",)

# Models of several designs are in one process, so a library exports only its functions. The
# run-time library leaves the end of a simulation, and its output, to the harness.
_FLAGS = (
    *("-fPIC", "-fvisibility=hidden", "-fno-gnu-unique"),
    *("-DVL_USER_FINISH", "-DVL_USER_STOP", "-DVL_USER_FATAL"),
)
SERIAL_BIT_CYCLES = 8
"""Clock cycles of a bit on a simulated serial line, unless the top module states them."""

_FAST = "-O2"
_FAST_NETLIST = "-O1"  # compiles in two thirds of the time, with the same speed of the model
_SLOW = "-O0"  # for code that runs once, when a model is opened


def build_model(
    top: Top, *, checked: bool = False, visible: bool = False, probed: bool = False
) -> Path:
    """Shared library that simulates a module with its faces, from the cache or built now.

    It exports the functions of the driver's `totient/model.h`. A build shows a progress bar.

    Args:
        top: to simulate.
        checked: with the assertions in the RTL; slower, for tests.
        visible: make every register and memory readable; slower, for tests.
        probed: make every register and memory writable, and watch all addresses of memories;
            slower, for tests.

    Raises:
        ToolError: the compiler is missing, the disk is full, or the RTL does not compile.
    """
    listing = sources(top.core, tool="verilator")
    return build_listing(listing, top, checked=checked, visible=visible, probed=probed)


def build_listing(
    listing: SourceList,
    top: Top,
    *,
    checked: bool = False,
    visible: bool = False,
    probed: bool = False,
    further: Sequence[str] = (),
    netlist: bool = False,
) -> Path:
    """The same for sources without a FuseSoC core.

    Args:
        listing: the sources, dependencies first.
        top: to simulate; its FuseSoC name is ignored.
        checked: with the assertions in the RTL.
        visible: make every register and memory readable.
        probed: make every register and memory writable, and watch all addresses of memories.
        further: options of Verilator for the sources.
        netlist: the module has no parameters; those of `top` are built in. Unknown bits are
            random, different in each start that a `Model` is opened with.

    Raises:
        ToolError: as for `build_model`.
    """
    options = (*_OPTIONS, *(_NETLIST_OPTIONS if netlist else _UNKNOWN_IS_ZERO), *further)
    options += ("--assert" if checked else "--no-assert",)
    options += _VISIBLE_OPTIONS if visible else ()
    parameters = {} if netlist else {**_serial(top), **top.parameters}
    header = project_root() / "driver" / "include" / "totient" / "model.h"
    faces = _defines(top, visible, probed)
    fast = _FAST_NETLIST if netlist else _FAST

    def build(folder: Path) -> None:
        work = folder / "work"
        work.mkdir()
        with bar(f"building the model of {top.label}"):
            chosen = [*options]
            if probed:
                chosen.append(str(probing_file(listing, top.module, parameters, folder)))
            generated = toolchain.verilate(listing, top.module, parameters, work, chosen)
        flags = (*_FLAGS, "-include", str(_PRINT))
        library = _RUNTIME + (_VISIBLE_RUNTIME if visible else ())
        defines = [*faces, f"-I{header.parent.parent}"]
        defines += ["-DNETLIST", "-include", str(_UNKNOWNS)] if netlist else []
        _compile(top.label, _units(generated, work, fast), flags, defines, library)
        for left in folder.iterdir():
            if left.name != "model.so":
                shutil.rmtree(left) if left.is_dir() else left.unlink()

    own = (_HARNESS, _PRINT, _PROBE, _PROBING, _UNKNOWNS, header)
    name = digest(
        *toolchain.versions(),
        *toolchain.contents([*listing.files, *listing.headers, *own]),
        top.module,
        repr(sorted(parameters.items())),
        *(*options, *_FLAGS, *faces, fast, _SLOW),
    )
    return produce("models", name, build, ["model.so"]) / "model.so"


def _serial(top: Top) -> dict[str, int]:
    """The length of a bit on a serial line, for a top that does not state it."""
    return {"BitCycles": SERIAL_BIT_CYCLES} if Face.SERIAL in top.faces else {}


def _defines(top: Top, visible: bool, probed: bool) -> list[str]:
    """Properties of a top for the clock loop."""
    faces = [f"-DFACE_{face.upper()}" for face in sorted(top.faces)]
    if Face.SERIAL in top.faces:
        faces.append(f"-DBIT_SIXTEENTHS={serial_bit_sixteenths(top)}")
    faces += [f"-DCLOCK={top.clock}", f"-DRESET={top.reset}", f"-DRESET_LEVEL={top.reset_level}"]
    faces += [f"-DSETTLING={top.settling}", *(["-DVISIBLE"] if visible else [])]
    return [*faces, "-DPROBED", f"-I{_PROBE.parent}"] if probed else faces


def _compile(
    label: str,
    units: Sequence[tuple[Path, str]],
    flags: Sequence[str],
    defines: Sequence[str],
    library: Sequence[str],
) -> None:
    """Compile units, each at its level, and link them to `model.so` in the parent folder."""
    work = units[0][0].parent
    with bar(f"building the model of {label}", total=len(units) + 1) as progress:
        toolchain.run(
            [
                toolchain.compile_command(unit, unit.with_suffix(".o"), (*flags, *defines, level))
                for unit, level in units
            ],
            work,
            progress.advance,
        )
        objects = [unit.with_suffix(".o") for unit, _ in units]
        objects += toolchain.runtime(library, (*flags, _FAST))
        toolchain.link_library(objects, work.parent / "model.so", work)
        progress.advance()


def serial_bit_sixteenths(top: Top) -> int:
    """Sixteenths of a clock cycle per bit on the simulated serial line of a top."""
    whole = int(top.parameters.get("BitCycles", SERIAL_BIT_CYCLES))
    return 16 * whole + int(top.parameters.get("BitSixteenths", 0))


def _units(generated: Sequence[Path], work: Path, level: str) -> list[tuple[Path, str]]:
    """Units and their levels. Small files are merged: headers take most of the time."""
    slow = [file for file in generated if "Slow" in file.name]
    host = [file for file in generated if file.name == "Vtop.cpp"]
    fast = [file for file in generated if file not in slow and file not in host]
    together = {
        "slow.cpp": slow,
        "host.cpp": [*host, _HARNESS],
    }
    for name, files in together.items():
        (work / name).write_text("".join(f'#include "{file}"\n' for file in files))
    # The longest first, so that it does not run alone at the end.
    fast.sort(key=lambda file: file.stat().st_size, reverse=True)
    return [
        *((file, level) for file in fast),
        (work / "host.cpp", level),
        (work / "slow.cpp", _SLOW),
    ]
