"""The content-addressed cache: nothing is computed twice, and no partial result remains.

Its folders and locks are the user's alone: see `totient.common.trust`.
"""

import errno
import fcntl
import hashlib
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from totient.common.errors import ToolError
from totient.common.trust import check_folder, check_open_file, check_root, open_unlinked

# In each folder of the cache: the sizes of its files, and hashes of those that are code.
_CONTENTS = ".contents.json"
_HASHES = ".sha256.json"

_ELSEWHERE = "point TOTIENT_CACHE at a folder of your own"


def cache_root() -> Path:
    """Folder of the cache: `TOTIENT_CACHE`, else `totient` in the user's cache folder."""
    chosen = os.environ.get("TOTIENT_CACHE")
    if chosen:
        return Path(chosen).expanduser().absolute()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "totient"


def digest(*parts: str | bytes) -> str:
    """Content address: 24 hexadecimal digits of SHA-256 over the parts, each with its length."""
    state = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        state.update(f"{len(data)}:".encode() + data)
    return state.hexdigest()[:24]


@contextmanager
def readable_errors(where: Path) -> Iterator[None]:
    """Turn a full or read-only disk below `where` into a one-line error."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise ToolError(
                f"no space left for {where}: free some, or point TOTIENT_CACHE elsewhere"
            ) from error
        if error.errno in (errno.EACCES, errno.EROFS, errno.EPERM, errno.ENOTDIR):
            raise ToolError(
                f"cannot write {where} ({error.strerror}): point TOTIENT_CACHE elsewhere"
            ) from error
        raise


def cache_folder(*parts: str) -> Path:
    """A folder of the cache, made if absent (mode 0700), without symbolic links.

    Args:
        parts: its name in the root of the cache, and names of folders in it.

    Raises:
        ToolError: it cannot be made, or it, or a folder above it, is another user's or can be
            written by others (`totient.common.trust`).
    """
    root = cache_root()
    _make_folder(root)
    folder = check_root(root, _ELSEWHERE)
    for part in parts:
        folder /= part
        _make_folder(folder)
        check_folder(folder, _ELSEWHERE)
    return folder


def produce(kind: str, name: str, build: Callable[[Path], None], code: Sequence[str] = ()) -> Path:
    """Folder `kind/name` of the cache. `build` fills it if it does not exist yet.

    `build` gets an empty temporary folder on the same file system. The folder is renamed into place
    only when `build` returns, so an interrupted or failed build leaves nothing behind. If two
    processes request the same folder at once, it is built once. A folder that has lost a file, or
    part of one, is built again.

    Args:
        kind: kind of content, a folder name such as `models`.
        name: content address, from `digest`.
        build: fills the folder it is given.
        code: patterns (`fnmatch`) of its files that are loaded as code. Their SHA-256 is checked
            each time.

    Raises:
        ToolError: the disk is full or read-only, or the cache is another user's or can be written
            by others. Errors of `build` pass through.
    """
    where = cache_root() / kind
    with readable_errors(where):
        parent = cache_folder(kind)
        target = parent / name
        if _whole(target, code):
            return target
        # Locks stay: a removed one could be held by two processes at once.
        with _locked(cache_folder("locks") / f"{kind}-{name}"):
            if _whole(target, code):
                return target
            # Remove leftovers of a killed process, and damaged folders.
            for left in (*parent.glob(f".{name}.*"), target):
                shutil.rmtree(left, ignore_errors=True)
            scratch = Path(tempfile.mkdtemp(prefix=f".{name}.", dir=parent))
            try:
                build(scratch)
                _seal(scratch, code)
                scratch.rename(target)
            except BaseException:
                shutil.rmtree(scratch, ignore_errors=True)
                raise
    return target


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock: a file that nobody else can have put there."""
    file = open_unlinked(path, os.O_RDWR | os.O_CREAT)
    try:
        check_open_file(path, file, "remove it")
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)


def _make_folder(folder: Path) -> None:
    """Make a folder of the cache, and those above it. Errors suggest another place for it."""
    try:
        if not folder.parent.exists():
            _make_folder(folder.parent)
        folder.mkdir(mode=0o700)
    except FileExistsError:
        return  # of which kind it is, a check finds
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise  # has its own message
        raise ToolError(
            f"cannot write {folder} ({error.strerror}): point TOTIENT_CACHE elsewhere"
        ) from error


def _files(folder: Path) -> dict[str, Path]:
    """Regular files of a folder of the cache, by their path there."""
    return {
        str(path.relative_to(folder)): path
        for path in folder.rglob("*")
        if path.name not in (_CONTENTS, _HASHES) and stat.S_ISREG(path.lstat().st_mode)
    }


def _seal(folder: Path, code: Sequence[str]) -> None:
    """Write down what a folder of the cache holds. Nobody else may write to its code.

    The user's umask may allow that: the files are written by compilers.
    """
    hashes = _hashes(folder, code)
    for name in hashes:
        (folder / name).chmod((folder / name).lstat().st_mode & ~0o022)
    sizes = {name: path.lstat().st_size for name, path in _files(folder).items()}
    (folder / _HASHES).write_text(json.dumps(hashes))
    (folder / _CONTENTS).write_text(json.dumps(sizes))


def _hashes(folder: Path, code: Sequence[str]) -> dict[str, str]:
    """SHA-256 of the files of a folder of the cache that are loaded as code."""
    found = {}
    for name, path in _files(folder).items() if code else ():
        if any(fnmatchcase(name, pattern) for pattern in code):
            with os.fdopen(open_unlinked(path, os.O_RDONLY), "rb") as file:
                found[name] = hashlib.file_digest(file, "sha256").hexdigest()
    return found


def _stated(path: Path) -> dict[str, Any]:
    """What a file of the cache states of others, by their name; `ValueError` if it is damaged."""
    with os.fdopen(open_unlinked(path, os.O_RDONLY), "rb") as file:
        found = json.load(file)
    if not isinstance(found, dict):
        raise ValueError("no object of JSON")
    return found


def _whole(folder: Path, code: Sequence[str]) -> bool:
    """Whether a folder of the cache exists with all its original files.

    Raises:
        ToolError: it exists, and is no folder, another user's, or can be written by others.
    """
    try:
        check_folder(folder, _ELSEWHERE)
        for name, size in _stated(folder / _CONTENTS).items():
            found = (folder / name).lstat()
            if found.st_size != size or not stat.S_ISREG(found.st_mode):
                return False
        return not code or _stated(folder / _HASHES) == _hashes(folder, code)
    except (OSError, ValueError):
        return False


def write_file(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a file whole or not at all: a temporary file in the same folder, then a rename.

    Args:
        path: the file; its folder must exist.
        data: the content.
        mode: permissions of the file (0o600 for key material).
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            os.fchmod(out.fileno(), mode)
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        Path(name).rename(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
