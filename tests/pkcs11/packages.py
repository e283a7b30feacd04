"""The programs that use a token in tests. `python -m tests.pkcs11.packages` installs them."""

import sys
from pathlib import Path

from tests.debian import install

_LIBRARIES = Path("/usr/lib") / "x86_64-linux-gnu"
if not _LIBRARIES.exists():
    _LIBRARIES = next(Path("/usr/lib").glob("*-linux-gnu"), Path("/usr/lib"))

CLIENT = _LIBRARIES / "pkcs11" / "p11-kit-client.so"
"""p11-kit's module that speaks to a daemon."""

PROXY = _LIBRARIES / "p11-kit-proxy.so"
"""p11-kit's module with all tokens that its files name."""

ENGINE = _LIBRARIES / "engines-3" / "pkcs11.so"
"""OpenSSL's engine for PKCS#11 modules."""

JAVA = next(Path("/usr/lib/jvm").glob("java-17-openjdk-*"), Path("/usr/lib/jvm/java")) / "bin"
"""The programs of Debian's JDK."""

PACKAGES: dict[str, str | Path] = {
    "curl": "curl",
    "gnupg-pkcs11-scd gpg gpg-agent": "gnupg-pkcs11-scd",
    "gnutls-bin": "p11tool",
    "haproxy": "haproxy",
    "libengine-pkcs11-openssl": ENGINE,
    "libgmp-dev": "gmp.h",
    "libp11-kit-dev": "p11-kit-1/p11-kit/pkcs11.h",
    "libsodium-dev": "sodium.h",
    "libssl-dev": "openssl/provider.h",
    "nettle-dev": "nettle/sha2.h",
    "nginx-light": "nginx",
    "openssh-server": "sshd",
    "opensc": "pkcs11-tool",
    "openjdk-17-jdk-headless": JAVA / "jarsigner",
    "openssh-client": "ssh-keygen",
    "p11-kit": "p11-kit",
    "p11-kit-modules": CLIENT,
    "pkg-config": "pkg-config",
    "stunnel4": "stunnel4",
    "valgrind": "valgrind",
}
"""Debian packages, each with a program, a header or a file that it has."""


def main() -> int:
    """Install what is missing."""
    return install(PACKAGES, "programs that use a PKCS#11 token")


if __name__ == "__main__":
    sys.exit(main())
