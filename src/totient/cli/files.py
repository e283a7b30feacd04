"""Input and output of the commands: files, or the standard streams by the name `-`."""

import errno
import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from totient.common.cache import write_file
from totient.common.errors import InputError
from totient.common.trust import KINDS

STANDARD = Path("-")

# Keys, signatures and ciphertexts have at most 512 bytes; a message to encrypt
# has fewer.
_MOST_BYTES = 1 << 16


class ClosedOutput(io.TextIOBase):
    """A standard output that was closed before the start; Python then has none."""

    @property
    def buffer(self) -> "ClosedOutput":
        """The same for bytes."""
        return self

    def write(self, data: str | bytes) -> int:
        """Fail.

        Raises:
            InputError: always.
        """
        raise InputError("cannot write the standard output: it is closed")


@contextmanager
def open_input(path: Path) -> Iterator[BinaryIO]:
    """Open a file or the standard input.

    Raises:
        InputError: it cannot be opened.
    """
    if path == STANDARD:
        if sys.stdin is None:
            raise InputError("cannot read the standard input: it is closed")
        yield sys.stdin.buffer
        return
    try:
        file = path.open("rb")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    with file:
        yield file


def read_input(path: Path, what: str) -> bytes:
    """Read a short file or the standard input to its end.

    Args:
        path: the file.
        what: name of the content, for the message.

    Raises:
        InputError: it cannot be opened, or is far longer than any key allows.
    """
    with open_input(path) as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise InputError(f"the {what} {path} has more than {_MOST_BYTES:,} bytes")
    return data


def file_path(text: str) -> Path:
    """Path of an option. It must not be empty, which would be the current folder.

    Raises:
        InputError: it is.
    """
    if not text:
        raise InputError("a file is '', allowed is its path")
    return Path(text)


def check_output(path: Path | None, *inputs: Path) -> None:
    """Refuse an output that cannot be written, before any work is done.

    Args:
        path: the output; `None` and the standard output always pass.
        inputs: files that it must not be, such as the key.

    Raises:
        InputError: its folder is missing or not writable, it is a folder, or one of `inputs`.
    """
    if path is None or path == STANDARD:
        return
    problem = None
    if path.is_dir():
        problem = errno.EISDIR
    elif not path.parent.is_dir():
        problem = errno.ENOTDIR if path.parent.exists() else errno.ENOENT
    elif not os.access(path if path.exists() else path.parent, os.W_OK):
        problem = errno.EROFS if _is_read_only(path) else errno.EACCES
    if problem:
        raise InputError(f"cannot write {path}: {os.strerror(problem)}")
    for given in inputs:
        if given != STANDARD and given.exists() and path.exists() and given.samefile(path):
            raise InputError(f"the output {path} is also an input: it would be overwritten")


def check_private_output(path: Path) -> None:
    """Refuse a place where somebody else could read or redirect a private key.

    Args:
        path: the output; the standard output always passes.

    Raises:
        InputError: it exists and is no regular file. A symbolic link is refused, too.
    """
    if path == STANDARD:
        return
    try:
        kind = stat.S_IFMT(path.lstat().st_mode)
    except OSError:
        return  # absent; another error is that of the write
    if kind != stat.S_IFREG:
        found = KINDS.get(kind, "another kind of file")
        raise InputError(
            f"{path} is {found}, allowed for a private key is a regular file, a new path, "
            "or - for the standard output"
        )


def _is_read_only(path: Path) -> bool:
    """Whether a file, which may not exist, is on a read-only file system."""
    place = path if path.exists() else path.parent
    return bool(os.statvfs(place).f_flag & os.ST_RDONLY)


def write_output(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a file, whole or not at all, or the standard output.

    Args:
        path: the file; one that is not a regular file (a pipe, a device) is written in place.
        data: the content.
        mode: permissions of the file.

    Raises:
        InputError: it cannot be written.
        BrokenPipeError: nobody reads it any more.
    """
    try:
        if path == STANDARD:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        elif path.exists() and not path.is_file():
            with path.open("wb") as file:
                file.write(data)
        else:
            # Follow a link to its target.
            write_file(path.resolve(), data, mode)
    except OSError as error:
        if path == STANDARD:
            discard_standard_output()
        if isinstance(error, BrokenPipeError):
            raise  # the reader needs no more
        name = "the standard output" if path == STANDARD else path
        raise InputError(f"cannot write {name}: {error.strerror}") from error


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner can read, whole or not at all.

    The file takes the place of whatever has the path by then: it is never written through a link,
    or to a pipe.

    Args:
        path: the file, which `check_private_output` has passed.
        data: the content.

    Raises:
        InputError: it cannot be written.
    """
    try:
        write_file(path, data, 0o600)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error


def write_text(text: str) -> None:
    """Write a line on the standard output.

    Raises:
        InputError: it cannot be written.
    """
    write_output(STANDARD, f"{text}\n".encode())


def discard_standard_output() -> None:
    """Prevent a flush to a closed reader when the interpreter ends."""
    if isinstance(sys.stdout, ClosedOutput):
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
