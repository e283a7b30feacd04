"""Debian packages that build libtotient: `python -m tests.driver.library_tools` installs them."""

import shutil
import sys

from totient.common.errors import ToolError
from totient.processor.packages import install_packages

PROGRAMS = {
    "cmake": "cmake",
    # The second has the library of libFuzzer.
    "clang": "clang libclang-rt-dev",
    "pkg-config": "pkg-config",
}
"""Programs with the Debian packages of each."""


def tool(program: str) -> str:
    """Path of a program."""
    path = shutil.which(program)
    assert path, f"{program} is missing: make library"
    return path


def main() -> int:
    """Install what is missing."""
    absent = (packages for program, packages in PROGRAMS.items() if not shutil.which(program))
    names = [name for packages in absent for name in packages.split()]
    if names:
        try:
            install_packages(names, "CMake, clang and pkg-config", print)
        except ToolError as error:
            print(error, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
