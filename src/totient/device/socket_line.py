"""A simulated core at a stream socket of Unix, which other programs open as `unix:PATH`."""

import contextlib
import os
import socket
import weakref
from collections.abc import Sequence
from pathlib import Path

from totient.common.errors import InputError
from totient.device.served import PIECE, Served

_SLOWEST = 10
"""Seconds in which a program must take an answer. Its connection is closed otherwise."""


class SocketLine(Served):
    """The socket of a simulated core, for one program at a time.

    A second program's connection is closed at once. The core keeps its state between programs, as
    on a serial line: each begins with a reset.

    Attributes:
        path: to connect to.
    """

    def __init__(self, model: Path, path: Path) -> None:
        """Open a model and a socket, for its owner alone.

        Args:
            model: as for `Served`.
            path: of the socket; nothing may be there.

        Raises:
            InputError: the socket cannot be made.
            ToolError: the model cannot be loaded.
        """
        super().__init__(model)
        self.path = path
        self._program: socket.socket | None = None
        self._listener = listener = socket.socket(socket.AF_UNIX)
        mask = os.umask(0o177)  # nobody else may use the core
        try:
            listener.bind(str(path))
        except OSError as error:
            listener.close()
            self._model.close()
            raise InputError(f"cannot make the socket {path}: {error.strerror or error}") from error
        finally:
            os.umask(mask)
        listener.listen()
        self._finish = weakref.finalize(self, _remove, listener, path, path.stat().st_ino)

    def close(self) -> None:
        """Close the socket and remove it. Closing twice has no effect."""
        self._disconnect()
        self._model.close()
        self._finish()

    def _files(self) -> Sequence[int]:
        both = (self._listener, self._program)
        return [each.fileno() for each in both if each is not None]

    def _receive(self, ready: Sequence[int]) -> bytes:
        data = b""
        if self._program is not None and self._program.fileno() in ready:
            with contextlib.suppress(OSError):
                data = self._program.recv(PIECE)
            if not data:
                self._disconnect()
        if self._listener.fileno() in ready:
            program, _ = self._listener.accept()
            if self._program is None:
                program.settimeout(_SLOWEST)
                self._program = program
            else:
                program.close()
        return data

    def _send(self, data: bytes) -> None:
        if self._program is None:
            return  # the program has left before its answer
        try:
            self._program.sendall(data)
        except OSError:
            self._disconnect()

    def _disconnect(self) -> None:
        program, self._program = self._program, None
        if program is not None:
            program.close()


def _remove(listener: socket.socket, path: Path, number: int) -> None:
    """Close a socket, and remove its file if it is still this one."""
    listener.close()
    with contextlib.suppress(OSError):
        if path.stat().st_ino == number:
            path.unlink()
