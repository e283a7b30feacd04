"""The PKCS#11 module, its daemon, and OpenSSL's provider, compiled on this machine."""

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

PROVIDER_PACKAGES = ("libssl-dev", "libp11-kit-dev")
"""The same for the provider."""

_P11_KIT = Path("/usr/include/p11-kit-1")


def module() -> Path:
    """The module: a shared library with `C_GetFunctionList`.

    Raises:
        ToolError: the compiler or a header is missing, or the compiler failed.
    """
    return _compile_ours("libtotient-pkcs11.so", ("-fPIC", "-shared"), ())


def daemon() -> Path:
    """The program `totientd`; errors as `module`."""
    return _compile_ours("totientd", ("-fPIE", "-pie"), ("-lp11-kit",))


def provider() -> Path:
    """OpenSSL's provider for keys of a token, of any module; errors as `module`."""
    driver = project_root() / "driver"
    folder = driver / "provider"
    return _compile(
        "libtotient-provider.so",
        sorted(folder.glob("*.c")),
        [*folder.glob("*.h"), driver / "include" / "totient" / "version.h"],
        ("-fPIC", "-shared"),
        ("-lcrypto", "-lp11-kit", "-ldl", "-lpthread"),
        PROVIDER_PACKAGES,
    )


def _compile_ours(output: str, flags: tuple[str, ...], libraries: tuple[str, ...]) -> Path:
    """The module or the daemon: their own files, and those of libtotient."""
    driver = project_root() / "driver"
    ours = sorted((driver / "pkcs11").glob("*.c"))
    sources = [path for path in ours if path.name != "totientd.c" or output == "totientd"]
    sources += [p for p in sorted((driver / "src").glob("*.c")) if p.name not in _NO_KEYS]
    folders = [driver / "include", driver / "src", driver / "pkcs11"]
    headers = sorted(path for folder in folders for path in folder.rglob("*.h"))
    return _compile(output, sources, headers, flags, (*_LIBRARIES, *libraries), PACKAGES)


def _compile(
    output: str,
    sources: list[Path],
    headers: list[Path],
    flags: tuple[str, ...],
    libraries: tuple[str, ...],
    packages: tuple[str, ...],
) -> Path:
    try:
        return toolchain.compile_c(
            *("pkcs11", output, sources, (*_FLAGS, *flags)),
            headers=headers,
            includes=[project_root() / "driver" / "include", _p11_kit()],
            libraries=libraries,
        )
    except ToolError as error:
        # The compiler names the header or library that it does not find.
        if "No such file" not in str(error) and "cannot find -l" not in str(error):
            raise
        raise ToolError(
            f"a header for {output} is missing: apt-get install {' '.join(packages)}"
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
