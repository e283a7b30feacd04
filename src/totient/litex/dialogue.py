"""Row B3's terminal system in simulation, between two streams of bytes."""

from collections.abc import Callable, Iterable

from totient.common.errors import InputError
from totient.litex.firmware import compile_program
from totient.litex.system import open_system
from totient.sim import Model

PROMPT = b"Mode? "
"""The program's question before each operation."""

_ECHO = 5_000
"""Clock cycles after a byte in which the program shows it, if it does."""

_SILENT = 100_000
"""Clock cycles without output after which the program waits for input. An operation takes fewer."""

_END = b"\x04"
"""Ctrl-D on a terminal."""


def open_dialogue(program: str = "dialogue") -> Model:
    """The system with a program in its ROM.

    Args:
        program: folder below `firmware/`.

    Raises:
        ToolError: a tool is missing or failed.
    """
    return open_system(lambda header: compile_program(program, header), None)


def converse(model: Model, pieces: Iterable[bytes], write: Callable[[bytes], None]) -> None:
    """Pass bytes to the program one by one, and its output on, until the input ends.

    The clock stands still while the program waits for input.

    Args:
        model: the system, from `open_dialogue`.
        pieces: of the input, in order.
        write: takes output, without carriage returns.

    Raises:
        InputError: the input ended within an operation.
        ToolError: the system no longer answers.
    """
    last = _pass(model, _SILENT, write, b"")
    for piece in pieces:
        for place in range(len(piece)):
            byte = piece[place : place + 1]
            if byte == _END:
                break
            model.send_bytes(byte)
            shown = _pass(model, _ECHO, write, b"")
            if b"\n" in shown:
                shown = _pass(model, _SILENT, write, shown)
            last = (last + shown)[-200:]
        else:
            continue
        break
    if not last.endswith(PROMPT):
        asked = last.decode(errors="replace").rpartition("\n")[2].strip()
        raise InputError(f"the input ended before the end of an operation, at {asked!r}")


def _pass(model: Model, cycles: int, write: Callable[[bytes], None], before: bytes) -> bytes:
    """Pass output on until there is none for so many cycles; return it after what was before."""
    while received := model.receive_bytes(cycles):
        some = received.replace(b"\r", b"")
        write(some)
        before += some
    return before
