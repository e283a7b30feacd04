"""The terminal program of row B3 on its simulated system."""

import io
import signal
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

from totient.cli.options import DesignArgument
from totient.common.errors import InputError, Stopped

_PIECE = 4096


def run(design: DesignArgument) -> None:
    """Run row B3's terminal program on its simulated system, with the paper's dialogue.

    The system is a soft CPU with a serial port, a timer and the RSA IP. The program asks for a mode
    (0: keys and a message, 1: a message with a given key) and for numbers, each ended by `!`. On a
    terminal Ctrl-D ends it. Input may be piped: `echo "1 4782969! 800143763! 457173463!"`.
    """
    from totient.catalog import SYSTEM, find_system

    if find_system(design) is None:
        raise InputError(f"unknown system {design!r}, known is {SYSTEM.name} ({SYSTEM.rows[0]})")
    from totient.litex.dialogue import converse, open_dialogue

    # A script's background job begins with SIGINT ignored, and nobody would end it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with open_dialogue() as model, _without_echo():
        try:
            converse(model, _input(), _write)
        except Stopped:
            raise
        except KeyboardInterrupt:
            pass  # Ctrl-C ends it.
        finally:
            _write(b"\n")


def _input() -> Iterator[bytes]:
    source = getattr(sys.stdin, "buffer", None)
    if isinstance(source, io.BufferedReader | io.BytesIO):
        while piece := source.read1(_PIECE):
            yield piece


def _write(data: bytes) -> None:
    sys.stdout.write(data.decode(errors="replace"))
    sys.stdout.flush()


@contextmanager
def _without_echo() -> Iterator[None]:
    """On a terminal: characters at once, shown by the program only."""
    if sys.stdin is None or not sys.stdin.isatty():
        yield
        return
    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
