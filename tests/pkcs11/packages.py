"""The programs that use a token in tests. `python -m tests.pkcs11.packages` installs them."""

import shutil
import sys
from pathlib import Path

from totient.common.errors import ToolError
from totient.processor.packages import install_packages

_LIBRARIES = Path("/usr/lib") / "x86_64-linux-gnu"
if not _LIBRARIES.exists():
    _LIBRARIES = next(Path("/usr/lib").glob("*-linux-gnu"), Path("/usr/lib"))

CLIENT = _LIBRARIES / "pkcs11" / "p11-kit-client.so"
"""p11-kit's module that speaks to a daemon."""

ENGINE = _LIBRARIES / "engines-3" / "pkcs11.so"
"""OpenSSL's engine for PKCS#11 modules."""

PACKAGES: dict[str, str | Path] = {
    "gnutls-bin": "p11tool",
    "libengine-pkcs11-openssl": ENGINE,
    "libgmp-dev": "gmp.h",
    "libp11-kit-dev": "p11-kit-1/p11-kit/pkcs11.h",
    "libsodium-dev": "sodium.h",
    "nettle-dev": "nettle/sha2.h",
    "nginx-light": "nginx",
    "opensc": "pkcs11-tool",
    "openssh-client": "ssh-keygen",
    "p11-kit-modules": CLIENT,
    "pkg-config": "pkg-config",
    "valgrind": "valgrind",
}
"""Debian packages, each with a program, a header or a file that it has."""


def is_there(known: str | Path) -> bool:
    """Whether a program, a header or a file is installed."""
    if isinstance(known, Path):
        return known.exists()
    if known.endswith(".h"):
        folders = [Path("/usr/include"), *Path("/usr/include").glob("*-linux-gnu")]
        return any((folder / known).exists() for folder in folders)
    return shutil.which(known, path="/usr/sbin:/usr/bin:/bin:/usr/local/bin") is not None


def main() -> int:
    """Install what is missing."""
    missing = [package for package, known in PACKAGES.items() if not is_there(known)]
    if missing:
        try:
            install_packages(missing, "programs that use a PKCS#11 token", print)
        except ToolError as error:
            print(error, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
