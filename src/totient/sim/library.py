"""The C interface of a model's shared library: what `totient/model.h` of the driver declares."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import _cffi_backend

from totient.common.cache import digest, produce
from totient.common.errors import ToolError
from totient.common.files import project_root
from totient.common.once import once
from totient.common.trust import check_code


@dataclass(frozen=True)
class Element:
    """A register, a memory, or a signal of a model.

    Attributes:
        name: with its instance path.
        bits: of a word.
        words: of a memory; 1 for others.
        size: bytes of storage of a word.
    """

    name: str
    bits: int
    words: int
    size: int


_PARSED = "interface.py"


@once
def interface(headers: Sequence[str]) -> Any:
    """What headers of the driver declare, as cffi gives it: `ffi`. They are parsed once, and kept.

    Args:
        headers: names without `.h`, each after those that it needs.
    """
    folder = project_root() / "driver" / "include" / "totient"
    text = "".join((folder / f"{name}.h").read_text() for name in headers)
    # Without what only a C compiler understands.
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.DOTALL)
    text = re.sub(r"^#(.*\\\n)*.*$", "", text, flags=re.MULTILINE)
    # A constant structure is not looked up in a library, a variable is.
    text = text.replace("TOTIENT_MUST_CHECK", "").replace("extern const", "extern")
    name = digest(text, _cffi_backend.__version__)
    kept = produce("interfaces", name, lambda scratch: _parse(text, scratch), [_PARSED])
    # An import would take compiled code beside the file, which has no hash.
    code = compile((kept / _PARSED).read_bytes(), str(kept / _PARSED), "exec")
    found: dict[str, Any] = {"__name__": "totient_interface"}
    exec(code, found)
    return found["ffi"]


def _parse(declarations: str, folder: Path) -> None:
    """Parse C declarations; write what is found as a Python module."""
    import cffi  # here, as its parser takes long to import

    ffi = cffi.FFI()
    ffi.cdef(declarations)
    ffi.set_source("totient_interface", None, compiler_verbose=False)
    ffi.emit_python_code(str(folder / _PARSED))


@once
def load(path: Path) -> tuple[Any, Any]:
    """A model's library and its types, as cffi gives them: `ffi` and `lib`.

    Raises:
        ToolError: the library cannot be loaded, or somebody else can have written it.
    """
    ffi = interface(("model",))
    check_code(path)
    try:
        return ffi, ffi.dlopen(str(path))
    except OSError as error:
        raise ToolError(f"cannot load the model {path}: {error}") from error
