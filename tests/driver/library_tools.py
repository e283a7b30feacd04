"""Debian packages that build libtotient: `python -m tests.driver.library_tools` installs them."""

import sys

from tests import debian

PACKAGES = {
    "cmake": "cmake",
    # The second has the library of libFuzzer.
    "clang libclang-rt-dev": "clang",
    "pkg-config": "pkg-config",
}
"""Debian packages, each with a program that it has."""


def tool(program: str) -> str:
    """Path of a program."""
    return debian.tool(program, "library")


def main() -> int:
    """Install what is missing."""
    return debian.install(PACKAGES, "CMake, clang and pkg-config")


if __name__ == "__main__":
    sys.exit(main())
