"""The C interface of a model's shared library."""

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_handle, _count = ctypes.c_void_p, ctypes.c_size_t


_words, _bytes = ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(ctypes.c_uint8)


EXPORTS: tuple[tuple[str, Any, tuple[Any, ...]], ...] = (
    ("open_unknown", _handle, (ctypes.c_uint32,)),
    ("close", None, (_handle,)),
    ("reset", None, (_handle,)),
    ("cycles", ctypes.c_uint64, (_handle,)),
    ("pauses", None, (_handle, ctypes.c_uint64)),
    ("randomness", None, (_handle, ctypes.c_bool)),
    ("reason", ctypes.c_char_p, (_handle,)),
    ("advance", ctypes.c_int, (_handle, ctypes.c_uint64)),
    ("state", ctypes.c_char_p, (_handle,)),
    ("record", None, (_handle,)),
    ("recorded", ctypes.c_char_p, (_handle,)),
    ("seed", None, (_handle, ctypes.c_uint32)),
    ("elements", ctypes.c_char_p, (_handle,)),
    ("flip", None, (_handle, _count, _count, _count)),
    ("peek", None, (_handle, _count, _bytes)),
    ("watch", None, (_handle, ctypes.c_bool)),
    ("watched", ctypes.c_uint64, (_handle, ctypes.POINTER(ctypes.c_uint64))),
    ("send", None, (_handle, _words, _count, ctypes.c_bool)),
    ("run", ctypes.c_int, (_handle, ctypes.c_uint64)),
    ("response_words", _count, (_handle,)),
    ("take", None, (_handle, _words, _count)),
    ("read", ctypes.c_int, (_handle, ctypes.c_uint32, _words, ctypes.c_uint64)),
    ("write", ctypes.c_int, (_handle, *(3 * (ctypes.c_uint32,)), ctypes.c_uint64)),
    ("wait", ctypes.c_int, (_handle, ctypes.c_uint64)),
    ("line_send", None, (_handle, _bytes, _count)),
    ("line_run", ctypes.c_int, (_handle, ctypes.c_uint64)),
    ("line_take", _count, (_handle, _bytes, _count)),
)
"""What `totient/model.h` declares."""


@dataclass(frozen=True)
class Element:
    """A register, a memory, or a signal of a model.

    Attributes:
        name: with the instances that it is in.
        bits: of a word.
        words: of a memory; 1 for others.
        size: bytes that a word is kept in.
    """

    name: str
    bits: int
    words: int
    size: int


@cache
def load(path: Path) -> Mapping[str, Any]:
    """The functions that a model's library has, by their names without `totient_model_`."""
    library = ctypes.CDLL(str(path))
    found = {}
    for name, result, arguments in EXPORTS:
        function = getattr(library, f"totient_model_{name}", None)
        if function is not None:
            function.restype, function.argtypes = result, arguments
            found[name] = function
    return found
