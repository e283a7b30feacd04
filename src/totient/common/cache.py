"""The content-addressed cache: nothing is computed twice, and no partial result remains."""

import errno
import fcntl
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from totient.common.errors import ToolError

# In each folder of the cache: the sizes of its files.
_CONTENTS = ".contents.json"


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


def produce(kind: str, name: str, build: Callable[[Path], None]) -> Path:
    """Folder `kind/name` of the cache. `build` fills it if it does not exist yet.

    `build` gets an empty temporary folder on the same file system. The folder is renamed into place
    only when `build` returns, so an interrupted or failed build leaves nothing behind. If two
    processes request the same folder at once, it is built once. A folder that has lost a file, or
    part of one, is built again.

    Args:
        kind: kind of content, a folder name such as `models`.
        name: content address, from `digest`.
        build: fills the folder it is given.

    Raises:
        ToolError: the disk is full or read-only. Errors of `build` pass through.
    """
    parent = cache_root() / kind
    target = parent / name
    if _whole(target):
        return target
    with readable_errors(parent):
        # Locks stay: a removed one could be held by two processes at once.
        locks = cache_root() / "locks"
        _make_folders(parent, locks)
        with (locks / f"{kind}-{name}").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if _whole(target):
                return target
            # Remove leftovers of a killed process, and damaged folders.
            for left in (*parent.glob(f".{name}.*"), target):
                shutil.rmtree(left, ignore_errors=True)
            scratch = Path(tempfile.mkdtemp(prefix=f".{name}.", dir=parent))
            try:
                build(scratch)
                (scratch / _CONTENTS).write_text(json.dumps(_sizes(scratch)))
                scratch.rename(target)
            except BaseException:
                shutil.rmtree(scratch, ignore_errors=True)
                raise
    return target


def _make_folders(*folders: Path) -> None:
    """Make folders of the cache. Errors suggest another place for it."""
    for folder in folders:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise  # has its own message
            raise ToolError(
                f"cannot write {folder} ({error.strerror}): point TOTIENT_CACHE elsewhere"
            ) from error


def _sizes(folder: Path) -> dict[str, int]:
    """Size in bytes of every file in a folder of the cache, by its path there."""
    return {
        str(path.relative_to(folder)): path.stat().st_size
        for path in folder.rglob("*")
        if path.is_file() and path.name != _CONTENTS
    }


def _whole(folder: Path) -> bool:
    """Whether a folder of the cache exists with all its original files."""
    try:
        expected = json.loads((folder / _CONTENTS).read_text())
        return all((folder / name).stat().st_size == size for name, size in expected.items())
    except (OSError, ValueError, AttributeError):
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
