"""Our RSA in C on this machine's processor: compiled, checked, timed."""

import ctypes
import statistics
import time
from dataclasses import astuple
from pathlib import Path

from totient.common.errors import ToolError
from totient.common.files import project_root
from totient.common.trust import check_code
from totient.measure.software_programs import PRIVATE, key_of
from totient.sim import toolchain

_FLAGS = ("-std=c99", "-O2", "-fPIC", "-shared")
_ROUNDS = 9
_ROUND_SECONDS = 0.05
_WORKSPACE = 64 * 1024

_bytes = ctypes.c_char_p
_size = ctypes.c_size_t


class _Public(ctypes.Structure):
    """`struct rsa_public_key` of firmware/rsa/rsa.h."""

    _fields_ = (("modulus", _bytes), ("exponent", _bytes), ("bytes", _size), ("e_bytes", _size))


class _Private(ctypes.Structure):
    """`struct rsa_private_key`."""

    _fields_ = (
        *((name, _bytes) for name in ("modulus", "p", "q", "dp", "dq", "qinv")),
        *((name, _size) for name in ("bytes", "p_bytes", "q_bytes")),
    )


def _library() -> Path:
    folder = project_root() / "firmware" / "rsa"
    files, headers = sorted(folder.glob("*.c")), sorted(folder.glob("*.h"))
    return toolchain.compile_c("rsa", "rsa.so", files, _FLAGS, headers=headers)


def measure_here(bits: int, operation: str) -> float:
    """Seconds of an operation: the median of several rounds. It varies between runs.

    Args:
        bits: of the modulus.
        operation: `public` or `private` (CRT).

    Raises:
        ToolError: the compiler is missing, or the result is wrong.
    """
    path = _library()
    check_code(path)
    library = ctypes.CDLL(str(path))
    key, size, half = key_of(bits), bits // 8, bits // 16
    modulus = key.modulus.to_bytes(size, "big")
    structure: ctypes.Structure
    if operation == PRIVATE:
        texts = (each.to_bytes(half, "big") for each in astuple(key.crt))
        structure, function = _Private(modulus, *texts, size, half, half), library.rsa_private
        exponent = key.d
    else:
        text = key.exponent.to_bytes(3, "big")
        structure, function = _Public(modulus, text, size, len(text)), library.rsa_public
        exponent = key.exponent
    operand = key.modulus * 2 // 3
    buffer = ctypes.create_string_buffer(operand.to_bytes(size, "big"), size)
    workspace = (ctypes.c_uint64 * (_WORKSPACE // 8))()
    arguments = (buffer, ctypes.byref(structure), workspace, _size(_WORKSPACE))
    outcome = function(*arguments)
    if outcome or int.from_bytes(buffer.raw, "big") != pow(operand, exponent, key.modulus):
        raise ToolError(f"our RSA in C gave a wrong {operation} result on this machine")
    # The result is the next operand.
    seconds: list[float] = []
    repeats = 1
    while len(seconds) < _ROUNDS:
        start = time.perf_counter()
        for _ in range(repeats):
            function(*arguments)
        took = time.perf_counter() - start
        if took < _ROUND_SECONDS and not seconds:
            repeats *= 2
        else:
            seconds.append(took / repeats)
    return statistics.median(seconds)
