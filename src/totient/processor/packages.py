"""The Debian packages with compilers and simulators of processors."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from totient.common.errors import ToolError
from totient.processor.model import Processor
from totient.processor.processors import processors

# A program or a file that identifies each package.
_KNOWN_BY = {
    "avr-libc": "/usr/lib/avr/include/stdint.h",
    "clang-19": "clang-19",
    "gcc-arm-none-eabi": "arm-none-eabi-gcc",
    "gcc-avr": "avr-gcc",
    "gcc-xtensa-lx106": "xtensa-lx106-elf-gcc",
    "libelf-dev": "/usr/include/libelf.h",
    "libsimavr-dev": "/usr/include/simavr/sim_avr.h",
    "lld-19": "ld.lld-19",
    "mspdebug": "mspdebug",
    "qemu-system-arm": "qemu-system-arm",
    "qemu-system-misc": "qemu-system-xtensa",
}


def _is_there(package: str) -> bool:
    known = _KNOWN_BY[package]
    return Path(known).exists() if known.startswith("/") else shutil.which(known) is not None


def missing(selected: Iterable[Processor] | None = None) -> list[str]:
    """Missing packages, for some processors or for all."""
    chosen = processors() if selected is None else selected
    names = dict.fromkeys(package for each in chosen for package in each.packages)
    return [name for name in names if not _is_there(name)]


def require(processor: Processor) -> None:
    """Check that compiler and simulator of a processor are installed.

    Raises:
        ToolError: a package is missing; the message names it and the install command.
    """
    absent = missing([processor])
    if absent:
        raise ToolError(
            f"programs for {processor.title} require packages that are not installed: "
            f"make processors, or apt-get install {' '.join(absent)}"
        )


def install(say: Callable[[str], None] = lambda text: None) -> list[str]:
    """Install missing packages, by `apt-get` as root.

    Args:
        say: called with a message before slow steps.

    Returns:
        The packages that were installed.

    Raises:
        ToolError: this is not root, or there is no `apt-get`, or it failed; the message names the
            packages.
    """
    absent = missing()
    if absent:
        install_packages(absent, "compilers and simulators", say)
    still = missing()
    if still:
        raise ToolError(f"installed, but not found: {' '.join(still)}")
    return absent


def install_packages(names: Sequence[str], what: str, say: Callable[[str], None]) -> None:
    """Install Debian packages, as root.

    Args:
        names: of the packages; at least one.
        what: they are, for the message.
        say: called with a message before slow steps.

    Raises:
        ToolError: this is not root, or there is no `apt-get`, or it failed; the message names the
            packages.
    """
    words = f"apt-get install {' '.join(names)}"
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise ToolError(f"{what} are missing: {words}")
    say(f"installing {' '.join(names)}: some minutes")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "-qq", "update"],
        ["apt-get", "-qq", "install", "--yes", "--no-install-recommends", *names],
    ):
        done = subprocess.run(command, capture_output=True, text=True, env=quiet, check=False)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
            raise ToolError(f"{' '.join(command[:3])} failed ({last}); required: {words}")
