"""A token's folder: its device, and the module at a path that stays."""

import os
from pathlib import Path

from totient.common.cache import write_file
from totient.common.errors import InputError

MODULE = "libtotient-pkcs11.so"
DEFAULT_DEVICE = "sim:engine-62?key_slots=3"
_MODEL = "model.so"


def default_folder() -> Path:
    """The folder that the module opens: `TOTIENT_TOKEN`, else one in the user's home."""
    chosen = os.environ.get("TOTIENT_TOKEN")
    return Path(chosen) if chosen else Path.home() / ".local" / "share" / "totient" / "token"


def choose(folder: Path | None) -> Path:
    """The folder of a command, which the module is told by the environment."""
    chosen = (folder or default_folder()).absolute()
    os.environ["TOTIENT_TOKEN"] = str(chosen)
    return chosen


def is_token(folder: Path) -> bool:
    """Whether a folder has a token."""
    return (folder / "token").is_file()


def existing(folder: Path | None) -> Path:
    """As `choose`.

    Raises:
        InputError: there is no token.
    """
    chosen = choose(folder)
    if not is_token(chosen):
        raise InputError(f"{chosen} has no token: totient token init")
    return chosen


def prepare(folder: Path, device: str) -> None:
    """Make the folder, with its device: a simulated core is copied into it.

    Raises:
        InputError: the address is unknown, or the folder cannot be written.
    """
    line, model = _device(device)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if model is not None:
            write_file(folder / _MODEL, model.read_bytes(), 0o600)
        write_file(folder / "config", f"device = {line}\n".encode(), 0o600)
    except OSError as error:
        raise InputError(f"cannot write {error.filename or folder}: {error.strerror}") from error


def install_module(folder: Path) -> Path:
    """The module in the folder, as new as this tool."""
    from totient.token import build

    return install_library(folder, MODULE, build.module())


def install_library(folder: Path, name: str, built: Path) -> Path:
    """A library that programs load from the folder, replaced if another one is there."""
    path = folder / name
    if not path.exists() or path.read_bytes() != built.read_bytes():
        write(path, built.read_bytes(), 0o755)
    return path


def write(path: Path, data: bytes, mode: int) -> None:
    """Write a file, whole or not at all, and the folders above it.

    Raises:
        InputError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, data, mode)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error


def _device(device: str) -> tuple[str, Path | None]:
    """The line for a device in `config`, and the library of a simulated one."""
    from totient.catalog.model import Face
    from totient.device.address import Address
    from totient.sim import build_fast_model, build_model

    address = Address.of(device)
    if address.transport in ("sim", "sim-rtl"):
        top = address.configuration.top(Face.STREAM)
        library = (build_fast_model if address.transport == "sim" else build_model)(top)
        return f"model:{_MODEL}", library
    known = {"tty": ("baud", "timeout"), "uio": ("timeout",), "unix": ("timeout",)}.get(
        address.transport
    )
    if known is None:
        raise InputError(
            f"--device is {device}, allowed for a token are sim:, sim-rtl:, tty:, uio:, unix:"
        )
    for parameter in address.given:
        if parameter not in known:
            raise InputError(f"--device is {device}, {parameter} is not allowed for a token")
    if not address.name:
        raise InputError(f"--device is {device}, it has no path")
    return str(address), None


def closed_above(socket: Path, mode: int) -> Path | None:
    """A folder above a socket that is closed to others whom the socket's mode lets connect.

    Args:
        socket: its path.
        mode: its permissions. That of a group is taken for that of the folders.
    """
    if not mode & 0o077:
        return None
    wanted = 0o001 if mode & 0o007 else 0o011
    for folder in reversed(socket.resolve().parents):
        try:
            if not folder.stat().st_mode & wanted:
                return folder
        except OSError:
            return None  # the daemon says that there is no such folder
    return None


def register(line: str) -> Path:
    """Write p11-kit's file of the token; programs find the token by it.

    It is this user's own. Of root it is the system's, as p11-kit reads no other one of root.

    Args:
        line: `module: PATH` or `remote: unix:path=PATH`.

    Raises:
        InputError: the file cannot be written.
    """
    home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    above = Path("/etc") if os.geteuid() == 0 else Path(home)
    path = above / "pkcs11" / "modules" / "totient.module"
    write(path, f"{line}\n".encode(), 0o644)
    return path
