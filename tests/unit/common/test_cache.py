"""The cache: built once, whole or not at all, built again when damaged."""

import threading
import time
from pathlib import Path

import pytest

from totient.common.cache import cache_root, digest, produce


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache with a space"
    monkeypatch.setenv("TOTIENT_CACHE", str(folder))
    return folder


class Build:
    """Fills a folder, and counts how often."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, folder: Path) -> None:
        """Fill the folder."""
        self.times += 1
        (folder / "part").mkdir()
        (folder / "part" / "data").write_text("0123456789")


def test_what_is_there_is_not_built_again() -> None:
    build = Build()
    first = produce("models", "name", build)
    assert produce("models", "name", build) == first
    assert build.times == 1
    produce("models", "other", build)
    produce("netlists", "name", build)
    assert build.times == 3


@pytest.mark.parametrize("damage", ["missing", "short", "no contents", "no object", "no folder"])
def test_a_damaged_entry_is_built_again(damage: str) -> None:
    build = Build()
    folder = produce("models", "name", build)
    data = folder / "part" / "data"
    match damage:
        case "missing":
            data.unlink()
        case "short":
            data.write_text("01234")
        case "no contents":
            (folder / ".contents.json").unlink()
        case "no object":
            (folder / ".contents.json").write_text("[]")
        case "no folder":
            data.unlink()
            data.parent.rmdir()
    assert produce("models", "name", build) == folder
    assert data.read_text() == "0123456789"
    assert build.times == 2


def test_a_failed_build_leaves_nothing(cache: Path) -> None:
    def fail(folder: Path) -> None:
        (folder / "half").write_text("half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        produce("models", "name", fail)
    assert not list((cache / "models").iterdir())


def test_what_a_killed_process_left_is_removed(cache: Path) -> None:
    left = cache / "models" / ".name.abcdefgh"
    other = cache / "models" / ".other.abcdefgh"
    for folder in (left, other):
        folder.mkdir(parents=True)
        (folder / "half").write_text("half")
    produce("models", "name", Build())
    assert not left.exists()
    assert other.exists(), "somebody may still be building it"


def test_two_at_once_build_once() -> None:
    """Each opens the lock on its own, as two processes do."""
    began, build = threading.Event(), Build()

    def slowly(folder: Path) -> None:
        began.set()
        time.sleep(0.5)
        build(folder)

    first = threading.Thread(target=produce, args=("models", "name", slowly))
    first.start()
    assert began.wait(20)
    produce("models", "name", build)
    first.join()
    assert build.times == 1


def test_the_root_is_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOTIENT_CACHE", "relative")
    assert cache_root() == tmp_path / "relative"
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TOTIENT_CACHE", "~/own")
    assert cache_root() == tmp_path / "home" / "own"
    monkeypatch.delenv("TOTIENT_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert cache_root() == tmp_path / "home" / ".cache" / "totient"


def test_digests_keep_parts_apart() -> None:
    assert digest("ab", "c") != digest("a", "bc")
    assert digest("ab") == digest(b"ab")
    assert len(digest()) == 24
