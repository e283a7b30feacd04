"""Source lists: kept in the cache, and made anew when a `.core` file changes."""

import importlib
import shutil
from pathlib import Path

import pytest

from totient.catalog.sources import SourceList, sources
from totient.common.errors import ToolError
from totient.common.files import project_root

MODULE = importlib.import_module(
    "totient.catalog.sources"
)  # the package has a function of its name
CORE = "totient:modexp:modexp_binary"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the RTL, with a cache of its own."""
    monkeypatch.setenv("TOTIENT_CACHE", str(tmp_path / "cache"))
    shutil.copytree(project_root() / "rtl", tmp_path / "rtl")
    monkeypatch.setattr(MODULE, "project_root", lambda: tmp_path)
    return tmp_path / "rtl"


def listed(core: str = CORE) -> SourceList:
    """The list, as a new process gets it."""
    MODULE._manager.cache_clear()
    MODULE._described.cache_clear()
    return sources.__wrapped__(core, tool="verilator")


def test_a_list_is_resolved_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = listed()
    assert first.files[-1] == root / "modexp" / "modexp_binary.sv"
    assert all(path.is_file() for path in (*first.files, *first.headers))
    monkeypatch.setattr(MODULE, "_resolved", lambda *_: pytest.fail("again"))
    assert listed() == first


def test_a_changed_core_file_gives_another_list(root: Path) -> None:
    first = listed()
    described = root / "modexp" / "modexp_binary.core"
    described.write_text(described.read_text().replace(", totient:modmul:modmul_interleaved", ""))
    gone = {path.name for path in {*first.files} - {*listed().files}}
    assert gone == {"modmul_interleaved.sv"}


def test_a_list_belongs_to_its_tool_and_core(root: Path) -> None:
    lists = {
        sources.__wrapped__(core, tool=tool)
        for core in ("totient:prim:multiply_registered", CORE)
        for tool in ("verilator", "vivado")
    }
    assert len(lists) >= 3
    with pytest.raises(ToolError, match=r"no complete FuseSoC core totient:modexp:none"):
        listed("totient:modexp:none")


def test_no_cache_is_needed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = listed()
    (root / "file").write_text("in the way")
    monkeypatch.setenv("TOTIENT_CACHE", str(root / "file"))
    assert listed() == first
