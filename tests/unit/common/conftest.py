"""Files of another user, for tests that run as root or as any user."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from totient.common import trust

OTHER = 54_321
"""A user and a group that nobody is."""

Give = Callable[[Path], None]


@pytest.fixture
def give_away(monkeypatch: pytest.MonkeyPatch) -> Give:
    """Make a file another user's. Only root can do so: for others, its status says so."""
    given: set[tuple[int, int]] = set()

    def seen(found: os.stat_result) -> os.stat_result:
        if (found.st_dev, found.st_ino) not in given:
            return found
        return os.stat_result((*found[:4], OTHER, *found[5:]))

    def give(path: Path) -> None:
        if os.geteuid() == 0:
            os.chown(path, OTHER, -1, follow_symlinks=False)
            return
        found = os.lstat(path)
        given.add((found.st_dev, found.st_ino))

    if os.geteuid() != 0:
        lstat, fstat = Path.lstat, os.fstat
        monkeypatch.setattr(Path, "lstat", lambda path: seen(lstat(path)))
        monkeypatch.setattr(os, "fstat", lambda file: seen(fstat(file)))
    return give


@pytest.fixture
def open_to_group(monkeypatch: pytest.MonkeyPatch) -> Give:
    """Let a group of others write to a file. Only root can change its group to such a one."""

    def give(path: Path) -> None:
        if os.geteuid() == 0:
            os.chown(path, -1, OTHER)
        else:
            monkeypatch.setattr(trust, "_is_own", lambda group: False)
        path.chmod(path.stat().st_mode | 0o020)

    return give
