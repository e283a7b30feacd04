"""Small modules to synthesise, and a cache that only these tests use."""

from pathlib import Path

import pytest

from totient.catalog import SourceList
from totient.flow import Rtl

FOLDER = Path(__file__).parent


def module(name: str, **parameters: int) -> Rtl:
    """The test module `name`, from the file of that name."""
    return Rtl(SourceList((FOLDER / f"{name}.sv",), ()), name, parameters)


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
