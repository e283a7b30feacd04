"""Files that nobody else can have written: what is loaded as code, and the cache that it is in.

Whoever can write to a cache can plant a library there, and its user runs it. So a folder of the
cache, a lock and a library must belong to the user or to root, and nobody else may write to them.

A group may write if it is the user's own: one with the user's name and no other member. Where each
user has such a group, as on Debian, files are often writable by it (umask 002), which gives nobody
else access.

The folders above are checked, too: whoever can write to one can replace all below it, except where
it is sticky, as /tmp is; and its owner can do so always. They may belong to the user, to root, and
to whoever can replace this tool: the owners of the folders that it is in. In a container, root
often works in a folder of another user, from which it runs the tool, too.

A symbolic link is followed only to the outermost folder of a cache, and to a library that is named.
Each link on the way must be in such folders, and belong to the user or root.
"""

import errno
import os
import stat
from functools import cache
from pathlib import Path

from totient.common.errors import ToolError

_ACL = "system.posix_acl_access"
_MOST_LINKS = 40

KINDS = {
    stat.S_IFREG: "a regular file",
    stat.S_IFDIR: "a folder",
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
"""Kinds of files in words, by `stat.S_IFMT`."""


def check_root(path: Path, remedy: str) -> Path:
    """Check the outermost folder that is trusted, and the folders above it.

    Args:
        path: an absolute path. It may be a link, if the user or root has made it.
        remedy: end of the message.

    Returns:
        The path without links.

    Raises:
        ToolError: it is no folder, or somebody else owns it or can write to it.
        FileNotFoundError: it does not exist.
    """
    path.lstat()
    try:
        real = _follow(path, remedy)
    except FileNotFoundError:
        raise ToolError(
            f"{path} is a symbolic link to nothing, allowed is a folder: {remedy}"
        ) from None
    check_folder(real, remedy)
    _check_above(real, remedy)
    return real


def check_folder(path: Path, remedy: str) -> None:
    """Check a folder in one that has been checked. A link to a folder is none.

    Raises:
        ToolError: it is no folder, or somebody else owns it or can write to it.
        FileNotFoundError: it does not exist.
    """
    _check(path, path.lstat(), stat.S_IFDIR, remedy)


def check_open_file(path: Path, file: int, remedy: str) -> None:
    """Check a file that is open, as its name may lead to another one by now.

    Raises:
        ToolError: it is no regular file, or somebody else owns it or can write to it.
    """
    _check(path, os.fstat(file), stat.S_IFREG, remedy)


def check_code(path: Path) -> None:
    """Check a library before it is loaded: itself, links to it, and the folders above them.

    Raises:
        ToolError: it is no regular file, or somebody else owns it or a link to it, or can write to
            it or to a folder above it. A file that does not exist passes: it cannot be loaded.
    """
    remedy = "it is not loaded"
    try:
        real = _follow(path, remedy)
        _check(real, real.lstat(), stat.S_IFREG, remedy)
        _check_above(real, remedy)
    except FileNotFoundError:
        return


def open_unlinked(path: Path, flags: int, mode: int = 0o600) -> int:
    """Open a file as `os.open` does, but not by a symbolic link in its place.

    Raises:
        ToolError: it is a symbolic link or a folder.
        OSError: as for `os.open`.
    """
    try:
        return os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    except OSError as error:
        if error.errno not in (errno.ELOOP, errno.EISDIR):
            raise
        kind = "a symbolic link" if path.is_symlink() else "a folder"
        raise ToolError(f"{path} is {kind}, allowed is a regular file: remove it") from error


def _check(path: Path, found: os.stat_result, kind: int, remedy: str) -> None:
    if stat.S_IFMT(found.st_mode) != kind:
        is_kind = KINDS.get(stat.S_IFMT(found.st_mode), "another kind of file")
        raise ToolError(f"{path} is {is_kind}, allowed is {KINDS[kind]}: {remedy}")
    _check_owner(path, found, remedy)
    writers = _other_writers(path, found)
    if writers:
        raise ToolError(
            f"{path} can be written by {writers}, allowed is its owner alone (chmod go-w): {remedy}"
        )


def _check_owner(path: Path, found: os.stat_result, remedy: str) -> None:
    if found.st_uid not in (os.geteuid(), 0):
        raise ToolError(
            f"{path} belongs to user {_name(found.st_uid)}, allowed {_allowed()}: {remedy}"
        )


def _allowed() -> str:
    user = os.geteuid()
    return f"are {_name(user)} and root" if user else "is root"


def _follow(path: Path, remedy: str) -> Path:
    """A path without links. Each link must be trusted as the folders above a file are."""
    rest = [*reversed(path.absolute().parts[1:])]
    real, links = Path("/"), 0
    while rest:
        part = rest.pop()
        here = real.parent if part == ".." else real / part
        found = here.lstat()
        if not stat.S_ISLNK(found.st_mode):
            real = here
            continue
        links += 1
        if links > _MOST_LINKS:
            raise ToolError(f"{path} has more than {_MOST_LINKS} symbolic links: {remedy}")
        _check_owner(here, found, remedy)
        _check_above(here, remedy)
        target = here.readlink()
        if target.is_absolute():
            real = Path("/")
        rest += reversed(target.parts[1:] if target.is_absolute() else target.parts)
    return real


def _check_above(path: Path, remedy: str) -> None:
    """Check the folders above a path without links, or a link that is in such a path."""
    for folder in path.parents:
        found = folder.lstat()
        if found.st_uid not in {os.geteuid(), *_hosts()}:
            raise ToolError(
                f"{path} can be replaced: {folder} belongs to user {_name(found.st_uid)}, "
                f"allowed {_allowed()}: {remedy}"
            )
        writers = None if found.st_mode & stat.S_ISVTX else _other_writers(folder, found)
        if writers:
            raise ToolError(
                f"{path} can be replaced: {folder} can be written by {writers}, allowed is its "
                f"owner alone, or a sticky folder (chmod +t): {remedy}"
            )


@cache
def _hosts() -> frozenset[int]:
    """Root, and whoever can replace this module. The owner of `/` is root by another number."""
    above = Path(__file__).resolve().parents
    return frozenset({0, *(folder.lstat().st_uid for folder in above)})


def _other_writers(path: Path, found: os.stat_result) -> str | None:
    """Who can write to a file or a folder beside its owner, in words."""
    if found.st_mode & stat.S_IWOTH:
        return "everybody"
    if found.st_mode & stat.S_IWGRP and (_has_list(path) or not _is_own(found.st_gid)):
        return f"group {found.st_gid}"
    return None


def _has_list(path: Path) -> bool:
    """Whether a file has an access control list. The group's bits are then those of the list."""
    try:
        return _ACL in os.listxattr(path)
    except (OSError, AttributeError):
        return False


@cache
def _is_own(group: int) -> bool:
    """Whether a group has no members but the user and root."""
    import grp
    import pwd

    try:
        name = pwd.getpwuid(os.geteuid()).pw_name
        entry = grp.getgrgid(group)
    except KeyError:
        return False
    trusted = {name, "root"}
    return (
        entry.gr_name in trusted
        and trusted.issuperset(entry.gr_mem)
        and all(each.pw_gid != group or each.pw_name in trusted for each in pwd.getpwall())
    )


def _name(user: int) -> str:
    import pwd

    try:
        return f"{pwd.getpwuid(user).pw_name} ({user})"
    except KeyError:
        return str(user)
