"""libtotient, compiled for this machine and loaded: the driver behind every device."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import cffi

from totient.common.cache import digest, produce
from totient.common.errors import ToolError
from totient.common.files import project_root
from totient.sim import toolchain

_HEADERS = ("contract", "totient", "engine", "registers", "serial", "simulation", "posix")
_FLAGS = ("-std=gnu99", "-O2", "-fPIC", "-shared")


def _declarations(folder: Path) -> str:
    """What the headers declare, without what only a C compiler understands."""
    text = "".join((folder / f"{name}.h").read_text() for name in _HEADERS)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.DOTALL)
    text = re.sub(r"^#(.*\\\n)*.*$", "", text, flags=re.MULTILINE)
    # A constant structure is not looked up in a library, a variable is.
    return text.replace("TOTIENT_MUST_CHECK", "").replace("extern const", "extern")


def _build() -> Path:
    driver = project_root() / "driver"
    headers = sorted([*(driver / "include" / "totient").glob("*.h"), *(driver / "src").glob("*.h")])
    files = sorted((driver / "src").glob("*.c"))

    def build(folder: Path) -> None:
        include = f"-I{driver / 'include'}"
        output = ("-o", str(folder / "libtotient.so"))
        command = [toolchain.c_compiler(), *_FLAGS, include, *map(str, files), *output, "-ldl"]
        toolchain.run([command], folder)

    compiler = toolchain.c_compiler()
    name = digest(*toolchain.versions(), compiler, *_FLAGS, *toolchain.contents([*headers, *files]))
    return produce("driver", name, build) / "libtotient.so"


@cache
def library() -> tuple[Any, Any]:
    """The library and its types, as cffi gives them: `ffi` and `lib`.

    Raises:
        ToolError: the compiler is missing, or the library cannot be loaded.
    """
    path = _build()
    ffi = cffi.FFI()
    ffi.cdef(_declarations(project_root() / "driver" / "include" / "totient"))
    try:
        return ffi, ffi.dlopen(str(path))
    except OSError as error:
        raise ToolError(f"cannot load the driver {path}: {error}") from error


def text(code: int) -> str:
    """What a result of libtotient means; its codes below 64 are the hardware's own."""
    ffi, lib = library()
    return str(ffi.string(lib.totient_text(code)).decode())
