"""Room for deep recursion in nextpnr as WebAssembly.

Its package provides a stack of 64 KiB. nextpnr walks combinational paths by recursion, and a carry
chain of 1,024 bits requires more: it then writes below address 0 and is stopped. Here the module
gets additional memory, with the stack pointer at its end.
"""

import threading
from collections.abc import Iterator

import wasmtime

STACK_BYTES = 16 << 20
"""Of the module's own stack."""

_HOST_STACK_BYTES = 2 << 20  # of return addresses; wasmtime's maximum
_THREAD_STACK_BYTES = 16 << 20

_PAGE_BYTES = 65536
_MEMORY, _GLOBALS = 5, 6  # numbers of sections
_MUTABLE_INTEGER = b"\x7f\x01\x41"  # of 32 bits, initialised by a constant


def with_stack(module: bytes, stack_bytes: int = STACK_BYTES) -> bytes:
    """The module with a stack of this size, after all its other memory.

    Args:
        module: WebAssembly as linked by LLVM: global 0 is the stack pointer, the stack grows down,
            and the heap grows by requests for new memory.
        stack_bytes: a multiple of 64 KiB.

    Raises:
        ValueError: the module is not of this form.
    """
    parts = [module[:8]]
    end = 0  # bytes of memory at the start
    for number, body in _sections(module):
        if number == _MEMORY:
            if body[:2] != b"\x01\x00":
                raise ValueError("not one memory without a limit")
            pages, rest = _unsigned(body, 2)
            end = pages * _PAGE_BYTES + stack_bytes
            body = body[:2] + _encoded(end // _PAGE_BYTES, signed=False) + body[rest:]
        elif number == _GLOBALS:
            _, first = _unsigned(body, 0)
            if not end or body[first : first + 3] != _MUTABLE_INTEGER:
                raise ValueError("global 0 is not a stack pointer")
            value = first + 3
            _, rest = _unsigned(body, value)
            body = body[:value] + _encoded(end, signed=True) + body[rest:]
        parts += [bytes([number]), _encoded(len(body), signed=False), body]
    return b"".join(parts)


def _sections(module: bytes) -> Iterator[tuple[int, bytes]]:
    place = 8
    while place < len(module):
        length, start = _unsigned(module, place + 1)
        yield module[place], module[start : start + length]
        place = start + length


def _unsigned(data: bytes, place: int) -> tuple[int, int]:
    """A number in LEB128 and the place after it."""
    value = shift = 0
    while True:
        byte = data[place]
        value |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return value, place


def _encoded(value: int, signed: bool) -> bytes:
    """A number from 0 up in LEB128; a signed one leaves the top bit of its last byte free."""
    out = bytearray()
    while value >> (6 if signed else 7):
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


class _Module(wasmtime.Module):
    def __init__(self, engine: wasmtime.Engine, wasm: bytes) -> None:
        super().__init__(engine, with_stack(wasm))


class _Config(wasmtime.Config):
    def __init__(self) -> None:
        super().__init__()
        self.max_wasm_stack = _HOST_STACK_BYTES


def widen_stacks() -> None:
    """Give `STACK_BYTES` of stack to every module that this process compiles from here on."""
    wasmtime.Module = _Module  # type: ignore[assignment, misc]
    wasmtime.Config = _Config  # type: ignore[misc]
    threading.stack_size(_THREAD_STACK_BYTES)
