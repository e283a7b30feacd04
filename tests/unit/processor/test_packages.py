"""Installing compilers and simulators: a stand-in for apt-get, and BearSSL's source."""

import io
import json
import os
import tarfile
from pathlib import Path

import pytest

from totient.cli import main
from totient.common.errors import ToolError
from totient.processor import bearssl, packages, processors

# Writes down how it was called; `install` puts what the packages are known by beside itself.
APT_GET = """#!/bin/sh
echo "$@" >> {folder}/calls
case "$*" in
  *install*) {install} ;;
  *"source --download-only"*) cp {folder}/bearssl.tar.xz bearssl_0.6.orig.tar.xz ;;
esac
"""


def stand_in(folder: Path, install: str = "") -> None:
    script = folder / "apt-get"
    script.write_text(APT_GET.format(folder=folder, install=install or "exit 100"))
    script.chmod(0o755)


@pytest.fixture
def empty_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any of the packages, and with nothing but a shell's own programs."""
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("sh", "cp", "touch", "chmod"):
        (tmp_path / name).symlink_to(f"/bin/{name}")
    known = {
        name: value if not value.startswith("/") else str(tmp_path / name)
        for name, value in packages._KNOWN_BY.items()
    }
    monkeypatch.setattr(packages, "_KNOWN_BY", known)
    return tmp_path


def test_every_package_is_known_by_something() -> None:
    known = {package for each in processors() for package in each.packages}
    assert known == set(packages._KNOWN_BY)


def test_root_installs_what_is_missing(empty_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    programs = [Path(each).name for each in packages._KNOWN_BY.values()]
    names = " ".join(f"{empty_path}/{name}" for name in programs)
    stand_in(empty_path, f"touch {names}; chmod +x {names}")
    everything = packages.missing()
    assert set(everything) == set(packages._KNOWN_BY)
    assert packages.install() == everything
    calls = (empty_path / "calls").read_text().splitlines()
    assert calls[0] == "-qq update"
    assert calls[1].split()[-len(everything) :] == everything
    assert packages.install() == []


def test_nobody_else_does(empty_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    stand_in(empty_path)
    with pytest.raises(ToolError, match=r"missing: apt-get install .*gcc-arm-none-eabi"):
        packages.install()
    assert not (empty_path / "calls").exists()


def test_a_failure_of_apt_get_is_told(
    empty_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    stand_in(empty_path)
    assert main(["processors", "--install"]) == 2
    doing, error = capsys.readouterr().err.splitlines()
    assert doing.startswith("installing ")
    assert "apt-get -qq install failed" in error


def test_nothing_is_installed_twice(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["processors", "--install", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"installed": []}
    assert main(["processors", "--install"]) == 0
    shown = capsys.readouterr().err
    assert shown == "all compilers and simulators are installed, and BearSSL 0.6\n"


def test_another_bearssl_is_refused(empty_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOTIENT_CACHE", str(empty_path / "cache"))
    stand_in(empty_path)
    with tarfile.open(empty_path / "bearssl.tar.xz", "w:xz") as archive:
        entry = tarfile.TarInfo("bearssl-0.7/README")
        entry.size = 2
        archive.addfile(entry, io.BytesIO(b"hi"))
    with pytest.raises(ToolError, match=r"not the 0\.6"):
        bearssl.source()
    assert bearssl.fetched() is None
    (empty_path / "apt-get").unlink()
    with pytest.raises(ToolError, match="there is no apt-get"):
        bearssl.source()


def test_lists_of_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both forms of a list of packages become lists of their sources."""
    (tmp_path / "sources.list.d").mkdir()
    (tmp_path / "sources.list").write_text("# deb no\ndeb [x=y] a b main\ndeb-src a b main\n")
    (tmp_path / "sources.list.d" / "c.sources").write_text("Types: deb deb-src\nURIs: a\n")
    monkeypatch.setattr(bearssl, "_LISTS", tmp_path)
    assert dict(bearssl._source_lists()) == {
        "0.list": "deb-src [x=y] a b main\n",
        "c.sources": "Types: deb-src\nURIs: a\n",
    }


def test_the_list_of_processors(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["processors", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["processors"]
    assert [row["name"] for row in rows] == [each.name for each in processors()]
    assert not any(row["missing"] for row in rows), "make processors"
    assert main(["processors"]) == 0
    assert "simavr" in capsys.readouterr().out
