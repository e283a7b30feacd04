"""Small modules to synthesise, and a cache that only these tests use."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from totient.catalog import SourceList, sources
from totient.flow import Rtl, Target
from totient.flow.synthesis import synthesised

FOLDER = Path(__file__).parent


def module(name: str, **parameters: int) -> Rtl:
    """The test module `name`, from the file of that name."""
    return Rtl(SourceList((FOLDER / f"{name}.sv",), ()), name, parameters)


def with_prim(file: str, *pieces: str) -> SourceList:
    """A test file behind modules of `rtl/prim`, with what those use."""
    listings = [sources(f"totient:prim:{piece}") for piece in pieces]
    files = dict.fromkeys(each for listing in listings for each in listing.files)
    headers = dict.fromkeys(each for listing in listings for each in listing.headers)
    return SourceList((*files, FOLDER / file), tuple(headers))


def netlist_of(rtl: Rtl, target: Target) -> dict[str, Any]:
    """The netlist as Yosys writes it."""
    netlist: dict[str, Any] = json.loads((synthesised(rtl, target) / "netlist.json").read_text())
    return netlist


def put_on_path(folder: Path, monkeypatch: pytest.MonkeyPatch, **scripts: str) -> None:
    """Programs in a new folder, which the path begins with."""
    folder.mkdir()
    for name, script in scripts.items():
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def cache(shared_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache that the tests share, because nextpnr takes seconds to be compiled into it."""
    monkeypatch.setenv("TOTIENT_CACHE", str(shared_cache))
    return shared_cache


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOTIENT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"
