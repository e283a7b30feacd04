"""The C of `firmware/montgomery` on this machine's own processor: products and exponentiations."""

import ctypes
from collections.abc import Callable
from functools import cache

from totient.common.files import project_root
from totient.common.trust import check_code
from totient.sim.toolchain import compile_c

_FLAGS = ("-std=c99", "-O2", "-fPIC", "-shared")
_ENTRIES = 64

_number = ctypes.c_uint64


class _Squares(ctypes.Structure):
    """`struct power_squares` of firmware/montgomery/montgomery.h."""

    _fields_ = (("n", _number), ("square", _number * _ENTRIES))


@cache
def _library() -> ctypes.CDLL:
    """The forms in C, without ARM's assembly.

    Raises:
        ToolError: the compiler is missing or failed.
    """
    root = project_root()
    folder, include = root / "firmware" / "montgomery", root / "driver" / "include"
    sources, headers = sorted(folder.glob("*.c")), sorted(folder.glob("*.h"))
    headers += sorted((include / "totient").glob("*.h"))
    path = compile_c(
        *("programs", "montgomery.so", sources, _FLAGS), headers=headers, includes=[include]
    )
    check_code(path)
    return ctypes.CDLL(str(path))


def _form(name: str) -> Callable[[int, int, int], int]:
    found = getattr(_library(), name)
    found.restype, found.argtypes = _number, [_number] * 3
    return found  # type: ignore[no-any-return]


def product(form: str, a: int, b: int, n: int) -> int:
    """Montgomery product of a form: `a b / 2^L mod n`, L the bits of n.

    Args:
        form: `plain` or `optimised`.
        a: factor below n.
        b: factor below n.
        n: odd modulus of at most 64 bits.
    """
    return _form(f"montgomery_{form}")(a, b, n)


def power(form: str, base: int, exponent: int, n: int) -> int:
    """`base^exponent mod n` of a form.

    Args:
        form: `table`, `table-raise` (its table is made first), `remainder`, `remainder-short` (a
            modulus of at most 32 bits), or that of a product.
        base: below n.
        exponent: below 2^64.
        n: odd modulus of at most 64 bits.
    """
    library = _library()
    if form == "table-raise":
        table, result = _Squares(), _number()
        library.power_squares_make(ctypes.byref(table), _number(base), _number(n))
        library.power_squares_raise(ctypes.byref(table), _number(exponent), ctypes.byref(result))
        return result.value
    if form in ("plain", "optimised"):
        call = library.power_montgomery
        call.restype, call.argtypes = _number, [ctypes.c_void_p, *[_number] * 3]
        which = ctypes.cast(getattr(library, f"montgomery_{form}"), ctypes.c_void_p)
        return int(call(which, base, exponent, n))
    return _form(f"power_{form.replace('-', '_')}")(base, exponent, n)
