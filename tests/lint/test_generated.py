"""The committed files equal the output of `make contract` and `make program`."""

import os
import re
import runpy
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from contract import cores, engine_instructions, shared_numbers
from contract import registers as register_maps

from totient.catalog import registers
from totient.common.files import project_root
from totient.engine.program import engine_program
from totient.engine.rom import package
from totient.export.registers import register_text

ROOT = project_root()


def are_committed(written: Iterable[Path], folder: Path) -> None:
    """Files that were written into a folder are those of the project."""
    for path in written:
        committed = ROOT / path.relative_to(folder)
        assert committed.read_text() == path.read_text(), committed


def changed(source: Path, folder: Path, right: str, wrong: str) -> Path:
    """A copy of a source with another text in a place."""
    text = source.read_text()
    assert text.count(right) == 1
    copy = folder / source.name
    copy.write_text(text.replace(right, wrong))
    return copy


def line_of(source: Path, name: str) -> str:
    """The line that gives a name a value."""
    (line,) = re.findall(rf"^{name} = .*\n", source.read_text(), re.MULTILINE)
    return str(line)


def test_registers_are_up_to_date(tmp_path: Path) -> None:
    maps = sorted((ROOT / "contract").glob("*.rdl"))
    register_maps.generate(tmp_path)
    pages = tmp_path / "build" / "registers"
    written = {path for path in tmp_path.rglob("*") if path.is_file()} - set(pages.rglob("*"))
    assert len(written) == 5 * len(maps)
    are_committed(written, tmp_path)
    for source in maps:
        page = (pages / source.stem / "index.html").read_text()
        assert "<html" in page
        title = re.search(r"<title>(.*?)</title>", page, re.DOTALL)
        assert title
        assert title[1].strip() not in ("", "None")


def test_numbers_are_up_to_date(tmp_path: Path) -> None:
    shared_numbers.generate(tmp_path)
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.suffix for path in written} == {".sv", ".h", ".py", ".md"}
    are_committed(written, tmp_path)


def test_parameters_of_cores_are_up_to_date(tmp_path: Path) -> None:
    cores.generate(tmp_path)
    written = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    folder = ROOT / "rtl" / "ip"
    assert [path.name for path in written] == sorted(path.name for path in folder.glob("*.core"))
    are_committed(written, tmp_path)


def test_a_new_parameter_of_a_core_is_one_line_of_its_module() -> None:
    """It is in the `.core` file, in the module's order. A parameter without a text is refused."""
    core = (ROOT / "rtl" / "ip" / "rsa_keygen_axil.core").read_text()
    assert "parameters" not in core
    module = 'module m #(\n  parameter int unsigned B = 1,\n  parameter logic [7:0] A = "a"\n) ();'
    made = cores.with_parameters(core, module, {"A": "first", "B": "bits; 1 to 8"})
    assert made.count("    parameters: [B, A]\n") == core.count("toplevel:") == 2
    assert (
        '  B:\n    datatype: int\n    paramtype: vlogparam\n    description: "bits; 1 to 8"' in made
    )
    assert "  A:\n    datatype: str\n" in made
    assert cores.with_parameters(made, "module m ();", {}) == core
    with pytest.raises(KeyError):
        cores.with_parameters(core, module, {"A": "first"})


def test_a_new_error_code_is_one_line(tmp_path: Path) -> None:
    """Another line in contract.toml: all languages and the document have it, with its meaning."""
    last = line_of(shared_numbers.SOURCE, "random_repeats")  # there is no room for one more
    more = 'tampered = [15, "the lid was opened"]\n'
    shared_numbers.generate(tmp_path, changed(shared_numbers.SOURCE, tmp_path, last, more))
    header = (tmp_path / "driver" / "include" / "totient" / "contract.h").read_text()
    assert "TOTIENT_TAMPERED = 15," in header
    assert "#define TOTIENT_ENGINE_RESULTS 16\n" in header
    package = (tmp_path / "rtl" / "common" / "contract_pkg.sv").read_text()
    assert "// the lid was opened\n    ErrTampered       = 4'd15\n  } error_e;" in package
    program = tmp_path / "program.c"
    program.write_text(
        '#include <stdio.h>\n#include "totient/totient.h"\n'
        "int main(void) { return puts(totient_text(TOTIENT_TAMPERED)) < 0; }\n"
    )
    driver = ROOT / "driver"
    options = ["-std=c99", f"-I{tmp_path / 'driver' / 'include'}", f"-I{driver / 'include'}"]
    sources = [program, *(driver / "src" / f"{part}.c" for part in ("totient", "packet", "random"))]
    command = ["cc", *options, *map(str, sources), "-o", str(tmp_path / "program")]
    subprocess.run(command, check=True)
    shown = subprocess.run([tmp_path / "program"], check=True, capture_output=True, text=True)
    assert shown.stdout == "the lid was opened\n"
    module = runpy.run_path(str(tmp_path / "src" / "totient" / "common" / "contract.py"))
    assert module["ErrorCode"](15).words == "the lid was opened"
    document = (tmp_path / "docs" / "contracts.md").read_text()
    assert "| 15 | tampered | the lid was opened |" in document


@pytest.mark.parametrize("wrong", ["fault = [15,", "fault = [13,"])
def test_numbers_that_do_not_follow_one_another_are_refused(tmp_path: Path, wrong: str) -> None:
    source = changed(shared_numbers.SOURCE, tmp_path, "fault = [14,", wrong)
    with pytest.raises(SystemExit, match="do not follow one another"):
        shared_numbers.generate(tmp_path, source)


def test_an_error_code_that_has_no_room_is_refused(tmp_path: Path) -> None:
    """A core's error output has four bits, so that 15 is the last code."""
    last = line_of(shared_numbers.SOURCE, "random_repeats")
    source = changed(shared_numbers.SOURCE, tmp_path, last, f'{last}more = [16, "no room"]\n')
    with pytest.raises(SystemExit, match=r"contract\.toml: 16 has no room in 4 bits"):
        shared_numbers.generate(tmp_path, source)


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("scalar = [2,", "scalar = [3,", "do not follow one another"),
        ("product = [0,", "product = [4,", "do not follow one another"),
        ('target = ["target_bits"', 'target = ["places"', "target has 'places' bits"),
    ],
)
def test_a_wrong_instruction_set_is_refused(
    tmp_path: Path, right: str, wrong: str, message: str
) -> None:
    source = changed(engine_instructions.SOURCE, tmp_path, right, wrong)
    with pytest.raises(SystemExit, match=message):
        engine_instructions.instruction_set(source)


def test_a_field_is_as_wide_as_what_it_holds(tmp_path: Path) -> None:
    """Widths follow from constants and from how many members there are; none is typed twice."""
    last = line_of(engine_instructions.SOURCE, "quarter")
    more = "".join(f'more_{code} = [{code}, "more"]\n' for code in (6, 7, 8))
    source = changed(engine_instructions.SOURCE, tmp_path, last, last + more)
    for right, wrong in (
        ("index_bits = [7,", "index_bits = [8,"),
        ("page_block_bits = [5,", "page_block_bits = [6,"),
    ):
        source = changed(source, tmp_path, right, wrong)
    fields = engine_instructions.instruction_set(source)["instruction"]
    widths = {name: fields[name][0] for name in ("kind", "action", "d", "a", "b", "t", "x")}
    assert widths == {"kind": 2, "action": 4, "d": 8, "a": 8, "b": 8, "t": 7, "x": 7}


@pytest.mark.parametrize("generator", ["shared_numbers", "registers", "cores"])
def test_a_generator_makes_no_folder_of_an_option(tmp_path: Path, generator: str) -> None:
    for option, status in (("--help", 0), ("--no-such-option", 2)):
        done = subprocess.run(
            [sys.executable, "-m", f"contract.{generator}", option],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status
        assert "usage:" in done.stdout + done.stderr
    assert not list(tmp_path.iterdir())


def test_every_register_says_what_it_is() -> None:
    """The maps' tables, as `totient show` and the datasheets have them."""
    for source in (ROOT / "contract").glob("*.rdl"):
        for name, register in registers(source.stem).items():
            assert register_text(register), (source.stem, name)


def test_the_engine_program_is_up_to_date() -> None:
    committed = ROOT / "rtl" / "engine" / "engine_program_pkg.sv"
    assert committed.read_text() == package(engine_program())
