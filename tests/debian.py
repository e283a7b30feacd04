"""Debian packages that tests need: each part of the tests has its own list, and installs it."""

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from totient.common.errors import ToolError
from totient.processor.packages import install_packages

_PATH = "/usr/sbin:/usr/bin:/bin:/usr/local/bin"


def is_there(known: str | Path) -> bool:
    """Whether a program, a header (`.h`) or a file is installed."""
    if isinstance(known, Path):
        return known.exists()
    if known.endswith(".h"):
        folders = [Path("/usr/include"), *Path("/usr/include").glob("*-linux-gnu")]
        return any((folder / known).exists() for folder in folders)
    return shutil.which(known) is not None or shutil.which(known, path=_PATH) is not None


def tool(program: str, target: str) -> str:
    """Path of a program, which a target of the Makefile installs."""
    path = shutil.which(program)
    assert path, f"{program} is missing: make {target}"
    return path


def install(packages: Mapping[str, str | Path], what: str) -> int:
    """Install those of which something is missing; the exit status.

    Args:
        packages: one or more names, each with a program, a header or a file that it has.
        what: they are, in words.
    """
    absent = [names for names, known in packages.items() if not is_there(known)]
    if absent:
        try:
            install_packages([name for names in absent for name in names.split()], what, print)
        except ToolError as error:
            print(error, file=sys.stderr)
            return 2
    return 0
