"""The PKCS#11 module and its daemon, compiled on this machine."""

import shutil
import subprocess
from pathlib import Path

from totient.common.errors import ToolError
from totient.common.files import project_root
from totient.sim import toolchain

PACKAGES = ("libp11-kit-dev", "libsodium-dev", "nettle-dev", "libgmp-dev")
"""Debian packages with the headers of the libraries that the module and the daemon use."""

_FLAGS = ("-std=c99", "-O2", "-fvisibility=hidden", "-Wl,-z,now")
_LIBRARIES = ("-lnettle", "-lsodium", "-lgmp", "-ldl", "-lpthread")
_NO_KEYS = ("keygen.c", "modmul.c")
"""Files of the driver for IPs that hold no keys of a token."""

_P11_KIT = Path("/usr/include/p11-kit-1")


def module() -> Path:
    """The module: a shared library with `C_GetFunctionList`.

    Raises:
        ToolError: the compiler or a header is missing, or the compiler failed.
    """
    return _compile("libtotient-pkcs11.so", ("-fPIC", "-shared"), ())


def daemon() -> Path:
    """The program `totientd`; errors as `module`."""
    return _compile("totientd", ("-fPIE", "-pie"), ("-lp11-kit",))


def _compile(output: str, flags: tuple[str, ...], libraries: tuple[str, ...]) -> Path:
    driver = project_root() / "driver"
    ours = sorted((driver / "pkcs11").glob("*.c"))
    sources = [path for path in ours if path.name != "totientd.c" or output == "totientd"]
    sources += [p for p in sorted((driver / "src").glob("*.c")) if p.name not in _NO_KEYS]
    folders = [driver / "include", driver / "src", driver / "pkcs11"]
    headers = sorted(path for folder in folders for path in folder.rglob("*.h"))
    try:
        return toolchain.compile_c(
            *("pkcs11", output, sources, (*_FLAGS, *flags)),
            headers=headers,
            includes=[driver / "include", _p11_kit()],
            libraries=[*_LIBRARIES, *libraries],
        )
    except ToolError as error:
        # The compiler names the header or library that it does not find.
        if "No such file" not in str(error) and "cannot find -l" not in str(error):
            raise
        raise ToolError(
            f"a header for the PKCS#11 module is missing: apt-get install {' '.join(PACKAGES)}"
        ) from error


def _p11_kit() -> Path:
    """Folder of p11-kit's headers."""
    if shutil.which("pkg-config"):
        done = subprocess.run(
            ["pkg-config", "--variable=includedir", "p11-kit-1"],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode == 0 and done.stdout.strip():
            folder = Path(done.stdout.strip())
            return folder / "p11-kit-1" if folder.name != "p11-kit-1" else folder
    return _P11_KIT
