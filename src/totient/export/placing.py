"""Moving an exported folder to its destination without loss of other files.

An exported folder has a list of its files, `MANIFEST`. Only files in such a list are ever
removed.
"""

from pathlib import Path

from totient.common.errors import InputError

MANIFEST = "MANIFEST"
"""The file with the names of all files of an exported folder, including itself, one a line."""


def files_in(folder: Path) -> list[str]:
    """Names of all files in a folder, relative to it, sorted."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def check_place(folder: Path, force: bool) -> None:
    """Check that an export to a folder is possible, before any work is done.

    Args:
        folder: destination.
        force: allow an earlier export there.

    Raises:
        InputError: it is a file; or not empty and, with `force`, not an earlier export; or its
            list of files is none; or its parent folder does not exist.
    """
    if (folder.exists() or folder.is_symlink()) and not folder.is_dir():
        raise InputError(f"--out is {folder}, a file; allowed is a folder that is empty or new")
    if not folder.absolute().parent.is_dir():
        raise InputError(f"--out is {folder}, in a folder that does not exist")
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    allowed = "allowed is an empty or a new folder, or --force with an earlier export"
    if not force:
        raise InputError(f"--out is {folder}, which is not empty; {allowed}")
    if not (folder / MANIFEST).is_file():
        raise InputError(f"--out is {folder}, which is not empty and has no {MANIFEST}; {allowed}")
    _listed(folder)


def put_in_place(made: Path, folder: Path) -> list[str]:
    """Move an export to its destination.

    The files of an earlier export are removed. All other files stay.

    Args:
        made: a folder on the same file system; afterwards it is gone, or empty.
        folder: accepted by `check_place`.

    Returns:
        Names of the files, sorted.

    Raises:
        InputError: a file outside the earlier export blocks a new one; nothing has been changed
            then.
        OSError: something cannot be moved.
    """
    new = sorted({*files_in(made), MANIFEST})
    (made / MANIFEST).write_text("\n".join([*new, ""]))
    if not (folder / MANIFEST).is_file():
        if folder.is_dir():
            folder.rmdir()
        made.rename(folder)
        return new
    old = _listed(folder)
    for name in new:
        if name not in old and (path := _in_the_way(folder, name)):
            raise InputError(f"{path} is in the way, and not of an earlier export; remove it first")
    for name in old:
        path = folder / name
        if not any(parent.is_symlink() for parent in _between(folder, path)):
            path.unlink(missing_ok=True)
    for name in sorted(old, reverse=True):
        for parent in _between(folder, folder / name):
            if not parent.is_symlink() and parent.is_dir() and not any(parent.iterdir()):
                parent.rmdir()
    for name in new:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).replace(folder / name)
    return new


def _listed(folder: Path) -> set[str]:
    """Names of the files of an earlier export.

    Raises:
        InputError: its list is not one, or has a folder in it.
    """
    path = folder / MANIFEST
    try:
        lines = path.read_bytes().decode().splitlines()
        names = {name for name in lines if _is_below(name)}
        for name in names:
            if (folder / name).is_dir() and not (folder / name).is_symlink():
                raise InputError(f"{path} names {name}, a folder; allowed are files")
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is not a list of files that an export wrote") from error
    return names


def _is_below(name: str) -> bool:
    """Whether a line of a list names a file below the folder."""
    path = Path(name)
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts


def _between(folder: Path, path: Path) -> list[Path]:
    """Folders below `folder` that contain a path, the innermost first."""
    return [parent for parent in path.parents if folder in parent.parents]


def _in_the_way(folder: Path, name: str) -> Path | None:
    """The existing path that blocks a new file or one of its folders."""
    path = folder / name
    for parent in _between(folder, path):
        if parent.is_symlink() or (parent.exists() and not parent.is_dir()):
            return parent
    return path if path.exists() or path.is_symlink() else None
