"""libtotient, compiled and loaded on this machine: the driver of every device."""

from pathlib import Path
from typing import Any

from totient.common.errors import ToolError
from totient.common.files import project_root
from totient.common.once import once
from totient.common.trust import check_code
from totient.sim import toolchain
from totient.sim.library import interface

_HEADERS = (
    *("contract", "totient", "engine", "registers", "serial", "simulation", "posix"),
    "address",
)
_FLAGS = ("-std=gnu99", "-O2", "-fPIC", "-shared")


def _build() -> Path:
    driver = project_root() / "driver"
    headers = sorted([*(driver / "include" / "totient").glob("*.h"), *(driver / "src").glob("*.h")])
    files = sorted((driver / "src").glob("*.c"))
    return toolchain.compile_c(
        *("driver", "libtotient.so", files, _FLAGS),
        headers=headers,
        includes=[driver / "include"],
        libraries=["-ldl"],
    )


@once
def library() -> tuple[Any, Any]:
    """The library and its types from cffi: `ffi` and `lib`.

    Raises:
        ToolError: the compiler is missing, or the library cannot be loaded, or somebody else can
            have written it.
    """
    path = _build()
    ffi = interface(_HEADERS)
    check_code(path)
    try:
        return ffi, ffi.dlopen(str(path))
    except OSError as error:
        raise ToolError(f"cannot load the driver {path}: {error}") from error


def text(code: int) -> str:
    """The meanings of libtotient's results. Codes below 64 come from the hardware."""
    ffi, lib = library()
    return str(ffi.string(lib.totient_text(code)).decode())
