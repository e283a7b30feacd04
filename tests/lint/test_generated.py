"""What `make registers` and `make program` write is what is committed."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

from totient.catalog import registers
from totient.common.files import project_root
from totient.export.registers import register_text
from totient.golden.engine_packets import engine_program
from totient.golden.engine_rom import package

ROOT = project_root()


def test_registers_are_up_to_date(tmp_path: Path) -> None:
    maps = sorted((ROOT / "regs").glob("*.rdl"))
    runpy.run_path(str(ROOT / "regs" / "generate.py"))["generate"](tmp_path)
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


def test_the_generator_makes_no_folder_of_an_option(tmp_path: Path) -> None:
    for option, status in (("--help", 0), ("--no-such-option", 2)):
        done = subprocess.run(
            [sys.executable, ROOT / "regs" / "generate.py", option],
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
    for source in (ROOT / "regs").glob("*.rdl"):
        for name, register in registers(source.stem).items():
            assert register_text(register), (source.stem, name)


def test_the_engine_program_is_up_to_date() -> None:
    committed = ROOT / "rtl" / "engine" / "engine_program_pkg.sv"
    assert committed.read_text() == package(engine_program())
