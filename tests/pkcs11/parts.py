"""Programs in C with files of the PKCS#11 module in them."""

from pathlib import Path

from tests.programs import DRIVER, INCLUDE, WARNINGS, gcc, output

MODULE = DRIVER / "pkcs11"
HERE = Path(__file__).parent
LIBRARIES = ("-lnettle", "-lsodium", "-lgmp", "-ldl", "-lpthread")

_DEVICE = ("device.c", "address.c")
_NO_KEYS = ("keygen.c", "modmul.c")


def headers() -> list[str]:
    """Options of the compiler for p11-kit's headers."""
    return output(["pkg-config", "--cflags", "p11-kit-1"]).split()


def module_files(*, device: bool) -> list[Path]:
    """The module's files, with its device and libtotient or without."""
    left_out = {"totientd.c", *(() if device else _DEVICE)}
    sources = [each for each in sorted(MODULE.glob("*.c")) if each.name not in left_out]
    if device:
        sources += [p for p in sorted((DRIVER / "src").glob("*.c")) if p.name not in _NO_KEYS]
    return sources


def compiled(path: Path, ours: list[Path], *options: str, device: bool = False) -> Path:
    """A program of files of the tests and of all the module's files but the daemon's.

    Args:
        path: the program's.
        ours: files of the tests.
        options: of the compiler, and libraries.
        device: with the module's device and libtotient. Without, `ours` has a device.
    """
    sources = module_files(device=device)
    common = ("-std=c99", "-g", *WARNINGS, INCLUDE, f"-I{MODULE}", *headers())
    gcc(*common, *ours, *sources, "-o", path, *options, *LIBRARIES)
    return path
