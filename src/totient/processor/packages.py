"""The Debian packages that compilers and simulators of processors come from."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

from totient.common.errors import ToolError
from totient.processor.model import Processor
from totient.processor.processors import processors

# What each package is known by: a program, or a file.
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


def missing(wanted: Iterable[Processor] | None = None) -> list[str]:
    """Packages that are not there, of some processors or of all."""
    chosen = processors() if wanted is None else wanted
    names = dict.fromkeys(package for each in chosen for package in each.packages)
    return [name for name in names if not _is_there(name)]


def require(processor: Processor) -> None:
    """See that compiler and simulator of a processor are there.

    Raises:
        ToolError: a package is missing; it says which and how to install it.
    """
    absent = missing([processor])
    if absent:
        raise ToolError(
            f"programs for {processor.title} want what is not installed: "
            f"make processors, or apt-get install {' '.join(absent)}"
        )


def install(tell: Callable[[str], None] = lambda text: None) -> list[str]:
    """Install what is missing, by `apt-get` as root.

    Args:
        tell: told what takes a while.

    Returns:
        The packages that were installed.

    Raises:
        ToolError: this is not root, or there is no `apt-get`, or it failed; it says what to
            install.
    """
    absent = missing()
    if not absent:
        return []
    words = f"apt-get install {' '.join(absent)}"
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise ToolError(f"compilers and simulators are missing: {words}")
    tell(f"installing {' '.join(absent)}: some minutes")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "-qq", "update"],
        ["apt-get", "-qq", "install", "--yes", "--no-install-recommends", *absent],
    ):
        done = subprocess.run(command, capture_output=True, text=True, env=quiet, check=False)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
            raise ToolError(f"{' '.join(command[:3])} failed ({last}); wanted: {words}")
    still = missing()
    if still:
        raise ToolError(f"installed, but not found: {' '.join(still)}")
    return absent
