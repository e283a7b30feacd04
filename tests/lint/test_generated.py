"""What `make contract` and `make program` write is what is committed."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from totient.catalog import registers
from totient.common.files import project_root
from totient.engine.program import engine_program
from totient.engine.rom import package
from totient.export.registers import register_text

ROOT = project_root()


def test_registers_are_up_to_date(tmp_path: Path) -> None:
    maps = sorted((ROOT / "contract").glob("*.rdl"))
    runpy.run_path(str(ROOT / "contract" / "registers.py"))["generate"](tmp_path)
    pages = tmp_path / "build" / "registers"
    written = {path for path in tmp_path.rglob("*") if path.is_file()} - set(pages.rglob("*"))
    assert len(written) == 5 * len(maps)
    for path in written:
        committed = ROOT / path.relative_to(tmp_path)
        assert committed.read_text() == path.read_text(), committed
    for source in maps:
        page = (pages / source.stem / "index.html").read_text()
        assert "<html" in page
        title = re.search(r"<title>(.*?)</title>", page, re.DOTALL)
        assert title
        assert title[1].strip() not in ("", "None")


def test_numbers_are_up_to_date(tmp_path: Path) -> None:
    numbers = runpy.run_path(str(ROOT / "contract" / "numbers.py"))
    numbers["generate"](tmp_path)
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.suffix for path in written} == {".h", ".py", ".md"}
    for path in written:
        committed = ROOT / path.relative_to(tmp_path)
        assert committed.read_text() == path.read_text(), committed


def test_a_new_error_code_is_one_line(tmp_path: Path) -> None:
    """One more line in contract.toml: C, Python and the document have it, with its meaning."""
    numbers = runpy.run_path(str(ROOT / "contract" / "numbers.py"))
    source = numbers["SOURCE"].read_text()
    last = re.findall(r"^fault = .*\n", source, re.MULTILINE)[0]
    changed = tmp_path / "contract.toml"
    changed.write_text(source.replace(last, f'{last}tampered = [15, "the lid was opened"]\n'))
    numbers["generate"](tmp_path, changed)
    header = (tmp_path / "driver" / "include" / "totient" / "contract.h").read_text()
    assert "TOTIENT_TAMPERED = 15," in header
    assert "#define TOTIENT_ENGINE_RESULTS 16\n" in header
    program = tmp_path / "program.c"
    program.write_text(
        '#include <stdio.h>\n#include "totient/totient.h"\n'
        "int main(void) { return puts(totient_text(TOTIENT_TAMPERED)) < 0; }\n"
    )
    driver = ROOT / "driver"
    options = ["-std=c99", f"-I{tmp_path / 'driver' / 'include'}", f"-I{driver / 'include'}"]
    sources = [program, driver / "src" / "totient.c", driver / "src" / "random.c"]
    command = ["cc", *options, *map(str, sources), "-o", str(tmp_path / "program")]
    subprocess.run(command, check=True)
    told = subprocess.run([tmp_path / "program"], check=True, capture_output=True, text=True)
    assert told.stdout == "the lid was opened\n"
    module = runpy.run_path(str(tmp_path / "src" / "totient" / "common" / "contract.py"))
    assert module["ErrorCode"](15).words == "the lid was opened"
    document = (tmp_path / "docs" / "contracts.md").read_text()
    assert "| 15 | tampered | the lid was opened |" in document


@pytest.mark.parametrize("wrong", ["fault = [15,", "fault = [13,"])
def test_numbers_that_do_not_follow_one_another_are_refused(tmp_path: Path, wrong: str) -> None:
    numbers = runpy.run_path(str(ROOT / "contract" / "numbers.py"))
    changed = tmp_path / "contract.toml"
    changed.write_text(numbers["SOURCE"].read_text().replace("fault = [14,", wrong))
    with pytest.raises(SystemExit, match="do not follow one another"):
        numbers["generate"](tmp_path, changed)


@pytest.mark.parametrize("generator", ["numbers.py", "registers.py"])
def test_a_generator_makes_no_folder_of_an_option(tmp_path: Path, generator: str) -> None:
    for option, status in (("--help", 0), ("--no-such-option", 2)):
        done = subprocess.run(
            [sys.executable, ROOT / "contract" / generator, option],
            cwd=tmp_path,
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
