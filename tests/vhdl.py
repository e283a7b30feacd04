"""GHDL, which a test translates VHDL with. `python -m tests.vhdl` installs it."""

import sys

from tests.debian import install

PACKAGES = {"ghdl": "ghdl"}
"""A Debian package, with a program that it has."""


def main() -> int:
    """Install it if it is missing."""
    return install(PACKAGES, "GHDL")


if __name__ == "__main__":
    sys.exit(main())
