"""What `make registers` and `make program` write is what is committed."""

import runpy
from pathlib import Path

from totient.common.files import project_root
from totient.golden.engine_packets import engine_program
from totient.golden.engine_rom import package

ROOT = project_root()


def test_registers_are_up_to_date(tmp_path: Path) -> None:
    maps = sorted((ROOT / "regs").glob("*.rdl"))
    runpy.run_path(str(ROOT / "regs" / "generate.py"))["generate"](tmp_path)
    pages = tmp_path / "build" / "registers"
    written = {path for path in tmp_path.rglob("*") if path.is_file()} - set(pages.rglob("*"))
    assert len(written) == 4 * len(maps)
    for path in written:
        committed = ROOT / path.relative_to(tmp_path)
        assert committed.read_text() == path.read_text(), committed
    for source in maps:
        assert "<html" in (pages / source.stem / "index.html").read_text()


def test_the_engine_program_is_up_to_date() -> None:
    committed = ROOT / "rtl" / "engine" / "engine_program_pkg.sv"
    assert committed.read_text() == package(engine_program())
