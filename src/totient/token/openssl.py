"""OpenSSL's configuration for a token: its provider, beside the system's own settings."""

import re
import shutil
import subprocess
from pathlib import Path

from totient.common.errors import InputError
from totient.token import build
from totient.token.folder import install_library, write

PROVIDER = "libtotient-provider.so"
CONFIGURATION = "openssl.cnf"


def configure(folder: Path, module: Path, pin_file: Path | None) -> Path:
    """Write the file that `OPENSSL_CONF` names, and the provider beside it.

    Args:
        folder: of the token.
        module: that the provider loads.
        pin_file: with the PIN in its first line. The configuration names it. Programs ask for
            the PIN without it.

    Returns:
        The file.

    Raises:
        ToolError: a compiler or header is missing.
        InputError: the file cannot be written.
    """
    provider = install_library(folder, PROVIDER, build.provider())
    path = folder / CONFIGURATION
    text = _text(provider, module, pin_file.absolute() if pin_file else None, _system())
    write(path, text.encode(), 0o600)
    return path


def _text(provider: Path, module: Path, pin_file: Path | None, system: Path | None) -> str:
    """The configuration. It ends in the section of the provider."""
    lines = ["# Written by `totient token openssl`."]
    if system is not None:
        # What the system's file says of requests and certificates stays; its providers do not.
        lines += [f".include {system}", "[default]"]
    lines += [
        "openssl_conf = totient_start",
        "[totient_start]",
        "providers = totient_providers",
        "[totient_providers]",
        "default = totient_default",
        "totient = totient_token",
        "[totient_default]",
        "activate = 1",
        "[totient_token]",
        f"module = {_value(provider)}",
        f"pkcs11-module-path = {_value(module)}",
        *([] if pin_file is None else [f"pkcs11-module-token-pin = file:{_value(pin_file)}"]),
        "activate = 1",
    ]
    return "\n".join(lines) + "\n"


def _value(path: Path) -> str:
    """A path in OpenSSL's configuration, where some characters have a meaning.

    Raises:
        InputError: it cannot be written there.
    """
    text = str(path)
    if not text.isprintable():
        raise InputError(f"{text!r} has control characters, which OpenSSL's configuration has not")
    return re.sub(r"([\\\"'`#$;])", r"\\\1", text)


def _system() -> Path | None:
    """OpenSSL's own configuration file on this machine."""
    if not shutil.which("openssl"):
        return None
    done = subprocess.run(["openssl", "version", "-d"], capture_output=True, text=True, check=False)
    found = re.fullmatch(r'OPENSSLDIR: "(.*)"\s*', done.stdout)
    path = Path(found[1]) / CONFIGURATION if found else None
    return path if path is not None and path.is_file() else None
